/* usage_index -- can two accesses to parts of one object meet?
 *
 * Owns:   subscripts as small expressions, the loops they run in, and the test for disjointness.
 * Leaves: which objects and which pairs to the checks; nothing here knows the tree.
 * Holds:  INDEX_DISJOINT and INDEX_OVERLAP are proved: the first by arithmetic over all
 *         iterations or by looking at each, the second by two iterations that meet (or because both
 *         are the same part in every run). Everything else is INDEX_UNKNOWN. Values are
 *         mathematical integers: a subscript that overflows INT stops its process before the
 *         access. */
#ifndef OCCC_USAGE_INDEX_H
#define OCCC_USAGE_INDEX_H

#include "constant.h"

typedef enum IndexKind {
    INDEX_CONSTANT,  /* value */
    INDEX_LOOP,      /* the iteration number of `loop`: 0 .. count - 1 */
    INDEX_PARAMETER, /* not known, but it does not change: named by `name`, numbered by `value` */
    INDEX_OPERATOR,  /* left op right, on INT */
    INDEX_LOOKUP,    /* table[left], a constant array of integers */
    INDEX_ELEMENT,   /* right[left], of an array that is not known, but does not change: a
                      * PARAMETER, or an ELEMENT for its rows and records */
    INDEX_UNKNOWN    /* anything, also different from one moment to the next */
} IndexKind;

/* An Operator, or one that no operator of the language is. */
typedef unsigned IndexOperator;

enum {
    INDEX_SMALLER = OPERATOR_COUNT,
    INDEX_LARGER,
    INDEX_REVERSED, /* BITREVNBITS (left, right) */
    INDEX_OPERATOR_COUNT
};

typedef struct IndexExpr IndexExpr;
typedef struct IndexLoop IndexLoop;

struct IndexExpr {
    IndexKind kind;
    IndexOperator op;
    uint32_t size;    /* OPERATOR, LOOKUP, ELEMENT: expressions in it */
    bool is_int;      /* PARAMETER: an INT of the program */
    bool is_size;     /* the same, not negative */
    uint32_t row;     /* is_size: of the rows so deep in the array; 0: of the array */
    bool is_assigned; /* what was assigned to a variable is in it: see value_assigned.c */
    int64_t value;
    const void *name;
    const IndexLoop *loop;
    const Constant *table;
    const IndexExpr *left;
    const IndexExpr *right;
    const char *label; /* PARAMETER: for messages; may be NULL */
};

/* A replicator round an access. The index the program sees is base + iteration * step, written
 * out in the expressions that use it; count may be unknown. */
struct IndexLoop {
    const IndexLoop *outer;
    const IndexExpr *count;
    const IndexExpr *value; /* what the program sees; may be NULL */
    unsigned depth;         /* 0 for the outermost */
    bool is_some;           /* some iterations, it is not known which: nothing is proved to meet */
    const char *name;
};

/* A condition that holds where the access is: left op right, or not; or one of two chains of
 * conditions (then op, left and right mean nothing). */
typedef struct IndexGuard {
    const struct IndexGuard *outer;
    Operator op; /* a comparison */
    const IndexExpr *left;
    const IndexExpr *right;
    bool is_negated;
    bool is_choice;
    const struct IndexGuard *either; /* each chain ends with NULL, which always holds */
    const struct IndexGuard *other;
} IndexGuard;

/* One dimension of an array, or the number of a record's field. */
typedef struct IndexDimension {
    const IndexExpr *from;               /* NULL: the whole of it */
    const IndexExpr *length;             /* NULL: one element */
    const struct IndexDimension *within; /* a segment it was chosen from, range-checked; or NULL */
} IndexDimension;

typedef struct IndexRegion {
    const IndexDimension *dimensions; /* the outermost first; further ones are whole */
    size_t count;
    const IndexLoop *loops;   /* the innermost round the access */
    const IndexGuard *guards; /* the innermost */
    size_t phases;            /* of the first dimensions: phases of clocks, never negative */
} IndexRegion;

typedef enum IndexAnswer { INDEX_DISJOINT, INDEX_OVERLAP, INDEX_IS_UNKNOWN } IndexAnswer;

