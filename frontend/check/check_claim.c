/* check_claim -- CLAIM: which end is claimed, and what its name denotes inside (language.md 2.5).
 * A MUTEX is claimed as it is: inside its name denotes the same (language.md 4.4).
 *
 * Holds: inside of the block the element is the one end, not shared: it can be used there, and
 *        claiming it again or passing it on as a shared end is a mistake of types. It has a symbol
 *        of its own. For a name that is in scope instead of the shared one; an element is replaced
 *        by it wherever it is written in the same way, so what chooses it must not change. */
#include "checker.h"

typedef struct ClaimedElement {
    const Node *element;
    Symbol *claimed;
    struct ClaimedElement *outer;
} ClaimedElement;

/* ---- the end ---- */

/* The end that is meant: as written, or the only one there is; NONE after a message. */
static Direction claimed_direction(Checker *checker, Node *node) {
    Node *element = node->claim.element;
    Direction written = node->claim.direction;
    Direction known = element_direction(element);
    const Type *leaf = type_leaf(element->type);
    if (written == DIRECTION_NONE && known != DIRECTION_NONE) {
        return known;
    }
    if (written != DIRECTION_NONE) {
        return check_end_direction(checker, element, written, node->at) ? written : DIRECTION_NONE;
    }
    if (leaf->channel.is_shared_input && leaf->channel.is_shared_output) {
        const char *name = node_root(element)->name->bytes;
        diag_report(checker->diag, DIAG_TYPES_CLAIM_DIRECTION, element->at, name);
        diag_hint(checker->diag, "write CLAIM %s! to output, CLAIM %s? to input", name, name);
        return DIRECTION_NONE;
    }
    return leaf->channel.is_shared_input ? DIRECTION_INPUT : DIRECTION_OUTPUT;
}

static bool is_shared_end(const Type *type, Direction direction) {
    if (type_is_bundle_end(type)) {
        return type_base(type)->bundle_end.is_shared;
    }
    return direction == DIRECTION_INPUT ? type->channel.is_shared_input
                                        : type->channel.is_shared_output;
}

/* An end of a bundle says itself which it is; the mark may be repeated. */
static Direction bundle_direction(Checker *checker, const Node *node, const Symbol *symbol) {
    Direction is = type_base(node->claim.element->type)->bundle_end.direction;
    if (node->claim.direction != DIRECTION_NONE && node->claim.direction != is) {
        diag_report(checker->diag, DIAG_TYPES_DIRECTION, node->at, symbol->name->bytes,
                    is == DIRECTION_INPUT ? "the server's end (?)" : "the client's end (!)",
                    "CLAIM of the other");
        return DIRECTION_NONE;
    }
    return is;
}

/* A MUTEX has no ends. */
static void check_mutex(Checker *checker, const Node *node) {
    if (node->claim.direction != DIRECTION_NONE) {
        diag_report(checker->diag, DIAG_TYPES_CLAIM_MUTEX, node->at,
                    node_root(node->claim.element)->name->bytes);
        diag_hint(checker->diag, "write CLAIM %s, and the process below it",
                  node_root(node->claim.element)->name->bytes);
    }
}

/* The direction that is claimed; NONE after a message, and of a MUTEX. */
static Direction check_claimed_end(Checker *checker, Node *node) {
    const Type *type = check_element(checker, &node->claim.element);
    Node *element = node->claim.element;
    const Symbol *symbol = node_root(element);
    element_mark_used(element);
    element_mark_read(element);
    if (type_is_error(type)) {
        return DIRECTION_NONE;
    }
    if (symbol && type_is_mutex(type)) {
        check_mutex(checker, node);
        return DIRECTION_NONE;
    }
    bool is_bundle = type_is_bundle_end(type);
    if (!symbol || (type->kind != TYPE_CHANNEL && !is_bundle)) {
        diag_report(checker->diag, DIAG_TYPES_NOT_CLAIMABLE, element->at,
                    type_name(checker->arena, type));
        return DIRECTION_NONE;
    }
    Direction direction =
        is_bundle ? bundle_direction(checker, node, symbol) : claimed_direction(checker, node);
    if (direction != DIRECTION_NONE && !is_shared_end(type, direction)) {
        diag_report(checker->diag, DIAG_TYPES_NOT_SHARED, element->at, symbol->name->bytes);
        if (element_is_claimed(symbol)) {
            diag_label(checker->diag, symbol->definition->claim.element->at,
                       "it is claimed already: from here on the name is the one end");
        } else {
            symbol_label(checker, symbol, "is declared here");
        }
        return DIRECTION_NONE;
    }
    return direction;
}

/* ---- elements that are written in the same way ---- */

static bool is_same_text(const Node *left, const Node *right);

static bool is_same_or_absent(const Node *left, const Node *right) {
    return left && right ? is_same_text(left, right) : left == right;
}

static bool is_same_list(const NodeList *left, const NodeList *right) {
    bool is_same = left->count == right->count;
    for (size_t i = 0; is_same && i < left->count; i++) {
        is_same = is_same_text(left->items[i], right->items[i]);
    }
    return is_same;
}

