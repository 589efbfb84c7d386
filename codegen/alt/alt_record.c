/* alt_record -- the record of an ALT that may have to wait, and how it is filled.
 *
 * Owns:   Alt and AltGuard of layout.def in memory, the call of occ_alt_select.
 * Leaves: the look before it to alt_probe.c, what follows to alternative.c.
 * Holds:  guards are filled in textual order, replicated ones in the order of their indices; a
 *         guard whose condition is FALSE is off, and its channel is not evaluated (it may have a
 *         subscript that only the condition makes valid).
 *
 * The record:  Alt | AltGuard[capacity] | int64_t items[capacity][words] | int32_t
 * outer[capacity][depth - 1]. AltGuard.index is the value of the innermost replicator, outer[]
 * those round it. A PRI ALT nested in an ALT, or an ALT in a PRI ALT, has an entry of its own
 * before its guards (GUARD_GROUP). */
#include "alt_probe.h"
#include "emit_clock.h"
#include "layout_offsets.h"

#include <string.h>

#define NAMES_SHOWN 4 /* channels named in the report of a deadlock */

/* ---- how many guards ---- */

static int64_t fixed_capacity(const Node *alt);

/* Does a group begin here in the record: guards under another rule than those round them? */
static bool is_group(const Node *alt, const Node *guard) {
    return guard->kind == NODE_ALT && guard->alt.is_pri != alt->alt.is_pri;
}

/* Clocks of a NEXT guard that names several, each with an entry of its own. */
static size_t clocks_of(const Node *guard) {
    size_t count = guard->kind == NODE_NEXT ? guard->next.clocks.count : 0;
    return count > 1 ? count : 0;
}

/* A CLOSED or NEXT guard has a second entry: its link among those that wait for the same. */
static int64_t entries_of(const Node *guard) {
    bool has_link = guard->kind == NODE_CLOSED || guard->kind == NODE_NEXT;
    return 1 + has_link + (int64_t)clocks_of(guard);
}

static int64_t fixed_sum(const Node *alt) {
    int64_t sum = 0;
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        const Node *guard = alt->alt.alternatives.items[i]->alternative.guard;
        int64_t part = guard->kind == NODE_ALT ? fixed_capacity(guard) : entries_of(guard);
        if (part < 0) {
            return -1;
        }
        sum += part + is_group(alt, guard);
    }
    return sum;
}

/* How many guards the ALT has, if that is known at compile time; else -1. */
static int64_t fixed_capacity(const Node *alt) {
    int64_t sum = fixed_sum(alt);
    if (alt->alt.replicator == NULL || sum < 0) {
        return sum;
    }
    const Constant *count = alt->alt.replicator->replicator.count->constant;
    return count != NULL && count->integer >= 0 ? sum * count->integer : -1;
}

size_t alt_nesting(const Node *alt) {
    size_t inner = 0;
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        const Node *guard = alt->alt.alternatives.items[i]->alternative.guard;
        size_t depth = guard->kind == NODE_ALT ? alt_nesting(guard) : 0;
        inner = depth > inner ? depth : inner;
    }
    return inner + (alt->alt.replicator != NULL);
}

static void add_to(Emitter *emitter, LLVMValueRef slot, LLVMValueRef more) {
    LLVMValueRef sum = LLVMBuildAdd(emitter->builder, alt_load_i32(emitter, slot), more, "");
    LLVMBuildStore(emitter->builder, sum, slot);
}

static void count_guards(Emitter *emitter, Node *alt, LLVMValueRef slot);

static void count_alternatives(Emitter *emitter, Node *alt, LLVMValueRef slot) {
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        Node *alternative = alt->alt.alternatives.items[i];
        if (alternative->alternative.guard->kind != NODE_ALT) {
            add_to(emitter, slot, emit_i32(emitter, entries_of(alternative->alternative.guard)));
            continue;
        }
        const NodeList *specs = &alternative->alternative.specs;
        if (is_group(alt, alternative->alternative.guard)) {
            add_to(emitter, slot, emit_i32(emitter, 1));
        }
        emit_specifications(emitter, specs, NULL);
        count_guards(emitter, alternative->alternative.guard, slot);
        emit_scope_end(emitter, specs);
    }
}