/* One case in which two accesses meet: numbers for the iterations and parameters they depend on. */
#define INDEX_SAMPLE_LIMIT 24

typedef struct IndexMemo IndexMemo;

typedef enum IndexSide { SIDE_LEFT, SIDE_RIGHT, SIDE_BOTH } IndexSide;

typedef struct IndexSampleValue {
    const IndexLoop *loop;      /* NULL: of a parameter */
    const IndexExpr *parameter; /* a PARAMETER, or a larger expression that does not change */
    IndexSide side;             /* BOTH: the same for the two accesses */
    int64_t value;
} IndexSampleValue;

typedef struct IndexSample {
    size_t count; /* 0: there is no sample */
    IndexSampleValue values[INDEX_SAMPLE_LIMIT];
} IndexSample;

/* How two accesses stand to one another. */
typedef struct IndexPair {
    unsigned shared_depth; /* loops of smaller depth are round both: the same iteration */
    bool is_replicated;    /* the loop of depth shared_depth has another iteration in each */
    int64_t first_local;   /* parameters numbered from here on are each side's own */
    uint64_t *budget;      /* elements that may still be looked at one by one */
    bool is_anywhere;      /* nothing may be concluded from where the array begins */
    bool is_thorough;      /* what index_never_meets leaves open is asked case by case */
    uint64_t *patience;    /* rows of systems that all PARs may still look at; NULL: no limit */
    uint32_t comparisons;  /* that took more than a look */
    IndexMemo *memo;       /* NULL: nothing is remembered */
    IndexSample sample;    /* of OVERLAP, and of UNKNOWN where it may be so */
    int64_t witness[2];    /* OVERLAP of a replicated pair: the iterations that meet */
    bool has_witness;
} IndexPair;

const IndexExpr *index_constant(Arena *arena, int64_t value);
const IndexExpr *index_loop(Arena *arena, const IndexLoop *loop);
const IndexExpr *index_parameter(Arena *arena, const void *name, int64_t number, const char *label);
const IndexExpr *index_unknown(void);
/* index_size -- the number of elements of an array, or of its rows so deep: a parameter that is not
 * negative. */
const IndexExpr *index_size(Arena *arena, const void *name, uint32_t row, int64_t number,
                            const char *label);
/* index_int -- a parameter that is an INT of the program. */
const IndexExpr *index_int(Arena *arena, const void *name, int64_t number, const char *label);
/* index_operator -- simplified where both are constant; UNKNOWN when either is, and when there
 * would be too much of it: what names and calls put in may double each time. */
const IndexExpr *index_operator(Arena *arena, IndexOperator op, const IndexExpr *left,
                                const IndexExpr *right);
const IndexExpr *index_lookup(Arena *arena, const Constant *table, const IndexExpr *at);
const IndexExpr *index_element(Arena *arena, const IndexExpr *array, const IndexExpr *at);
/* index_assigned -- the same expression, marked, as all will be that it becomes part of. */
const IndexExpr *index_assigned(Arena *arena, const IndexExpr *expr);
/* index_apply -- the INT value of an operator, false where the program would stop with an error. */
bool index_apply(IndexOperator op, int64_t left, int64_t right, int64_t *result);
/* index_negated -- the comparison that holds where the given one does not. */
Operator index_negated(Operator op);
bool index_equal(const IndexExpr *left, const IndexExpr *right);
/* index_same -- equal, or both NULL. */
bool index_same(const IndexExpr *left, const IndexExpr *right);
/* index_same_parts -- dimension by dimension; of loops and conditions nothing is said. */
bool index_same_parts(const IndexRegion *left, const IndexRegion *right);
/* index_any -- some loop, parameter or constant in it passes the test. */
typedef bool IndexTest(const IndexExpr *leaf, const void *data);
bool index_any(const IndexExpr *expr, IndexTest *test, const void *data);
/* index_is_natural -- never negative, as its form shows. */
bool index_is_natural(const IndexExpr *expr);
/* index_has_element -- it depends on an element of an array that is not known. */
bool index_has_element(const IndexExpr *expr);
/* index_mentions -- the loop's iteration is part of the expression. */
bool index_mentions(const IndexExpr *expr, const IndexLoop *loop);
/* index_is_evaluable -- has a value for every iteration of loops whose counts are constant. */
bool index_is_evaluable(const IndexExpr *expr);
/* index_compare -- the cheap proofs first. */
IndexAnswer index_compare(const IndexRegion *left, const IndexRegion *right, IndexPair *pair);

