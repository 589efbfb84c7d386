/* message -- the memory of messages and of what machines know. See machine.h. */
#include "ending.h"
#include "machine.h"

#include <stdlib.h>
#include <string.h>

void *machine_memory(size_t size_bytes) {
    void *memory = calloc(1, size_bytes);
    if (memory == NULL) {
        rt_fatal("out of memory for placements", 0);
    }
    return memory;
}

void machine_free(void *memory) {
    free(memory);
}

Message *message_grow(Message *message, size_t size_bytes) {
    Message *grown = realloc(message, sizeof *message + size_bytes);
    if (grown == NULL) {
        rt_fatal("out of memory for a message to another machine", 0);
    }
    return grown;
}

Message *message_make(MessageKind kind, uint64_t channel, size_t size_bytes) {
    Message *message = message_grow(NULL, size_bytes);
    *message = (Message){.kind = kind, .channel = channel, .size_bytes = size_bytes};
    return message;
}

Message *message_copy(const Message *message) {
    Message *copy = message_make((MessageKind)message->kind, message->channel, message->size_bytes);
    memcpy(copy->bytes, message->bytes, message->size_bytes);
    return copy;
}

void message_free(Message *message) {
    free(message);
}
