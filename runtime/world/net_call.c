/* net_call -- the calls of module net that read, write and accept. See net.h.
 *
 * Holds: they try at once, on the worker of the process, without the world. */
#define _GNU_SOURCE
#include "net_call.h"

#include "net.h"
#include "net_layer.h"
#include "os.h"

#include <string.h>
#include <sys/uio.h>

enum { NS_PER_US = 1000, STARVED_US = 10000, LONG_US = 1 << 30 };

/* ---- what they have in common ---- */

static bool is_late(const NetSocket *socket) {
    return socket->deadline_ns != 0 && os_clock_ns() >= socket->deadline_ns;
}

bool net_call_begins(NetSocket *socket, NetSide *side, int32_t *result) {
    if (socket == NULL) {
        *result = -ENOTCONN;
        return false;
    }
    side->only_waits = false;
    *result = net_is_cancelled(socket) ? -ECANCELED : is_late(socket) ? -ETIMEDOUT : 0;
    return *result == 0;
}

int32_t net_call_waits(NetSocket *socket, NetSide *side, int32_t *left) {
    *left = -1;
    if (socket->deadline_ns != 0) {
        int64_t left_us = (socket->deadline_ns - os_clock_ns()) / NS_PER_US + 1;
        if (left_us <= 0) {
            return -ETIMEDOUT;
        }
        *left = (int32_t)(left_us < LONG_US ? left_us : LONG_US);
    }
    side->only_waits = true;
    return NET_WAIT;
}

static int32_t end(NetSide *side, int32_t status) {
    side->has_ended = true;
    side->status = status;
    return status;
}

/* ---- connecting ---- */

void occ_net_connected(Bundle **variable, int32_t *result, int32_t *left) {
    NetSocket *socket = net_socket_of(*variable);
    if (!net_call_begins(socket, socket == NULL ? NULL : &socket->out, result)) {
        return;
    }
    socket->out.seen = net_socket_pulse(socket);
    int error = 0;
    socklen_t size = sizeof error;
    (void)getsockopt(socket->fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) {
        *result = -error;
    } else if (!os_is_ready(socket->fd, OS_WRITABLE, 0)) {
        *result = net_call_waits(socket, &socket->out, left);
    }
}

void occ_net_accept(Bundle **variable, Bundle **connection, int32_t *result, int32_t *left) {
    NetSocket *listener = net_socket_of(*variable);
    if (!net_call_begins(listener, listener == NULL ? NULL : &listener->in, result)) {
        return;
    }
    int fd = net_socket_accept(listener);
    bool is_starved = fd == -EMFILE || fd == -ENFILE || fd == -ENOBUFS || fd == -ENOMEM;
    if (fd >= 0) {
        *connection = net_socket_make(fd, NET_CONNECTION);
        *result = *connection != NULL ? 0 : -ENOMEM;
    } else if (fd == NET_WAIT || is_starved) {
        *result = net_call_waits(listener, &listener->in, left);
        *left = is_starved && (*left < 0 || *left > STARVED_US) ? STARVED_US : *left;
    } else {
        *result = end(&listener->in, fd);
    }
}

/* ---- connections ---- */

void occ_net_begin(Bundle **variable, bool *for_output, int32_t *result, int32_t *left) {
    NetSocket *socket = net_socket_of(*variable);
    *for_output = false;
    if (!net_call_begins(socket, socket == NULL ? NULL : &socket->in, result) ||
        socket->layer == NULL) {
        return;
    }
    *result = socket->layer->kind->begin(socket, for_output);
    if (*result == NET_WAIT) {
        *result = net_call_waits(socket, *for_output ? &socket->out : &socket->in, left);
    } else if (*result < 0) {
        (void)end(&socket->in, *result);
        (void)end(&socket->out, *result);
    }
}

static int32_t read_layer(NetSocket *socket, uint8_t *bytes, int32_t size, int32_t *left) {
    int32_t count = socket->layer->kind->read(socket, bytes, (size_t)size);
    return count == -EAGAIN ? net_call_waits(socket, &socket->in, left)
           : count > 0      ? count
                            : end(&socket->in, count);
}

