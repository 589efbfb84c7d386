/* backtrace -- the calls that a process is in.
 *
 * Owns:   unwinding by the table of stack_table.h, exactly: frame sizes are known. Names of
 *         routines from their symbols. The parent of a process.
 * Leaves: saying it to error.c and deadlock.c.
 * Holds:  the process has a saved context, [frame word][return address] at sp: it is parked, or it
 *         is in C on the system stack. Nothing is allocated. */
#ifndef RT_BACKTRACE_H
#define RT_BACKTRACE_H

#include "layout.h"
#include "occ/stack_table.h"

typedef struct Frame {
    const OccStackRow *row;
} Frame;

/* The innermost `limit` calls, innermost first; the number found. */
size_t backtrace(const Process *process, Frame *frames, size_t limit);
/* The same from the call whose frame the address lies in; all calls if it lies in none. */
size_t backtrace_around(const Process *process, const void *address, Frame *frames, size_t limit);
/* The end of the frame that the address lies in, if that is a frame of the PROC `proc` (any for "")
 * or of a branch in it; else NULL. */
const char *backtrace_frame_end(const Process *process, const void *address, const char *proc);
/* The process that runs the PAR of this branch; NULL: this is the root. */
Process *backtrace_parent(const Process *process);

typedef struct RoutineName {
    const char *text; /* outer.inner, not terminated */
    int length;
    bool is_branch; /* of a PAR in that routine */
    bool is_loop;   /* of that routine, kept apart by the compiler */
    bool is_hidden; /* of no interest: the start, the entry of a recursive call */
} RoutineName;

RoutineName backtrace_name(const OccStackRow *row);
/* Index of the innermost frame that is in the text: a communication may be a routine of its own. */
size_t backtrace_innermost(const Frame *frames, size_t count);

#endif
