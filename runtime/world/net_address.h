/* net_address -- addresses of the net: as texts, and as the system wants them.
 *
 * Owns:   NetAddress, which the library holds as bytes; names of hosts.
 * Leaves: sockets to net_socket.h.
 * Holds:  a text is "host:port", "[::1]:port", ":port" or "port" (this machine alone), "*:port"
 *         (all of its addresses), or a path with a '/' in it (a socket of the file system). */
#ifndef RT_NET_ADDRESS_H
#define RT_NET_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { NET_ADDRESS_BYTES = 112, NET_ADDRESS_WORDS = 128 };

typedef union NetAddress {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un path;
    uint8_t bytes[NET_ADDRESS_BYTES];
} NetAddress;

/* Results below 0 that are no errno, negated: those of names. */
enum { NET_NO_NAME = -1001, NET_NAMES_LATER = -1002, NET_NAMES_FAILED = -1003, NET_BAD = -1004 };

/* At most `capacity` addresses that a text means, one behind the other; how many, or what went
 * wrong. NET_NAMES_LATER: a name is to be looked up, which may take long, unless `looks_up`. */
int32_t net_address_of(const uint8_t *text, int32_t size, bool looks_up, NetAddress *addresses,
                       int32_t capacity);
socklen_t net_address_size(const NetAddress *address);
void net_address_text(const NetAddress *address, char *text, size_t capacity);

#endif
