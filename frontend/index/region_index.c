/* region_index -- INT expressions of the program as subscripts: names, arithmetic, sizes, and
 * calls of FUNCTIONs that are one expression. What is none of them may be an element
 * (region_element.c), or be made into a table (region_table.c). See region.h. */
#include "region.h"

#include "diag.h"

#define REGION_BUDGET 64 /* nodes of one subscript */

static const IndexExpr *index_of(RegionBuilder *builder, const Node *node);
static const IndexExpr *index_of_function(RegionBuilder *builder, const Symbol *callee,
                                          const Node *const *actuals, size_t count);

const IndexExpr *region_size_parameter(Arena *arena, const Symbol *symbol) {
    return index_size(arena, &symbol->type, 0, symbol->number,
                      arena_format(arena, "SIZE %s", symbol->name->bytes));
}

const IndexExpr *region_row_parameter(Arena *arena, const Symbol *symbol, uint32_t depth) {
    const Type *type = symbol->type;
    for (uint32_t i = 0; i <= depth; i++) {
        if (!type || type_is_mobile(type) || !type_is_array(type)) {
            return index_unknown();
        }
        if (i < depth) {
            type = type_base(type)->array.element;
        }
    }
    int64_t count = type_base(type)->array.count;
    if (count != ARRAY_OPEN) {
        return index_constant(arena, count);
    }
    return index_size(arena, &symbol->type, depth, symbol->number,
                      arena_format(arena, "SIZE %s[..]", symbol->name->bytes));
}

static const IndexExpr *parameter_of(const RegionBuilder *builder, const Symbol *symbol) {
    TypeKind kind = type_base(symbol->type)->kind;
    bool is_int = kind == TYPE_INT || kind == TYPE_INT32;
    return (is_int ? index_int : index_parameter)(builder->arena, symbol, symbol->number,
                                                  symbol->name->bytes);
}

/* Some number, where its range is of use. */
static const IndexExpr *number_for(RegionBuilder *builder, const IndexExpr *value) {
    if (value->kind != INDEX_UNKNOWN || !builder->number) {
        return value;
    }
    builder->numbers++;
    return builder->number(builder->context);
}

/* The same number, as one of those that a BYTE can be. */
static const IndexExpr *as_byte(RegionBuilder *builder, const IndexExpr *value) {
    IndexBounds bounds = index_bounds(value);
    bool is_seen = value->kind == INDEX_UNKNOWN || (bounds.low >= 0 && bounds.high <= UINT8_MAX);
    return is_seen ? value
                   : index_operator(builder->arena, OPERATOR_BITAND, value,
                                    index_constant(builder->arena, UINT8_MAX));
}

/* VAL c IS INT text[i]: with c in the place of some number of that range: it is one number. */
static const IndexExpr *named_number(RegionBuilder *builder, const Symbol *symbol,
                                     const IndexExpr *value) {
    IndexBounds bounds = index_bounds(value);
    const IndexExpr *name = parameter_of(builder, symbol);
    return bounds.low >= 0 && bounds.high <= UINT8_MAX ? as_byte(builder, name) : name;
}

/* Of VAL n IS length: with a variable the name itself is the number, also at an instant: the counts
 * of loops outside say n too. */
static const IndexExpr *index_of_value(RegionBuilder *builder, const Symbol *symbol) {
    const Node *definition = symbol->definition;
    if (definition && definition->kind == NODE_ABBREVIATION &&
        definition->abbreviation.form == FORM_IS) {
        bool is_instant = builder->is_instant;
        builder->is_instant = false;
        unsigned numbers = builder->numbers;
        const IndexExpr *value = index_of(builder, definition->abbreviation.value);
        builder->is_instant = is_instant;
        if (value->kind != INDEX_UNKNOWN) {
            return builder->numbers == numbers ? value : named_number(builder, symbol, value);
        }
    }
    return parameter_of(builder, symbol);
}

const RegionFormal *region_formal(const RegionBuilder *builder, const Symbol *symbol) {
    const RegionFormal *at = builder->formals;
    while (at && at->symbol != symbol) {
        at = at->outer;
    }
    return at;
}

