/* digest -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "digest.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void digest_begin(Digest *digest) {
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(digest->state, start, sizeof start);
    digest->length = 0;
}

static uint32_t rotate(uint32_t word, unsigned count) {
    return word >> count | word << (32 - count);
}

static void expand_block(const uint8_t *block, uint32_t words[64]) {
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t *b = block + 4 * i;
        words[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (unsigned i = 16; i < 64; i++) {
        uint32_t early = words[i - 15];
        uint32_t late = words[i - 2];
        uint32_t s0 = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3;
        uint32_t s1 = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10;
        words[i] = words[i - 16] + s0 + words[i - 7] + s1;
    }
}

static void take_block(Digest *digest, const uint8_t *block) {
    uint32_t words[64];
    expand_block(block, words);
    uint32_t s[8];
    memcpy(s, digest->state, sizeof s);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t sum1 = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t first = s[7] + sum1 + choice + round_constants[i] + words[i];
        uint32_t sum0 = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
        uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + sum0 + majority;
    }
    for (unsigned i = 0; i < 8; i++) {
        digest->state[i] += s[i];
    }
}

void digest_add(Digest *digest, const void *bytes, size_t size) {
    const uint8_t *from = bytes;
    while (size > 0) {
        size_t used = digest->length % 64;
        size_t taken = 64 - used < size ? 64 - used : size;
        memcpy(digest->block + used, from, taken);
        digest->length += taken;
        from += taken;
        size -= taken;
        if (digest->length % 64 == 0) {
            take_block(digest, digest->block);
        }
    }
}

void digest_add_number(Digest *digest, uint64_t number) {
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(number >> (8 * i));
    }
    digest_add(digest, bytes, sizeof bytes);
}

void digest_add_string(Digest *digest, const char *string) {
    digest_add_number(digest, string ? strlen(string) : UINT64_MAX);
    digest_add(digest, string ? string : "", string ? strlen(string) : 0);
}

void digest_add_strings(Digest *digest, const char *const *strings, size_t count) {
    digest_add_number(digest, count);
    for (size_t i = 0; i < count; i++) {
        digest_add_string(digest, strings[i]);
    }
}

void digest_add_file(Digest *digest, const char *path) {
    struct stat status;
    memset(&status, 0, sizeof status);
    digest_add_number(digest, (uint64_t)stat(path, &status));
    digest_add_number(digest, (uint64_t)status.st_size);
    digest_add_number(digest, (uint64_t)status.st_mtim.tv_sec);
    digest_add_number(digest, (uint64_t)status.st_mtim.tv_nsec);
}

void digest_end(Digest *digest, char hex[DIGEST_HEX_LENGTH + 1]) {
    uint64_t bits = digest->length * 8;
    digest_add(digest, "\x80", 1);
    while (digest->length % 64 != 56) {
        digest_add(digest, "", 1);
    }
    uint8_t big_endian[8];
    for (unsigned i = 0; i < 8; i++) {
        big_endian[i] = (uint8_t)(bits >> (56 - 8 * i));
    }
    digest_add(digest, big_endian, sizeof big_endian);
    for (unsigned i = 0; i < 8; i++) {
        snprintf(hex + (size_t)8 * i, 9, "%08x", digest->state[i]);
    }
}
