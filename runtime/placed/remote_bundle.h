/* remote_bundle -- a channel bundle whose ends are on several machines, as each of them has it
 * (decision 0069).
 *
 * Owns:   a Bundle with BUNDLE_IS_REMOTE: which of its ends are held here; ends that are sent away,
 *         arrive and are let go.
 * Leaves: where the ends are to their home (bundle_home.h), each channel to its RemoteEnd and twin,
 *         the bytes of a message to owned_text.h.
 * Holds:  inside the world. A machine that holds an end of the bundle, or both, has one Bundle for
 *         it, whose channels are devices; a machine that holds none has nothing. A moving end takes
 *         only its number along: its process does nothing else meanwhile, and messages of the other
 *         end go home and on to where the end arrives (as with the turn of a shared end). It
 *         arrives when the message that carries it is input. A bundle becomes remote when one of
 *         its ends is first sent; whoever waits at the other end goes on waiting. It stays remote,
 *         even when both ends meet again on one machine. */
#ifndef RT_REMOTE_BUNDLE_H
#define RT_REMOTE_BUNDLE_H

#include "bundle.h"
#include "owned_text.h"

/* EndText -- an end in a message. */
typedef struct EndText {
    uint64_t number; /* of the bundle */
    uint64_t move;   /* the move that brings the end */
    const Site *site;
    const Site *closed[]; /* for each channel who closed it, or NULL */
} EndText;

static inline size_t end_text_bytes(const EndShape *shape) {
    return sizeof(EndText) + shape->channels * sizeof(const Site *);
}

/* The end is sent over that channel. */
void remote_bundle_leave(const OwnedAt *at, uint64_t channel, Bundle *bundle, const EndShape *shape,
                         EndText *text);
Bundle *remote_bundle_arrive(const OwnedAt *at, const EndShape *shape, const EndText *text);
/* A channel of the bundle, or of a bundle whose end waits to be output there, that a worker owns
 * (scheduler/ownership.h); NULL: none. The end is sent `over` a channel when none is owned. */
Channel *remote_bundle_owned(Bundle *bundle, const EndShape *shape, const Channel *over);
/* Functions of Machines. */
void remote_bundle_let_go(Process *me, Bundle *bundle, int32_t is_server);

#endif
