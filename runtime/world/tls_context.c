/* tls_context -- contexts of TLS. See tls_context.h. */
#define _GNU_SOURCE
#include "tls_context.h"

#include "atomic.h"
#include "lock.h"
#include "tls.h"
#include "tls_fault.h"
#include "tls_session.h"

#include <errno.h>
#include <limits.h>
#include <openssl/err.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KEPT_SESSIONS = 64, PROTOCOL_BYTES = 256 };

typedef struct KeptSession {
    char server[TLS_SERVER_NAME];
    SSL_SESSION *session;
} KeptSession;

/* Context -- what OpenSSL's does not know; it lives as long as that. */
typedef struct Context {
    struct Context *next;
    SSL_CTX *context;
    int32_t number;
    bool is_server;
    Lock lock; /* of what follows */
    uint8_t protocols[PROTOCOL_BYTES];
    uint32_t protocol_bytes;
    uint32_t turn; /* the place that is taken next when all are */
    KeptSession kept[KEPT_SESSIONS];
} Context;

static struct {
    Lock lock;
    Context *first;
    int32_t last_number;
    int32_t default_number; /* 0: none yet */
    int index;              /* where OpenSSL's contexts have ours */
    bool has_index;
} contexts;

static Context *context_of(const SSL_CTX *context) {
    return SSL_CTX_get_ex_data(context, contexts.index);
}

/* ---- sessions ---- */

SSL_SESSION *tls_context_take_session(SSL_CTX *of, const char *server) {
    Context *context = context_of(of);
    SSL_SESSION *found = NULL;
    lock_take(&context->lock);
    for (uint32_t i = 0; i < KEPT_SESSIONS && found == NULL; i++) {
        KeptSession *kept = &context->kept[i];
        if (kept->session != NULL && strcmp(kept->server, server) == 0) {
            found = kept->session;
            kept->session = NULL;
        }
    }
    lock_release(&context->lock);
    return found;
}

/* OpenSSL: a server has given one. 1: it is ours now. */
static int keep_session(SSL *ssl, SSL_SESSION *session) {
    const char *server = tls_session_server(ssl);
    Context *context = context_of(SSL_get_SSL_CTX(ssl));
    if (server == NULL || !SSL_SESSION_is_resumable(session)) {
        return 0;
    }
    lock_take(&context->lock);
    KeptSession *place = &context->kept[context->turn++ % KEPT_SESSIONS];
    SSL_SESSION_free(place->session);
    place->session = session;
    (void)snprintf(place->server, sizeof place->server, "%s", server);
    lock_release(&context->lock);
    return 1;
}

/* ---- protocols ---- */

/* OpenSSL: the first of ours that the client knows. */
static int choose_protocol(SSL *ssl, const unsigned char **chosen, unsigned char *length,
                           const unsigned char *offered, unsigned int offered_bytes,
                           void *argument) {
    const Context *context = argument;
    (void)ssl;
    unsigned char *found = NULL;
    int result = SSL_select_next_proto(&found, length, context->protocols, context->protocol_bytes,
                                       offered, offered_bytes);
    *chosen = found;
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/* Each name behind its length, as it goes over the wire; 0: they are none. */
static uint32_t protocols_of(const uint8_t *text, int32_t size, uint8_t *bytes) {
    uint32_t count = 0;
    for (int32_t at = 0; at <= size;) {
        const uint8_t *comma = at < size ? memchr(text + at, ',', (size_t)(size - at)) : NULL;
        int32_t length = comma != NULL ? (int32_t)(comma - text) - at : size - at;
        if (length == 0 || length > UINT8_MAX || count + 1u + (uint32_t)length > PROTOCOL_BYTES) {
            return 0;
        }
        bytes[count++] = (uint8_t)length;
        memcpy(bytes + count, text + at, (size_t)length);
        count += (uint32_t)length;
        at += length + 1;
    }
    return count;
}

/* ---- making and forgetting ---- */

/* OpenSSL: nobody has it any more. */
static void free_context(void *parent, void *ours, CRYPTO_EX_DATA *data, int index, long number,
                         void *argument) {
    (void)parent, (void)data, (void)index, (void)number, (void)argument;
    Context *context = ours;
    for (uint32_t i = 0; context != NULL && i < KEPT_SESSIONS; i++) {
        SSL_SESSION_free(context->kept[i].session);
    }
    OPENSSL_free(context);
}

static void set_manners(SSL_CTX *context, bool is_server) {
    static const unsigned char name[] = "occ";
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE);
    (void)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    (void)SSL_CTX_set_session_id_context(context, name, sizeof name - 1);
    SSL_CTX_set_read_ahead(context, 1);
    X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), X509_V_FLAG_PARTIAL_CHAIN);
    if (!is_server) {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
        SSL_CTX_set_session_cache_mode(context,
                                       SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL_STORE);
        SSL_CTX_sess_set_new_cb(context, keep_session);
        (void)SSL_CTX_set_default_verify_paths(context);
    }
    ERR_clear_error();
}

