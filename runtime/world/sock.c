/* sock -- sockets by descriptor. See sock.h. */
#define _GNU_SOURCE
#include "sock.h"

#include "host_name.h"
#include "net_socket.h"
#include "os.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <unistd.h>

/* ---- waiting ---- */

void occ_sock_watch(int32_t fd, bool for_output, Bundle **waits, int32_t *result) {
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (own < 0) {
        *result = -errno;
        return;
    }
    *waits = net_socket_make(own, NET_CONNECTION);
    if (*waits == NULL) {
        *result = -ENOMEM;
        return;
    }
    NetSocket *socket = net_socket_of(*waits);
    NetSide *side = for_output ? &socket->out : &socket->in;
    side->seen = net_socket_pulse(socket);
    side->only_waits = true;
    net_socket_doubt(socket);
    *result = 0;
}

bool occ_sock_is_ready(int32_t fd, bool for_output) {
    return os_is_ready(fd, for_output ? OS_WRITABLE : OS_READABLE, 0);
}

/* ---- making and connecting ---- */

static struct sockaddr_in address_of(int32_t address, int32_t port) {
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr = {htonl((uint32_t)address)}};
}

static void give(const struct sockaddr_in *from, int32_t *address, int32_t *port) {
    bool is_known = from->sin_family == AF_INET;
    *address = is_known ? (int32_t)ntohl(from->sin_addr.s_addr) : 0;
    *port = is_known ? ntohs(from->sin_port) : 0;
}

static int32_t status_of(long result) {
    return result >= 0 ? (int32_t)result
           : errno == EAGAIN || errno == EWOULDBLOCK || errno == EINPROGRESS || errno == EINTR
               ? NET_WAIT
               : -errno;
}

static void set_blocking(int fd, bool is_blocking) {
    int flags = fcntl(fd, F_GETFL);
    (void)fcntl(fd, F_SETFL, is_blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

int32_t occ_sock_create(int32_t domain, int32_t type, int32_t protocol) {
    return status_of(socket(domain, type | SOCK_CLOEXEC, protocol));
}

int32_t occ_sock_bind(int32_t fd, int32_t address, int32_t port) {
    struct sockaddr_in place = address_of(address, port);
    return status_of(bind(fd, (struct sockaddr *)&place, sizeof place));
}

/* Accepting tries, and never waits. */
int32_t occ_sock_listen(int32_t fd, int32_t backlog) {
    set_blocking(fd, false);
    return status_of(listen(fd, backlog));
}

int32_t occ_sock_connect(int32_t fd, int32_t address, int32_t port) {
    struct sockaddr_in place = address_of(address, port);
    set_blocking(fd, false);
    int32_t status = status_of(connect(fd, (struct sockaddr *)&place, sizeof place));
    if (status != NET_WAIT) {
        set_blocking(fd, true);
    }
    return status;
}

int32_t occ_sock_connected(int32_t fd) {
    int error = 0;
    socklen_t size = sizeof error;
    if (!os_is_ready(fd, OS_WRITABLE, 0)) {
        return NET_WAIT;
    }
    set_blocking(fd, true);
    (void)getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
    return -error;
}

void occ_sock_accept(int32_t fd, int32_t *address, int32_t *port, int32_t *result) {
    struct sockaddr_in from = {0};
    socklen_t size = sizeof from;
    *result = status_of(accept4(fd, (struct sockaddr *)&from, &size, SOCK_CLOEXEC));
    give(&from, address, port);
}

int32_t occ_sock_shutdown(int32_t fd, int32_t how) {
    return status_of(shutdown(fd, how));
}

/* ---- reading and writing ---- */

void occ_sock_receive(int32_t fd, uint8_t *bytes, int32_t size, int32_t flags, int32_t *address,
                      int32_t *port, int32_t *result) {
    struct sockaddr_in from = {0};
    socklen_t from_size = sizeof from;
    *result = status_of(recvfrom(fd, bytes, (size_t)size, flags | MSG_DONTWAIT,
                                 (struct sockaddr *)&from, &from_size));
    give(&from, address, port);
}

void occ_sock_send(int32_t fd, const uint8_t *bytes, int32_t size, int32_t flags, int32_t address,
                   int32_t port, int32_t *result) {
    struct sockaddr_in to = address_of(address, port);
    *result =
        status_of(sendto(fd, bytes, (size_t)size, flags | MSG_DONTWAIT | MSG_NOSIGNAL,
                         port == 0 ? NULL : (struct sockaddr *)&to, port == 0 ? 0 : sizeof to));
}

/* ---- what is known ---- */

void occ_sock_name(int32_t fd, bool is_remote, int32_t *address, int32_t *port, int32_t *result) {
    struct sockaddr_in place = {0};
    socklen_t size = sizeof place;
    struct sockaddr *where = (struct sockaddr *)&place;
    *result = status_of(is_remote ? getpeername(fd, where, &size) : getsockname(fd, where, &size));
    give(&place, address, port);
}

int32_t occ_sock_set_option(int32_t fd, int32_t level, int32_t option, int32_t value) {
    return status_of(setsockopt(fd, level, option, &value, sizeof value));
}

void occ_sock_option(int32_t fd, int32_t level, int32_t option, int32_t *value, int32_t *result) {
    socklen_t size = sizeof *value;
    *value = 0;
    *result = status_of(getsockopt(fd, level, option, value, &size));
}

/* ---- names ---- */

void occ_sock_machine(bool is_domain, uint8_t *name, int32_t size, int32_t *result) {
    HostName found;
    int status = is_domain ? getdomainname(found.text, sizeof found.text)
                           : gethostname(found.text, sizeof found.text);
    *result = status == 0 ? host_text_give(found.text, name, size) : -errno;
}

int32_t occ_sock_set_machine(bool is_domain, const uint8_t *name, int32_t size) {
    HostName wanted;
    if (!host_name_set(&wanted, name, size)) {
        return -ENAMETOOLONG;
    }
    size_t length = strlen(wanted.text);
    return status_of(is_domain ? setdomainname(wanted.text, length)
                               : sethostname(wanted.text, length));
}

void occ_sock_addresses(const uint8_t *name, int32_t name_size, int32_t *addresses, int32_t size,
                        int32_t *result) {
    HostName wanted;
    struct addrinfo *found = NULL;
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    *result = -ENOENT;
    if (!host_name_set(&wanted, name, name_size) ||
        getaddrinfo(wanted.text, NULL, &hints, &found) != 0) {
        return;
    }
    int32_t count = 0;
    for (const struct addrinfo *one = found; one != NULL; one = one->ai_next, count++) {
        if (count < size) {
            const struct sockaddr_in *place = (const struct sockaddr_in *)(void *)one->ai_addr;
            addresses[count] = (int32_t)ntohl(place->sin_addr.s_addr);
        }
    }
    freeaddrinfo(found);
    *result = count;
}

void occ_sock_text(int32_t address, bool is_name, uint8_t *text, int32_t size, int32_t *length,
                   int32_t *result) {
    struct sockaddr_in place = address_of(address, 0);
    HostName found;
    bool is_found =
        getnameinfo((struct sockaddr *)&place, sizeof place, found.text, sizeof found.text, NULL, 0,
                    is_name ? NI_NAMEREQD : NI_NUMERICHOST) == 0;
    *result = is_found ? 0 : -ENOENT;
    *length = is_found ? host_text_give(found.text, text, size) : 0;
    *length = *length < size ? *length : size;
}
