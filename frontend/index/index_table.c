/* index_table -- elements of constant tables of integers: subscripts such as order[i]. */
#include "usage_index.h"

#include <stdlib.h>

#define TABLE_LIMIT 4096 /* elements of one that is looked through */

/* The elements of all dimensions, one after the other. */
static const Type *leaf_of(const Constant *table, int64_t *count) {
    const Type *type = type_base(table->type);
    *count = 1;
    while (type_is_array(type)) {
        *count *= type->array.count;
        type = type_base(type->array.element);
    }
    return type;
}

bool index_table_element(const Constant *table, int64_t at, int64_t *result) {
    int64_t count = 0;
    const Type *element = leaf_of(table, &count);
    uint64_t size = type_size(element);
    if (at < 0 || at >= count || size == 0 || size > 8) {
        return false;
    }
    uint64_t bits = 0;
    const uint8_t *bytes = table->image.bytes + (uint64_t)at * size;
    for (uint64_t i = 0; i < size; i++) {
        bits |= (uint64_t)bytes[i] << (8 * i);
    }
    if (type_is_signed(element) && size < 8 && (bits >> (8 * size - 1)) != 0) {
        bits |= ~(uint64_t)0 << (8 * size);
    }
    *result = (int64_t)bits;
    return true;
}

static int compare_numbers(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

static bool rises(const int64_t *numbers, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        if (numbers[i - 1] > numbers[i]) {
            return false;
        }
    }
    return true;
}

static bool are_distinct(const int64_t *sorted, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        if (sorted[i - 1] == sorted[i]) {
            return false;
        }
    }
    return true;
}

bool index_table_of(const Constant *table, IndexTable *of) {
    int64_t numbers[TABLE_LIMIT];
    leaf_of(table, &of->count);
    if (of->count <= 0 || of->count > TABLE_LIMIT) {
        return false;
    }
    for (int64_t i = 0; i < of->count; i++) {
        if (!index_table_element(table, i, &numbers[i])) {
            return false;
        }
    }
    of->rises = rises(numbers, of->count);
    if (!of->rises) {
        qsort(numbers, (size_t)of->count, sizeof *numbers, compare_numbers);
    }
    of->is_distinct = are_distinct(numbers, of->count);
    of->least = numbers[0];
    of->greatest = numbers[of->count - 1];
    return true;
}

bool index_has_lookup(const IndexExpr *expr) {
    if (!expr || expr->kind != INDEX_OPERATOR) {
        return expr && expr->kind == INDEX_LOOKUP;
    }
    return index_has_lookup(expr->left) || index_has_lookup(expr->right);
}
