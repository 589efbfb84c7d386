/* net_channel -- the channels of sockets: `in`, `incoming` and `out` as devices. See net_socket.h.
 *
 * Holds: a message is one mobile, which goes by the word of its process. At its end an input counts
 *        as closed for those who ask (CLOSED, WHILE c[in] ? x); a plain input gives an undefined
 *        mobile for ever. What is output to a connection that is gone is dropped: CLOSED and
 *        net.status say so. */
#include "net_socket.h"

#include "alt_look.h"
#include "device_wait.h"
#include "mobile.h"
#include "net_layer.h"
#include "os.h"
#include "stop.h"
#include "world.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SCRATCH_BYTES = 65536 };

static NetSocket *socket_of_input(const Device *device) {
    return (NetSocket *)(void *)((char *)(uintptr_t)device - offsetof(NetSocket, in.device));
}

static NetSocket *socket_of_output(const Device *device) {
    return (NetSocket *)(void *)((char *)(uintptr_t)device - offsetof(NetSocket, out.device));
}

/* For a wait that carries nothing: has anything happened since the try before it? */
static bool is_stirred(const NetSocket *socket, const NetSide *side) {
    return net_socket_pulse(socket) != side->seen || net_is_cancelled(socket);
}

/* ---- input ---- */

/* What a try to input has given: a message, which may be undefined when that is all there will be;
 * or nothing. */
typedef enum Found { FOUND_NOTHING, FOUND_MESSAGE, FOUND_END } Found;

static Found end_input(NetSocket *socket, int32_t status) {
    socket->in.has_ended = true;
    socket->in.status = status;
    return FOUND_END;
}

static Found give_bytes(Process *me, const Site *site, const void *from, size_t size_bytes,
                        void **message) {
    Mobile *bytes = mobile_take(me, MOBILE_DATA + size_bytes, site);
    bytes->counts[0] = (int32_t)size_bytes;
    memcpy((char *)bytes + MOBILE_DATA, from, size_bytes);
    *message = bytes;
    return FOUND_MESSAGE;
}

static Found take_bytes(NetSocket *socket, Process *me, const Site *site, void **message) {
    static _Thread_local unsigned char scratch[SCRATCH_BYTES];
    if (socket->layer != NULL) {
        int32_t count = socket->layer->kind->read(socket, scratch, sizeof scratch);
        return count == -EAGAIN ? FOUND_NOTHING
               : count <= 0     ? end_input(socket, count)
                                : give_bytes(me, site, scratch, (size_t)count, message);
    }
    bool is_stream = socket->kind == NET_CONNECTION;
    uint32_t pulse = net_socket_pulse(socket);
    if (is_stream && net_side_is_idle(socket, &socket->in, pulse)) {
        return FOUND_NOTHING;
    }
    long size_bytes = os_read(socket->fd, scratch, sizeof scratch);
    if (os_is_would_block(size_bytes)) {
        net_side_found_nothing(&socket->in, pulse);
        net_socket_doubt(socket);
        return FOUND_NOTHING;
    }
    if (size_bytes < 0 || (size_bytes == 0 && is_stream)) {
        return end_input(socket, (int32_t)size_bytes);
    }
    if (is_stream && size_bytes < SCRATCH_BYTES) {
        net_side_found_nothing(&socket->in, pulse);
    }
    return give_bytes(me, site, scratch, (size_t)size_bytes, message);
}

static Found take_connection(NetSocket *listener, void **message) {
    int fd = net_socket_accept(listener);
    if (fd == NET_WAIT) {
        return FOUND_NOTHING;
    }
    if (fd == -EMFILE || fd == -ENFILE || fd == -ENOBUFS || fd == -ENOMEM) {
        net_socket_starve(listener);
        return FOUND_NOTHING;
    }
    if (fd < 0) {
        return end_input(listener, fd);
    }
    *message = net_socket_make(fd, NET_CONNECTION);
    return *message != NULL ? FOUND_MESSAGE : FOUND_NOTHING;
}

