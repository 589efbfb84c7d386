/* runtime -- everything that compiled code calls, with its contract.
 *
 * Long because: it has one docstring for each routine that compiled code calls.
 * Owns:   the prototypes of abi.def in C's words; abi_check.c compiles them against abi.def.
 * Leaves: what compiled code inlines to layout.def, the depth of leaf routines to leaf.def.
 * Holds:  the first parameter of every routine, `me`, is the process that calls; it is not repeated
 *         below. An OCC_PN routine returns me and its worker as well (abi.def says why). Every
 *         routine is called by a process, on its own stack; never from a signal handler, never
 *         from C. OCC_PN marks the preserve_none convention, which gcc does not have: there the
 *         prototype is for reading only. */
#ifndef OCC_RUNTIME_H
#define OCC_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#define OCC_PN __attribute__((preserve_none))
#else
#define OCC_PN
#endif

/** OccMe -- what every OCC_PN routine returns, in two registers: the caller and its worker. */
typedef struct OccMe {
    void *me;
    void *worker;
} OccMe;

typedef struct Process Process;
typedef struct Site Site;

/* The interface the runtime was built with: ABI_VERSION of layout.def. The link step compares. */
extern const uint32_t occ_abi_version;

/**
 * occ_park -- run something else; the slow half of parking.
 *
 * Implements:  the end of every wait that compiled code inlines.
 * Parameters:  none. me->wait, me->next and, for a rendezvous, me->data are
 *              stored, and the caller is published, before the call.
 * Units:       none
 * Returns:     nothing, when whoever it waits for has made it ready.
 * Waits:       may park (the reason in me->wait).
 * Order:       processes run in the order in which they became ready; signals, due
 *              deadlines and devices are looked at first when Worker.mode says so.
 * Memory:      allocates nothing.
 * Errors:      a deadlock report when nothing can ever run again.
 * Source:      decision 0001
 */
OCC_PN OccMe occ_park(Process *me);

/**
 * occ_reschedule -- let the other ready processes run first.
 *
 * Implements:  RESCHEDULE (), and the yield of a process that computes long.
 * Parameters:  none
 * Units:       none
 * Returns:     nothing, after every process that was ready has run once.
 * Waits:       may park (RESCHEDULE).
 * Order:       the caller becomes the last of the ready ones.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 1.5
 */
OCC_PN OccMe occ_reschedule(Process *me);

/**
 * occ_yield -- a loop has found MODE_ATTENTION in the mode of its worker.
 *
 * Implements:  preemption: serves what asks for attention and lets the other ready processes run.
 * Parameters:  none
 * Assumes:     the test is made where nothing but me need survive in a register
 */
OCC_PN OccMe occ_yield(Process *me);

/**
 * occ_join -- a process has come to the end of its PAR.
 *
 * Implements:  the join, when Worker.mode is not 0: other workers may end branches meanwhile.
 * Parameters:  the Join, which begins the environment; where the PAR stands
 * Waits:       until every other component has ended.
 * Source:      decision 0006
 */
OCC_PN OccMe occ_join(Process *me, void *join, const Site *site);

/**
 * occ_yield_c -- occ_yield for a routine that never waits; keeps its registers (preserve_most).
 *
 * Implements:  preemption in computing FUNCTIONs and PROCs.
 * Parameters:  none
 * Assumes:     after it the worker of me may be another
 */
void occ_yield_c(Process *me);

/**
 * occ_start_lower -- a new process is ready, in front of those that are no more urgent.
 *
 * Implements:  PRI PAR: a component is less urgent than those before it.
 * Parameters:  the process; by how many levels it is less urgent than the caller
 * Source:      language.md 1.5
 */
void occ_start_lower(Process *me, void *process, int32_t levels);

/**
 * occ_priority_set -- give the caller a level of its own.
 *
 * Implements:  SETPRI and, with a level counted from the present one, INCPRI and DECPRI.
 * Parameters:  the level; below 0 is 0, above the last one is the last
 * Waits:       may park (RESCHEDULE), when the caller is less urgent than before.
 * Order:       those that are ready run by urgency then, the caller after its equals.
 * Source:      language.md 1.8
 */
OCC_PN OccMe occ_priority_set(Process *me, int32_t level);

