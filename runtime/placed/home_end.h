/* home_end -- the end of a channel that a process beside the PLACED PAR uses, on the parent's machine.
 *
 * Owns:   a channel's word from the beginning of its PLACED PAR to the end: what waits there already
 *         waits for a placement then, and what still waits at the end waits in the channel again.
 * Leaves: all that happens in between to remote_end.h.
 * Holds:  inside the world; no worker owns the channel. A channel that only placements use has such
 *         an end as well: nobody uses it. When a PLACED PAR ends, no placement waits any more, so
 *         nothing is pending here; a message that has not been input there is taken back. */
#ifndef RT_HOME_END_H
#define RT_HOME_END_H

#include "remote_end.h"

void home_end_begin(Worker *worker, Machine *machine, Link *link, const LinkedChannel *linked);
/* Of whoever waits in the channel with a message: owned_text_owned; NULL: none. */
Channel *home_end_owned(const Channel *channel, uint32_t item_bytes);
/* Whoever waits in the channel, whose word was that, waits in the end (or its twin) from now on. */
void home_end_take_over(Worker *worker, RemoteEnd *end, uintptr_t word, uint32_t item_bytes);
void home_end_end(Worker *worker, Link *link);

#endif
