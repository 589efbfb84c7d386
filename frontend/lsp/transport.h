/* transport -- JSON-RPC over two descriptors: Content-Length framing, responses, errors.
 *
 * Owns:  bytes that have come and are no whole message yet.
 * Holds: what is no JSON is answered with an error and skipped; a header that cannot be understood
 *        ends the conversation, for nobody knows where the next message begins. */
#ifndef OCCC_TRANSPORT_H
#define OCCC_TRANSPORT_H

#include "arena.h"

#include <jansson.h>
#include <stdbool.h>

/* Error codes of JSON-RPC and of the protocol. */
enum {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_NOT_INITIALIZED = -32002,
    RPC_REQUEST_CANCELLED = -32800,
    RPC_REQUEST_FAILED = -32803
};

typedef struct Transport {
    int input;
    int output;
    Arena *arena; /* of the bytes; a new one whenever all are used */
    char *bytes;
    size_t start; /* of what is not used yet */
    size_t end;
    size_t capacity;
    bool has_ended; /* of the input, or nothing can be made of it */
} Transport;

void transport_open(Transport *transport, int input, int output);
/* transport_read -- what is there now; waits when nothing is. False: the input has ended. */
bool transport_read(Transport *transport);
/* transport_next -- a message; NULL: none is complete. The caller's to release. */
json_t *transport_next(Transport *transport);

/* These take the values they are given. */
void transport_respond(Transport *transport, const json_t *id, json_t *result);
void transport_refuse(Transport *transport, const json_t *id, int code, const char *words);
void transport_notify(Transport *transport, const char *method, json_t *params);
/* transport_request -- without parameters; whatever the answer is, nobody needs it. */
void transport_request(Transport *transport, const char *method);

#endif
