/* sock -- what module sock asks of the operating system: sockets by descriptor, as programs of the
 * field have them (stdlib/socklib.occ).
 *
 * Owns:   the calls on such sockets, and waiting for any descriptor.
 * Leaves: sockets as bundles to net.h.
 * Holds:  nothing here waits, but for the calls on names, which are B. calls. A result below 0 is
 *         a negated errno, or NET_WAIT (net_socket.h): nothing was there; then the library waits
 *         by occ_sock_watch, and calls again. Addresses are of IPv4, in the host's order, as are
 *         ports. The conventions are those of decision 0011. */
#ifndef RT_SOCK_H
#define RT_SOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Bundle Bundle;

/* A bundle whose channels carry nothing: an input, or an output, waits until the descriptor can be
 * read or written. It has the file open by a descriptor of its own. -EPERM: one never waits for it.
 */
void occ_sock_watch(int32_t fd, bool for_output, Bundle **waits, int32_t *result);
/* Would a read, or a write, of any descriptor wait? */
bool occ_sock_is_ready(int32_t fd, bool for_output);

int32_t occ_sock_create(int32_t domain, int32_t type, int32_t protocol);
int32_t occ_sock_bind(int32_t fd, int32_t address, int32_t port);
int32_t occ_sock_listen(int32_t fd, int32_t backlog);
/* NET_WAIT: for output; then `connected`. */
int32_t occ_sock_connect(int32_t fd, int32_t address, int32_t port);
int32_t occ_sock_connected(int32_t fd);
void occ_sock_accept(int32_t fd, int32_t *address, int32_t *port, int32_t *result);
int32_t occ_sock_shutdown(int32_t fd, int32_t how);
void occ_sock_receive(int32_t fd, uint8_t *bytes, int32_t size, int32_t flags, int32_t *address,
                      int32_t *port, int32_t *result);
/* port 0: to whom it is connected. */
void occ_sock_send(int32_t fd, const uint8_t *bytes, int32_t size, int32_t flags, int32_t address,
                   int32_t port, int32_t *result);
void occ_sock_name(int32_t fd, bool is_remote, int32_t *address, int32_t *port, int32_t *result);
int32_t occ_sock_set_option(int32_t fd, int32_t level, int32_t option, int32_t value);
void occ_sock_option(int32_t fd, int32_t level, int32_t option, int32_t *value, int32_t *result);

/* Names of this machine; *result their length. */
void occ_sock_machine(bool is_domain, uint8_t *name, int32_t size, int32_t *result);
int32_t occ_sock_set_machine(bool is_domain, const uint8_t *name, int32_t size);
/* The addresses of a host: how many it has, and as many of them as there is room for. */
void occ_sock_addresses(const uint8_t *name, int32_t name_size, int32_t *addresses, int32_t size,
                        int32_t *result);
/* The host's name, or the address itself, as a text. */
void occ_sock_text(int32_t address, bool is_name, uint8_t *text, int32_t size, int32_t *length,
                   int32_t *result);

#endif