const IndexExpr *region_name(RegionBuilder *builder, const Symbol *symbol) {
    if (!symbol || !symbol->type || !type_is_integer(symbol->type)) {
        return index_unknown();
    }
    const RegionFormal *formal = region_formal(builder, symbol);
    if (formal) {
        return formal->value;
    }
    bool may_be_known = symbol->kind == SYMBOL_REPLICATOR || symbol->kind == SYMBOL_VARIABLE ||
                        symbol->kind == SYMBOL_VALUE || symbol->kind == SYMBOL_FORMAL;
    if (may_be_known && builder->replicator) {
        const IndexExpr *expr = builder->replicator(symbol, builder->context);
        if (expr) {
            return expr;
        }
    }
    if (symbol->kind == SYMBOL_VALUE) {
        return index_of_value(builder, symbol);
    }
    bool is_fixed = symbol->kind == SYMBOL_REPLICATOR ||
                    (symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_VAL) ||
                    (builder->is_instant && region_is_object(symbol));
    return is_fixed ? parameter_of(builder, symbol) : index_unknown();
}

/* The arithmetic of usage_index.h is that of INT; sums of narrower types that do not overflow are
 * the same numbers. */
static bool is_int_arithmetic(const Node *node, Operator op) {
    if (!node->type || !type_is_integer(node->type)) {
        return false;
    }
    TypeKind kind = type_base(node->type)->kind;
    if (kind == TYPE_INT || kind == TYPE_INT32) {
        return true;
    }
    bool is_narrow = kind == TYPE_BYTE || kind == TYPE_INT16 || kind == TYPE_UINT16;
    return is_narrow && (op == OPERATOR_ADD || op == OPERATOR_SUBTRACT || op == OPERATOR_MULTIPLY ||
                         op == OPERATOR_DIVIDE || op == OPERATOR_REMAINDER);
}

/* Whatever the left operand is, the result is one of few numbers. */
static bool narrows(Operator op, const IndexExpr *right) {
    bool is_mask = op == OPERATOR_BITAND || op == OPERATOR_REMAINDER;
    return right->kind == INDEX_CONSTANT && right->value > 0 &&
           (is_mask || (op == OPERATOR_SHIFT_RIGHT && right->value < 32));
}

static const IndexExpr *index_of_dyadic(RegionBuilder *builder, const Node *node) {
    Operator op = node->dyadic.op;
    if (node->dyadic.user_operator) {
        const Node *const operands[] = {node->dyadic.left, node->dyadic.right};
        return index_of_function(builder, node->dyadic.user_operator, operands, 2);
    }
    if (op > OPERATOR_SHIFT_RIGHT || op == OPERATOR_BITNOT || !is_int_arithmetic(node, op)) {
        return index_unknown();
    }
    const IndexExpr *left = index_of(builder, node->dyadic.left);
    const IndexExpr *right = index_of(builder, node->dyadic.right);
    bool is_int = type_base(node->type)->kind == TYPE_INT;
    if (is_int && narrows(op, right)) {
        left = number_for(builder, left);
    } else if (is_int && op == OPERATOR_BITAND && narrows(op, left)) {
        return index_operator(builder->arena, op, number_for(builder, right), left);
    }
    return index_operator(builder->arena, op, left, right);
}

/* ~x is -1 - x. */
static const IndexExpr *index_of_monadic(RegionBuilder *builder, const Node *node) {
    const Node *operand = node->monadic.operand;
    Operator op = node->monadic.op;
    if (node->monadic.user_operator) {
        return index_of_function(builder, node->monadic.user_operator, &operand, 1);
    }
    bool is_complement = op == OPERATOR_BITNOT;
    if (op != OPERATOR_NEGATE && !is_int_arithmetic(node, op)) {
        return index_unknown();
    }
    if (op != OPERATOR_NEGATE && op != OPERATOR_MINUS && !is_complement) {
        return index_unknown();
    }
    return index_operator(builder->arena, op == OPERATOR_MINUS ? op : OPERATOR_SUBTRACT,
                          index_constant(builder->arena, is_complement ? -1 : 0),
                          index_of(builder, operand));
}

