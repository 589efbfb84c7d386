/* net -- what module net asks of the operating system: C functions that its unit names with #PRAGMA
 * EXTERNAL (stdlib/net_calls.inc).
 *
 * Owns:   the calls by which the library makes and uses sockets.
 * Leaves: what the channels of a connection do to net_channel.c.
 * Holds:  nothing here waits, except occ_net_resolve, which is a B. call. A result below 0 is a
 *         negated errno, or one of NET_... (net_address.h). NET_WAIT: there was nothing, or no
 *         room; the library then waits in the channel, for at most *left microseconds unless that
 *         is below 0, and calls again. Ends of bundles are passed by the address of their variable;
 *         a new one is stored in a variable that holds none. Conventions: decision 0011. */
#ifndef RT_NET_H
#define RT_NET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Bundle Bundle;

/* How many addresses a text means; they have NET_ADDRESS_BYTES each. The first does not look names
 * up, and says so: NET_NAMES_LATER. */
void occ_net_lookup(const uint8_t *text, int32_t size, uint8_t *addresses, int32_t capacity,
                    int32_t *count);
void occ_net_resolve(const uint8_t *text, int32_t size, uint8_t *addresses, int32_t capacity,
                     int32_t *count);
void occ_net_address_words(const uint8_t *address, uint8_t *text, int32_t size, int32_t *length);

void occ_net_listen(const uint8_t *address, int32_t backlog, Bundle **listener, int32_t *result);
void occ_net_datagrams(const uint8_t *address, Bundle **port, int32_t *result);
/* NET_WAIT: in `out`; then `connected` says whether it is. */
void occ_net_connect(const uint8_t *address, Bundle **connection, int32_t *result);
void occ_net_connected(Bundle **connection, int32_t *result, int32_t *left);
/* What a layer between its bytes and the socket (tls.h) has to say first; nothing: there is none.
 */
void occ_net_begin(Bundle **connection, bool *for_output, int32_t *result, int32_t *left);
void occ_net_accept(Bundle **listener, Bundle **connection, int32_t *result, int32_t *left);

void occ_net_read(Bundle **connection, uint8_t *bytes, int32_t size, int32_t *result,
                  int32_t *left);
/* *sent: how many of the bytes were taken; has_more: what follows at once may go with them. */
void occ_net_write(Bundle **connection, const uint8_t *bytes, int32_t size, bool has_more,
                   int32_t *sent, int32_t *result, int32_t *left);
/* The same of two texts, the one behind the other. */
void occ_net_write_pair(Bundle **connection, const uint8_t *first, int32_t first_size,
                        const uint8_t *second, int32_t second_size, int32_t *sent, int32_t *result,
                        int32_t *left);
void occ_net_receive(Bundle **port, uint8_t *bytes, int32_t size, uint8_t *from, int32_t *result,
                     int32_t *left);
void occ_net_send(Bundle **port, const uint8_t *to, const uint8_t *bytes, int32_t size,
                  int32_t *result);

/* Half-close: no more output. */
void occ_net_finish(Bundle **connection, int32_t *result, int32_t *left);
void occ_net_status(Bundle **socket, int32_t *result);
/* Calls fail after this time from now on, in microseconds; below 0: never. */
void occ_net_deadline(Bundle **socket, int32_t microseconds);
enum { NET_NO_DELAY, NET_KEEP_ALIVE, NET_SEND_BYTES, NET_RECEIVE_BYTES, NET_LINGER, NET_OPTIONS };
void occ_net_set_option(Bundle **socket, int32_t option, int32_t value, int32_t *result);
void occ_net_option(Bundle **socket, int32_t option, int32_t *value);
void occ_net_address(Bundle **socket, bool is_remote, uint8_t *address, int32_t *result);
/* Move the end to `shared`, a variable that may be copied. */
void occ_net_share(Bundle **connection, Bundle **shared);
void occ_net_handle(Bundle **socket, int64_t *handle);
int32_t occ_net_cancel(int64_t handle);
void occ_net_error_text(int32_t result, uint8_t *text, int32_t size, int32_t *length);

#endif
