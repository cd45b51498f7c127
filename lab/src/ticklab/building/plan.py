# SPDX-License-Identifier: MIT
"""Plans the build of one case as a list of edges (commands with inputs and output), from the
sources to the image. The functions read no file and run no command.

Names of outputs contain no space and nothing specific to the machine. Cases that differ only in the
scenario share a *variant*, and so the kernel's objects. Variants that differ only in the kernel
share the objects of the *platform* (start-up code, drivers, libraries).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ticklab import paths
from ticklab.building import beside, flags, layout, rust_library, sources
from ticklab.building.edge import Edge as Edge
from ticklab.building.toolchain import Toolchain
from ticklab.description.model import BUS_LATENCY, Case

# Name of the folder with the platform's object files. The underscore distinguishes it from the
# names of kernels.
_PLATFORM = "_platform"
# The object file into which the scenario and the port are joined when they are optimised together.
JOINED = "scenario_and_port.o"


@dataclass(frozen=True)
class BuildPlan:
    """The edges of one case; the last edge makes the image."""

    variant: str  # folder of the outputs; cases of one variant share some of them
    platform: str  # folder of the outputs that several variants share
    edges: tuple[Edge, ...]
    macros: str  # output that lists the macros of the configuration
    default_macros: str  # output that lists the macros of the kernel's default configuration

    @property
    def image(self) -> str:
        return self.edges[-1].output

    def of_folder(self, folder: str) -> Iterator[Edge]:
        """Yields the edges with outputs in `folder`: `variant` or `platform`."""
        return (edge for edge in self.edges if edge.output.startswith(f"{folder}/"))


@dataclass(frozen=True)
class _Shared:
    """The edges that all cases of one variant share."""

    folder: str  # folder of the platform's objects
    platform: list[Edge]
    kernel: list[Edge]
    # Outputs that are linked only into the scenario's part of the image, and not into the closed
    # object of the kernel.
    users: frozenset[str]
    macros: Edge
    default_macros: Edge


def plans(cases: Iterable[Case], toolchain: Toolchain) -> list[BuildPlan]:
    """Returns the build plan of each case. The edges that a variant's cases share are planned once,
    because a run has up to forty cases of a variant, most of them conformance programs."""
    shared: dict[tuple[str, ...], _Shared] = {}
    made = []
    for case in cases:
        variant = _variant(case, toolchain)
        key = (variant, *case.variant.kernel.sources)
        if key not in shared:
            shared[key] = _shared(case, variant, toolchain)
        made.append(_plan(case, variant, shared[key], toolchain))
    return made


def _shared(case: Case, variant: str, toolchain: Toolchain) -> _Shared:
    folder = _platform_folder(case, toolchain)
    platform = _platform_objects(case, folder)
    kernel = _kernel(case, f"{variant}/kernel")
    default = case.variant.kernel.configs["default"].header
    return _Shared(
        folder,
        platform,
        kernel,
        _users(case, [*platform, *kernel]),
        _macros(case, f"{variant}/config.macros", case.variant.config.header),
        _macros(case, f"{variant}/default.macros", default),
    )


def _plan(case: Case, variant: str, shared: _Shared, toolchain: Toolchain) -> BuildPlan:
    place = _place(case, variant)
    crate = rust_library.edges(case, _crate_folder(case, variant), toolchain.cargo)
    # The scenario of an async kernel is compiled as a part of the kernel's crate.
    own = [] if case.variant.kernel.is_async else [case.scenario.file]
    scenario = [
        *_objects(case, own, place, _scenario_flags(case)),
        *_beside(case, f"{variant}/{case.scenario.suite}/workload", place),
    ]
    generated = _generated(case, scenario, f"{place}/generated")
    links = _links(case, variant, shared, scenario, generated)
    if flags.inlines(case) and scenario:
        joined = _join(case, scenario[0], _port(case, shared.kernel, generated), place)
        links = (*links[:-1], joined, _with_joined(links[-1], joined))
    listings = (shared.macros, shared.default_macros)
    return BuildPlan(
        variant,
        shared.folder,
        (
            *(*shared.platform, *shared.kernel, *crate, *scenario, *generated),
            *(*listings, *links),
        ),
        shared.macros.output,
        shared.default_macros.output,
    )


def _crate_folder(case: Case, variant: str) -> str:
    """Returns the folder of a Rust kernel's library: that of the scenario if the library contains
    the scenario, otherwise that of the variant."""
    return _place(case, variant) if case.variant.kernel.is_async else f"{variant}/kernel"


def _links(
    case: Case, variant: str, shared: _Shared, scenario: list[Edge], generated: tuple[Edge, ...]
) -> tuple[Edge, ...]:
    """Returns the edge that links the image. If the kernel is linked into a closed object, the edge
    that links this object comes first."""
    platform, kernel = shared.platform, shared.kernel
    if case.variant.kernel.close is None:
        return (_link(case, variant, [*platform, *kernel, *scenario], generated),)
    users = [edge for edge in kernel if edge.output in shared.users]
    privileged = [edge for edge in (*platform, *kernel) if edge.output not in shared.users]
    closed = _close(case, privileged, generated)
    beside = [*platform, *users, *scenario]
    return closed, _checked(case, _link(case, variant, beside, generated), generated, closed)


def _port(case: Case, kernel: Iterable[Edge], generated: tuple[Edge, ...]) -> Edge:
    """Returns the edge that compiles the port. For a static kernel, this edge is among the
    generated ones."""
    if generated:
        return generated[-1]
    source = sources.placed(case, str(case.variant.kernel.port))
    return next(edge for edge in kernel if edge.inputs == (source,))


def _join(case: Case, scenario: Edge, port: Edge, place: str) -> Edge:
    """Returns the edge that optimises the scenario and the port together into one object. The
    kernel is not part of this object, so that the optimiser cannot look into the kernel's
    functions."""
    return Edge(
        "join",
        f"{place}/{JOINED}",
        (scenario.output, port.output),
        (*flags.of_join(case), *sources.prefix_maps(case)),
    )


def _with_joined(link: Edge, joined: Edge) -> Edge:
    """Returns the edge `link` with the joined object in place of the objects of scenario and
    port."""
    scenario, port = joined.inputs
    parts = (joined.output if each == scenario else each for each in link.inputs if each != port)
    return replace(link, inputs=tuple(parts))


def _variant(case: Case, toolchain: Toolchain) -> str:
    """Returns the folder for all outputs that the cases of a variant share. Its name ends in a
    hash, which distinguishes variants with the same names."""
    determines = (
        toolchain.version,
        *toolchain.added,
        *case.variant.kernel.flags,
        *flags.compile_flags(case),
        *flags.kernel_defines(case),
        *rust_library.identity(case, toolchain.cargo),
        *case.variant.config.sources,
        *case.variant.config.includes,
        str(case.variant.kernel.folder),
        str(case.variant.config.header),
        str(case.variant.kernel.source),
    )
    return _folder(case, case.variant.kernel.name, determines)


def _platform_folder(case: Case, toolchain: Toolchain) -> str:
    """Returns the folder of the platform's objects, which is the same for all kernels."""
    words = (*flags.compile_flags(case), *_platform_flags(case), *sources.platform_maps(case))
    determines = (toolchain.version, *toolchain.added, str(case.variant.board.folder), *words)
    return _folder(case, _PLATFORM, determines)


