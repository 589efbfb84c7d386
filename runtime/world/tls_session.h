/* tls_session -- TLS as the layer between the bytes of one connection and its socket.
 *
 * Owns:   OpenSSL's object for it, and what it wants to send while the kernel has no room.
 * Leaves: contexts to tls_context.h; what is waited for to net_layer.h.
 * Holds:  whoever touches the object has the lock. What OpenSSL writes is always taken: what the
 *         kernel does not take waits in `held`, at most one record, and goes before anything else
 *         is made of the program's bytes. So no call of OpenSSL's has to be repeated as it was,
 *         and a writer whose time is over leaves a stream that is sound. */
#ifndef RT_TLS_SESSION_H
#define RT_TLS_SESSION_H

#include "lock.h"
#include "net_layer.h"
#include "tls_context.h"

typedef struct TlsSession {
    NetLayer layer; /* first */
    Lock lock;
    SSL *ssl;
    NetSocket *socket;
    uint8_t *held; /* for the kernel; NULL: nothing */
    size_t held_bytes;
    size_t held_capacity;
    int32_t send_flags;
    int32_t send_fault; /* of the socket: it takes no more */
    int32_t fault;      /* of the socket, or of TLS: it stays; 0: none */
    bool socket_has_ended;
    bool has_ended;               /* the other side has said so */
    char server[TLS_SERVER_NAME]; /* host and port, of a client; "" */
} TlsSession;

extern const NetLayerKind tls_layer;

/* Under a connection; the context is the session's then. The host has no NUL; "": none. */
int32_t tls_session_put(NetSocket *socket, SSL_CTX *context, const char *host);
/* NULL: the connection has none. */
TlsSession *tls_session_of(const NetSocket *socket);

#endif
