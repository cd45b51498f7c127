# SPDX-License-Identifier: MIT
"""Measures images that Ticklab did not build, with the scenarios of a recipe: `run --image` and
`observe`.

The image takes the place of a kernel with one configuration, and is measured unchanged. Its
compiler is known only if its debug information names it. No conformance scenario can run in it, so
the recipe alone says what its figures mean. It has no Thread-Metric score, because the tick rate of
an image refers to the emulator's virtual time; a port scales its tick to the board's clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ticklab import digest, names, plain_text
from ticklab.building import elf, producer, raw_image, vectors
from ticklab.description import catalogue, recipe
from ticklab.description.board import read_board
from ticklab.description.model import Board, Case, Config, Image, Kernel, Scenario, Variant
from ticklab.description.recipe import Candidate, Recipe
from ticklab.errors import TicklabError, UsageError

CONFIG, AS_BUILT = "image", "as-built"
# The image of a case, or the error that its build gave. An error does not keep the other cases from
# being measured.
Built = Image | TicklabError


@dataclass(frozen=True)
class ImageChoice:
    """The images, the recipe, the boards and the options that a command line of `run --image`
    selects. Empty sequences and None stand for the defaults."""

    images: Sequence[Path]
    recipe: str
    boards: Sequence[str]
    scenarios: Sequence[str]
    clock_hz: int | None
    vectors: int | None = None  # address of the vector table, if it is not the board's


def expand(choice: ImageChoice) -> list[Case]:
    """Returns the cases of all images, in the scenarios of the recipe that fit each image."""
    found = recipe.find(choice.recipe)
    _require_names(choice.images)
    for name in choice.scenarios:
        names.choose("scenario", name, {each.scenario.name: each for each in found.candidates})
    boards = [catalogue.find_board(name) for name in choice.boards]
    return [
        case(path, board, scenario, found.title, choice.clock_hz, choice.vectors)
        for path in choice.images
        for board in boards
        for scenario in _fitting(found, elf.read(raw_image.as_elf(path)), choice.scenarios)
    ]


def case(
    path: Path,
    board: Board,
    scenario: Scenario,
    title: str = "",
    clock_hz: int | None = None,
    at: int | None = None,
) -> Case:
    """Returns the case of one scenario of an image. `at` is the address of the image's vector
    table; None stands for the board's usual address. Raises an error if the board cannot run the
    image."""
    loaded = raw_image.as_elf(path)
    board = vectors.placed(board, loaded, at)
    guest = elf.read(loaded)
    elf.require_core(guest, board.core, board.vectors)
    elf.require_place(guest, board)
    config = Config(CONFIG, path, "the image as it is")
    kernel = _kernel(path, title, config, board)
    return Case(Variant(kernel, config, board, AS_BUILT, clock_hz or board.clock_hz), scenario)


def build(cases: Sequence[Case], ours: Callable[[Sequence[Case]], Sequence[Built]]) -> list[Built]:
    """Returns the images of the cases, in order. `ours` builds the images of those kernels that
    have a port."""
    ported = [case for case in cases if not case.variant.kernel.image]
    built = iter(ours(ported) if ported else ())
    return [_described(case) if case.variant.kernel.image else next(built) for case in cases]


def restore(
    origin: Mapping[str, Any], board: str, scenario: str, clock_hz: int, image: str | None
) -> Case:
    """Returns the case of a stored record of an image. `origin` is the kernel's entry in the
    provenance of the record's run; `image` is a file to use in place of the measured file."""
    path = Path(image or origin["image"])
    at = origin.get("vectors")
    case = expand(ImageChoice([path], origin["recipe"], [board], [scenario], clock_hz, at))[0]
    kernel = replace(case.variant.kernel, name=_name(Path(origin["image"])))
    return case.varied(kernel=kernel)


def origin(case: Case) -> dict[str, Any]:
    """Returns the facts about a case's image that the provenance keeps, and from which `restore`
    makes the case again."""
    at = case.variant.board.vectors
    moved = at != read_board(case.variant.board.folder).vectors
    found = {"image": str(case.variant.config.header), "recipe": recipe.word(case.scenario.file)}
    return {**found, **({"vectors": at} if moved else {})}


def _described(case: Case) -> Built:
    try:
        return describe(case)
    except (TicklabError, OSError) as error:
        return error if isinstance(error, TicklabError) else TicklabError(str(error))


def describe(case: Case) -> Image:
    """Returns the image of a case, with what the file itself says about its origin: compiler and
    flags."""
    path = _path(case)
    provenance: dict[str, Any] = {
        "compiler": producer.compiler(path),
        "core": case.variant.core.name,
        "flags": producer.flags(path),
        "source": "an image",
        "clock_hz": case.variant.clock_hz,
    }
    return Image(path, digest.hash_file(path), provenance)


def require_same(image: Path, sha256: str) -> None:
    """Raises an error if an image is no longer the one that was to be measured: it is not known
    which of the two the emulator loaded."""
    if not image.is_file() or digest.hash_file(image) != sha256:
        raise TicklabError(f"image {image} changed while it was measured", "measure it again")


def _path(case: Case) -> Path:
    assert case.variant.kernel.image
    return case.variant.kernel.image


def _kernel(path: Path, title: str, config: Config, board: Board) -> Kernel:
    return Kernel(
        name=_name(path),
        title=title or "an image",
        version="unknown",
        folder=path.resolve().parent,
        source=None,
        sources=(),
        includes=(),
        by_arch={},
        by_core={},
        defines={},
        interface="bench",
        services=frozenset(),
        features={},
        configs={CONFIG: config},
        ranked=(CONFIG,),
        facts=(),
        cores=frozenset({board.core.name}),
        image=raw_image.as_elf(path),
    )


def _name(path: Path) -> str:
    """Returns the name of an image, which records have in place of a kernel's name."""
    return plain_text.line(path.name).replace("/", "_")


def _require_names(images: Sequence[Path]) -> None:
    """Raises an error if two images have the same name, because a record identifies its image by
    name."""
    known = [path.name for path in images]
    for name in known:
        if known.count(name) > 1:
            raise UsageError(f"two images are called '{name}'", "rename one of them")


def _fitting(found: Recipe, image: elf.Elf, wanted: Sequence[str]) -> list[Scenario]:
    chosen = [each for each in found.candidates if not wanted or each.scenario.name in wanted]
    fitting = [each.scenario for each in chosen if _fits(each, image)]
    if not fitting:
        missing = ", ".join(each.when[0] for each in chosen)
        raise TicklabError(
            f"no scenario of recipe {found.name} fits {image.path}: it has none of {missing}",
            "write a recipe of your own, and give --recipe FILE",
        )
    return fitting


def _fits(candidate: Candidate, image: elf.Elf) -> bool:
    known = {symbol.name for symbol in (*image.symbols, *image.variables)}
    return known.issuperset(candidate.when)