/* index_is_shared -- the expression has the same value for both accesses. */
bool index_is_shared(const IndexExpr *expr, const IndexPair *pair);
/* index_loop_at -- the loop of that depth round `loop` or itself; NULL when there is none. */
const IndexLoop *index_loop_at(const IndexLoop *loop, unsigned depth);

/* ---- index_offset.c: accesses that differ by a constant ---- */

/* index_take_offset -- from is what is returned, plus *offset. */
const IndexExpr *index_take_offset(const IndexExpr *from, int64_t *offset);

typedef struct IndexOffsetTable IndexOffsetTable;
IndexOffsetTable *index_offset_table(Arena *arena);
/* index_offset_class -- accesses of one class differ by *offset only; 0: of no class. */
unsigned index_offset_class(IndexOffsetTable *table, const IndexRegion *region, int64_t *offset);
/* index_offset_note -- such a pair was found disjoint; index_offset_is_known -- one was before. */
void index_offset_note(IndexOffsetTable *table, unsigned left, unsigned right, int64_t difference);
bool index_offset_is_known(IndexOffsetTable *table, unsigned left, unsigned right,
                           int64_t difference);

/* ---- index_quick.c: what a look shows ---- */

/* index_is_apart -- in some dimension constants have no common place, or steps never meet. */
bool index_is_apart(const IndexRegion *left, const IndexRegion *right, const IndexPair *pair);
/* index_is_plain -- one element, the same constant in both: it says nothing of other dimensions. */
bool index_is_plain(const IndexDimension *left, const IndexDimension *right);
/* index_bounds -- between which numbers the value is in every iteration; from INT64_MIN to
 * INT64_MAX where that is not known. */
typedef struct IndexBounds {
    int64_t low;
    int64_t high;
} IndexBounds;

IndexBounds index_bounds(const IndexExpr *expr);
IndexBounds index_dimension_bounds(const IndexDimension *dimension);
/* index_is_same -- the same part in every run. */
bool index_is_same(const IndexRegion *left, const IndexRegion *right, const IndexPair *pair);

/* ---- index_table.c: constant tables of integers ---- */

typedef struct IndexTable {
    int64_t count;
    int64_t least;
    int64_t greatest;
    bool rises; /* no element is smaller than the one before it */
    bool is_distinct;
} IndexTable;

/* index_table_element -- counted through all dimensions; false when there is none. */
bool index_table_element(const Constant *table, int64_t at, int64_t *result);
/* index_has_lookup -- it depends on an element of a table; of NULL: no. */
bool index_has_lookup(const IndexExpr *expr);
/* index_table_of -- false when it is too large to be looked through. */
bool index_table_of(const Constant *table, IndexTable *of);

/* ---- index_memo.c: answers given before ---- */

typedef struct IndexKept {
    bool is_settled;
    IndexAnswer answer; /* DISJOINT, or UNKNOWN for good */
} IndexKept;

IndexMemo *index_memo(Arena *arena);
/* index_memo_find -- the place of the answer to this question; NULL: there is no room for it. */
IndexKept *index_memo_find(IndexMemo *memo, const IndexRegion *left, const IndexRegion *right,
                           const IndexPair *pair);

/* ---- index_meet.c: two accesses as constraints ---- */

/* index_meet_pair -- decided by linear systems case by case. DISJOINT and OVERLAP are proved; a
 * sample is given when the accesses can meet and everything that chooses the parts was understood.
 * OVERLAP says that they do meet, for every value of the parameters that counts do not forbid. */
IndexAnswer index_meet_pair(const IndexRegion *left, const IndexRegion *right, IndexPair *pair);