def _folder(case: Case, name: str, determines: Iterable[str]) -> str:
    short = hashlib.sha256("\0".join(determines).encode()).hexdigest()[:10]
    return f"{case.variant.board.name}/{name}/{case.variant.optimise}-{short}"


def _place(case: Case, variant: str) -> str:
    """Returns the folder of one scenario's outputs. Parameters are compiled into the image as
    macros, so each combination of values has its own folder."""
    params = (f"{name}-{value}" for name, value in _image_params(case).items())
    return "/".join((variant, case.scenario.suite, "-".join((case.scenario.name, *params))))


def _image_params(case: Case) -> dict[str, str]:
    """Returns the parameters that are compiled into the image, with their values."""
    params = case.scenario.params.items()
    return {name: value for name, value in params if name != BUS_LATENCY}


# The outputs of a kernel's `generate` program, in this order: a source for the kernel's part of the
# image, a source for the scenario's part, the linker script, and, for a closed kernel, the
# interface between the kernel's object and the rest of the image.
_GENERATED = ("kernel_tables.c", "user_objects.c", "layout.ld", "interface.json")
_CLOSED_OBJECT = "closed_kernel.o"


def _generated(case: Case, scenario: list[Edge], folder: str) -> tuple[Edge, ...]:
    """Returns the edges that a static kernel needs between the compilation of the scenario and the
    link: the generator, the tables that it writes, and the port."""
    program = case.variant.kernel.generate
    if program is None:
        return ()
    names = _GENERATED if case.variant.kernel.close else _GENERATED[:-1]
    outputs = tuple(f"{folder}/{name}" for name in names)
    table, *beside = (edge.output for edge in scenario)
    made = Edge(
        "generate",
        outputs[0],
        (table,),
        (str(program), *_generate_flags(case), *(f"--beside={output}" for output in beside)),
        (program, *beside),
        outputs[1:],
    )
    common = (*flags.compile_flags(case), *sources.prefix_maps(case))
    tables = Edge("compile", f"{outputs[0]}.o", outputs[:1], (*common, *_kernel_flags(case)))
    port_flags = (*common, *_port_flags(case), *flags.of_port(case))
    port = Edge("compile", f"{outputs[1]}.o", outputs[1:2], port_flags)
    return (made, tables, port)


