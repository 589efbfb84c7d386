/* stop -- an error ends the program, or with -fstop-mode only its process.
 *
 * Owns:   that choice, by a flag that the compiler sets in the site of the error or of the
 *         operation.
 * Leaves: the report to error.h; the exit status of a program that ends with a stopped process to
 *         deadlock.h.
 * Holds:  a stopped process is parked for good: its memory is not freed, whoever waits for it waits
 *         for ever. */
#ifndef RT_STOP_H
#define RT_STOP_H

#include "layout.h"

/* abi.def */
_Noreturn void rt_error(Process *me, const Site *site, int64_t a, int64_t b, int64_t c);
_Noreturn void rt_error_words(Process *me, const Site *site, int32_t a, int32_t b, int32_t c);

/* The runtime has found an error in what the running process does at `site`. */
_Noreturn void rt_fail(Process *me, ErrorKind kind, const Site *site, int64_t a, int64_t b,
                       int64_t c);
/* The same for a closed channel. Returns when only the process is stopped: it is parked, so a
 * process that runs goes on with the next one. */
void rt_stop_closed(Process *process, const Site *site, const Site *closing);

#endif
