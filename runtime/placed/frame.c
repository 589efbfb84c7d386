/* frame -- see frame.h. */
#include "frame.h"

#include "machine.h"

#include <string.h>

enum { FRAME_ALIGNMENT = 8 };

static size_t size_of(const Message *message) {
    size_t size = MESSAGE_HEAD + (message_is_large(message) ? 0 : message->size_bytes);
    return (size + FRAME_ALIGNMENT - 1) / FRAME_ALIGNMENT * FRAME_ALIGNMENT;
}

bool frame_put(Frame *frame, const Message *message) {
    size_t size = size_of(message);
    if (frame->size + size > FRAME_BYTES) {
        return false;
    }
    size_t used = message_is_large(message) ? 0 : message->size_bytes;
    memcpy(frame->bytes + frame->size, &message->kind, MESSAGE_HEAD + used);
    frame->size += size;
    return true;
}

Message *frame_get(const Frame *frame, size_t *at) {
    const unsigned char *bytes = frame->bytes + *at;
    uint64_t size_bytes;
    memcpy(&size_bytes, bytes + offsetof(Message, size_bytes) - offsetof(Message, kind),
           sizeof size_bytes);
    Message *message = message_make(MESSAGE_BYE, 0, size_bytes);
    memcpy(&message->kind, bytes, MESSAGE_HEAD);
    if (!message_is_large(message)) {
        memcpy(message->bytes, bytes + MESSAGE_HEAD, size_bytes);
    }
    *at += size_of(message);
    return message;
}
