/* owned_text -- see owned_text.h. */
#include "owned_text.h"

#include "ending.h"
#include "mobile.h"

#include <string.h>

enum { GROWTH = 2, SOME_OBJECTS = 32 };

/* Found -- an object to write, or where the address of one is to be read. */
typedef struct Found {
    void *at;
    const Shape *shape; /* of its contents */
} Found;

typedef struct Walk {
    Found *found;
    size_t count, capacity;
    bool is_reading;
} Walk;

static void find(Walk *walk, void *place, const Shape *shape) {
    Mobile *object;
    memcpy(&object, place, sizeof object);
    if (object == NULL) {
        return;
    }
    if (walk->count == walk->capacity) {
        walk->capacity = walk->capacity == 0 ? SOME_OBJECTS : GROWTH * walk->capacity;
        Found *more = machine_memory(walk->capacity * sizeof *more);
        if (walk->count > 0) {
            memcpy(more, walk->found, walk->count * sizeof *more);
        }
        machine_free(walk->found);
        walk->found = more;
    }
    walk->found[walk->count++] = (Found){walk->is_reading ? place : (void *)object, shape};
}

/* What the elements own. Goes as deep as records lie in records, in the text. */
static void find_parts(Walk *walk, const Shape *shape, unsigned char *place, size_t elements) {
    for (size_t i = 0; i < elements && shape->part_count > 0; i++) {
        for (size_t k = 0; k < shape->part_count; k++) {
            const ShapePart *part = &shape->parts[k];
            unsigned char *at = place + i * shape->bytes + part->offset;
            if (part->is_owner != 0) {
                find(walk, at, part->shape);
            } else {
                find_parts(walk, part->shape, at, part->shape->elements);
            }
        }
    }
}

static size_t elements_of(const Shape *shape, const unsigned char *counts) {
    size_t elements = shape->elements;
    for (uint32_t i = 0; i < shape->open; i++) {
        int32_t count;
        memcpy(&count, counts + i * sizeof count, sizeof count);
        elements *= (size_t)count;
    }
    return elements;
}

static size_t counts_bytes(const Shape *shape) {
    return shape->open * sizeof(int32_t);
}

static unsigned char *counts_of(Mobile *object) {
    return (unsigned char *)object + offsetof(Mobile, counts);
}

/* ---- writing ---- */

typedef struct Text {
    Message *message;
    size_t capacity;
} Text;

static void put(Text *text, const void *bytes, size_t size) {
    size_t end = text->message->size_bytes + size;
    if (end > text->capacity) {
        text->capacity = end > GROWTH * text->capacity ? end : GROWTH * text->capacity;
        text->message = message_grow(text->message, text->capacity);
    }
    if (size > 0) {
        memcpy(text->message->bytes + text->message->size_bytes, bytes, size);
    }
    text->message->size_bytes = end;
}

static void put_object(Text *text, Walk *walk, const Shape *shape, Mobile *object) {
    size_t elements = elements_of(shape, counts_of(object));
    unsigned char *contents = (unsigned char *)object + shape->header;
    put(text, counts_of(object), counts_bytes(shape));
    put(text, contents, elements * shape->bytes);
    find_parts(walk, shape, contents, elements);
}

Message *owned_text_make(Worker *worker, uint64_t channel, const Shape *shape, void *data) {
    Text text = {message_make(MESSAGE_DATA, channel, 0), 0};
    Walk walk = {0};
    put(&text, data, shape->elements * shape->bytes);
    find_parts(&walk, shape, data, shape->elements);
    while (walk.count > 0) {
        Found next = walk.found[--walk.count];
        put_object(&text, &walk, next.shape, next.at);
        rt_mobile_release(&worker->main_process, next.at);
    }
    machine_free(walk.found);
    return text.message;
}

/* ---- reading ---- */

static Mobile *take(Worker *worker, size_t size, const Site *site) {
    Mobile *object =
        worker != NULL ? mobile_take(&worker->main_process, size, site) : mobile_take_outside(size);
    if (object == NULL) {
        rt_fatal("out of memory for what a message owns", 0);
    }
    return object;
}

static const unsigned char *get_object(Worker *worker, Walk *walk, const Shape *shape, void *place,
                                       const unsigned char *bytes, const Site *site) {
    size_t elements = elements_of(shape, bytes);
    size_t size = elements * shape->bytes;
    Mobile *object = take(worker, shape->header + size, site);
    unsigned char *contents = (unsigned char *)object + shape->header;
    memcpy(counts_of(object), bytes, counts_bytes(shape));
    bytes += counts_bytes(shape);
    memcpy(contents, bytes, size);
    memcpy(place, &object, sizeof object);
    find_parts(walk, shape, contents, elements);
    return bytes + size;
}

void owned_text_read(Worker *worker, const Message *message, const Shape *shape, void *into,
                     const Site *site) {
    Walk walk = {.is_reading = true};
    const unsigned char *bytes = message->bytes;
    size_t size = shape->elements * shape->bytes;
    memcpy(into, bytes, size);
    bytes += size;
    find_parts(&walk, shape, into, shape->elements);
    while (walk.count > 0) {
        Found next = walk.found[--walk.count];
        bytes = get_object(worker, &walk, next.shape, next.at, bytes, site);
    }
    machine_free(walk.found);
}