static const IndexExpr *index_of_conversion(RegionBuilder *builder, const Node *node) {
    const Node *operand = node->conversion.operand;
    bool is_checked = node->type && operand->type; /* not below an error */
    bool is_exact = is_checked && type_is_integer(node->type) && type_is_integer(operand->type);
    const IndexExpr *value = is_exact ? index_of(builder, operand) : index_unknown();
    bool is_byte = is_exact && type_base(operand->type)->kind == TYPE_BYTE;
    return is_byte ? as_byte(builder, number_for(builder, value)) : value;
}

/* part IS [x FROM i FOR n]: */
static const Node *abbreviated_segment(const Symbol *symbol) {
    const Node *node = symbol->kind == SYMBOL_REFERENCE ? symbol->definition : NULL;
    if (!node || node->kind != NODE_ABBREVIATION || node->abbreviation.form != FORM_IS) {
        return NULL;
    }
    const Node *value = node->abbreviation.value;
    return value->kind == NODE_SEGMENT && value->segment.length ? value : NULL;
}

static const IndexExpr *index_of_array(RegionBuilder *builder, const Symbol *symbol) {
    const Node *segment = abbreviated_segment(symbol);
    if (segment) { /* the subscripts of an abbreviation do not change in its scope */
        unsigned numbers = builder->numbers;
        const IndexExpr *length = index_of(builder, segment->segment.length);
        if (length->kind != INDEX_UNKNOWN && builder->numbers == numbers) {
            return length;
        }
    }
    return region_size_parameter(builder->arena, symbol);
}

static const IndexExpr *index_of_size(RegionBuilder *builder, const Node *node) {
    const Node *operand = node->size.operand;
    if (operand->kind == NODE_END) {
        operand = operand->end.channel;
    }
    uint32_t depth = 0;
    while (operand->kind == NODE_SUBSCRIPT) { /* all rows of an array have one size */
        operand = operand->subscript.base;
        depth++;
    }
    const Symbol *symbol = operand->kind == NODE_NAME ? operand->name.symbol : NULL;
    if (!symbol || region_formal(builder, symbol)) { /* an array of another call each time */
        return index_unknown();
    }
    return depth == 0 ? index_of_array(builder, symbol)
                      : region_row_parameter(builder->arena, symbol, depth);
}

static const IndexExpr *index_of_phase(RegionBuilder *builder, const Node *node) {
    const Node *name = node->phase.clock;
    const Symbol *clock = name->kind == NODE_NAME ? name->name.symbol : NULL;
    const IndexExpr *expr =
        clock && builder->replicator ? builder->replicator(clock, builder->context) : NULL;
    return expr ? expr : index_unknown();
}

/* ---- calls of FUNCTIONs ---- */

#define REGION_CALLS 4 /* in one another */

/* Of a choice that assigns one value to the variable: that value. */
static const Node *assigned_by(const Node *choice, const Symbol *variable) {
    const Node *process =
        choice->kind == NODE_CHOICE && choice->choice.specs.count == 0 && choice->choice.condition
            ? choice->choice.process
            : NULL;
    while (process && process->kind == NODE_BLOCK && process->block.specs.count == 0) {
        process = process->block.process;
    }
    bool is_one = process && process->kind == NODE_ASSIGN && process->assign.targets.count == 1 &&
                  process->assign.values.count == 1;
    const Node *target = is_one ? process->assign.targets.items[0] : NULL;
    bool is_it = target && target->kind == NODE_NAME && target->name.symbol == variable;
    return is_it ? process->assign.values.items[0] : NULL;
}

/* IF / a < b / r := a / TRUE / r := b: the smaller of the two. */
static const IndexExpr *smaller_or_larger(RegionBuilder *builder, const Node *condition,
                                          const Node *first, const Node *second) {
    bool is_comparison = condition->kind == NODE_DYADIC && !condition->dyadic.user_operator &&
                         condition->dyadic.op >= OPERATOR_LESS &&
                         condition->dyadic.op <= OPERATOR_GREATER_EQUAL;
    if (!is_comparison) {
        return index_unknown();
    }
    const IndexExpr *a = index_of(builder, first);
    const IndexExpr *b = index_of(builder, second);
    const IndexExpr *left = index_of(builder, condition->dyadic.left);
    const IndexExpr *right = index_of(builder, condition->dyadic.right);
    bool is_same_order = index_equal(left, a) && index_equal(right, b);
    if (!is_same_order && !(index_equal(left, b) && index_equal(right, a))) {
        return index_unknown();
    }
    bool is_less =
        condition->dyadic.op == OPERATOR_LESS || condition->dyadic.op == OPERATOR_LESS_EQUAL;
    return index_operator(builder->arena, is_less == is_same_order ? INDEX_SMALLER : INDEX_LARGER,
                          a, b);
}

