/* detached -- mobile arrays represented by a number for a while (DETACH.DYNMOB, ATTACH.DYNMOB).
 *
 * Owns:   the arrays between the two calls, and their numbers.
 * Leaves: their memory to mobile.h; one that is never attached stays in use there, and is counted.
 * Holds:  an address does not fit in an INT, so a number stands for it. A number is not reused
 *         before all others have been: an old number cannot attach an array again. */
#ifndef RT_DETACHED_H
#define RT_DETACHED_H

#include "layout.h"

/* abi.def */
int64_t rt_mobile_detach(Process *me, void *mobile, const Site *site);
void *rt_mobile_attach(Process *me, int32_t number, int32_t size, const Site *site);

/* detached_report -- report how many were never attached, if any; no process runs. */
void detached_report(void);

#endif
