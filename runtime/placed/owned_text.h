/* owned_text -- a message that owns objects, as bytes and back.
 *
 * Owns:   the walk through objects by the Shape of what is sent.
 * Leaves: when a message is made and read to remote_end.h, blocks to memory/mobile.h.
 * Holds:  making the message gives back the objects of the writer; the reader gets new ones. The
 *         bytes of the item come first, then each object, its counts and its contents. Both sides
 *         take the object that was found last, so a list needs no memory for its length, and no
 *         depth needs a stack. An address that is not NULL only says that there is an object; its
 *         value means nothing to the reader. */
#ifndef RT_OWNED_TEXT_H
#define RT_OWNED_TEXT_H

#include "machine.h"

/* OwnedAt -- where a message is written or read. Worker NULL: the caller may not touch the lists of
 * a worker; objects come from malloc. */
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

/* A DATA message with what lies at `data`. */
Message *owned_text_make(const OwnedAt *at, uint64_t channel, const Shape *shape, void *data);
/* Read into variables that own nothing. Out of memory: the error no-memory at the site. */
void owned_text_read(const OwnedAt *at, Message *message, const Shape *shape, void *into);
/* A new mobile object of that size. */
void *owned_text_take(Worker *worker, size_t size, const Site *site);

/* What lies at `data` is to be sent `over` a channel: remote_bundle_owned of the ends in it. */
Channel *owned_text_owned(const Site *site, void *data, const Channel *over);

#endif
