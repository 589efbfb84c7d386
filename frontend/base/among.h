/* among -- is a value one of a few? For some members of a long enum, where a switch would have to
 * name all the others: AMONG (kind, TOKEN_COMMA, TOKEN_SEMICOLON). */
#ifndef OCCC_AMONG_H
#define OCCC_AMONG_H

#include <stdbool.h>
#include <stddef.h>

static inline bool is_among(int value, const int *members, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (members[i] == value) {
            return true;
        }
    }
    return false;
}

#define AMONG(value, ...)                                                                          \
    is_among((int)(value), (const int[]){__VA_ARGS__},                                             \
             sizeof(const int[]){__VA_ARGS__} / sizeof(int))

#endif
