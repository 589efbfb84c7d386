/* alt_probe -- look for a guard that is ready before any record is made.
 *
 * Owns:   the inlined look over the guards of an ALT whose replicators are not nested: from a
 * random place in cyclic order (ALT), in textual order (PRI ALT). Leaves: everything but a plain
 * partner in a channel to alt_record.c: no guard ready, SKIP, timers, devices, ALTs, closed
 * channels. Holds:  a ready channel is taken before SKIP and timers are looked at in a
 * fair ALT; so those guards are passed over here. Looking stops at the first ready guard; therefore
 * conditions must be such that leaving one out cannot be seen: no calls, nothing that may overflow.
 */
#include "alternative.h"
#include "layout_offsets.h"

#include <string.h>

/* ---- which ALTs ---- */

static bool is_plain(const Node *expression) {
    if (expression->constant != NULL || expression->kind == NODE_NAME) {
        return true;
    }
    if (expression->kind == NODE_SUBSCRIPT) {
        return is_plain(expression->subscript.base) && is_plain(expression->subscript.index);
    }
    if (expression->kind == NODE_MONADIC) {
        return expression->monadic.op == OPERATOR_NOT && is_plain(expression->monadic.operand);
    }
    if (expression->kind != NODE_DYADIC) {
        return false;
    }
    switch (expression->dyadic.op) {
    case OPERATOR_EQUAL:
    case OPERATOR_NOT_EQUAL:
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
    case OPERATOR_AND:
    case OPERATOR_OR:
        return is_plain(expression->dyadic.left) && is_plain(expression->dyadic.right);
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER:
    case OPERATOR_PLUS:
    case OPERATOR_MINUS:
    case OPERATOR_TIMES:
    case OPERATOR_BITAND:
    case OPERATOR_BITOR:
    case OPERATOR_BITXOR:
    case OPERATOR_BITNOT:
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT:
    case OPERATOR_AFTER:
    case OPERATOR_NOT:
    case OPERATOR_NEGATE:
    case OPERATOR_USER:
    case OPERATOR_COUNT: return false;
    }
    return false;
}

static bool can_probe_entry(const AltEntry *entry) {
    for (size_t i = 0; i < entry->specs.count; i++) {
        if (entry->specs.items[i]->kind != NODE_DECLARATION) {
            return false; /* the guard may depend on it */
        }
    }
    const Node *condition = entry->alternative->alternative.condition;
    return condition == NULL || is_plain(condition);
}

bool alt_can_probe(const AltPlan *plan) {
    for (size_t i = 0; i < plan->guards.count; i++) {
        if (!can_probe_entry(plan->guards.items[i])) {
            return false;
        }
    }
    return true;
}

/* ---- the look ---- */

typedef struct Probe {
    AltPlan *plan;
    ReplicatorLoop *loops; /* of each replicated guard's ALT, by guard */
    LLVMValueRef *starts;  /* i32: position of each guard's first instance */
    LLVMValueRef total;    /* i32 */
    LLVMValueRef position; /* i32 in memory */
    LLVMBasicBlockRef found;
    LLVMBasicBlockRef next; /* look at the next position */
    LLVMBasicBlockRef slow; /* let the runtime look */
} Probe;

static bool is_replicated(const AltEntry *entry) {
    return entry->depth > 0;
}

/* Guards of one replicated ALT stand together and share its replicator: position p of the group is
 * instance p / width, guard p \ width, so that the order is that of the record. */
static size_t group_width(const AltPlan *plan, size_t first) {
    const AltEntry *entry = plan->guards.items[first];
    size_t width = 1;
    while (is_replicated(entry) && first + width < plan->guards.count &&
           plan->guards.items[first + width]->depth > 0 &&
           plan->guards.items[first + width]->alts[0] == entry->alts[0]) {
        width++;
    }
    return width;
}

static void measure(Emitter *emitter, Probe *probe) {
    AltPlan *plan = probe->plan;
    probe->total = emit_i32(emitter, 0);
    for (size_t i = 0; i < plan->guards.count;) {
        size_t width = group_width(plan, i);
        const AltEntry *entry = plan->guards.items[i];
        LLVMValueRef count = emit_i32(emitter, (int64_t)width);
        probe->starts[i] = probe->total;
        if (is_replicated(entry)) {
            emit_replicator_values(emitter, entry->alts[0]->alt.replicator, &probe->loops[i]);
            count = LLVMBuildMul(emitter->builder, probe->loops[i].count, count, "");
        }
        probe->total = LLVMBuildAdd(emitter->builder, probe->total, count, "");
        i += width;
    }
}

