/* owned_text -- see owned_text.h. */
#include "owned_text.h"

#include "ending.h"
#include "mobile.h"
#include "remote_bundle.h"

#include <string.h>

enum { GROWTH = 2, SOME_OBJECTS = 32 };

/* Found -- an object or a Bundle to write, or where the address of one is to be read. */
typedef struct Found {
    void *at;
    const ShapePart *part;
} Found;

typedef struct Walk {
    Found *found;
    size_t count, capacity;
    bool is_reading;
} Walk;

static void find(Walk *walk, void *place, const ShapePart *part) {
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
    walk->found[walk->count++] = (Found){walk->is_reading ? place : (void *)object, part};
}

/* What the elements own. Recursion is as deep as records are nested in the program's text. */
static void find_parts(Walk *walk, const Shape *shape, unsigned char *place, size_t elements) {
    for (size_t i = 0; i < elements && shape->part_count > 0; i++) {
        for (size_t k = 0; k < shape->part_count; k++) {
            const ShapePart *part = &shape->parts[k];
            unsigned char *at = place + i * shape->bytes + part->offset;
            if (part->kind == PART_INLINE) {
                find_parts(walk, part->shape, at, part->shape->elements);
            } else {
                find(walk, at, part);
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

/* The message owns the object from now on, or it has been given back. */
static void put_object(Text *text, Walk *walk, const OwnedAt *at, const Found *found) {
    const Shape *shape = found->part->shape;
    Mobile *object = found->at;
    size_t elements = elements_of(shape, counts_of(object));
    size_t size = elements * shape->bytes;
    unsigned char *contents = (unsigned char *)object + shape->header;
    put(text, counts_of(object), counts_bytes(shape));
    find_parts(walk, shape, contents, elements);
    if (size >= BULK_LEAST_BYTES) {
        message_add_bulk(text->message, contents, size, object);
    } else {
        put(text, contents, size);
        rt_mobile_release(&at->worker->main_process, object);
    }
}

static void put_end(Text *text, const OwnedAt *at, const EndShape *shape, Bundle *bundle) {
    size_t size = end_text_bytes(shape);
    EndText *end = machine_memory(size);
    remote_bundle_leave(at, text->message->channel, bundle, shape, end);
    put(text, end, size);
    machine_free(end);
}

Message *owned_text_make(const OwnedAt *at, uint64_t channel, const Shape *shape, void *data) {
    Text text = {message_make(MESSAGE_DATA, channel, 0), 0};
    Walk walk = {0};
    put(&text, data, shape->elements * shape->bytes);
    find_parts(&walk, shape, data, shape->elements);
    while (walk.count > 0) {
        Found next = walk.found[--walk.count];
        if (next.part->kind == PART_END) {
            put_end(&text, at, next.part->end, next.at);
        } else {
            put_object(&text, &walk, at, &next);
        }
    }
    machine_free(walk.found);
    return text.message;
}

/* ---- reading ---- */

void *owned_text_take(Worker *worker, size_t size, const Site *site) {
    void *object =
        worker != NULL ? mobile_take(&worker->main_process, size, site) : mobile_take_outside(size);
    if (object == NULL) {
        rt_fatal("out of memory for what a message owns", 0);
    }
    return object;
}

static const unsigned char *get_object(const OwnedAt *at, Walk *walk, const Found *found,
                                       Message *message, const unsigned char *bytes) {
    const Shape *shape = found->part->shape;
    size_t elements = elements_of(shape, bytes);
    size_t size = elements * shape->bytes;
    Mobile *object = owned_text_take(at->worker, shape->header + size, at->site);
    unsigned char *contents = (unsigned char *)object + shape->header;
    memcpy(counts_of(object), bytes, counts_bytes(shape));
    bytes += counts_bytes(shape);
    memcpy(found->at, &object, sizeof object);
    if (size >= BULK_LEAST_BYTES) {
        message_read_bulk(message, contents, size);
    } else {
        memcpy(contents, bytes, size);
        bytes += size;
    }
    find_parts(walk, shape, contents, elements);
    return bytes;
}

static const unsigned char *get_end(const OwnedAt *at, const Found *found,
                                    const unsigned char *bytes) {
    const EndShape *shape = found->part->end;
    size_t size = end_text_bytes(shape);
    EndText *end = machine_memory(size);
    memcpy(end, bytes, size);
    Bundle *bundle = remote_bundle_arrive(at, shape, end);
    memcpy(found->at, &bundle, sizeof(Bundle *));
    machine_free(end);
    return bytes + size;
}

void owned_text_read(const OwnedAt *at, Message *message, const Shape *shape, void *into) {
    Walk walk = {.is_reading = true};
    const unsigned char *bytes = message->bytes;
    size_t size = shape->elements * shape->bytes;
    memcpy(into, bytes, size);
    bytes += size;
    find_parts(&walk, shape, into, shape->elements);
    while (walk.count > 0) {
        Found next = walk.found[--walk.count];
        bytes = next.part->kind == PART_END ? get_end(at, &next, bytes)
                                            : get_object(at, &walk, &next, message, bytes);
    }
    machine_free(walk.found);
}

/* ---- workers ---- */

Channel *owned_text_owned(const Site *site, void *data, const Channel *over) {
    const Shape *shape = shape_at(site);
    if (shape == NULL || shape->has_ends == 0) {
        return NULL;
    }
    Walk walk = {0};
    Channel *owned = NULL;
    find_parts(&walk, shape, data, shape->elements);
    while (walk.count > 0 && owned == NULL) {
        Found next = walk.found[--walk.count];
        const Shape *content = next.part->shape;
        if (next.part->kind == PART_END) {
            owned = remote_bundle_owned(next.at, next.part->end, over);
        } else {
            size_t elements = elements_of(content, counts_of(next.at));
            find_parts(&walk, content, (unsigned char *)next.at + content->header, elements);
        }
    }
    machine_free(walk.found);
    return owned;
}
