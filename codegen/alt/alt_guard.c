/* alt_guard -- conditions and output items of an ALT, evaluated once, when it is entered.
 *
 * Owns:   which expressions need that, the slots their values lie in.
 * Leaves: when it happens to alternative.c and alt_record.c, the message to communication.c.
 * Holds:  a guard whose condition is FALSE has its items not evaluated: the condition may be what
 *         makes a subscript valid. The scalars of an output guard lie in slots of the frame. Those
 *         of a replicated one lie in the record until it is chosen, unless evaluating them again
 *         then cannot be told apart. Arrays are evaluated at entry for their errors, and again to
 *         be sent: nobody else may change them meanwhile. */
#include "alternative.h"

/* ---- plain expressions ---- */

static bool is_plain_operator(Operator op) {
    switch (op) {
    case OPERATOR_EQUAL:
    case OPERATOR_NOT_EQUAL:
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL:
    case OPERATOR_AND:
    case OPERATOR_OR: return true;
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

bool alt_is_plain(const Node *expression) {
    if (expression->constant != NULL || expression->kind == NODE_NAME) {
        return true;
    }
    if (expression->kind == NODE_SUBSCRIPT) {
        return alt_is_plain(expression->subscript.base) &&
               alt_is_plain(expression->subscript.index);
    }
    if (expression->kind == NODE_CLOSED) {
        return alt_is_plain(expression->closed.end->end.channel);
    }
    if (expression->kind == NODE_FIELD) {
        return alt_is_plain(expression->field.base);
    }
    if (expression->kind == NODE_MONADIC) {
        return expression->monadic.op == OPERATOR_NOT && alt_is_plain(expression->monadic.operand);
    }
    if (expression->kind != NODE_DYADIC) {
        return false;
    }
    return is_plain_operator(expression->dyadic.op) && alt_is_plain(expression->dyadic.left) &&
           alt_is_plain(expression->dyadic.right);
}

bool alt_has_plain_items(const Node *guard) {
    for (size_t i = 0; guard->kind == NODE_OUTPUT && i < guard->output.items.count; i++) {
        const Node *item = guard->output.items.items[i];
        if (item->kind == NODE_COUNTED) {
            if (!alt_is_plain(item->counted.count) || !alt_is_plain(item->counted.array)) {
                return false;
            }
        } else if (item->kind != NODE_TAG_USE && !alt_is_plain(item)) {
            return false;
        }
    }
    return true;
}

/* ---- slots ---- */

static size_t make_entry_slots(Emitter *emitter, AltEntry *entry) {
    const Node *guard = entry->alternative->alternative.guard;
    size_t count = guard->output.items.count;
    size_t words = 0;
    entry->slots = arena_new_array(emitter->arena, LLVMValueRef, count + 1);
    for (size_t i = 0; i < count; i++) {
        const Type *type = emit_item_slot_type(guard, i);
        if (type != NULL) {
            entry->slots[i] = emit_alloca(emitter, lower_memory(emitter, type), "alt.item");
            words++;
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

/* A plain condition may still have a subscript out of range, which is an error of the entry. */
static bool has_subscript(const Node *plain) {
    if (plain->kind == NODE_DYADIC) {
        return has_subscript(plain->dyadic.left) || has_subscript(plain->dyadic.right);
    }
    return plain->kind == NODE_SUBSCRIPT ||
           (plain->kind == NODE_FIELD && has_subscript(plain->field.base)) ||
           (plain->kind == NODE_MONADIC && has_subscript(plain->monadic.operand));
}

static void evaluate_items(Emitter *emitter, AltEntry *entry) {
    if (entry->slots != NULL) {
        emit_output_items(emitter, entry->alternative->alternative.guard, entry->slots);
    }
}

void alt_evaluate(Emitter *emitter, AltEntry *entry) {
    Node *condition = entry->alternative->alternative.condition;
    entry->is_evaluated = true;
    if (condition == NULL) {
        evaluate_items(emitter, entry);
        return;
    }
    bool is_plain = alt_is_plain(condition) && !has_subscript(condition);
    if (is_plain && entry->slots == NULL) {
        return;
    }
    LLVMValueRef is_on = emit_condition(emitter, condition);
    if (!is_plain) {
        entry->on = emit_alloca(emitter, emitter->i1, "alt.on");
        LLVMBuildStore(emitter->builder, is_on, entry->on);
    }
    if (entry->slots != NULL) {
        LLVMBasicBlockRef on = emit_block(emitter, "items.on");
        LLVMBasicBlockRef done = emit_block(emitter, "items.done");
        LLVMBuildCondBr(emitter->builder, is_on, on, done);
        emit_enter(emitter, on);
        evaluate_items(emitter, entry);
        emit_jump(emitter, done);
        emit_enter(emitter, done);
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