/**
 * occ_affinity_get -- which workers the caller prefers: bit i for worker i; 0: any.
 *
 * Implements:  GETAFF.
 * Parameters:  none
 * Source:      language.md 1.8
 */
int32_t occ_affinity_get(Process *me);

/**
 * occ_affinity_set -- say which workers the caller, and what it starts, prefers.
 *
 * Implements:  SETAFF. A hint: a worker of the set does not give the process away.
 * Parameters:  the set, as above; an eighth different set in a program counts as 0
 * Source:      language.md 1.8
 */
void occ_affinity_set(Process *me, int32_t mask);

/**
 * occ_switch -- save the caller, resume another process; the fast half of parking.
 *
 * Implements:  the inlined park, when Worker.mode is 0 and the queue is not empty.
 * Parameters:  next    a process the caller has taken off the run queue.
 *              worker  the worker of the caller, which next runs on.
 * Units:       none
 * Returns:     nothing, when the caller is resumed.
 * Waits:       may park (the reason in me->wait).
 * Order:       next runs at once.
 * Memory:      allocates nothing; 8 bytes of the caller's stack.
 * Errors:      none
 * Source:      decision 0001
 */
OCC_PN OccMe occ_switch(Process *me, void *next, void *worker, void *rest);

/**
 * occ_fork_pause -- let the ready processes run, if very many have been forked.
 *
 * Implements:  a FORK that finds no free block: those that run now may leave theirs, so that a loop
 *              that forks a million processes needs memory for some hundred.
 * Parameters:  none
 * Units:       none
 * Returns:     nothing.
 * Waits:       may park (RESCHEDULE), but not for the first FORK_PAUSE_AFTER calls.
 * Order:       the caller becomes the last of the ready ones.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 2.7
 */
OCC_PN OccMe occ_fork_pause(Process *me);

/**
 * occ_block_allocate -- a block for a new process.
 *
 * Implements:  the start of a PAR branch, when the free list of its size is empty.
 * Parameters:  size_bytes  the constant body$stk of the link step: stack and descriptor.
 *              site        of the PAR or FORK, for the error.
 * Units:       bytes, a multiple of 16 (others are rounded up).
 * Returns:     the Process, with entry_return, worker and size_class set and sp 0;
 *              the caller stores data, join, index, the words of its stack, and sp.
 * Waits:       never parks.
 * Order:       none
 * Memory:      a block; it goes back when the process ends.
 * Errors:      NO_MEMORY (always; exit status 3).
 * Source:      decision 0001
 */
void *occ_block_allocate(Process *me, int64_t size_bytes, const Site *site);

/**
 * occ_call_on_segment -- call a routine that may wait on a block of its own.
 *
 * Implements:  a recursion edge between PROCs that may wait.
 * Parameters:  body         preserve_none, (me, environment).
 *              environment  handed to the body.
 *              size_bytes   the constant body$stk.
 *              site         of the call, for the error.
 * Units:       bytes.
 * Returns:     nothing, when the body has returned; the block is free again.
 * Waits:       may park (whatever the body waits for).
 * Order:       none
 * Memory:      one block while the body runs.
 * Errors:      NO_MEMORY (always; exit status 3).
 * Source:      decision 0019
 */
OCC_PN OccMe occ_call_on_segment(Process *me, void *body, void *environment, int64_t size_bytes,
                                 const Site *site);

/**
 * occ_call_on_segment_c -- call a routine that never waits on a block of its own.
 *
 * Implements:  a recursion edge between routines that never wait.
 * Parameters:  as occ_call_on_segment, but body has the C convention.
 * Units:       bytes.
 * Returns:     nothing, when the body has returned; the block is free again.
 * Waits:       never parks.
 * Order:       none
 * Memory:      one block while the body runs.
 * Errors:      NO_MEMORY (always; exit status 3).
 * Source:      decision 0019
 */
void occ_call_on_segment_c(Process *me, void *body, void *environment, int64_t size_bytes,
                           const Site *site);

/**
 * occ_heap_allocate -- memory for an object that does not fit into a block.
 *
 * Implements:  arrays above some 4 KB, arrays whose size is known at run time only.
 * Parameters:  size_bytes  0 is allowed.
 *              site        where it is wanted, for the error.
 * Units:       bytes.
 * Returns:     16-aligned memory; its contents are anything.
 * Waits:       never parks.
 * Order:       none
 * Memory:      the object, until occ_heap_free.
 * Errors:      NO_MEMORY (always; exit status 3).
 * Source:      decision 0001
 */