static bool have_index(void) {
    lock_take(&contexts.lock);
    if (!contexts.has_index) {
        contexts.index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_context);
        contexts.has_index = contexts.index >= 0;
    }
    lock_release(&contexts.lock);
    return contexts.has_index;
}

/* Without the lock, since it reads files; NULL: no memory. */
static Context *make_context(bool is_server) {
    net_layer_know(&tls_layer);
    SSL_CTX *made =
        have_index() ? SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method()) : NULL;
    Context *context = made != NULL ? OPENSSL_zalloc(sizeof *context) : NULL;
    if (context == NULL || SSL_CTX_set_ex_data(made, contexts.index, context) != 1) {
        OPENSSL_free(context);
        SSL_CTX_free(made);
        return NULL;
    }
    context->context = made;
    context->is_server = is_server;
    set_manners(made, is_server);
    return context;
}

/* With the lock. */
static int32_t number_context(Context *context) {
    context->number = ++contexts.last_number;
    context->next = contexts.first;
    contexts.first = context;
    return context->number;
}

void occ_tls_context(bool is_server, int32_t *number, int32_t *result) {
    Context *context = make_context(is_server);
    *number = 0;
    *result = context != NULL ? 0 : -ENOMEM;
    if (context != NULL) {
        lock_take(&contexts.lock);
        *number = number_context(context);
        lock_release(&contexts.lock);
    }
}

void occ_tls_default(int32_t *number, int32_t *result) {
    bool is_made = atomic_get_acquire(&contexts.default_number) != 0;
    Context *context = is_made ? NULL : make_context(false);
    lock_take(&contexts.lock);
    bool is_first = contexts.default_number == 0 && context != NULL;
    if (is_first) {
        atomic_set_release(&contexts.default_number, number_context(context));
    }
    *number = contexts.default_number;
    lock_release(&contexts.lock);
    if (context != NULL && !is_first) {
        SSL_CTX_free(context->context);
    }
    *result = *number != 0 ? 0 : -ENOMEM;
}

SSL_CTX *tls_context_hold(int32_t number) {
    lock_take(&contexts.lock);
    const Context *context = contexts.first;
    while (context != NULL && context->number != number) {
        context = context->next;
    }
    SSL_CTX *held = context != NULL ? context->context : NULL;
    if (held != NULL) {
        (void)SSL_CTX_up_ref(held);
    }
    lock_release(&contexts.lock);
    return held;
}

bool tls_context_is_server(const SSL_CTX *context) {
    return context_of(context)->is_server;
}

void occ_tls_forget(int32_t number) {
    lock_take(&contexts.lock);
    Context **link = &contexts.first;
    while (*link != NULL && (*link)->number != number) {
        link = &(*link)->next;
    }
    SSL_CTX *context = *link != NULL ? (*link)->context : NULL;
    if (context != NULL) {
        *link = (*link)->next;
    }
    lock_release(&contexts.lock);
    SSL_CTX_free(context);
}

/* ---- what a context shows, believes and offers ---- */

