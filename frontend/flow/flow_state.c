/* flow_state -- sets of slots, and states where paths meet. */
#include "flow.h"

#define BITS 64

bool flow_set_has(const FlowSet *set, size_t slot) {
    return slot / BITS < set->count && (set->words[slot / BITS] >> (slot % BITS) & 1) != 0;
}

static void grow(Arena *arena, FlowSet *set, size_t count) {
    if (set->count >= count) {
        return;
    }
    uint64_t *words = arena_new_array(arena, uint64_t, count);
    if (set->count > 0) {
        memcpy(words, set->words, set->count * sizeof *words);
    }
    set->words = words;
    set->count = count;
}

void flow_set_add(Arena *arena, FlowSet *set, size_t slot) {
    grow(arena, set, slot / BITS + 1);
    set->words[slot / BITS] |= (uint64_t)1 << (slot % BITS);
}

void flow_set_remove(FlowSet *set, size_t slot) {
    if (slot / BITS < set->count) {
        set->words[slot / BITS] &= ~((uint64_t)1 << (slot % BITS));
    }
}

FlowSet flow_set_copy(Arena *arena, const FlowSet *set) {
    FlowSet copy = {NULL, 0};
    flow_set_unite(arena, &copy, set);
    return copy;
}

void flow_set_unite(Arena *arena, FlowSet *set, const FlowSet *other) {
    grow(arena, set, other->count);
    for (size_t i = 0; i < other->count; i++) {
        set->words[i] |= other->words[i];
    }
}

static void intersect(FlowSet *set, const FlowSet *other) {
    for (size_t i = 0; i < set->count; i++) {
        set->words[i] &= i < other->count ? other->words[i] : 0;
    }
}

FlowState flow_state_copy(Arena *arena, const FlowState *state) {
    return (FlowState){.some = flow_set_copy(arena, &state->some),
                       .all = flow_set_copy(arena, &state->all),
                       .gone = flow_set_copy(arena, &state->gone),
                       .is_dead = state->is_dead};
}

void flow_state_join(Arena *arena, FlowState *state, const FlowState *other) {
    if (other->is_dead) {
        return;
    }
    if (state->is_dead) {
        *state = flow_state_copy(arena, other);
        return;
    }
    flow_set_unite(arena, &state->some, &other->some);
    intersect(&state->all, &other->all);
    intersect(&state->gone, &other->gone);
}

void flow_state_both(Arena *arena, FlowState *state, const FlowState *other) {
    flow_set_unite(arena, &state->some, &other->some);
    flow_set_unite(arena, &state->all, &other->all);
    flow_set_unite(arena, &state->gone, &other->gone);
    state->is_dead = state->is_dead || other->is_dead;
}

void flow_set_clear(FlowSet *set, const FlowSet *before, const FlowSet *after) {
    for (size_t i = 0; i < set->count && i < before->count; i++) {
        uint64_t left = i < after->count ? after->words[i] : 0;
        set->words[i] &= ~(before->words[i] & ~left);
    }
}

bool flow_set_grew(const FlowSet *before, const FlowSet *after) {
    for (size_t i = 0; i < after->count; i++) {
        uint64_t had = i < before->count ? before->words[i] : 0;
        if ((after->words[i] & ~had) != 0) {
            return true;
        }
    }
    return false;
}
