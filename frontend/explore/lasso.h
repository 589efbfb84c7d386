/* lasso -- a short way to a round of states in which a guard starves, and round it.
 *
 * Owns:   finding one: for each step by which the ALT of the guard chooses, the shortest round
 *         through it and a state in which the guard is ready; if no such round keeps what the
 *         language promises, one through every step of the part, which does, without steps that it can
 *         do without.
 * Leaves: what that is to starvation_search.h, doing it to schedule_of_lasso.h. */
#ifndef OCCC_LASSO_H
#define OCCC_LASSO_H

#include "starvation_search.h"

/* lasso_find -- steps without those of the guard are the part that it starves in. */
Lasso lasso_find(const StarvationSearch *search, uint32_t part, uint32_t guard);

#endif
