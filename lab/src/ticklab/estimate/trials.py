# SPDX-License-Identifier: MIT
"""Runs many random applications under each kernel and compares response times with bounds. Each
such *trial* is stored when it is finished, so that the same command continues where it was
stopped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from ticklab import digest
from ticklab.description.application import Application
from ticklab.description.model import Case, Image
from ticklab.errors import TicklabError
from ticklab.estimate import random_sets, verify
from ticklab.estimate.candidates import Candidate
from ticklab.estimate.costs import Unit
from ticklab.estimate.demand import Conditions
from ticklab.estimate.verify import Checked
from ticklab.measurement.campaign import Progress
from ticklab.measurement.environment import Built, Environment

_AT = Conditions(random_sets.CLOCK_HZ)
_BATCH = 4  # number of applications that are built at once
# Increase this number if the generated code, the analysis or the evaluation of a log changes, so
# that stored trials are not used again.
_VERSION = 4


@dataclass(frozen=True)
class Trial:
    """The result of one random application under one kernel."""

    key: str
    seed: int
    subject: str
    tasks: tuple[Checked, ...]

    @property
    def exceeded(self) -> bool:
        return any(task.exceeded for task in self.tasks)


def run(
    lab: Environment, candidates: Sequence[Candidate], seeds: Sequence[int], progress: Progress
) -> list[Trial]:
    """Returns the trials of all random applications, in order. Stores each trial when it is
    finished."""
    file = lab.store.root / "trials.jsonl"
    known = {trial.key: trial for trial in kept(file)}
    progress.begin("verifying", len(seeds) * len(candidates))
    found: list[Trial] = []
    for first in range(0, len(seeds), _BATCH):
        wanted = [
            (seed, candidate) for seed in seeds[first : first + _BATCH] for candidate in candidates
        ]
        found += _batch(lab, wanted, known, file, progress)
    return found


def kept(file: Path) -> Iterator[Trial]:
    """Yields the trials that a file has. Skips an incomplete last line, which a killed run may have
    left."""
    for line in file.read_bytes().splitlines() if file.exists() else ():
        with suppress(msgspec.DecodeError):
            yield msgspec.json.decode(line, type=Trial)


def _batch(
    lab: Environment,
    wanted: Sequence[tuple[int, Candidate]],
    known: dict[str, Trial],
    file: Path,
    progress: Progress,
) -> list[Trial]:
    apps = {seed: random_sets.make(seed) for seed, _ in wanted}
    keys = [_key(apps[seed], candidate) for seed, candidate in wanted]
    missing = [place for place, key in enumerate(keys) if key not in known]
    cases = [_case(apps[wanted[place][0]], wanted[place][1]) for place in missing]
    images = lab.build(cases) if cases else []
    with ThreadPoolExecutor(lab.jobs) as pool:
        pairs = zip(missing, cases, images, strict=True)
        futures = [
            pool.submit(_trial, lab, keys[place], *wanted[place], case, image)
            for place, case, image in pairs
        ]
        for place, future in zip(missing, futures, strict=True):
            known[keys[place]] = trial = future.result()
            keep(file, trial)
    for place, (seed, candidate) in enumerate(wanted):
        progress.done(f"set {seed} {candidate.subject}", place not in missing)
    return [known[key] for key in keys]


def _case(app: Application, candidate: Candidate) -> Case:
    assert candidate.variant
    return verify.case(app, candidate.variant, _AT)


def _key(app: Application, candidate: Candidate) -> str:
    costs = {name: cost.units[Unit.INSTRUCTIONS] for name, cost in candidate.costs.items()}
    return digest.hash_json([_VERSION, asdict(app), candidate.subject, costs])[:24]


def _trial(
    lab: Environment, key: str, seed: int, candidate: Candidate, case: Case, image: Built
) -> Trial:
    if not isinstance(image, Image):
        raise image
    found = verify.checked(random_sets.make(seed), candidate, _AT, lab, case, image)
    return Trial(key, seed, candidate.subject, found.tasks)


def keep(file: Path, trial: Trial) -> None:
    """Appends a trial to the file. Writes a newline first, because the last line may be incomplete
    if an earlier run was killed."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("ab") as stream:
            stream.write(b"\n" + msgspec.json.encode(trial))
    except OSError as error:
        what = f"cannot write {file}: {error.strerror}"
        raise TicklabError(what, "name another store with --store DIR") from error


# --- The result of a trial ------------------------------------------------------------------------


@dataclass(frozen=True)
class Summary:
    """The results of all trials under one kernel."""

    subject: str
    sets: int
    tasks: int
    jobs: int
    exceeded: tuple[int, ...]  # seeds of the applications with a response time above its bound
    tightness: tuple[float, ...]  # longest response time / bound, for each task, ascending


def summaries(trials: Sequence[Trial]) -> list[Summary]:
    return [_summary(subject, trials) for subject in dict.fromkeys(t.subject for t in trials)]


def _summary(subject: str, trials: Sequence[Trial]) -> Summary:
    own = [trial for trial in trials if trial.subject == subject]
    tasks = [task for trial in own for task in trial.tasks]
    tightness = sorted(task.tightness for task in tasks if task.tightness is not None)
    exceeded = tuple(trial.seed for trial in own if trial.exceeded)
    return Summary(
        subject, len(own), len(tasks), sum(t.jobs for t in tasks), exceeded, tuple(tightness)
    )
