/* alternative -- ALT and PRI ALT.
 *
 * Owns:   the record of an ALT (Alt, AltGuard of layout.def), filling its guards, the dispatch.
 * Leaves: the choice, registration and withdrawal to occ_alt_select, the input itself to
 *         communication.c: the partner of the chosen guard is waiting, so it is an ordinary input.
 * Holds:  guards are filled in textual order, replicated ones in the order of their indices; a
 *         guard whose condition is FALSE is off, and its channel is not evaluated (it may have a
 *         subscript that only the condition makes valid). Specifications before a guard are
 *         emitted for the fill and again for the guarded process: they have no side effects.
 *
 * The record:  Alt | AltGuard[capacity] | int32_t outer[capacity][depth - 1]
 * AltGuard.index is the value of the innermost replicator, outer[] those round it. */
#include "emit.h"
#include "layout_offsets.h"

#include <string.h>

#define MAX_DEPTH 16

/* Guard -- one guard of the text (a replicated one stands for many of the record). */
typedef struct Guard {
    Node *alternative;
    Symbol *replicators[MAX_DEPTH]; /* outermost first */
    size_t depth;
    ARRAY_OF(Node *) specs; /* round it, in order, its own included */
} Guard;

typedef struct AltPlan {
    Node *alt;
    LLVMValueRef record;
    LLVMValueRef heap;     /* the record, when it is not in the frame */
    LLVMValueRef capacity; /* i32 */
    LLVMValueRef position; /* i32 in memory: guards filled */
    size_t max_depth;
    Symbol *replicators[MAX_DEPTH];
    size_t depth;
    ARRAY_OF(Node *) specs;
    ARRAY_OF(Guard *) guards;
} AltPlan;

/* ---- how many guards ---- */

static int64_t fixed_capacity(const Node *alt);

static int64_t fixed_sum(const Node *alt) {
    int64_t sum = 0;
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        const Node *guard = alt->alt.alternatives.items[i]->alternative.guard;
        int64_t part = guard->kind == NODE_ALT ? fixed_capacity(guard) : 1;
        if (part < 0) {
            return -1;
        }
        sum += part;
    }
    return sum;
}

/* Guards of the ALT when that is known now, else -1. */
static int64_t fixed_capacity(const Node *alt) {
    int64_t sum = fixed_sum(alt);
    if (alt->alt.replicator == NULL || sum < 0) {
        return sum;
    }
    const Constant *count = alt->alt.replicator->replicator.count->constant;
    return count != NULL && count->integer >= 0 ? sum * count->integer : -1;
}

static size_t nesting(const Node *alt) {
    size_t inner = 0;
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        const Node *guard = alt->alt.alternatives.items[i]->alternative.guard;
        size_t depth = guard->kind == NODE_ALT ? nesting(guard) : 0;
        inner = depth > inner ? depth : inner;
    }
    return inner + (alt->alt.replicator != NULL);
}

static LLVMValueRef load_i32(Emitter *emitter, LLVMValueRef slot) {
    return LLVMBuildLoad2(emitter->builder, emitter->i32, slot, "");
}

static void add_to(Emitter *emitter, LLVMValueRef slot, LLVMValueRef more) {
    LLVMValueRef sum = LLVMBuildAdd(emitter->builder, load_i32(emitter, slot), more, "");
    LLVMBuildStore(emitter->builder, sum, slot);
}

static Symbol *replicator_symbol(const Node *alt) {
    return alt->alt.replicator->replicator.def->def.symbol;
}

static void count_guards(Emitter *emitter, Node *alt, LLVMValueRef slot);

static void count_alternatives(Emitter *emitter, Node *alt, LLVMValueRef slot) {
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        Node *alternative = alt->alt.alternatives.items[i];
        if (alternative->alternative.guard->kind != NODE_ALT) {
            add_to(emitter, slot, emit_i32(emitter, 1));
            continue;
        }
        const NodeList *specs = &alternative->alternative.specs;
        emit_specifications(emitter, specs, NULL);
        count_guards(emitter, alternative->alternative.guard, slot);
        emit_scope_end(emitter, specs);
    }
}