/* Add the number of guards that the ALT has at run time to the slot. */
static void count_guards(Emitter *emitter, Node *alt, LLVMValueRef slot) {
    ReplicatorLoop loop;
    memset(&loop, 0, sizeof loop);
    int64_t each = fixed_sum(alt);
    if (alt->alt.replicator == NULL) {
        count_alternatives(emitter, alt, slot);
    } else if (each >= 0) {
        emit_replicator_values(emitter, alt->alt.replicator, &loop);
        add_to(emitter, slot,
               LLVMBuildMul(emitter->builder, loop.count, emit_i32(emitter, each), ""));
    } else {
        emit_replicator_values(emitter, alt->alt.replicator, &loop);
        emit_replicator_begin(emitter, alt->alt.replicator, &loop);
        count_alternatives(emitter, alt, slot);
        emit_replicator_end(emitter, &loop);
    }
}

/* ---- the record ---- */

static void make_record(Emitter *emitter, AltPlan *plan) {
    LLVMBuilderRef builder = emitter->builder;
    plan->max_depth = alt_nesting(plan->alt);
    uint64_t each = SIZE_AltGuard + 8 * plan->payload_words +
                    4 * (plan->max_depth > 1 ? plan->max_depth - 1 : 0);
    int64_t fixed = fixed_capacity(plan->alt);
    if (fixed >= 0 && SIZE_Alt + (uint64_t)fixed * each <= FRAME_OBJECT_LIMIT) {
        LLVMTypeRef type = LLVMArrayType2(emitter->i8, SIZE_Alt + (uint64_t)fixed * each);
        plan->record = emit_alloca(emitter, type, "alt");
        LLVMSetAlignment(plan->record, 16);
        plan->capacity = emit_i32(emitter, fixed);
        return;
    }
    LLVMValueRef slot = emit_alloca(emitter, emitter->i32, "alt.capacity");
    LLVMBuildStore(builder, emit_i32(emitter, 0), slot);
    count_guards(emitter, plan->alt, slot);
    plan->capacity = alt_load_i32(emitter, slot);
    LLVMValueRef wide = LLVMBuildZExt(builder, plan->capacity, emitter->i64, "");
    LLVMValueRef size =
        LLVMBuildAdd(builder, LLVMBuildMul(builder, wide, emit_i64(emitter, (int64_t)each), ""),
                     emit_i64(emitter, SIZE_Alt), "");
    plan->heap = emit_heap(emitter, size, plan->alt->at, "ALT");
    plan->record = plan->heap;
}

LLVMValueRef alt_guard_address(Emitter *emitter, const AltPlan *plan, LLVMValueRef position) {
    LLVMValueRef guards = emit_field(emitter, plan->record, SIZE_Alt, "");
    LLVMTypeRef guard = LLVMArrayType2(emitter->i8, SIZE_AltGuard);
    LLVMValueRef wide = LLVMBuildZExt(emitter->builder, position, emitter->i64, "");
    return LLVMBuildInBoundsGEP2(emitter->builder, guard, guards, &wide, 1, "guard");
}

/* Column `column` of row `position` of a table of rows of `width`. */
static LLVMValueRef row_address(Emitter *emitter, LLVMValueRef table, LLVMTypeRef type,
                                LLVMValueRef position, size_t width, size_t column) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef row = LLVMBuildMul(builder, position, emit_i32(emitter, (int64_t)width), "");
    LLVMValueRef place = LLVMBuildAdd(builder, row, emit_i32(emitter, (int64_t)column), "");
    LLVMValueRef wide = LLVMBuildZExt(builder, place, emitter->i64, "");
    return LLVMBuildInBoundsGEP2(builder, type, table, &wide, 1, "");
}

LLVMValueRef alt_payload_address(Emitter *emitter, const AltPlan *plan, LLVMValueRef position,
                                 size_t word) {
    LLVMValueRef end = alt_guard_address(emitter, plan, plan->capacity);
    return row_address(emitter, end, emitter->i64, position, plan->payload_words, word);
}

LLVMValueRef alt_outer_address(Emitter *emitter, const AltPlan *plan, LLVMValueRef position,
                               size_t level) {
    LLVMValueRef end = alt_payload_address(emitter, plan, plan->capacity, 0);
    return row_address(emitter, end, emitter->i32, position, plan->max_depth - 1, level);
}

/* ---- filling ---- */

static void store_guard(Emitter *emitter, LLVMValueRef guard, LLVMValueRef object, unsigned kind) {
    LLVMTypeRef i16 = emitter->i16;
    LLVMBuildStore(emitter->builder, object,
                   emit_field(emitter, guard, OFFSET_AltGuard_object, ""));
    LLVMBuildStore(emitter->builder, LLVMConstInt(i16, kind, 0),
                   emit_field(emitter, guard, OFFSET_AltGuard_kind, ""));
}

