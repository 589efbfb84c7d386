/* index_question -- what the files share that ask whether constraints have an integer solution;
 * nobody else includes it.
 *
 * Owns:  one question: constraints over one dimension for each thing that is not a constant.
 * Holds: the constraints are written down twice by the same functions: first into nothing, to find
 *        the dimensions; then as linear systems, case by case, for index_cases.c. */
#ifndef OCCC_INDEX_QUESTION_H
#define OCCC_INDEX_QUESTION_H

#include "usage_index.h"

typedef struct Cases Cases;

typedef struct IndexQuestion {
    bool has_dimensions; /* false while they are looked for */
    Cases *cases;        /* what is written down; NULL while dimensions are looked for */
    const IndexPair *pair;
    IndexSampleValue variables[INDEX_SAMPLE_LIMIT]; /* value is not used */
    size_t count;
    bool is_linear;   /* one linear system: what holds in pieces is left out */
    bool is_expanded; /* subscripts are written out by index_expand.c */
    Arena *arena;
    bool is_exact;       /* nothing was left out, nothing stands for more than it can be */
    bool has_parameters; /* beyond the counts of loops */
    bool has_wrapped;    /* bits may be lost: then it counts that an INT is no larger number */
    bool is_in_count;    /* writing down the bounds of a loop */
    bool has_failed;     /* too many dimensions */
} IndexQuestion;

/* A linear sum of dimensions; NULL: it could be anything, or dimensions are looked for. */
typedef const LinearRow *IndexValue;

typedef struct CasesSolution {
    IndexSample sample;
    bool has_parameters; /* beyond the counts of loops */
} CasesSolution;

/* ---- index_value.c: sums and constraints ---- */

IndexValue value_number(const IndexQuestion *question, int64_t value);
IndexValue value_dimension(const IndexQuestion *question, size_t variable);
IndexValue value_add(const IndexQuestion *question, IndexValue left, IndexValue right);
IndexValue value_subtract(const IndexQuestion *question, IndexValue left, IndexValue right);
IndexValue value_scale(const IndexQuestion *question, IndexValue value, int64_t factor);
/* question_restrict -- what left op right says is added; nothing where a side could be anything. */
void question_restrict(IndexQuestion *question, IndexValue left, Operator op, IndexValue right);
/* ---- index_affine.c: expressions and conditions ---- */

/* question_affine -- the value of the expression. */
IndexValue question_affine(IndexQuestion *question, const IndexExpr *expr, IndexSide side);
/* question_variable -- the dimension of a loop (or NULL) or parameter; SIZE_MAX when there are too
 * many. */
size_t question_variable(IndexQuestion *question, const IndexLoop *loop, const IndexExpr *parameter,
                         IndexSide side);
void question_restrict_guards(IndexQuestion *question, const IndexGuard *guard, IndexSide side);
/* question_restrict_evaluated -- a count or subscript: a division by zero, or an element that no
 * table has, has stopped the process. Not what a condition is made of: it may not have been
 * reached. */
void question_restrict_evaluated(IndexQuestion *question, const IndexExpr *expr, IndexSide side);
/* question_restrict_iterations -- of all loops among the dimensions so far, and of those they
 * bring. */
void question_restrict_iterations(IndexQuestion *question);

/* ---- index_product.c ---- */
/* question_restrict_facts -- what is known of products and exclusive ORs that stand for some
 * number. */
void question_restrict_facts(IndexQuestion *question);

/* ---- index_term.c ---- */
/* question_restrict_terms -- what is known of quotients, squares, tables, and of equal operands. */
void question_restrict_terms(IndexQuestion *question);

/* ---- index_words.c ---- */
/* question_restrict_words -- what is known of shifts and reversals by a number that is not known.
 */
void question_restrict_words(IndexQuestion *question);

/* ---- index_cases.c: constraints as linear systems, case by case ---- */

/* question_restrict_pieces -- one of the pieces 0 .. count - 1 holds that `write` adds. */
typedef void IndexPiece(const void *data, int which);
void question_restrict_pieces(IndexQuestion *question, IndexPiece *write, const void *data,
                              int count);
void cases_restrict(IndexQuestion *question, const LinearRow *left, Operator op,
                    const LinearRow *right);
typedef void IndexWriter(IndexQuestion *question, const void *data);
/* cases_system_is_empty -- proved by one linear system, without what holds in pieces: it has no
 * solution. */
bool cases_system_is_empty(Arena *arena, const IndexPair *pair, IndexWriter *write,
                           const void *data);
/* cases_are_empty -- proved: what `write` writes down has no solution. Else, unless it is NULL,
 * *found is a solution, if one was found and everything was understood. */
bool cases_are_empty(Arena *arena, const IndexPair *pair, IndexWriter *write, const void *data,
                     CasesSolution *found);

/* ---- index_quotient.c: expressions as linear sums ---- */
/* form_operator -- of an operator that index_affine.c understands. */
IndexValue form_operator(IndexQuestion *question, const IndexExpr *expr, IndexSide side);

/* ---- index_expand.c: subscripts as sums of products ---- */

/* index_expand_pair -- both are replaced by copies written out; false: they are what they were. */
bool index_expand_pair(Arena *arena, const IndexPair *pair, IndexRegion *left, IndexRegion *right);
const IndexExpr *index_expand(Arena *arena, const IndexPair *pair, const IndexExpr *expr);
const IndexExpr *index_expand_product(Arena *arena, const IndexPair *pair, const IndexExpr *left,
                                      const IndexExpr *right);

/* ---- index_split.c: products with a size that is not known ---- */

/* One dimension of both accesses. */
typedef struct IndexFacet {
    IndexDimension left;
    IndexDimension right;
} IndexFacet;

#define FACET_LIMIT 24

typedef struct IndexFacets {
    size_t count;
    bool is_cut; /* there were more */
    IndexFacet items[FACET_LIMIT];
} IndexFacets;

/* index_split_pair -- the dimensions both accesses have; row * width + column, where it is proved
 * that columns stay within the width, becomes two dimensions. */
void index_split_pair(Arena *arena, const IndexRegion *left, const IndexRegion *right,
                      const IndexPair *pair, IndexFacets *facets);

#endif
