/* tls_context -- what one side of TLS shows, believes and offers, for any number of connections.
 *
 * Owns:   the contexts by number; the sessions that clients may resume.
 * Leaves: connections to tls_session.h.
 * Holds:  a number means a context until it is forgotten; connections that have one keep it. A
 *         session is offered to the server (host and port) that gave it, and once only, so that
 *         nobody who listens sees that two connections are of the same client. */
#ifndef RT_TLS_CONTEXT_H
#define RT_TLS_CONTEXT_H

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdint.h>

enum { TLS_SERVER_NAME = 300 };

/* A holder's own reference (SSL_CTX_free); NULL: no such number. */
SSL_CTX *tls_context_hold(int32_t number);
bool tls_context_is_server(const SSL_CTX *context);
/* A session of a server, now the caller's (SSL_SESSION_free), or NULL. */
SSL_SESSION *tls_context_take_session(SSL_CTX *context, const char *server);

/* tls_session.c: the server of a connection, whose session is to be kept. */
const char *tls_session_server(const SSL *ssl);

#endif
