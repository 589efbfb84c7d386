/* first_part -- how elements of a variable relate to the part that is tracked; see first_part.h. */
#include "first_part.h"

enum { SELECTORS_MAX = 16 };

/* Selectors -- subscripts, fields and segments of an element, from the root outwards. */
typedef struct Selectors {
    const Node *items[SELECTORS_MAX];
    size_t count;
} Selectors;

/* Subscript -- offset, plus or minus a replicator. */
typedef struct Subscript {
    const Symbol *index; /* NULL: a constant */
    int64_t offset;
    bool is_negative;
} Subscript;

bool part_is_named(const Part *part, Node *text) {
    for (const Part *one = part; one != NULL; one = one->outer) {
        if (emit_is_named(text, one->symbol) ||
            (one->alias != NULL && emit_is_named(text, one->alias))) {
            return true;
        }
    }
    return false;
}

/* ---- subscripts ---- */

static bool add_constant(Subscript *subscript, const Node *number, bool is_subtracted) {
    int64_t value = number->constant->integer;
    return is_subtracted ? !__builtin_sub_overflow(subscript->offset, value, &subscript->offset)
                         : !__builtin_add_overflow(subscript->offset, value, &subscript->offset);
}

/* i, i + 1, 1 + i, i - 1, 9 - i, 9 */
static bool subscript_of(const Node *node, Subscript *subscript) {
    *subscript = (Subscript){NULL, 0, false};
    if (node->constant != NULL) {
        return add_constant(subscript, node, false);
    }
    if (node->kind == NODE_NAME) {
        subscript->index = node->name.symbol;
        return subscript->index->kind == SYMBOL_REPLICATOR;
    }
    if (node->kind != NODE_DYADIC || node->dyadic.user_operator != NULL) {
        return false;
    }
    const Node *left = node->dyadic.left;
    const Node *right = node->dyadic.right;
    bool is_sum = node->dyadic.op == OPERATOR_ADD;
    if (!is_sum && node->dyadic.op != OPERATOR_SUBTRACT) {
        return false;
    }
    if (right->constant != NULL) {
        return subscript_of(left, subscript) && add_constant(subscript, right, !is_sum);
    }
    bool is_known = left->constant != NULL && right->kind == NODE_NAME &&
                    subscript_of(right, subscript) && add_constant(subscript, left, false);
    subscript->is_negative = !is_sum;
    return is_known;
}

static bool is_constant(const Node *node, int64_t *value) {
    bool is_known = node != NULL && node->constant != NULL;
    *value = is_known ? node->constant->integer : 0;
    return is_known;
}

/* ---- which part an element is of ---- */

static const Symbol *selectors_of(const Node *element, Selectors *selectors) {
    const Node *items[SELECTORS_MAX];
    size_t count = 0;
    for (const Node *base = element_base(element); base != NULL; base = element_base(element)) {
        if (count == SELECTORS_MAX) {
            count = 0; /* too many: treat as the whole variable */
        }
        items[count++] = element;
        element = base;
    }
    selectors->count = count;
    for (size_t i = 0; i < count; i++) {
        selectors->items[i] = items[count - 1 - i];
    }
    return element->kind == NODE_NAME ? element->name.symbol : NULL;
}

static bool is_chosen_by(const Part *part, const Node *selector) {
    Subscript subscript;
    return selector->kind == NODE_SUBSCRIPT &&
           subscript_of(selector->subscript.index, &subscript) && subscript.index == part->index &&
           subscript.offset == part->offset && subscript.is_negative == part->is_negative;
}

/* The innermost part that contains the element, after *used selectors. NULL: another variable. */
static Part *part_of(Part *part, const Symbol *root, const Selectors *selectors, size_t *used) {
    if (root == NULL) {
        return NULL;
    }
    if (part->alias == root || part->outer == NULL) {
        *used = 0;
        return part->alias == root || part->symbol == root ? part : NULL;
    }
    Part *outer = part_of(part->outer, root, selectors, used);
    if (outer == part->outer && *used < selectors->count &&
        is_chosen_by(part, selectors->items[*used])) {
        (*used)++;
        return part;
    }
    return outer;
}

