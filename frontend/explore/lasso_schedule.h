/* lasso_schedule -- the choices of a behaviour that goes round for ever, for OCC_CHOICES.
 *
 * Owns:   doing its steps in a run of the program, to know which choices these are.
 * Leaves: which steps to lasso.h, writing the list to ends.h.
 * Holds:  a choice is a number in a list of events, in the order in which their processes have come;
 *         that is no part of a state. After one round it is the same after each. */
#ifndef OCCC_LASSO_SCHEDULE_H
#define OCCC_LASSO_SCHEDULE_H

#include "exploration.h"

/* lasso_schedule_write -- into the file. False: the program does not do it a second time, as it
 * depends on its time or on addresses, or it is too long. */
bool lasso_schedule_write(const Exploration *known, const Lasso *lasso, const char *path,
                          const char *what);

#endif