static bool is_same_text(const Node *left, const Node *right) {
    if (left->constant && right->constant && left->type && type_is_integer(left->type)) {
        return left->constant->integer == right->constant->integer;
    }
    if (left->kind != right->kind) {
        return false;
    }
    if (left->kind == NODE_NAME) {
        return left->name.symbol && left->name.symbol == right->name.symbol;
    }
    if (left->kind == NODE_SUBSCRIPT) {
        return is_same_text(left->subscript.base, right->subscript.base) &&
               is_same_text(left->subscript.index, right->subscript.index);
    }
    if (left->kind == NODE_FIELD) {
        return left->field.name == right->field.name &&
               is_same_text(left->field.base, right->field.base);
    }
    if (left->kind == NODE_SEGMENT) {
        return is_same_text(left->segment.base, right->segment.base) &&
               is_same_or_absent(left->segment.from, right->segment.from) &&
               is_same_or_absent(left->segment.length, right->segment.length);
    }
    if (left->kind == NODE_SIZE) {
        return is_same_text(left->size.operand, right->size.operand);
    }
    if (left->kind == NODE_TABLE) {
        return is_same_list(&left->table.items, &right->table.items);
    }
    if (left->kind == NODE_FUNCTION_CALL) {
        return is_same_text(left->function_call.callee, right->function_call.callee) &&
               is_same_list(&left->function_call.actuals, &right->function_call.actuals);
    }
    return left->kind == NODE_DYADIC && !left->dyadic.user_operator &&
           left->dyadic.op == right->dyadic.op &&
           is_same_text(left->dyadic.left, right->dyadic.left) &&
           is_same_text(left->dyadic.right, right->dyadic.right);
}

void check_claim_add(Checker *checker, const Node *element, Symbol *symbol) {
    ClaimedElement *entry = arena_new(checker->arena, ClaimedElement);
    *entry = (ClaimedElement){element, symbol, checker->claimed};
    checker->claimed = entry;
}

const Type *check_claimed_element(const Checker *checker, Node *node) {
    for (const ClaimedElement *at = checker->claimed; at; at = at->outer) {
        if (is_same_text(at->element, node)) {
            node->kind = NODE_NAME;
            node->name = (Ast_name){.name = at->claimed->name, .symbol = at->claimed};
            return at->claimed->type;
        }
    }
    return NULL;
}

typedef struct NameSearch {
    const Symbol *symbol;
    bool is_found;
} NameSearch;

static void search(Node **slot, void *data) {
    NameSearch *state = data;
    state->is_found =
        state->is_found || ((*slot)->kind == NODE_NAME && (*slot)->name.symbol == state->symbol);
    node_visit_children(*slot, search, data);
}

bool check_claim_unchanged(Checker *checker, const Node *node, const Symbol *symbol) {
    for (const ClaimedElement *at = checker->claimed; at; at = at->outer) {
        NameSearch state = {symbol, false};
        if (!element_is_claimed(at->claimed)) {
            continue; /* an abbreviation: check_alias sees to it */
        }
        node_visit_children((Node *)at->element, search, &state);
        if (state.is_found) {
            diag_report(checker->diag, DIAG_TYPES_CLAIM_SUBSCRIPT, node->at, symbol->name->bytes);
            diag_label(checker->diag, at->element->at, "it is claimed here");
            return false;
        }
    }
    return true;
}

/* ---- the block ---- */

static Symbol *make_claimed(Checker *checker, const Symbol *symbol, Node *node,
                            Direction direction) {
    Symbol *claimed = arena_copy(checker->arena, symbol, sizeof *symbol);
    claimed->kind = SYMBOL_VARIABLE;
    claimed->definition = node;
    claimed->owner = checker->routine;
    claimed->type = type_claimed(checker->arena, node->claim.element->type);
    claimed->direction = type_is_bundle_end(claimed->type) ? DIRECTION_NONE : direction;
    claimed->number = checker->symbol_count++;
    return claimed;
}

static bool may_be_claimed(const Symbol *symbol, const Type *type) {
    return symbol && symbol->type && type && !type_is_error(type) &&
           (type->kind == TYPE_CHANNEL || type_is_bundle_end(type));
}

void check_claim(Checker *checker, Node *node) {
    check_communicates(checker, node, "CLAIM");
    Direction direction = check_claimed_end(checker, node);
    const Node *element = node->claim.element;
    const Symbol *symbol = node_root(element);
    ClaimedElement entry = {element, NULL, checker->claimed};
    node->claim.direction = direction;
    scope_open(checker->scope);
    if (may_be_claimed(symbol, element->type)) {
        entry.claimed = node->claim.claimed = make_claimed(checker, symbol, node, direction);
        if (element->kind == NODE_NAME) {
            scope_add(checker->scope, entry.claimed);
        } else {
            checker->claimed = &entry;
        }
    }
    check_process(checker, &node->claim.process);
    checker->claimed = entry.outer;
    scope_close(checker->scope);
}
