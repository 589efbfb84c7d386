/* check -- facts the runtime relies on.
 *
 * Owns:   rt_check (always on), rt_assert (debug builds: -DRT_DEBUG), the branch hints.
 * Leaves: errors of the program to error.h, failures of the world to error.h (rt_fatal).
 * Holds:  the condition of a check has no side effects. A failed check is our own mistake: it
 *         prints one line and aborts; the handler of SIGABRT (interrupt.c) flushes the output. */
#ifndef RT_CHECK_H
#define RT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Print "occ: internal error: file:line: what" and abort. */
_Noreturn void rt_bug(const char *file, int line, const char *what);

#ifdef RT_COVERAGE /* a branch that no test can take is not counted */
#define rt_check(condition) ((void)(condition))
#else
#define rt_check(condition)                                                                        \
    ((condition) ? (void)0 : rt_bug(__FILE__, __LINE__, "check failed: " #condition))
#endif

#ifdef RT_DEBUG
#define rt_assert(condition) rt_check(condition)
#else
#define rt_assert(condition) ((void)sizeof(condition))
#endif

#define rt_unreachable(what) rt_bug(__FILE__, __LINE__, what)

#define rt_likely(condition)   __builtin_expect(!!(condition), 1)
#define rt_unlikely(condition) __builtin_expect(!!(condition), 0)

#endif
