/* alt_probe -- look for a guard that is ready before any record is made.
 *
 * Owns:   which ALTs are looked at inline: those whose replicators are not nested; a second look
 *         when the processes that were ready have run once.
 * Leaves: the look itself to alt_look.c and alt_together.c; everything but SKIP and a plain partner
 *         in a channel to alt_record.c: no guard ready, timers, devices, ALTs, closed channels.
 * Holds:  a fair ALT takes a ready channel before it takes SKIP or looks at timers, so those guards
 *         are passed over at first. Looking stops at the first ready guard; therefore
 *         conditions and items have been evaluated before (alt_guard.c), or are such that leaving
 *         one out cannot be seen. */
#include "alt_probe.h"
#include "layout_offsets.h"

#define NO_NUMBER SIZE_MAX

/* An ALT with more guards in its text is left to the runtime: the code of each look is as long as
 * the list, and LLVM takes more than linear time over it. */
enum { PROBED_MOST = 64 };

/* ---- which ALTs ---- */

typedef struct NameSearch {
    const AltEntry *entry;
    bool is_found;
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
        search->is_found = search->is_found || is_declared(search->entry, (*child)->name.symbol);
    }
    node_visit_children(*child, search_name, search);
}

/* Does the condition or an item to be sent use what is declared in front of the guard? */
static bool depends_on_specs(const AltEntry *entry) {
    NameSearch search = {entry, false};
    Node *alternative = entry->alternative;
    if (entry->specs.count > 0 && alternative->alternative.condition != NULL) {
        search_name(&alternative->alternative.condition, &search);
    }
    return search.is_found ||
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
        return true; /* alt_evaluate has evaluated it */
    }
    const Node *condition = entry->alternative->alternative.condition;
    const Node *guard = entry->alternative->alternative.guard;
    return (condition == NULL || alt_is_plain(condition)) && alt_has_plain_items(guard) &&
           !alt_chooses_timer(guard);
}

bool alt_can_probe(const AltPlan *plan) {
    if (plan->has_groups || plan->guards.count > PROBED_MOST) {
        return false;
    }
    for (size_t i = 0; i < plan->guards.count; i++) {
        if (!can_probe_entry(plan->guards.items[i])) {
            return false;
        }
    }
    return true;
}

/* ---- the guards ---- */

static void measure(Emitter *emitter, Probe *probe) {
    AltPlan *plan = probe->plan;
    probe->total = emit_i32(emitter, 0);
    for (size_t i = 0; i < plan->guards.count;) {
        size_t width = alt_group_width(plan, i);
        const AltEntry *entry = plan->guards.items[i];
        LLVMValueRef count = emit_i32(emitter, (int64_t)width);
        probe->starts[i] = probe->total;
        if (entry->depth > 0) {
            emit_replicator_values(emitter, entry->alts[0]->alt.replicator, &probe->loops[i]);
            count = LLVMBuildMul(emitter->builder, probe->loops[i].count, count, "");
        }
        probe->total = LLVMBuildAdd(emitter->builder, probe->total, count, "");
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
        if (alt_timer(guard) != NULL || (is_skip && (found != NO_NUMBER || entry->depth > 0))) {
            return NO_NUMBER;
        }
        found = is_skip ? i : found;
    }
    return plan->alt->alt.is_pri ? NO_NUMBER : found;
}

static bool has_timer(const AltPlan *plan) {
    for (size_t i = 0; i < plan->guards.count; i++) {
        if (alt_timer(plan->guards.items[i]->alternative->alternative.guard) != NULL) {
            return true;
        }
    }
    return false;
}

/* Nothing is ready. Before a record is made and every channel is told of it, the ready processes
 * run once: mostly one of them becomes a partner that waits in the ordinary way, which costs less
 * than half of being woken from a record. */
static void look_again(Emitter *emitter, Probe *probe, LLVMBasicBlockRef again) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef first = emit_block(emitter, "probe.first");
    LLVMValueRef is_second = LLVMBuildLoad2(builder, emitter->i1, probe->tried, "");
    LLVMBuildCondBr(builder, is_second, probe->wait, first);
    emit_enter(emitter, first);
    alt_guess_or_read(emitter, probe->plan);
    if (has_timer(probe->plan)) {
        alt_look_at_deadlines(emitter, probe->plan, probe->wait);
    }
    alt_look_in_vain(emitter, probe);
    emit_continue(emitter, probe->others);
    LLVMBuildStore(builder, LLVMConstInt(emitter->i1, 1, 0), probe->tried);
    emit_let_others_run(emitter, probe->wait);
    alt_note_round(emitter, probe->plan);
    emit_jump(emitter, again);
}

