/* remote_choice -- ALTs whose partner may be on another machine (decision 0058).
 *
 * Owns:   OFFER, TAKE, ASK and NO; ALTs that are claimed until their partner agrees.
 * Leaves: messages to remote_end.h. A plain writer's message is committed, and so is a plain
 *         reader's TAKE: an ALT chooses such guards like any others, by rt_alt_claim.
 * Holds:  only two ALTs must agree. The writer's ALT sends an OFFER to the reader's machine. The
 *         reader's ALT, if it has an offer, is claimed for that channel (it asks: nobody else can
 *         win it) with a turn, a number that no other ALT has. The writer's ALT answers by its
 *         state:
 *
 *             it waits                             it is won, and its output is the answer
 *             it asks itself, with the lower turn  the ASK waits for the answer to its
 *                                                  own: after a NO it agrees with one such ASK
 *             it asks itself, with the higher turn NO
 *             it has looked and not waited         the ASK waits a moment for its next look
 *             it has gone                          NO
 *
 *         An ALT waits only for an asking ALT with a lower turn, so there is no cycle. An ALT asks
 *         when it waits, and also when that guard is the one to take at a look: then it waits for
 *         such ends only. After a NO it looks at all its guards again and offers again, so that a
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
/* A plain input begins to wait: tell a writer that has offered. */
void remote_choice_wait_plainly(RemoteEnd *end);
/* A message is pending, and no plain input waits for it. */
void remote_choice_data_came(Worker *worker, RemoteEnd *end);
/* ALTs that have begun to wait ask for what they have been offered. */
void remote_choice_look(Worker *worker);
/* The ASK of its ALT is answered by NO. */
void remote_choice_refused(Worker *worker, RemoteEnd *end);
/* The claimed ALT looks at its guards again. */
void remote_choice_again(Worker *worker, Alt *alt);
/* Nobody uses the end any more: an ASK not answered yet is refused. */
void remote_choice_leave(RemoteEnd *end);
/* The end is removed. */
void remote_choice_forget(const RemoteEnd *end);
/* Refuse ASKs whose poll has not come in time. How long until the next; negative: none waits. */
int64_t remote_choice_expire(bool is_idle);
/* True: the message is kept. */
bool remote_choice_hear(Worker *worker, Machine *machine, Message *message);

#endif
