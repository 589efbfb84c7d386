/* stop -- an error ends the program, or with -fstop-mode only its process.
 *
 * Owns:   the choice, which compiled code makes by the flag of the site.
 * Leaves: the report to error.h. The status of a program that has come to rest with a process
 *         stopped is deadlock.h's.
 * Holds:  a stopped process is parked for good: what it has is not freed, whoever waits for it
 *         waits for ever. */
#ifndef RT_STOP_H
#define RT_STOP_H

#include "layout.h"

/* abi.def */
_Noreturn void rt_error(Process *me, const Site *site, int64_t a, int64_t b, int64_t c);

#endif