def _generate_flags(case: Case) -> tuple[str, ...]:
    """Returns the arguments of the generator: the board's instruction set, core and memory, and the
    macros of the kernel and its configuration."""
    memory = (
        f"--memory={name}={origin:#x},{length:#x}"
        for name, (origin, length) in case.variant.board.memory.items()
    )
    defines = (
        f"--define={name}={value}"
        for name, value in {**case.variant.kernel.defines, **case.variant.config.defines}.items()
    )
    core = case.variant.core
    return (f"--arch={core.arch.name}", f"--core={core.name}", *memory, *defines)


def _users(case: Case, edges: Iterable[Edge]) -> frozenset[str]:
    """Returns the object files of the kernel or the platform that run in user mode. They are linked
    with the scenario and not into the closed object of the kernel."""
    named = case.variant.kernel.user_sources
    users = {source.resolve() for name in named for source in sources.matching(case, name)}
    return frozenset(edge.output for edge in edges if Path(edge.inputs[0]).resolve() in users)


def _close(case: Case, privileged: Iterable[Edge], generated: tuple[Edge, ...]) -> Edge:
    """Returns the edge that links all privileged code into one object. The scenario's part is
    linked with the platform, too, because it prints to the console itself; the linker discards
    unused functions."""
    made, tables, _ = generated
    objects = [edge.output for edge in privileged]
    return Edge(
        "close",
        f"{PurePosixPath(made.output).parent}/{_CLOSED_OBJECT}",
        (*objects, tables.output),
        (
            str(case.variant.kernel.close),
            "object",
            f"--interface={made.others[-1]}",
            *(f"--flag={flag}" for flag in case.variant.core.flags),
        ),
        (str(case.variant.kernel.close), made.others[-1]),
    )


def _checked(case: Case, link: Edge, generated: tuple[Edge, ...], closed: Edge) -> Edge:
    """Returns the edge `link` with the closed kernel object in place of the generated tables, and
    with the program that checks the linked image."""
    made, tables, _ = generated
    others = (each for each in link.inputs if each != tables.output)
    interface = made.others[-1]
    return replace(
        link,
        rule="link_checked",
        inputs=(closed.output, *others),
        flags=(*link.flags, "-Wl,--orphan-handling=error"),
        depends=(*link.depends, interface),
        check=(
            str(case.variant.kernel.close),
            "image",
            f"--interface={interface}",
            f"--kernel={closed.output}",
            f"--map={map_of(link.output)}",
        ),
    )


def _link(case: Case, variant: str, objects: Iterable[Edge], generated: tuple[Edge, ...]) -> Edge:
    arch = sources.architecture(case)
    script: Path | str = case.variant.kernel.linker_script or arch / "default.ld"
    if generated:
        made, *compiled = generated
        script = made.others[1]
        objects = (*objects, *compiled)
    image = f"{_place(case, variant)}/layout-{case.variant.layout}/image.elf"
    return Edge(
        "link",
        image,
        (*(edge.output for edge in objects), *_libraries(case, variant)),
        (
            *flags.compile_flags(case),
            *sources.prefix_maps(case),
            *flags.link_flags(case),
            f"-L{layout.folder(case.variant.layout)}",
            f"-L{arch}",
            f"-T{script}",
            f"-Wl,-Map={map_of(image)}",
        ),
        (
            script,
            f"{layout.folder(case.variant.layout)}/{layout.SCRIPT}",
            f"{layout.folder(case.variant.layout)}/{layout.KERNEL_SCRIPT}",
        ),
        (map_of(image),),
    )


def map_of(image: str) -> str:
    """Returns the name of the map file that the linker writes for `image`."""
    return f"{image}.map"


def _macros(case: Case, output: str, header: Path) -> Edge:
    return Edge("macros", output, (header,), (*flags.compile_flags(case), *_kernel_includes(case)))


def _platform_objects(case: Case, folder: str) -> list[Edge]:
    files, words = sources.of_platform(case), _platform_flags(case)
    return _objects(case, files, folder, words, sources.platform_maps(case))


