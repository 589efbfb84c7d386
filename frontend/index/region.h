/* region -- which part of which object an element of the program is.
 *
 * Owns:   the way from names through abbreviations, subscripts, fields and segments to the object
 *         and the part of it, in the terms of usage_index.h.
 * Leaves: what is done to the part to check_usage and check_alias.
 * Holds:  a name that abbreviates by IS is looked through; one that retypes, or names a table of
 *         channel ends, is an object of its own (region_is_view). A subscript that may change while
 *         the program runs is INDEX_UNKNOWN. The work for one element is bounded. */
#ifndef OCCC_REGION_H
#define OCCC_REGION_H

#include "symbol.h"
#include "usage_index.h"

/* How the name of a replicator, value or variable is read: the loop's own expression, what the walk
 * knows of its value, or NULL: a replicator and a value are parameters then. Of a clock: PHASE. */
typedef const IndexExpr *RegionReplicator(const Symbol *symbol, void *context);

/* Some number that nothing is known of, another one each time it is asked for. */
typedef const IndexExpr *RegionNumber(void *context);

/* A formal of a FUNCTION whose value is being worked out. */
typedef struct RegionFormal {
    const struct RegionFormal *outer;
    const Symbol *symbol;
    const IndexExpr *value;
} RegionFormal;

typedef struct RegionTables RegionTables;

typedef struct RegionBuilder {
    Arena *arena;
    RegionTables *tables;         /* NULL: expressions are not made into tables */
    RegionReplicator *replicator; /* may be NULL */
    RegionNumber *number;         /* NULL: what is not known stays so, masked or not */
    void *context;
    unsigned numbers; /* asked for so far */
    unsigned budget;  /* set by region_of for each element */
    unsigned calls;
    const RegionFormal *formals; /* of calls round what is read */
    bool is_inside;  /* of an element in a subscript: it is all one subscript's budget */
    bool is_instant; /* what is compared is evaluated at one moment: a variable is one number */
} RegionBuilder;

typedef struct ObjectPart {
    Symbol *root; /* the object; NULL when the element names none (a table of ends) */
    Symbol *name; /* the name in the source through which it was reached */
    IndexDimension *dimensions;
    size_t count;
    size_t capacity;
    bool is_segment; /* the last dimension is a segment: the next subscript counts from its start */
} ObjectPart;

/* region_is_view -- an object whose bytes or channels belong to others: RETYPES, RESHAPES, a table
 * of ends. The value of its definition names those. */
bool region_is_view(const Symbol *symbol);
/* region_of -- the part an element is; NULL root when it is no element of an object. */
ObjectPart region_of(RegionBuilder *builder, const Node *element);
/* region_begin -- of another subscript: there is a limit to what one is made of. */
void region_begin(RegionBuilder *builder);
/* region_index -- an INT expression as a subscript. */
const IndexExpr *region_index(RegionBuilder *builder, const Node *expression);
/* region_element -- element `at` of an array, row or record of which elements are integers, as long
 * as it does not change: of a VAL name, or what the walk says of a variable; else UNKNOWN. */
const IndexExpr *region_element(RegionBuilder *builder, const Node *array, const IndexExpr *at);
/* region_chosen -- x[i] or a field as a number. */
const IndexExpr *region_chosen(RegionBuilder *builder, const Node *node);
/* region_whole -- an array, row or record, for elements to be chosen from. */
const IndexExpr *region_whole(RegionBuilder *builder, const Node *node);
/* region_formal -- of a FUNCTION that is being worked out; or NULL. */
const RegionFormal *region_formal(const RegionBuilder *builder, const Symbol *symbol);
/* region_name -- a name as a subscript. */
const IndexExpr *region_name(RegionBuilder *builder, const Symbol *symbol);
/* region_enter_call -- the expression that a FUNCTION is, whose formals are what the actuals are
 * until region_leave_call; NULL, and nothing is entered, where it is more. */
const Node *region_enter_call(RegionBuilder *builder, const Symbol *callee,
                              const Node *const *actuals, size_t count,
                              const RegionFormal **outside);
void region_leave_call(RegionBuilder *builder, const RegionFormal *outside);
/* region_condition -- 1 where the condition is TRUE, 0 where it is FALSE, as the element of a
 * table; UNKNOWN where no table is made of it. */
const IndexExpr *region_condition(RegionBuilder *builder, const Node *condition);

/* ---- region_table.c ---- */
/* region_tables -- those of one unit. */
RegionTables *region_tables(Arena *arena);
/* region_tabulate -- an integer or BOOL expression as the element of a table, where its names are
 * each one of a few numbers. */
const IndexExpr *region_tabulate(RegionBuilder *builder, const Node *node);

/* region_size_parameter -- the unknown number of elements of an array with [] that a name has. */
const IndexExpr *region_size_parameter(Arena *arena, const Symbol *symbol);
/* region_row_parameter -- the number of elements of each row of an array: SIZE x[i], of depth 1. */
const IndexExpr *region_row_parameter(Arena *arena, const Symbol *symbol, uint32_t depth);
/* region_size -- the number of elements of the array that a name stands for. */
const IndexExpr *region_size(RegionBuilder *builder, const Symbol *symbol);
/* region_compose -- the part `inner` of what `outer` is. */
void region_compose(Arena *arena, ObjectPart *outer, const IndexDimension *inner, size_t count);
/* region_is_object -- may be read, written or communicated through: not a value or replicator. */
bool region_is_object(const Symbol *symbol);

#endif
