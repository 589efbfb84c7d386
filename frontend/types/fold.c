/* fold -- one arm per kind of expression; see fold.h. */
#include "fold.h"

#include "diag.h"

#define FOLD_DEPTH_LIMIT 200

typedef const Constant *Value;

static ConstantOutcome done_or_unknown(const Constant *value, const Constant **result) {
    *result = value;
    return value ? CONSTANT_DONE : CONSTANT_UNKNOWN;
}

static const Constant *fold_name(Fold *fold, const Node *node) {
    const Symbol *symbol = node->name.symbol;
    if (!symbol) {
        return NULL;
    }
    for (size_t i = fold->bindings.count; i > 0; i--) {
        if (fold->bindings.items[i - 1].symbol == symbol) {
            return fold->bindings.items[i - 1].value;
        }
    }
    return symbol->constant;
}

/* FUNCTION .. IS e: the value of e with the formals bound to the actuals. */
static const Constant *fold_call(Fold *fold, const Symbol *callee, Node *const *actuals,
                                 size_t count) {
    if (callee && callee->kind == SYMBOL_PREDEFINED) {
        return fold_predefined(fold, callee->predefined, actuals, count);
    }
    if (!callee || callee->kind != SYMBOL_FUNCTION || !callee->definition) {
        return NULL;
    }
    const Ast_function *function = &callee->definition->function;
    const Node *body = function->body;
    bool is_expression = body->kind == NODE_VALOF && !body->valof.process &&
                         body->valof.specs.count == 0 && body->valof.results.count == 1;
    if (!is_expression || function->formals.count != count) {
        return NULL;
    }
    Fold inner = {.arena = fold->arena, .budget = fold->budget, .depth = fold->depth + 1};
    for (size_t i = 0; i < count; i++) {
        const Node *formal = function->formals.items[i];
        FoldBinding binding = {formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL,
                               fold_value(fold, actuals[i])};
        if (!binding.value || !binding.symbol) {
            return NULL;
        }
        array_push(fold->arena, &inner.bindings, binding);
    }
    const Node *result_node = body->valof.results.items[0];
    Value value = result_node->constant;
    if (!value && count > 0) {
        value = fold_value(&inner, result_node);
        fold->budget = inner.budget;
    }
    return value && type_equal(value->type, callee->type) ? value : NULL;
}

static ConstantOutcome fold_monadic(Fold *fold, const Node *node, const Constant **result) {
    if (node->monadic.user_operator) {
        Node *const operands[] = {node->monadic.operand};
        return done_or_unknown(fold_call(fold, node->monadic.user_operator, operands, 1), result);
    }
    return constant_monadic(fold->arena, node->monadic.op, fold_value(fold, node->monadic.operand),
                            result);
}

static ConstantOutcome fold_dyadic(Fold *fold, const Node *node, const Constant **result) {
    if (node->dyadic.user_operator) {
        Node *const operands[] = {node->dyadic.left, node->dyadic.right};
        return done_or_unknown(fold_call(fold, node->dyadic.user_operator, operands, 2), result);
    }
    Operator op = node->dyadic.op;
    Value left = fold_value(fold, node->dyadic.left);
    if (left && ((op == OPERATOR_AND && !left->integer) || (op == OPERATOR_OR && left->integer))) {
        *result = left;
        return CONSTANT_DONE;
    }
    Value right = left ? fold_value(fold, node->dyadic.right) : NULL;
    return constant_dyadic(fold->arena, op, left, right, node->type, result);
}

static ConstantOutcome fold_conversion(Fold *fold, const Node *node, const Constant **result) {
    Value value = fold_value(fold, node->conversion.operand);
    if (!value || type_is_scalar(node->type)) {
        return constant_convert(fold->arena, node->type, node->conversion.rounding, value, result);
    }
    *result = constant_image(fold->arena, node->type, value->image.bytes, value->image.size_bytes);
    return CONSTANT_DONE;
}

static const Constant *fold_subscript(Fold *fold, const Node *node) {
    Value base = fold_value(fold, node->subscript.base);
    Value index = base ? fold_value(fold, node->subscript.index) : NULL;
    if (!index || !type_is_array(base->type)) {
        return NULL;
    }
    const Type *array = type_base(base->type);
    if (index->integer < 0 || index->integer >= array->array.count) {
        return NULL;
    }
    uint64_t offset = (uint64_t)index->integer * type_size(array->array.element);
    return constant_load(fold->arena, node->type, base->image.bytes + offset);
}

static const Constant *fold_field(Fold *fold, const Node *node) {
    Value base = fold_value(fold, node->field.base);
    if (!base || type_base(base->type)->kind != TYPE_RECORD) {
        return NULL;
    }
    const Type *record = type_base(base->type);
    const TypeField *field = &record->record.fields[node->field.index];
    return constant_load(fold->arena, node->type, base->image.bytes + field->offset);
}

/* Constant bounds have been checked: the type of the segment then has a fixed count. */
static const Constant *fold_segment(Fold *fold, const Node *node) {
    Value base = fold_value(fold, node->segment.base);
    Value from = base && node->segment.from ? fold_value(fold, node->segment.from) : NULL;
    if (!base || (node->segment.from && !from) || type_has_open_dimension(node->type) ||
        !type_is_array(base->type)) {
        return NULL;
    }
    int64_t first = from ? from->integer : 0;
    int64_t count = type_base(node->type)->array.count;
    const Type *array = type_base(base->type);
    if (first < 0 || count < 0 || first > array->array.count - count) {
        return NULL;
    }
    uint64_t offset = (uint64_t)first * type_size(array->array.element);
    return constant_image(fold->arena, node->type, base->image.bytes + offset,
                          type_size(node->type));
}

