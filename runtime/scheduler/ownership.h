/* ownership -- channels that a worker owns while several are active (decision 0018).
 *
 * Owns:   Channel.owner: taking a channel, giving it up, asking for one; the guard of each worker,
 *         under which he falls asleep and others leave their requests.
 * Leaves: the operations themselves to channel.c and alt.c, the inlined ones to rendezvous.c;
 *         when a worker looks at his requests to scheduler.c and solo.c.
 * Holds:  (test/model/ownership.pml) the owner uses his channels by plain operations, and saves the
 *         context of who waits there only after he has published him. So nobody else reads or
 *         writes the word of an owned channel: he has it given up first. A channel becomes owned
 *         only by whoever is second in it, who has both ends in his hand; it is given up by its
 *         owner between two processes, or by anybody while the owner sleeps, under his guard.
 *         Who waits in a channel without an owner has a saved context. Solo, the owner of a
 *         channel means nothing; the first slow operation forgets it. */
#ifndef RT_OWNERSHIP_H
#define RT_OWNERSHIP_H

#include "worker.h"

/* One local meeting of this many makes a channel the worker's: a channel between workers would be
 * given up again each time, and that costs as much as some hundred meetings. */
#ifndef OWNERSHIP_MEETINGS
enum { OWNERSHIP_MEETINGS = RT_STRESS_SHARE ? 2 : 16 };
#endif

/* May this worker use the channel by the operations of several workers? False: somebody owns it. */
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

/* The same, and the channel has no owner any more: for those that wait in it by an ALT. */
static inline bool ownership_is_given_up(const Worker *worker, Channel *channel) {
    if (!ownership_is_free(worker, channel)) {
        return false;
    }
    atomic_set_relaxed(&channel->owner, 0);
    return true;
}

/* Both ends are in this worker's hand: is the channel to be his from now on? Before the word is
 * cleared. */
static inline void ownership_meet(Worker *worker, Channel *channel, const Process *partner) {
    if (!worker_is_solo(worker) && partner->worker == worker &&
        random_below(&worker->owner_random, OWNERSHIP_MEETINGS) == 0) {
        atomic_set_relaxed(&channel->owner, worker_mark(worker));
    }
}

/* The channel is another worker's; the process says what it waits for (next, wait). True: it has
 * parked, and the operation will be done again when the channel has been given up; the request is
 * copied. False: the owner slept; try again. */
bool ownership_ask(Worker *worker, const ChannelRequest *request);
/* For routines that never park: wait until nobody else owns the channel, and nobody will. Not
 * inside the world. */
void ownership_take(Worker *worker, Channel *channel);
/* At a scheduling point: what others want. Operations of other processes may be done here. */
void ownership_serve(Worker *worker);

/* The worker is about to sleep. False: there are requests. */
bool ownership_rest(Worker *worker);
void ownership_rise(Worker *worker);

#endif