void *occ_heap_allocate(Process *me, int64_t size_bytes, const Site *site);

/**
 * occ_heap_allocate_zero -- the same, all zero: a variable that may be read before it is written.
 *
 * Source:      language.md 3.1 (a variable without a value)
 */
void *occ_heap_allocate_zero(Process *me, int64_t size_bytes, const Site *site);

/**
 * occ_heap_free -- give an object of occ_heap_allocate back.
 *
 * Implements:  the end of the scope of such an object.
 * Parameters:  object  or NULL, which does nothing.
 * Units:       none
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       none
 * Memory:      frees the object.
 * Errors:      none
 * Source:      decision 0001
 */
void occ_heap_free(Process *me, void *object);

/**
 * occ_channel_input -- take one message from a channel.
 *
 * Implements:  c ? v, whenever the channel is not empty and its word is not a
 *              plain partner (those two cases are inlined).
 * Parameters:  channel     the channel; in scope as long as anybody uses it.
 *              into        first byte of the destination; valid for size_bytes.
 *              size_bytes  the size of the message; 0 is allowed (a signal).
 *              site        the place: WAIT_INPUT or WAIT_DEVICE.
 * Units:       bytes.
 * Returns:     nothing; the message has been transferred.
 * Waits:       may park (INPUT, DEVICE) until a partner comes; does not park
 *              when one waits, nor at a device that can go on.
 * Order:       the sender becomes ready before this returns.
 * Memory:      allocates nothing; the message is copied once.
 * Errors:      TWO_READERS when another process inputs from the channel already
 *              (always); CLOSED (always). Sizes agree by the compiler's checks.
 * Source:      decision 0001; language.md 1.5
 */
OCC_PN OccMe occ_channel_input(Process *me, void *channel, void *into, int64_t size_bytes,
                               const Site *site);

/**
 * occ_channel_output -- give one message to a channel.
 *
 * Implements:  c ! v, whenever the channel is not empty and its word is not a
 *              plain partner (those two cases are inlined).
 * Parameters:  channel     the channel; in scope as long as anybody uses it.
 *              from        first byte of the message; valid for size_bytes.
 *              size_bytes  the size of the message; 0 is allowed (a signal).
 *              site        the place: WAIT_OUTPUT or WAIT_DEVICE.
 * Units:       bytes.
 * Returns:     nothing; the message has been transferred.
 * Waits:       may park (OUTPUT, DEVICE) until a partner comes; does not park
 *              when one waits, nor at a device that can go on.
 * Order:       the receiver becomes ready before this returns.
 * Memory:      allocates nothing; the message is copied once.
 * Errors:      TWO_WRITERS when another process outputs to the channel already
 *              (always); CLOSED (always). Sizes agree by the compiler's checks.
 * Source:      decision 0001; language.md 1.5
 */
OCC_PN OccMe occ_channel_output(Process *me, void *channel, void *from, int64_t size_bytes,
                                const Site *site);

/**
 * occ_claim -- wait until a shared end is the caller's.
 *
 * Implements:  CLAIM of an end that somebody holds.
 * Parameters:  claim  the lock of the end.
 *              site   where, for reports.
 * Units:       none
 * Returns:     nothing, when the caller holds the end.
 * Waits:       may park (CLAIM).
 * Order:       first come, first served.
 * Memory:      allocates nothing; those that wait are linked by me->data.
 * Errors:      none
 * Source:      language.md 2.5
 */
OCC_PN OccMe occ_claim(Process *me, void *claim, const Site *site);

/**
 * occ_claim_release -- the end of a CLAIM while others wait.
 *
 * Implements:  leaving a CLAIM when somebody waits for the end.
 * Parameters:  claim  the lock of an end that the caller holds.
 * Units:       none
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       the process that has waited longest holds the end now, and is ready.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 2.5
 */
void occ_claim_release(Process *me, void *claim);

/**
 * occ_clock_begin -- a new clock, its declarer enrolled and active in phase 0.
 *
 * Implements:  CLOCK c:, BARRIER b:
 * Parameters:  registration  of the declarer, filled in.
 *              clock         in the same frame, filled in.
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       none.
 * Memory:      allocates nothing.
 * Errors:      none; the compiler has checked the state (CK1-CK11)
 * Source:      language.md 4.3
 */
