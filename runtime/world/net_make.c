/* net_make -- the calls of module net that make sockets, or know them. See net.h. */
#define _GNU_SOURCE
#include "host_name.h"
#include "net.h"
#include "net_layer.h"

#include <ctype.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NET_ADDRESSES = 16 };

/* ---- addresses ---- */

/* The library's bytes may lie anywhere. */
static int32_t find(const uint8_t *text, int32_t size, bool looks_up, uint8_t *bytes,
                    int32_t capacity) {
    NetAddress found[NET_ADDRESSES];
    int32_t room = capacity < NET_ADDRESSES ? capacity : NET_ADDRESSES;
    int32_t count = net_address_of(text, size, looks_up, found, room);
    if (count > 0) {
        memcpy(bytes, found, (size_t)count * sizeof *found);
    }
    return count;
}

void occ_net_lookup(const uint8_t *text, int32_t size, uint8_t *addresses, int32_t capacity,
                    int32_t *count) {
    *count = find(text, size, false, addresses, capacity);
}

void occ_net_resolve(const uint8_t *text, int32_t size, uint8_t *addresses, int32_t capacity,
                     int32_t *count) {
    *count = find(text, size, true, addresses, capacity);
}

static NetAddress address_from(const uint8_t *bytes) {
    NetAddress address;
    memcpy(&address, bytes, sizeof address);
    return address;
}

void occ_net_address_words(const uint8_t *bytes, uint8_t *text, int32_t size, int32_t *length) {
    NetAddress address = address_from(bytes);
    char words[NET_ADDRESS_WORDS];
    net_address_text(&address, words, sizeof words);
    *length = host_text_give(words, text, size);
}

/* ---- making ---- */

static void set_flag(int fd, int level, int option, int value) {
    (void)setsockopt(fd, level, option, &value, sizeof value);
}

