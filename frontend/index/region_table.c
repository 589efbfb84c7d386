/* region_table -- subscripts and conditions that only evaluating them tells, as tables of
 * constants: BITREVNBITS (i, 3), INT ROUND (REAL32 ROUND i), points[i][x], where i is one of a few
 * numbers.
 *
 * Holds: the element for each number is what fold.h makes of the expression, all of them or none.
 *        Equal tables are one table, so that the same part is seen to be the same. The work in one
 *        unit is bounded. */
#include "array.h"
#include "fold.h"
#include "region.h"

#include <string.h>

#define TABLE_NAMES    3
#define TABLE_VALUES   4 /* VAL names that stand between */
#define TABLE_ELEMENTS 4096
#define TABLE_ROUND    128
#define TABLE_NODES    48
#define TABLE_WORK     4000000 /* nodes evaluated in one unit */

/* An expression with the numbers its names may be; NULL table: it is none. */
typedef struct KnownTable {
    const Node *node;
    size_t count;
    IndexBounds ranges[TABLE_NAMES];
    const Constant *table;
} KnownTable;

struct RegionTables {
    Arena *arena;
    uint32_t work;
    ARRAY_OF(KnownTable) known;
};

RegionTables *region_tables(Arena *arena) {
    RegionTables *tables = arena_new(arena, RegionTables);
    tables->arena = arena;
    tables->work = TABLE_WORK;
    return tables;
}

/* ---- the names in it ---- */

typedef struct NumberName {
    const Symbol *symbol;
    const IndexExpr *value;
    IndexBounds range;
} NumberName;

typedef struct Names {
    RegionBuilder *builder;
    NumberName numbers[TABLE_NAMES];
    size_t count;
    const Symbol *values[TABLE_VALUES]; /* in the order in which they are evaluated */
    size_t value_count;
    unsigned fuel;
    bool has_failed;
} Names;

static void gather(Names *names, const Node *node);

static bool is_found(const Names *names, const Symbol *symbol) {
    for (size_t i = 0; i < names->count; i++) {
        if (names->numbers[i].symbol == symbol) {
            return true;
        }
    }
    for (size_t i = 0; i < names->value_count; i++) {
        if (names->values[i] == symbol) {
            return true;
        }
    }
    return false;
}

/* VAL row IS points[i]:   The value of the expression, if that cannot change meanwhile. */
static void gather_value(Names *names, const Symbol *symbol) {
    const Node *definition = symbol->kind == SYMBOL_VALUE ? symbol->definition : NULL;
    bool is_expression = definition && definition->kind == NODE_ABBREVIATION &&
                         definition->abbreviation.form == FORM_IS;
    if (!is_expression || names->value_count == TABLE_VALUES) {
        names->has_failed = true;
        return;
    }
    gather(names, definition->abbreviation.value);
    if (names->value_count == TABLE_VALUES) {
        names->has_failed = true;
        return;
    }
    names->values[names->value_count++] = symbol;
}

/* Replicators and VAL names: a variable may have been another number where a VAL name was made. */
static void gather_name(Names *names, const Node *node) {
    const Symbol *symbol = node->name.symbol;
    if (!symbol || symbol->constant || is_found(names, symbol)) {
        return;
    }
    bool is_fixed = symbol->kind == SYMBOL_REPLICATOR || symbol->kind == SYMBOL_VALUE ||
                    (symbol->kind == SYMBOL_FORMAL && symbol->formal_mode == FORMAL_VAL);
    bool is_number = is_fixed && symbol->type && type_is_integer(symbol->type);
    const IndexExpr *value = is_number ? region_name(names->builder, symbol) : index_unknown();
    IndexBounds range = index_bounds(value);
    bool is_few = is_number && index_is_evaluable(value) && range.low > INT32_MIN &&
                  range.high - range.low < TABLE_ELEMENTS &&
                  constant_fits(symbol->type, range.low) && constant_fits(symbol->type, range.high);
    if (!is_few) {
        gather_value(names, symbol);
    } else if (names->count == TABLE_NAMES) {
        names->has_failed = true;
    } else {
        names->numbers[names->count++] = (NumberName){symbol, value, range};
    }
}

static void gather_list(Names *names, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        gather(names, list->items[i]);
    }
}

/* The expressions that fold.h evaluates; the body of a FUNCTION has only its formals there. */
static void gather(Names *names, const Node *node) {
    names->has_failed = names->has_failed || names->fuel == 0;
    if (node->constant || names->has_failed) {
        return;
    }
    names->fuel--;
    if (node->kind == NODE_NAME) {
        gather_name(names, node);
    } else if (node->kind == NODE_MONADIC) {
        gather(names, node->monadic.operand);
    } else if (node->kind == NODE_DYADIC) {
        gather(names, node->dyadic.left);
        gather(names, node->dyadic.right);
    } else if (node->kind == NODE_CONVERSION) {
        gather(names, node->conversion.operand);
    } else if (node->kind == NODE_SUBSCRIPT) {
        gather(names, node->subscript.base);
        gather(names, node->subscript.index);
    } else if (node->kind == NODE_FIELD) {
        gather(names, node->field.base);
    } else if (node->kind == NODE_TABLE) {
        gather_list(names, &node->table.items);
    } else if (node->kind == NODE_FUNCTION_CALL) {
        names->has_failed = node->function_call.callee->kind != NODE_NAME;
        gather_list(names, &node->function_call.actuals);
    } else {
        names->has_failed = true;
    }
}

