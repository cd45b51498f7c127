# SPDX-License-Identifier: MIT
"""Builds the images of cases, and records everything that determined each image."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ticklab import digest, lock, paths
from ticklab.bootstrap import step
from ticklab.building import flags, layout, ninja, plan, provenance, rust_library
from ticklab.building.plan import BuildPlan, Edge
from ticklab.building.toolchain import Toolchain
from ticklab.description import levels
from ticklab.description.model import Case, Image
from ticklab.errors import TicklabError, UncompilableError, UsageError

Progress = Callable[[int, int], None]


def build(
    cases: Sequence[Case],
    toolchain: Toolchain,
    progress: Progress = lambda done, total: None,
    jobs: int | None = None,
    say: Callable[[str], None] = step.say,
) -> list[Image | TicklabError]:
    """Builds the images that are not up to date and returns one result for each case, in order.
    Calls `say` before it waits for another build to end.

    If a case does not build, its result is an error. The error is not raised, so that the other
    kernels of a run are still built.
    """
    _check_levels(cases, toolchain)
    built: dict[int, Image | TicklabError] = {}
    for arch in dict.fromkeys(case.variant.core.arch.name for case in cases):
        places = [place for place, case in enumerate(cases) if case.variant.core.arch.name == arch]
        these = [_as_built(cases[place]) for place in places]
        found = _of_one_architecture(these, toolchain.of(arch), progress, jobs, say)
        built |= dict(zip(places, found, strict=True))
    return [_timed(case, built[place]) for place, case in enumerate(cases)]


def _timed(case: Case, image: Image | TicklabError) -> Image | TicklabError:
    """Returns the image with the clock frequency and the tick rate of the case's board."""
    if isinstance(image, TicklabError):
        return image
    time = {"clock_hz": case.variant.clock_hz, "tick_hz": case.variant.tick_hz}
    return replace(image, provenance={**image.provenance, **time})


def _as_built(case: Case) -> Case:
    """Returns the case whose image is built. If the board runs the images of another board, this is
    the case on the other board, with a clock that gives the same number of timer counts in each
    tick."""
    board = case.variant.board.same_images_as
    if board is None:
        return case
    scaled_hz = case.variant.clock_hz * board.clock_hz // case.variant.board.clock_hz
    return case.varied(board=board, clock_hz=scaled_hz)


def _of_one_architecture(
    cases: Sequence[Case],
    toolchain: Toolchain,
    progress: Progress,
    jobs: int | None,
    say: Callable[[str], None],
) -> list[Image | TicklabError]:
    toolchain = replace(toolchain, cargo=rust_library.find(cases))
    plans = plan.plans(cases, toolchain)
    layout.write(case.variant.layout for case in cases)
    failed = _absent(plans) | _without_rust(cases, plans, toolchain)
    parts = _parts(cases, plans)
    steps = _Steps(progress, sum(len(_edges(plans, part, failed)) for part in parts))
    built: dict[int, Image | TicklabError] = {}
    for part in parts:
        edges = _edges(plans, part, failed)
        text = ninja.manifest(edges, toolchain, part.folder)
        # Holds the lock until every image is hashed, because a concurrent build may rewrite the
        # images.
        with lock.held(paths.builds() / part.lock, "another build", say):
            of_part = steps.of_next(len(edges))
            failed |= ninja.run(part.folder, text, toolchain, of_part, jobs)
            for place in part.images:
                case, made = cases[place], plans[place]
                found = _failure(case, made, failed, toolchain) or _image(case, made, toolchain)
                built[place] = found
    steps.end()
    return [built[place] for place in range(len(cases))]


@dataclass(frozen=True)
class _Part:
    """A part of a build that has its own lock: the images of a variant, or the object files of a
    platform. Two processes wait for each other only if they build the same part."""

    folder: str
    lock: str
    places: list[int]  # indices of the cases of the part
    images: list[int]  # indices of the cases whose images the part builds: all of its cases or none


def _parts(cases: Sequence[Case], plans: Sequence[BuildPlan]) -> list[_Part]:
    """Returns the parts of a build. Platforms come before variants, because variants link the
    object files of their platforms."""
    platforms = _by_folder(made.platform for made in plans)
    variants = _by_folder(made.variant for made in plans)
    return [
        *(_Part(name, f"{name}/lock", places, []) for name, places in platforms.items()),
        *(_Part(name, _lock(cases[at[0]], name), at, at) for name, at in variants.items()),
    ]


