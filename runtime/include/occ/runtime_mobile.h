/* runtime_mobile -- what compiled code calls for mobile objects; a part of runtime.h.
 *
 * Owns:   the contracts of the mobile_... routines of abi.def.
 * Holds:  what runtime.h says of every routine. */
#ifndef OCC_RUNTIME_MOBILE_H
#define OCC_RUNTIME_MOBILE_H

/**
 * occ_mobile_allocate -- a block for a mobile object.
 *
 * Implements:  MOBILE [n]T, CLONE, a copy into a mobile; whenever the worker's free
 *              list is empty or the block larger than any class (the rest is inlined).
 * Parameters:  size_bytes  of the block, its header included.
 *              site        where it is wanted: ERROR_NO_MEMORY.
 * Units:       bytes.
 * Returns:     a 16-aligned block; only Mobile.size_class is set.
 * Waits:       never parks.
 * Order:       none
 * Memory:      the block, until occ_mobile_release.
 * Errors:      NO_MEMORY (always; exit status 3).
 * Source:      decision 0008
 */
void *occ_mobile_allocate(Process *me, int64_t size_bytes, const Site *site);

/**
 * occ_mobile_resize -- another number of elements.
 *
 * Implements:  RESIZE.MOBILE.ARRAY.1D (m, n) of an array that is there.
 * Parameters:  mobile      the array; not to be used any more.
 *              size_bytes  of the block that is needed, its header included.
 *              count       elements: the new Mobile.counts[0].
 *              site        where it is wanted: ERROR_NO_MEMORY.
 * Units:       bytes.
 * Returns:     the array, here or elsewhere, its first bytes unchanged.
 * Waits:       never parks.
 * Order:       none
 * Memory:      the old block or another one; a shorter array keeps its block.
 * Errors:      NO_MEMORY (always; exit status 3).
 * Source:      decision 0008
 */
void *occ_mobile_resize(Process *me, void *mobile, int64_t size_bytes, int32_t count,
                        const Site *site);

/**
 * occ_mobile_detach -- a number for an array that nobody owns from here on.
 *
 * Implements:  DETACH.DYNMOB (m, addr, size)
 * Parameters:  mobile  the array; NULL: an undefined one.
 *              site    where it is wanted: ERROR_NO_MEMORY.
 * Units:       elements (bytes).
 * Returns:     the number in the low half, never 0 and of no other detached array; the
 *              count in the high half; 0 for NULL.
 * Waits:       never parks.
 * Order:       none
 * Memory:      the array stays in use until it is attached.
 * Errors:      NO_MEMORY (always; exit status 3).
 * Source:      decision 0024
 */
int64_t occ_mobile_detach(Process *me, void *mobile, const Site *site);

/**
 * occ_mobile_attach -- the array of a number, which means nothing from here on.
 *
 * Implements:  ATTACH.DYNMOB (addr, size, m)
 * Parameters:  number  from occ_mobile_detach, in whichever process.
 *              size    elements it shall have, at most as many as it had.
 *              site    where it is wanted.
 * Units:       elements (bytes).
 * Returns:     the array, the caller's; NULL for number 0 and size 0.
 * Waits:       never parks.
 * Order:       none
 * Memory:      the block stays what it was.
 * Errors:      NOT_DETACHED
 * Source:      decision 0024
 */
void *occ_mobile_attach(Process *me, int32_t number, int32_t size, const Site *site);

/**
 * occ_mobile_clock_make -- a new mobile clock.
 *
 * Implements:  MOBILE CLOCK, MOBILE BARRIER
 * Parameters:  site  where it is wanted: ERROR_NO_MEMORY.
 * Returns:     a registration on it, of the caller, active in phase 0.
 * Waits:       never parks.
 * Order:       none.
 * Memory:      the registration, until occ_mobile_clock_release, and the clock.
 * Errors:      NO_MEMORY (always; exit status 3)
 * Source:      language.md 4.3
 */
void *occ_mobile_clock_make(Process *me, const Site *site);

/**
 * occ_mobile_clock_enrol -- one more member, for whoever the registration goes to.
 *
 * Implements:  c ! m, FORK p (m)
 * Parameters:  object  the registration of the caller.
 *              site    where it is wanted: ERROR_NO_MEMORY.
 * Returns:     a registration in the phase of the caller; NULL when that is not active.
 * Waits:       never parks.
 * Order:       none.
 * Memory:      the registration, until occ_mobile_clock_release.
 * Errors:      NO_MEMORY (always; exit status 3)
 * Source:      language.md 4.3
 */
void *occ_mobile_clock_enrol(Process *me, void *object, const Site *site);

/**
 * occ_mobile_clock_branch -- the registration of a branch, after occ_clock_lend.
 *
 * Implements:  PAR ENROLL m
 * Parameters:  lender  the registration of the process that runs the PAR.
 *              site    where it is wanted: ERROR_NO_MEMORY.
 * Returns:     a registration in the phase of the lender.
 * Waits:       never parks.
 * Order:       none.
 * Memory:      the registration, until occ_mobile_clock_end.
 * Errors:      NO_MEMORY (always; exit status 3)
 * Source:      language.md 4.3
 */