void occ_net_read(Bundle **variable, uint8_t *bytes, int32_t size, int32_t *result, int32_t *left) {
    NetSocket *socket = net_socket_of(*variable);
    if (!net_call_begins(socket, socket == NULL ? NULL : &socket->in, result) || size == 0) {
        return;
    }
    NetSide *in = &socket->in;
    uint32_t pulse = net_socket_pulse(socket);
    if (in->has_ended) {
        *result = in->status;
        return;
    }
    if (socket->layer != NULL) {
        *result = read_layer(socket, bytes, size, left);
        return;
    }
    if (net_side_is_idle(socket, in, pulse)) {
        *result = net_call_waits(socket, in, left);
        return;
    }
    long count = os_read(socket->fd, bytes, (size_t)size);
    if (count < size) {
        net_side_found_nothing(in, pulse);
    }
    if (os_is_would_block(count)) {
        net_socket_doubt(socket);
        *result = net_call_waits(socket, in, left);
    } else {
        *result = count > 0 ? (int32_t)count : end(in, (int32_t)count);
    }
}

/* What is left of the parts behind the first *sent bytes. */
static size_t skip_sent(struct iovec *parts, size_t count, size_t sent) {
    size_t first = 0;
    while (first < count && sent >= parts[first].iov_len) {
        sent -= parts[first++].iov_len;
    }
    if (first < count) {
        parts[first].iov_base = (char *)parts[first].iov_base + sent;
        parts[first].iov_len -= sent;
    }
    return first;
}

/* The second part has a record of its own. */
static int32_t write_layer(NetSocket *socket, const struct iovec *parts, size_t count, int flags,
                           size_t *sent) {
    int32_t status = 0;
    size_t before = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        size_t size = parts[i].iov_len;
        size_t done = *sent > before ? *sent - before : 0;
        if (done <= size) {
            bool has_more = i + 1 < count || flags != 0;
            status = socket->layer->kind->write(socket, parts[i].iov_base, size, has_more, &done);
            *sent = before + done;
        }
        before += size;
    }
    return status;
}

/* The kernel has less to look at when it is told of one part. */
static ssize_t send_now(const NetSocket *socket, const struct iovec *parts, size_t count,
                        int flags) {
    if (count == 1) {
        return send(socket->fd, parts->iov_base, parts->iov_len, flags);
    }
    struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)parts, .msg_iovlen = count};
    return sendmsg(socket->fd, &message, flags);
}