static int open_socket(const NetAddress *address, int type) {
    return socket(address->any.sa_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static void give(int fd, NetKind kind, Bundle **to, int32_t *result) {
    *to = net_socket_make(fd, kind);
    *result = *to != NULL ? 0 : -ENOMEM;
}

/* A path that a listener has left behind, and to which nobody listens, is no obstacle. */
static void remove_stale(const NetAddress *address) {
    struct stat there;
    if (address->any.sa_family != AF_UNIX || lstat(address->path.sun_path, &there) != 0 ||
        !S_ISSOCK(there.st_mode)) {
        return;
    }
    int probe = open_socket(address, SOCK_STREAM);
    if (probe >= 0 && connect(probe, &address->any, net_address_size(address)) != 0 &&
        errno == ECONNREFUSED) {
        (void)unlink(address->path.sun_path);
    }
    (void)close(probe);
}

/* "*" means the addresses of both kinds. */
static int bind_to(const NetAddress *address, int type) {
    int fd = open_socket(address, type);
    if (fd < 0) {
        return -errno;
    }
    if (address->any.sa_family == AF_INET6) {
        set_flag(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    }
    if (type == SOCK_STREAM && address->any.sa_family != AF_UNIX) {
        set_flag(fd, SOL_SOCKET, SO_REUSEADDR, 1);
        set_flag(fd, IPPROTO_TCP, TCP_NODELAY, 1); /* what it accepts has it, too */
    }
    if (bind(fd, &address->any, net_address_size(address)) != 0) {
        int error = errno;
        (void)close(fd);
        return -error;
    }
    return fd;
}

void occ_net_listen(const uint8_t *bytes, int32_t backlog, Bundle **listener, int32_t *result) {
    NetAddress address = address_from(bytes);
    remove_stale(&address);
    int fd = bind_to(&address, SOCK_STREAM);
    if (fd < 0) {
        *result = fd;
    } else if (listen(fd, backlog) != 0) {
        *result = -errno;
        (void)close(fd);
    } else {
        give(fd, NET_LISTENER, listener, result);
    }
}

void occ_net_datagrams(const uint8_t *bytes, Bundle **port, int32_t *result) {
    NetAddress address = address_from(bytes);
    int fd = address.any.sa_family == AF_UNIX ? -EAFNOSUPPORT : bind_to(&address, SOCK_DGRAM);
    if (fd < 0) {
        *result = fd;
    } else {
        give(fd, NET_DATAGRAMS, port, result);
    }
}

void occ_net_connect(const uint8_t *bytes, Bundle **connection, int32_t *result) {
    NetAddress address = address_from(bytes);
    int fd = open_socket(&address, SOCK_STREAM);
    if (fd < 0) {
        *result = -errno;
        return;
    }
    if (address.any.sa_family != AF_UNIX) {
        set_flag(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    }
    bool is_made = connect(fd, &address.any, net_address_size(&address)) == 0;
    if (!is_made && errno != EINPROGRESS && errno != EINTR) {
        *result = -errno;
        (void)close(fd);
        return;
    }
    give(fd, NET_CONNECTION, connection, result);
    if (!is_made && *result == 0) {
        NetSide *out = &net_socket_of(*connection)->out;
        out->only_waits = true;
        *result = NET_WAIT;
    }
}

/* ---- what is known of one ---- */

void occ_net_address(Bundle **variable, bool is_remote, uint8_t *bytes, int32_t *result) {
    NetSocket *socket = net_socket_of(*variable);
    NetAddress address;
    if (socket == NULL) {
        *result = -ENOTCONN;
        return;
    }
    *result = net_socket_address(socket, is_remote, &address) ? 0 : -errno;
    memcpy(bytes, &address, sizeof address);
}

static const struct {
    int level;
    int name;
} options[NET_OPTIONS] = {
    [NET_NO_DELAY] = {IPPROTO_TCP, TCP_NODELAY}, [NET_KEEP_ALIVE] = {IPPROTO_TCP, TCP_KEEPIDLE},
    [NET_SEND_BYTES] = {SOL_SOCKET, SO_SNDBUF},  [NET_RECEIVE_BYTES] = {SOL_SOCKET, SO_RCVBUF},
    [NET_LINGER] = {SOL_SOCKET, SO_LINGER},
};

/* The other side is asked after that many seconds without a word, and three times more, in steps of
 * a quarter of that. */
static int32_t keep_alive(int fd, int32_t seconds) {
    set_flag(fd, SOL_SOCKET, SO_KEEPALIVE, seconds > 0);
    if (seconds > 0) {
        set_flag(fd, IPPROTO_TCP, TCP_KEEPINTVL, seconds < 4 ? 1 : seconds / 4);
        set_flag(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
        return setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &seconds, sizeof seconds) == 0 ? 0
                                                                                        : -errno;
    }
    return 0;
}

static int32_t set_option(Bundle **variable, int32_t option, int32_t value) {
    NetSocket *socket = net_socket_of(*variable);
    if (socket == NULL || option < 0 || option >= NET_OPTIONS) {
        return socket == NULL ? -ENOTCONN : -EINVAL;
    }
    if (option == NET_KEEP_ALIVE) {
        return keep_alive(socket->fd, value);
    }
    struct linger linger = {.l_onoff = value >= 0, .l_linger = value};
    const void *from = option == NET_LINGER ? (const void *)&linger : &value;
    socklen_t size = option == NET_LINGER ? sizeof linger : sizeof value;
    bool is_set =
        setsockopt(socket->fd, options[option].level, options[option].name, from, size) == 0;
    return is_set ? 0 : -errno;
}

static int32_t option_of(Bundle **variable, int32_t option) {
    NetSocket *socket = net_socket_of(*variable);
    int values[2] = {0, 0};
    socklen_t size = sizeof values;
    if (socket == NULL || option < 0 || option >= NET_OPTIONS) {
        return socket == NULL ? -ENOTCONN : -EINVAL;
    }
    if (getsockopt(socket->fd, options[option].level, options[option].name, values, &size) != 0) {
        return -errno;
    }
    return option == NET_LINGER ? (values[0] != 0 ? values[1] : -1) : values[0];
}

void occ_net_set_option(Bundle **variable, int32_t option, int32_t value, int32_t *result) {
    *result = set_option(variable, option, value);
}

void occ_net_option(Bundle **variable, int32_t option, int32_t *value) {
    *value = option_of(variable, option);
}

void occ_net_share(Bundle **connection, Bundle **shared) {
    *shared = *connection;
    *connection = NULL;
}

void occ_net_handle(Bundle **variable, int64_t *handle) {
    NetSocket *socket = net_socket_of(*variable);
    *handle = socket == NULL ? 0 : net_socket_handle(socket);
}

int32_t occ_net_cancel(int64_t handle) {
    return net_socket_cancel(handle) ? 0 : -ENOTCONN;
}

/* ---- results in words ---- */

static const char *words_of(int32_t result) {
    switch (result) {
    case NET_NO_NAME: return "no such name";
    case NET_NAMES_FAILED: return "the name cannot be looked up";
    case NET_BAD: return "not an address";
    case -ECANCELED: return "cancelled";
    case -ETIMEDOUT: return "timed out";
    case -ENOTCONN: return "not connected";
    case -ECONNRESET: return "connection reset";
    default: return net_layer_words(result);
    }
}

void occ_net_error_text(int32_t result, uint8_t *text, int32_t size, int32_t *length) {
    const char *words = result >= 0 ? "" : words_of(result);
    *length = host_text_give(words != NULL ? words : strerror(-result), text, size);
    if (words == NULL && size > 1 && *length > 1 && islower(text[1])) {
        text[0] = (uint8_t)tolower(text[0]);
    }
}
