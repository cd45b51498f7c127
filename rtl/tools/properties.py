# SPDX-License-Identifier: MIT
"""Lists how each property of the hardware is checked, by proofs or by tests, and checks that the
cause of each rule occurs in them.

A rule (rtl/assertions.svh) of a module is proved in each proof that contains the module, at the
size of the proof. The random tests and the boot tests evaluate every rule of their modules in each
cycle.
The table in rtl/PROPERTIES.md is generated from the sources, and `./ticklab test rtl/properties`
compares them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools import formal, simulation, sources
from tools.shell import CheckError

STATEMENT = re.compile(r"`(RULE|RULE_IF|RULE_NEXT|REACHED)\((\w+),")
HEAD = """<!-- SPDX-License-Identifier: MIT -->
# How each property of the hardware is checked

Generated from the sources by `./ticklab test --fix`; do not edit. `./ticklab test rtl/properties`
fails if it is not current.

- *Proved*: by induction over any number of cycles, for every input that the proof's assumptions
  allow, at the size of the proof. No property is only bounded: the base case of each induction is
  checked to the depth that the induction needs.
- *Tested*: evaluated in every cycle of the random test (`rtu`: calls; `fabric`: accesses and
  fetches) and of the programs that are booted (`boot`).
- *Cause*: a rule with a cause has a cover statement. Each is found by a search under the proof's
  assumptions, up to the number of cycles stated below, or counted by the random test: a cause that
  never occurs fails the check. `always` has no cause; `event` is a cover statement alone.

"""


@dataclass(frozen=True)
class Property:
    file: str
    name: str
    kind: str

    @property
    def cause(self) -> str:
        return {"RULE": "always", "REACHED": "event"}.get(self.kind, "covered")


def read(root: Path, files: Iterable[Path]) -> Iterator[Property]:
    for path in files:
        for kind, name in STATEMENT.findall(path.read_text()):
            yield Property(str(path.relative_to(root)), name, kind)


def _proofs(root: Path) -> dict[str, formal.Proof]:
    return {
        "queue": formal.queue(root, 4),
        "RTU": formal.rtu(root),
        "pipelined RTU": formal.pipelined(root),
        "deep RTU": formal.deep(root),
        "RTU with mutexes": formal.mutexes(root),
        "RTU with deadlines": formal.deadlines(root),
        "deep queue": formal.deep_queue(root),
        "queue with deadlines": formal.deadline_queue(root),
        "delays": formal.delays(root),
        "deep delays": formal.deep_delays(root),
        "arbiter": formal.arbiter(root),
        "bus": formal.turns(root),
        "banked register file": formal.banks(root),
    }


def _tests(root: Path) -> Mapping[str, set[Path]]:
    return {
        "rtu": set(sources.rtu(root)),
        "fabric": set(sources.fabric(root)),
        "boot": set(sources.system(root, "ibex")) | set(sources.system(root, "ibex-banks")),
    }


def _checked_by(path: Path, users: Mapping[str, Iterable[Path]]) -> str:
    return ", ".join(name for name, files in users.items() if path in files) or "–"


def table(root: Path) -> str:
    proofs, tests = _proofs(root), _tests(root)
    users = {name: proof.verilog for name, proof in proofs.items()}
    files = sorted({path for group in (*users.values(), *tests.values()) for path in group})
    rows = ["| proof | size | induction looks back | search for events |", "|---|---|---|---|"]
    for name, proof in proofs.items():
        size = ", ".join(f"{key} {value}" for key, value in proof.sizes.items()) or "as in its file"
        rows.append(f"| {name} | {size} | {proof.steps} cycles | {proof.cover_steps} cycles |")
    rows += ["", "| file | property | cause | proved in | tested by |", "|---|---|---|---|---|"]
    for rule in read(root, files):
        path = root / rule.file
        proved = _checked_by(path, users)
        tested = _checked_by(path, tests)
        rows.append(f"| `{rule.file}` | {rule.name} | {rule.cause} | {proved} | {tested} |")
    return HEAD + "\n".join(rows) + "\n"


def write(root: Path) -> None:
    (root / "PROPERTIES.md").write_text(table(root))


def require_current(root: Path) -> str:
    path = root / "PROPERTIES.md"
    if not path.exists() or path.read_text() != table(root):
        raise CheckError("PROPERTIES.md is not what the sources say: run './ticklab test --fix'")
    return f"{path.read_text().count(' | ') // 4} rows of PROPERTIES.md are what the sources say"


def counts(coverage: Path) -> Counter[tuple[str, str]]:
    """Returns how often each cover statement was reached, in all instances of its module."""
    met: Counter[tuple[str, str]] = Counter()
    for line in coverage.read_text(errors="replace").splitlines():
        fields = dict(field.split("\x02", 1) for field in line.split("\x01")[1:] if "\x02" in field)
        count = re.search(r"(\d+)$", line)
        if fields and count:
            name = re.sub(r"\[\d+\]", "", fields["h"].split("'")[0]).split(".")[-2:]
            met[Path(fields["f"]).name, ".".join(name)] += int(count[1])
    return met


def random_test(root: Path, design: simulation.Design, options: list[str]) -> str:
    """Runs the random test of a design, and checks that each cause and each event of the design's
    rules occurred."""
    if not design.covers:
        return simulation.random_test(root, design, options)
    coverage = sources.HOME / "coverage" / f"{design.name}.dat"
    coverage.parent.mkdir(parents=True, exist_ok=True)
    coverage.unlink(missing_ok=True)
    message = simulation.random_test(root, design, options, coverage)
    met = counts(coverage)
    if design.top == "fabric":  # the RTU's own random test requires the causes inside the RTU
        met = Counter({place: count for place, count in met.items() if "rtu" not in place[0]})
    never = sorted(f"{file} {name}" for (file, name), count in met.items() if not count)
    if never:
        raise CheckError(f"the random test of {design.name} never meets {', '.join(never)}")
    return f"{message.rstrip()}\n{design.name}: all {len(met)} events and causes occur"


if __name__ == "__main__":
    write(sources.RTL)
