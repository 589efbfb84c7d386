/* index_isl -- what the files of the isl test share; nobody else includes it.
 *
 * Owns:  one question to isl: a set with one dimension for each thing that is not a constant.
 * Holds: the constraints are written down twice by the same functions: first without isl, to find
 *        the dimensions (set is NULL), then into the set. isl never ends the compiler: an error or
 *        the end of the operations allowed is a NULL, and NULL is "not decided". */
#ifndef OCCC_INDEX_ISL_H
#define OCCC_INDEX_ISL_H

#include "usage_index.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/space.h>

typedef struct IslQuestion {
    isl_ctx *ctx;
    isl_space *space; /* NULL while dimensions are looked for */
    isl_set *set;
    const IndexPair *pair;
    IndexSampleValue variables[INDEX_SAMPLE_LIMIT]; /* value is not used */
    size_t count;
    bool is_expanded;    /* subscripts are written out by index_expand.c */
    Arena *arena;        /* when they are */
    bool is_exact;       /* nothing was left out, nothing stands for more than it can be */
    bool has_parameters; /* beyond the counts of loops */
    bool has_wrapped;    /* bits may be lost: then it counts that an INT is no larger number */
    bool is_in_count;    /* writing down the bounds of a loop */
    bool has_failed;     /* too many dimensions */
} IslQuestion;

/* ---- index_isl_affine.c: expressions and conditions ---- */

/* isl_affine -- the expression as isl sees it; NULL when it could be anything. */
isl_pw_aff *isl_affine(IslQuestion *question, const IndexExpr *expr, IndexSide side);
isl_pw_aff *isl_number(const IslQuestion *question, int64_t value);
/* isl_restrict -- what left op right says is added; nothing where a side could be anything. */
void isl_restrict(IslQuestion *question, isl_pw_aff *left, Operator op, isl_pw_aff *right);
void isl_restrict_guards(IslQuestion *question, const IndexGuard *guard, IndexSide side);
/* isl_restrict_evaluated -- a count or subscript: a division by zero, or an element that no table
 * has, has stopped the process. Not what a condition is made of: it may not have been reached. */
void isl_restrict_evaluated(IslQuestion *question, const IndexExpr *expr, IndexSide side);
/* isl_restrict_iterations -- of all loops among the dimensions so far, and of those they bring. */
void isl_restrict_iterations(IslQuestion *question);
/* ---- index_isl_facts.c ---- */
/* isl_restrict_facts -- what is known of products and exclusive ORs that stand for some number. */
void isl_restrict_facts(IslQuestion *question);

/* isl_restrict_pieces -- one of the pieces 0 .. count - 1 holds that `write` adds. */
typedef void IslPiece(const void *data, int which);
void isl_restrict_pieces(IslQuestion *question, IslPiece *write, const void *data, int count);
/* ---- index_isl_terms.c ---- */
/* isl_restrict_terms -- what is known of quotients, squares, tables, and of equal operands. */
void isl_restrict_terms(IslQuestion *question);

/* isl_variable -- the dimension of a loop (or NULL) or parameter; SIZE_MAX when there are too many.
 */
size_t isl_variable(IslQuestion *question, const IndexLoop *loop, const IndexExpr *parameter,
                    IndexSide side);
isl_pw_aff *isl_dimension(const IslQuestion *question, size_t variable);

/* ---- index_isl.c ---- */

/* isl_ask -- run `write` twice, then see whether the set is empty; what that took is charged to
 * pair->operations. The question keeps its set until isl_end. */
typedef void IslWriter(IslQuestion *question, const void *data);
isl_bool isl_ask(IslQuestion *question, const IndexPair *pair, IslWriter *write, const void *data);
void isl_end(IslQuestion *question);

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
    bool is_moved; /* counts from some other place than the start of the array */
} IndexFacet;

#define FACET_LIMIT 24

typedef struct IndexFacets {
    size_t count;
    bool is_cut; /* there were more */
    IndexFacet items[FACET_LIMIT];
} IndexFacets;

/* index_split_pair -- the dimensions both accesses have; row * width + column, where isl proves
 * that columns stay within the width, becomes two dimensions. */
void index_split_pair(Arena *arena, const IndexRegion *left, const IndexRegion *right,
                      const IndexPair *pair, IndexFacets *facets);

#endif
