/* index_table -- elements of constant tables of integers: subscripts such as order[i]. */
#include "usage_index.h"

#include <stdlib.h>

#define TABLE_LIMIT 4096  /* elements of one that is looked through */
#define MARK_LIMIT  16384 /* numbers between the least and the greatest that are marked */

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

/* Element `at`, which there is, of elements of that type. */
static int64_t load(const Constant *table, const Type *element, uint64_t size, int64_t at) {
    uint64_t bits = 0;
    const uint8_t *bytes = table->image.bytes + (uint64_t)at * size;
    for (uint64_t i = 0; i < size; i++) {
        bits |= (uint64_t)bytes[i] << (8 * i);
    }
    if (type_is_signed(element) && size < 8 && (bits >> (8 * size - 1)) != 0) {
        bits |= ~(uint64_t)0 << (8 * size);
    }
    return (int64_t)bits;
}

bool index_table_element(const Constant *table, int64_t at, int64_t *result) {
    int64_t count = 0;
    const Type *element = leaf_of(table, &count);
    uint64_t size = type_size(element);
    if (at < 0 || at >= count || size == 0 || size > 8) {
        return false;
    }
    *result = load(table, element, size, at);
    return true;
}

static int compare_numbers(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

/* Whether they rise, and the least and the greatest of them. */
static void look_through(const int64_t *numbers, IndexTable *of) {
    of->rises = true;
    of->least = of->greatest = numbers[0];
    for (int64_t i = 1; i < of->count; i++) {
        of->rises = of->rises && numbers[i - 1] <= numbers[i];
        of->least = numbers[i] < of->least ? numbers[i] : of->least;
        of->greatest = numbers[i] > of->greatest ? numbers[i] : of->greatest;
    }
}

/* All in a stretch of numbers that is not long: a mark for each. */
static bool are_marks_distinct(const int64_t *numbers, const IndexTable *of) {
    bool marks[MARK_LIMIT] = {false};
    for (int64_t i = 0; i < of->count; i++) {
        bool *mark = &marks[(uint64_t)numbers[i] - (uint64_t)of->least];
        if (*mark) {
            return false;
        }
        *mark = true;
    }
    return true;
}

static bool are_distinct(int64_t *numbers, const IndexTable *of) {
    if ((uint64_t)of->greatest - (uint64_t)of->least < MARK_LIMIT) {
        return are_marks_distinct(numbers, of);
    }
    if (!of->rises) {
        qsort(numbers, (size_t)of->count, sizeof *numbers, compare_numbers);
    }
    for (int64_t i = 1; i < of->count; i++) {
        if (numbers[i - 1] == numbers[i]) {
            return false;
        }
    }
    return true;
}

bool index_table_of(const Constant *table, IndexTable *of) {
    int64_t numbers[TABLE_LIMIT];
    const Type *element = leaf_of(table, &of->count);
    uint64_t size = type_size(element);
    if (of->count <= 0 || of->count > TABLE_LIMIT || size == 0 || size > 8) {
        return false;
    }
    for (int64_t i = 0; i < of->count; i++) {
        numbers[i] = load(table, element, size, i);
    }
    look_through(numbers, of);
    of->is_distinct = are_distinct(numbers, of);
    return true;
}

bool index_has_lookup(const IndexExpr *expr) {
    if (!expr || expr->kind != INDEX_OPERATOR) {
        return expr && expr->kind == INDEX_LOOKUP;
    }
    return index_has_lookup(expr->left) || index_has_lookup(expr->right);
}