/* Does the table name no other table? Then its value is no larger than the text. */
static bool is_written_out(const NodeList *items) {
    for (size_t i = 0; i < items->count; i++) {
        const Node *item = items->items[i];
        if (item->kind != NODE_TABLE && item->type && !type_is_scalar(item->type)) {
            return false;
        }
    }
    return true;
}

static const Constant *fold_table(Fold *fold, const Node *node) {
    const Type *base = type_base(node->type);
    uint64_t size = type_size(base);
    bool is_record = base->kind == TYPE_RECORD;
    if (!is_record && (base->kind != TYPE_ARRAY || type_has_open_dimension(base))) {
        return NULL;
    }
    const NodeList *items = &node->table.items;
    if (size > FOLD_TABLE_LIMIT && !is_written_out(items)) {
        return NULL;
    }
    uint8_t *bytes = NULL;
    for (size_t i = 0; i < items->count; i++) {
        Value item = fold_value(fold, items->items[i]);
        if (!item) {
            return NULL;
        }
        bytes = bytes ? bytes : arena_allocate(fold->arena, (size_t)size + 1);
        uint64_t offset =
            is_record ? base->record.fields[i].offset : i * type_size(base->array.element);
        constant_store(item, bytes + offset);
    }
    return constant_image(fold->arena, node->type, bytes, size);
}

static const Constant *fold_constructor(Fold *fold, const Node *node) {
    const Ast_replicator *replicator = &node->constructor.replicator->replicator;
    Value base = fold_value(fold, replicator->base);
    Value step = replicator->step ? fold_value(fold, replicator->step) : NULL;
    uint64_t size = type_size(node->type);
    if (!base || (replicator->step && !step) || !replicator->def->def.symbol ||
        type_has_open_dimension(node->type) || size > FOLD_IMAGE_LIMIT) {
        return NULL;
    }
    const Type *integer = type_primitive(TYPE_INT);
    uint64_t element_size = type_size(type_base(node->type)->array.element);
    uint8_t *bytes = arena_allocate(fold->arena, (size_t)size + 1);
    FoldBinding binding = {replicator->def->def.symbol, NULL};
    array_push(fold->arena, &fold->bindings, binding);
    bool is_known = true;
    int64_t count = type_base(node->type)->array.count;
    for (int64_t i = 0; i < count && is_known; i++) {
        uint64_t by = step ? (uint64_t)step->integer : 1;
        uint64_t index = (uint64_t)base->integer + (uint64_t)i * by;
        fold->bindings.items[fold->bindings.count - 1].value =
            constant_integer(fold->arena, integer, (int32_t)(uint32_t)index);
        Value item = fold_value(fold, node->constructor.value);
        is_known = item != NULL;
        if (item) {
            constant_store(item, bytes + (uint64_t)i * element_size);
        }
    }
    fold->bindings.count--;
    return is_known ? constant_image(fold->arena, node->type, bytes, size) : NULL;
}

ConstantOutcome fold_node(Fold *fold, const Node *node, const Constant **result) {
    *result = NULL;
    if (node->type && type_owns(node->type)) {
        return CONSTANT_UNKNOWN;
    }
    switch (node->kind) {
    case NODE_NAME: return done_or_unknown(fold_name(fold, node), result);
    case NODE_MONADIC: return fold_monadic(fold, node, result);
    case NODE_DYADIC: return fold_dyadic(fold, node, result);
    case NODE_CONVERSION: return fold_conversion(fold, node, result);
    case NODE_SUBSCRIPT: return done_or_unknown(fold_subscript(fold, node), result);
    case NODE_FIELD: return done_or_unknown(fold_field(fold, node), result);
    case NODE_SEGMENT: return done_or_unknown(fold_segment(fold, node), result);
    case NODE_TABLE: return done_or_unknown(fold_table(fold, node), result);
    case NODE_CONSTRUCTOR: return done_or_unknown(fold_constructor(fold, node), result);
    case NODE_FUNCTION_CALL:
        return done_or_unknown(fold_call(fold, node->function_call.callee->name.symbol,
                                         node->function_call.actuals.items,
                                         node->function_call.actuals.count),
                               result);
    case NODE_KINDS_OF_LITERAL:
    case NODE_SIZE:
    case NODE_BYTESIN: return done_or_unknown(node->constant, result);
    /* known when the program runs */
    case NODE_COUNTED:
    case NODE_ADDROF:
    case NODE_END:
    case NODE_VALOF:
    case NODE_EXPRESSION_LIST:
    case NODE_ALLOCATION:
    case NODE_MOVE:
    case NODE_CLONE:
    case NODE_DEFINED:
    case NODE_CLOSED:
    case NODE_CLOCKS:
    case NODE_PHASE:
    /* no expressions */
    case NODE_KINDS_OF_SPECIFICATION:
    case NODE_KINDS_OF_PART:
    case NODE_KINDS_OF_WAY:
    case NODE_KINDS_OF_PROCESS:
    case NODE_KINDS_OF_TYPE:
    case NODE_BROKEN:
    case NODE_UNIT: return done_or_unknown(node->constant, result);
    case NODE_KIND_COUNT: bug("node of no kind");
    }
    return CONSTANT_UNKNOWN;
}

const Constant *fold_value(Fold *fold, const Node *node) {
    if (node->constant || fold->bindings.count == 0) {
        return node->constant;
    }
    if (fold->budget == 0 || fold->depth >= FOLD_DEPTH_LIMIT || !node->type ||
        type_is_error(node->type)) {
        return NULL;
    }
    fold->budget--;
    fold->depth++;
    Value value = NULL;
    ConstantOutcome outcome = fold_node(fold, node, &value);
    fold->depth--;
    return outcome == CONSTANT_DONE ? value : NULL;
}
