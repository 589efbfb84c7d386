/* name_map -- bytes to pointer, for the names and sites of one unit or one link.
 *
 * Holds:  keys are compared byte by byte and copied into the arena; a new key has the value NULL;
 *         the address of a value is valid until the next call with a new key. */
#ifndef OCCC_NAME_MAP_H
#define OCCC_NAME_MAP_H

#include "arena.h"

#include <stdint.h>

typedef struct NameMapSlot {
    const char *key; /* NULL: empty */
    size_t length;
    uint64_t hash;
    void *value;
} NameMapSlot;

typedef struct NameMap {
    Arena *arena;
    NameMapSlot *slots;
    size_t count;
    size_t capacity; /* 0 or a power of two */
} NameMap;

/* name_map_at -- where the value of the key is kept; the key is added when it is new. */
void **name_map_at(NameMap *map, const void *key, size_t length);
/* name_map_find -- the value, or NULL. */
void *name_map_find(const NameMap *map, const void *key, size_t length);

#endif
