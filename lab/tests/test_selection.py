# SPDX-License-Identifier: MIT
"""Tests the selection of samples by task and depth, in a firmware of FreeRTOS whose tasks call the
same functions: recursively, across switches, by tail calls, and without a return."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import freertos_firmware
import guests
import pytest
from console import ticklab
from documents import fits
from test_profile import SWITCHING

FIRMWARE = """
#include <FreeRTOS.h>
#include <setjmp.h>
#include <task.h>

// Calls itself twice. During the second call another task runs, which calls the function too.
__attribute__((noinline)) unsigned walk(unsigned depth) {
    if (depth == 2) {
        taskYIELD();
    }
    unsigned below = depth < 3 ? walk(depth + 1) : 0;
    __asm__ volatile("" : "+r"(below));
    return below + depth;
}

__attribute__((noinline)) unsigned hop(unsigned depth) {
    return walk(depth);
}

static void left(void *unused) {
    (void)unused;
    for (;;) {
        hop(1);
    }
}

static void right(void *unused) {
    (void)unused;
    for (;;) {
        walk(1);
    }
}

static jmp_buf surface;

// Returns, or jumps back from its third call.
__attribute__((noinline)) unsigned dive(unsigned depth, unsigned jumps) {
    if (depth == 3 && jumps) {
        longjmp(surface, 1);
    }
    unsigned below = depth < 3 ? dive(depth + 1, jumps) : 0;
    __asm__ volatile("" : "+r"(below));
    return below + depth;
}

// Returns, or the task ends in its second call.
__attribute__((noinline)) unsigned fade(unsigned depth, unsigned ends) {
    if (depth == 2 && ends) {
        vTaskSuspend(NULL);
    }
    unsigned below = depth < 2 ? fade(depth + 1, ends) : 0;
    __asm__ volatile("" : "+r"(below));
    return below + depth;
}

static void mortal(void *unused) {
    (void)unused;
    for (unsigned round = 1;; round++) {
        fade(1, round == 3);
    }
}

static void spawn(void *unused) {
    (void)unused;
    for (volatile unsigned round = 0;; round++) {
        TaskHandle_t born;
        xTaskCreate(mortal, "mortal", configMINIMAL_STACK_SIZE, NULL, 2, &born);
        vTaskDelete(born);
        if (setjmp(surface) == 0) {
            dive(1, round % 4 == 3);
        }
        taskYIELD();
    }
}

void Receive_Handler(void) {}