/* Add the guards of the ALT, as they are at run time, to the slot. */
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
    plan->max_depth = nesting(plan->alt);
    uint64_t each = SIZE_AltGuard + 4 * (plan->max_depth > 1 ? plan->max_depth - 1 : 0);
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
    plan->capacity = load_i32(emitter, slot);
    LLVMValueRef wide = LLVMBuildZExt(builder, plan->capacity, emitter->i64, "");
    LLVMValueRef size =
        LLVMBuildAdd(builder, LLVMBuildMul(builder, wide, emit_i64(emitter, (int64_t)each), ""),
                     emit_i64(emitter, SIZE_Alt), "");
    LLVMValueRef arguments[] = {size, emit_site(emitter, ERROR_NO_MEMORY, plan->alt->at, "ALT")};
    plan->heap = emit_runtime_call(emitter, RT_heap_allocate, arguments);
    plan->record = plan->heap;
}

static LLVMValueRef guard_address(Emitter *emitter, const AltPlan *plan, LLVMValueRef position) {
    LLVMValueRef guards = emit_field(emitter, plan->record, SIZE_Alt, "");
    LLVMTypeRef guard = LLVMArrayType2(emitter->i8, SIZE_AltGuard);
    LLVMValueRef wide = LLVMBuildZExt(emitter->builder, position, emitter->i64, "");
    return LLVMBuildInBoundsGEP2(emitter->builder, guard, guards, &wide, 1, "guard");
}

/* Where the value of the outer replicator `level` of the guard at `position` lies. */
static LLVMValueRef outer_address(Emitter *emitter, const AltPlan *plan, LLVMValueRef position,
                                  size_t level) {
    LLVMValueRef end = guard_address(emitter, plan, plan->capacity);
    LLVMValueRef row = LLVMBuildMul(emitter->builder, position,
                                    emit_i32(emitter, (int64_t)plan->max_depth - 1), "");
    LLVMValueRef place = LLVMBuildAdd(emitter->builder, row, emit_i32(emitter, (int64_t)level), "");
    LLVMValueRef wide = LLVMBuildZExt(emitter->builder, place, emitter->i64, "");
    return LLVMBuildInBoundsGEP2(emitter->builder, emitter->i32, end, &wide, 1, "");
}

/* ---- filling ---- */

static void store_guard(Emitter *emitter, LLVMValueRef guard, LLVMValueRef object, unsigned kind) {
    LLVMTypeRef i16 = emitter->i16;
    LLVMBuildStore(emitter->builder, object,
                   emit_field(emitter, guard, OFFSET_AltGuard_object, ""));
    LLVMBuildStore(emitter->builder, LLVMConstInt(i16, kind, 0),
                   emit_field(emitter, guard, OFFSET_AltGuard_kind, ""));
}

