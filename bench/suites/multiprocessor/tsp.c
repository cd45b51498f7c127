// SPDX-License-Identifier: MIT
//
// The travelling salesman problem on PARAM_NODES nodes. A task on the master divides the search
// into PARAM_MESSAGES small messages. A worker on each node takes the next message and answers it
// with the shortest tour that it found. Span `tour` runs from before the first message to after the
// last answer. Kernels differ in the time that the messages take, not in the search. Source:
// Samuelsson et al. (suite.toml), 2.2.3.
#include "cities.h"
#include "multiprocessor.h"

enum { NODES = PARAM_NODES, MESSAGES = PARAM_MESSAGES, PLACES = 2 };
enum { WORK_QUEUE, ANSWERS_QUEUE, QUEUES };
enum { WORK_BYTES = 4, ANSWER_BYTES = 4 + sizeof(struct tour) };

struct answer {
    uint32_t message;
    struct tour shortest;
};

static const struct bench_semaphore begin = {0}, ended = {1};
static const struct bench_bus work = {WORK_QUEUE}, answers = {ANSWERS_QUEUE};

static void distributor(void) {
    for (uint32_t i = 0; i < NODES; i++) { // until every worker has started
        REQUIRE_OK(bench_semaphore_take(begin, BENCH_FOREVER), "take failed");
    }
    for (;;) {
        BENCH_MARK("first.before");
        for (uint32_t i = 0; i < MESSAGES; i++) {
            REQUIRE_OK(bench_bus_send(work, &i, WORK_BYTES, LOW_PRIORITY), "send failed");
        }
        REQUIRE_OK(bench_semaphore_take(ended, BENCH_FOREVER), "take failed");
    }
}

static void require_tour(const struct tour *tour) {
    static struct search known;
    uint32_t visited = 0, length = 0;
    measure_distances(&known);
    for (uint32_t i = 0; i < CITIES; i++) {
        const uint32_t next = tour->cities[(i + 1) % CITIES];
        visited |= 1u << tour->cities[i];
        length += known.length[tour->cities[i]][next];
    }
    BENCH_REQUIRE(visited == ALL, "the tour leaves a city out");
    BENCH_REQUIRE(length == tour->length, "the tour does not have the length that it states");
    BENCH_REQUIRE(length == SHORTEST, "the tour is not the shortest");
}

static void collect(struct tour *shortest) {
    static struct answer answer;
    static uint32_t room[BENCH_BUS_BYTES / 4];
    uint32_t seen[(MESSAGES + 31) / 32] = {0};
    for (uint32_t i = 0; i < MESSAGES; i++) {
        uint32_t bytes;
        REQUIRE_OK(bench_bus_receive(answers, room, &bytes), "receive failed");
        BENCH_MARK("answer"); // a guest may not run for a whole tour without a mark
        BENCH_REQUIRE(bytes == ANSWER_BYTES, "an answer has the wrong length");
        __builtin_memcpy(&answer, room, sizeof answer);
        const uint32_t bit = 1u << answer.message % 32;
        BENCH_REQUIRE(answer.message < MESSAGES && !(seen[answer.message / 32] & bit),
                      "an answer came twice or answers no message");
        seen[answer.message / 32] |= bit;
        if (answer.shortest.length < shortest->length) {
            *shortest = answer.shortest;
        }
    }
}

static void collector(void) {
    for (;;) {
        struct tour shortest = {.length = UINT32_MAX};
        collect(&shortest);
        BENCH_MARK("last.after");
        require_tour(&shortest);
        REQUIRE_OK(bench_semaphore_give(ended), "give failed");
    }
}

static void worker(void) {
    static struct search search;
    static uint32_t room[BENCH_BUS_BYTES / 4];
    measure_distances(&search);
    const uint32_t greedy = greedy_length(&search);
    REQUIRE_OK(bench_semaphore_give(begin), "give failed");
    for (;;) {
        uint32_t bytes;
        REQUIRE_OK(bench_bus_receive(work, room, &bytes), "the worker's receive failed");
        BENCH_REQUIRE(bytes == WORK_BYTES, "a message has the wrong length");
        struct answer answer = {.message = room[0]};
        search.best.length = greedy + 1;
        for (uint32_t item = answer.message; item < ITEMS; item += MESSAGES) {
            search_item(&search, item);
        }
        answer.shortest = search.best;
        __builtin_memcpy(room, &answer, sizeof answer);
        REQUIRE_OK(bench_bus_send(answers, room, ANSWER_BYTES, LOW_PRIORITY),
                   "the worker's send failed");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK_ON(0, collector, HIGH_PRIORITY), TASK_ON(0, distributor, MIDDLE_PRIORITY),
    TASK_ON(0, worker, LOW_PRIORITY),     TASK_ON(1, worker, LOW_PRIORITY),
    TASK_ON(2, worker, LOW_PRIORITY),     TASK_ON(3, worker, LOW_PRIORITY),
};
static const struct bench_semaphore_declaration semaphores[] = {{0, NODES, 0, 1}, {0, 1, 0, 1}};
static const struct bench_bus_declaration buses[] = {[0 ... QUEUES - 1] = {PLACES * NODES}};

const struct bench_scenario bench_scenario = {
    .name = "tsp",
    .tasks = tasks,
    .task_count = 2 + NODES,
    BENCH_SEMAPHORES(semaphores),
    BENCH_BUSES(buses),
};
