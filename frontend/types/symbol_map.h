/* symbol_map -- what one pass knows of symbols: a table of one type, indexed by Symbol.number. A
 * symbol that was never set has NULL. */
#ifndef OCCC_SYMBOL_MAP_H
#define OCCC_SYMBOL_MAP_H

#include "symbol.h"

#define SYMBOL_MAP_OF(Type)                                                                        \
    struct {                                                                                       \
        Type **items;                                                                              \
        uint32_t count;                                                                            \
    }

#define symbol_map_get(map, symbol)                                                                \
    ((symbol)->number < (map)->count ? (map)->items[(symbol)->number] : NULL)

#define symbol_map_set(arena, map, symbol, value)                                                  \
    ((map)->items = symbol_map_reserve(arena, (map)->items, &(map)->count, (symbol)->number),      \
     (map)->items[(symbol)->number] = (value))

/* symbol_map_reserve -- make room for that number; used by symbol_map_set. */
static inline void *symbol_map_reserve(Arena *arena, void *items, uint32_t *count,
                                       uint32_t number) {
    if (number < *count) {
        return items;
    }
    uint32_t grown = number < 32 ? 64 : number * 2;
    void **store = arena_new_array(arena, void *, grown);
    if (*count > 0) {
        memcpy(store, items, *count * sizeof *store);
    }
    *count = grown;
    return store;
}

#endif
