/* alt_probe -- look for a guard that is ready before any record is made.
 *
 * Owns:   the inlined look over the guards of an ALT whose replicators are not nested: from a
 *         random place in cyclic order (ALT), in textual order (PRI ALT); a second look when the
 *         processes that were ready have run once.
 * Leaves: everything but a plain partner in a channel, and SKIP, to alt_record.c: no guard ready,
 *         timers, devices, ALTs, closed channels.
 * Holds:  a ready channel is taken before SKIP and timers are looked at in a fair ALT; so those
 *         guards are passed over at first. Looking stops at the first ready guard; therefore
 *         conditions and items have been evaluated before (alt_guard.c), or are such that leaving
 *         one out cannot be seen. */
#include "alternative.h"
#include "emit_clock.h"
#include "layout_offsets.h"

#include <string.h>

/* ---- which ALTs ---- */

typedef struct NameSearch {
    const AltEntry *entry;
    bool found;
} NameSearch;

static bool is_declared(const AltEntry *entry, const Symbol *symbol) {
    for (size_t i = 0; i < entry->specs.count; i++) {
        const NodeList *names = &entry->specs.items[i]->declaration.names;
        for (size_t k = 0; k < names->count; k++) {
            if (names->items[k]->def.symbol == symbol) {
                return true;
            }
        }
    }
    return false;
}

static void search_name(Node **child, void *context) {
    NameSearch *search = context;
    if ((*child)->kind == NODE_NAME) {
        search->found = search->found || is_declared(search->entry, (*child)->name.symbol);
    }
    node_visit_children(*child, search_name, search);
}

/* Does the guard name, before it commits, what is declared in front of it? */
static bool depends_on_specs(const AltEntry *entry) {
    NameSearch search = {entry, false};
    Node *alternative = entry->alternative;
    if (entry->specs.count > 0 && alternative->alternative.condition != NULL) {
        search_name(&alternative->alternative.condition, &search);
    }
    return search.found ||
           (entry->specs.count > 0 && alternative->alternative.guard->kind == NODE_OUTPUT);
}

static bool can_probe_entry(const AltEntry *entry) {
    for (size_t i = 0; i < entry->specs.count; i++) {
        if (entry->specs.items[i]->kind != NODE_DECLARATION) {
            return false; /* the guard may depend on it */
        }
    }
    if (depends_on_specs(entry)) {
        return false;
    }
    if (entry->depth == 0) {
        return true; /* alt_evaluate has seen to it */
    }
    const Node *condition = entry->alternative->alternative.condition;
    return (condition == NULL || alt_is_plain(condition)) &&
           alt_has_plain_items(entry->alternative->alternative.guard);
}

bool alt_can_probe(const AltPlan *plan) {
    if (plan->has_groups) {
        return false;
    }
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
    LLVMValueRef limit;    /* i32 in memory: where the round that is on ends */
    LLVMBasicBlockRef found;
    LLVMBasicBlockRef next; /* look at the next position */
    LLVMBasicBlockRef slow; /* nothing is ready, or not plainly: let others run and look again */
    LLVMBasicBlockRef wait; /* let the runtime look */
} Probe;

#define NO_NUMBER  SIZE_MAX
#define PEEL_LIMIT 4 /* guards of the text up to which the first look is emitted twice */

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

/* A random position: the state of the worker's xorshift (base/random.h) before it is moved on, so
 * that moving it on is not waited for. */
