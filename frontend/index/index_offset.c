/* index_offset -- accesses that differ only by a constant: x[(i * 100) + 3] and x[(i * 100) + 7].
 *
 * Whether two of them are apart depends on the difference of the constants alone, so a thousand
 * such accesses need a thousand comparisons, not half a million. The answer must not depend on
 * where the array begins: the subscript without its constant is never negative, or only cases can
 * decide (there is a parameter) and are told to forget the beginning (IndexPair.is_anywhere). */
#include "usage_index.h"

#define CLASS_LIMIT 64
#define CACHE_SIZE  8192 /* a power of two */

typedef struct OffsetClass {
    const IndexRegion *region;
    const IndexExpr *varying; /* of the last dimension, without the constant */
} OffsetClass;

typedef struct OffsetAnswer {
    uint32_t left; /* 0: empty */
    uint32_t right;
    int64_t difference;
} OffsetAnswer;

struct IndexOffsetTable {
    size_t class_count;
    OffsetClass classes[CLASS_LIMIT];
    size_t answer_count;
    OffsetAnswer answers[CACHE_SIZE];
};

IndexOffsetTable *index_offset_table(Arena *arena) {
    return arena_new(arena, IndexOffsetTable);
}

static bool has_parameter(const IndexExpr *expr) {
    switch (expr->kind) {
    case INDEX_PARAMETER: return true;
    case INDEX_OPERATOR: return has_parameter(expr->left) || has_parameter(expr->right);
    case INDEX_CONSTANT:
    case INDEX_LOOP:
    case INDEX_LOOKUP:
    case INDEX_ELEMENT:
    case INDEX_UNKNOWN: return false;
    }
    return false;
}

const IndexExpr *index_take_offset(const IndexExpr *from, int64_t *offset) {
    *offset = 0;
    if (from->kind == INDEX_OPERATOR && from->op == OPERATOR_ADD) {
        bool is_left = from->left->kind == INDEX_CONSTANT;
        if (is_left || from->right->kind == INDEX_CONSTANT) {
            *offset = is_left ? from->left->value : from->right->value;
            return is_left ? from->right : from->left;
        }
    }
    return from;
}

static bool same_shape(const OffsetClass *known, const IndexRegion *region,
                       const IndexExpr *varying) {
    const IndexRegion *other = known->region;
    if (other->count != region->count || other->loops != region->loops ||
        other->guards != region->guards || !index_same(known->varying, varying)) {
        return false;
    }
    for (size_t i = 0; i < region->count; i++) {
        const IndexDimension *a = &other->dimensions[i];
        const IndexDimension *b = &region->dimensions[i];
        if (a->within || b->within || !index_same(a->length, b->length) ||
            (i + 1 < region->count && !index_same(a->from, b->from))) {
            return false;
        }
    }
    return true;
}

unsigned index_offset_class(IndexOffsetTable *table, const IndexRegion *region, int64_t *offset) {
    const IndexDimension *last = region->count > 0 ? &region->dimensions[region->count - 1] : NULL;
    if (!last || !last->from || last->within) {
        return 0;
    }
    const IndexExpr *varying = index_take_offset(last->from, offset);
    if (!has_parameter(varying) && (*offset < 0 || !index_is_natural(varying))) {
        return 0;
    }
    for (size_t i = 0; i < table->class_count; i++) {
        if (same_shape(&table->classes[i], region, varying)) {
            return (unsigned)i + 1;
        }
    }
    if (table->class_count == CLASS_LIMIT) {
        return 0;
    }
    table->classes[table->class_count++] = (OffsetClass){region, varying};
    return (unsigned)table->class_count;
}

static OffsetAnswer *find_place(IndexOffsetTable *table, unsigned left, unsigned right,
                                int64_t difference) {
    uint64_t hash = ((uint64_t)left * 31 + right) * 1000003 + (uint64_t)difference;
    for (size_t at = (hash * 0x9E3779B97F4A7C15U) >> 51;; at++) {
        OffsetAnswer *answer = &table->answers[at % CACHE_SIZE];
        bool is_it =
            answer->left == left && answer->right == right && answer->difference == difference;
        if (answer->left == 0 || is_it) {
            return answer;
        }
    }
}

bool index_offset_is_known(IndexOffsetTable *table, unsigned left, unsigned right,
                           int64_t difference) {
    return left && right && find_place(table, left, right, difference)->left != 0;
}

void index_offset_note(IndexOffsetTable *table, unsigned left, unsigned right, int64_t difference) {
    if (left && right && table->answer_count < CACHE_SIZE / 2) {
        OffsetAnswer *answer = find_place(table, left, right, difference);
        table->answer_count += answer->left == 0;
        *answer = (OffsetAnswer){left, right, difference};
    }
}
