/* check_repeated -- one wrong declaration, one error: a name that was found to have one type where
 * another is needed is not blamed for the same two types again.
 *
 * Holds: which of the names in an error is declared wrongly nobody knows, so all are blamed. */
#include "checker.h"

/* Of a channel and of arrays what they carry. */
static const Type *carried_type(const Type *type) {
    for (;;) {
        if (type->kind == TYPE_ARRAY) {
            type = type->array.element;
        } else if (type->kind == TYPE_CHANNEL) {
            type = type->channel.protocol;
        } else {
            return type;
        }
    }
}

/* The name at the root of an element, or of the first operand that has one. */
const Symbol *check_named_in(const Node *node) {
    if (node->kind == NODE_DYADIC) {
        const Symbol *left = check_named_in(node->dyadic.left);
        return left ? left : check_named_in(node->dyadic.right);
    }
    return node->kind == NODE_MONADIC ? check_named_in(node->monadic.operand) : node_root(node);
}

/* Among the first `count`. */
static bool is_blamed(const Checker *checker, const Blame *now, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const Blame *then = &checker->blames.items[i];
        if (then->name == now->name &&
            ((type_equal(then->one, now->one) && type_equal(then->other, now->other)) ||
             (type_equal(then->one, now->other) && type_equal(then->other, now->one)))) {
            return true;
        }
    }
    return false;
}

/* The names of one declaration share their type. */
static const void *name_of(const Symbol *symbol) {
    bool has_siblings = symbol->definition && symbol->definition->kind == NODE_DECLARATION;
    return has_siblings ? (const void *)symbol->definition : symbol;
}

bool check_repeats(Checker *checker, const Node *node, const Symbol *against, const Type *one,
                   const Type *other) {
    const Symbol *symbols[] = {check_named_in(node), against,
                               node == checker->item ? checker->receiver : NULL};
    const Type *types[] = {carried_type(one), carried_type(other)};
    bool again = false;
    bool are_scalar = type_is_scalar(types[0]) && type_is_scalar(types[1]);
    if (!are_scalar || type_equal(types[0], types[1])) {
        return false;
    }
    size_t before = checker->blames.count; /* in x := x = 1 both names are the same */
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        if (symbols[i] == NULL) {
            continue;
        }
        Blame blame = {name_of(symbols[i]), types[0], types[1]};
        if (is_blamed(checker, &blame, before)) {
            again = true;
        } else {
            array_push(checker->arena, &checker->blames, blame);
        }
    }
    if (again) {
        diag_settle(checker->diag);
    }
    return again;
}