void occ_clock_begin(Process *me, void *registration, void *clock);

/**
 * occ_clock_lend -- the caller is about to start branches that are enrolled.
 *
 * Implements:  PAR ENROLL c
 * Parameters:  registration  of the caller, active.
 *              branches      how many will be enrolled: one at least.
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       none.
 * Memory:      allocates nothing.
 * Errors:      none; the compiler has checked the state (CK1-CK11)
 * Source:      language.md 4.3
 */
void occ_clock_lend(Process *me, void *registration, int64_t branches);

/**
 * occ_clock_enrol -- one more member, in the phase of the caller: a process that is FORKed.
 *
 * Implements:  FORK p (c)
 * Parameters:  registration  of the caller, active.
 *              enrolled      room for the new one.
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       none.
 * Memory:      allocates nothing.
 * Errors:      none; the compiler has checked the state (CK1-CK11)
 * Source:      language.md 4.3
 */
void occ_clock_enrol(Process *me, void *registration, void *enrolled);

/**
 * occ_clock_hand_back -- an enrolled branch has ended.
 *
 * Implements:  the end of a branch: the last hands its registration back, the others leave.
 * Parameters:  registration  of the branch.
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       the others that wait go on when this arrival was the last.
 * Memory:      allocates nothing.
 * Errors:      none; the compiler has checked the state (CK1-CK11)
 * Source:      language.md 4.3
 */
void occ_clock_hand_back(Process *me, void *registration);

/**
 * occ_clock_resume -- arrive without waiting.
 *
 * Implements:  RESUME c
 * Parameters:  registration  of the caller.
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       the others that wait go on when this arrival was the last.
 * Memory:      allocates nothing.
 * Errors:      none; the compiler has checked the state (CK1-CK11)
 * Source:      language.md 4.3
 */
void occ_clock_resume(Process *me, void *registration);

/**
 * occ_clock_leave -- leave a clock.
 *
 * Implements:  DROP c, the beginning of RESIGN b
 * Parameters:  registration  of the caller, active or resumed.
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       the others that wait go on when this arrival was the last.
 * Memory:      allocates nothing.
 * Errors:      none; the compiler has checked the state (CK1-CK11)
 * Source:      language.md 4.3
 */
void occ_clock_leave(Process *me, void *registration);

/**
 * occ_clock_rejoin -- enrol again, in the phase that runs.
 *
 * Implements:  the end of RESIGN b
 * Parameters:  registration  of the caller, which has left.
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       none.
 * Memory:      allocates nothing.
 * Errors:      none; the compiler has checked the state (CK1-CK11)
 * Source:      language.md 4.3
 */
void occ_clock_rejoin(Process *me, void *registration);

/**
 * occ_clock_next -- arrive, unless resumed, and wait for the end of the phase.
 *
 * Implements:  NEXT c, SYNC b
 * Parameters:  registration  of the caller, active or resumed.
 *              site          where, for reports.
 * Returns:     nothing; the registration is active in the next phase.
 * Waits:       may park (CLOCK).
 * Order:       the others that wait go on when this arrival was the last.
 * Memory:      allocates nothing.
 * Errors:      none; the compiler has checked the state (CK1-CK11)
 * Source:      language.md 4.3
 */
OCC_PN OccMe occ_clock_next(Process *me, void *registration, const Site *site);

/**
 * occ_clock_elect -- the first half of NEXT with a block.
 *
 * Implements:  NEXT c and a block that one process runs before anybody goes on.
 * Parameters:  the registration, active; the site of the NEXT.
 * Assumes:     all members come to this NEXT, and none has resumed before it.
 * Returns:     to the last to arrive at once, with the state REGISTRATION_ELECTED: it runs the
 *              block and ends the phase by occ_clock_next; to the others in the next phase.
 * Waits:       may park (NEXT).
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.3
 */
OCC_PN OccMe occ_clock_elect(Process *me, void *registration, const Site *site);

