/* hold -- may a message wait for others, so that they travel together?
 *
 * Owns:   when what the carrier holds back goes.
 * Leaves: how it goes to carrier.h.
 * Holds:  where a worker looks at the world, and before it waits or calls C, nothing is held back
 *         any more. Between two of these a process may compute for long, which nobody foresees: so
 *         messages are held back only where the last ones would not have waited (the next came soon), or
 *         did not. Each that goes within HOLD_TICKS earns 1; each that is late pays LATE_COST for every HOLD_TICKS:
 *         waiting costs a message of a program that does both about a microsecond, on the average. */
#ifndef RT_HOLD_H
#define RT_HOLD_H

#include <stdbool.h>
#include <stdint.h>

/* The carrier has taken a message. */
void hold_sent(void);
/* All that is held back goes. */
void hold_flush(void);
bool hold_is_empty(void);

#endif