static LLVMValueRef entry_after(Emitter *emitter, LLVMValueRef guard, size_t entries) {
    return emit_field(emitter, guard, (unsigned)entries * SIZE_AltGuard, "");
}

static void fill_clocks(Emitter *emitter, const Node *next, LLVMValueRef address) {
    size_t count = clocks_of(next);
    for (size_t i = 0; i < count; i++) {
        LLVMBuildStore(
            emitter->builder, emit_clock_guard(emitter, next->next.clocks.items[i]),
            emit_field(emitter, entry_after(emitter, address, 2 + i), OFFSET_AltGuard_object, ""));
    }
    if (count > 0) {
        store_guard(emitter, address, entry_after(emitter, address, 2), LAYOUT_GUARD_CLOCKS);
    } else {
        store_guard(emitter, address, emit_clock_guard(emitter, next->next.clocks.items[0]),
                    LAYOUT_GUARD_CLOCK);
    }
}

static void fill_guard_object(Emitter *emitter, Node *guard, LLVMValueRef address) {
    LLVMValueRef nothing = LLVMConstNull(emitter->ptr);
    if (guard->kind == NODE_SKIP || (guard->kind == NODE_INPUT && alt_timer(guard) != NULL)) {
        store_guard(emitter, address, nothing, LAYOUT_GUARD_SKIP);
    } else if (alt_channel(guard) != NULL) {
        store_guard(emitter, address, emit_channel(emitter, alt_channel(guard)),
                    guard->kind == NODE_OUTPUT   ? LAYOUT_GUARD_OUTPUT
                    : guard->kind == NODE_CLOSED ? LAYOUT_GUARD_CLOSED
                                                 : LAYOUT_GUARD_INPUT);
    } else if (guard->kind == NODE_NEXT) {
        fill_clocks(emitter, guard, address);
    } else if (guard->kind == NODE_DELAY) {
        LLVMValueRef time = emit_scalar(emitter, guard->delay.time);
        LLVMValueRef wide = LLVMBuildSExt(emitter->builder, time, emitter->i64, "");
        LLVMValueRef object = LLVMBuildIntToPtr(emitter->builder, wide, emitter->ptr, "");
        store_guard(emitter, address, object, LAYOUT_GUARD_TIMER);
    } else {
        emit_not_supported(emitter, guard->at,
                           arena_format(emitter->arena, "%s as a guard", node_title(guard->kind)));
        store_guard(emitter, address, nothing, LAYOUT_GUARD_OFF);
    }
}

/* The timer or the items of a guard that is on, unless evaluated already or not needed. */
static void fill_items(Emitter *emitter, const AltPlan *plan, const AltEntry *entry,
                       LLVMValueRef position) {
    Node *guard = entry->alternative->alternative.guard;
    if (!entry->is_evaluated && alt_chooses_timer(guard)) {
        emit_place(emitter, alt_timer(guard));
    }
    if (entry->is_evaluated || guard->kind != NODE_OUTPUT) {
        return;
    }
    if (entry->depth == 0 || entry->slots == NULL) {
        emit_output_items(emitter, guard, entry->slots);
        return;
    }
    size_t count = guard->output.items.count;
    LLVMValueRef *words = arena_new_array(emitter->arena, LLVMValueRef, count + 1);
    size_t word = 0;
    for (size_t i = 0; i < count; i++) {
        words[i] = NULL;
        if (entry->slots[i] != NULL) {
            words[i] = alt_payload_address(emitter, plan, position, word);
            word += alt_payload_words(emit_item_slot_type(guard, i));
        }
    }
    emit_output_items(emitter, guard, words);
}

static void fill_on(Emitter *emitter, const AltPlan *plan, const AltEntry *entry,
                    LLVMValueRef position, LLVMValueRef address) {
    fill_items(emitter, plan, entry, position);
    fill_guard_object(emitter, entry->alternative->alternative.guard, address);
}

static void fill_condition(Emitter *emitter, const AltPlan *plan, const AltEntry *entry,
                           LLVMValueRef position, LLVMValueRef address) {
    LLVMValueRef is_on = alt_is_on(emitter, entry);
    if (is_on == NULL) {
        fill_on(emitter, plan, entry, position, address);
        return;
    }
    LLVMBasicBlockRef on = emit_block(emitter, "guard.on");
    LLVMBasicBlockRef off = emit_block(emitter, "guard.off");
    LLVMBasicBlockRef done = emit_block(emitter, "guard.done");
    LLVMBuildCondBr(emitter->builder, is_on, on, off);
    emit_enter(emitter, on);
    fill_on(emitter, plan, entry, position, address);
    emit_jump(emitter, done);
    emit_enter(emitter, off);
    store_guard(emitter, address, LLVMConstNull(emitter->ptr), LAYOUT_GUARD_OFF);
    emit_continue(emitter, done);
}

