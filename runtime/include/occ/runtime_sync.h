/* runtime_sync -- what compiled code calls for MUTEX and the module sync; a part of runtime.h.
 *
 * Owns:   the contracts of the claim_mutex, semaphore_, condition_, ticket_, bucket_ and crew_
 *         routines of abi.def.
 * Holds:  what runtime.h says of every routine. */
#ifndef OCC_RUNTIME_SYNC_H
#define OCC_RUNTIME_SYNC_H

/**
 * occ_claim_mutex -- wait until a MUTEX is the caller's.
 *
 * Implements:  CLAIM m, of one that somebody holds, or with many workers.
 * Parameters:  claim  the MUTEX.
 *              site   where, for reports.
 * Units:       none
 * Returns:     nothing, when the caller holds it.
 * Waits:       may park (CLAIM).
 * Order:       first come, first served.
 * Memory:      allocates nothing.
 * Errors:      NESTED_CLAIM when the caller holds it already.
 * Source:      language.md 4.4
 */
OCC_PN OccMe occ_claim_mutex(Process *me, void *claim, const Site *site);

/**
 * occ_semaphore_initialise -- give a SEMAPHORE its permits.
 *
 * Implements:  initialise.semaphore (s, n)
 * Parameters:  semaphore  nobody waits for it.
 *              permits    0 or more.
 *              site       where, for reports.
 * Units:       none
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      SEMAPHORE_COUNT, SYNC_IN_USE.
 * Source:      language.md 4.4
 */
void occ_semaphore_initialise(Process *me, void *semaphore, int32_t permits, const Site *site);

/**
 * occ_semaphore_claim -- take a permit.
 *
 * Implements:  claim.semaphore (s)
 * Parameters:  semaphore  the object.
 *              waiter     a SyncWaiter in the caller's frame.
 *              site       where, for reports.
 * Units:       none
 * Returns:     nothing, when the caller has a permit.
 * Waits:       may park (SEMAPHORE).
 * Order:       first come, first served.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.4
 */
OCC_PN OccMe occ_semaphore_claim(Process *me, void *semaphore, void *waiter, const Site *site);

/**
 * occ_semaphore_until -- take a permit, or give up when the time is AFTER a deadline.
 *
 * Implements:  claim.semaphore.until (s, deadline, claimed)
 * Parameters:  semaphore  the object.
 *              deadline   as of a timer.
 *              waiter     a SyncWaiter in the caller's frame; its alt is an Alt of one guard.
 *              site       where, for reports.
 * Units:       microseconds
 * Returns:     nothing; occ_semaphore_withdraw must follow, and tells.
 * Waits:       may park (SEMAPHORE_UNTIL).
 * Order:       first come, first served.
 * Memory:      allocates nothing.
 * Errors:      NO_MEMORY
 * Source:      language.md 4.4
 */
OCC_PN OccMe occ_semaphore_until(Process *me, void *semaphore, int32_t deadline, void *waiter,
                                 const Site *site);

/**
 * occ_semaphore_withdraw -- the end of occ_semaphore_until.
 *
 * Implements:  claim.semaphore.until (s, deadline, claimed)
 * Parameters:  semaphore  the object.
 *              waiter     of the wait that is over.
 * Units:       none
 * Returns:     1: the caller has a permit; 0: the time came first.
 * Waits:       never parks.
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.4
 */
int32_t occ_semaphore_withdraw(Process *me, void *semaphore, void *waiter);

/**
 * occ_semaphore_try -- take a permit if there is one now.
 *
 * Implements:  try.semaphore (s, claimed)
 * Parameters:  semaphore  the object.
 *              site       where, for reports.
 * Units:       none
 * Returns:     1: the caller has a permit; 0: there was none.
 * Waits:       never parks.
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.4
 */
int32_t occ_semaphore_try(Process *me, void *semaphore, const Site *site);

/**
 * occ_semaphore_release -- give a permit back, or a new one.
 *
 * Implements:  release.semaphore (s)
 * Parameters:  semaphore  the object.
 * Units:       none
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       the process that has waited longest has the permit, and is ready.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.4
 */
void occ_semaphore_release(Process *me, void *semaphore);

/**
 * occ_condition_wait -- leave the MUTEX, wait for a signal, claim the MUTEX anew.
 *
 * Implements:  wait.condition (c, m)
 * Parameters:  condition  the object.
 *              mutex      the caller holds it.
 *              waiter     a SyncWaiter in the caller's frame; its site is that of the second wait.
 *              site       where, for reports.
 * Units:       none
 * Returns:     nothing, when the caller has been signalled and holds the MUTEX.
 * Waits:       may park (CONDITION, then CLAIM).
 * Order:       first come, first served, then behind those that wait for the MUTEX.
 * Memory:      allocates nothing.
 * Errors:      CONDITION_NOT_HELD, CONDITION_MUTEX.
 * Source:      language.md 4.4
 */
