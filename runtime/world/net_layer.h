/* net_layer -- what may stand between the bytes of a connection and its socket: TLS.
 *
 * Owns:   what a layer does; it takes the place of the plain calls of the system.
 * Leaves: the one that exists to tls_session.c, which only programs with module tls are linked
 *         with; waiting, deadlines and cancelling to those who use a connection.
 * Holds:  a layer tries and never waits. One process may read while another writes: the layer
 *         keeps them apart. Where it says NET_WAIT, or -EAGAIN, the side has seen the pulse from
 *         before the try that found nothing (net_socket.h). A fault stays: every later try gives
 *         the same. */
#ifndef RT_NET_LAYER_H
#define RT_NET_LAYER_H

#include "net_socket.h"

typedef struct NetLayerKind {
    /* The first words of both sides: 0 when they have been said, NET_WAIT, or a fault.
     * *for_output: what is to be waited for. */
    int32_t (*begin)(NetSocket *socket, bool *for_output);
    /* How many bytes, 0 at the end, -EAGAIN, or a fault. */
    int32_t (*read)(NetSocket *socket, uint8_t *bytes, size_t size_bytes);
    /* Would read give something, or the end? Takes nothing. */
    int32_t (*look)(NetSocket *socket);
    /* From *sent on; has_more: what follows at once may go with them. 0: all is with the kernel;
     * NET_WAIT, also when all is taken and not with the kernel yet; or a fault. */
    int32_t (*write)(NetSocket *socket, const uint8_t *bytes, size_t size_bytes, bool has_more,
                     size_t *sent);
    /* Tell the other side that no more comes; as write. */
    int32_t (*finish)(NetSocket *socket);
    /* The connection is let go, its socket still open. */
    void (*let_go)(NetSocket *socket);
    /* A fault in words; NULL: not one of this layer. */
    const char *(*words)(int32_t result);
} NetLayerKind;

/* NetLayer -- the head of what a layer knows of its connection. */
struct NetLayer {
    const NetLayerKind *kind;
};

/* Its faults have words from now on. */
void net_layer_know(const NetLayerKind *kind);
/* NULL: no layer knows it. */
const char *net_layer_words(int32_t result);

#endif