def _objects(
    case: Case,
    files: Iterable[Path],
    folder: str,
    extra: tuple[str, ...],
    maps: tuple[str, ...] | None = None,
) -> list[Edge]:
    common = flags.compile_flags(case)
    maps = sources.prefix_maps(case) if maps is None else maps
    return [
        Edge(
            "compile",
            f"{folder}/{_slug(case, source)}.o",
            (source,),
            (*common, *flags.warning_flags(_ours(source)), *extra, *maps),
        )
        for source in files
    ]


def _slug(case: Case, source: Path) -> str:
    """Returns the name of a source's object file: the source's path relative to the root that
    contains it."""
    workload = case.scenario.workload
    theirs = beside.root(workload) if workload else None
    for root in (sources.source_root(case), theirs, case.variant.kernel.folder, paths.CHECKOUT):
        if root and source.is_relative_to(root):
            return (
                str(PurePosixPath(source.relative_to(root))).replace("..", "up").replace(" ", "_")
            )
    return source.name.replace(" ", "_")


def _beside(case: Case, folder: str, place: str) -> list[Edge]:
    """Returns the edges for programs of other projects: the sources of a workload that runs beside
    the kernel (object files in `folder`), and the executable files of a program that runs under the
    kernel (object file in `place`)."""
    workload, program = case.scenario.workload, case.scenario.program
    found = []
    if workload:
        found += _objects(case, beside.sources(workload), folder, beside.flags(workload))
    if program:
        triple = case.variant.core.arch.compiler.triple
        words = beside.file_flags(program, triple)
        made = _objects(case, [beside.list_of_files(case)], place, words)
        found += [replace(edge, depends=beside.files(program)) for edge in made]
    return found


def _kernel(case: Case, folder: str) -> list[Edge]:
    kernel = case.variant.kernel
    added = (name for part in kernel.parts(case.variant.core) for name in part.sources)
    named = (*kernel.sources, *added, *case.variant.config.sources)
    common, port = _kernel_flags(case), sources.placed(case, kernel.port) if kernel.port else None

    def own(name: str, source: Path) -> tuple[str, ...]:
        apart = flags.APART if name in kernel.apart else ()
        return (*common, *apart, *(flags.of_port(case) if source == port else ()))

    return [
        edge
        for name in named
        for source in sources.matching(case, name)
        for edge in _objects(case, [source], folder, own(name, source))
    ]


def _libraries(case: Case, variant: str) -> list[Path | str]:
    """Returns the kernel's libraries. They follow the objects on the linker's command line, because
    the linker resolves undefined symbols from later libraries only."""
    folder = _crate_folder(case, variant)
    own = [f"{folder}/{rust_library.NAME}"] if case.variant.kernel.rust else []
    return [*own, *(sources.placed(case, name) for name in case.variant.kernel.libraries)]


def _platform_flags(case: Case) -> tuple[str, ...]:
    return (*_bench_includes(case), *flags.apart(case))


def _kernel_flags(case: Case) -> tuple[str, ...]:
    return (*_port_flags(case), *flags.apart(case))


def _port_flags(case: Case) -> tuple[str, ...]:
    return (
        *_kernel_includes(case),
        "-include",
        str(case.variant.config.header),
        *case.variant.kernel.flags,
    )


def _kernel_includes(case: Case) -> tuple[str, ...]:
    """Returns the kernel's include flags. Its headers are system headers, so that Ticklab's strict
    warnings do not apply to them."""
    kernel = case.variant.kernel
    added = (name for part in kernel.parts(case.variant.core) for name in part.includes)
    named = (*case.variant.config.includes, *kernel.includes, *added)
    found = [word for name in named for word in ("-isystem", str(sources.placed(case, name)))]
    return (*flags.kernel_defines(case), *_bench_includes(case), *found)


def _scenario_flags(case: Case) -> tuple[str, ...]:
    params = _image_params(case).items()
    defines = (f"-DPARAM_{name.upper()}={value.replace('-', '_')}" for name, value in params)
    return (*_bench_includes(case), *beside.of_scenario(case), *defines, *flags.of_scenario(case))


def _bench_includes(case: Case) -> tuple[str, ...]:
    folders = (paths.CHECKOUT / "bench", sources.platform() / "common", sources.architecture(case))
    return tuple(f"-I{folder / 'include'}" for folder in folders)


def _ours(source: Path) -> bool:
    return source.is_relative_to(paths.CHECKOUT) and not source.is_relative_to(paths.home())
