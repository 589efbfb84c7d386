/* net_call -- what the calls of module net have in common.
 *
 * Owns:   the answers of a try that has found nothing.
 * Holds:  a call forgets first what the one before it has left: that its channel only waits. */
#ifndef RT_NET_CALL_H
#define RT_NET_CALL_H

#include "net_socket.h"

/* False: it is none, has been cancelled, or its time is over: *result says which. */
bool net_call_begins(NetSocket *socket, NetSide *side, int32_t *result);
/* Nothing was there: NET_WAIT, with the time that is left; or the time is over. */
int32_t net_call_waits(NetSocket *socket, NetSide *side, int32_t *left);

#endif