def _by_folder(folders: Iterable[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, folder in enumerate(folders):
        found.setdefault(folder, []).append(place)
    return found


def _lock(case: Case, folder: str) -> str:
    """Returns the lock file of a variant. All variants of a kernel written in Rust share one lock,
    because they share cargo's folder."""
    rust = case.variant.kernel.rust
    return f"{rust_library.folder_of(case) if rust else folder}/lock"


def _edges(plans: Sequence[BuildPlan], part: _Part, failed: Mapping[str, str]) -> list[Edge]:
    """Returns the commands (edges) of a part that are needed for images without a failed input,
    each command once."""
    whole = (plans[place] for place in part.places if _first(plans[place], failed) is None)
    edges = (edge for each in whole for edge in each.of_folder(part.folder))
    return list({edge.output: edge for edge in edges}.values())


class _Steps:
    """Adds up the progress of the parts of a build. Until Ninja says how many commands a part has
    to run, all of its commands are counted."""

    def __init__(self, progress: Progress, expected: int) -> None:
        self._progress, self._later = progress, expected
        self._done = self._of_part = 0
        self._is_told = True

    def of_next(self, expected: int) -> Progress:
        self._later -= expected
        self._done, self._of_part = self._done + self._of_part, 0
        return self._tell

    def _tell(self, done: int, total: int) -> None:
        self._of_part, self._is_told = done, done == total and not self._later
        self._progress(self._done + done, self._done + total + self._later)

    def end(self) -> None:
        """Reports the end of the build, which no part has reported if the last parts had nothing to
        build."""
        done = self._done + self._of_part
        if not self._is_told:
            self._progress(done, done)


def adapt_levels(
    cases: Sequence[Case], toolchain: Toolchain, say: Callable[[str], None]
) -> list[Case]:
    """Returns each case at an optimisation level at which it can be built. A port whose services
    cannot be inlined gets the level at which they are called. Calls `say` once for each kernel
    whose level changes."""
    adapted, said = [], set()
    for case in cases:
        why = reason_called(case, toolchain) if flags.inlines(case) else None
        level = levels.called(case.variant.optimise) if why else case.variant.optimise
        adapted.append(case.varied(optimise=level))
        if why and case.variant.kernel.name not in said:
            said.add(case.variant.kernel.name)
            say(f"{case.variant.kernel.name}: services are called, not inlined ({level}): {why}")
    return adapted


def reason_called(case: Case, toolchain: Toolchain) -> str | None:
    """Returns why the services of the case's port cannot be inlined, or None if they can."""
    if not case.variant.kernel.has_port_source:
        return "kernel.toml names no C source as its 'port'"
    if not toolchain.links_itself:
        return f"GCC cannot inline what {toolchain.compiler.name} compiled"
    if "-fno-lto" in toolchain.user:
        return "-fno-lto keeps the scenario and the port apart"
    return None


def _check_levels(cases: Iterable[Case], toolchain: Toolchain) -> None:
    """Raises an error if a case asks for a level that its compiler or its kernel does not offer."""
    for case in cases:
        level = case.variant.optimise
        if flags.optimises_links(case) and not toolchain.links_itself:
            raise UsageError(
                f"{toolchain.compiler.name} cannot build at {level}: GCC links its objects",
                "choose a level without +lto",
            )
        why = reason_called(case, toolchain)
        if flags.inlines(case) and why:
            raise UsageError(
                f"{case.variant.kernel.name} cannot be built at {level}: {why}",
                f"choose {levels.called(level)}",
            )


def _absent(plans: Iterable[BuildPlan]) -> dict[str, str]:
    """Returns the outputs that have a missing input, with the reason. They are left out of the
    build, because Ninja would build nothing at all if an input is missing."""
    edges = {edge.output: edge for each in plans for edge in each.edges}
    return {
        output: f"{file} is missing"
        for output, edge in edges.items()
        for file in (*edge.inputs, *edge.depends)
        if isinstance(file, Path) and not file.exists()
    }


def _rust_missing(case: Case, toolchain: Toolchain) -> TicklabError | None:
    """Returns why the crate of a kernel in Rust cannot be built here, or None."""
    crate = case.variant.kernel.rust
    return toolchain.cargo.missing.get(crate) if crate else None


def _without_rust(
    cases: Iterable[Case], plans: Iterable[BuildPlan], toolchain: Toolchain
) -> dict[str, str]:
    """Returns the library of each kernel in Rust that cannot be built on this machine, with the
    reason."""
    return {
        edge.output: str(why)
        for case, each in zip(cases, plans, strict=True)
        if (why := _rust_missing(case, toolchain))
        for edge in each.edges
        if edge.rule == "cargo"
    }


def _first(made: BuildPlan, failed: Mapping[str, str]) -> str | None:
    """Returns the first reason why the image of a plan cannot be built, or None."""
    return next((failed[edge.output] for edge in made.edges if edge.output in failed), None)


def _failure(
    case: Case, made: BuildPlan, failed: Mapping[str, str], toolchain: Toolchain
) -> TicklabError | None:
    if without := _rust_missing(case, toolchain):
        return without
    edge = next((edge for edge in made.edges if edge.output in failed), None)
    if edge is None:
        return None
    reason = failed[edge.output]
    if toolchain.asked and _is_from_a_registry(edge):
        where = reason.replace(f"{paths.home()}/", "")
        return UncompilableError(
            f"{toolchain.version} cannot compile {case.variant.kernel.name}: {where}"
        )
    # The error does not name the scenario, so that all records of the kernel show the same reason,
    # which views print once.
    what = f"{case.variant.subject} ({case.variant.optimise})"
    part = made.variant if edge in made.of_folder(made.variant) else made.platform
    return TicklabError(f"{what} does not build: {reason}", f"see {ninja.log_of(part)}")


def _is_from_a_registry(edge: Edge) -> bool:
    source = edge.inputs[0]
    return isinstance(source, Path) and source.is_relative_to(paths.crate(""))


def _image(case: Case, made: BuildPlan, toolchain: Toolchain) -> Image:
    path = paths.builds() / made.image
    return Image(path, digest.hash_file(path), provenance.of(case, made, toolchain))