static LLVMValueRef random_start(Emitter *emitter, LLVMValueRef limit) {
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

static void take(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index) {
    LLVMBuildStore(emitter->builder, emit_i32(emitter, (int64_t)number), probe->plan->number_slot);
    if (index != NULL) {
        LLVMBuildStore(emitter->builder, index, probe->plan->index_slot);
    }
    emit_jump(emitter, probe->found);
}

/* Only a plain partner is taken here. An ALT, a device, a closed channel is the runtime's. */
static void look_at_channel(Emitter *emitter, Probe *probe, const Node *guard, Node *channel,
                            size_t number, LLVMValueRef index) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef somebody = emit_block(emitter, "probe.somebody");
    LLVMBasicBlockRef ready = emit_block(emitter, "probe.ready");
    LLVMValueRef address = emit_channel(emitter, channel);
    LLVMValueRef field = emit_field(emitter, address, OFFSET_Channel_word, "");
    LLVMValueRef word = LLVMBuildLoad2(builder, emitter->i64, field, "word");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, word, ""), probe->next, somebody);
    emit_enter(emitter, somebody);
    LLVMValueRef tag = LLVMBuildAnd(builder, word, emit_i64(emitter, LAYOUT_TAG_MASK), "");
    if (guard->kind == NODE_CLOSED) {
        LLVMValueRef closed = emit_i64(emitter, LAYOUT_TAG_CLOSED);
        LLVMValueRef is_closed = LLVMBuildICmp(builder, LLVMIntEQ, tag, closed, "");
        LLVMBuildCondBr(builder, is_closed, ready, probe->next);
    } else {
        LLVMValueRef expected =
            emit_i64(emitter, guard->kind == NODE_OUTPUT ? LAYOUT_TAG_INPUT_WAITING
                                                         : LAYOUT_TAG_OUTPUT_WAITING);
        LLVMValueRef plain = LLVMBuildICmp(builder, LLVMIntEQ, tag, expected, "");
        LLVMBuildCondBr(builder, plain, ready, probe->wait);
    }
    emit_enter(emitter, ready);
    take(emitter, probe, number, index);
}

static void look_at_clock(Emitter *emitter, Probe *probe, Node *guard, size_t number,
                          LLVMValueRef index) {
    LLVMBasicBlockRef ready = emit_block(emitter, "probe.over");
    LLVMValueRef is_over = emit_clock_is_over(emitter, emit_clock_guard(emitter, guard));
    LLVMBuildCondBr(emitter->builder, is_over, ready, probe->next);
    emit_enter(emitter, ready);
    take(emitter, probe, number, index);
}

/* A SKIP guard is ready; but a loop that polls gives way to others now and then: the runtime sees
 * to it when the count of polls says so. */
static void take_skip(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index) {
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
    take(emitter, probe, number, index);
}

static void look_at_condition(Emitter *emitter, LLVMValueRef is_on, LLVMBasicBlockRef off) {
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
    if (!is_pri && (guard->kind == NODE_SKIP || alt_is_timer(guard))) {
        emit_jump(emitter, probe->next);
        return;
    }
    look_at_condition(emitter, alt_is_on(emitter, entry), probe->next);
    Node *channel = alt_channel(guard);
    if (channel != NULL) {
        look_at_channel(emitter, probe, guard, channel, number, index);
    } else if (guard->kind == NODE_SKIP) {
        take_skip(emitter, probe, number, index);
    } else if (guard->kind == NODE_NEXT) {
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

/* The one SKIP guard of a fair ALT whose other guards are channels: taken when none of them is
 * ready. NO_NUMBER when there is none, or a choice among several. */
static size_t only_skip(const AltPlan *plan) {
    size_t found = NO_NUMBER;
    for (size_t i = 0; i < plan->guards.count; i++) {
        const AltEntry *entry = plan->guards.items[i];
        const Node *guard = entry->alternative->alternative.guard;
        bool is_skip = guard->kind == NODE_SKIP;
        if (alt_is_timer(guard) || (is_skip && (found != NO_NUMBER || entry->depth > 0))) {
            return NO_NUMBER;
        }
        found = is_skip ? i : found;
    }
    return plan->alt->alt.is_pri ? NO_NUMBER : found;
}

/* Go on at the next position up to `limit`: first the total, then the start. */
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

/* The first look by itself: whether the one after it is the last position or the first cannot be
 * predicted, so that is no branch. */
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

static void look_at_all(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "probe.look");
    bool is_pri = probe->plan->alt->alt.is_pri;
    LLVMValueRef start = is_pri ? emit_i32(emitter, 0) : random_start(emitter, probe->total);
    LLVMBuildStore(builder, start, probe->position);
    LLVMBuildStore(builder, probe->total, probe->limit);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, probe->total, ""), nothing, look);
    emit_enter(emitter, look);
    if (!is_pri && probe->plan->guards.count <= PEEL_LIMIT) {
        look_at_first(emitter, probe, start, nothing);
        look = emit_block(emitter, "probe.look");
        emit_jump(emitter, look);
        emit_enter(emitter, look);
    }
    look_at_position(emitter, probe);
    emit_enter(emitter, probe->next);
    go_on(emitter, probe, start, look, nothing);
}