/* Under `occc explore`, which controls every choice, the runtime looks. */
static void emit_unless_explored(Emitter *emitter, const Probe *probe, LLVMValueRef mark) {
    LLVMBasicBlockRef free = emit_block(emitter, "probe.uncontrolled");
    LLVMValueRef bit =
        LLVMBuildAnd(emitter->builder, mark, emit_i32(emitter, LAYOUT_MODE_EXPLORED), "");
    LLVMBuildCondBr(emitter->builder, LLVMBuildIsNull(emitter->builder, bit, ""), free,
                    probe->wait);
    emit_enter(emitter, free);
}

/* Where processes run long and several workers are active, the ALT waits at once: a partner on
 * another worker must not find it queued behind a process that computes. */
static void look(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing) {
    LLVMBasicBlockRef alone = emit_block(emitter, "probe.alone");
    LLVMBasicBlockRef several = emit_block(emitter, "probe.several");
    LLVMValueRef mark = emit_if_several(emitter, several, alone);
    emit_enter(emitter, alone);
    if (alt_can_look_together(probe->plan)) {
        alt_look_together(emitter, probe, nothing);
    } else {
        alt_doubt(emitter, probe);
        alt_look_at_all(emitter, probe, nothing);
    }
    emit_enter(emitter, several);
    emit_unless_explored(emitter, probe, mark);
    probe->mark = mark;
    LLVMValueRef is_coarse = emit_load_field(emitter, emitter->i32, emit_worker(emitter),
                                             OFFSET_Worker_is_coarse, "coarse");
    LLVMValueRef waits = LLVMBuildIsNotNull(emitter->builder, is_coarse, "");
    waits = LLVMBuildOr(emitter->builder, waits,
                        LLVMBuildLoad2(emitter->builder, emitter->i1, probe->tried, ""), "");
    LLVMBuildStore(emitter->builder, waits, probe->tried);
    alt_look_at_all(emitter, probe, nothing);
}

void alt_probe(Emitter *emitter, AltPlan *plan, LLVMBasicBlockRef found) {
    LLVMBuilderRef builder = emitter->builder;
    Probe probe = {
        .plan = plan,
        .loops = arena_new_array(emitter->arena, ReplicatorLoop, plan->guards.count),
        .starts = arena_new_array(emitter->arena, LLVMValueRef, plan->guards.count),
        .position = emit_alloca(emitter, emitter->i32, "probe.position"),
        .limit = emit_alloca(emitter, emitter->i32, "probe.limit"),
        .tried = emit_alloca(emitter, emitter->i1, "probe.tried"),
        .doubts =
            alt_may_doubt(plan) ? emit_zeroed_alloca(emitter, emitter->i32, "alt.doubts") : NULL,
        .found = found,
        .slow = emit_block(emitter, "probe.slow"),
        .others = alt_can_be_late(plan) ? emit_block(emitter, "probe.others") : NULL,
        .wait = emit_block(emitter, "alt.wait"),
    };
    LLVMBasicBlockRef again = emit_block(emitter, "probe.again");
    LLVMBasicBlockRef nothing = emit_block(emitter, "probe.nothing");
    measure(emitter, &probe);
    LLVMBuildStore(builder, LLVMConstInt(emitter->i1, 0, 0), probe.tried);
    emit_continue(emitter, again);
    look(emitter, &probe, nothing);
    emit_enter(emitter, nothing);
    size_t skip = only_skip(plan);
    if (skip != NO_NUMBER) {
        alt_look_at_condition(emitter, alt_is_on(emitter, plan->guards.items[skip]), probe.slow);
        alt_take_skip(emitter, &probe, skip, NULL);
    } else {
        emit_jump(emitter, probe.slow);
    }
    emit_enter(emitter, probe.slow);
    if (probe.others != NULL) {
        look_again(emitter, &probe, again);
    } else {
        emit_jump(emitter, probe.wait);
    }
    emit_enter(emitter, probe.wait);
    alt_read_late(emitter, plan, false);
}
