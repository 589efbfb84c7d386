/* common_standstill -- a deadlock of processes on several machines of an MPI job.
 *
 * Owns:   finding that all machines stand still; one common report, and the end of the job.
 * Leaves: the report to report/deadlock.h, its parts to report/deadlock_joint.h; a single process
 *         with virtual machines to the scheduler, which sees all of them.
 * Holds:  a machine stands still when only a message can make it go on. The first machine then asks
 *         all (PROBE); each answers (STANDS) as soon as it stands still too, with the numbers of
 *         messages that it has ever sent to and received from machines that are not lost. If two
 *         successive rounds have the same sums, and as many messages were received as sent, nobody
 *         received anything between the two and nothing was under way: it is a deadlock. Then each
 *         machine in turn sends the first its part of the report, whose numbering continues that of
 *         the machine before. Messages of this file are not counted. */
#ifndef RT_COMMON_STANDSTILL_H
#define RT_COMMON_STANDSTILL_H

#include "machine.h"

/* Sums -- numbers of messages. */
typedef struct Sums {
    uint64_t sent, received;
} Sums;

extern Sums *common_standstill_with; /* for each machine */

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
/* Nothing is sent to that machine any more; messages to and from it no longer count. */
void common_standstill_lose(uint32_t machine);
/* Only a message can make anything on this machine go on. */
void common_standstill_here(void);
/* True: the message is kept. */
bool common_standstill_hear(Message *message);

#endif
