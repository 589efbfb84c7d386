/* name_map -- see the header. Open addressing, at most half full. */
#include "name_map.h"

#include <stdbool.h>
#include <string.h>

static uint64_t hash_bytes(const unsigned char *bytes, size_t length) {
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ bytes[i]) * 1099511628211u;
    }
    return hash ^ hash >> 29;
}

static NameMapSlot *find_slot(const NameMap *map, const void *key, size_t length, uint64_t hash) {
    size_t index = hash & (map->capacity - 1);
    for (;; index = (index + 1) & (map->capacity - 1)) {
        NameMapSlot *slot = &map->slots[index];
        bool is_same = slot->key && slot->hash == hash && slot->length == length &&
                       memcmp(slot->key, key, length) == 0;
        if (!slot->key || is_same) {
            return slot;
        }
    }
}

static void grow(NameMap *map) {
    NameMap larger = *map;
    larger.capacity = map->capacity ? map->capacity * 2 : 32;
    larger.slots = arena_new_array(map->arena, NameMapSlot, larger.capacity);
    for (size_t i = 0; i < map->capacity; i++) {
        const NameMapSlot *slot = &map->slots[i];
        if (slot->key) {
            *find_slot(&larger, slot->key, slot->length, slot->hash) = *slot;
        }
    }
    *map = larger;
}

void **name_map_at(NameMap *map, const void *key, size_t length) {
    if (map->count * 2 >= map->capacity) {
        grow(map);
    }
    uint64_t hash = hash_bytes(key, length);
    NameMapSlot *slot = find_slot(map, key, length, hash);
    if (!slot->key) {
        char *copy = arena_allocate(map->arena, length + 1);
        memcpy(copy, key, length);
        *slot = (NameMapSlot){copy, length, hash, NULL};
        map->count++;
    }
    return &slot->value;
}

void *name_map_find(const NameMap *map, const void *key, size_t length) {
    if (map->capacity == 0) {
        return NULL;
    }
    return find_slot(map, key, length, hash_bytes(key, length))->value;
}
