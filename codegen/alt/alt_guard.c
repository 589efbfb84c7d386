/* alt_guard -- conditions, timers and output items of an ALT, evaluated once, when it is entered.
 *
 * Owns:   the slots that hold their values; the errors of a row that is looked at without a record.
 * Leaves: which expressions are evaluated so to alt_plain.c, when to alternative.c and
 *         alt_record.c, the message to communication.c.
 * Holds:  the items of a guard whose condition is FALSE are not evaluated: the condition may be
 *         what makes a subscript valid. The scalars of an output guard lie in slots of the frame.
 *         Those of a replicated one lie in the record until it is chosen, unless they are plain and
 *         can be evaluated again. Arrays are evaluated at entry for their errors, and again to be
 *         sent: no other process may change them meanwhile. */
#include "alternative.h"

#include <string.h>

/* ---- slots ---- */

size_t alt_payload_words(const Type *type) {
    return (size_t)(type_size(type) + 7) / 8;
}

static size_t make_entry_slots(Emitter *emitter, AltEntry *entry) {
    const Node *guard = entry->alternative->alternative.guard;
    size_t count = guard->output.items.count;
    size_t words = 0;
    entry->slots = arena_new_array(emitter->arena, LLVMValueRef, count + 1);
    for (size_t i = 0; i < count; i++) {
        const Type *type = emit_item_slot_type(guard, i);
        if (type != NULL) {
            entry->slots[i] = emit_alloca(emitter, lower_memory(emitter, type), "alt.item");
            words += alt_payload_words(type);
        } else {
            entry->slots[i] = NULL;
        }
    }
    return words;
}

void alt_make_slots(Emitter *emitter, AltPlan *plan) {
    for (size_t i = 0; i < plan->guards.count; i++) {
        AltEntry *entry = plan->guards.items[i];
        const Node *guard = entry->alternative->alternative.guard;
        if (guard->kind != NODE_OUTPUT || (entry->depth > 0 && alt_has_plain_items(guard))) {
            continue;
        }
        size_t words = make_entry_slots(emitter, entry);
        if (entry->depth > 0 && words > plan->payload_words) {
            plan->payload_words = words;
        }
    }
}

/* ---- evaluation ---- */

bool alt_chooses_timer(const Node *guard) {
    const Node *timer = alt_timer(guard);
    return timer != NULL && timer->kind != NODE_NAME;
}

static bool has_operands(const AltEntry *entry) {
    return entry->slots != NULL || alt_chooses_timer(entry->alternative->alternative.guard);
}

static void evaluate_operands(Emitter *emitter, AltEntry *entry) {
    Node *guard = entry->alternative->alternative.guard;
    if (entry->slots != NULL) {
        emit_output_items(emitter, guard, entry->slots);
    } else if (alt_chooses_timer(guard)) {
        emit_place(emitter, alt_timer(guard));
    }
}

void alt_evaluate(Emitter *emitter, AltEntry *entry) {
    Node *condition = entry->alternative->alternative.condition;
    entry->is_evaluated = true;
    if (condition == NULL) {
        evaluate_operands(emitter, entry);
        return;
    }
    bool is_plain = alt_is_plain(condition) && !alt_may_fail(condition);
    if (is_plain && !has_operands(entry)) {
        return;
    }
    LLVMValueRef is_on = emit_condition(emitter, condition);
    if (!is_plain) {
        entry->on = emit_alloca(emitter, emitter->i1, "alt.on");
        LLVMBuildStore(emitter->builder, is_on, entry->on);
    }
    if (has_operands(entry)) {
        LLVMBasicBlockRef on = emit_block(emitter, "items.on");
        LLVMBasicBlockRef done = emit_block(emitter, "items.done");
        LLVMBuildCondBr(emitter->builder, is_on, on, done);
        emit_enter(emitter, on);
        evaluate_operands(emitter, entry);
        emit_continue(emitter, done);
    }
}

LLVMValueRef alt_is_on(Emitter *emitter, const AltEntry *entry) {
    Node *condition = entry->alternative->alternative.condition;
    if (condition == NULL) {
        return NULL;
    }
    if (entry->on != NULL) {
        return LLVMBuildLoad2(emitter->builder, emitter->i1, entry->on, "on");
    }
    return emit_condition(emitter, condition);
}

/* ---- the guards of a row ---- */

/* For one index. Only the errors count: what is plain is evaluated again where it is needed. */
static void check_guard(Emitter *emitter, const AltEntry *entry) {
    Node *condition = entry->alternative->alternative.condition;
    Node *guard = entry->alternative->alternative.guard;
    bool checks_items = alt_may_items_fail(guard);
    LLVMBasicBlockRef done = NULL;
    if (condition != NULL) {
        LLVMValueRef is_on = emit_condition(emitter, condition);
        LLVMBasicBlockRef on = emit_block(emitter, "row.on");
        done = emit_block(emitter, "row.checked");
        LLVMBuildCondBr(emitter->builder, is_on, on, done);
        emit_enter(emitter, on);
    }
    if (checks_items) {
        emit_output_items(emitter, guard, NULL);
    }
    if (done != NULL) {
        emit_continue(emitter, done);
    }
}

static void check_ends(Emitter *emitter, const AltEntry *entry, const ReplicatorLoop *loop) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef some = emit_block(emitter, "row.ends");
    LLVMBasicBlockRef none = emit_block(emitter, "row.ended");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, loop->count, ""), none, some);
    emit_enter(emitter, some);
    LLVMValueRef steps = LLVMBuildSub(builder, loop->count, emit_i32(emitter, 1), "");
    LLVMValueRef last =
        LLVMBuildAdd(builder, loop->base, LLVMBuildMul(builder, steps, loop->step, ""), "last");
    emit_bind_value(emitter, alt_replicator(entry->alts[0]), loop->base);
    check_guard(emitter, entry);
    emit_bind_value(emitter, alt_replicator(entry->alts[0]), last);
    check_guard(emitter, entry);
    emit_continue(emitter, none);
}

void alt_check_row(Emitter *emitter, const AltEntry *entry) {
    const Node *condition = entry->alternative->alternative.condition;
    const Node *guard = entry->alternative->alternative.guard;
    bool may_condition_fail = condition != NULL && alt_may_fail(condition);
    bool may_items_fail = alt_may_items_fail(guard);
    if (!may_condition_fail && !may_items_fail) {
        return;
    }
    const Node *alt = entry->alts[0];
    ReplicatorLoop loop;
    memset(&loop, 0, sizeof loop);
    emit_replicator_values(emitter, alt->alt.replicator, &loop);
    if (!may_items_fail && alt_fails_at_ends(condition)) {
        check_ends(emitter, entry, &loop);
        return;
    }
    emit_replicator_begin(emitter, alt->alt.replicator, &loop);
    check_guard(emitter, entry);
    emit_replicator_end(emitter, &loop);
}
