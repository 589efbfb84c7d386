/* net_socket -- making sockets and letting them go. See net_socket.h. */
#define _GNU_SOURCE
#include "net_socket.h"

#include "atomic.h"
#include "lock.h"
#include "net_layer.h"
#include "world.h"

#include <string.h>
#include <unistd.h>

/* ---- numbers for those that are to be cancelled ---- */

enum { HANDLE_LISTS = 1024 };

static struct {
    Lock lock;
    int64_t last;
    NetSocket *lists[HANDLE_LISTS]; /* by the low bits */
} handles;

static NetSocket **list_of(int64_t handle) {
    return &handles.lists[(uint64_t)handle % HANDLE_LISTS];
}

int64_t net_socket_handle(NetSocket *socket) {
    lock_take(&handles.lock);
    if (socket->handle == 0) {
        socket->handle = ++handles.last;
        socket->next_known = *list_of(socket->handle);
        *list_of(socket->handle) = socket;
    }
    lock_release(&handles.lock);
    return socket->handle;
}

/* The kernel says so to whoever waits; the descriptor stays. */
bool net_socket_cancel(int64_t handle) {
    lock_take(&handles.lock);
    NetSocket *socket = *list_of(handle);
    while (socket != NULL && socket->handle != handle) {
        socket = socket->next_known;
    }
    if (socket != NULL) {
        __atomic_store_n(&socket->is_cancelled, true, __ATOMIC_RELEASE);
        (void)shutdown(socket->fd, SHUT_RDWR);
    }
    lock_release(&handles.lock);
    return socket != NULL;
}

static void forget_handle(const NetSocket *socket) {
    if (socket->handle == 0) {
        return;
    }
    lock_take(&handles.lock);
    NetSocket **link = list_of(socket->handle);
    while (*link != socket) {
        link = &(*link)->next_known;
    }
    *link = socket->next_known;
    lock_release(&handles.lock);
}

/* ---- no descriptor is left ---- */

static NetSocket *starving; /* under the world lock */

/* They try again, and find out. */
static void feed(Worker *worker) {
    NetSocket *listener = starving;
    starving = NULL;
    while (listener != NULL) {
        NetSocket *next = listener->starved;
        listener->starved = NULL;
        (void)atomic_add(&listener->kept.pulse, 1u);
        if (listener->in.device.watch.wanted != 0) {
            device_advance(worker, &listener->in.device.watch);
        }
        listener = next;
    }
}

/* By a worker that has waited for a while. */
static void feed_later(void) {
    Worker *worker = worker_of_thread();
    atomic_set_release(&rt_root.starved, NULL);
    world_enter(worker);
    feed(worker);
    world_leave(worker);
}

void net_socket_starve(NetSocket *listener) {
    for (const NetSocket *one = starving; one != NULL; one = one->starved) {
        if (one == listener) {
            return;
        }
    }
    listener->starved = starving;
    starving = listener;
    if (atomic_get_acquire(&rt_root.starved) == NULL) {
        atomic_set_release(&rt_root.starved, feed_later);
    }
}

static void forget_starving(const NetSocket *socket) {
    NetSocket **link = &starving;
    while (*link != NULL && *link != socket) {
        link = &(*link)->starved;
    }
    if (*link != NULL) {
        *link = socket->starved;
    }
}

/* ---- the record ---- */

NetSocket *net_socket_of(Bundle *bundle) {
    return bundle == NULL ? NULL : (NetSocket *)(void *)bundle_outside(bundle);
}

uint32_t net_socket_pulse(const NetSocket *socket) {
    return atomic_get_acquire(&socket->kept.pulse);
}

/* The name in the file system goes with its listener. */
static void remove_path(const NetSocket *socket) {
    NetAddress address;
    if (socket->kind == NET_LISTENER && net_socket_address(socket, false, &address) &&
        address.any.sa_family == AF_UNIX && address.path.sun_path[0] != '\0') {
        (void)unlink(address.path.sun_path);
    }
}

/* The last holder has let go: nobody waits. */
static void let_go(Process *me, Bundle *bundle) {
    NetSocket *socket = net_socket_of(bundle);
    Worker *worker = me->worker;
    forget_handle(socket);
    remove_path(socket);
    if (socket->layer != NULL) {
        socket->layer->kind->let_go(socket);
    }
    world_enter(worker);
    readiness_drop(&rt_root.readiness, socket->fd);
    forget_starving(socket);
    (void)close(socket->fd);
    feed(worker);
    world_leave(worker);
}

Bundle *net_socket_make(int fd, NetKind kind) {
    Bundle *bundle = bundle_make_outside(kind == NET_CONNECTION ? 2 : 1, sizeof(NetSocket), let_go);
    if (bundle == NULL) {
        (void)close(fd);
        return NULL;
    }
    NetSocket *socket = net_socket_of(bundle);
    socket->fd = fd;
    socket->kind = (uint8_t)kind;
    net_channel_begin(socket, bundle);
    return bundle;
}

/* ---- layers ---- */

static const NetLayerKind *known_layer; /* there is one kind, of programs that use it */

void net_layer_know(const NetLayerKind *kind) {
    atomic_set_release(&known_layer, kind);
}

const char *net_layer_words(int32_t result) {
    const NetLayerKind *kind = atomic_get_acquire(&known_layer);
    return kind == NULL ? NULL : kind->words(result);
}

bool net_socket_address(const NetSocket *socket, bool is_remote, NetAddress *address) {
    socklen_t size = sizeof *address;
    memset(address, 0, sizeof *address);
    return (is_remote ? getpeername(socket->fd, &address->any, &size)
                      : getsockname(socket->fd, &address->any, &size)) == 0;
}

/* What one connection has to be told is no matter of the listener. */
static bool is_of_the_connection(int error) {
    switch (error) {
    case EINTR:
    case ECONNABORTED:
    case EPROTO:
    case ENETDOWN:
    case ENOPROTOOPT:
    case EHOSTDOWN:
    case ENONET:
    case EHOSTUNREACH:
    case EOPNOTSUPP:
    case ENETUNREACH: return true;
    default: return false;
    }
}

int net_socket_accept(NetSocket *listener) {
    uint32_t pulse = net_socket_pulse(listener);
    int fd;
    do {
        if (__atomic_load_n(&listener->is_cancelled, __ATOMIC_ACQUIRE)) {
            return -ECANCELED;
        }
        fd = accept4(listener->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    } while (fd < 0 && is_of_the_connection(errno));
    int error = errno;
    if (fd >= 0) {
        listener->in.is_woken = false;
        return fd;
    }
    if (error == EAGAIN || error == EWOULDBLOCK) {
        net_side_found_nothing(&listener->in, pulse);
        if (listener->in.is_woken) {
            net_socket_doubt(listener);
        }
        listener->in.is_woken = true;
        return NET_WAIT;
    }
    if (error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM) {
        listener->in.seen = pulse;
    }
    return -error;
}
