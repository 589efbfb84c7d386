/* build_expression -- literals, operators, elements. */
#include "build.h"

#define MAKE(kind, at) node_create(parse->arena, NODE_##kind, (at))

enum { LINKS_IN_A_ROW = 32 };

/* ---- literals ---- */

Node *build_integer(Parse *parse, const Token *token) {
    Node *node = MAKE(INTEGER, token->at);
    node->integer.value = token->value;
    node->integer.is_hex = token->is_hex;
    node->integer.is_big = token->is_too_big;
    return node;
}

Node *build_byte(Parse *parse, const Token *token) {
    Node *node = MAKE(BYTE, token->at);
    node->byte.value = token->value;
    return node;
}

Node *build_boolean(Parse *parse, bool value, Location at) {
    Node *node = MAKE(BOOLEAN, at);
    node->boolean.value = value;
    return node;
}

Node *build_real(Parse *parse, const Text *digits, Location at) {
    Node *node = MAKE(REAL, at);
    node->real.digits = digits;
    return node;
}

Node *build_string(Parse *parse, const Text *text, Location at) {
    Node *node = MAKE(STRING, at);
    node->string.text = text;
    return node;
}

Node *build_decorated(Node *literal, Node *type, Location at) {
    if (literal->kind == NODE_INTEGER) {
        literal->integer.decoration = type;
    } else if (literal->kind == NODE_REAL) {
        literal->real.decoration = type;
    } else if (literal->kind == NODE_BYTE) {
        literal->byte.decoration = type;
    } else if (literal->kind == NODE_STRING) {
        literal->string.decoration = type;
    } else {
        bug("%s takes no type", node_title(literal->kind));
    }
    literal->at = at;
    return literal;
}

/* ---- operators ---- */

/* -5 is a literal, so that the least number of each type can be written; -0 is not, since a BYTE
 * has no sign. */
static bool is_foldable(Operation operation, const Node *operand) {
    return operation.op == OPERATOR_NEGATE && operand->kind == NODE_INTEGER &&
           !operand->integer.is_hex &&
           (operand->integer.is_big ? operand->integer.value == INT64_MIN
                                    : operand->integer.value > 0);
}

Node *build_monadic(Parse *parse, Operation operation, Node *operand, Location at) {
    if (is_foldable(operation, operand)) {
        if (!operand->integer.is_big) { /* else its value is INT64_MIN already */
            operand->integer.value = -operand->integer.value;
        }
        operand->integer.is_big = false;
        operand->at = at;
        return operand;
    }
    Node *node = MAKE(MONADIC, at);
    node->monadic.op = operation.op;
    node->monadic.operator_text = operation.text;
    node->monadic.operand = operand;
    if (operation.op == OPERATOR_USER) {
        array_push(parse->arena, &parse->operator_uses, node);
    }
    return node;
}

Node *build_dyadic(Parse *parse, Operation operation, Node *left, Node *right, Location at) {
    Node *node = MAKE(DYADIC, at);
    node->dyadic.op = operation.op;
    node->dyadic.operator_text = operation.text;
    node->dyadic.left = left;
    node->dyadic.right = right;
    if (operation.op == OPERATOR_USER) {
        array_push(parse->arena, &parse->operator_uses, node);
    }
    return node;
}

/* The operands from `first` to before `end`. A long chain is halved: operands are still evaluated
 * from left to right as far as needed, and no later pass recurses deeper than it must. */
static Node *build_links(Parse *parse, Operation operation, const NodeList *operands, size_t first,
                         size_t end) {
    if (end - first == 1) {
        return operands->items[first];
    }
    size_t middle = end - first > LINKS_IN_A_ROW ? first + (end - first) / 2 : end - 1;
    Node *left = build_links(parse, operation, operands, first, middle);
    Node *right = build_links(parse, operation, operands, middle, end);
    return build_dyadic(parse, operation, left, right, location_join(left->at, right->at));
}

Node *build_chain(Parse *parse, Operation operation, const NodeList *operands, Location at) {
    Node *chain = build_links(parse, operation, operands, 0, operands->count);
    chain->at = at;
    return chain;
}

Node *build_conversion(Parse *parse, Node *type, Rounding rounding, Node *operand, Location at) {
    Node *node = MAKE(CONVERSION, at);
    node->conversion.type_expr = type;
    node->conversion.rounding = rounding;
    node->conversion.operand = operand;
    return node;
}

Node *build_limit(Parse *parse, bool is_negative, Node *type, Location at) {
    Node *node = MAKE(LIMIT, at);
    node->limit.is_negative = is_negative;
    node->limit.type_expr = type;
    return node;
}

/* ---- elements and tables ---- */

Node *build_subscript(Parse *parse, Node *base, Node *index, Location at) {
    Node *node = MAKE(SUBSCRIPT, at);
    node->subscript.base = base;
    node->subscript.index = index;
    return node;
}

Node *build_segment(Parse *parse, Node *base, Node *from, Node *length, Location at) {
    Node *node = MAKE(SEGMENT, at);
    node->segment.base = base;
    node->segment.from = from;
    node->segment.length = length;
    return node;
}

Node *build_end(Parse *parse, Node *channel, Direction direction, Location at) {
    if (direction == DIRECTION_NONE) {
        return channel;
    }
    Node *node = MAKE(END, at);
    node->end.channel = channel;
    node->end.direction = direction;
    return node;
}

Node *build_table(Parse *parse, NodeList items, Node *decoration, Location at) {
    Node *node = MAKE(TABLE, at);
    node->table.items = items;
    node->table.decoration = decoration;
    return node;
}

Node *build_expression_list(Parse *parse, NodeList items, Location at) {
    build_check_values(parse, &items);
    Node *node = MAKE(EXPRESSION_LIST, at);
    node->expression_list.items = items;
    return node;
}
