/* message -- the memory of messages and of what machines know. See machine.h. */
#include "ending.h"
#include "lost.h"
#include "machine.h"
#include "mobile.h"
#include "worker.h"

#include <stdlib.h>
#include <string.h>

void *machine_memory(size_t size_bytes) {
    size_t whole = (size_bytes / CACHE_LINE_BYTES + 1) * CACHE_LINE_BYTES;
    void *memory = aligned_alloc(CACHE_LINE_BYTES, whole);
    if (memory == NULL) {
        rt_fatal("out of memory for placements", 0);
    }
    return memset(memory, 0, size_bytes);
}

void machine_free(void *memory) {
    free(memory);
}

/* ---- bulks ---- */

void message_add_bulk(Message *message, const void *bytes, size_t size_bytes, void *object) {
    Bulk *bulk = machine_memory(sizeof *bulk);
    *bulk = (Bulk){.bytes = bytes, .size_bytes = size_bytes, .object = object};
    if (message->bulks == NULL) {
        message->bulks = bulk;
    } else {
        message->bulks_end->next = bulk;
    }
    message->bulks_end = bulk;
    message->bulk_count++;
}

void message_copy_bulk(Message *message, const void *bytes, size_t size_bytes) {
    void *copy = malloc(size_bytes);
    if (copy == NULL) {
        rt_fatal("out of memory for a message to another machine", 0);
    }
    memcpy(copy, bytes, size_bytes);
    message_add_bulk(message, copy, size_bytes, NULL);
}

void bulk_free(Bulk *bulk) {
    if (bulk->object != NULL) {
        rt_mobile_release(&worker_of_thread()->main_process, bulk->object);
    } else {
        free((void *)(uintptr_t)bulk->bytes);
    }
    machine_free(bulk);
}

void message_read_bulk(Message *message, void *into, size_t size_bytes) {
    message->bulk_count--;
    if (message->bulk_tag != 0) {
        if (!placed_carrier.fetch(message, into, size_bytes)) {
            lost_at_once(message->from);
        }
        return;
    }
    Bulk *bulk = message->bulks;
    rt_check(bulk != NULL && bulk->size_bytes == size_bytes);
    message->bulks = bulk->next;
    memcpy(into, bulk->bytes, size_bytes);
    bulk_free(bulk);
}

/* ---- messages ---- */

/* Small messages come and go all the time, so they are kept for reuse; not under ASan, so that it
 * sees a use after free. */
#if defined(__SANITIZE_ADDRESS__)
enum { SMALL_BYTES = 0 };
#else
enum { SMALL_BYTES = 64 };
#endif

static Message *small_ones;

static void bulks_free(Message *message) {
    if (message->bulk_tag != 0) {
        (void)placed_carrier.fetch_all(message); /* the sender waits for it */
    }
    while (message->bulks != NULL) {
        Bulk *bulk = message->bulks;
        message->bulks = bulk->next;
        bulk_free(bulk);
    }
}

static Message *take_memory(size_t size_bytes) {
    if (size_bytes <= SMALL_BYTES && small_ones != NULL) {
        Message *message = small_ones;
        small_ones = message->next;
        return message;
    }
    size_t words = (size_bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
    size_t room = words <= SMALL_BYTES ? SMALL_BYTES : words;
    Message *message = malloc(sizeof *message + room);
    if (message == NULL) {
        rt_fatal("out of memory for a message to another machine", 0);
    }
    message->room = room;
    return message;
}

void message_free(Message *message) {
    if (message != NULL && message->bulk_count > 0) {
        bulks_free(message);
    }
    if (message != NULL && message->room == SMALL_BYTES) {
        message->next = small_ones;
        small_ones = message;
    } else {
        free(message);
    }
}

Message *message_grow(Message *message, size_t size_bytes) {
    if (size_bytes <= message->room) {
        return message;
    }
    Message *grown = take_memory(size_bytes);
    size_t room = grown->room;
    memcpy(grown, message, sizeof *message + message->size_bytes);
    grown->room = room;
    message_free(message);
    return grown;
}

/* Field by field: compilers clear the whole by an instruction slower than all the rest here. */
Message *message_make(MessageKind kind, uint64_t channel, size_t size_bytes) {
    Message *message = take_memory(size_bytes);
    message->next = NULL;
    message->bulks = message->bulks_end = NULL;
    message->kind = kind;
    message->side = message->from = message->to = message->origin = message->place = 0;
    message->channel = channel;
    message->number = message->turn = 0;
    message->size_bytes = size_bytes;
    message->bulk_count = message->bulk_tag = 0;
    return message;
}

Message *message_copy(const Message *message) {
    Message *copy = message_make((MessageKind)message->kind, message->channel, message->size_bytes);
    memcpy(copy->bytes, message->bytes, message->size_bytes);
    for (const Bulk *bulk = message->bulks; bulk != NULL; bulk = bulk->next) {
        message_copy_bulk(copy, bulk->bytes, bulk->size_bytes);
    }
    return copy;
}
