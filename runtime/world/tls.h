/* tls -- what module tls asks: C functions that its unit names with #PRAGMA EXTERNAL
 * (stdlib/tls_calls.inc).
 *
 * Owns:   the calls that make contexts, put TLS under a connection, and say what it has agreed on.
 * Leaves: reading, writing and waiting to the calls of module net, which go through the layer.
 * Holds:  nothing waits. What reads files is a B. call. A result below 0 is a negated errno or a
 *         fault of tls_fault.h. Conventions: decision 0011. */
#ifndef RT_TLS_H
#define RT_TLS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Bundle Bundle;

/* A new context; that of a client trusts the system's authorities. */
void occ_tls_context(bool is_server, int32_t *context, int32_t *result);
/* The default context of clients, made at first use. */
void occ_tls_default(int32_t *context, int32_t *result);
void occ_tls_forget(int32_t context);
/* Set its certificate, the intermediate ones, and its key. */
void occ_tls_show(int32_t context, const uint8_t *certificates, int32_t certificates_size,
                  const uint8_t *key, int32_t key_size, int32_t *result);
/* Trust these authorities only; a server then demands certificates of its clients. */
void occ_tls_trust(int32_t context, const uint8_t *authorities, int32_t size, int32_t *result);
/* Protocol names for ALPN, best first, separated by commas. */
void occ_tls_offer(int32_t context, const uint8_t *protocols, int32_t size, int32_t *result);
/* 12 and 13: TLS 1.2 and 1.3. */
void occ_tls_set_versions(int32_t context, int32_t oldest, int32_t newest, int32_t *result);

/* TLS under a connection: nothing has been said yet (occ_net_begin). The host is that of the
 * server, which its certificate must name; a server has none. */
void occ_tls_put(Bundle **connection, int32_t context, const uint8_t *host, int32_t host_size,
                 int32_t *result);

enum { TLS_VERSION, TLS_PROTOCOL, TLS_PEER };
/* Nothing: it has no TLS, or nothing of that. */
void occ_tls_text(Bundle **connection, int32_t what, uint8_t *text, int32_t size, int32_t *length);
void occ_tls_is_resumed(Bundle **connection, bool *is_resumed);

#endif
