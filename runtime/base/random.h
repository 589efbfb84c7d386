/* random -- one xorshift generator per worker: every free choice of the runtime comes from it.
 *
 * Owns:   the sequence; Marsaglia's xorshift64 with a multiplied result.
 * Holds:  the state is never 0. The same seed gives the same sequence on every machine. */
#ifndef RT_RANDOM_H
#define RT_RANDOM_H

#include <stdint.h>

typedef struct Random {
    uint64_t state;
} Random;

static inline void random_seed(Random *random, uint64_t seed) {
    /* spread small seeds over the word (splitmix64), so that 1 and 2 are not alike */
    uint64_t mixed = seed + UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94D049BB133111EB);
    mixed ^= mixed >> 31;
    random->state = mixed != 0 ? mixed : 1;
}

static inline uint32_t random_next(Random *random) {
    uint64_t state = random->state;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    random->state = state;
    return (uint32_t)((state * UINT64_C(0x2545F4914F6CDD1D)) >> 32);
}

/* The number that compiled code (alt_look.c) took from the state before advancing it: undoes what
 * random_next does to the state. */
static inline uint32_t random_last(const Random *random) {
    uint64_t state = random->state;
    state ^= state >> 27 ^ state >> 54;
    state ^= state << 25 ^ state << 50;
    state ^= state >> 12 ^ state >> 24 ^ state >> 36 ^ state >> 48 ^ state >> 60;
    return (uint32_t)(state >> 32);
}

static inline uint32_t random_scale(uint32_t number, uint32_t limit) {
    return (uint32_t)(((uint64_t)number * limit) >> 32);
}

/* Uniform in 0 .. limit - 1 (the bias is below limit / 2^32); 0 when limit is 0. */
static inline uint32_t random_below(Random *random, uint32_t limit) {
    return random_scale(random_next(random), limit);
}

#endif
