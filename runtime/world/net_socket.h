/* net_socket -- a socket as a bundle whose other end is the world.
 *
 * Owns:   the record behind the channels of the bundle; making it, letting it go, names for those
 *         that are to be cancelled.
 * Leaves: what its channels do to net_channel.c, the calls of module net to net_call.c, addresses
 *         to net_address.h.
 * Holds:  the descriptor is open until the last holder of the bundle lets go, and is closed there
 *         alone: a number is never another file's while somebody uses it. Each side is used by one
 *         process at a time. Descriptors do not block. Who uses one tries first; when there was
 *         nothing he waits, if the pulse is still the one from before (readiness.h). After a short
 *         read there is nothing more before the next pulse: `is_idle` saves the try. */
#ifndef RT_NET_SOCKET_H
#define RT_NET_SOCKET_H

#include "bundle.h"
#include "device.h"
#include "net_address.h"

#include <errno.h>

/* To the library: nothing was there; wait in the channel, then call again. */
enum { NET_WAIT = -1000 };

typedef struct NetLayer NetLayer; /* net_layer.h */

typedef enum NetKind { NET_CONNECTION, NET_LISTENER, NET_DATAGRAMS } NetKind;

/* NetSide -- one direction; or what a listener does. */
typedef struct NetSide {
    Device device;
    Mobile *message;     /* output: what the waiter sends */
    uint32_t sent_bytes; /* of it */
    uint32_t seen;       /* the pulse before the last try that found nothing */
    int32_t status;      /* why it has ended, a negated errno; 0: it has not, or normally */
    bool is_idle;        /* nothing has come since the pulse `seen` */
    bool only_waits;     /* the next use of the channel waits, and carries nothing */
    bool has_ended;
    bool is_woken; /* a listener: it has found nothing since */
} NetSide;

typedef struct NetSocket {
    Outside outside; /* first: the bundle knows it */
    Kept kept;
    int fd;
    uint8_t kind; /* NetKind: ten thousand that are idle are worth eight bytes */
    bool is_cancelled;
    int64_t deadline_ns;          /* 0: none */
    struct NetSocket *next_known; /* of those with a handle */
    int64_t handle;               /* 0: none has been asked for */
    struct NetSocket *starved;    /* the next listener that waits for a descriptor */
    NetLayer *layer;              /* between its bytes and the socket; NULL: nothing */
    NetSide in;
    NetSide out; /* not of a listener, nor of datagrams */
} NetSocket;

/* With the descriptor, which is closed when there is no memory: NULL. */
Bundle *net_socket_make(int fd, NetKind kind);
/* NULL: not defined, or not of the net. */
NetSocket *net_socket_of(Bundle *bundle);

/* The pulse; to be asked before trying. */
uint32_t net_socket_pulse(const NetSocket *socket);
/* A read can find nothing. */
static inline bool net_side_is_idle(const NetSocket *socket, const NetSide *side, uint32_t pulse) {
    return side->is_idle && side->seen == pulse && !socket->kept.has_ended;
}
static inline void net_side_found_nothing(NetSide *side, uint32_t pulse) {
    side->is_idle = true;
    side->seen = pulse;
}
/* The kernel has said so: it is asked again before somebody waits, so that it would not matter if
 * that had not been true. Seldom, thanks to is_idle. */
static inline void net_socket_doubt(NetSocket *socket) {
    __atomic_store_n(&socket->kept.is_doubted, true, __ATOMIC_RELAXED);
}

/* A new connection of the listener, or an errno, negated: NET_WAIT when there is none. */
int net_socket_accept(NetSocket *listener);
/* The listener tries again when a descriptor may be there. With the world. */
void net_socket_starve(NetSocket *listener);
/* The address of this side, or of the other; false: there is none. */
bool net_socket_address(const NetSocket *socket, bool is_remote, NetAddress *address);

/* A number for it, which means nothing any more once it has been let go. */
int64_t net_socket_handle(NetSocket *socket);
/* Its waiter goes on, now and from now on: -ECANCELED. False: it is gone. */
bool net_socket_cancel(int64_t handle);

static inline bool net_is_cancelled(const NetSocket *socket) {
    return __atomic_load_n(&socket->is_cancelled, __ATOMIC_ACQUIRE);
}

/* net_channel.c: the devices of a new one. */
void net_channel_begin(NetSocket *socket, Bundle *bundle);

#endif