/**
 * occ_gate -- where every choice is controlled, wait for the turn of an operation.
 *
 * Implements:  nothing; it comes before CLOSE, CLOSED, and what module sync does at once.
 * Parameters:  object  whose order others can see: a channel, a record of module sync.
 *              kind    what follows (explore_kind.def).
 *              site    where, for lists of choices.
 * Units:       none
 * Returns:     nothing, when it is the caller's turn; at once unless every choice is controlled.
 * Waits:       may park (the site's reason).
 * Order:       as the list of choices has it.
 * Memory:      a record for each that waits.
 * Errors:      none
 * Source:      our choice; runtime/explore/gate.h
 */
OCC_PN OccMe occ_gate(Process *me, void *object, int32_t kind, const Site *site);

/**
 * occ_channel_close -- close a channel.
 *
 * Implements:  CLOSE c!, CLOSE c?
 * Parameters:  channel  the channel.
 *              site     the place, for the reports of those who use it later.
 * Units:       none
 * Returns:     nothing; the channel is closed for good. Closing again does nothing.
 * Waits:       never parks.
 * Order:       a partner in WHILE c ? x and ALTs with guards on the channel become ready.
 * Memory:      allocates nothing.
 * Errors:      CLOSED in a partner that waits in an ordinary input or output.
 * Source:      language.md 4.2
 */
void occ_channel_close(Process *me, void *channel, const Site *site);

/**
 * occ_closed -- is the channel closed?
 *
 * Implements:  CLOSED c? where c may be a device.
 * Parameters:  channel  the channel.
 * Units:       none
 * Returns:     1 when it is closed, or a device at its end of which all has been read; else 0.
 * Waits:       never parks; reads ahead what is there.
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 4.2
 */
int32_t occ_closed(Process *me, void *channel);

/**
 * occ_bundle_keep, occ_bundle_drop -- one more holder of an end of a channel bundle, one less.
 *
 * Implements:  a copy of a shared end; the end of a variable, message or process that held one.
 * Parameters:  bundle     the Bundle.
 *              is_server  1 for the ? end, 0 for the ! end.
 * Units:       none
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       when the last holder of an end lets go, the channels become closed.
 * Memory:      the bundle goes back when neither end has a holder.
 * Errors:      CLOSED in a partner that waits in an ordinary input or output.
 * Source:      language.md 2.8, 4.2
 */
void occ_bundle_keep(Process *me, void *bundle, int32_t is_server);
void occ_bundle_drop(Process *me, void *bundle, int32_t is_server);

/**
 * occ_shared_keep, occ_shared_drop -- the life of a shared channel.
 *
 * Implements:  a forked process that is given a shared channel, its end; the end of the scope that
 *              declared it, in a program that FORKs.
 * Parameters:  channel  the SharedChannel, contents of a mobile block.
 * Units:       none
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       none
 * Memory:      the channel goes back with the last drop.
 * Errors:      none
 * Source:      language.md 2.5, 2.7
 */
void occ_shared_keep(Process *me, void *channel);
void occ_shared_drop(Process *me, void *channel);

/**
 * occ_alt_select -- choose one of the guards of an ALT.
 *
 * Implements:  ALT and PRI ALT.
 * Parameters:  alt   the record: header and `count` guards, filled; state is 0.
 *              site  the place: WAIT_ALT.
 * Units:       guards' deadlines: microseconds, 32 bits, compared modulo 2^32.
 * Returns:     nothing; Alt.chosen is the position of the guard. The chosen
 *              channel guard's own transfer is still to be done, and finds its
 *              partner waiting.
 * Waits:       may park (ALT) when no guard is ready.
 * Order:       PRI ALT: the textually first ready guard. ALT: cyclic from a random
 *              one; a ready channel beats SKIP and an expired timer, SKIP beats
 *              waiting; of several deadlines the nearest.
 * Memory:      allocates nothing per guard.
 * Errors:      NO_GUARD when every guard is off or there is none (always);
 *              TWO_READERS, TWO_WRITERS (always).
 * Source:      language.md 1.5, 4.1
 */
OCC_PN OccMe occ_alt_select(Process *me, void *alt, const Site *site);

/**
 * occ_foreign_call -- call a C function on the system stack.
 *
 * Implements:  C.name (...)
 * Parameters:  function  what takes the arguments out of the record and calls C.
 *              record    4 words for the runtime, the result, the arguments.
 * Units:       none
 * Returns:     nothing; results are in the record and where the arguments point.
 * Waits:       never parks; whatever C waits for, the whole worker waits for.
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      our choice, decision 0011
 */
