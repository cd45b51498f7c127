// SPDX-License-Identifier: MIT
//
// Pseudo-random numbers for the random tests: the same seed gives the same numbers on every
// machine, unlike the distributions of the standard library. The generator is splitmix64.
#ifndef RANDOM_H
#define RANDOM_H

#include <cstddef>
#include <cstdint>

class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {
    }

    uint32_t bits() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return uint32_t((z ^ (z >> 31)) >> 32);
    }

    // Returns a number in 0 … bound - 1.
    uint32_t below(uint32_t bound) {
        return uint32_t((uint64_t(bits()) * bound) >> 32);
    }

    // Returns true once in `n` times on average.
    bool one_in(uint32_t n) {
        return below(n) == 0;
    }

    // Returns an index into `weights`, with the frequency of its weight.
    template <size_t N> unsigned pick(const unsigned (&weights)[N]) {
        unsigned total = 0, index = 0;
        for (unsigned weight : weights) {
            total += weight;
        }
        for (unsigned left = below(total); left >= weights[index]; index++) {
            left -= weights[index];
        }
        return index;
    }

  private:
    uint64_t state_;
};

#endif
