/* fold -- the value of a typed expression at compile time.
 *
 * Owns:   evaluation of expressions over constants, including array constructors, calls of
 *         FUNCTIONs whose body is one expression, and predefined functions on words.
 * Leaves: messages to check_constant.c, arithmetic to constant.h.
 * Holds:  the work of one evaluation is bounded (FOLD_BUDGET nodes); what would take more is not
 *         constant. Without bindings only the constants already in the children are used, so
 *         folding a tree bottom-up is linear. */
#ifndef OCCC_FOLD_H
#define OCCC_FOLD_H

#include "symbol.h"

#define FOLD_BUDGET      1000000
#define FOLD_IMAGE_LIMIT 65536 /* bytes of an array constructor kept as a constant */
#define FOLD_TABLE_LIMIT                                                                           \
    1048576 /* of a table of values with names: [a, a] doubles in each line                        \
             */

typedef struct FoldBinding {
    const Symbol *symbol;
    const Constant *value;
} FoldBinding;

typedef struct Fold {
    Arena *arena;
    ARRAY_OF(FoldBinding) bindings; /* formals and replicators with a value */
    uint32_t budget;                /* nodes that may still be evaluated */
    uint32_t depth;                 /* of calls and nesting */
} Fold;

/* fold_node -- evaluate a node whose children were folded. */
ConstantOutcome fold_node(Fold *fold, const Node *node, const Constant **result);
/* fold_value -- the constant of a child, evaluated when there are bindings; NULL when unknown. */
const Constant *fold_value(Fold *fold, const Node *node);
/* fold_predefined -- a call of a predefined function (PredefinedId); NULL: not constant. */
const Constant *fold_predefined(Fold *fold, unsigned id, Node *const *actuals, size_t count);

#endif
