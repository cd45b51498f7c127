// SPDX-License-Identifier: MIT
//
// A travelling salesman problem with twelve cities, and the search for its shortest tour in parts.
//
// The tours are divided into ITEMS by the first two cities after the start. Each item is searched
// by branch and bound. The initial bound is the length of the nearest-neighbour tour; the results
// of other items are not used, so that the total work does not depend on its distribution.
//
// The cities are one of 400 random drawings, chosen so that the items are small and even enough for
// four nodes to share 11 messages of them.
#ifndef CITIES_H
#define CITIES_H

#include <stdint.h>

enum { CITIES = 12, ITEMS = (CITIES - 1) * (CITIES - 2), ALL = (1 << CITIES) - 1 };
// Lengths are in tenths of the grid's unit. Computed by dynamic programming over all sets of
// cities; lab/tests/test_multiprocessor.py computes it again.
enum { SHORTEST = 3230 };

static const uint8_t places[CITIES][2] = {
    {50, 77}, {5, 90},  {74, 7},  {38, 71}, {16, 19}, {5, 37},
    {23, 97}, {66, 41}, {81, 17}, {99, 11}, {54, 36}, {49, 8},
};

struct tour {
    uint32_t length;
    uint8_t cities[CITIES];
};

struct search {
    uint32_t length[CITIES][CITIES];
    uint32_t nearest[CITIES]; // the distance from each city to its nearest neighbour
    struct tour best;
    uint8_t path[CITIES];
};

static uint32_t square_root(uint32_t square) {
    uint32_t root = 0;
    while ((root + 1) * (root + 1) <= square) {
        root++;
    }
    return root;
}

static uint32_t distance(uint32_t from, uint32_t to) {
    const int32_t x = places[from][0] - places[to][0], y = places[from][1] - places[to][1];
    return square_root((uint32_t)(100 * (x * x + y * y)));
}

static void measure_distances(struct search *search) {
    for (uint32_t from = 0; from < CITIES; from++) {
        search->nearest[from] = UINT32_MAX;
        for (uint32_t to = 0; to < CITIES; to++) {
            const uint32_t length = search->length[from][to] = distance(from, to);
            if (to != from && length < search->nearest[from]) {
                search->nearest[from] = length;
            }
        }
    }
}

static uint32_t nearest_unvisited(const struct search *search, uint32_t from, uint32_t visited) {
    uint32_t nearest = CITIES;
    for (uint32_t to = 0; to < CITIES; to++) {
        if (!(visited >> to & 1) &&
            (nearest == CITIES || search->length[from][to] < search->length[from][nearest])) {
            nearest = to;
        }
    }
    return nearest;
}

// Returns the length of the tour that always continues to the nearest unvisited city.
static uint32_t greedy_length(const struct search *search) {
    uint32_t at = 0, visited = 1, length = 0;
    while (visited != ALL) {
        const uint32_t next = nearest_unvisited(search, at, visited);
        length += search->length[at][next];
        visited |= 1u << next;
        at = next;
    }
    return length + search->length[at][0];
}

static void keep_if_shorter(struct search *search, uint32_t length) {
    if (length < search->best.length) {
        search->best.length = length;
        for (uint32_t i = 0; i < CITIES; i++) {
            search->best.cities[i] = search->path[i];
        }
    }
}

// `length` is the length of the path so far, `rest` a lower bound on the remaining distances.
static void extend(struct search *search, uint32_t count, uint32_t visited, uint32_t length,
                   uint32_t rest) {
    const uint32_t at = search->path[count - 1];
    if (count == CITIES) {
        keep_if_shorter(search, length + search->length[at][0]);
        return;
    }
    for (uint32_t next = 1; next < CITIES; next++) {
        const uint32_t longer = length + search->length[at][next];
        if (!(visited >> next & 1) && longer + rest - search->nearest[at] < search->best.length) {
            search->path[count] = (uint8_t)next;
            extend(search, count + 1, visited | 1u << next, longer, rest - search->nearest[at]);
        }
    }
}

// Searches the tours of `item` (0 … ITEMS - 1) that are shorter than the best tour so far.
static void search_item(struct search *search, uint32_t item) {
    const uint32_t first = 1 + item / (CITIES - 2), place = 1 + item % (CITIES - 2);
    const uint32_t second = place + (place >= first);
    uint32_t rest = 0;
    for (uint32_t city = 1; city < CITIES; city++) {
        rest += city == first ? 0 : search->nearest[city];
    }
    search->path[0] = 0;
    search->path[1] = (uint8_t)first;
    search->path[2] = (uint8_t)second;
    extend(search, 3, 1u | 1u << first | 1u << second,
           search->length[0][first] + search->length[first][second], rest);
}

#endif
