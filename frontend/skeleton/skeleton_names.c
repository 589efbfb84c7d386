/* skeleton_names -- what names stand for, kept while they stand for something else. See
 * skeleton_walk.h. */
#include "skeleton_walk.h"

SkeletonMeaning skeleton_meaning(const SkeletonWalk *walk, const Symbol *symbol) {
    return (SkeletonMeaning){symbol_map_get(&walk->names.refs, symbol),
                             symbol_map_get(&walk->names.data, symbol),
                             symbol_map_get(&walk->names.members, symbol)};
}

void skeleton_mean(SkeletonWalk *walk, const Symbol *symbol, SkeletonMeaning meaning) {
    symbol_map_set(walk->arena, &walk->names.refs, symbol, meaning.ref);
    symbol_map_set(walk->arena, &walk->names.data, symbol, meaning.data);
    symbol_map_set(walk->arena, &walk->names.members, symbol, meaning.member);
}

static void *copy(Arena *arena, const void *items, uint32_t count) {
    void **store = arena_new_array(arena, void *, (size_t)count + 1);
    if (count > 0) {
        memcpy(store, items, count * sizeof *store);
    }
    return store;
}

SkeletonNames skeleton_copy_names(const SkeletonWalk *walk) {
    SkeletonNames names = walk->names;
    names.refs.items = copy(walk->arena, names.refs.items, names.refs.count);
    names.data.items = copy(walk->arena, names.data.items, names.data.count);
    names.members.items = copy(walk->arena, names.members.items, names.members.count);
    return names;
}
