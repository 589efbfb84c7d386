/* remote_choice -- ALTs whose partner may be on another machine (decision 0058).
 *
 * Owns:   OFFER, TAKE, ASK and NO; ALTs that are claimed for a partner who has still to agree.
 * Leaves: messages to remote_end.h. A plain writer's message is a fact, and so is a plain reader's
 *         TAKE: an ALT chooses such guards as any others, by rt_alt_claim.
 * Holds:  only two ALTs must agree. The writer's OFFERs to the reader's machine. The reader's, if
 *         it has an offer, is claimed for that channel (it asks: nobody else can win it) with a
 *         turn, a number that no other ALT has. The writer's answers for the number of the offer:
 *
 *             it waits                                 it is won, and its output is the answer
 *             it asks itself, with the lower turn      the answer waits for its own: after a NO it
 *                                                      agrees with one that waits for it
 *             it asks itself, with the higher turn     NO
 *             it has looked and not waited             the answer waits a moment for its next look
 *             it has gone                              NO
 *
 *         Whoever waits for an asking ALT has a higher turn: so nobody waits in a cycle. An ALT
 *         asks when it waits, and also when it looks and that guard is the one to take: then it
 *         waits in such ends alone. A NO lets it look at all its guards anew, and offer anew: so a
 *         refused partner has news. */
#ifndef RT_REMOTE_CHOICE_H
#define RT_REMOTE_CHOICE_H

#include "remote_end.h"

/* DeviceKind.look, .enrol */
bool remote_choice_guard(Device *device, unsigned kind);
bool remote_choice_enrol(Device *device, Process *me, Alt *alt, unsigned kind);
/* DeviceKind.must_ask, .ask */
bool remote_choice_must_ask(const Device *device);
void remote_choice_ask(Device *device);
/* A plain input begins to wait: who has offered is told. */
void remote_choice_wait_plainly(RemoteEnd *end);
/* A message is pending, and no plain input waits for it. */
void remote_choice_data_came(Worker *worker, RemoteEnd *end);
/* ALTs that have begun to wait ask for what they have been offered. */
void remote_choice_look(Worker *worker);
/* What its ALT has asked is answered by NO. */
void remote_choice_refused(Worker *worker, RemoteEnd *end);
/* The ALT, which has been claimed, looks at its guards anew. */
void remote_choice_again(Worker *worker, Alt *alt);
/* Nobody uses the end any more: who has asked it and not been answered yet is refused. */
void remote_choice_leave(RemoteEnd *end);
/* The end goes. */
void remote_choice_forget(const RemoteEnd *end);
/* Polls that were waited for have not come. How long there are some yet; negative: none. */
int64_t remote_choice_expire(bool is_idle);
/* True: the message is kept. */
bool remote_choice_hear(Worker *worker, Machine *machine, Message *message);

#endif
