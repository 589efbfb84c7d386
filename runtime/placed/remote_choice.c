/* remote_choice -- see remote_choice.h. */
#include "remote_choice.h"

#include "alt_look.h"
#include "close.h"
#include "deadline_queue.h"
#include "os.h"
#include "scheduler.h"
#include "shared_end.h"

enum { HOLD_NS = 10000000 };

static RemoteEnd *held;    /* output ends with an ASK that waits for a poll */
static RemoteEnd *to_look; /* input ends with an offer, in an ALT that has begun to wait */

static void look_later(RemoteEnd *end) {
    if (!end->is_to_look) {
        end->is_to_look = true;
        end->next_look = to_look;
        to_look = end;
    }
}

/* ---- the guards of an ALT that are ends ---- */

static RemoteEnd *end_at(const Alt *alt, uint32_t position) {
    const AltGuard *guard = &alt->guards[position];
    RemoteEnd *end = is_channel_guard(guard) ? remote_end_of_channel(guard->object) : NULL;
    bool is_twins = end != NULL && end->twin != NULL && guard->kind == GUARD_OUTPUT;
    return is_twins ? end->twin : end;
}

/* The end that the ALT asks by; NULL: it asks nobody. */
static const RemoteEnd *asking_end(const Alt *alt) {
    for (uint32_t i = 0; i < alt->count; i++) {
        const RemoteEnd *end = end_at(alt, i);
        if (end != NULL && end->asked != 0 && end->device.alt == alt) {
            return end;
        }
    }
    return NULL;
}

static void refuse(RemoteEnd *end, uint64_t offer, uint32_t who) {
    if (end->offer == offer) {
        end->offer = 0; /* the next ALT offers anew */
    }
    Message *no = message_make(MESSAGE_NO, end->number, 0);
    no->number = offer;
    remote_end_answer(end, who, no);
}

/* ASKs that wait for this ALT's own to be answered: if free it agrees with one; others get NO. */
static RemoteEnd *answer_waiting(const Alt *alt, bool is_free) {
    RemoteEnd *agreed = NULL;
    for (uint32_t i = 0; i < alt->count; i++) {
        RemoteEnd *end = end_at(alt, i);
        if (end == NULL || end->asked_back == 0 || end->device.alt != alt) {
            continue;
        }
        if (is_free && agreed == NULL) {
            agreed = end;
            end->reader_waits = true;
        } else {
            refuse(end, end->asked_back, end->asked_by);
        }
        end->asked_back = 0;
    }
    return agreed;
}

/* ---- asking ---- */

static void ask(RemoteEnd *end) {
    Alt *alt = end->device.alt;
    if (alt == NULL || end->offered == 0 || end->pending != NULL ||
        !rt_alt_claim(alt, end->device.channel)) {
        return;
    }
    end->asked = end->offered;
    end->turn = ++end->machine->turns * rt_machines.count + end->machine->number;
    Message *message = message_make(MESSAGE_ASK, end->number, 0);
    message->number = end->asked;
    message->turn = end->turn;
    remote_end_answer(end, end->offered_by, message);
}

bool remote_choice_must_ask(const Device *device) {
    const RemoteEnd *end = (const RemoteEnd *)(const void *)device;
    return end->side == END_INPUT && end->offered != 0 && end->pending == NULL;
}

/* An ASK that waits for this poll may have a lower turn, and must not wait for this one too. */
void remote_choice_ask(Device *device) {
    ask(remote_end_of(device));
    (void)answer_waiting(device->alt, false);
}

void remote_choice_look(Worker *worker) {
    (void)worker;
    while (to_look != NULL) {
        RemoteEnd *end = to_look;
        to_look = end->next_look;
        end->is_to_look = false;
        ask(end);
    }
}

void remote_choice_again(Worker *worker, Alt *alt) {
    alt->winner = (Channel *)(uintptr_t)alt->process->wait;
    alt->nearest = ALT_AGAIN;
    rt_scheduler_ready(worker, alt->process);
}

