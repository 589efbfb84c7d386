/* home_end -- the end of a channel on the parent's machine, used by a process beside the PLACED
 * PAR.
 *
 * Owns:   a channel's word while its PLACED PAR runs: what already waits there at the beginning
 *         waits for a placement; what still waits at the end waits in the channel again.
 * Leaves: all that happens in between to remote_end.h.
 * Holds:  inside the world; no worker owns the channel. A channel that only placements use has such
 *         an end too, which nobody uses. When a PLACED PAR ends, no placement waits any more, so
 *         nothing is pending here; a message not yet input by a placement is taken back. */
#ifndef RT_HOME_END_H
#define RT_HOME_END_H

#include "remote_end.h"

void home_end_begin(Worker *worker, Machine *machine, Link *link, const LinkedChannel *linked);
/* As owned_text_owned, for the message of whoever waits in the channel. NULL: none. */
Channel *home_end_owned(const Channel *channel, uint32_t item_bytes);
/* Whoever waits in the channel, which had that word, now waits in the end (or its twin). */
void home_end_take_over(Worker *worker, RemoteEnd *end, uintptr_t word, uint32_t item_bytes);
void home_end_end(Worker *worker, Link *link);

#endif
