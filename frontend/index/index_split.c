/* index_split -- subscripts such as row * width + column with a width that is not known.
 *
 * A product is not affine. But where it is proved that columns stay within the width, two such
 * subscripts are equal only when rows and columns are: one dimension becomes two, and both are
 * affine. Rows may again be such a product (plane * height + row). */
#include "index_question.h"

#include <limits.h>

typedef struct Splitter {
    Arena *arena;
    const IndexPair *pair;
    const IndexRegion *left;
    const IndexRegion *right;
    IndexFacets *facets;
} Splitter;

/* value = row * size + rest */
typedef struct Parts {
    const IndexExpr *row;
    const IndexExpr *rest;
} Parts;

static bool is_operator(const IndexExpr *expr, Operator op) {
    return expr->kind == INDEX_OPERATOR && expr->op == op;
}

static bool is_zero(const IndexExpr *expr) {
    return expr->kind == INDEX_CONSTANT && expr->value == 0;
}

static bool is_loop(const IndexExpr *leaf, const void *data) {
    (void)data;
    return leaf->kind == INDEX_LOOP;
}

static bool has_product(const IndexExpr *expr) {
    if (expr->kind != INDEX_OPERATOR) {
        return false;
    }
    bool is_product = expr->op == OPERATOR_MULTIPLY && expr->left->kind != INDEX_CONSTANT &&
                      expr->right->kind != INDEX_CONSTANT;
    return is_product || has_product(expr->left) || has_product(expr->right);
}

/* May be the size of a row: the same for both accesses and for all iterations; a constant only
 * beside a product with such a size. */
static bool is_size(const Splitter *splitter, const IndexExpr *factor, const IndexExpr *other) {
    if (factor->kind == INDEX_CONSTANT) {
        return has_product(other);
    }
    return index_is_shared(factor, splitter->pair) &&
           (!index_any(factor, is_loop, NULL) || !index_is_shared(other, splitter->pair));
}

static const IndexExpr *find_size(const Splitter *splitter, const IndexExpr *expr) {
    if (!has_product(expr)) {
        return NULL;
    }
    if (expr->op == OPERATOR_MULTIPLY) {
        if (is_size(splitter, expr->right, expr->left)) {
            return expr->right;
        }
        if (is_size(splitter, expr->left, expr->right)) {
            return expr->left;
        }
    } else if (expr->op != OPERATOR_ADD && expr->op != OPERATOR_SUBTRACT) {
        return NULL;
    }
    const IndexExpr *size = find_size(splitter, expr->left);
    return size ? size : find_size(splitter, expr->right);
}

static Parts split(Arena *arena, const IndexExpr *expr, const IndexExpr *size) {
    Parts parts = {index_constant(arena, 0), expr};
    if (index_equal(expr, size)) {
        return (Parts){index_constant(arena, 1), index_constant(arena, 0)};
    }
    if (is_operator(expr, OPERATOR_ADD) || is_operator(expr, OPERATOR_SUBTRACT)) {
        Parts left = split(arena, expr->left, size);
        Parts right = split(arena, expr->right, size);
        parts.row = index_operator(arena, expr->op, left.row, right.row);
        parts.rest = index_operator(arena, expr->op, left.rest, right.rest);
    } else if (is_operator(expr, OPERATOR_MULTIPLY)) {
        bool is_left = index_equal(expr->left, size);
        if (is_left || index_equal(expr->right, size)) {
            return (Parts){is_left ? expr->right : expr->left, index_constant(arena, 0)};
        }
        bool is_scaled = expr->left->kind == INDEX_CONSTANT || expr->right->kind == INDEX_CONSTANT;
        if (is_scaled) {
            bool is_first = expr->left->kind == INDEX_CONSTANT;
            const IndexExpr *factor = is_first ? expr->left : expr->right;
            Parts inner = split(arena, is_first ? expr->right : expr->left, size);
            parts.row = index_operator(arena, OPERATOR_MULTIPLY, inner.row, factor);
            parts.rest = index_operator(arena, OPERATOR_MULTIPLY, inner.rest, factor);
        }
    }
    return parts;
}

/* ---- does the rest stay within the size? ---- */

typedef struct Fit {
    const IndexRegion *region;
    IndexSide side;
    const IndexExpr *rest;
    const IndexExpr *length; /* NULL: 1 */
    const IndexExpr *size;
    bool is_expanded; /* quotients with the product by their divisor, too */
} Fit;

static IndexValue length_of(IndexQuestion *question, const Fit *fit) {
    return fit->length ? question_affine(question, fit->length, fit->side)
                       : value_number(question, 1);
}

typedef struct Misfit {
    IndexQuestion *question;
    const Fit *fit;
} Misfit;

/* It ends behind the size, or begins before 0. */
static void misfit_piece(const void *data, int which) {
    const Misfit *misfit = data;
    IndexQuestion *question = misfit->question;
    const Fit *fit = misfit->fit;
    IndexValue rest = question_affine(question, fit->rest, fit->side);
    if (which == 0) {
        question_restrict(question, value_add(question, rest, length_of(question, fit)),
                          OPERATOR_GREATER, question_affine(question, fit->size, fit->side));
    } else {
        question_restrict(question, rest, OPERATOR_LESS, value_number(question, 0));
    }
}

/* All cases in which it does not. */
static void write_misfit(IndexQuestion *question, const void *data) {
    const Fit *fit = data;
    question->is_expanded = fit->is_expanded;
    question_restrict(question, length_of(question, fit), OPERATOR_GREATER,
                      value_number(question, 0));
    question_restrict_guards(question, fit->region->guards, fit->side);
    Misfit misfit = {question, fit};
    question_restrict_pieces(question, misfit_piece, &misfit, 2);
    question_restrict_iterations(question);
}

