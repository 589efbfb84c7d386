/* map -- the hash of a key: SipHash with one round for each word and three at the end (Aumasson and
 * Bernstein), which is what keeps a table fair to keys that somebody chose. See map.h. */
#define _GNU_SOURCE
#include "map.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { WORD = 8, FINAL_ROUNDS = 3, FINAL_MARK = 0xff, SIZE_SHIFT = 56, HALF = 32 };

typedef struct Sip {
    uint64_t v[4];
} Sip;

int64_t occ_map_seed(void) {
    int64_t seed;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed) {
        struct timespec now;
        (void)clock_gettime(CLOCK_REALTIME, &now);
        seed = now.tv_nsec ^ (now.tv_sec << HALF);
    }
    return seed;
}

static inline uint64_t rotated(uint64_t x, int bits) {
    return x << bits | x >> (2 * HALF - bits);
}

static inline void sip_round(Sip *s) {
    uint64_t *v = s->v;
    v[0] += v[1];
    v[1] = rotated(v[1], 13) ^ v[0];
    v[0] = rotated(v[0], 32);
    v[2] += v[3];
    v[3] = rotated(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotated(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotated(v[1], 17) ^ v[2];
    v[2] = rotated(v[2], 32);
}

static inline void sip_word(Sip *s, uint64_t word) {
    s->v[3] ^= word;
    sip_round(s);
    s->v[0] ^= word;
}

int32_t occ_map_hash(const uint8_t *key, int32_t size, int64_t seed) {
    uint64_t k0 = (uint64_t)seed;
    uint64_t k1 = ~rotated(k0, HALF);
    Sip s = {{k0 ^ 0x736f6d6570736575U, k1 ^ 0x646f72616e646f6dU, k0 ^ 0x6c7967656e657261U,
              k1 ^ 0x7465646279746573U}};
    size_t left = (size_t)size;
    for (; left >= WORD; left -= WORD, key += WORD) {
        uint64_t word;
        memcpy(&word, key, WORD);
        sip_word(&s, word);
    }
    uint64_t last = (uint64_t)(uint32_t)size << SIZE_SHIFT;
    for (size_t i = 0; i < left; i++) {
        last |= (uint64_t)key[i] << (WORD * i);
    }
    sip_word(&s, last);
    s.v[2] ^= FINAL_MARK;
    for (int i = 0; i < FINAL_ROUNDS; i++) {
        sip_round(&s);
    }
    uint64_t all = s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
    return (int32_t)(uint32_t)(all ^ all >> HALF);
}