/* A random position: the worker's xorshift, as base/random.h has it. */
static LLVMValueRef random_start(Emitter *emitter, LLVMValueRef limit) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef field = emit_field(emitter, emit_worker(emitter), OFFSET_Worker_random, "");
    LLVMValueRef state = LLVMBuildLoad2(builder, emitter->i64, field, "random");
    LLVMValueRef shifted = LLVMBuildLShr(builder, state, emit_i64(emitter, 12), "");
    state = LLVMBuildXor(builder, state, shifted, "");
    shifted = LLVMBuildShl(builder, state, emit_i64(emitter, 25), "");
    state = LLVMBuildXor(builder, state, shifted, "");
    shifted = LLVMBuildLShr(builder, state, emit_i64(emitter, 27), "");
    state = LLVMBuildXor(builder, state, shifted, "");
    LLVMBuildStore(builder, state, field);
    LLVMValueRef mixed = LLVMBuildMul(builder, state, emit_i64(emitter, 0x2545F4914F6CDD1D), "");
    mixed = LLVMBuildLShr(builder, mixed, emit_i64(emitter, 32), "");
    LLVMValueRef wide = LLVMBuildZExt(builder, limit, emitter->i64, "");
    LLVMValueRef scaled = LLVMBuildMul(builder, mixed, wide, "");
    scaled = LLVMBuildLShr(builder, scaled, emit_i64(emitter, 32), "");
    return LLVMBuildTrunc(builder, scaled, emitter->i32, "start");
}

static void take(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index) {
    LLVMBuildStore(emitter->builder, emit_i32(emitter, (int64_t)number), probe->plan->number_slot);
    if (index != NULL) {
        LLVMBuildStore(emitter->builder, index, probe->plan->index_slot);
    }
    emit_jump(emitter, probe->found);
}

static void look_at_channel(Emitter *emitter, Probe *probe, Node *channel, size_t number,
                            LLVMValueRef index) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef somebody = emit_block(emitter, "probe.somebody");
    LLVMBasicBlockRef ready = emit_block(emitter, "probe.ready");
    LLVMValueRef address = emit_channel(emitter, channel);
    LLVMValueRef field = emit_field(emitter, address, OFFSET_Channel_word, "");
    LLVMValueRef word = LLVMBuildLoad2(builder, emitter->i64, field, "word");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, word, ""), probe->next, somebody);
    emit_enter(emitter, somebody);
    LLVMValueRef tag = LLVMBuildAnd(builder, word, emit_i64(emitter, LAYOUT_TAG_MASK), "");
    LLVMValueRef expected = emit_i64(emitter, LAYOUT_TAG_OUTPUT_WAITING);
    LLVMValueRef plain = LLVMBuildICmp(builder, LLVMIntEQ, tag, expected, "");
    LLVMBuildCondBr(builder, plain, ready, probe->slow);
    emit_enter(emitter, ready);
    take(emitter, probe, number, index);
}

static void look_at_condition(Emitter *emitter, Probe *probe, const Node *alternative) {
    if (alternative->alternative.condition == NULL) {
        return;
    }
    LLVMBasicBlockRef on = emit_block(emitter, "probe.on");
    LLVMValueRef is_on = emit_condition(emitter, alternative->alternative.condition);
    LLVMBuildCondBr(emitter->builder, is_on, on, probe->next);
    emit_enter(emitter, on);
}

static void look_at_guard(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index) {
    const AltEntry *entry = probe->plan->guards.items[number];
    Node *guard = entry->alternative->alternative.guard;
    bool is_pri = probe->plan->alt->alt.is_pri;
    bool is_timer =
        guard->kind == NODE_DELAY || (guard->kind == NODE_INPUT && guard->input.is_timer);
    if (index != NULL) {
        emit_bind_value(emitter, alt_replicator(entry->alts[0]), index);
    }
    if (!is_pri && (guard->kind == NODE_SKIP || is_timer)) {
        emit_jump(emitter, probe->next);
        return;
    }
    look_at_condition(emitter, probe, entry->alternative);
    if (guard->kind == NODE_INPUT && !is_timer) {
        look_at_channel(emitter, probe, guard->input.channel, number, index);
    } else if (guard->kind == NODE_INPUT_CASE) {
        look_at_channel(emitter, probe, guard->input_case.channel, number, index);
    } else { /* SKIP too: the runtime sees to it that a loop that polls gives way to others */
        emit_jump(emitter, probe->slow);
    }
}