void occ_foreign_call(Process *me, void *function, void *record);

/**
 * occ_blocking_call -- call a C function on a thread of its own while other processes run.
 *
 * Implements:  B.name (...), BX.name (...)
 * Parameters:  function  what takes the arguments out of the record and calls C.
 *              record    4 words for the runtime, the result, the arguments.
 *              site      the place: WAIT_BLOCKING_CALL.
 * Units:       none
 * Returns:     nothing; results are in the record and where the arguments point.
 * Waits:       may park (BLOCKING_CALL); always parks, until C has returned.
 * Order:       calls of several processes run at the same time, in any order.
 * Memory:      a thread, which is used again.
 * Errors:      none; without any thread the program ends with exit status 3.
 * Source:      our choice, decision 0011
 */
OCC_PN OccMe occ_blocking_call(Process *me, void *function, void *record, const Site *site);

/**
 * occ_kill_call -- end a blocking call of C.
 *
 * Implements:  KILLCALL (c, result)
 * Parameters:  channel  the first argument of the call, one of BX.name.
 * Units:       none
 * Returns:     0: the call is ended, at the next cancellation point of its thread (POSIX), or has
 *              not begun and does not; -1: none is known by the channel, or it has been killed.
 * Waits:       never parks.
 * Order:       the process that called goes on when the thread has left the C function.
 * Memory:      the thread of a call that is ended is gone; others are started as they are needed.
 * Errors:      none
 * Source:      decision 0041
 */
int32_t occ_kill_call(Process *me, void *channel);

/**
 * occ_time_now -- the time.
 *
 * Implements:  t ? x
 * Parameters:  none
 * Units:       microseconds since the start of the program; wraps at 2^32.
 * Returns:     the time as an INT.
 * Waits:       never parks.
 * Order:       never goes backwards, but for the wrap.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 1.5
 */
int32_t occ_time_now(Process *me);

/**
 * occ_wall_time -- the wall clock.
 *
 * Implements:  WALL.TIME
 * Parameters:  none
 * Units:       microseconds since 1970-01-01 00:00:00 UTC.
 * Returns:     the date; in virtual time it begins at 2000-01-01.
 * Waits:       never parks.
 * Order:       may go backwards when the clock is set.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 1.8
 */
int64_t occ_wall_time(Process *me);

/**
 * occ_timer_wait -- wait until the time is AFTER a deadline.
 *
 * Implements:  t ? AFTER e
 * Parameters:  deadline  an INT.
 *              site      the place: WAIT_TIMER.
 * Units:       microseconds, compared modulo 2^32: less than 2^31 ahead is ahead.
 * Returns:     nothing; the time is AFTER the deadline.
 * Waits:       may park (TIMER); does not park when the time is AFTER it already.
 * Order:       equal deadlines are woken in order of arrival.
 * Memory:      an entry of the deadline queue.
 * Errors:      NO_MEMORY (always; exit status 3).
 * Source:      language.md 1.5
 */
OCC_PN OccMe occ_timer_wait(Process *me, int32_t deadline, const Site *site);

/**
 * occ_error -- report an error of the program and end it.
 *
 * Implements:  every run-time check, STOP, CAUSEERROR, ASSERT.
 * Parameters:  site     the place; its kind is the ERROR_ that has happened.
 *              a, b, c  the values of its message (error.def).
 * Units:       none
 * Returns:     never.
 * Waits:       never returns.
 * Order:       all output is written first.
 * Memory:      allocates nothing.
 * Errors:      that of the site; exit status 1.
 * Source:      language.md 3.6
 */
_Noreturn void occ_error(Process *me, const Site *site, int64_t a, int64_t b, int64_t c);

/**
 * occ_error_words -- occ_error of values that are words.
 *
 * Implements:  every run-time check, STOP, CAUSEERROR, ASSERT.
 * Parameters:  site     the place; its kind is the ERROR_ that has happened.
 *              a, b, c  the values of its message (error.def), widened with sign.
 * Units:       none
 * Returns:     never.
 * Waits:       never returns.
 * Order:       all output is written first.
 * Memory:      allocates nothing.
 * Errors:      that of the site; exit status 1.
 * Source:      language.md 3.6
 */
_Noreturn void occ_error_words(Process *me, const Site *site, int32_t a, int32_t b, int32_t c);