static void hear_no(Worker *worker, RemoteEnd *end, const Message *message) {
    if (end->offered == message->number) {
        end->offered = 0;
    }
    if (end->asked == message->number) {
        remote_choice_refused(worker, end);
    }
}

void remote_choice_refused(Worker *worker, RemoteEnd *end) {
    Alt *alt = end->device.alt;
    end->asked = 0;
    RemoteEnd *agreed = answer_waiting(alt, true);
    if (agreed != NULL) {
        alt->winner = agreed->device.channel;
        rt_scheduler_ready(worker, alt->process);
    } else {
        remote_choice_again(worker, alt);
    }
    remote_close_show(worker, end); /* closed meanwhile, by the other side */
}

void remote_choice_data_came(Worker *worker, RemoteEnd *end) {
    Alt *alt = end->device.alt;
    if (end->asked != 0) {
        end->asked = 0;
        (void)answer_waiting(alt, false);
        rt_scheduler_ready(worker, alt->process);
    } else if (alt != NULL && rt_alt_claim(alt, end->device.channel)) {
        rt_scheduler_ready(worker, alt->process);
    }
}

/* ---- waiting ---- */

/* An offer stands until it is refused, or a message has gone. */
static void offer(RemoteEnd *end) {
    if (end->offer == 0) {
        end->offer = ++end->machine->offers * rt_machines.count + end->machine->number;
        Message *message = message_make(MESSAGE_OFFER, end->number, 0);
        message->number = end->offer;
        message->turn = end->is_twin ? end->twin->turns[END_OUTPUT].number : 0;
        remote_end_send(end, message);
    }
}

bool remote_choice_guard(Device *device, unsigned kind) {
    RemoteEnd *end = remote_end_of(device);
    if (!remote_end_take_side(end, kind == GUARD_INPUT ? END_INPUT : END_OUTPUT)) {
        return false;
    }
    if (kind == GUARD_OUTPUT && !end->reader_waits && end->asked_back == 0) {
        offer(end);
        end->is_polled = true;
    }
    return true;
}

bool remote_choice_enrol(Device *device, Process *me, Alt *alt, unsigned kind) {
    (void)me;
    (void)alt;
    RemoteEnd *end = remote_end_of(device);
    if (kind == GUARD_CLOSED) {
        return false; /* a message that comes does not matter: a watched end waits for CLOSE */
    }
    if (!remote_end_take_side(end, kind == GUARD_INPUT ? END_INPUT : END_OUTPUT)) {
        return false;
    }
    if (kind == GUARD_OUTPUT) {
        offer(end);
    } else if (end->offered != 0) {
        look_later(end);
    }
    return true;
}

static void take(RemoteEnd *end) {
    Message *message = message_make(MESSAGE_TAKE, end->number, 0);
    message->number = end->offered;
    remote_end_answer(end, end->offered_by, message);
}

void remote_choice_wait_plainly(RemoteEnd *end) {
    if (end->offered != 0) {
        take(end);
    }
}

/* An offer that goes by the home may come after a newer one: it is old and must not replace
 * that. */
static void hear_offer(RemoteEnd *end, const Message *message) {
    bool is_late = message->turn < end->offered_in ||
                   (message->turn == end->offered_in && message->number < end->offered);
    if (end->offered != 0 && is_late) {
        return;
    }
    end->offered = message->number;
    end->offered_by = message->origin;
    end->offered_in = message->turn;
    if (end->device.alt != NULL) {
        ask(end);
    } else if (end->device.waiter != NULL) {
        take(end);
    }
}

/* ---- the writer's side ---- */

static void agree(Worker *worker, RemoteEnd *end) {
    Alt *alt = end->device.alt;
    end->reader_waits = true;
    if (alt != NULL && rt_alt_claim(alt, end->device.channel)) {
        rt_scheduler_ready(worker, alt->process);
    }
}

/* A polling ALT is away when it is asked: the ASK waits for its next look, so that a polling ALT
 * and a waiting one can meet; but not for ever, since the other ALT has more guards. */
