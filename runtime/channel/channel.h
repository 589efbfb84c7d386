/* channel -- rendezvous, the slow half.
 *
 * Owns:   every case that compiled code does not inline: a partner that is an ALT, devices, two
 *         processes on one end, closed channels; and what is inlined too, for callers that do not
 *         inline it.
 * Leaves: the fast half to codegen/channel/rendezvous.c, ALT's own side to alt.c, devices to io.c.
 * Holds:  the word of a channel is one of: 0; one waiting process, tagged with its direction; one
 *         waiting ALT, tagged with the direction of its guard; a device; a state. A process whose
 *         address is in a word is parked there, its data is where the message goes or lies, or is
 *         the message itself when that is one word (decision 0007: then `into` or `from` is
 *         &me->data).
 *         First to arrive: data, wait and next are stored, then the word, then it parks.
 *         Second: copies, clears the word, makes the partner ready, goes on.
 *         An ALT's registration may be stale (it has been won elsewhere and has not run yet):
 *         whoever comes then takes the word, and the ALT leaves it alone. */
#ifndef RT_CHANNEL_H
#define RT_CHANNEL_H

#include "layout.h"

/* abi.def: occ_channel_input, occ_channel_output */
Process *rt_channel_input(Process *me, Channel *channel, void *into, int64_t size_bytes,
                          const Site *site);
Process *rt_channel_output(Process *me, Channel *channel, void *from, int64_t size_bytes,
                           const Site *site);

/* abi.def */
void rt_extended_end(Process *me, void *channel);

#endif
