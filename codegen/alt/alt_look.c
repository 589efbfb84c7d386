/* alt_look -- one guard after the other: is it ready?
 *
 * Owns:   the look at a guard; going through the guards of an ALT from a random place in cyclic
 *         order (ALT) or in textual order (PRI ALT).
 * Leaves: looking at several channels at once, where possible, to alt_together.c; what follows a
 *         look in vain to alt_probe.c.
 * Holds:  as alt_probe.c. */
#include "alt_probe.h"
#include "emit_clock.h"
#include "layout_offsets.h"

#define PEEL_LIMIT 4 /* guards of the text up to which the first look is emitted twice */

static bool is_replicated(const AltEntry *entry) {
    return entry->depth > 0;
}

size_t alt_group_width(const AltPlan *plan, size_t first) {
    const AltEntry *entry = plan->guards.items[first];
    size_t width = 1;
    while (is_replicated(entry) && first + width < plan->guards.count &&
           plan->guards.items[first + width]->depth > 0 &&
           plan->guards.items[first + width]->alts[0] == entry->alts[0]) {
        width++;
    }
    return width;
}

/* The number comes from the worker's xorshift state (base/random.h) before its step, so that
 * nothing waits for the step. */
LLVMValueRef alt_random_start(Emitter *emitter, LLVMValueRef limit) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef field = emit_field(emitter, emit_worker(emitter), OFFSET_Worker_random, "");
    LLVMValueRef old = LLVMBuildLoad2(builder, emitter->i64, field, "random");
    LLVMValueRef shifted = LLVMBuildLShr(builder, old, emit_i64(emitter, 12), "");
    LLVMValueRef state = LLVMBuildXor(builder, old, shifted, "");
    shifted = LLVMBuildShl(builder, state, emit_i64(emitter, 25), "");
    state = LLVMBuildXor(builder, state, shifted, "");
    shifted = LLVMBuildLShr(builder, state, emit_i64(emitter, 27), "");
    state = LLVMBuildXor(builder, state, shifted, "");
    LLVMBuildStore(builder, state, field);
    LLVMValueRef high = LLVMBuildLShr(builder, old, emit_i64(emitter, 32), "");
    LLVMValueRef wide = LLVMBuildZExt(builder, limit, emitter->i64, "");
    LLVMValueRef scaled = LLVMBuildMul(builder, high, wide, "");
    scaled = LLVMBuildLShr(builder, scaled, emit_i64(emitter, 32), "");
    return LLVMBuildTrunc(builder, scaled, emitter->i32, "start");
}

void alt_take(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index,
              LLVMValueRef word) {
    LLVMBuildStore(emitter->builder, word != NULL ? word : emit_i64(emitter, 0),
                   probe->plan->word_slot);
    LLVMBuildStore(emitter->builder, emit_i32(emitter, (int64_t)number), probe->plan->number_slot);
    if (index != NULL) {
        LLVMBuildStore(emitter->builder, index, probe->plan->index_slot);
    }
    emit_jump(emitter, probe->found);
}

LLVMValueRef alt_is_partner(Emitter *emitter, const Node *guard, LLVMValueRef word) {
    LLVMValueRef tag =
        LLVMBuildAnd(emitter->builder, word, emit_i64(emitter, LAYOUT_TAG_MASK), "tag");
    LLVMValueRef expected = emit_i64(
        emitter, guard->kind == NODE_OUTPUT ? LAYOUT_TAG_INPUT_WAITING : LAYOUT_TAG_OUTPUT_WAITING);
    return LLVMBuildICmp(emitter->builder, LLVMIntEQ, tag, expected, "plain");
}

/* While several workers are active, nobody reads the word of a channel that another one owns. */
static void look_at_owner(Emitter *emitter, const Probe *probe, LLVMValueRef channel) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef may_look = emit_block(emitter, "probe.free");
    LLVMValueRef owner = emit_load_field(emitter, emitter->i16, channel, OFFSET_Channel_owner, "");
    LLVMSetOrdering(owner, LLVMAtomicOrderingAcquire);
    LLVMValueRef wide = LLVMBuildZExt(builder, owner, emitter->i32, "");
    LLVMValueRef is_free =
        LLVMBuildOr(builder, LLVMBuildIsNull(builder, owner, ""),
                    LLVMBuildICmp(builder, LLVMIntEQ, wide, probe->mark, ""), "free");
    LLVMBuildCondBr(builder, is_free, may_look, probe->wait);
    emit_enter(emitter, may_look);
}