OCC_PN OccMe occ_condition_wait(Process *me, void *condition, void *mutex, void *waiter,
                                const Site *site);

/**
 * occ_condition_signal -- let one that waits go on, or all.
 *
 * Implements:  signal.condition (c), broadcast.condition (c)
 * Parameters:  condition  the object.
 *              all        1: every process that waits now; 0: the first, if there is one.
 * Units:       none
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       they line up for the MUTEX in the order in which they waited.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.4
 */
void occ_condition_signal(Process *me, void *condition, int32_t all);

/**
 * occ_ticket_take -- the next number.
 *
 * Implements:  take.ticket (t, number)
 * Parameters:  ticket  the object.
 * Units:       none
 * Returns:     the number: 0, 1, 2 ..; after 2^31 - 1 it wraps.
 * Waits:       never parks.
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.4
 */
int32_t occ_ticket_take(Process *me, void *ticket);

/**
 * occ_ticket_await -- wait until a number is served.
 *
 * Implements:  await.ticket (t, number)
 * Parameters:  ticket  the object.
 *              number  taken, and not served before.
 *              waiter  a SyncWaiter in the caller's frame.
 *              site    where, for reports.
 * Units:       none
 * Returns:     nothing, when the number is served.
 * Waits:       may park (TICKET).
 * Order:       by number.
 * Memory:      allocates nothing.
 * Errors:      TICKET_UNKNOWN
 * Source:      language.md 4.4
 */
OCC_PN OccMe occ_ticket_await(Process *me, void *ticket, int32_t number, void *waiter,
                              const Site *site);

/**
 * occ_ticket_serve -- the next number is served.
 *
 * Implements:  serve.ticket (t)
 * Parameters:  ticket  the object.
 *              site    where, for reports.
 * Units:       none
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       the process that waits with this number is ready.
 * Memory:      allocates nothing.
 * Errors:      TICKET_NONE
 * Source:      language.md 4.4
 */
void occ_ticket_serve(Process *me, void *ticket, const Site *site);

/**
 * occ_bucket_fall -- wait until the bucket is flushed.
 *
 * Implements:  fall.into.bucket (b)
 * Parameters:  bucket  the object.
 *              waiter  a SyncWaiter in the caller's frame.
 *              site    where, for reports.
 * Units:       none
 * Returns:     nothing, when somebody has flushed it.
 * Waits:       may park (BUCKET).
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.4
 */
OCC_PN OccMe occ_bucket_fall(Process *me, void *bucket, void *waiter, const Site *site);

/**
 * occ_bucket_flush -- wake all that are in the bucket.
 *
 * Implements:  flush.bucket (b)
 * Parameters:  bucket  the object.
 * Units:       none
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       they become ready in the order in which they fell.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.4
 */
void occ_bucket_flush(Process *me, void *bucket);

/**
 * occ_bucket_number -- how many are in the bucket.
 *
 * Implements:  number.in.bucket (b, n)
 * Parameters:  bucket  the object.
 * Units:       none
 * Returns:     their number now.
 * Waits:       never parks.
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.4
 */
int32_t occ_bucket_number(Process *me, void *bucket);

/**
 * occ_crew_enter -- begin to read or to write.
 *
 * Implements:  start.read.crew (c), start.write.crew (c)
 * Parameters:  crew    the object.
 *              writes  1; 0 to read.
 *              waiter  a SyncWaiter in the caller's frame.
 *              site    where, for reports.
 * Units:       none
 * Returns:     nothing: no writer is there, and for a writer no reader.
 * Waits:       may park (CREW_READ, CREW_WRITE).
 * Order:       first come, first served; readers beside each other go in together.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.4
 */
OCC_PN OccMe occ_crew_enter(Process *me, void *crew, int32_t writes, void *waiter,
                            const Site *site);

/**
 * occ_crew_leave -- end reading or writing.
 *
 * Implements:  end.read.crew (c), end.write.crew (c)
 * Parameters:  crew    the object.
 *              writes  1; 0 to read.
 *              site    where, for reports.
 * Units:       none
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       whoever may go in now is ready.
 * Memory:      allocates nothing.
 * Errors:      CREW_NOT_READING, CREW_NOT_WRITING.
 * Source:      language.md 4.4
 */
void occ_crew_leave(Process *me, void *crew, int32_t writes, const Site *site);

#endif
