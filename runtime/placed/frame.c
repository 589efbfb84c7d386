/* frame -- see frame.h. */
#include "frame.h"

#include "machine.h"

#include <string.h>

/* Head -- what each message says; `more` is in `kind` where a Rest follows. */
typedef struct Head {
    uint8_t kind, side;
    uint16_t size_bytes;
    uint32_t origin;
    uint64_t channel;
} Head;

typedef struct Rest {
    uint64_t number, turn, size_bytes;
    uint32_t place, bulk_count, bulk_tag;
} Rest;

enum { HAS_REST = 0x80, WORD = sizeof(uint64_t) };

_Static_assert((int)MESSAGE_REPORTED < (int)HAS_REST && FRAME_LARGE_BYTES <= UINT16_MAX,
               "they fit a Head");

static bool has_rest(const Message *message) {
    return (message->number | message->turn | message->place | message->bulk_count) != 0 ||
           message_is_large(message);
}

/* Its own bytes, rounded up to whole words: both ends have room for that. */
static size_t size_of_bytes(const Message *message) {
    return message_is_large(message) ? 0 : (message->size_bytes + WORD - 1) / WORD * WORD;
}

bool frame_put(Frame *frame, const Message *message) {
    bool is_more = has_rest(message);
    size_t used = size_of_bytes(message);
    size_t size = sizeof(Head) + (is_more ? sizeof(Rest) : 0) + used;
    if (frame->size + size > FRAME_BYTES) {
        return false;
    }
    unsigned char *at = frame->bytes + frame->size;
    frame->size += size;
    const Head head = {.kind = (uint8_t)(message->kind | (is_more ? HAS_REST : 0)),
                       .side = (uint8_t)message->side,
                       .size_bytes = (uint16_t)message->size_bytes,
                       .origin = message->origin,
                       .channel = message->channel};
    memcpy(at, &head, sizeof head);
    at += sizeof head;
    if (is_more) {
        const Rest rest = {message->number, message->turn,       message->size_bytes,
                           message->place,  message->bulk_count, message->bulk_tag};
        memcpy(at, &rest, sizeof rest);
        at += sizeof rest;
    }
    message_copy_bytes(at, message->bytes, used);
    return true;
}

Message *frame_get(const Frame *frame, size_t *from) {
    const unsigned char *at = frame->bytes + *from;
    Head head;
    memcpy(&head, at, sizeof head);
    at += sizeof head;
    Rest rest = {.size_bytes = head.size_bytes};
    if ((head.kind & HAS_REST) != 0) {
        memcpy(&rest, at, sizeof rest);
        at += sizeof rest;
    }
    Message *message =
        message_make((MessageKind)(head.kind & ~HAS_REST), head.channel, rest.size_bytes);
    message->side = head.side;
    message->origin = head.origin;
    message->number = rest.number;
    message->turn = rest.turn;
    message->place = rest.place;
    message->bulk_count = rest.bulk_count;
    message->bulk_tag = rest.bulk_tag;
    size_t used = size_of_bytes(message);
    message_copy_bytes(message->bytes, at, used);
    *from = (size_t)(at + used - frame->bytes);
    return message;
}
