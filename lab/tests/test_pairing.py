# SPDX-License-Identifier: MIT
"""Tests the pairing of marks: which pass of a mark ends which sample, if calls, tasks and handlers
are nested in each other."""

from __future__ import annotations

import pytest
from logs import Writer

from ticklab.analysis import pairing
from ticklab.analysis.pairing import EVERY, Pairs, Scope, Wanted
from ticklab.errors import TicklabError

# A pass: the mark, the number of the call, the number of the task or handler, and the number of
# calls in progress.
Step = tuple[str, int, int, int]


def found(
    steps: list[Step], scope: Scope, wanted: Wanted = EVERY
) -> tuple[list[tuple[int, int]], Pairs]:
    """Returns the pairs of passes, as indices into `steps`."""
    writer = Writer(["a", "b"])
    for name, frame, stack, depth in steps:
        writer.mark(name, 1).at(frame, stack, depth)
    pairs = pairing.pair(writer.log(), "a", "b", scope, wanted)
    return [(first // 3, last // 3) for first, last in pairs.found], pairs


def unpaired(pairs: Pairs) -> tuple[int, int]:
    return pairs.without_end, pairs.without_begin


def test_calls_of_the_same_function_within_each_other() -> None:
    steps = [("a", 1, 1, 1), ("a", 2, 1, 2), ("a", 3, 1, 3)]
    steps += [("b", 3, 1, 3), ("b", 2, 1, 2), ("b", 1, 1, 1)]
    assert found(steps, Scope.CALL)[0] == [(0, 5), (1, 4), (2, 3)]
    assert found(steps, Scope.TASK)[0] == [(0, 5), (1, 4), (2, 3)]


def test_a_handler_that_passes_both_marks_inside_a_sample() -> None:
    steps = [("a", 1, 1, 1), ("a", 2, 7, 1), ("b", 2, 7, 1), ("b", 1, 1, 1)]
    for scope in (Scope.CALL, Scope.TASK):
        pairs, counts = found(steps, scope)
        assert pairs == [(0, 3), (1, 2)]
        assert (unpaired(counts), counts.crossing) == ((0, 0), 0)


def test_tasks_that_take_turns() -> None:
    steps = [("a", 1, 1, 1), ("a", 2, 2, 1), ("b", 1, 1, 1), ("a", 3, 1, 1), ("b", 2, 2, 1)]
    steps += [("b", 3, 1, 1)]
    for scope in (Scope.CALL, Scope.TASK):
        assert found(steps, scope)[0] == [(0, 2), (1, 4), (3, 5)]


def test_a_begin_without_an_end_and_an_end_without_a_begin() -> None:
    steps = [("b", 9, 1, 1), ("a", 1, 1, 1), ("a", 2, 1, 1), ("b", 2, 1, 1), ("b", 2, 1, 1)]
    for scope in Scope:
        pairs, counts = found(steps, scope)
        assert pairs == [(2, 3)], scope
        assert unpaired(counts) == (1, 2)


def test_a_begin_that_its_call_passes_again_is_replaced() -> None:
    steps = [("a", 1, 1, 1), ("a", 1, 1, 1), ("b", 1, 1, 1)]
    for scope in Scope:
        pairs, counts = found(steps, scope)
        assert pairs == [(1, 2)], scope
        assert unpaired(counts) == (1, 0)


def test_a_call_begins_once_however_often_its_first_instruction_is_passed() -> None:
    writer = Writer(["a", "b"])
    steps = [("a", 1, 1), ("a", 1, 1), ("a", 2, 7), ("a", 2, 7), ("b", 2, 7), ("a", 1, 1)]
    for name, frame, stack in [*steps, ("b", 1, 1), ("a", 3, 1), ("b", 3, 1)]:
        writer.mark(name, 1).at(frame, stack, 1)
    pairs = pairing.pair_calls(writer.log(), "a", "b")
    assert [(first // 3, last // 3) for first, last in pairs.found] == [(0, 6), (2, 4), (7, 8)]
    assert (pairs.begins, unpaired(pairs)) == (3, (0, 0))


def test_one_task_wakes_another() -> None:
    steps = [("a", 1, 1, 1), ("b", 2, 2, 1), ("a", 3, 1, 1), ("b", 4, 2, 1)]
    pairs, counts = found(steps, Scope.TASK)
    assert pairs == [(0, 1), (2, 3)]
    assert counts.crossing == 2
    assert found(steps, Scope.CALL)[0] == []


def test_a_call_that_left_by_another_way_ends_no_later_sample() -> None:
    steps = [("a", 1, 1, 1), ("b", 2, 1, 1), ("a", 3, 1, 1), ("b", 3, 1, 1)]
    pairs, counts = found(steps, Scope.CALL)
    assert pairs == [(2, 3)]
    assert unpaired(counts) == (1, 1)


# Task 1 calls the function recursively; meanwhile task 2 calls it, and is interrupted by a handler
# that calls it, too.
TOGETHER: list[Step] = [
    *[("a", 1, 1, 1), ("a", 2, 1, 2), ("a", 3, 2, 5), ("a", 4, 2, 7), ("a", 5, 9, 1)],
    *[("b", 5, 9, 1), ("b", 2, 1, 2), ("b", 4, 2, 7), ("b", 3, 2, 5), ("b", 1, 1, 1)],
]


@pytest.mark.parametrize("scope", [Scope.CALL, Scope.TASK])
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(frozenset({1})), [(0, 9), (1, 6)]),
        (Wanted(frozenset({2})), [(2, 8), (3, 7)]),
        (Wanted(frozenset({1, 2}), 1), [(0, 9), (2, 8)]),
        (Wanted(depth=1), [(0, 9), (2, 8), (4, 5)]),
        (Wanted(depth=2), [(1, 6), (3, 7)]),
        (Wanted(frozenset(), 1), []),
        (Wanted(depth=3), []),
    ],
)
def test_samples_are_selected_by_task_and_depth(
    scope: Scope, wanted: Wanted, expected: list[tuple[int, int]]
) -> None:
    pairs, counts = found(TOGETHER, scope, wanted)
    assert pairs == expected
    assert (counts.begins, counts.ends) == (len(expected), len(expected))
    assert (counts.left_out, counts.deepest) == (5 - len(expected), 2)


def test_a_call_that_never_returned_counts_for_its_own_depth_only() -> None:
    """A long jump left the calls 2 and 3. The next call is at the same depth as call 2 was."""
    steps = [("a", 1, 1, 1), ("a", 2, 1, 2), ("a", 3, 1, 3), ("a", 4, 1, 2), ("b", 4, 1, 2)]
    steps += [("b", 1, 1, 1), ("b", 8, 1, 4)]
    for depth, expected, alone in ((1, [(0, 5)], (0, 1)), (2, [(3, 4)], (1, 1)), (3, [], (1, 1))):
        pairs, counts = found(steps, Scope.CALL, Wanted(depth=depth))
        assert (pairs, unpaired(counts)) == (expected, alone)


def test_a_sample_that_another_task_ends_is_in_the_task_that_began_it() -> None:
    steps = [("a", 1, 1, 1), ("b", 2, 2, 1), ("a", 3, 2, 1), ("b", 4, 3, 1)]
    pairs, counts = found(steps, Scope.TASK, Wanted(frozenset({2})))
    assert (pairs, counts.crossing, counts.left_out) == ([(2, 3)], 1, 1)


def test_a_target_that_follows_no_calls_pairs_by_order_on_each_node() -> None:
    writer = Writer(["a", "b"])
    for name, node in (("a", 0), ("a", 1), ("a", 0), ("b", 1), ("b", 0), ("b", 0)):
        writer.mark(name, 1, node=node)
    pairs = pairing.pair(writer.log(), "a", "b", Scope.ORDER)
    assert pairs.found == [(1, 3), (2, 4)]


@pytest.mark.parametrize(
    ("found", "begins", "ends", "sound"),
    [(19, 1_057_812, 19, False), (1, 2, 1, True), (0, 5, 5, False), (500, 1000, 500, True)],
)
def test_figures_of_a_small_part_are_refused(
    found: int, begins: int, ends: int, sound: bool
) -> None:
    pairs = Pairs(Scope.CALL, [(0, 1)] * found, begins, ends)
    assert pairs.is_sound is sound
    if not sound:
        with pytest.raises(TicklabError, match=f"{found:,} of {begins:,} passes of mark 'a'"):
            pairing.require_sound(pairs, "a", "b", "try")
