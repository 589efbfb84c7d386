/* ownership -- channels that a worker owns while several are active (decision 0018).
 *
 * Owns:   Channel.owner: taking a channel, giving it up, asking for it; the guard of each worker, a
 *         lock under which the worker falls asleep and others leave their requests.
 * Leaves: the operations to channel.c and alt.c, inlined ones to rendezvous.c; when a worker serves
 *         its requests to scheduler.c and solo.c.
 * Holds:  (test/model/ownership.pml) the owner uses its channels by plain operations, and publishes
 *         a process that waits there before it saves its context. So nobody else touches the word
 *         of an owned channel before the owner has given it up. A channel becomes owned only by the
 *         worker on which the second partner comes, when both ends are on it. It is given up by its
 *         owner between two processes, or by anybody while the owner sleeps, under the owner's
 *         guard. A process that waits in a channel without an owner has a saved context. Solo, the
 *         owner of a channel means nothing; the first slow operation clears it. */
#ifndef RT_OWNERSHIP_H
#define RT_OWNERSHIP_H

#include "worker.h"

/* One local meeting in this many makes the channel the worker's: a channel between workers would
 * have to be given up each time, at the cost of some hundred meetings. */
#ifndef OWNERSHIP_MEETINGS
enum { OWNERSHIP_MEETINGS = RT_STRESS_SHARE ? 2 : 16 };
#endif

/* May this worker use the channel by the operations for several workers? False: it has an owner. */
static inline bool ownership_is_free(const Worker *worker, Channel *channel) {
    uint16_t owner = atomic_get_acquire(&channel->owner);
    if (rt_likely(owner == 0)) {
        return true;
    }
    if (worker_is_solo(worker)) {
        atomic_set_relaxed(&channel->owner, 0);
        return true;
    }
    return owner == worker_mark(worker);
}

/* The same, for processes that wait in it by an ALT: afterwards the channel has no owner. */
static inline bool ownership_is_given_up(const Worker *worker, Channel *channel) {
    if (!ownership_is_free(worker, channel)) {
        return false;
    }
    atomic_set_relaxed(&channel->owner, 0);
    return true;
}

/* Both ends are on this worker: does it become the channel's owner? Before the word is cleared. */
static inline void ownership_meet(Worker *worker, Channel *channel, const Process *partner) {
    if (!worker_is_solo(worker) && partner->worker == worker &&
        random_below(&worker->owner_random, OWNERSHIP_MEETINGS) == 0) {
        atomic_set_relaxed(&channel->owner, worker_mark(worker));
    }
}

/* The channel is another worker's; the process says what it waits for (next, wait). True: it has
 * parked, and the operation (a copy of the request) is done again when the channel has been given
 * up. False: the owner slept; try again. */
bool ownership_ask(Worker *worker, const ChannelRequest *request);
/* For routines that never park: wait until nobody else owns the channel. Not inside the world. */
void ownership_take(Worker *worker, Channel *channel);
/* At a scheduling point: serve requests. May do operations of other processes. */
void ownership_serve(Worker *worker);

/* The worker is about to sleep. False: there are requests. */
bool ownership_rest(Worker *worker);
void ownership_rise(Worker *worker);

#endif
