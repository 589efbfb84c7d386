/* tls_call -- the calls of module tls that concern one connection. See tls.h. */
#define _GNU_SOURCE
#include "host_name.h"
#include "tls.h"
#include "tls_fault.h"
#include "tls_session.h"

#include <openssl/x509.h>

static int32_t put(NetSocket *socket, SSL_CTX *context, const uint8_t *host, int32_t host_size) {
    char name[TLS_SERVER_NAME];
    bool is_server = tls_context_is_server(context);
    if (socket == NULL || socket->kind != NET_CONNECTION) {
        return -ENOTCONN;
    }
    if (socket->layer != NULL) {
        return -EALREADY;
    }
    if (host_size >= TLS_SERVER_NAME || memchr(host, 0, (size_t)host_size) != NULL ||
        (!is_server && host_size == 0)) {
        return -EINVAL;
    }
    memcpy(name, host, (size_t)host_size);
    name[host_size] = '\0';
    return tls_session_put(socket, context, name);
}

void occ_tls_put(Bundle **variable, int32_t number, const uint8_t *host, int32_t host_size,
                 int32_t *result) {
    SSL_CTX *context = tls_context_hold(number);
    *result =
        context == NULL ? TLS_NO_CONTEXT : put(net_socket_of(*variable), context, host, host_size);
    SSL_CTX_free(context);
}

/* ---- what has been agreed on ---- */

static int32_t give_protocol(const SSL *ssl, uint8_t *text, int32_t size) {
    const unsigned char *name = NULL;
    unsigned int length = 0;
    SSL_get0_alpn_selected(ssl, &name, &length);
    if (length == 0 || length > (unsigned int)size) {
        return 0;
    }
    memcpy(text, name, length);
    return (int32_t)length;
}

/* In the form of RFC 2253, its control characters escaped. */
static int32_t give_peer(const SSL *ssl, uint8_t *text, int32_t size) {
    X509 *certificate = SSL_get0_peer_certificate(ssl);
    BIO *bio = certificate != NULL ? BIO_new(BIO_s_mem()) : NULL;
    char *line = NULL;
    if (bio == NULL ||
        X509_NAME_print_ex(bio, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253) < 0) {
        BIO_free(bio);
        return 0;
    }
    long length = BIO_get_mem_data(bio, &line);
    length = length < size ? length : size;
    memcpy(text, line, (size_t)length);
    BIO_free(bio);
    return (int32_t)length;
}

void occ_tls_text(Bundle **variable, int32_t what, uint8_t *text, int32_t size, int32_t *length) {
    TlsSession *session = tls_session_of(net_socket_of(*variable));
    *length = 0;
    if (session == NULL) {
        return;
    }
    lock_take(&session->lock);
    switch (what) {
    case TLS_VERSION: *length = host_text_give(SSL_get_version(session->ssl), text, size); break;
    case TLS_PROTOCOL: *length = give_protocol(session->ssl, text, size); break;
    case TLS_PEER: *length = give_peer(session->ssl, text, size); break;
    default: break;
    }
    lock_release(&session->lock);
}

void occ_tls_is_resumed(Bundle **variable, bool *is_resumed) {
    const TlsSession *session = tls_session_of(net_socket_of(*variable));
    *is_resumed = session != NULL && SSL_session_reused(session->ssl) == 1;
}