/* A VALOF that is one expression, or an IF of two choices over the variable it gives. */
static const IndexExpr *index_of_body(RegionBuilder *builder, const Node *body) {
    const Node *result = body->valof.results.items[0];
    const Node *process = body->valof.process;
    if (!process) {
        return body->valof.specs.count == 0 ? index_of(builder, result) : index_unknown();
    }
    while (process->kind == NODE_BLOCK && process->block.specs.count == 0) {
        process = process->block.process;
    }
    if (process->kind != NODE_IF || process->if_.replicator || process->if_.choices.count != 2 ||
        result->kind != NODE_NAME) {
        return index_unknown();
    }
    const Node *const *choices = (const Node *const *)process->if_.choices.items;
    const Node *first = assigned_by(choices[0], result->name.symbol);
    const Node *second = assigned_by(choices[1], result->name.symbol);
    return first && second ? smaller_or_larger(builder, choices[0]->choice.condition, first, second)
                           : index_unknown();
}

/* The FUNCTION of a call with so many actuals, when it is here and gives one result. */
static const Ast_function *function_of(const Symbol *callee, size_t count) {
    bool is_function = callee && callee->kind == SYMBOL_FUNCTION && callee->definition &&
                       callee->definition->kind == NODE_FUNCTION;
    const Ast_function *function = is_function ? &callee->definition->function : NULL;
    bool is_usable = function && function->body && function->body->kind == NODE_VALOF &&
                     function->body->valof.results.count == 1 && function->formals.count == count;
    return is_usable ? function : NULL;
}

/* A FUNCTION inside of another sees its formals. */
static const RegionFormal *bind_formals(RegionBuilder *builder, const Ast_function *function,
                                        const Node *const *actuals) {
    const RegionFormal *formals = builder->formals;
    for (size_t i = 0; i < function->formals.count; i++) {
        const Node *formal = function->formals.items[i];
        RegionFormal *bound = arena_new(builder->arena, RegionFormal);
        bound->outer = formals;
        bound->symbol = formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
        bool is_number =
            bound->symbol && bound->symbol->type && type_is_integer(bound->symbol->type);
        bound->value =
            is_number ? index_of(builder, actuals[i]) : region_whole(builder, actuals[i]);
        formals = bound;
    }
    return formals;
}

/* The formals are read in the terms of the call, what is free in those of the place: it is the same
 * variable there, or VAL. */
static const IndexExpr *index_of_function(RegionBuilder *builder, const Symbol *callee,
                                          const Node *const *actuals, size_t count) {
    const Ast_function *function = function_of(callee, count);
    if (!function || builder->calls >= REGION_CALLS) {
        return index_unknown();
    }
    const RegionFormal *outside = builder->formals;
    builder->formals = bind_formals(builder, function, actuals);
    builder->calls++;
    const IndexExpr *value = index_of_body(builder, function->body);
    builder->calls--;
    builder->formals = outside;
    return value;
}

const Node *region_enter_call(RegionBuilder *builder, const Symbol *callee,
                              const Node *const *actuals, size_t count,
                              const RegionFormal **outside) {
    const Ast_function *function = function_of(callee, count);
    const Node *body = function ? function->body : NULL;
    if (!body || body->valof.process || body->valof.specs.count > 0 ||
        builder->calls >= REGION_CALLS) {
        return NULL;
    }
    builder->budget = REGION_BUDGET;
    *outside = builder->formals;
    builder->formals = bind_formals(builder, function, actuals);
    builder->calls++;
    return body->valof.results.items[0];
}

