/* frame -- messages to one machine that travel as one piece.
 *
 * Owns:   what such a piece looks like.
 * Leaves: moving it to mpi.c, when it goes to hold.h.
 * Holds:  messages lie one after the other, each with a short head, for most say little. From whom and
 *         to whom it says for all of them. The bytes of a large one are not there: they travel alone. */
#ifndef RT_FRAME_H
#define RT_FRAME_H

#include "carrier.h"

enum { FRAME_BYTES = 4000, FRAME_LARGE_BYTES = 1500 };

typedef struct Frame {
    struct Frame *next;
    size_t size;
    unsigned char bytes[FRAME_BYTES];
} Frame;

static inline bool message_is_large(const Message *message) {
    return message->size_bytes > FRAME_LARGE_BYTES;
}

/* False: there is no room for it. */
bool frame_put(Frame *frame, const Message *message);
/* The message that begins there, which is moved to the next one. Its `from` and `to` are to be set, and
 * the bytes of a large one to be read into it. */
Message *frame_get(const Frame *frame, size_t *from);

#endif