/* An entry that is off and holds a number for the runtime. */
static void store_number(Emitter *emitter, LLVMValueRef entry, LLVMValueRef number) {
    LLVMBuildStore(emitter->builder, LLVMConstInt(emitter->i16, LAYOUT_GUARD_OFF, 0),
                   emit_field(emitter, entry, OFFSET_AltGuard_kind, ""));
    LLVMBuildStore(emitter->builder, number, emit_field(emitter, entry, OFFSET_AltGuard_index, ""));
}

/* The entries behind a CLOSED or NEXT guard: the link, which is off and holds the position of that
 * guard; one for each of several clocks, whose objects are there already when the guard is on. */
static void fill_link(Emitter *emitter, AltPlan *plan, const Node *guard, LLVMValueRef position) {
    LLVMBuilderRef builder = emitter->builder;
    size_t clocks = clocks_of(guard);
    LLVMValueRef link = alt_guard_address(emitter, plan, alt_load_i32(emitter, plan->position));
    store_guard(emitter, link, LLVMConstNull(emitter->ptr), LAYOUT_GUARD_OFF);
    store_number(emitter, link, position);
    LLVMBuildStore(builder, LLVMConstInt(emitter->i16, clocks, 0),
                   emit_field(emitter, link, OFFSET_AltGuard_alternative, ""));
    for (size_t i = 0; i < clocks; i++) {
        store_number(emitter, entry_after(emitter, link, 1 + i), emit_i32(emitter, 0));
    }
    add_to(emitter, plan->position, emit_i32(emitter, (int64_t)clocks + 1));
}

static void fill_guard(Emitter *emitter, AltPlan *plan) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef position = alt_load_i32(emitter, plan->position);
    LLVMValueRef address = alt_guard_address(emitter, plan, position);
    const AltEntry *entry = plan->guards.items[plan->filled];
    const Node *guard = entry->alternative->alternative.guard;
    fill_condition(emitter, plan, entry, position, address);
    LLVMBuildStore(builder, LLVMConstInt(emitter->i16, plan->filled++, 0),
                   emit_field(emitter, address, OFFSET_AltGuard_alternative, ""));
    for (size_t i = 0; i < plan->depth; i++) {
        bool is_innermost = i + 1 == plan->depth;
        LLVMValueRef to = is_innermost ? emit_field(emitter, address, OFFSET_AltGuard_index, "")
                                       : alt_outer_address(emitter, plan, position, i);
        LLVMBuildStore(builder, emit_find_binding(emitter, plan->replicators[i])->value, to);
    }
    add_to(emitter, plan->position, emit_i32(emitter, 1));
    if (entries_of(guard) > 1) {
        fill_link(emitter, plan, guard, position);
    }
}

static void fill_alt(Emitter *emitter, AltPlan *plan, Node *alt);

/* An entry that says which rule holds for how many guards after it. */
static void fill_group(Emitter *emitter, AltPlan *plan, Node *alt) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef position = alt_load_i32(emitter, plan->position);
    LLVMValueRef address = alt_guard_address(emitter, plan, position);
    add_to(emitter, plan->position, emit_i32(emitter, 1));
    LLVMValueRef first = alt_load_i32(emitter, plan->position);
    fill_alt(emitter, plan, alt);
    LLVMValueRef end = alt_load_i32(emitter, plan->position);
    LLVMValueRef count =
        LLVMBuildZExt(builder, LLVMBuildSub(builder, end, first, ""), emitter->i64, "");
    LLVMValueRef object = LLVMBuildIntToPtr(builder, count, emitter->ptr, "");
    store_guard(emitter, address, object, LAYOUT_GUARD_GROUP);
    LLVMBuildStore(builder, emit_i32(emitter, alt->alt.is_pri),
                   emit_field(emitter, address, OFFSET_AltGuard_index, ""));
}

