/* value -- what value has this variable here? A number, a sum of loops and parameters, or not
 * known.
 *
 * Owns:   what each variable is where the walk is, by the statements it has passed: what was
 *         assigned (value_assigned.c, value_choice.c), what counts the iterations of a loop
 *         (value_count.c, and value_assigned.c for WHILE), and what nothing changes while a PAR
 *         runs (value_fixed.c) or after a condition was tested (value_tested.c).
 * Holds:  only what the process that is walked knows for certain: nobody else changes the variable
 *         meanwhile, or it is in a race, which is reported by itself. What was noted is undone
 *         where its sequence, scope, loop or PAR ends (value_restore). */
#ifndef OCCC_VALUE_H
#define OCCC_VALUE_H

#include "usage.h"

struct Values *value_start(Arena *arena);

/* value_at -- of a variable; NULL: not known. */
const IndexExpr *value_at(const UsageWalk *walk, const Symbol *symbol);

/* value_mark, value_restore -- all that was noted since then is undone. */
size_t value_mark(UsageWalk *walk);
void value_restore(UsageWalk *walk, size_t mark);

/* ---- what the walk comes to ---- */

void value_begin_routine(UsageWalk *walk);
void value_declare_counters(UsageWalk *walk, const Node *block);
void value_after_initial(UsageWalk *walk, const Node *abbreviation);
/* value_next_statement -- that one of the list begins; value_after_statement: it has been walked.
 */
void value_next_statement(UsageWalk *walk, const NodeList *list, size_t index);
void value_after_statement(UsageWalk *walk, const Node *statement);
/* value_count_assign -- an assignment of a sequence that a loop repeats. */
void value_count_assign(UsageWalk *walk, const Node *assign);
/* value_forget_changed -- what the process may change is not known from here on. */
void value_forget_changed(UsageWalk *walk, const Node *process);
/* value_begin_loop, value_end_loop -- round the body of a loop that is among the walk's; `before`
 * are the phases in front of it. */
void value_begin_loop(UsageWalk *walk, const NodeList *body, const UsagePhase *before);
void value_end_loop(UsageWalk *walk, const NodeList *body);
/* value_begin_while -- true: it is among the walk's loops now. */
bool value_begin_while(UsageWalk *walk, const Node *loop);
/* value_hide_loop -- a WHILE that is not among the walk's loops begins or ends. */
void value_hide_loop(UsageWalk *walk, bool begins);
/* value_begin_par -- it begins; value_fix_unchanged: what nothing in it changes is a number. */
void value_begin_par(UsageWalk *walk, const Node *par);
void value_fix_unchanged(UsageWalk *walk, const Node *par);

/* value_begin_test, value_end_test -- round a construct and its conditions; value_walk_tested: walk
 * a process that runs because of them. */
typedef struct ValueTest {
    size_t mark;
    size_t outside; /* tested round this construct */
} ValueTest;

ValueTest value_begin_test(UsageWalk *walk, const Node *construct);
void value_end_test(UsageWalk *walk, const ValueTest *test);
void value_walk_tested(UsageWalk *walk, const Node *process);

#endif
