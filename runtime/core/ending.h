/* ending -- the one way out of a program, whatever the reason.
 *
 * Owns:   the exit statuses, and what every end does: all output written, the terminal as it was,
 *         the results of the test modes.
 * Leaves: why the program ends to error.c, deadlock.c, interrupt.c, start.c.
 * Holds:  no end loses output that a process has handed over. An end within an end does not
 *         begin again. */
#ifndef RT_ENDING_H
#define RT_ENDING_H

#include <stdbool.h>

enum {
    STATUS_DONE = 0,
    STATUS_ERROR = 1,    /* an error of the program, STOP */
    STATUS_DEADLOCK = 2, /* nothing can happen any more */
    STATUS_WORLD = 3,    /* out of memory, output that cannot be written */
    STATUS_INTERNAL = 70 /* our own mistake */
};

/* Write everything that is held back; waits as long as it takes, or gives a hurried end (from a
 * signal handler) half a second without progress. */
void ending_flush(bool is_hurried);
_Noreturn void rt_end(int status);
/* From a signal handler: as rt_end up to leaving, which is the caller's. */
void ending_from_signal(void);
/* "occ: cannot <what>: <reason of the system>", end with STATUS_WORLD. error: an errno value. */
_Noreturn void rt_fatal(const char *what, int error);

#endif
