/* shared_end -- see shared_end.h. */
#include "shared_end.h"

#include "remote_choice.h"
#include "scheduler.h"
#include "start_text.h"

static RemoteEnd *shared_ends; /* of all machines here */

static bool is_shared(const RemoteEnd *end, uint32_t side) {
    return (end->shared & (side == END_INPUT ? PLACED_SHARED_INPUT : PLACED_SHARED_OUTPUT)) != 0;
}

Claim *shared_end_claim(const RemoteEnd *end, uint32_t side) {
    SharedChannel *channel = (SharedChannel *)(void *)end->device.channel;
    return side == END_INPUT ? &channel->input : &channel->output;
}

const RemoteEnd *shared_ends_first(void) {
    return shared_ends;
}

/* ---- a place ---- */

void shared_end_begin(RemoteEnd *end, uint32_t sides, bool has_turns) {
    end->shared = sides;
    end->place = ++end->machine->places;
    for (uint32_t side = END_INPUT; side <= END_OUTPUT; side++) {
        end->turns[side].is_here = has_turns;
        if (!has_turns && is_shared(end, side)) {
            shared_end_claim(end, side)->word = CLAIM_HELD;
        }
    }
    end->next_shared = shared_ends;
    shared_ends = end;
}

static void take_out(const RemoteEnd *end) {
    RemoteEnd **at = &shared_ends;
    while (*at != end) {
        at = &(*at)->next_shared;
    }
    *at = end->next_shared;
}

static void tell_home(const RemoteEnd *end, MessageKind kind, uint32_t side) {
    Message *message = message_make(kind, end->number, 0);
    message->side = side;
    message->place = end->place;
    message->turn = end->copy != NULL ? (uintptr_t)end->copy->agent : 0;
    message_send(end->machine, link_home(end->number), message);
}

/* Messages that came and were not taken go to the home, for the next one. */
static void send_back(RemoteEnd *end) {
    if (end->offered != 0) {
        Message *offer = message_make(MESSAGE_OFFER, end->number, 0);
        offer->side = END_INPUT;
        offer->number = end->offered;
        offer->origin = end->offered_by;
        offer->turn = end->offered_in;
        message_pass(end->machine, link_home(end->number), offer);
    }
    if (end->pending != NULL) {
        end->pending->side = END_INPUT;
        message_pass(end->machine, link_home(end->number), end->pending);
        end->pending = NULL;
    }
}

void shared_end_withdraw(RemoteEnd *end) {
    send_back(end);
    remote_choice_leave(end);
    remote_end_leave(end);
}

static void give_back(RemoteEnd *end, uint32_t side) {
    RemoteEnd *used = side == END_INPUT ? end : end->twin;
    if (used->side == side) {
        shared_end_withdraw(used);
    }
    end->turns[side].is_here = false;
    end->turns[side].is_wanted = false;
    tell_home(end, MESSAGE_RETURN, side);
}

static void line_up_behind(Turn *turn, Process *first) {
    Process **at = &turn->line;
    while (*at != NULL) {
        at = (Process **)&(*at)->data;
    }
    *at = first;
}

static void look_at(RemoteEnd *end, uint32_t side) {
    Turn *turn = &end->turns[side];
    Claim *claim = shared_end_claim(end, side);
    if (turn->is_here && turn->is_wanted) {
        line_up_behind(turn, claim_take_line(claim));
        if (claim_withdraw(claim)) {
            give_back(end, side);
        }
    }
    if (!turn->is_here && !turn->is_asked && (turn->line != NULL || claim_has_line(claim))) {
        turn->is_asked = true;
        tell_home(end, MESSAGE_CLAIM, side);
    }
}

void shared_end_look(void) {
    for (RemoteEnd *end = shared_ends; end != NULL; end = end->next_shared) {
        for (uint32_t side = END_INPUT; side <= END_OUTPUT; side++) {
            if (is_shared(end, side)) {
                look_at(end, side);
            }
        }
    }
}

static void take_turn(Worker *worker, RemoteEnd *end, uint32_t side, uint64_t number) {
    Turn *turn = &end->turns[side];
    Claim *claim = shared_end_claim(end, side);
    claim->queue = turn->line;
    *turn = (Turn){.is_here = true, .number = number};
    claim_hand_on(worker, claim);
}

void shared_end_hear(Worker *worker, Machine *machine, const Message *message) {
    RemoteEnd *end = shared_ends;
    while (end != NULL && (end->machine != machine || end->place != message->place)) {
        end = end->next_shared;
    }
    if (end == NULL) {
        return; /* the place of the home has ended, with the last PLACED PAR */
    }
    if (message->kind == MESSAGE_TURN) {
        take_turn(worker, end, message->side, message->number);
    } else {
        end->turns[message->side].is_wanted = end->turns[message->side].is_here;
    }
}

void shared_end_leave(const Copy *copy) {
    for (RemoteEnd *end = shared_ends; end != NULL; end = end->next_shared) {
        for (uint32_t side = END_INPUT; side <= END_OUTPUT; side++) {
            if (end->copy == copy && is_shared(end, side) && end->turns[side].is_here) {
                bool is_free = claim_withdraw(shared_end_claim(end, side));
                rt_check(is_free);
                give_back(end, side);
            }
        }
    }
}

void shared_end_end(Worker *worker, RemoteEnd *end) {
    if (end->shared == 0) {
        return;
    }
    take_out(end);
    for (uint32_t side = END_INPUT; side <= END_OUTPUT; side++) {
        if (!end->is_home || !is_shared(end, side)) {
            continue;
        }
        rt_check(!end->turns[side].is_here || end->turns[side].line == NULL);
        if (!end->turns[side].is_here) {
            take_turn(worker, end, side, 0);
        }
    }
}
