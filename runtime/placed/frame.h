/* frame -- messages to one machine that travel as one piece.
 *
 * Owns:   the layout of a frame.
 * Leaves: sending it to mpi.c, when to send it to hold.h.
 * Holds:  messages lie one after the other, each with a short head, as most are small. Sender and
 *         receiver are the same for all. The bytes of a large message travel separately. */
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
/* The message at *from, which moves on to the next. The caller sets `from` and `to`, and reads the
 * bytes of a large message. */
Message *frame_get(const Frame *frame, size_t *from);

#endif