static void fill_alternative(Emitter *emitter, AltPlan *plan, const Node *alt, Node *alternative) {
    const NodeList *specs = &alternative->alternative.specs;
    Node *guard = alternative->alternative.guard;
    emit_specifications(emitter, specs, alternative);
    if (is_group(alt, guard)) {
        fill_group(emitter, plan, guard);
    } else if (guard->kind == NODE_ALT) {
        fill_alt(emitter, plan, guard);
    } else {
        fill_guard(emitter, plan);
    }
    emit_scope_end(emitter, specs);
}

static void fill_alt(Emitter *emitter, AltPlan *plan, Node *alt) {
    ReplicatorLoop loop;
    memset(&loop, 0, sizeof loop);
    bool is_replicated = alt->alt.replicator != NULL;
    if (is_replicated) {
        emit_replicator_values(emitter, alt->alt.replicator, &loop);
        emit_replicator_begin(emitter, alt->alt.replicator, &loop);
        plan->replicators[plan->depth++] = alt_replicator(alt);
    }
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        fill_alternative(emitter, plan, alt, alt->alt.alternatives.items[i]);
    }
    if (is_replicated) {
        plan->depth--;
        emit_replicator_end(emitter, &loop);
    }
}

/* ---- the call ---- */

static const char *guard_name(Emitter *emitter, Node *guard) {
    if (guard->kind != NODE_NEXT) {
        Node *channel = alt_channel(guard);
        return channel != NULL ? emit_object_name(emitter, channel) : NULL;
    }
    const NodeList *clocks = &guard->next.clocks;
    const char *names = emit_object_name(emitter, clocks->items[0]);
    for (size_t i = 1; i < clocks->count; i++) {
        names = arena_format(emitter->arena, "%s', '%s", names,
                             emit_object_name(emitter, clocks->items[i]));
    }
    return names;
}

/* The channels of the guards for the report of a deadlock: `left', 'right`, or NULL. */
static const char *guard_names(Emitter *emitter, const AltPlan *plan) {
    const char *names = NULL;
    const char *last = "";
    size_t count = 0;
    for (size_t i = 0; i < plan->guards.count; i++) {
        Node *guard = plan->guards.items[i]->alternative->alternative.guard;
        const char *name = guard_name(emitter, guard);
        if (name == NULL || strcmp(name, last) == 0) {
            continue;
        }
        if (count++ == NAMES_SHOWN) {
            return arena_format(emitter->arena, "%s ...", names);
        }
        names = names == NULL ? name : arena_format(emitter->arena, "%s', '%s", names, name);
        last = name;
    }
    return names;
}

/* Has the inlined look counted the guards as the record does? A look at a few together counts only
 * channels. */
static bool counts_alike(const AltPlan *plan) {
    bool counts_channels = plan->guards.count > 1 && alt_can_look_together(plan);
    for (size_t i = 0; i < plan->guards.count; i++) {
        Node *guard = plan->guards.items[i]->alternative->alternative.guard;
        if (entries_of(guard) > 1 || (counts_channels && alt_channel(guard) == NULL)) {
            return false;
        }
    }
    return true;
}

static int64_t flags_of(const AltPlan *plan) {
    bool goes_on = plan->has_looked && counts_alike(plan);
    return (plan->has_groups ? LAYOUT_ALT_HAS_GROUPS : 0) | (goes_on ? LAYOUT_ALT_HAS_LOOKED : 0);
}

void alt_select(Emitter *emitter, AltPlan *plan) {
    LLVMBuilderRef builder = emitter->builder;
    make_record(emitter, plan);
    plan->position = emit_alloca(emitter, emitter->i32, "alt.position");
    LLVMBuildStore(builder, emit_i32(emitter, 0), plan->position);
    fill_alt(emitter, plan, plan->alt);
    LLVMBuildStore(builder, alt_load_i32(emitter, plan->position),
                   emit_field(emitter, plan->record, OFFSET_Alt_count, ""));
    LLVMBuildStore(builder, emit_i32(emitter, plan->alt->alt.is_pri),
                   emit_field(emitter, plan->record, OFFSET_Alt_is_pri, ""));
    LLVMBuildStore(builder, emit_i32(emitter, flags_of(plan)),
                   emit_field(emitter, plan->record, OFFSET_Alt_flags, ""));
    LLVMBuildStore(builder, emit_i64(emitter, 0),
                   emit_field(emitter, plan->record, OFFSET_Alt_state, ""));
    LLVMValueRef arguments[] = {
        plan->record, emit_wait_site(emitter, WAIT_ALT, plan->alt->at, guard_names(emitter, plan))};
    emit_runtime_call(emitter, RT_alt_select, arguments);
}
