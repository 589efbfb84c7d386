/* snapshot -- the memory of the program as it was before its first process, to go back to.
 *
 * Owns:   a copy of all memory that the program can write, which pages have changed since.
 * Leaves: when to go back, and whether that is enough, to runner.h.
 * Holds:  the caller stands on a stack of its own, which is no part of it, and is alone: one
 *         thread, forked from a process that lives on. The page table of such a process says which
 *         pages are its own; those it has written (Linux, proc(5), pagemap). A page that has ever
 *         been written is put back each time. */
#ifndef RT_SNAPSHOT_H
#define RT_SNAPSHOT_H

#include <stdbool.h>

/* In the process from which the callers are forked. */
void snapshot_prepare(void);
/* stack: the caller's, a mapping by itself. False: this system does not tell which pages are
 * written. */
bool snapshot_save(const char *stack);
/* pre: saved. False: it cannot be put back any more. */
bool snapshot_restore(void);

#endif