static int32_t send_parts(NetSocket *socket, const struct iovec *all, size_t count, int flags,
                          size_t total, size_t *sent) {
    while (*sent < total) {
        struct iovec parts[2] = {all[0], all[count - 1]};
        size_t first = skip_sent(parts, count, *sent);
        socket->out.seen = net_socket_pulse(socket);
        ssize_t now = send_now(socket, parts + first, count - first, MSG_NOSIGNAL | flags);
        if (now >= 0) {
            *sent += (size_t)now;
        } else if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

static void write_parts(Bundle **variable, const struct iovec *parts, size_t count, int flags,
                        int32_t *sent, int32_t *result, int32_t *left) {
    NetSocket *socket = net_socket_of(*variable);
    if (!net_call_begins(socket, socket == NULL ? NULL : &socket->out, result)) {
        return;
    }
    NetSide *out = &socket->out;
    if (out->has_ended) {
        *result = out->status != 0 ? out->status : -EPIPE;
        return;
    }
    size_t total = parts[0].iov_len + (count > 1 ? parts[1].iov_len : 0);
    size_t done = (size_t)*sent;
    int32_t status = socket->layer != NULL ? write_layer(socket, parts, count, flags, &done)
                                           : send_parts(socket, parts, count, flags, total, &done);
    *sent = (int32_t)done;
    if (os_is_would_block(status)) {
        net_socket_doubt(socket);
        status = NET_WAIT;
    }
    *result = status == NET_WAIT ? net_call_waits(socket, out, left)
              : status == 0      ? 0
                                 : end(out, status);
}

static struct iovec part_of(const uint8_t *bytes, int32_t size) {
    return (struct iovec){.iov_base = (void *)(uintptr_t)bytes, .iov_len = (size_t)size};
}

void occ_net_write(Bundle **variable, const uint8_t *bytes, int32_t size, bool has_more,
                   int32_t *sent, int32_t *result, int32_t *left) {
    struct iovec part = part_of(bytes, size);
    write_parts(variable, &part, 1, has_more ? MSG_MORE : 0, sent, result, left);
}

void occ_net_write_pair(Bundle **variable, const uint8_t *first, int32_t first_size,
                        const uint8_t *second, int32_t second_size, int32_t *sent, int32_t *result,
                        int32_t *left) {
    struct iovec parts[2] = {part_of(first, first_size), part_of(second, second_size)};
    write_parts(variable, parts, 2, 0, sent, result, left);
}

/* ---- datagrams ---- */

void occ_net_receive(Bundle **variable, uint8_t *bytes, int32_t size, uint8_t *from,
                     int32_t *result, int32_t *left) {
    NetSocket *socket = net_socket_of(*variable);
    if (!net_call_begins(socket, socket == NULL ? NULL : &socket->in, result)) {
        return;
    }
    NetAddress address = {.bytes = {0}};
    socklen_t address_size = sizeof address;
    uint32_t pulse = net_socket_pulse(socket);
    ssize_t count = recvfrom(socket->fd, bytes, (size_t)size, 0, &address.any, &address_size);
    if (count < 0 && os_is_would_block(-errno)) {
        net_side_found_nothing(&socket->in, pulse);
        net_socket_doubt(socket);
        *result = net_call_waits(socket, &socket->in, left);
        return;
    }
    *result = count < 0 ? -errno : (int32_t)count;
    memcpy(from, &address, sizeof address);
}

/* There is no waiting for room: what does not go is lost, as it may be on the way. */
void occ_net_send(Bundle **variable, const uint8_t *to, const uint8_t *bytes, int32_t size,
                  int32_t *result) {
    NetSocket *socket = net_socket_of(*variable);
    NetAddress address;
    memcpy(&address, to, sizeof address);
    if (socket == NULL) {
        *result = -ENOTCONN;
        return;
    }
    ssize_t count = sendto(socket->fd, bytes, (size_t)size, MSG_NOSIGNAL, &address.any,
                           net_address_size(&address));
    *result = count < 0 ? -errno : (int32_t)count;
}

/* ---- ending ---- */

void occ_net_finish(Bundle **variable, int32_t *result, int32_t *left) {
    NetSocket *socket = net_socket_of(*variable);
    if (!net_call_begins(socket, socket == NULL ? NULL : &socket->out, result)) {
        return;
    }
    if (socket->layer != NULL && !socket->out.has_ended) {
        *result = socket->layer->kind->finish(socket);
        if (*result == NET_WAIT) {
            *result = net_call_waits(socket, &socket->out, left);
            return;
        }
    }
    socket->out.has_ended = true;
    *result = shutdown(socket->fd, SHUT_WR) == 0 ? 0 : -errno;
}

void occ_net_status(Bundle **variable, int32_t *result) {
    NetSocket *socket = net_socket_of(*variable);
    if (socket == NULL) {
        *result = -ENOTCONN;
        return;
    }
    int32_t status = net_is_cancelled(socket) ? -ECANCELED : socket->in.status;
    *result = status != 0 ? status : socket->out.status;
}

void occ_net_deadline(Bundle **variable, int32_t microseconds) {
    NetSocket *socket = net_socket_of(*variable);
    if (socket != NULL) {
        int64_t length_ns = (int64_t)microseconds * NS_PER_US;
        socket->deadline_ns = microseconds < 0 ? 0 : os_clock_ns() + length_ns;
    }
}
