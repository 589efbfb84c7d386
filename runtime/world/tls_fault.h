/* tls_fault -- what goes wrong with TLS, as results below 0.
 *
 * Owns:   the numbers, and their words.
 * Holds:  they are apart from errnos, from those of names (net_address.h) and, by being below
 *         -1000, from statuses of HTTP. OpenSSL's own numbers are behind TLS_VERIFY and
 *         TLS_PROTOCOL_FAULT. */
#ifndef RT_TLS_FAULT_H
#define RT_TLS_FAULT_H

#include <openssl/ssl.h>
#include <stdint.h>

enum {
    TLS_NO_CONTEXT = -1101,
    TLS_NO_CERTIFICATE = -1102,
    TLS_NO_KEY = -1103,
    TLS_WRONG_KEY = -1104,
    TLS_BAD_PROTOCOLS = -1105,
    TLS_TRUNCATED = -1106,
    TLS_NOT_TLS = -1107,
    TLS_VERIFY = -2000,         /* minus X509_V_ERR_... */
    TLS_PROTOCOL_FAULT = -10000 /* minus SSL_R_... */
};

/* Of the call that has just failed, on this thread; its queue of errors is empty afterwards. */
int32_t tls_fault_of(const SSL *ssl);
/* NULL: it is none. */
const char *tls_fault_words(int32_t result);

#endif