static void hold_for_poll(RemoteEnd *end) {
    end->is_polled = false;
    end->held_until_ns = os_clock_ns() + HOLD_NS;
    if (!end->is_held) {
        end->is_held = true;
        end->next_held = held;
        held = end;
    }
}

void remote_choice_forget(const RemoteEnd *end) {
    for (RemoteEnd **at = &held; *at != NULL;) {
        RemoteEnd **next = &(*at)->next_held;
        if (*at == end) {
            *at = *next;
        } else {
            at = next;
        }
    }
    for (RemoteEnd **at = &to_look; *at != NULL;) {
        RemoteEnd **next = &(*at)->next_look;
        if (*at == end) {
            *at = *next;
        } else {
            at = next;
        }
    }
}

int64_t remote_choice_expire(bool is_idle) {
    int64_t now_ns = held != NULL ? os_clock_ns() : 0;
    bool is_over =
        is_idle && (rt_root.time.is_virtual || deadline_queue_is_empty(&rt_root.deadlines));
    int64_t left_ns = -1;
    for (RemoteEnd **at = &held; *at != NULL;) {
        RemoteEnd *end = *at;
        bool is_asked = end->asked_back != 0 && end->device.alt == NULL;
        if (is_asked && now_ns < end->held_until_ns && !is_over) {
            left_ns = end->held_until_ns - now_ns;
            at = &end->next_held;
            continue;
        }
        *at = end->next_held;
        end->is_held = false;
        if (is_asked) {
            refuse(end, end->asked_back, end->asked_by);
            end->asked_back = 0;
        }
    }
    return left_ns;
}

/* A TAKE may be for an offer of an earlier turn, which is over. */
static void hear_take(Worker *worker, RemoteEnd *end, const Message *message) {
    if (message->number == end->offer) {
        agree(worker, end);
    }
}

static void hear_ask(Worker *worker, RemoteEnd *end, const Message *message) {
    const Alt *alt = end->device.alt;
    const RemoteEnd *asking = alt != NULL ? asking_end(alt) : NULL;
    bool is_current = message->number == end->offer;
    bool has_gone = alt == NULL && end->device.waiter == NULL;
    if (is_current && alt != NULL && alt->state == ALT_WAITING) {
        agree(worker, end);
    } else if (is_current && has_gone && end->is_polled) {
        end->asked_back = message->number;
        end->asked_by = message->origin;
        hold_for_poll(end);
    } else if (is_current && asking != NULL && asking->turn < message->turn) {
        end->asked_back = message->number;
        end->asked_by = message->origin;
    } else {
        refuse(end, message->number, message->origin);
    }
}

static void refuse_for_none(const Machine *machine, const Message *message) {
    Message *no = message_make(MESSAGE_NO, message->channel, 0);
    no->side = END_INPUT;
    no->number = message->number;
    message_send(machine, message->origin, no);
}

void remote_choice_leave(RemoteEnd *end) {
    if (end->asked_back != 0) {
        refuse(end, end->asked_back, end->asked_by);
        end->asked_back = 0;
    }
    remote_choice_forget(end);
    end->is_held = end->is_to_look = false;
}

bool remote_choice_hear(Worker *worker, Machine *machine, Message *message) {
    RemoteEnd *end = remote_end_find(machine, message->channel, message->side);
    if (end == NULL || !remote_end_is_open(end)) {
        if (message->kind == MESSAGE_ASK) {
            refuse_for_none(machine, message);
        }
        return end == NULL && message->kind == MESSAGE_OFFER && shared_turns_pass(machine, message);
    }
    switch (message->kind) {
    case MESSAGE_OFFER: hear_offer(end, message); break;
    case MESSAGE_TAKE: hear_take(worker, end, message); break;
    case MESSAGE_ASK: hear_ask(worker, end, message); break;
    case MESSAGE_NO: hear_no(worker, end, message); break;
    default: rt_unreachable("no message of a choice");
    }
    return false;
}
