/* transport -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "transport.h"

#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { READ_SIZE = 64 * 1024, HEADER_MOST = 8 * 1024, MESSAGE_MOST = 256 * 1024 * 1024 };

/* ---- reading ---- */

void transport_open(Transport *transport, int input, int output) {
    *transport = (Transport){.input = input, .output = output, .arena = arena_create()};
}

/* Room for `size` bytes more, behind what is not used yet. */
static void make_room(Transport *transport, size_t size) {
    size_t held = transport->end - transport->start;
    if (transport->capacity - transport->end >= size) {
        return;
    }
    Arena *old = transport->arena;
    size_t capacity = (held + size) * 2;
    transport->arena = arena_create();
    char *bytes = arena_allocate(transport->arena, capacity);
    if (held) {
        memcpy(bytes, transport->bytes + transport->start, held);
    }
    transport->bytes = bytes;
    transport->capacity = capacity;
    transport->start = 0;
    transport->end = held;
    arena_destroy(old);
}

bool transport_read(Transport *transport) {
    make_room(transport, READ_SIZE);
    ssize_t got = -1;
    do {
        got = read(transport->input, transport->bytes + transport->end,
                   transport->capacity - transport->end);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        transport->has_ended = true;
        return false;
    }
    transport->end += (size_t)got;
    return true;
}

/* ---- messages ---- */

/* The length that the lines of a header tell; false: they do not. */
static bool read_header(const char *header, size_t size, size_t *length) {
    static const char wanted[] = "Content-Length:";
    for (const char *at = header; at < header + size;) {
        const char *end = memchr(at, '\n', (size_t)(header + size - at));
        if (strncasecmp(at, wanted, sizeof wanted - 1) == 0) {
            char *stop = NULL;
            unsigned long long number = strtoull(at + sizeof wanted - 1, &stop, 10);
            *length = (size_t)number;
            return (*stop == '\r' || *stop == '\n') && number <= MESSAGE_MOST;
        }
        at = end ? end + 1 : header + size;
    }
    return false;
}

/* Where the text of the message begins; 0: the header is not complete. */
static size_t header_size(const char *bytes, size_t held) {
    for (size_t i = 3; i < held && i < HEADER_MOST; i++) {
        if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') {
            return i + 1;
        }
    }
    return 0;
}

json_t *transport_next(Transport *transport) {
    for (;;) {
        const char *at = transport->bytes + transport->start;
        size_t held = transport->end - transport->start;
        size_t header = held ? header_size(at, held) : 0;
        size_t length = 0;
        if (!header || !read_header(at, header, &length)) {
            transport->has_ended = transport->has_ended || header || held >= HEADER_MOST;
            return NULL;
        }
        if (held - header < length) {
            return NULL;
        }
        json_error_t error;
        json_t *message = json_loadb(at + header, length, JSON_ALLOW_NUL, &error);
        transport->start += header + length;
        if (message) {
            return message;
        }
        transport_refuse(transport, NULL, RPC_PARSE_ERROR, error.text);
    }
}

/* ---- writing ---- */

static void transport_send(Transport *transport, json_t *message) {
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    Arena *arena = arena_create();
    size_t size = json_dumpb(message, NULL, 0, JSON_COMPACT);
    char *bytes = arena_allocate(arena, size + 64);
    size_t header = (size_t)snprintf(bytes, 64, "Content-Length: %zu\r\n\r\n", size);
    json_dumpb(message, bytes + header, size, JSON_COMPACT);
    if (!file_write_all(transport->output, bytes, header + size)) {
        transport->has_ended = true;
    }
    json_decref(message);
    arena_destroy(arena);
}

static json_t *reply(const json_t *id) {
    json_t *message = json_object();
    json_object_set_new(message, "id", id ? json_deep_copy(id) : json_null());
    return message;
}

void transport_respond(Transport *transport, const json_t *id, json_t *result) {
    json_t *message = reply(id);
    json_object_set_new(message, "result", result ? result : json_null());
    transport_send(transport, message);
}

void transport_refuse(Transport *transport, const json_t *id, int code, const char *words) {
    json_t *message = reply(id);
    json_object_set_new(message, "error", json_pack("{s:i, s:s}", "code", code, "message", words));
    transport_send(transport, message);
}

void transport_notify(Transport *transport, const char *method, json_t *params) {
    transport_send(transport, json_pack("{s:s, s:o}", "method", method, "params", params));
}

void transport_request(Transport *transport, const char *method) {
    transport_send(transport, json_pack("{s:s, s:s}", "id", method, "method", method));
}
