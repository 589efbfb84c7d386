/* close -- CLOSE: a channel that nobody will use again.
 *
 * Owns:   closing, and waking who waits for the channel.
 * Leaves: finding a channel closed to channel.c and alt.c.
 * Holds:  a closed channel's word is the site that closed it, with TAG_CLOSED, for good. Nothing is
 *         pending in it: who closes holds an end, so the only process that can wait in the word is
 *         the partner, and its transfer will never come. Closing again does nothing: the two ends
 *         cannot agree on who is first.
 *         Channel.watchers lists the CLOSED guards of the ALTs that wait; each ALT takes its own
 *         out when it is resumed. The list and the links lie in the ALT records. Closing, watching
 *         and claiming are under the world lock; only plain partners change the word without it. */
#ifndef RT_CLOSE_H
#define RT_CLOSE_H

#include "device.h"
#include "layout.h"

/* abi.def */
void rt_channel_close(Process *me, void *channel, const Site *site);

/* The guard waits for its channel to close, or stops waiting. */
void rt_close_watch(Channel *channel, AltGuard *guard);
void rt_close_unwatch(Channel *channel, AltGuard *guard);

/* Who closed a channel whose word has TAG_CLOSED. */
static inline const Site *closed_by(uintptr_t word) {
    return channel_pointer(word);
}

/* An input, or output, at `site` finds the channel closed. True: the process handles that
 * (UNTIL_CLOSED) and goes on; false: it was an error, and has stopped the process. */
bool rt_find_closed(Process *me, uintptr_t word, const Site *site);

/* In the world: the other side of a device, which waits for no descriptor, has closed the channel.
 */
void rt_close_device(Worker *worker, Device *device, const Site *site);

#endif
