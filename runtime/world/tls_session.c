/* tls_session -- TLS under a connection. See tls_session.h. */
#define _GNU_SOURCE
#include "tls_session.h"

#include "tls_fault.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>

enum { RECORD_BYTES = 16384 };

/* ---- the socket, as OpenSSL sees it ---- */

/* What the kernel does not take is kept. */
static bool hold(TlsSession *session, const char *bytes, size_t size_bytes) {
    size_t needed = session->held_bytes + size_bytes;
    if (session->send_fault != 0) {
        return true; /* it goes nowhere */
    }
    if (needed > session->held_capacity) {
        size_t capacity = needed < RECORD_BYTES ? RECORD_BYTES : 2 * needed;
        uint8_t *larger = OPENSSL_realloc(session->held, capacity);
        if (larger == NULL) {
            return false;
        }
        session->held = larger;
        session->held_capacity = capacity;
    }
    memcpy(session->held + session->held_bytes, bytes, size_bytes);
    session->held_bytes = needed;
    return true;
}

/* How many the kernel has taken; below 0: a fault of the socket. */
static long send_some(TlsSession *session, const uint8_t *bytes, size_t size_bytes) {
    NetSocket *socket = session->socket;
    size_t sent = 0;
    while (sent < size_bytes) {
        socket->out.seen = net_socket_pulse(socket);
        int flags = MSG_NOSIGNAL | session->send_flags;
        ssize_t now = send(socket->fd, bytes + sent, size_bytes - sent, flags);
        if (now >= 0) {
            sent += (size_t)now;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            net_socket_doubt(socket);
            break;
        } else if (errno != EINTR) {
            return -errno;
        }
    }
    return (long)sent;
}

/* 0: nothing is held any more. */
static int32_t send_held(TlsSession *session) {
    if (session->send_fault != 0 || session->held_bytes == 0) {
        return session->send_fault;
    }
    long sent = send_some(session, session->held, session->held_bytes);
    if (sent < 0) {
        session->send_fault = (int32_t)sent;
        return session->send_fault;
    }
    session->held_bytes -= (size_t)sent;
    if (session->held_bytes > 0) {
        memmove(session->held, session->held + sent, session->held_bytes);
        return NET_WAIT;
    }
    OPENSSL_free(session->held);
    session->held = NULL;
    session->held_capacity = 0;
    return 0;
}

/* To OpenSSL it is always taken: that the socket takes no more is no matter of those who read. */
static int write_socket(BIO *bio, const char *bytes, int size) {
    TlsSession *session = BIO_get_data(bio);
    bool is_first = session->held_bytes == 0 && session->send_fault == 0;
    long sent = is_first ? send_some(session, (const uint8_t *)bytes, (size_t)size) : 0;
    if (sent >= 0 && sent < size && !hold(session, bytes + sent, (size_t)(size - sent))) {
        sent = -ENOMEM;
    }
    if (sent < 0) {
        session->send_fault = (int32_t)sent;
    }
    return size;
}

static int read_socket(BIO *bio, char *bytes, int size) {
    TlsSession *session = BIO_get_data(bio);
    NetSocket *socket = session->socket;
    uint32_t pulse = net_socket_pulse(socket);
    BIO_clear_retry_flags(bio);
    if (net_side_is_idle(socket, &socket->in, pulse)) {
        BIO_set_retry_read(bio);
        return -1;
    }
    long count = os_read(socket->fd, bytes, (size_t)size);
    if (count < size) {
        net_side_found_nothing(&socket->in, pulse);
    }
    if (os_is_would_block(count)) {
        net_socket_doubt(socket);
        BIO_set_retry_read(bio);
        return -1;
    }
    session->socket_has_ended = count == 0;
    if (count < 0) {
        session->fault = (int32_t)count;
    }
    return count < 0 ? -1 : (int)count;
}

static long control_socket(BIO *bio, int command, long number, void *argument) {
    const TlsSession *session = BIO_get_data(bio);
    (void)number, (void)argument;
    return command == BIO_CTRL_FLUSH ? 1 : command == BIO_CTRL_EOF ? session->socket_has_ended : 0;
}

