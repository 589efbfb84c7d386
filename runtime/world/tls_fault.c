/* tls_fault -- faults of TLS as results with words. See tls_fault.h. */
#include "tls_fault.h"

#include <openssl/err.h>
#include <openssl/x509_vfy.h>

static int32_t fault_of_reason(const SSL *ssl, int reason) {
    switch (reason) {
    case SSL_R_CERTIFICATE_VERIFY_FAILED: return TLS_VERIFY - (int32_t)SSL_get_verify_result(ssl);
    case SSL_R_UNEXPECTED_EOF_WHILE_READING: return TLS_TRUNCATED;
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_HTTPS_PROXY_REQUEST: return TLS_NOT_TLS;
    default: return TLS_PROTOCOL_FAULT - reason;
    }
}

int32_t tls_fault_of(const SSL *ssl) {
    unsigned long error = ERR_peek_error();
    int reason = ERR_GET_LIB(error) == ERR_LIB_SSL ? ERR_GET_REASON(error) : 0;
    ERR_clear_error();
    return fault_of_reason(ssl, reason);
}

static const char *words_of_verify(int32_t code) {
    switch (code) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return "host name mismatch";
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: return "certificate of an unknown authority";
    default: return X509_verify_cert_error_string(code);
    }
}

static const char *words_of_reason(int32_t reason) {
    const char *words =
        reason == 0 ? NULL : ERR_reason_error_string(ERR_PACK(ERR_LIB_SSL, 0, reason));
    return words != NULL ? words : "fault of TLS";
}

const char *tls_fault_words(int32_t result) {
    switch (result) {
    case TLS_NO_CONTEXT: return "no such context of TLS";
    case TLS_NO_CERTIFICATE: return "no certificate in the file";
    case TLS_NO_KEY: return "no key in the file";
    case TLS_WRONG_KEY: return "the key is not that of the certificate";
    case TLS_BAD_PROTOCOLS: return "not names of protocols";
    case TLS_TRUNCATED: return "connection truncated";
    case TLS_NOT_TLS: return "the other side does not speak TLS";
    default: break;
    }
    return result <= TLS_PROTOCOL_FAULT ? words_of_reason(TLS_PROTOCOL_FAULT - result)
           : result <= TLS_VERIFY       ? words_of_verify(TLS_VERIFY - result)
                                        : NULL;
}
