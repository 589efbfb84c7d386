/* alt -- choosing one of several guards.
 *
 * Owns:   occ_alt_select: the choice, registration in channels, devices and the deadline queue, and
 *         withdrawal when the ALT has been won.
 * Leaves: filling the record and the chosen guard's own input or output to compiled code; winning a
 *         waiting ALT to whoever comes (channel.c, io.c, deadline_queue.c) by rt_alt_claim.
 * Holds:  the record and its guards stay where they are while the ALT waits. The decision word
 *         goes CHOOSING -> WAITING -> WON; exactly one claims it. A guard's registration is the
 *         record's address with a direction tag in the channel's word, at most one per channel.
 *         Only the ALT's own process, on being resumed, withdraws its registrations, and only
 *         those words that are still its own. When occ_alt_select returns, the partner of the
 *         chosen channel guard is parked in the channel (or is an ALT that has been claimed for
 *         it), so the chosen guard's first transfer is an ordinary one.
 *
 * A plain partner who waits can be taken without the world lock: nobody else can end that wait. So
 * the lock is entered only for ALTs that find none. Who claims an ALT from an ALT clears the word,
 * and the transfer is then as if nobody had been in the channel.
 *
 * Order of choice. PRI ALT: the textually first guard that is ready, SKIP and expired timers
 * included. ALT: guards are looked at in cyclic order from a uniformly random one; a ready channel
 * is taken at once, else the first SKIP or expired timer met; else the ALT waits, for the nearest
 * of its deadlines. A nested ALT with the other rule is a group, looked at as one guard by its own
 * rule. Compiled code looks for plain partners first; when it has met another kind, the look
 * goes on from where that one began. A poll that gives way now and then offers its guards while it
 * does. Guards on both ends of one channel are off: nobody else holds an end. */
#ifndef RT_ALT_H
#define RT_ALT_H

#include "layout.h"

/* abi.def. NULL: a guard was ready; else the process to resume, which may be me. */
Process *rt_alt_select(Process *me, Alt *alt, const Site *site);
/* calls.S: the process of a waiting ALT has been resumed; me->data is its record. NULL: it goes on;
 * else it waits again; returns the process to resume, which may be me. */
Process *rt_alt_resumed(Process *me);

#endif
