/* snapshot -- the memory of the program as it was before its first process, to go back to.
 *
 * Owns:   a copy of all memory that the program can write, which pages have changed since.
 * Leaves: when to go back, and whether that is enough, to runner.h.
 * Holds:  the caller runs on a stack that is not part of the snapshot, as the only thread of a
 *         process forked from one that lives on. The page table tells which pages such a process no
 *         longer shares: those it has written (Linux, proc(5), pagemap). A page that has ever been
 *         written is restored each time. */
#ifndef RT_SNAPSHOT_H
#define RT_SNAPSHOT_H

#include <stdbool.h>

/* In the process from which the callers are forked. */
void snapshot_prepare(void);
/* stack: the caller's, a mapping of its own. False: this system does not tell which pages are
 * written. */
bool snapshot_save(const char *stack);
/* pre: saved. False: it can no longer be restored. */
bool snapshot_restore(void);

#endif
