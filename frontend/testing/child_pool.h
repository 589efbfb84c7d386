/* child_pool -- work done by child processes, several at once.
 *
 * Owns:   starting them, what they print, their time limit, their end.
 * Leaves: what a child does to whoever wants the work.
 * Holds:  a child leads a process group of its own and reads nothing (/dev/null); what it writes to
 *         standard output and error comes as one text, in its order, cut at CHILD_TEXT_MAX. When it
 *         ends, its whole group does; when we end, it does. A child that runs too long is asked
 *         where it is (SIGQUIT: programs of occam answer with their network) and ended soon
 *         after. */
#ifndef OCCC_CHILD_POOL_H
#define OCCC_CHILD_POOL_H

#include "arena.h"

#include <stdbool.h>
#include <stdint.h>

#define CHILD_TEXT_MAX (256 * 1024)

typedef struct ChildResult {
    const char *text; /* what it printed, NUL-terminated; a NUL of its own is a blank */
    size_t length;
    bool is_cut;        /* it printed more */
    bool has_timed_out; /* it was ended */
    int status;         /* of exit; 128 + signal when one ended it */
    int signal;         /* 0: none */
    double seconds;
} ChildResult;

typedef struct ChildWork {
    size_t count;         /* pieces of work, by their index */
    unsigned width;       /* how many at once */
    double limit_seconds; /* 0: no limit */
    void *context;
    /* In the child; its result is the exit status. It may become another program. */
    int (*run)(void *context, size_t index);
    /* In the parent, in the order in which children end. */
    void (*done)(void *context, size_t index, const ChildResult *result);
} ChildWork;

/* child_pool_run -- all of it. Fatal when no process can be started. */
void child_pool_run(Arena *arena, const ChildWork *work);
/* child_pool_width -- as many as there are CPUs for us. */
unsigned child_pool_width(void);

#endif