/* A time that is waited for must be told to the runtime at once: the others may compute long. */
static bool has_timer(const AltPlan *plan) {
    for (size_t i = 0; i < plan->guards.count; i++) {
        if (alt_is_timer(plan->guards.items[i]->alternative->alternative.guard)) {
            return true;
        }
    }
    return false;
}

/* Nothing is ready. Before a record is made and every channel is told of it, those that are ready
 * run once: mostly they bring a partner, which then waits in an ordinary way; that costs less than
 * half of being woken from a record. */
static void look_again(Emitter *emitter, Probe *probe, LLVMValueRef tried,
                       LLVMBasicBlockRef again) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef first = emit_block(emitter, "probe.first");
    LLVMValueRef is_second = LLVMBuildLoad2(builder, emitter->i1, tried, "");
    LLVMBuildCondBr(builder, is_second, probe->wait, first);
    emit_enter(emitter, first);
    LLVMBuildStore(builder, LLVMConstInt(emitter->i1, 1, 0), tried);
    emit_let_others_run(emitter, probe->wait);
    emit_jump(emitter, again);
}

void alt_probe(Emitter *emitter, AltPlan *plan, LLVMBasicBlockRef found) {
    LLVMBuilderRef builder = emitter->builder;
    Probe probe = {
        .plan = plan,
        .loops = arena_new_array(emitter->arena, ReplicatorLoop, plan->guards.count),
        .starts = arena_new_array(emitter->arena, LLVMValueRef, plan->guards.count),
        .position = emit_alloca(emitter, emitter->i32, "probe.position"),
        .limit = emit_alloca(emitter, emitter->i32, "probe.limit"),
        .found = found,
        .next = emit_block(emitter, "probe.next"),
        .slow = emit_block(emitter, "probe.slow"),
        .wait = emit_block(emitter, "alt.wait"),
    };
    LLVMValueRef tried = emit_alloca(emitter, emitter->i1, "probe.tried");
    LLVMBasicBlockRef again = emit_block(emitter, "probe.again");
    LLVMBasicBlockRef nothing = emit_block(emitter, "probe.nothing");
    measure(emitter, &probe);
    LLVMBuildStore(builder, LLVMConstInt(emitter->i1, 0, 0), tried);
    emit_jump(emitter, again);
    emit_enter(emitter, again);
    LLVMBasicBlockRef alone = emit_block(emitter, "probe.alone");
    emit_if_alone(emitter, alone, probe.wait);
    emit_enter(emitter, alone);
    look_at_all(emitter, &probe, nothing);
    emit_enter(emitter, nothing);
    size_t skip = only_skip(plan);
    if (skip != NO_NUMBER) {
        look_at_condition(emitter, alt_is_on(emitter, plan->guards.items[skip]), probe.slow);
        take_skip(emitter, &probe, skip, NULL);
    } else {
        emit_jump(emitter, probe.slow);
    }
    emit_enter(emitter, probe.slow);
    if (has_timer(plan)) {
        emit_jump(emitter, probe.wait);
    } else {
        look_again(emitter, &probe, tried, again);
    }
    emit_enter(emitter, probe.wait);
}