/* Takes a plain partner, or a closed channel for a CLOSED guard; the runtime does all else. */
static void look_at_channel(Emitter *emitter, Probe *probe, const Node *guard, Node *channel,
                            size_t number, LLVMValueRef index) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef somebody = emit_block(emitter, "probe.somebody");
    LLVMBasicBlockRef ready = emit_block(emitter, "probe.ready");
    LLVMValueRef address = emit_channel(emitter, channel);
    if (probe->mark != NULL) {
        look_at_owner(emitter, probe, address);
    }
    LLVMValueRef word =
        emit_load_field(emitter, emitter->i64, address, OFFSET_Channel_word, "word");
    if (probe->mark != NULL) {
        LLVMSetOrdering(word, LLVMAtomicOrderingAcquire);
    }
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, word, ""), probe->next, somebody);
    emit_enter(emitter, somebody);
    LLVMValueRef tag = LLVMBuildAnd(builder, word, emit_i64(emitter, LAYOUT_TAG_MASK), "");
    if (guard->kind == NODE_CLOSED) {
        LLVMValueRef closed = emit_i64(emitter, LAYOUT_TAG_CLOSED);
        LLVMValueRef is_closed = LLVMBuildICmp(builder, LLVMIntEQ, tag, closed, "");
        LLVMBasicBlockRef open = emit_block(emitter, "look.open");
        LLVMBuildCondBr(builder, is_closed, ready, open);
        emit_enter(emitter, open);
        LLVMValueRef device = emit_i64(emitter, LAYOUT_TAG_DEVICE); /* the runtime asks it */
        LLVMValueRef is_device = LLVMBuildICmp(builder, LLVMIntEQ, tag, device, "");
        LLVMBuildCondBr(builder, is_device, probe->wait, probe->next);
    } else {
        LLVMValueRef plain = alt_is_partner(emitter, guard, word);
        LLVMBuildCondBr(builder, plain, ready, probe->wait);
    }
    emit_enter(emitter, ready);
    alt_take(emitter, probe, number, index, guard->kind == NODE_CLOSED ? NULL : word);
}

static void look_at_clock(Emitter *emitter, Probe *probe, Node *guard, size_t number,
                          LLVMValueRef index) {
    LLVMBasicBlockRef ready = emit_block(emitter, "probe.over");
    const NodeList *clocks = &guard->next.clocks;
    LLVMValueRef is_over = emit_clock_is_over(emitter, emit_clock_guard(emitter, clocks->items[0]));
    for (size_t i = 1; i < clocks->count; i++) {
        LLVMValueRef more =
            emit_clock_is_over(emitter, emit_clock_guard(emitter, clocks->items[i]));
        is_over = LLVMBuildAnd(emitter->builder, is_over, more, "");
    }
    LLVMBuildCondBr(emitter->builder, is_over, ready, probe->next);
    emit_enter(emitter, ready);
    alt_take(emitter, probe, number, index, NULL);
}

void alt_take_skip(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef taken = emit_block(emitter, "probe.skip");
    LLVMValueRef field = emit_field(emitter, emit_worker(emitter), OFFSET_Worker_polls, "");
    LLVMValueRef polls =
        LLVMBuildAdd(builder, alt_load_i32(emitter, field), emit_i32(emitter, 1), "");
    LLVMValueRef rest =
        LLVMBuildAnd(builder, polls, emit_i32(emitter, LAYOUT_POLL_PATIENCE - 1), "");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, rest, ""), probe->wait, taken);
    emit_enter(emitter, taken);
    LLVMBuildStore(builder, polls, field);
    alt_take(emitter, probe, number, index, NULL);
}

void alt_look_at_condition(Emitter *emitter, LLVMValueRef is_on, LLVMBasicBlockRef off) {
    if (is_on == NULL) {
        return;
    }
    LLVMBasicBlockRef on = emit_block(emitter, "probe.on");
    LLVMBuildCondBr(emitter->builder, is_on, on, off);
    emit_enter(emitter, on);
}

