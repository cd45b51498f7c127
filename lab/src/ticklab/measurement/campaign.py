# SPDX-License-Identifier: MIT
"""Measures many cases in parallel: finds services that a kernel lacks, checks conformance, looks
measurements up in the store, and makes those that are missing.

The conformance scenarios test each configuration of a kernel. If the configuration breaks an
obligation, the figures of the scenarios that need this obligation are blocked, and no others. A
measurement is stored as soon as it is finished, so that an interrupted run continues where it
stopped. A measurement that cannot be stored is still reported. This module neither builds images
nor prints.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from ticklab.comparison import doubts
from ticklab.description.model import Case, Image, Lane, Profile, Record, Status, Work
from ticklab.errors import TicklabError, UncompilableError
from ticklab.explain import causes, second_run, work
from ticklab.explain.second_run import FirstRun
from ticklab.measurement import conformance, observation
from ticklab.measurement.conformance import Breach, Breaches, Unit, unit
from ticklab.measurement.environment import Built, Environment
from ticklab.measurement.images import require_same
from ticklab.measurement.support import is_proof, unsupported_reason
from ticklab.storage.sealed import DamagedError, UnreadableError
from ticklab.storage.store import Measurement
from ticklab.targets import keeper
from ticklab.targets.protocol import Cancel, Target
from ticklab.targets.qemu import Qemu

# The variants that the compiler cannot build, with the first error message of each.
Uncompilable = Mapping[Unit, str]


class Progress(Protocol):
    def begin(self, what: str, total: int) -> None: ...

    def done(self, label: str, looked_up: bool = False) -> None: ...


@dataclass
class Timing:
    """The time that each stage of a run took, in seconds, and the number of cases in each stage."""

    built_s: float = 0.0
    observed_s: float = 0.0
    images: int = 0
    observed: int = 0
    looked_up: int = 0


@dataclass(frozen=True)
class Outcome:
    """The result of measuring one case."""

    records: tuple[Record, ...]
    lanes: tuple[Lane, ...] = ()
    console: str = ""
    looked_up: bool = False


@dataclass(frozen=True)
class CampaignResult:
    """The result of measuring all cases of a run. `outcomes` are in the order of the cases;
    `builds` is as in Run.provenance."""

    outcomes: tuple[Outcome, ...]
    builds: Mapping[str, Mapping[str, Any]]
    lanes: Mapping[str, tuple[Lane, ...]]
    timing: Timing
    not_stored: TicklabError | None
    # The first error of a second run that found no cause, or of an image that could not be stored.
    not_explained: TicklabError | None = None
    # One error for each damaged measurement in the store. These cases were measured again.
    damaged: tuple[TicklabError, ...] = ()
    images: tuple[tuple[Case, Path], ...] = ()
    breaches: tuple[Breach, ...] = ()  # obligations that ports broke

    @property
    def records(self) -> tuple[Record, ...]:
        return tuple(record for outcome in self.outcomes for record in outcome.records)


Finished = Callable[[Case, "Outcome"], None]


def measure(
    lab: Environment,
    cases: Sequence[Case],
    progress: Progress,
    cancel: Cancel,
    finished: Finished = lambda _case, _outcome: None,
) -> CampaignResult:
    """Measures cases. Calls `finished` for each case as soon as its outcome is known."""
    session = _Session(lab, progress, cancel)
    able = [case for case in cases if unsupported_reason(case) is None]
    proofs = _proofs(able, lab)
    images = session.build([*proofs, *able])
    session.uncompilable = _uncompilable([*proofs, *able], images)
    tried = session.without_refused(proofs, images[: len(proofs)])
    proven = session.observe(*tried, "checking conformance")
    found = ((case, one.records) for case, one in zip(tried[0], proven, strict=True))
    session.breaches = conformance.breaches(found)
    lab.proven.update({unit(case) for case in tried[0]} - session.breaches.keys())
    left = session.without_refused(able, images[len(proofs) :])
    refused = {id(case): session.refused(case) for case in cases}
    for case in cases:
        if known := refused[id(case)]:
            finished(case, known)
    measured = iter(session.observe(*left, "measuring", finished))
    outcomes = tuple(refused[id(case)] or next(measured) for case in cases)
    return CampaignResult(
        outcomes,
        _builds(able, images[len(proofs) :]),
        _lanes(cases, outcomes),
        session.timing,
        session.not_stored,
        session.not_explained,
        tuple(session.damaged),
        tuple(_linked(able, images[len(proofs) :])),
        tuple(breach for each in session.breaches.values() for breach in each),
    )


def _proofs(cases: Sequence[Case], lab: Environment) -> list[Case]:
    """Returns the conformance scenarios that each variant must pass, for the services and features
    that its kernel declares. Leaves out variants that have passed them before, and images that
    Ticklab did not build, in which conformance scenarios cannot run."""
    variants = {unit(case): lab.proving(case) for case in cases if not case.variant.kernel.image}
    every = (
        replace(case.varied(layout=0), scenario=scenario)
        for name, case in variants.items()
        if name not in lab.proven
        for scenario in lab.conformance
    )
    return [case for case in every if conformance.applies(case)]


def _uncompilable(cases: Sequence[Case], images: Sequence[Built]) -> Uncompilable:
    refused: dict[Unit, str] = {}
    for case, image in zip(cases, images, strict=True):
        if isinstance(image, UncompilableError):
            refused.setdefault(unit(case), str(image))
    return refused


# --- One run ----------------------------------------------------------------------------------


@dataclass
class _Session:
    lab: Environment
    progress: Progress
    cancel: Cancel
    timing: Timing = field(default_factory=Timing)
    not_stored: TicklabError | None = None
    not_explained: TicklabError | None = None
    damaged: list[TicklabError] = field(default_factory=list)
    uncompilable: Uncompilable = field(default_factory=dict)
    breaches: Breaches = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def build(self, cases: Sequence[Case]) -> Sequence[Built]:
        begun = time.monotonic()
        images = self.lab.build(cases) if cases else []
        self.timing.built_s += time.monotonic() - begun
        self.timing.images += len(cases)
        return images

    def refused(self, case: Case) -> Outcome | None:
        """Returns the outcome of a case that cannot be measured, or None if it can."""
        if lack := unsupported_reason(case) or self.uncompilable.get(unit(case)):
            return Outcome(observation.failed(case, lack, Status.UNSUPPORTED))
        if broken := conformance.blocked(case, self.breaches):
            return Outcome(observation.failed(case, f"conformance: {broken}", Status.BLOCKED))
        return None

    def without_refused(
        self, cases: Sequence[Case], images: Sequence[Built]
    ) -> tuple[list[Case], list[Built]]:
        pairs = zip(cases, images, strict=True)
        left = [(case, image) for case, image in pairs if self.refused(case) is None]
        return [case for case, _ in left], [image for _, image in left]

    def observe(
        self,
        cases: Sequence[Case],
        images: Sequence[Built],
        what: str,
        finished: Finished = lambda _case, _outcome: None,
    ) -> list[Outcome]:
        """Observes cases. Returns one outcome for each, in order."""
        if not cases:
            return []
        begun = time.monotonic()
        self.progress.begin(what, len(cases))
        with self._pool() as pool:
            futures = [pool.submit(self._one, c, i) for c, i in zip(cases, images, strict=True)]
            self._follow(dict(zip(futures, cases, strict=True)), finished)
            outcomes = [future.result() for future in futures]
        self.timing.observed_s += time.monotonic() - begun
        return outcomes

    @contextmanager
    def _pool(self) -> Iterator[ThreadPoolExecutor]:
        """Yields the threads that observe. If this thread is interrupted, ends the observations in
        progress and waits for them."""
        pool = ThreadPoolExecutor(self.lab.jobs)
        try:
            yield pool
        except BaseException:
            self.cancel.request()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _follow(self, cases: Mapping[Future[Outcome], Case], finished: Finished) -> None:
        for future in as_completed(cases):
            finished(cases[future], future.result())
            self.progress.done(label(cases[future]), future.result().looked_up)

    def _one(self, case: Case, image: Built) -> Outcome:
        if isinstance(image, TicklabError):
            return Outcome(observation.failed(case, f"build: {image}"))
        try:
            found = self._look_up_or_take(case, image)
            return self._doubted(found, case, image)
        except UnreadableError:
            raise  # an error of the store ends the run, because no kernel causes it
        except TicklabError as error:
            return Outcome(observation.failed(case, str(error)))

    def _doubted(self, outcome: Outcome, case: Case, image: Image) -> Outcome:
        is_proven = bool(self.lab.conformance)
        unproven = conformance.doubt(case, self.breaches) if is_proven else "skipped"
        every = (
            replace(one, doubts=doubts.find(case, image, one, unproven)) for one in outcome.records
        )
        return replace(outcome, records=tuple(every))

    def _look_up_or_take(self, case: Case, image: Image) -> Outcome:
        target = self.lab.target(case)
        determinants = observation.determined_by(
            case, image, self._profile(case), target.identity()
        )
        key = observation.key(determinants)
        known = self._known(key)
        take = partial(self._take, case, image, target, determinants)
        if known:
            with self._lock:
                self.timing.looked_up += 1
            self._keep_image(case, key, image)
            found = self._with_work(case, key, observation.from_store(case, known), take)
            return Outcome(_with_key(found, key), known.lanes, known.console, looked_up=True)
        taken = take()
        if case.variant.kernel.image:
            require_same(image.path, image.sha256)
        stored = self._store(key, determinants, taken)
        if stored:
            self._keep_image(case, key, image)
            self._keep_work(case, key, taken.records)
        return Outcome(
            _with_key(taken.records, key if stored else None), taken.lanes, taken.console
        )

    def _take(
        self, case: Case, image: Image, target: Target, determinants: Mapping[str, Any]
    ) -> observation.Found:
        """Observes a case. If wanted, a second run divides the instructions of the samples by kind
        of work; for a sweep, it also finds which code delayed the interrupt at the worst
        position."""
        profile = self._profile(case)
        is_followed = isinstance(target, Qemu) and not case.scenario.pending
        if not isinstance(target, Qemu) or not is_followed or not self._is_explained(case):
            return observation.take(case, image, profile, target, self.cancel)
        with keeper.keeping(target) as runs:
            taken = observation.take(case, image, profile, runs, self.cancel)
            about = second_run.about(determinants, case.variant.kernel, taken.pairs)
            return self._with_causes(case, taken, second_run.of(runs, image.path, about))

    def _profile(self, case: Case) -> Profile | None:
        """Returns the timing profile for a case. None for conformance scenarios: they have verdicts
        and no figures, so that one observation is valid for every profile."""
        is_verdict = is_proof(case) and not case.scenario.spans
        return None if is_verdict else self.lab.profile(case)

    def _is_explained(self, case: Case) -> bool:
        return case.scenario.sweep is not None or self.lab.finds_work(case)

    def _known(self, key: str) -> Measurement | None:
        """Returns the measurement that the store has, or None. Renames a damaged measurement and
        returns None, so that the case is measured again."""
        try:
            return self.lab.store.measurement(key)
        except DamagedError as error:
            self.lab.store.set_aside(key)
            with self._lock:
                self.damaged.append(error)
            return None

    def _store(self, key: str, determinants: Mapping[str, Any], found: observation.Found) -> bool:
        """Stores a measurement. If that fails, for example because the disk is full, reports the
        error; the figures are shown all the same. Returns whether the measurement is stored."""
        with self._lock:
            self.timing.observed += 1
        if found.samples is None:
            return False
        try:
            stored = observation.to_store(key, determinants, found)
            self.lab.store.add(stored, found.samples, found.counters)
        except TicklabError as error:
            with self._lock:
                self.not_stored = self.not_stored or error
            return False
        return True

    def _with_causes(
        self, case: Case, found: observation.Found, first: FirstRun
    ) -> observation.Found:
        """Adds to the figures which code caused the cost of the samples. If the causes cannot be
        found, returns the figures without them."""
        rules = case.variant.kernel.categories
        try:
            return replace(found, records=causes.add(found.records, first, found.console, rules))
        except TicklabError as error:
            self._lacks_explanation(error)
            return found

    def _with_work(
        self, case: Case, key: str, found: tuple[Record, ...], take: Callable[[], observation.Found]
    ) -> tuple[Record, ...]:
        """Adds the instructions by kind of work that the store has for a measurement. If it has
        none, observes the case again to find them."""
        if not self.lab.finds_work(case):
            return found
        kept = self._kept_work(case, key)
        if kept is None:
            again = take().records
            self._keep_work(case, key, again)
            kept = {record.span: record.work for record in again if record.work is not None}
        return tuple(replace(record, work=kept.get(record.span)) for record in found)

    def _kept_work(self, case: Case, key: str) -> Mapping[str, Work] | None:
        rules = work.rules_digest(case.variant.kernel.categories)
        try:
            return self.lab.store.work(key, rules)
        except DamagedError as error:
            self.lab.store.drop_work(key, rules)
            with self._lock:
                self.damaged.append(error)
            return None

    def _keep_work(self, case: Case, key: str, found: Sequence[Record]) -> None:
        """Stores the instructions by kind of work of a measurement. An error is only reported,
        because the figures are complete without them."""
        divided = {record.span: record.work for record in found if record.work is not None}
        if not divided:
            return
        try:
            rules = work.rules_digest(case.variant.kernel.categories)
            self.lab.store.keep_work(key, rules, divided)
        except TicklabError as error:
            self._lacks_explanation(error)

    def _keep_image(self, case: Case, key: str, image: Image) -> None:
        """Stores the image of a measurement if that is wanted. An error is only reported. The image
        of a sweep that a debugger stepped through is not stored, because such a sweep is not
        explained."""
        if case.scenario.pending or not self.lab.keeps_image(case):
            return
        try:
            self.lab.store.keep_image(key, image.path)
        except TicklabError as error:
            self._lacks_explanation(error)

    def _lacks_explanation(self, error: TicklabError) -> None:
        with self._lock:
            self.not_explained = self.not_explained or error


def label(case: Case) -> str:
    params = (f"{name}={value}" for name, value in case.scenario.params.items())
    return " ".join((*case.variant.build.split("/"), case.scenario.name, *params))


def _with_key(found: tuple[Record, ...], key: str | None) -> tuple[Record, ...]:
    return tuple(replace(record, measurement=key) for record in found)


def _builds(cases: Sequence[Case], images: Sequence[Built]) -> dict[str, Mapping[str, Any]]:
    return {
        case.variant.build: image.provenance
        for case, image in zip(cases, images, strict=True)
        if isinstance(image, Image)
    }


def _linked(cases: Sequence[Case], images: Sequence[Built]) -> Iterator[tuple[Case, Path]]:
    """Yields the cases with the images that were linked on this machine, because only these have a
    linker map."""
    for case, image in zip(cases, images, strict=True):
        if isinstance(image, Image) and not case.variant.kernel.image:
            yield case, image.path


def _lanes(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> dict[str, tuple[Lane, ...]]:
    """Returns the timing lanes of each board, collected from all its cases, because a case for a
    core without an FPU has fewer lanes than one for a core with an FPU."""
    found: dict[str, dict[Lane, None]] = {}
    for case, outcome in zip(cases, outcomes, strict=True):
        timed = (lane for lane in outcome.lanes if lane.low is not None)
        if outcome.lanes:
            found.setdefault(case.variant.board.name, {}).update(dict.fromkeys(timed))
    return {board: tuple(lanes) for board, lanes in found.items()}