/* index_never_meets -- proved by a linear system for each order of the replicated iterations. */
bool index_never_meets(const IndexRegion *left, const IndexRegion *right, const IndexPair *pair);

/* ---- index_split.c ---- */
/* index_is_within -- proved: whatever the numbers are, that is of an access which lies in the part
 * of the first dimension. */
bool index_is_within(const IndexRegion *region, const IndexDimension *part, uint64_t *patience);

/* ---- index_search.c ---- */
/* index_search_sample -- pair->sample is a case in which they meet, if a small one is found. */
void index_search_sample(const IndexRegion *left, const IndexRegion *right, IndexPair *pair);
/* index_is_case -- in the sample they meet: everything they depend on has been calculated. */
bool index_is_case(const IndexRegion *left, const IndexRegion *right, const IndexPair *pair,
                   const IndexSample *sample);
/* index_sample_value -- of an expression of one access in the sample; false when it has none. */
bool index_sample_value(const IndexSample *sample, const IndexExpr *expr, IndexSide side,
                        int64_t *value);

/* ---- index_linear.c: systems of linear equations and inequalities over the integers ---- */

#define LINEAR_VARIABLES 24
#define LINEAR_ROWS      96

/* sum of coefficients[i] * variable i + constant  = 0, or >= 0 */
typedef struct LinearRow {
    int64_t coefficients[LINEAR_VARIABLES];
    int64_t constant;
    uint32_t used; /* index_linear.c: a bit for each variable in it; 0: not looked at yet */
    bool is_equality;
} LinearRow;

typedef struct LinearSystem {
    size_t variable_count;
    size_t row_count;
    bool is_full;   /* rows were left out: the system says less than it should */
    uint64_t looks; /* at rows, by linear_is_infeasible: what it took */
    LinearRow rows[LINEAR_ROWS];
} LinearSystem;

void linear_begin(LinearSystem *system); /* its rows are not emptied */
void linear_add(LinearSystem *system, const LinearRow *row);
/* Equations x = .. that were used to remove x from a system. */
typedef struct LinearEquations {
    size_t count;
    size_t variables[LINEAR_VARIABLES];
    LinearRow rows[LINEAR_VARIABLES];
} LinearEquations;

typedef enum LinearProgress {
    LINEAR_GOES_ON,
    LINEAR_INFEASIBLE,
    LINEAR_GIVES_UP /* a number has grown too large: nothing can be said any more */
} LinearProgress;

/* linear_settle -- make rows small and use up equations; those used are added to *equations. */
LinearProgress linear_settle(LinearSystem *system, LinearEquations *equations);
/* linear_replace -- a row in terms of the variables that are left; false when numbers grow. */
bool linear_replace(const LinearEquations *equations, LinearRow *row);
/* linear_is_infeasible -- proved: no integers satisfy all rows. The system is used up. */
bool linear_is_infeasible(LinearSystem *system);
/* linear_bounds -- between which numbers the variable is, as far as the rows say; false: proved, no
 * integers satisfy all rows. The system is used up. */
bool linear_bounds(LinearSystem *system, size_t variable, int64_t *low, int64_t *high);

/* ---- index_point.c: a solution of such a system ---- */

typedef struct LinearPoint {
    bool is_found;
    bool is_natural; /* no value is negative */
    int64_t values[LINEAR_VARIABLES];
} LinearPoint;

/* linear_find_point -- none of the first `natural` variables is negative, if that is possible. */
void linear_find_point(LinearSystem *system, size_t natural, LinearPoint *point);

/* ---- index_enumerate.c: every iteration, one by one ---- */

/* index_enumerate_pair -- DISJOINT or OVERLAP when all iterations could be looked at, OVERLAP also
 * when the first of them already meet. */
IndexAnswer index_enumerate_pair(const IndexRegion *left, const IndexRegion *right,
                                 IndexPair *pair);
/* index_evaluate -- of an expression with the loops' iterations in values[depth]. */
bool index_evaluate(const IndexExpr *expr, const int64_t *values, size_t value_count,
                    int64_t *result);

#endif
