/* deadlock -- `occc check --deadlock`: a proof that processes never all wait for each other, or the
 * circle in which they may.
 *
 * Owns:   what is said, and the exit status.
 * Leaves: the skeleton of the program to skeleton.h, the search to search.h.
 * Holds:  it is never called safe when it can deadlock: what is not understood is not proved. */
#ifndef OCCC_DEADLOCK_H
#define OCCC_DEADLOCK_H

#include "driver.h"

enum { EXIT_NOT_PROVED = 5 };

/* deadlock_check -- of a unit that has passed the checks: exit status. */
int deadlock_check(Unit *unit, const char *path);

#endif