static void fill_guard_object(Emitter *emitter, Node *guard, LLVMValueRef address) {
    LLVMValueRef nothing = LLVMConstNull(emitter->ptr);
    if (guard->kind == NODE_SKIP || (guard->kind == NODE_INPUT && guard->input.is_timer)) {
        store_guard(emitter, address, nothing, LAYOUT_GUARD_SKIP);
    } else if (guard->kind == NODE_INPUT || guard->kind == NODE_INPUT_CASE) {
        Node *channel =
            guard->kind == NODE_INPUT ? guard->input.channel : guard->input_case.channel;
        store_guard(emitter, address, emit_channel(emitter, channel), LAYOUT_GUARD_INPUT);
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

static void fill_condition(Emitter *emitter, Node *alternative, LLVMValueRef address) {
    Node *condition = alternative->alternative.condition;
    if (condition == NULL) {
        fill_guard_object(emitter, alternative->alternative.guard, address);
        return;
    }
    LLVMBasicBlockRef on = emit_block(emitter, "guard.on");
    LLVMBasicBlockRef off = emit_block(emitter, "guard.off");
    LLVMBasicBlockRef done = emit_block(emitter, "guard.done");
    LLVMBuildCondBr(emitter->builder, emit_condition(emitter, condition), on, off);
    emit_enter(emitter, on);
    fill_guard_object(emitter, alternative->alternative.guard, address);
    emit_jump(emitter, done);
    emit_enter(emitter, off);
    store_guard(emitter, address, LLVMConstNull(emitter->ptr), LAYOUT_GUARD_OFF);
    emit_jump(emitter, done);
    emit_enter(emitter, done);
}

static void remember_guard(Emitter *emitter, AltPlan *plan, Node *alternative) {
    Guard *guard = arena_new(emitter->arena, Guard);
    guard->alternative = alternative;
    guard->depth = plan->depth;
    memcpy(guard->replicators, plan->replicators, sizeof guard->replicators);
    for (size_t i = 0; i < plan->specs.count; i++) {
        array_push(emitter->arena, &guard->specs, plan->specs.items[i]);
    }
    array_push(emitter->arena, &plan->guards, guard);
}

static void fill_guard(Emitter *emitter, AltPlan *plan, Node *alternative) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef position = load_i32(emitter, plan->position);
    LLVMValueRef address = guard_address(emitter, plan, position);
    fill_condition(emitter, alternative, address);
    LLVMBuildStore(builder, LLVMConstInt(emitter->i16, plan->guards.count, 0),
                   emit_field(emitter, address, OFFSET_AltGuard_alternative, ""));
    for (size_t i = 0; i < plan->depth; i++) {
        bool innermost = i + 1 == plan->depth;
        LLVMValueRef to = innermost ? emit_field(emitter, address, OFFSET_AltGuard_index, "")
                                    : outer_address(emitter, plan, position, i);
        LLVMBuildStore(builder, emit_find_binding(emitter, plan->replicators[i])->value, to);
    }
    add_to(emitter, plan->position, emit_i32(emitter, 1));
    remember_guard(emitter, plan, alternative);
}

static void fill_alt(Emitter *emitter, AltPlan *plan, Node *alt);

static void fill_alternative(Emitter *emitter, AltPlan *plan, Node *alternative) {
    const NodeList *specs = &alternative->alternative.specs;
    size_t outside = plan->specs.count;
    emit_specifications(emitter, specs, alternative);
    for (size_t i = 0; i < specs->count; i++) {
        array_push(emitter->arena, &plan->specs, specs->items[i]);
    }
    if (alternative->alternative.guard->kind == NODE_ALT) {
        fill_alt(emitter, plan, alternative->alternative.guard);
    } else {
        fill_guard(emitter, plan, alternative);
    }
    plan->specs.count = outside;
    emit_scope_end(emitter, specs);
}

static void fill_alt(Emitter *emitter, AltPlan *plan, Node *alt) {
    ReplicatorLoop loop;
    memset(&loop, 0, sizeof loop);
    bool is_replicated = alt->alt.replicator != NULL;
    if (is_replicated) {
        if (plan->depth == MAX_DEPTH) {
            emit_not_supported(emitter, alt->at, "an ALT nested this deep");
            return;
        }
        emit_replicator_values(emitter, alt->alt.replicator, &loop);
        emit_replicator_begin(emitter, alt->alt.replicator, &loop);
        plan->replicators[plan->depth++] = replicator_symbol(alt);
    }
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        fill_alternative(emitter, plan, alt->alt.alternatives.items[i]);
    }
    if (is_replicated) {
        plan->depth--;
        emit_replicator_end(emitter, &loop);
    }
}

/* ---- the chosen guard ---- */