/* One for the program. */
static const BIO_METHOD *socket_method(void) {
    static Lock lock;
    static BIO_METHOD *method;
    lock_take(&lock);
    if (method == NULL) {
        method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "connection");
        if (method != NULL) {
            (void)BIO_meth_set_write(method, write_socket);
            (void)BIO_meth_set_read(method, read_socket);
            (void)BIO_meth_set_ctrl(method, control_socket);
        }
    }
    lock_release(&lock);
    return method;
}

/* ---- what a layer does; with the lock ---- */

/* Why a call of OpenSSL's has not succeeded: -EAGAIN: it wants to read; 0: the other side has
 * ended. */
static int32_t why(TlsSession *session, int returned) {
    int error = SSL_get_error(session->ssl, returned);
    if (error == SSL_ERROR_WANT_READ) {
        return -EAGAIN;
    }
    if (error == SSL_ERROR_ZERO_RETURN) {
        session->has_ended = true;
        return 0;
    }
    int32_t fault = tls_fault_of(session->ssl);
    if (session->fault == 0) {
        session->fault = fault;
    }
    return session->fault;
}

static int32_t begin(TlsSession *session, bool *for_output) {
    ERR_clear_error();
    int done = SSL_do_handshake(session->ssl);
    int32_t status = done == 1 ? 0 : why(session, done);
    int32_t sent = send_held(session);
    *for_output = sent == NET_WAIT;
    if (status == 0) {
        return sent;
    }
    return status == -EAGAIN ? (sent < 0 ? sent : NET_WAIT) : status;
}

static int32_t read_or_look(TlsSession *session, uint8_t *bytes, size_t size_bytes, bool is_look) {
    if (session->has_ended || session->fault != 0) {
        return session->fault;
    }
    int room = size_bytes < INT32_MAX ? (int)size_bytes : INT32_MAX;
    ERR_clear_error();
    int count = is_look ? SSL_peek(session->ssl, bytes, room) : SSL_read(session->ssl, bytes, room);
    return count > 0 ? count : why(session, count);
}

/* A record after the other, each when the one before is with the kernel. */
static int32_t write_all(TlsSession *session, const uint8_t *bytes, size_t size_bytes,
                         bool has_more, size_t *sent) {
    int32_t status = session->fault;
    while (status == 0) {
        size_t left = size_bytes - *sent;
        bool is_last = left <= RECORD_BYTES;
        session->send_flags = has_more || !is_last ? MSG_MORE : 0;
        status = send_held(session);
        if (status < 0 || left == 0) {
            break;
        }
        ERR_clear_error();
        int count = SSL_write(session->ssl, bytes + *sent, (int)(is_last ? left : RECORD_BYTES));
        if (count > 0) {
            *sent += (size_t)count;
        } else {
            status = why(session, count);
            return status < 0 && status != -EAGAIN ? status : -EPIPE;
        }
    }
    return status;
}

static int32_t finish(TlsSession *session) {
    session->send_flags = 0;
    int32_t status = session->fault != 0 ? session->fault : send_held(session);
    if (status == 0 && (SSL_get_shutdown(session->ssl) & SSL_SENT_SHUTDOWN) == 0) {
        ERR_clear_error();
        (void)SSL_shutdown(session->ssl);
        ERR_clear_error();
        status = send_held(session);
    }
    return status;
}

/* ---- the layer ---- */

TlsSession *tls_session_of(const NetSocket *socket) {
    return socket == NULL ? NULL : (TlsSession *)(void *)socket->layer;
}

static int32_t layer_begin(NetSocket *socket, bool *for_output) {
    TlsSession *session = tls_session_of(socket);
    lock_take(&session->lock);
    int32_t status = session->fault != 0 ? session->fault : begin(session, for_output);
    lock_release(&session->lock);
    return status;
}

static int32_t layer_read(NetSocket *socket, uint8_t *bytes, size_t size_bytes) {
    TlsSession *session = tls_session_of(socket);
    lock_take(&session->lock);
    int32_t count = read_or_look(session, bytes, size_bytes, false);
    lock_release(&session->lock);
    return count;
}

