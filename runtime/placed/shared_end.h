/* shared_end -- CLAIM of an end that processes on several machines share: its turn goes round.
 *
 * Owns:   where the turn of a shared end is, and who wants it.
 * Leaves: who holds the end on a machine to its Claim (channel/claim.h), messages to remote_end.h.
 * Holds:  inside the world. A place is an environment that has the end: the home's, or that of a
 *         placement. One place has the turn, at first the home's, and only there the Claim is ever
 *         free; at the others it is held, by nobody, so all who claim line up. A place where
 *         somebody waits asks the home (CLAIM); the home tells who has the turn that others want it
 *         (WANTED); when the Claim is free there, the turn goes back (RETURN), and on (TURN), first
 *         come first served. While others want it, those who line up here do so behind them.
 *         Only what has the turn is an end: it says HELLO when it is first used. What had come for
 *         it before it went back, or comes later, goes to the home, which keeps it for the next
 *         one. So no message is lost, nor an offer; answers go to who asked (Message.origin).
 *         test/model/shared_end.pml has all of it. */
#ifndef RT_SHARED_END_H
#define RT_SHARED_END_H

#include "claim.h"
#include "remote_end.h"

/* The end and its twin are a place of the sides that are shared (PLACED_SHARED_...). */
void shared_end_begin(RemoteEnd *end, uint32_t sides, bool has_turns);
/* It is one no more: whoever waits here has the end of an ordinary channel. */
void shared_end_end(Worker *worker, RemoteEnd *end);
/* The placement of this environment has ended. */
void shared_end_leave(const Copy *copy);
/* It is used here no more: what has come for it goes to the home, as what comes later does. */
void shared_end_withdraw(RemoteEnd *end);
/* Turns are asked for and go back. */
void shared_end_look(void);
void shared_end_hear(Worker *worker, Machine *machine, const Message *message);

/* Those of the machines here, linked by next_shared. */
const RemoteEnd *shared_ends_first(void);
Claim *shared_end_claim(const RemoteEnd *end, uint32_t side);

/* ---- at the home ---- */
void shared_turns_begin(Link *link, uint32_t place);
void shared_turns_end(Link *link);
/* False: it is for nobody. */
bool shared_turns_pass(const Machine *machine, Message *message);
/* An end of that side is there. */
void shared_turns_arrived(const Machine *machine, Link *link, uint32_t side);
/* A machine is lost: it has the turn no more, nor wants it. */
void shared_turns_lose(const Machine *machine, Link *link, uint32_t side, uint32_t lost);
/* The channel is: what is kept is answered. */
void shared_turns_closed(const Machine *machine, Link *link);
void shared_turns_hear(const Machine *machine, const Message *message);

#endif
