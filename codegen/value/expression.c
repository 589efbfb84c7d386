/* expression -- the entry for scalar values.
 *
 * Owns:   which file computes which kind of expression; AND, OR, SIZE, BYTESIN, list
 *         comparison.
 * Leaves: operators to operator.c, conversions to conversion.c, calls to call.c and
 *         predefined.c, values in memory to table.c.
 * Holds:  a value that the checks computed is emitted as a constant, whatever its expression. */
#include "emit_clock.h"
#include "layout_offsets.h"

typedef LLVMValueRef ScalarEmitter(Emitter *emitter, Node *expression);

static LLVMValueRef element_scalar(Emitter *emitter, Node *node) {
    return emit_load(emitter, emit_place(emitter, node));
}

static LLVMValueRef name_scalar(Emitter *emitter, Node *node) {
    Binding *binding = emit_find_binding(emitter, node->name.symbol);
    return binding->is_value ? binding->value : emit_load(emitter, binding->place);
}

/* ---- AND, OR ---- */

static bool is_short_circuit(const Node *node) {
    return node->kind == NODE_DYADIC && node->dyadic.user_operator == NULL &&
           (node->dyadic.op == OPERATOR_AND || node->dyadic.op == OPERATOR_OR);
}

/* An AND or OR of which neither side is an AND or OR. */
static bool is_pair(const Node *node) {
    return !is_short_circuit(node->dyadic.left) && !is_short_circuit(node->dyadic.right);
}

static bool is_negation(const Node *node) {
    return node->kind == NODE_MONADIC && node->monadic.user_operator == NULL &&
           node->monadic.op == OPERATOR_NOT;
}

/* left AND right, left OR right: right is evaluated only where it decides. */
static LLVMValueRef short_circuit(Emitter *emitter, Node *node) {
    LLVMBuilderRef builder = emitter->builder;
    bool is_and = node->dyadic.op == OPERATOR_AND;
    LLVMBasicBlockRef other = emit_block(emitter, is_and ? "and.right" : "or.right");
    LLVMBasicBlockRef end = emit_block(emitter, is_and ? "and.end" : "or.end");
    LLVMValueRef left = emit_condition(emitter, node->dyadic.left);
    LLVMBasicBlockRef left_block = LLVMGetInsertBlock(builder);
    LLVMBuildCondBr(builder, left, is_and ? other : end, is_and ? end : other);
    emit_enter(emitter, other);
    LLVMValueRef right = emit_condition(emitter, node->dyadic.right);
    LLVMValueRef decided = LLVMConstInt(emitter->i1, is_and ? 0 : 1, 0);
    return emit_merge(emitter, end, decided, left_block, right, "");
}

/* (a, b) = (c, d): every pair is equal; (a, b) <> (c, d): not every pair is. */
static LLVMValueRef compare_lists(Emitter *emitter, Node *node) {
    const NodeList *left = &node->dyadic.left->expression_list.items;
    const NodeList *right = &node->dyadic.right->expression_list.items;
    LLVMValueRef equal = LLVMConstInt(emitter->i1, 1, 0);
    for (size_t i = 0; i < left->count && i < right->count; i++) {
        LLVMValueRef a = emit_scalar(emitter, left->items[i]);
        LLVMValueRef b = emit_scalar(emitter, right->items[i]);
        LLVMValueRef pair = emit_comparison(emitter, OPERATOR_EQUAL, left->items[i]->type, a, b);
        equal = LLVMBuildAnd(emitter->builder, equal, pair, "");
    }
    return node->dyadic.op == OPERATOR_EQUAL ? equal : LLVMBuildNot(emitter->builder, equal, "");
}

/* ---- operators ---- */

LLVMValueRef emit_user_operator(Emitter *emitter, Node *node, Place *result) {
    Node *operands[2];
    NodeList actuals = {.items = operands};
    Symbol *function = NULL;
    if (node->kind == NODE_MONADIC) {
        operands[actuals.count++] = node->monadic.operand;
        function = node->monadic.user_operator;
    } else {
        operands[actuals.count++] = node->dyadic.left;
        operands[actuals.count++] = node->dyadic.right;
        function = node->dyadic.user_operator;
    }
    return emit_routine_call(emitter, function, &actuals, result, 1, node->at);
}

static LLVMValueRef user_operator_scalar(Emitter *emitter, Node *node) {
    Place result = {.type = node->type};
    return emit_user_operator(emitter, node, &result);
}

static LLVMValueRef monadic_scalar(Emitter *emitter, Node *node) {
    if (node->monadic.user_operator != NULL) {
        return user_operator_scalar(emitter, node);
    }
    return emit_monadic(emitter, node);
}

static LLVMValueRef dyadic_scalar(Emitter *emitter, Node *node) {
    if (node->dyadic.user_operator != NULL) {
        return user_operator_scalar(emitter, node);
    }
    if (is_short_circuit(node)) {
        return short_circuit(emitter, node);
    }
    if (node->dyadic.left->kind == NODE_EXPRESSION_LIST) {
        return compare_lists(emitter, node);
    }
    return emit_dyadic(emitter, node);
}

/* ---- sizes, calls ---- */

static LLVMValueRef size_scalar(Emitter *emitter, Node *node) {
    return emit_count(emitter, emit_data_place(emitter, node->size.operand));
}

static LLVMValueRef bytesin_scalar(Emitter *emitter, Node *node) {
    LLVMValueRef size = emit_size_bytes(emitter, emit_data_place(emitter, node->bytesin.operand));
    return LLVMBuildTrunc(emitter->builder, size, emitter->i32, "");
}

