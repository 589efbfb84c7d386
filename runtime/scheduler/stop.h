/* stop -- an error ends the program, or with -fstop-mode only its process.
 *
 * Owns:   the choice, which compiled code makes by the flag of the site: of an error, or of the
 *         operation in which the runtime finds one.
 * Leaves: the report to error.h. The status of a program that has come to rest with a process
 *         stopped is deadlock.h's.
 * Holds:  a stopped process is parked for good: what it has is not freed, whoever waits for it
 *         waits for ever. */
#ifndef RT_STOP_H
#define RT_STOP_H

#include "layout.h"

/* abi.def */
_Noreturn void rt_error(Process *me, const Site *site, int64_t a, int64_t b, int64_t c);
_Noreturn void rt_error_words(Process *me, const Site *site, int32_t a, int32_t b, int32_t c);

/* The runtime finds that what the running process does at `site` is wrong. */
_Noreturn void rt_fail(Process *me, ErrorKind kind, const Site *site, int64_t a, int64_t b,
                       int64_t c);
/* The same of a closed channel. Returns when only the process has been stopped: who runs it goes
 * on with the next, who finds it parked leaves it so. */
void rt_stop_closed(Process *process, const Site *site, const Site *closing);

#endif
