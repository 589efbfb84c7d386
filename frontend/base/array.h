/* array -- a growable sequence in an arena.
 *
 * A sequence is any struct with the members `items`, `count` and `capacity`; ARRAY_OF declares one.
 * Growing copies into the arena; the old memory stays until the arena ends. */
#ifndef OCCC_ARRAY_H
#define OCCC_ARRAY_H

#include "arena.h"

#include <string.h>

#define ARRAY_OF(Type)                                                                             \
    struct {                                                                                       \
        Type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

#define array_push(arena, array, item)                                                             \
    do {                                                                                           \
        if ((array)->count == (array)->capacity) {                                                 \
            size_t grown_ = (array)->capacity ? (array)->capacity * 2 : 4;                         \
            void *store_ = arena_allocate((arena), grown_ * sizeof *(array)->items);               \
            if ((array)->count) {                                                                  \
                memcpy(store_, (array)->items, (array)->count * sizeof *(array)->items);           \
            }                                                                                      \
            (array)->items = store_;                                                               \
            (array)->capacity = grown_;                                                            \
        }                                                                                          \
        (array)->items[(array)->count++] = (item);                                                 \
    } while (0)

#endif