void region_leave_call(RegionBuilder *builder, const RegionFormal *outside) {
    builder->calls--;
    builder->formals = outside;
}

/* With few numbers it is a table. */
static const IndexExpr *index_of_reversal(RegionBuilder *builder, const Node *node) {
    const NodeList *actuals = &node->function_call.actuals;
    const IndexExpr *table = region_tabulate(builder, node);
    return table->kind != INDEX_UNKNOWN || actuals->count != 2
               ? table
               : index_operator(builder->arena, INDEX_REVERSED,
                                index_of(builder, actuals->items[0]),
                                index_of(builder, actuals->items[1]));
}

static const IndexExpr *index_of_call(RegionBuilder *builder, const Node *node) {
    const Node *name = node->function_call.callee;
    const NodeList *actuals = &node->function_call.actuals;
    const Symbol *callee = name->kind == NODE_NAME ? name->name.symbol : NULL;
    if (callee && callee->kind == SYMBOL_PREDEFINED &&
        callee->predefined == PREDEFINED_BITREVNBITS) {
        return index_of_reversal(builder, node);
    }
    return index_of_function(builder, callee, (const Node *const *)actuals->items, actuals->count);
}

static const IndexExpr *index_by_kind(RegionBuilder *builder, const Node *node) {
    switch (node->kind) {
    case NODE_NAME: return region_name(builder, node->name.symbol);
    case NODE_DYADIC: return index_of_dyadic(builder, node);
    case NODE_MONADIC: return index_of_monadic(builder, node);
    case NODE_CONVERSION: return index_of_conversion(builder, node);
    case NODE_SUBSCRIPT:
    case NODE_FIELD: return region_chosen(builder, node);
    case NODE_SIZE: return index_of_size(builder, node);
    case NODE_PHASE: return index_of_phase(builder, node);
    case NODE_FUNCTION_CALL: return index_of_call(builder, node);
    /* not followed */
    case NODE_KINDS_OF_LITERAL:
    case NODE_COUNTED:
    case NODE_TABLE:
    case NODE_CONSTRUCTOR:
    case NODE_BYTESIN:
    case NODE_ADDROF:
    case NODE_SEGMENT:
    case NODE_END:
    case NODE_VALOF:
    case NODE_EXPRESSION_LIST:
    case NODE_ALLOCATION:
    case NODE_MOVE:
    case NODE_CLONE:
    case NODE_DEFINED:
    case NODE_CLOSED:
    case NODE_CLOCKS:
    case NODE_KINDS_OF_SPECIFICATION:
    case NODE_KINDS_OF_PART:
    case NODE_KINDS_OF_WAY:
    case NODE_KINDS_OF_PROCESS:
    case NODE_KINDS_OF_TYPE:
    case NODE_BROKEN:
    case NODE_UNIT: break;
    case NODE_KIND_COUNT: bug("node of no kind");
    }
    return index_unknown();
}

static const IndexExpr *index_of(RegionBuilder *builder, const Node *node) {
    if (node->constant && node->type && type_is_integer(node->type)) {
        return index_constant(builder->arena, node->constant->integer);
    }
    if (builder->budget == 0) {
        return index_unknown();
    }
    builder->budget--;
    const IndexExpr *expr = index_by_kind(builder, node);
    if (node->kind == NODE_NAME || (expr->kind != INDEX_UNKNOWN && !index_has_element(expr))) {
        return expr;
    }
    const IndexExpr *table =
        region_tabulate(builder, node); /* says more than that it is the same */
    return table->kind == INDEX_UNKNOWN ? expr : table;
}

void region_begin(RegionBuilder *builder) {
    if (!builder->is_inside) {
        builder->budget = REGION_BUDGET;
    }
}

const IndexExpr *region_index(RegionBuilder *builder, const Node *expression) {
    region_begin(builder);
    return index_of(builder, expression);
}

const IndexExpr *region_condition(RegionBuilder *builder, const Node *condition) {
    builder->budget = REGION_BUDGET;
    return region_tabulate(builder, condition);
}

const IndexExpr *region_size(RegionBuilder *builder, const Symbol *symbol) {
    builder->budget = REGION_BUDGET;
    return index_of_array(builder, symbol);
}
