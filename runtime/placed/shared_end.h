/* shared_end -- CLAIM of an end that processes on several machines share, by a turn passed around.
 *
 * Owns:   where the turn of a shared end is, and who wants it.
 * Leaves: who holds the end on a machine to its Claim (channel/claim.h), messages to remote_end.h.
 * Holds:  inside the world. A place is an environment that has the end: the home's, or that of a
 *         placement. One place has the turn, at first the home's. Only there is the Claim ever
 *         free; at other places it is held, by nobody, so all claimants queue. A place where
 *         somebody waits asks the home (CLAIM); the home tells the place with the turn that others
 *         want it (WANTED); when the Claim is free there, the turn goes home (RETURN) and on
 *         (TURN), first come first served. While others want it, later claimants at the place with
 *         the turn queue behind them. Only the end with the turn is used: it says HELLO at its
 *         first use. Messages for it that come before it goes home and are not taken, or come
 *         later, go to the home, which keeps them for the next one. So no message or offer is lost;
 *         answers go to who asked (Message.origin). Model: test/model/shared_end.pml. */
#ifndef RT_SHARED_END_H
#define RT_SHARED_END_H

#include "claim.h"
#include "remote_end.h"

/* The end and its twin become a place of the sides that are shared (PLACED_SHARED_...). */
void shared_end_begin(RemoteEnd *end, uint32_t sides, bool has_turns);
/* It is a place no more: whoever waits here has the end of an ordinary channel. */
void shared_end_end(Worker *worker, RemoteEnd *end);
/* The placement of this environment has ended. */
void shared_end_leave(const Copy *copy);
/* The end is no longer used here: what has come for it, or comes later, goes to the home. */
void shared_end_withdraw(RemoteEnd *end);
/* Ask for turns, and give turns back. */
void shared_end_look(void);
void shared_end_hear(Worker *worker, Machine *machine, const Message *message);

/* The shared ends of the machines here, linked by next_shared. */
const RemoteEnd *shared_ends_first(void);
Claim *shared_end_claim(const RemoteEnd *end, uint32_t side);

/* ---- at the home ---- */
void shared_turns_begin(Link *link, uint32_t place);
void shared_turns_end(Link *link);
/* Send the message on to the end, or keep it. False: it is for nobody. */
bool shared_turns_pass(const Machine *machine, Message *message);
/* An end of that side is there. */
void shared_turns_arrived(const Machine *machine, Link *link, uint32_t side);
/* A machine is lost: it neither has nor wants the turn any more. */
void shared_turns_lose(const Machine *machine, Link *link, uint32_t side, uint32_t lost);
/* The channel is closed: answer messages that are kept. */
void shared_turns_closed(const Machine *machine, Link *link);
void shared_turns_hear(const Machine *machine, const Message *message);

#endif
