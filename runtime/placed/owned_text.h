/* owned_text -- a message that owns something, as bytes and back.
 *
 * Owns:   the walk through objects by the Shape of what is sent.
 * Leaves: when a message is made and read to remote_end.h, blocks to memory/mobile.h.
 * Holds:  who outputs owns nothing of it any more when the message is made: its objects have been
 *         given back; whoever inputs gets new ones. First go the bytes of the item itself, then
 *         each object, its counts and its contents: both sides take the one that was found last,
 *         so a list needs no memory for its length, and no depth needs a stack. An address that is
 *         not NULL says that there is an object; what it says beyond means nothing there. */
#ifndef RT_OWNED_TEXT_H
#define RT_OWNED_TEXT_H

#include "machine.h"

/* OwnedAt -- where a message is written or read. Worker NULL: whoever asks may not touch the lists of
 * one; the objects are of malloc. */
typedef struct OwnedAt {
    Worker *worker;
    Machine *machine;
    const Site *site;
} OwnedAt;

/* The Shape of what is sent or received there; NULL: it owns nothing. */
static inline const Shape *shape_at(const Site *site) {
    bool is_shaped = (site->flags & SITE_SHAPED) != 0;
    return is_shaped ? ((const ShapedSite *)(const void *)site)->shape : NULL;
}

/* DATA with what lies at `data`. */
Message *owned_text_make(const OwnedAt *at, uint64_t channel, const Shape *shape, void *data);
/* Into what owns nothing. Without memory: the error no-memory at the site. */
void owned_text_read(const OwnedAt *at, Message *message, const Shape *shape, void *into);
/* A mobile object of so many bytes. */
void *owned_text_take(Worker *worker, size_t size, const Site *site);

/* What lies there is to be sent over that channel: as remote_bundle_owned, of the ends in it. */
Channel *owned_text_owned(const Site *site, void *data, const Channel *over);

#endif