static LLVMValueRef call_scalar(Emitter *emitter, Node *node) {
    Place result = {.type = node->type};
    return emit_function_call(emitter, node, &result, 1);
}

static LLVMValueRef valof_scalar(Emitter *emitter, Node *node) {
    Place result = {.type = node->type};
    LLVMValueRef value = NULL;
    emit_valof(emitter, node, &result, &value, 1);
    return value;
}

static LLVMValueRef closed_scalar(Emitter *emitter, Node *closed) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef channel = emit_channel(emitter, closed->closed.end->end.channel);
    Node *named = closed->closed.end->end.channel;
    emit_gate(emitter, channel, EXPLORE_ASK_CLOSED,
              emit_site(emitter, WAIT_INPUT, closed->at, emit_object_name(emitter, named)));
    LLVMValueRef word = LLVMBuildLoad2(
        builder, emitter->i64, emit_field(emitter, channel, OFFSET_Channel_word, ""), "word");
    LLVMSetVolatile(word, 1); /* the partner may close it at any time */
    LLVMValueRef tag = LLVMBuildAnd(builder, word, emit_i64(emitter, LAYOUT_TAG_MASK), "tag");
    LLVMValueRef is_closed =
        LLVMBuildICmp(builder, LLVMIntEQ, tag, emit_i64(emitter, LAYOUT_TAG_CLOSED), "closed");
    LLVMValueRef is_device =
        LLVMBuildICmp(builder, LLVMIntEQ, tag, emit_i64(emitter, LAYOUT_TAG_DEVICE), "device");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef device = emit_block(emitter, "closed.device");
    LLVMBasicBlockRef done = emit_block(emitter, "closed.known");
    LLVMBuildCondBr(builder, is_device, device, done);
    emit_enter(emitter, device);
    LLVMValueRef at_end = emit_runtime_call(emitter, RT_closed, &channel);
    LLVMValueRef has_ended = LLVMBuildIsNotNull(builder, at_end, "");
    return emit_merge(emitter, done, is_closed, before, has_ended, "closed");
}

static LLVMValueRef unsupported_scalar(Emitter *emitter, Node *node) {
    emit_not_supported(emitter, node->at, node_title(node->kind));
    return LLVMGetUndef(lower_scalar(emitter, node->type));
}

/* ---- the entry ---- */

static ScalarEmitter *scalar_emitter(const Node *expression) {
    switch (expression->kind) {
    case NODE_NAME: return name_scalar;
    case NODE_SUBSCRIPT:
    case NODE_FIELD: return element_scalar;
    case NODE_MONADIC: return monadic_scalar;
    case NODE_DYADIC: return dyadic_scalar;
    case NODE_CONVERSION: return emit_conversion;
    case NODE_SIZE: return size_scalar;
    case NODE_BYTESIN: return bytesin_scalar;
    case NODE_FUNCTION_CALL: return call_scalar;
    case NODE_VALOF: return valof_scalar;
    case NODE_DEFINED: return emit_defined;
    case NODE_PHASE: return emit_clock_phase;
    case NODE_CLOSED: return closed_scalar;
    default: return unsupported_scalar;
    }
}

LLVMValueRef emit_scalar(Emitter *emitter, Node *expression) {
    if (expression->constant != NULL) {
        return emit_constant_scalar(emitter, expression->constant);
    }
    bool was_target = emitter->is_target;
    emitter->is_target = false;
    LLVMValueRef value = scalar_emitter(expression)(emitter, expression);
    emitter->is_target = was_target;
    return value != NULL ? value : LLVMGetUndef(lower_scalar(emitter, expression->type));
}

LLVMValueRef emit_condition(Emitter *emitter, Node *expression) {
    return emit_scalar(emitter, expression);
}

/* Conditions of one chain that may jump: for each jump to a block LLVM looks at all others. */
enum { JUMPS_MOST = 64 };

/* LLVM merges conditions that jump to one block, and splits the value of a longer chain into jumps.
 * A pair is a value in any case: jumps for two comparisons with constants become a switch, which is
 * not vectorised. `left`: how many may still jump. */
static void jump_if(Emitter *emitter, Node *condition, LLVMBasicBlockRef then,
                    LLVMBasicBlockRef otherwise, unsigned *left) {
    bool is_value = condition->constant != NULL || *left == 0;
    if (!is_value && is_negation(condition)) {
        jump_if(emitter, condition->monadic.operand, otherwise, then, left);
    } else if (!is_value && is_short_circuit(condition) && !is_pair(condition)) {
        --*left;
        bool is_and = condition->dyadic.op == OPERATOR_AND;
        LLVMBasicBlockRef right = emit_block(emitter, is_and ? "and.right" : "or.right");
        jump_if(emitter, condition->dyadic.left, is_and ? right : then, is_and ? otherwise : right,
                left);
        emit_enter(emitter, right);
        jump_if(emitter, condition->dyadic.right, then, otherwise, left);
    } else {
        LLVMBuildCondBr(emitter->builder, emit_condition(emitter, condition), then, otherwise);
    }
}

void emit_jump_if(Emitter *emitter, Node *condition, LLVMBasicBlockRef then,
                  LLVMBasicBlockRef otherwise) {
    unsigned left = JUMPS_MOST;
    jump_if(emitter, condition, then, otherwise, &left);
}