static int32_t layer_look(NetSocket *socket) {
    TlsSession *session = tls_session_of(socket);
    uint8_t byte;
    lock_take(&session->lock);
    int32_t count = read_or_look(session, &byte, 1, true);
    lock_release(&session->lock);
    return count;
}

static int32_t layer_write(NetSocket *socket, const uint8_t *bytes, size_t size_bytes,
                           bool has_more, size_t *sent) {
    TlsSession *session = tls_session_of(socket);
    lock_take(&session->lock);
    int32_t status = write_all(session, bytes, size_bytes, has_more, sent);
    lock_release(&session->lock);
    return status;
}

static int32_t layer_finish(NetSocket *socket) {
    TlsSession *session = tls_session_of(socket);
    lock_take(&session->lock);
    int32_t status = finish(session);
    lock_release(&session->lock);
    return status;
}

/* Nobody else uses it any more. */
static void layer_let_go(NetSocket *socket) {
    TlsSession *session = tls_session_of(socket);
    if (!socket->out.has_ended && SSL_is_init_finished(session->ssl)) {
        (void)finish(session);
    }
    socket->layer = NULL;
    SSL_free(session->ssl);
    ERR_clear_error();
    OPENSSL_free(session->held);
    OPENSSL_free(session);
}

const NetLayerKind tls_layer = {
    .begin = layer_begin,
    .read = layer_read,
    .look = layer_look,
    .write = layer_write,
    .finish = layer_finish,
    .let_go = layer_let_go,
    .words = tls_fault_words,
};

/* ---- putting it there ---- */

const char *tls_session_server(const SSL *ssl) {
    const TlsSession *session = SSL_get_app_data(ssl);
    return session == NULL || session->server[0] == '\0' ? NULL : session->server;
}

static bool is_address(const char *host) {
    uint8_t bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

/* The certificate must name the host, and the server is told which one is wanted. */
static bool ask_for(TlsSession *session, const char *host) {
    SSL *ssl = session->ssl;
    if (is_address(host)) {
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1;
    }
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return SSL_set1_host(ssl, host) == 1 && SSL_set_tlsext_host_name(ssl, host) == 1;
}

static void resume(TlsSession *session, SSL_CTX *context, const char *host) {
    NetAddress address;
    char place[NET_ADDRESS_WORDS] = "";
    if (net_socket_address(session->socket, true, &address)) {
        net_address_text(&address, place, sizeof place);
    }
    const char *port = strrchr(place, ':');
    int length = snprintf(session->server, sizeof session->server, "%s%s", host,
                          port != NULL ? port : place);
    if (length < 0 || (size_t)length >= sizeof session->server) {
        session->server[0] = '\0';
        return;
    }
    SSL_SESSION *before = tls_context_take_session(context, session->server);
    if (before != NULL) {
        (void)SSL_set_session(session->ssl, before);
        SSL_SESSION_free(before);
    }
}

static bool set_up(TlsSession *session, SSL_CTX *context, const char *host) {
    const BIO_METHOD *method = socket_method();
    BIO *bio = method != NULL ? BIO_new(method) : NULL;
    session->ssl = bio != NULL ? SSL_new(context) : NULL;
    if (session->ssl == NULL) {
        BIO_free(bio);
        return false;
    }
    BIO_set_data(bio, session);
    BIO_set_init(bio, 1);
    SSL_set_bio(session->ssl, bio, bio);
    (void)SSL_set_app_data(session->ssl, session);
    if (tls_context_is_server(context)) {
        SSL_set_accept_state(session->ssl);
        return true;
    }
    SSL_set_connect_state(session->ssl);
    bool is_asked = ask_for(session, host);
    resume(session, context, host);
    return is_asked;
}

int32_t tls_session_put(NetSocket *socket, SSL_CTX *context, const char *host) {
    TlsSession *session = OPENSSL_zalloc(sizeof *session);
    if (session == NULL) {
        return -ENOMEM;
    }
    session->layer.kind = &tls_layer;
    session->socket = socket;
    if (!set_up(session, context, host)) {
        SSL_free(session->ssl);
        ERR_clear_error();
        OPENSSL_free(session);
        return -EINVAL;
    }
    socket->layer = &session->layer;
    return 0;
}