void *occ_mobile_clock_branch(Process *me, void *lender, const Site *site);

/**
 * occ_mobile_clock_end -- an enrolled branch has ended.
 *
 * Implements:  the end of a branch of PAR ENROLL m
 * Parameters:  object  what it has in the variable now, or NULL.
 *              lender  as of occ_mobile_clock_branch.
 * Returns:     nothing; the others that wait go on when it was the last.
 * Waits:       never parks.
 * Order:       none.
 * Memory:      frees the object.
 * Errors:      none
 * Source:      language.md 4.3
 */
void occ_mobile_clock_end(Process *me, void *object, void *lender);

/**
 * occ_mobile_clock_release -- let a registration go.
 *
 * Implements:  the end of a MOBILE CLOCK variable, DROP
 * Parameters:  object  not NULL.
 * Returns:     nothing; the others that wait go on when it was the last.
 * Waits:       never parks.
 * Order:       none.
 * Memory:      frees the object, and the clock with its last registration.
 * Errors:      none
 * Source:      language.md 4.3
 */
void occ_mobile_clock_release(Process *me, void *object);

/**
 * occ_mobile_release -- give a block of occ_mobile_allocate back.
 *
 * Implements:  the end of a mobile object; whenever it is large, or the worker's
 *              free list is full (the rest is inlined).
 * Parameters:  mobile  not NULL; what it holds has been given back already. Any
 *              worker may free what any other has made.
 * Units:       none
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       none
 * Memory:      frees the block.
 * Errors:      none
 * Source:      decision 0008
 */
void occ_mobile_release(Process *me, void *mobile);

/**
 * occ_mobile_is -- whether a MOBILE.ANY holds what is wanted.
 *
 * Implements:  MOBILE.CHAN, MOBILE.PROC, MOBILE.ANY: taking out what they hold.
 * Parameters:  type, wanted  names of types, ended by a zero byte (codegen/mobile/box.c).
 * Returns:     1 when they say the same, else 0.
 * Waits:       never parks.
 * Order:       none.
 * Memory:      none.
 * Errors:      none
 * Source:      language.md 2.9
 */
int32_t occ_mobile_is(Process *me, void *type, void *wanted);

/**
 * occ_mobile_activate -- run a mobile process until it suspends or ends.
 *
 * Implements:  p (actuals) of a mobile process.
 * Parameters:  object  a MobileProcess, fresh or suspended; its actuals are stored.
 *              site    the place: WAIT_ACTIVATION.
 * Units:       none
 * Returns:     nothing; MobileProcess.state is PROCESS_SUSPENDED or PROCESS_ENDED.
 * Waits:       may park (ACTIVATION) as long as the mobile process runs or waits.
 * Order:       the mobile process runs at once.
 * Memory:      the first activation takes its block.
 * Errors:      NO_MEMORY (always; exit status 3).
 * Source:      language.md 2.10; decision 0008
 */
OCC_PN OccMe occ_mobile_activate(Process *me, void *object, const Site *site);

/**
 * occ_mobile_suspend -- give way to the activator.
 *
 * Implements:  SUSPEND.
 * Parameters:  object  of the mobile process that calls.
 *              site    the place: WAIT_SUSPENDED.
 * Units:       none
 * Returns:     nothing, at the next activation; or when it is given back: then
 *              MobileProcess.state is PROCESS_CANCELLED.
 * Waits:       may park (SUSPENDED).
 * Order:       the activator becomes ready.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 2.10
 */
OCC_PN OccMe occ_mobile_suspend(Process *me, void *object, const Site *site);

/**
 * occ_mobile_ended -- the end of the body of a mobile process.
 *
 * Implements:  the end of a MOBILE PROC.
 * Parameters:  object  of the mobile process that calls.
 * Units:       none
 * Returns:     never.
 * Waits:       never; its block is gone.
 * Order:       the activator becomes ready; after a cancel it goes on at once.
 * Memory:      frees the block; the object stays.
 * Errors:      none
 * Source:      language.md 2.10
 */
OCC_PN OccMe occ_mobile_ended(Process *me, void *object);

/**
 * occ_mobile_cancel -- run a suspended mobile process to its end.
 *
 * Implements:  the end of an object that holds a suspended process.
 * Parameters:  object  a MobileProcess in state PROCESS_SUSPENDED.
 * Units:       none
 * Returns:     nothing, when it has given back what it held.
 * Waits:       never parks: nothing else runs in between.
 * Order:       none
 * Memory:      frees the block; the object stays.
 * Errors:      none
 * Source:      decision 0008
 */
OCC_PN OccMe occ_mobile_cancel(Process *me, void *object);

#endif