/* The guards of one replicated ALT at the given position within the group. */
static void look_at_group(Emitter *emitter, Probe *probe, size_t first, size_t width,
                          LLVMValueRef position) {
    LLVMBuilderRef builder = emitter->builder;
    const ReplicatorLoop *loop = &probe->loops[first];
    LLVMValueRef columns = emit_i32(emitter, (int64_t)width);
    LLVMValueRef instance =
        width == 1 ? position : LLVMBuildUDiv(builder, position, columns, "instance");
    LLVMValueRef distance = LLVMBuildMul(builder, instance, loop->step, "");
    LLVMValueRef index = LLVMBuildAdd(builder, loop->base, distance, "index");
    if (width == 1) {
        look_at_guard(emitter, probe, first, index);
        return;
    }
    LLVMValueRef column = LLVMBuildURem(builder, position, columns, "");
    LLVMValueRef choice = LLVMBuildSwitch(builder, column, probe->slow, (unsigned)width);
    for (size_t i = 0; i < width; i++) {
        LLVMBasicBlockRef block = emit_block(emitter, "probe.guard");
        LLVMAddCase(choice, emit_i32(emitter, (int64_t)i), block);
        emit_enter(emitter, block);
        look_at_guard(emitter, probe, first + i, index);
    }
}

/* Find the guard at the position: groups in order, each but the last tested by where the next
 * one starts. */
static void look_at_position(Emitter *emitter, Probe *probe) {
    LLVMBuilderRef builder = emitter->builder;
    AltPlan *plan = probe->plan;
    LLVMValueRef position = alt_load_i32(emitter, probe->position);
    for (size_t i = 0; i < plan->guards.count;) {
        size_t width = group_width(plan, i);
        LLVMBasicBlockRef other = NULL;
        if (i + width < plan->guards.count) {
            LLVMBasicBlockRef here = emit_block(emitter, "probe.group");
            other = emit_block(emitter, "probe.other");
            LLVMValueRef before =
                LLVMBuildICmp(builder, LLVMIntULT, position, probe->starts[i + width], "");
            LLVMBuildCondBr(builder, before, here, other);
            emit_enter(emitter, here);
        }
        if (is_replicated(plan->guards.items[i])) {
            LLVMValueRef within = LLVMBuildSub(builder, position, probe->starts[i], "");
            look_at_group(emitter, probe, i, width, within);
        } else {
            look_at_guard(emitter, probe, i, NULL);
        }
        if (other != NULL) {
            emit_enter(emitter, other);
        }
        i += width;
    }
}

void alt_probe(Emitter *emitter, AltPlan *plan, LLVMBasicBlockRef found) {
    LLVMBuilderRef builder = emitter->builder;
    Probe probe = {
        .plan = plan,
        .loops = arena_new_array(emitter->arena, ReplicatorLoop, plan->guards.count),
        .starts = arena_new_array(emitter->arena, LLVMValueRef, plan->guards.count),
        .position = emit_alloca(emitter, emitter->i32, "probe.position"),
        .found = found,
        .next = emit_block(emitter, "probe.next"),
        .slow = emit_block(emitter, "alt.wait"),
    };
    LLVMValueRef left = emit_alloca(emitter, emitter->i32, "probe.left");
    LLVMBasicBlockRef look = emit_block(emitter, "probe.look");
    measure(emitter, &probe);
    LLVMValueRef start =
        plan->alt->alt.is_pri ? emit_i32(emitter, 0) : random_start(emitter, probe.total);
    LLVMBuildStore(builder, start, probe.position);
    LLVMBuildStore(builder, probe.total, left);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, probe.total, ""), probe.slow, look);

    emit_enter(emitter, look);
    look_at_position(emitter, &probe);

    emit_enter(emitter, probe.next);
    LLVMValueRef after =
        LLVMBuildAdd(builder, alt_load_i32(emitter, probe.position), emit_i32(emitter, 1), "");
    LLVMValueRef wraps = LLVMBuildICmp(builder, LLVMIntEQ, after, probe.total, "");
    after = LLVMBuildSelect(builder, wraps, emit_i32(emitter, 0), after, "");
    LLVMBuildStore(builder, after, probe.position);
    LLVMValueRef rest =
        LLVMBuildSub(builder, alt_load_i32(emitter, left), emit_i32(emitter, 1), "");
    LLVMBuildStore(builder, rest, left);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, rest, ""), probe.slow, look);
    emit_enter(emitter, probe.slow);
}
