/* common_standstill -- a deadlock of processes that are on several machines of MPI.
 *
 * Owns:   finding that all machines stand still; one report of all, and the end of the job.
 * Leaves: the report to report/deadlock.h, its parts to report/deadlock_joint.h; one process alone, with virtual machines,
 *         to the scheduler, which sees all of it.
 * Holds:  a machine stands still when nothing on it can go on but by a message. The first one asks
 *         all (PROBE) when it stands still; each answers (STANDS) as soon as it does, with the
 *         numbers of messages that it has sent and received, ever, by machines that are not lost. When two rounds that follow each
 *         other have the same sums, and as many were sent as received, then between the two nobody
 *         had received anything, so all have stood still there, and nothing was under way: it is a
 *         deadlock, and remains one. Then each in turn sends the first its part of the report, whose
 *         numbers follow on those of the machine before. Messages of this file are not counted. */
#ifndef RT_COMMON_STANDSTILL_H
#define RT_COMMON_STANDSTILL_H

#include "machine.h"

/* Sums -- of messages. */
typedef struct Sums {
    uint64_t sent, received;
} Sums;

extern Sums *common_standstill_with; /* each machine */

static inline bool common_standstill_counts(const Message *message) {
    return message->kind < MESSAGE_LOST;
}

static inline void common_standstill_sent(const Message *message) {
    common_standstill_with[message->to].sent += common_standstill_counts(message);
}

static inline void common_standstill_received(const Message *message) {
    common_standstill_with[message->from].received += common_standstill_counts(message);
}

void common_standstill_begin(void);
/* Nothing is sent to that machine any more; its messages do not count, nor what was sent to it. */
void common_standstill_lose(uint32_t machine);
/* Nothing on this machine can go on but by a message. */
void common_standstill_here(void);
/* True: the message is kept. */
bool common_standstill_hear(Message *message);

#endif