static int64_t range_size(const IndexBounds *range) {
    return range->high - range->low + 1;
}

/* How many elements the table has; 0: too many. */
static int64_t element_count(const Names *names) {
    int64_t count = 1;
    for (size_t i = 0; i < names->count; i++) {
        int64_t size = range_size(&names->numbers[i].range);
        if (size <= 0 || count * size > TABLE_ELEMENTS) {
            return 0;
        }
        count *= size;
    }
    return count;
}

/* ---- its elements ---- */

static void bind(Fold *fold, const Symbol *symbol, const Constant *value) {
    FoldBinding binding = {symbol, value};
    array_push(fold->arena, &fold->bindings, binding);
}

/* Element `at` counts the last name fastest. */
static bool evaluate(Fold *fold, const Names *names, const Node *node, int64_t at,
                     int64_t *result) {
    fold->bindings.count = 0;
    for (size_t i = names->count; i > 0; i--) {
        const NumberName *name = &names->numbers[i - 1];
        int64_t size = range_size(&name->range);
        int64_t number = name->range.low + at % size;
        at /= size;
        bind(fold, name->symbol, constant_integer(fold->arena, name->symbol->type, number));
    }
    for (size_t i = 0; i < names->value_count; i++) {
        const Node *value = names->values[i]->definition->abbreviation.value;
        const Constant *constant = fold_value(fold, value);
        if (!constant || !type_equal(constant->type, names->values[i]->type)) {
            return false;
        }
        bind(fold, names->values[i], constant);
    }
    const Constant *value = fold_value(fold, node);
    *result = value ? value->integer : 0;
    return value != NULL;
}

/* The elements from `first` on, a few: what evaluating them leaves behind goes with them. */
static bool evaluate_some(RegionTables *tables, const Names *names, const Node *node, int64_t first,
                          int64_t count, int64_t *numbers) {
    Fold fold = {.arena = arena_create(), .budget = tables->work};
    bool is_known = true;
    for (int64_t i = 0; i < count && is_known; i++) {
        is_known = evaluate(&fold, names, node, first + i, &numbers[i]);
    }
    tables->work = fold.budget;
    arena_destroy(fold.arena);
    return is_known;
}

static const Constant *make_table(RegionTables *tables, const Names *names, const Node *node,
                                  int64_t count) {
    int64_t numbers[TABLE_ELEMENTS];
    for (int64_t i = 0; i < count; i += TABLE_ROUND) {
        int64_t some = count - i < TABLE_ROUND ? count - i : TABLE_ROUND;
        if (!evaluate_some(tables, names, node, i, some, &numbers[i])) {
            return NULL;
        }
    }
    uint64_t size = (uint64_t)count * sizeof *numbers;
    for (size_t i = 0; i < tables->known.count; i++) {
        const Constant *other = tables->known.items[i].table;
        if (other && other->image.size_bytes == size &&
            memcmp(other->image.bytes, numbers, size) == 0) {
            return other;
        }
    }
    const Type *type = type_array(tables->arena, type_primitive(TYPE_INT64), count);
    const uint8_t *bytes = arena_copy(tables->arena, numbers, size);
    return constant_image(tables->arena, type, bytes, size);
}

static bool is_same_question(const KnownTable *known, const Names *names, const Node *node) {
    if (known->node != node || known->count != names->count) {
        return false;
    }
    for (size_t i = 0; i < known->count; i++) {
        const IndexBounds *range = &names->numbers[i].range;
        if (known->ranges[i].low != range->low || known->ranges[i].high != range->high) {
            return false;
        }
    }
    return true;
}

static const Constant *find_table(RegionTables *tables, const Names *names, const Node *node,
                                  int64_t count) {
    for (size_t i = 0; i < tables->known.count; i++) {
        if (is_same_question(&tables->known.items[i], names, node)) {
            return tables->known.items[i].table;
        }
    }
    KnownTable known = {.node = node, .count = names->count};
    for (size_t i = 0; i < names->count; i++) {
        known.ranges[i] = names->numbers[i].range;
    }
    known.table = make_table(tables, names, node, count);
    array_push(tables->arena, &tables->known, known);
    return known.table;
}

const IndexExpr *region_tabulate(RegionBuilder *builder, const Node *node) {
    Names names = {.builder = builder, .fuel = TABLE_NODES};
    bool is_number = builder->tables && builder->tables->work > 0 && node->type &&
                     !type_is_error(node->type) &&
                     (type_is_integer(node->type) || type_base(node->type)->kind == TYPE_BOOL);
    if (is_number) {
        gather(&names, node);
    }
    int64_t count = is_number && !names.has_failed && names.count > 0 ? element_count(&names) : 0;
    const Constant *table = count > 0 ? find_table(builder->tables, &names, node, count) : NULL;
    if (!table) {
        return index_unknown();
    }
    Arena *arena = builder->arena;
    const IndexExpr *at = index_constant(arena, 0);
    for (size_t i = 0; i < names.count; i++) {
        const NumberName *name = &names.numbers[i];
        const IndexExpr *size = index_constant(arena, range_size(&name->range));
        const IndexExpr *low = index_constant(arena, name->range.low);
        at = i == 0 ? at : index_operator(arena, OPERATOR_MULTIPLY, at, size);
        at = index_operator(arena, OPERATOR_ADD, at,
                            index_operator(arena, OPERATOR_SUBTRACT, name->value, low));
    }
    return index_lookup(arena, table, at);
}