bool part_is_element(Part *part, const Node *element) {
    Selectors selectors;
    size_t used;
    const Symbol *root = selectors_of(element, &selectors);
    return part_of(part, root, &selectors, &used) != NULL;
}

bool part_is_exactly(Part *part, const Node *element) {
    Selectors selectors;
    size_t used;
    const Symbol *root = selectors_of(element, &selectors);
    return part_of(part, root, &selectors, &used) == part && used == selectors.count;
}

LoopSubscript part_loop_subscript(Part *part, const Node *element, const Symbol *index) {
    LoopSubscript found = {0, false, false};
    Selectors selectors;
    size_t used;
    Subscript subscript;
    const Symbol *root = selectors_of(element, &selectors);
    if (type_base(part->type)->kind == TYPE_ARRAY &&
        part_of(part, root, &selectors, &used) == part && used < selectors.count &&
        selectors.items[used]->kind == NODE_SUBSCRIPT &&
        subscript_of(selectors.items[used]->subscript.index, &subscript) &&
        subscript.index == index) {
        found = (LoopSubscript){subscript.offset, subscript.is_negative, true};
    }
    return found;
}

/* ---- reading ---- */

static bool is_segment_within(const Node *segment, int64_t *first, int64_t *end) {
    int64_t length;
    *first = 0;
    return (segment->segment.from == NULL || is_constant(segment->segment.from, first)) &&
           is_constant(segment->segment.length, &length) && *first >= 0 && length >= 0 &&
           !__builtin_add_overflow(*first, length, end);
}

static bool is_written(Part *part, const Node *selector) {
    Subscript subscript;
    int64_t first, end;
    if (selector->kind == NODE_SEGMENT) {
        return is_segment_within(selector, &first, &end) && end <= part->filled;
    }
    if (selector->kind != NODE_SUBSCRIPT || !subscript_of(selector->subscript.index, &subscript)) {
        return false;
    }
    if (subscript.index == NULL) {
        return subscript.offset >= 0 && subscript.offset < part->filled;
    }
    bool is_below = subscript.index == part->counter && !subscript.is_negative &&
                    subscript.offset < part->below;
    part->relies = part->relies || is_below;
    return is_below;
}

void part_read(Part *part, const Node *element) {
    Selectors selectors;
    size_t used;
    const Symbol *root = selectors_of(element, &selectors);
    Part *of = part_of(part, root, &selectors, &used);
    if (of == NULL || of->is_whole) {
        return;
    }
    if (used == selectors.count || !is_written(of, selectors.items[used])) {
        part->fails = true;
    }
}

/* ---- writing ---- */

void part_fill(Part *part, int64_t first, int64_t end) {
    if (first <= part->filled && end > part->filled) {
        part->filled = end;
    }
    const Type *type = type_base(part->type);
    if (type->kind == TYPE_ARRAY && type->array.count != ARRAY_OPEN &&
        part->filled >= type->array.count) {
        part->is_whole = true;
    }
}

void part_write(Part *part, const Node *element) {
    Selectors selectors;
    size_t used;
    const Symbol *root = selectors_of(element, &selectors);
    if (part_of(part, root, &selectors, &used) != part) {
        return;
    }
    if (used == selectors.count) {
        part->is_whole = true;
        return;
    }
    const Node *selector = selectors.items[used];
    int64_t first, end;
    if (used + 1 != selectors.count) {
        return;
    }
    if (selector->kind == NODE_SUBSCRIPT && is_constant(selector->subscript.index, &first)) {
        part_fill(part, first, first + 1);
    } else if (selector->kind == NODE_SEGMENT && is_segment_within(selector, &first, &end)) {
        part_fill(part, first, end);
    }
}

void part_join(Part *part, const Part *other) {
    part->fails = part->fails || other->fails;
    if (part->is_whole) {
        part->filled = other->filled;
    } else if (!other->is_whole && other->filled < part->filled) {
        part->filled = other->filled;
    }
    part->is_whole = part->is_whole && other->is_whole;
}