int main(void) {
    xTaskCreate(left, "left", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    xTaskCreate(right, "right", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    xTaskCreate(spawn, "spawn", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
    vTaskStartScheduler();
}
"""
RECIPE = """
[recipe]
name = "walks"
title = "Walks of one task"

[[scenario]]
name = "walk"
plan = { warm_up = 2, samples = 20 }
[scenario.span.outermost]
call = "walk"
task = "left"
depth = 1
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("selection")
    source = folder / "application.c"
    source.write_text(FIRMWARE)
    services = ("INCLUDE_vTaskDelete=1", "INCLUDE_vTaskSuspend=1")
    return freertos_firmware.build("mps2-an386", folder, source, *services)


def observed(image: Path, *words: str) -> dict[str, Any]:
    """Returns the record of the only span."""
    end = ("--until", "instructions=400000", "--no-model", "--json", "-")
    status, out, err = ticklab("observe", image, *words, *end)
    assert status == 0, err
    (record,) = fits("observation", json.loads(out))["records"]
    return dict(record)


def numbers(record: dict[str, Any]) -> tuple[int, int, int]:
    pairing = record["pairing"]
    samples = record["instructions"]["n"]
    return samples, pairing["begins_without_end"], pairing["ends_without_begin"]


def test_recursion_across_switches_is_selected_by_task_and_depth(image: Path) -> None:
    """Task `left` enters the recursive function `walk` by a tail call, task `right` by a call."""
    every = observed(image, "--call", "walk")
    counts = {}
    for task in ("left", "right"):
        for depth in (1, 2, 3):
            one = observed(image, "--call", "walk", "--task", task, "--depth", str(depth))
            counts[task, depth], open_calls, strays = numbers(one)
            assert (open_calls <= 1, strays) == (True, 0)
            lengths = one["instructions"]
            assert lengths["min"] == lengths["max"] or depth < 3
            switches = one["exceptions"]
            assert switches == 0 if depth == 3 else switches > 1, "the others run in between"
    assert sum(counts.values()) == every["instructions"]["n"]
    assert max(counts.values()) - min(counts.values()) <= 1
    assert min(counts.values()) > 50


def test_a_tail_call_is_one_call(image: Path) -> None:
    hops = observed(image, "--call", "hop", "--depth", "1")
    walks = observed(image, "--call", "walk", "--task", "left", "--depth", "1")
    assert hops["instructions"]["n"] == walks["instructions"]["n"]
    assert hops["instructions"]["min"] > walks["instructions"]["min"]


def test_calls_that_a_long_jump_leaves_are_said_and_add_no_depth(image: Path) -> None:
    by_depth = [observed(image, "--call", "dive", "--depth", str(depth)) for depth in (1, 2, 3)]
    samples, left, strays = numbers(by_depth[0])
    assert [numbers(each)[0] for each in by_depth] == [samples] * 3
    assert (3 * (left - 1) <= samples <= 3 * (left + 1), strays) == (True, 0)
    words = ("--call", "dive", "--depth", "4", "--no-model")
    status, out, err = ticklab("observe", image, *words)
    assert (status, out) == (1, "")
    assert "no sample of 'dive' begins at depth 4; the greatest depth is 3" in err


def test_a_task_that_ended_within_a_function_is_said(image: Path) -> None:
    """Each task gets the memory of the task that ended before it."""
    assert numbers(observed(image, "--call", "fade", "--task", "mortal", "--depth", "1")) == (
        2,
        1,
        0,
    )
    assert numbers(observed(image, "--call", "fade", "--task", "mortal#9")) == (4, 2, 0)
    samples, ended, strays = numbers(observed(image, "--call", "fade", "--task", "mortal*"))
    assert (samples - 4 <= 2 * ended <= samples + 2, strays) == (True, 0)
    assert ended > 20
    status, out, _ = ticklab("observe", image, "--call", "fade", "--task", "mortal", "--no-model")
    assert status == 0
    assert "each begins in task mortal" in out
    assert "not paired: 2 of 6 begins" in " ".join(out.split())


def test_a_recipe_selects_by_task_and_depth(image: Path, tmp_path: Path) -> None:
    (tmp_path / "walks.toml").write_text(RECIPE)
    words = ("--recipe", tmp_path / "walks.toml", "--store", tmp_path / "store", "--no-model")
    status, out, err = ticklab("run", "--image", image, *words, "--json", "-")
    assert status == 0, err
    (record,) = json.loads(out)["records"]
    same = observed(image, "--call", "walk", "--task", "left", "--depth", "1", "--warm-up", "2")
    assert record["instructions"]["n"] >= 20
    assert record["instructions"]["p50"] == same["instructions"]["p50"]
    status, out, err = ticklab("explain", "latest", "--store", tmp_path / "store")
    assert status == 0, err
    assert "task left" in out


@pytest.mark.parametrize("how", ["in a handler", "in thread mode"])
def test_tasks_have_the_names_of_the_profile(how: str, tmp_path: Path) -> None:
    """The first task begins because thread mode selects another stack, the second task because a
    handler does."""
    source = SWITCHING.format(mask="nop", unmask="nop")
    image = guests.build(tmp_path, source)
    words = ("profile", image, "--instructions", "5000", "--no-model", "--json", "-")
    profiled = {each["name"] for each in json.loads(ticklab(*words)[1])["tasks"]}
    assert profiled == {"reset", "reset#2", "second"}
    name = {"in a handler": "second", "in thread mode": "reset#2"}[how]
    status, out, err = ticklab("observe", image, "--call", "serve", "--task", name, "--no-model")
    assert (status, out) == (1, "")
    assert f"no sample of 'serve' begins in task {name}" in err, "each begins in its handler"
    assert "the tasks are: 0 reset, 1 reset#2, 2 second" in err


def test_a_single_mark_has_no_task(image: Path) -> None:
    status, out, err = ticklab("observe", image, "--mark", "a=walk", "--depth", "1")
    assert (status, out) == (2, "")
    assert "give --call FUNCTION, or two marks" in err