/**
 * occ_real32_remainder -- the IEEE remainder.
 *
 * Implements:  REM of REAL32.
 * Parameters:  x, y  the operands.
 * Units:       none
 * Returns:     x - y * n, n the whole number nearest to x / y.
 * Waits:       never parks.
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      none (NaN where IEEE says so)
 * Source:      language.md 1.6
 */
float occ_real32_remainder(Process *me, float x, float y);

/**
 * occ_real64_remainder -- the IEEE remainder.
 *
 * Implements:  REM of REAL64.
 * Parameters:  x, y  the operands.
 * Units:       none
 * Returns:     x - y * n, n the whole number nearest to x / y.
 * Waits:       never parks.
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      none (NaN where IEEE says so)
 * Source:      language.md 1.6
 */
double occ_real64_remainder(Process *me, double x, double y);

/**
 * occ_real_function -- a function of real_function.def.
 *
 * Implements:  SIN, COS, ... of the predefined routines.
 * Parameters:  number  REAL_FUNCTION_<NAME>.
 *              x, y    the operands; y is not looked at where there is one.
 * Units:       angles: radians.
 * Returns:     the value.
 * Waits:       never parks.
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      none (NaN and infinities where IEEE says so)
 * Source:      language.md 1.8
 */
double occ_real_function(Process *me, int32_t number, double x, double y);

/**
 * occ_ieee_operation -- one operation with a rounding of its own.
 *
 * Implements:  IEEE32OP, IEEE64OP.
 * Parameters:  code    operator and rounding (real.h).
 *              x, y    the operands.
 *              result  where the value goes.
 * Units:       none
 * Returns:     1 for overflow, division by zero or an invalid operation, else 0.
 * Waits:       never parks.
 * Order:       the rounding mode is as before afterwards.
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 1.8
 */
int32_t occ_ieee_operation(Process *me, int32_t code, double x, double y, void *result);

/**
 * occ_argument_reduce -- reduce the argument of a periodic function.
 *
 * Implements:  ARGUMENT.REDUCE, DARGUMENT.REDUCE.
 * Parameters:  is_short  1 for REAL32.
 *              x, y      argument and period.
 *              result    [0] the remainder, [1] the whole quotient.
 * Units:       none
 * Returns:     1 when the quotient is small enough to correct by (real.h), else 0.
 * Waits:       never parks.
 * Order:       none
 * Memory:      allocates nothing.
 * Errors:      none
 * Source:      language.md 1.8
 */
int32_t occ_argument_reduce(Process *me, int32_t is_short, double x, double y, void *result);

/**
 * occ_port_input -- read from the port space.
 *
 * Implements:  input from a PORT.
 * Parameters:  port      the number PLACE gave it.
 *              data      where the bytes go.
 *              site      of ERROR_PORT.
 * Units:       size_bytes
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       as in the program.
 * Memory:      allocates nothing.
 * Errors:      ERROR_PORT: the system gives no access.
 * Source:      language.md 1.4
 */
void occ_port_input(Process *me, void *port, void *data, int64_t size_bytes, const Site *site);

/**
 * occ_port_output -- write to the port space.
 *
 * Implements:  output to a PORT.
 * Parameters:  port      the number PLACE gave it.
 *              data      where the bytes lie.
 *              site      of ERROR_PORT.
 * Units:       size_bytes
 * Returns:     nothing.
 * Waits:       never parks.
 * Order:       as in the program.
 * Memory:      allocates nothing.
 * Errors:      ERROR_PORT: the system gives no access.
 * Source:      language.md 1.4
 */
void occ_port_output(Process *me, void *port, void *data, int64_t size_bytes, const Site *site);

/**
 * occ_extended_end -- the process of an extended input from a device has ended.
 *
 * Implements:  c ?? x where the other end is on another machine: its output ends now.
 * Parameters:  channel  its word has TAG_DEVICE.
 * Waits:       never parks.
 * Source:      extensions.md 8
 */
void occ_extended_end(Process *me, void *channel);

/* Not called by name but by address: a new process's stack holds occ_process_start, a descriptor's
 * entry_return is occ_process_end (layout.def). */
void occ_process_start(void);
void occ_process_end(void);

#include "runtime_mobile.h"
#include "runtime_placed.h"
#include "runtime_sync.h"

#endif