static void bind_replicators(Emitter *emitter, const AltPlan *plan, const Guard *guard,
                             LLVMValueRef position, LLVMValueRef address) {
    for (size_t i = 0; i < guard->depth; i++) {
        bool innermost = i + 1 == guard->depth;
        LLVMValueRef from = innermost ? emit_field(emitter, address, OFFSET_AltGuard_index, "")
                                      : outer_address(emitter, plan, position, i);
        emit_bind_value(emitter, guard->replicators[i], load_i32(emitter, from));
    }
}

static void emit_guarded(Emitter *emitter, Node *alternative) {
    Node *guard = alternative->alternative.guard;
    if (guard->kind == NODE_INPUT) {
        emit_input(emitter, guard);
    } else if (guard->kind == NODE_INPUT_CASE) {
        emit_input_case(emitter, guard);
    }
    if (alternative->alternative.process != NULL) {
        emit_process(emitter, alternative->alternative.process);
    }
}

static void emit_chosen(Emitter *emitter, const AltPlan *plan, const Guard *guard,
                        LLVMValueRef position, LLVMValueRef address) {
    bind_replicators(emitter, plan, guard, position, address);
    if (plan->heap != NULL) {
        LLVMValueRef heap = plan->heap;
        emit_runtime_call(emitter, RT_heap_free, &heap);
    }
    NodeList specs = {guard->specs.items, guard->specs.count, guard->specs.count};
    emit_specifications(emitter, &specs, guard->alternative);
    emit_guarded(emitter, guard->alternative);
    emit_scope_end(emitter, &specs);
}

static void emit_dispatch(Emitter *emitter, const AltPlan *plan) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef position =
        load_i32(emitter, emit_field(emitter, plan->record, OFFSET_Alt_chosen, ""));
    LLVMValueRef address = guard_address(emitter, plan, position);
    LLVMValueRef number =
        LLVMBuildLoad2(builder, emitter->i16,
                       emit_field(emitter, address, OFFSET_AltGuard_alternative, ""), "chosen");
    LLVMBasicBlockRef never = emit_block(emitter, "alt.never");
    LLVMBasicBlockRef done = emit_block(emitter, "alt.done");
    LLVMValueRef choice = LLVMBuildSwitch(builder, number, never, (unsigned)plan->guards.count);
    for (size_t i = 0; i < plan->guards.count; i++) {
        LLVMBasicBlockRef block = emit_block(emitter, "alt.chosen");
        LLVMAddCase(choice, LLVMConstInt(emitter->i16, i, 0), block);
        emit_enter(emitter, block);
        emit_chosen(emitter, plan, plan->guards.items[i], position, address);
        emit_jump(emitter, done);
    }
    emit_enter(emitter, never);
    LLVMBuildUnreachable(builder);
    emit_enter(emitter, done);
}

void emit_alt(Emitter *emitter, Node *alt) {
    LLVMBuilderRef builder = emitter->builder;
    if (alt->alt.alternatives.count == 0) {
        emit_error(emitter, ERROR_NO_GUARD, alt->at, NULL, NULL, NULL, NULL);
        return;
    }
    AltPlan plan;
    memset(&plan, 0, sizeof plan);
    plan.alt = alt;
    make_record(emitter, &plan);
    plan.position = emit_alloca(emitter, emitter->i32, "alt.position");
    LLVMBuildStore(builder, emit_i32(emitter, 0), plan.position);
    fill_alt(emitter, &plan, alt);
    LLVMBuildStore(builder, load_i32(emitter, plan.position),
                   emit_field(emitter, plan.record, OFFSET_Alt_count, ""));
    LLVMBuildStore(builder, emit_i32(emitter, alt->alt.is_pri),
                   emit_field(emitter, plan.record, OFFSET_Alt_is_pri, ""));
    LLVMBuildStore(builder, emit_i64(emitter, 0),
                   emit_field(emitter, plan.record, OFFSET_Alt_state, ""));
    LLVMValueRef arguments[] = {plan.record, emit_site(emitter, WAIT_ALT, alt->at, NULL)};
    emit_runtime_call(emitter, RT_alt_select, arguments);
    emit_dispatch(emitter, &plan);
}
