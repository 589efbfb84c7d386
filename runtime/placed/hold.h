/* hold -- may a message wait for others, so that they travel together?
 *
 * Owns:   when messages that the carrier holds back are sent.
 * Leaves: sending them to carrier.h.
 * Holds:  where a worker polls, and before it waits or calls C, everything is sent. In between a
 *         process may compute for long, which cannot be foreseen: so messages are held back only
 *         while this has paid, or would have (the next message came soon). A flush within
 *         HOLD_TICKS earns 1; a late one loses LATE_COST for every HOLD_TICKS. A message of a
 *         program that does both waits a microsecond or so on average. */
#ifndef RT_HOLD_H
#define RT_HOLD_H

#include <stdbool.h>
#include <stdint.h>

/* The carrier has taken a message. */
void hold_sent(void);
/* Send all that is held back. */
void hold_flush(void);
bool hold_is_empty(void);

#endif