static void look_at_guard(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index) {
    const AltEntry *entry = probe->plan->guards.items[number];
    Node *guard = entry->alternative->alternative.guard;
    bool is_pri = probe->plan->alt->alt.is_pri;
    if (index != NULL) {
        emit_bind_value(emitter, alt_replicator(entry->alts[0]), index);
    }
    if (!is_pri && (guard->kind == NODE_SKIP || alt_timer(guard) != NULL)) {
        emit_jump(emitter, probe->next);
        return;
    }
    alt_look_at_condition(emitter, alt_is_on(emitter, entry), probe->next);
    Node *channel = alt_channel(guard);
    if (channel != NULL) {
        look_at_channel(emitter, probe, guard, channel, number, index);
    } else if (guard->kind == NODE_SKIP) {
        alt_take_skip(emitter, probe, number, index);
    } else if (guard->kind == NODE_NEXT && probe->mark == NULL) {
        look_at_clock(emitter, probe, guard, number, index);
    } else {
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

/* Find the guard at the position: the groups are tried in order, each by where the next starts. */
static void look_at_position(Emitter *emitter, Probe *probe) {
    LLVMBuilderRef builder = emitter->builder;
    AltPlan *plan = probe->plan;
    LLVMValueRef position = alt_load_i32(emitter, probe->position);
    for (size_t i = 0; i < plan->guards.count;) {
        size_t width = alt_group_width(plan, i);
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

/* Go on at the next position below `limit`: at first the total, after the wrap the start. */
static void go_on(Emitter *emitter, const Probe *probe, LLVMValueRef start, LLVMBasicBlockRef look,
                  LLVMBasicBlockRef end) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef turn = emit_block(emitter, "probe.turn");
    LLVMValueRef after =
        LLVMBuildAdd(builder, alt_load_i32(emitter, probe->position), emit_i32(emitter, 1), "");
    LLVMSetNUW(after, 1);
    LLVMBuildStore(builder, after, probe->position);
    LLVMValueRef limit = alt_load_i32(emitter, probe->limit);
    LLVMValueRef is_more = LLVMBuildICmp(builder, LLVMIntULT, after, limit, "");
    LLVMBuildCondBr(builder, is_more, look, turn);
    emit_enter(emitter, turn);
    LLVMBuildStore(builder, emit_i32(emitter, 0), probe->position);
    LLVMBuildStore(builder, start, probe->limit);
    LLVMValueRef is_over =
        LLVMBuildOr(builder, LLVMBuildICmp(builder, LLVMIntNE, limit, probe->total, ""),
                    LLVMBuildIsNull(builder, start, ""), "");
    LLVMBuildCondBr(builder, is_over, end, look);
}

/* The first look by itself: where the second is cannot be predicted, so its position is selected
 * without a branch. */
static void look_at_first(Emitter *emitter, Probe *probe, LLVMValueRef start,
                          LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef more = emit_block(emitter, "probe.more");
    LLVMBasicBlockRef next = probe->next;
    probe->next = emit_block(emitter, "probe.second");
    look_at_position(emitter, probe);
    emit_enter(emitter, probe->next);
    probe->next = next;
    LLVMValueRef after = LLVMBuildAdd(builder, start, emit_i32(emitter, 1), "");
    LLVMValueRef wraps = LLVMBuildICmp(builder, LLVMIntEQ, after, probe->total, "");
    LLVMValueRef position = LLVMBuildSelect(builder, wraps, emit_i32(emitter, 0), after, "");
    LLVMBuildStore(builder, position, probe->position);
    LLVMValueRef limit = LLVMBuildSelect(builder, wraps, start, probe->total, "");
    LLVMBuildStore(builder, limit, probe->limit);
    LLVMValueRef is_more = LLVMBuildICmp(builder, LLVMIntULT, position, limit, "");
    LLVMBuildCondBr(builder, is_more, more, nothing);
    emit_enter(emitter, more);
}

void alt_look_at_all(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "probe.look");
    bool is_pri = probe->plan->alt->alt.is_pri;
    probe->next = emit_block(emitter, "probe.next");
    LLVMValueRef start = is_pri ? emit_i32(emitter, 0) : alt_random_start(emitter, probe->total);
    LLVMBuildStore(builder, start, probe->position);
    LLVMBuildStore(builder, probe->total, probe->limit);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, probe->total, ""), nothing, look);
    emit_enter(emitter, look);
    if (!is_pri && probe->mark == NULL && probe->plan->guards.count <= PEEL_LIMIT) {
        look_at_first(emitter, probe, start, nothing);
        look = emit_block(emitter, "probe.look");
        emit_continue(emitter, look);
    }
    look_at_position(emitter, probe);
    emit_enter(emitter, probe->next);
    go_on(emitter, probe, start, look, nothing);
}