/* By a number that is not known. */
static bool has_quotient(const IndexExpr *expr) {
    if (expr->kind != INDEX_OPERATOR) {
        return false;
    }
    bool is_it = expr->op == OPERATOR_DIVIDE && expr->right->kind != INDEX_CONSTANT;
    return is_it || has_quotient(expr->left) || has_quotient(expr->right);
}

/* In what is looked at, or in the bounds of the loops round it. */
static bool needs_quotients(const Fit *fit) {
    bool needs = has_quotient(fit->rest);
    for (const IndexLoop *loop = fit->region->loops; loop && !needs; loop = loop->outer) {
        needs = has_quotient(loop->count);
    }
    return needs;
}

static bool fits(const Splitter *splitter, const Fit *fit) {
    if (fit->rest->kind == INDEX_UNKNOWN || (fit->length && fit->length->kind == INDEX_UNKNOWN)) {
        return false;
    }
    Fit expanded = *fit;
    expanded.is_expanded = true;
    return cases_are_empty(splitter->arena, splitter->pair, write_misfit, fit, NULL) ||
           (needs_quotients(fit) &&
            cases_are_empty(splitter->arena, splitter->pair, write_misfit, &expanded, NULL));
}

/* ---- facets ---- */

static void push_facet(Splitter *splitter, const IndexFacet *facet) {
    if (splitter->facets->count < FACET_LIMIT) {
        splitter->facets->items[splitter->facets->count++] = *facet;
    } else {
        splitter->facets->is_cut = true;
    }
}

/* One side of a facet that was split: a stretch of rows, and where it is only one, the rest. */
typedef struct Split {
    IndexDimension rows;
    IndexDimension rest;
    bool is_one_row;
} Split;

static bool split_side(const Splitter *splitter, const IndexDimension *part, const IndexExpr *rest,
                       const IndexRegion *region, IndexSide side, const IndexExpr *size,
                       Split *split_of) {
    Parts from = split(splitter->arena, part->from, size);
    *split_of = (Split){{from.row, NULL, NULL}, {rest, part->length, NULL}, true};
    if (part->length && is_zero(rest)) {
        Parts length = split(splitter->arena, part->length, size);
        if (is_zero(length.rest) && length.row->kind == INDEX_CONSTANT && length.row->value > 0) {
            split_of->rows.length = length.row;
            split_of->is_one_row = length.row->value == 1;
            return true;
        }
    }
    Fit fit = {region, side, rest, part->length, size, false};
    return fits(splitter, &fit);
}

static void add_facet(Splitter *splitter, const IndexFacet *facet, unsigned depth) {
    const IndexExpr *size = find_size(splitter, facet->left.from);
    size = size ? size : find_size(splitter, facet->right.from);
    if (!size || depth == 0) {
        push_facet(splitter, facet);
        return;
    }
    const IndexExpr *left = split(splitter->arena, facet->left.from, size).rest;
    const IndexExpr *right = split(splitter->arena, facet->right.from, size).rest;
    Split first;
    Split second;
    if (!split_side(splitter, &facet->left, left, splitter->left, SIDE_LEFT, size, &first) ||
        !split_side(splitter, &facet->right, right, splitter->right, SIDE_RIGHT, size, &second)) {
        push_facet(splitter, facet);
        return;
    }
    IndexFacet rows = {first.rows, second.rows};
    add_facet(splitter, &rows, depth - 1);
    if (first.is_one_row && second.is_one_row) {
        IndexFacet rest = {first.rest, second.rest};
        add_facet(splitter, &rest, depth - 1);
    }
}

#define SPLIT_DEPTH 12

/* A subscript of which nothing is known still lies in the segment it chooses from. */
static const IndexDimension *known_part(const IndexDimension *dimension) {
    while (dimension->from && dimension->within && dimension->from->kind == INDEX_UNKNOWN) {
        dimension = dimension->within;
    }
    return dimension;
}

void index_split_pair(Arena *arena, const IndexRegion *left, const IndexRegion *right,
                      const IndexPair *pair, IndexFacets *facets) {
    Splitter splitter = {arena, pair, left, right, facets};
    for (size_t i = 0; i < left->count && i < right->count; i++) {
        const IndexDimension *a = known_part(&left->dimensions[i]);
        const IndexDimension *b = known_part(&right->dimensions[i]);
        if (!a->from || !b->from || index_is_plain(a, b)) {
            continue;
        }
        IndexFacet facet = {*a, *b};
        add_facet(&splitter, &facet, SPLIT_DEPTH);
        if (a->within || b->within) {
            IndexDimension wide = a->within ? *a->within : *a;
            IndexDimension other = b->within ? *b->within : *b;
            if (wide.from && other.from) {
                IndexFacet outer = {wide, other};
                add_facet(&splitter, &outer, SPLIT_DEPTH);
            }
        }
    }
}

bool index_is_within(const IndexRegion *region, const IndexDimension *part, uint64_t *patience) {
    const IndexDimension *inner = region->count > 0 ? known_part(&region->dimensions[0]) : NULL;
    if (!inner || !inner->from || region->phases > 0) {
        return false;
    }
    Arena *arena = arena_create();
    IndexPair pair = {.shared_depth = UINT_MAX, .first_local = INT64_MAX, .patience = patience};
    Splitter splitter = {.arena = arena, .pair = &pair};
    Fit fit = {.region = region,
               .side = SIDE_LEFT,
               .rest = index_operator(arena, OPERATOR_SUBTRACT, inner->from, part->from),
               .length = inner->length,
               .size = part->length};
    bool answer = fits(&splitter, &fit);
    arena_destroy(arena);
    return answer;
}
