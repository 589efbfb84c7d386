/* changes -- which elements a node changes or moves from, for all passes.
 *
 * Leaves: what its children change to themselves: a pass visits them as well; what a called routine
 *         does to names from outside to its ProcInfo and its summaries.
 * Holds:  the only switch is exhaustive, like that of evaluation.h. */
#ifndef OCCC_CHANGES_H
#define OCCC_CHANGES_H

#include "symbol.h"

/* What a pass does with an element that is changed. */
typedef void ChangeVisitor(void *context, const Node *element);

/* node_changes -- the elements that this node itself changes: targets, items of inputs, actuals
 * that the heading of the routine lets it change, owners that are moved. */
void node_changes(const Node *node, ChangeVisitor *change, void *context);

/* node_callee -- the symbol that a CALL, FORK, FUNCTION call or user's operator names; NULL: none.
 */
const Symbol *node_callee(const Node *node);

/* callee_formals -- of a PROC, a FUNCTION or the mobile process in a variable; else NULL. */
const NodeList *callee_formals(const Symbol *callee);

#endif