static Found take_message(NetSocket *socket, Process *me, const Site *site, void **message) {
    *message = NULL;
    if (net_is_cancelled(socket)) {
        return end_input(socket, -ECANCELED);
    }
    if (socket->in.has_ended) {
        return FOUND_END;
    }
    return socket->kind == NET_LISTENER ? take_connection(socket, message)
                                        : take_bytes(socket, me, site, message);
}

/* The input of a process at `site`, by `me`, who has a worker: true: it is done. */
static bool try_input(NetSocket *socket, Process *process, Process *me, const Site *site) {
    if (socket->in.only_waits) {
        bool is_over = is_stirred(socket, &socket->in);
        socket->in.only_waits = !is_over;
        process_carries(process, NULL);
        return is_over;
    }
    void *message;
    Found found = take_message(socket, me, site, &message);
    if (found == FOUND_END && site->kind == WAIT_UNTIL_CLOSED) {
        process->flags |= PROCESS_SAW_CLOSE;
    }
    process_carries(process, message);
    return found != FOUND_NOTHING;
}

/* Only for those who have no input guard, or another one beside it, is the end not a message. */
static bool input_is_closed(Device *device) {
    NetSocket *socket = socket_of_input(device);
    uint32_t pulse = net_socket_pulse(socket);
    bool is_stream = socket->kind == NET_CONNECTION;
    if (socket->in.has_ended || net_is_cancelled(socket)) {
        return true;
    }
    if (socket->layer != NULL && !socket->in.only_waits) {
        int32_t there = socket->layer->kind->look(socket);
        return there <= 0 && there != -EAGAIN;
    }
    if (!is_stream || socket->in.only_waits || net_side_is_idle(socket, &socket->in, pulse)) {
        return false;
    }
    char byte;
    ssize_t there = recv(socket->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return there == 0 || (there < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

static bool input_is_ready(Device *device) {
    NetSocket *socket = socket_of_input(device);
    if (socket->in.only_waits) {
        return is_stirred(socket, &socket->in);
    }
    uint32_t pulse = net_socket_pulse(socket);
    if (socket->in.has_ended || net_is_cancelled(socket)) {
        return true;
    }
    if (socket->layer != NULL) {
        return socket->layer->kind->look(socket) != -EAGAIN;
    }
    if (net_side_is_idle(socket, &socket->in, pulse)) {
        return false;
    }
    if (os_is_ready(socket->fd, OS_READABLE, 0)) {
        return true;
    }
    net_side_found_nothing(&socket->in, pulse);
    return false;
}

/* ---- output ---- */

/* A writing of `bytes` from *sent on: 0 when all is sent, NET_WAIT, or an errno, negated. */
static int32_t send_from(NetSocket *socket, const uint8_t *bytes, size_t size_bytes, size_t *sent) {
    if (socket->layer != NULL && !net_is_cancelled(socket)) {
        return socket->layer->kind->write(socket, bytes, size_bytes, false, sent);
    }
    while (*sent < size_bytes) {
        if (net_is_cancelled(socket)) {
            return -ECANCELED;
        }
        uint32_t pulse = net_socket_pulse(socket);
        ssize_t now = send(socket->fd, bytes + *sent, size_bytes - *sent, MSG_NOSIGNAL);
        if (now >= 0) {
            *sent += (size_t)now;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            socket->out.seen = pulse;
            net_socket_doubt(socket);
            return NET_WAIT;
        } else if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

/* True: all is sent, or dropped. */
static bool try_send(NetSocket *socket, Process *me) {
    NetSide *side = &socket->out;
    Mobile *message = side->message;
    const uint8_t *bytes = (const uint8_t *)message + MOBILE_DATA;
    size_t sent_bytes = side->sent_bytes;
    int32_t result = side->has_ended
                         ? side->status
                         : send_from(socket, bytes, (size_t)message->counts[0], &sent_bytes);
    side->sent_bytes = (uint32_t)sent_bytes;
    if (result == NET_WAIT) {
        return false;
    }
    if (result < 0) {
        side->has_ended = true;
        side->status = result;
    }
    side->message = NULL;
    rt_mobile_release(me, message);
    return true;
}

/* The output of a process; true: it is done. */
static bool try_output(NetSocket *socket, Process *me) {
    NetSide *side = &socket->out;
    if (side->only_waits) {
        side->only_waits = !is_stirred(socket, side);
        return !side->only_waits;
    }
    return side->message == NULL || try_send(socket, me);
}

/* Several workers do not wait for one another's calls of the system: only what is decided by them
 * is under the lock. The side is its process's alone as long as it does not wait. */
static bool try_apart(NetSocket *socket, NetSide *side, Process *me, const Site *site) {
    Worker *worker = me->worker;
    bool is_done;
    do {
        world_leave(worker);
        is_done = side == &socket->in ? try_input(socket, me, me, site) : try_output(socket, me);
        world_enter(worker);
    } while (!is_done && net_socket_pulse(socket) != side->seen);
    return is_done;
}

static Process *net_input(Process *me, Device *device, void *data, size_t size_bytes,
                          const Site *site) {
    NetSocket *socket = socket_of_input(device);
    rt_check(data == &me->data && size_bytes == sizeof me->data);
    if (device->waiter != NULL) {
        rt_fail(me, ERROR_TWO_READERS, site, 0, 0, 0);
    }
    bool is_together = socket->kind == NET_LISTENER || worker_is_solo(me->worker);
    bool is_done =
        is_together ? try_input(socket, me, me, site) : try_apart(socket, &socket->in, me, site);
    return is_done ? me : device_park(me, device, site);
}

static Process *net_output(Process *me, Device *device, const void *data, size_t size_bytes,
                           const Site *site) {
    NetSocket *socket = socket_of_output(device);
    rt_check(data == &me->data && size_bytes == sizeof me->data);
    if (device->waiter != NULL) {
        rt_fail(me, ERROR_TWO_WRITERS, site, 0, 0, 0);
    }
    socket->out.message = me->data;
    socket->out.sent_bytes = 0;
    bool is_done = worker_is_solo(me->worker) ? try_output(socket, me)
                                              : try_apart(socket, &socket->out, me, site);
    return is_done ? me : device_park(me, device, site);
}

static bool output_is_closed(Device *device) {
    const NetSocket *socket = socket_of_output(device);
    return socket->out.has_ended || net_is_cancelled(socket);
}

static bool output_is_ready(Device *device) {
    NetSocket *socket = socket_of_output(device);
    if (socket->out.only_waits) {
        return is_stirred(socket, &socket->out);
    }
    return output_is_closed(device) || os_is_ready(socket->fd, OS_WRITABLE, 0);
}

/* ---- what the kernel says ---- */

static bool alt_goes_on(Device *device, const Alt *alt) {
    bool has_guard = device->kind->input == NULL || rt_alt_inputs(alt, device->channel);
    return device_is_closed(device) || (has_guard && device->kind->is_ready(device));
}

static void net_advance(Worker *worker, Device *device) {
    Process *process = device->waiter;
    Process *me = &worker->main_process;
    Alt *alt = device->alt;
    if (process == NULL) {
        return;
    }
    if (alt != NULL) {
        if (alt_goes_on(device, alt) && rt_alt_claim(alt, device->channel)) {
            device_wake(worker, device);
        }
    } else if (device->kind->input != NULL
                   ? try_input(socket_of_input(device), process, me, process->wait)
                   : try_output(socket_of_output(device), me)) {
        device_wake(worker, device);
    } else if (device->watch.kept->is_doubted) {
        outside_watch(&device->watch, 0); /* the kernel is asked again */
        outside_watch(&device->watch, device->kind->waits_for);
    }
}

/* ---- CLOSE ---- */

static void close_input(Worker *worker, Device *device) {
    (void)worker;
    NetSocket *socket = socket_of_input(device);
    socket->in.has_ended = true;
    (void)shutdown(socket->fd, SHUT_RD);
}

static void close_output(Worker *worker, Device *device) {
    (void)worker;
    NetSocket *socket = socket_of_output(device);
    if (socket->layer != NULL && !socket->out.has_ended) {
        (void)socket->layer->kind->finish(socket);
    }
    socket->out.has_ended = true;
    (void)shutdown(socket->fd, SHUT_WR);
}

/* ---- reports ---- */

static int option_of(const NetSocket *socket, int option) {
    int value = -1;
    socklen_t size = sizeof value;
    return getsockopt(socket->fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

/* Nobody is at the other side: module sock waits with any descriptor. */
static const char *without_peer(const NetSocket *socket, const char *what, bool *is_remote) {
    int type = option_of(socket, SO_TYPE);
    bool is_listening = option_of(socket, SO_ACCEPTCONN) == 1;
    *is_remote = type == SOCK_STREAM && !is_listening;
    return is_listening ? "for a connection on" : type == SOCK_DGRAM ? "for a datagram on" : what;
}

static void describe(const NetSocket *socket, bool is_remote, const char *what, char *text,
                     size_t capacity) {
    NetAddress address;
    char name[NET_ADDRESS_WORDS];
    bool has_address = net_socket_address(socket, is_remote, &address);
    if (!has_address && is_remote) {
        what = without_peer(socket, what, &is_remote);
        has_address = !is_remote && net_socket_address(socket, false, &address);
    }
    if (has_address) {
        net_address_text(&address, name, sizeof name);
        (void)snprintf(text, capacity, "waits %s %s", what, name);
    } else {
        (void)snprintf(text, capacity,
                       is_remote ? "waits for a connection to be made" : "waits %s %s", what,
                       "a pipe or device");
    }
}

static void describe_input(const Device *device, char *text, size_t capacity) {
    describe(socket_of_input(device), true, "for input from", text, capacity);
}

static void describe_output(const Device *device, char *text, size_t capacity) {
    describe(socket_of_output(device), true, "to output to", text, capacity);
}

static void describe_listener(const Device *device, char *text, size_t capacity) {
    describe(socket_of_input(device), false, "for a connection on", text, capacity);
}

static void describe_datagrams(const Device *device, char *text, size_t capacity) {
    describe(socket_of_input(device), false, "for a datagram on", text, capacity);
}

/* ---- the devices ---- */

#define INPUT_KIND(words, description)                                                             \
    {                                                                                              \
        .name = words, .waits_for = OS_READABLE, .input = net_input, .is_ready = input_is_ready,   \
        .is_closed = input_is_closed, .advance = net_advance, .close = close_input,                \
        .describe = description                                                                    \
    }

static const DeviceKind input_kinds[] = {
    [NET_CONNECTION] = INPUT_KIND("wait for input from connections", describe_input),
    [NET_LISTENER] = INPUT_KIND("wait for connections", describe_listener),
    [NET_DATAGRAMS] = INPUT_KIND("wait for datagrams", describe_datagrams),
};

static const DeviceKind output_kind = {.name = "wait to output to connections",
                                       .waits_for = OS_WRITABLE,
                                       .output = net_output,
                                       .is_ready = output_is_ready,
                                       .is_closed = output_is_closed,
                                       .advance = net_advance,
                                       .close = close_output,
                                       .describe = describe_output};

void net_channel_begin(NetSocket *socket, Bundle *bundle) {
    device_init(&socket->in.device, &input_kinds[socket->kind], &bundle->channels[0], socket->fd);
    socket->in.device.watch.kept = &socket->kept;
    if (socket->kind == NET_CONNECTION) {
        device_init(&socket->out.device, &output_kind, &bundle->channels[1], socket->fd);
        socket->out.device.watch.kept = &socket->kept;
    }
}
