/* net_address -- texts to addresses and back. See net_address.h. */
#define _GNU_SOURCE
#include "net_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The two halves of "host:port". */
typedef struct HostPort {
    char host[NI_MAXHOST];
    char port[NI_MAXSERV];
} HostPort;

static bool copy_part(char *to, size_t capacity, const char *from, size_t length) {
    if (length >= capacity) {
        return false;
    }
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

/* The port is behind the last colon; a host with colons stands in brackets. */
static bool split(HostPort *parts, const char *text, size_t length) {
    const char *colon = memrchr(text, ':', length);
    const char *port = colon == NULL ? text : colon + 1;
    size_t host_length = colon == NULL ? 0 : (size_t)(colon - text);
    bool is_bracketed = host_length >= 2 && text[0] == '[' && text[host_length - 1] == ']';
    if (is_bracketed) {
        text++;
        host_length -= 2;
    } else if (memchr(text, ':', host_length) != NULL) {
        return false;
    }
    size_t port_length =
        length - (colon == NULL ? 0 : (size_t)(colon + 1 - (is_bracketed ? text - 1 : text)));
    return port_length > 0 && copy_part(parts->host, sizeof parts->host, text, host_length) &&
           copy_part(parts->port, sizeof parts->port, port, port_length);
}

static int32_t result_of_names(int failure) {
    switch (failure) {
    case EAI_NONAME:
    case EAI_NODATA:
    case EAI_ADDRFAMILY:
    case EAI_SERVICE: return NET_NO_NAME;
    case EAI_MEMORY: return -ENOMEM;
    case EAI_SYSTEM: return errno != 0 ? -errno : NET_NAMES_FAILED;
    default: return NET_NAMES_FAILED;
    }
}

static int32_t take_found(struct addrinfo *found, NetAddress *addresses, int32_t capacity) {
    int32_t count = 0;
    for (const struct addrinfo *one = found; one != NULL && count < capacity; one = one->ai_next) {
        if (one->ai_addrlen <= sizeof *addresses) {
            memset(&addresses[count], 0, sizeof *addresses);
            memcpy(&addresses[count++], one->ai_addr, one->ai_addrlen);
        }
    }
    freeaddrinfo(found);
    return count > 0 ? count : NET_NO_NAME;
}

static int32_t path_address(const char *path, size_t length, NetAddress *address) {
    memset(address, 0, sizeof *address);
    address->path.sun_family = AF_UNIX;
    bool fits = copy_part(address->path.sun_path, sizeof address->path.sun_path, path, length);
    return fits ? 1 : -ENAMETOOLONG;
}

/* Without a host: this machine, where nobody else reaches it. */
static const char *host_of(const HostPort *parts) {
    if (parts->host[0] == '\0') {
        return "127.0.0.1";
    }
    return strcmp(parts->host, "*") == 0 ? "::" : parts->host;
}

int32_t net_address_of(const uint8_t *bytes, int32_t size, bool looks_up, NetAddress *addresses,
                       int32_t capacity) {
    const char *text = (const char *)bytes;
    size_t length = (size_t)size;
    HostPort parts;
    if (capacity < 1 || length == 0 || memchr(text, '\0', length) != NULL) {
        return NET_BAD;
    }
    if (memchr(text, '/', length) != NULL) {
        return path_address(text, length, addresses);
    }
    if (!split(&parts, text, length)) {
        return NET_BAD;
    }
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM,
                              .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    if (strspn(parts.port, "0123456789") != strlen(parts.port) || strlen(parts.port) > 5 ||
        strtol(parts.port, NULL, 10) > UINT16_MAX) {
        return NET_BAD;
    }
    int failure = getaddrinfo(host_of(&parts), parts.port, &wanted, &found);
    if (failure == EAI_NONAME && !looks_up) {
        return NET_NAMES_LATER;
    }
    if (failure == EAI_NONAME) {
        wanted.ai_flags = AI_NUMERICSERV | AI_ADDRCONFIG;
        failure = getaddrinfo(parts.host, parts.port, &wanted, &found);
    }
    return failure == 0 ? take_found(found, addresses, capacity) : result_of_names(failure);
}

socklen_t net_address_size(const NetAddress *address) {
    switch (address->any.sa_family) {
    case AF_INET: return sizeof address->v4;
    case AF_INET6: return sizeof address->v6;
    case AF_UNIX:
        return (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
                           strnlen(address->path.sun_path, sizeof address->path.sun_path - 1) + 1);
    default: return 0;
    }
}

void net_address_text(const NetAddress *address, char *text, size_t capacity) {
    char host[INET6_ADDRSTRLEN] = "?";
    switch (address->any.sa_family) {
    case AF_INET:
        (void)inet_ntop(AF_INET, &address->v4.sin_addr, host, sizeof host);
        (void)snprintf(text, capacity, "%s:%u", host, (unsigned)ntohs(address->v4.sin_port));
        break;
    case AF_INET6:
        (void)inet_ntop(AF_INET6, &address->v6.sin6_addr, host, sizeof host);
        (void)snprintf(text, capacity, "[%s]:%u", host, (unsigned)ntohs(address->v6.sin6_port));
        break;
    case AF_UNIX:
        (void)snprintf(text, capacity, "%.*s", (int)sizeof address->path.sun_path,
                       address->path.sun_path[0] != '\0' ? address->path.sun_path
                                                         : "a local socket");
        break;
    default: (void)snprintf(text, capacity, "nowhere"); break;
    }
}
