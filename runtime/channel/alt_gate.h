/* alt_gate -- an ALT at the gate: which of its guards can be taken.
 *
 * Owns:   the events of an ALT that is explored; switching off its other guards.
 * Leaves: waiting for the turn to explore/gate.h, the choice of the one guard that is left to
 *         alt.c.
 * Holds:  SKIP and a time that has passed are certainly ready: they beat what a PRI ALT has after
 *         them. A partner may have come, or may not yet have come, so it beats nothing. */
#ifndef RT_ALT_GATE_H
#define RT_ALT_GATE_H

#include "layout.h"

/* pre: gate_is_on. The process to resume. */
Process *alt_gate_park(Process *me, Alt *alt, const Site *site);

#endif