/* The name of a file that can be read, ended by NUL; or why not. */
static int32_t file_name(const uint8_t *text, int32_t size, char name[static PATH_MAX]) {
    if (size >= PATH_MAX || memchr(text, 0, (size_t)size) != NULL) {
        return -EINVAL;
    }
    memcpy(name, text, (size_t)size);
    name[size] = '\0';
    return access(name, R_OK) == 0 ? 0 : -errno;
}

static int32_t show(SSL_CTX *context, const char *certificates, const char *key) {
    if (SSL_CTX_use_certificate_chain_file(context, certificates) != 1) {
        return TLS_NO_CERTIFICATE;
    }
    if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
        unsigned long error = ERR_peek_error();
        bool is_other = ERR_GET_LIB(error) == ERR_LIB_X509;
        return is_other ? TLS_WRONG_KEY : TLS_NO_KEY;
    }
    return SSL_CTX_check_private_key(context) == 1 ? 0 : TLS_WRONG_KEY;
}

void occ_tls_show(int32_t number, const uint8_t *certificates, int32_t certificates_size,
                  const uint8_t *key, int32_t key_size, int32_t *result) {
    char first[PATH_MAX];
    char second[PATH_MAX];
    SSL_CTX *context = tls_context_hold(number);
    *result = context == NULL ? TLS_NO_CONTEXT : file_name(certificates, certificates_size, first);
    *result = *result < 0 ? *result : file_name(key, key_size, second);
    *result = *result < 0 ? *result : show(context, first, second);
    ERR_clear_error();
    SSL_CTX_free(context);
}

static int32_t trust(SSL_CTX *context, const char *file) {
    X509_STORE *store = X509_STORE_new();
    if (store == NULL || X509_STORE_load_file(store, file) != 1) {
        X509_STORE_free(store);
        return store == NULL ? -ENOMEM : TLS_NO_CERTIFICATE;
    }
    SSL_CTX_set_cert_store(context, store);
    if (tls_context_is_server(context)) {
        SSL_CTX_set_client_CA_list(context, SSL_load_client_CA_file(file));
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    }
    return 0;
}

void occ_tls_trust(int32_t number, const uint8_t *authorities, int32_t size, int32_t *result) {
    char file[PATH_MAX];
    SSL_CTX *context = tls_context_hold(number);
    *result = context == NULL ? TLS_NO_CONTEXT : file_name(authorities, size, file);
    *result = *result < 0 ? *result : trust(context, file);
    ERR_clear_error();
    SSL_CTX_free(context);
}

void occ_tls_offer(int32_t number, const uint8_t *protocols, int32_t size, int32_t *result) {
    SSL_CTX *held = tls_context_hold(number);
    uint8_t bytes[PROTOCOL_BYTES];
    uint32_t count = protocols_of(protocols, size, bytes);
    *result = held == NULL ? TLS_NO_CONTEXT : count == 0 ? TLS_BAD_PROTOCOLS : 0;
    if (*result == 0) {
        Context *context = context_of(held);
        memcpy(context->protocols, bytes, count);
        context->protocol_bytes = count;
        if (context->is_server) {
            SSL_CTX_set_alpn_select_cb(held, choose_protocol, context);
        } else if (SSL_CTX_set_alpn_protos(held, bytes, count) != 0) {
            *result = -ENOMEM;
        }
    }
    SSL_CTX_free(held);
}

/* 0: no such version. */
static int version_of(int32_t version) {
    return version == 12 ? TLS1_2_VERSION : version == 13 ? TLS1_3_VERSION : 0;
}

void occ_tls_set_versions(int32_t number, int32_t oldest, int32_t newest, int32_t *result) {
    SSL_CTX *context = tls_context_hold(number);
    bool is_known = version_of(oldest) != 0 && version_of(newest) != 0 && oldest <= newest;
    *result = context == NULL ? TLS_NO_CONTEXT : is_known ? 0 : -EINVAL;
    if (*result == 0) {
        (void)SSL_CTX_set_min_proto_version(context, version_of(oldest));
        (void)SSL_CTX_set_max_proto_version(context, version_of(newest));
    }
    SSL_CTX_free(context);
}
