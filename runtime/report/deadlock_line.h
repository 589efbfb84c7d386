/* deadlock_line -- what a report says of one process.
 *
 * Owns:   the line of a process and its parts: where, what it waits for, who has the other end.
 * Leaves: which processes are shown, and groups of them, to deadlock.c.
 * Holds:  nothing is said that the graph does not know.
 *
 *     #2  left [0]  two.occ:12:5  output to 'to.right'  the other end is held by #3 */
#ifndef RT_DEADLOCK_LINE_H
#define RT_DEADLOCK_LINE_H

#include "deadlock_graph.h"
#include "report.h"

void deadlock_line_print(const DeadlockGraph *graph, uint32_t index);

/* Numbers of processes begin after so many. */
void deadlock_line_number_from(uint32_t before);

/* ---- its parts ---- */

/* "#2", and where: "#2 on machine 1". */
void deadlock_line_number(ReportText *text, const DeadlockGraph *graph, uint32_t index);
/* Without the number; and without the holder, where that is found by a key. */
void deadlock_line_words(ReportText *text, const DeadlockGraph *graph, const WaitNode *node);
void deadlock_line_place(ReportText *text, const Site *site);
/* is_group: without numbers of its own. */
void deadlock_line_reason(ReportText *text, const WaitNode *node, bool is_group);
void deadlock_line_holder(ReportText *text, const WaitNode *node);
void deadlock_line_clock(ReportText *text, const struct Registration *registration);
void deadlock_line_missing(ReportText *text, const DeadlockGraph *graph, const WaitNode *node);
bool deadlock_line_can_have_holder(const WaitNode *node);

#endif
