/* shared_turns -- the home of a shared end: whose turn it is. See shared_end.h. */
#include "shared_end.h"

/* Claimant -- a place that wants the turn. */
struct Claimant {
    Claimant *next;
    uint32_t machine, place;
};

void shared_turns_begin(Link *link, uint32_t place) {
    for (uint32_t side = END_INPUT; side <= END_OUTPUT; side++) {
        SharedTurns *turns = &link->turns[side];
        turns->home = turns->place = place;
        turns->machine = link_home(link->number);
        turns->last = &turns->first;
        turns->kept_end = &turns->kept;
    }
}

void shared_turns_end(Link *link) {
    for (uint32_t side = END_INPUT; side <= END_OUTPUT; side++) {
        while (link->turns[side].kept != NULL) {
            Message *message = link->turns[side].kept;
            link->turns[side].kept = message->next;
            message_free(message);
        }
    }
}

static void tell(const Machine *machine, const Link *link, uint32_t side, MessageKind kind) {
    const SharedTurns *turns = &link->turns[side];
    Message *message = message_make(kind, link->number, 0);
    message->side = side;
    message->place = turns->place;
    message->number = turns->number;
    message_send(machine, turns->machine, message);
}

/* Pass the turn to the first place that wants it, or home. */
static void hand_on(const Machine *machine, Link *link, uint32_t side) {
    SharedTurns *turns = &link->turns[side];
    Claimant *next = turns->first;
    turns->machine = next != NULL ? next->machine : machine->number;
    turns->place = next != NULL ? next->place : turns->home;
    turns->number++;
    tell(machine, link, side, MESSAGE_TURN);
    if (next == NULL) {
        return;
    }
    turns->first = next->next;
    machine_free(next);
    if (turns->first == NULL) {
        turns->last = &turns->first;
    } else {
        tell(machine, link, side, MESSAGE_WANTED);
    }
}

void shared_turns_hear(const Machine *machine, const Message *message) {
    uint32_t side = message->side;
    Link *link = link_of_number(machine, message->channel);
    if (link == NULL) {
        return;
    }
    SharedTurns *turns = &link->turns[side];
    bool has_it = turns->machine == message->from && turns->place == message->place;
    if (message->kind == MESSAGE_RETURN && has_it) {
        link->machines[side] = -1;
        hand_on(machine, link, side);
    }
    if (message->kind == MESSAGE_RETURN || has_it) {
        return; /* of a lost machine; or the home's, which got the turn back as nobody wanted it */
    }
    bool is_first = turns->first == NULL;
    Claimant *claimant = machine_memory(sizeof *claimant);
    *claimant = (Claimant){NULL, message->from, message->place};
    *turns->last = claimant;
    turns->last = &claimant->next;
    if (is_first) {
        tell(machine, link, side, MESSAGE_WANTED);
    }
}

void shared_turns_lose(const Machine *machine, Link *link, uint32_t side, uint32_t lost) {
    SharedTurns *turns = &link->turns[side];
    for (Claimant **at = &turns->first; *at != NULL;) {
        Claimant *claimant = *at;
        if (claimant->machine == lost) {
            *at = claimant->next;
            machine_free(claimant);
        } else {
            at = &claimant->next;
        }
        turns->last = at;
    }
    if (link->machines[side] == lost) {
        link->machines[side] = -1;
    }
    if (turns->machine == lost) {
        hand_on(machine, link, side);
    }
}

static void refuse(const Machine *machine, const Link *link, const Message *message) {
    if (message->kind == MESSAGE_DATA) {
        link_tell_closed(machine, link, message->origin, END_OUTPUT);
    }
}

void shared_turns_closed(const Machine *machine, Link *link) {
    SharedTurns *turns = &link->turns[END_INPUT];
    while (turns->kept != NULL) {
        Message *message = turns->kept;
        turns->kept = message->next;
        refuse(machine, link, message);
        message_free(message);
    }
    turns->kept_end = &turns->kept;
}

static void keep(SharedTurns *turns, Message *message) {
    message->next = NULL;
    *turns->kept_end = message;
    turns->kept_end = &message->next;
}

bool shared_turns_pass(const Machine *machine, Message *message) {
    uint32_t home = link_home(message->channel);
    if (home != machine->number) {
        message_pass(machine, home, message);
        return true;
    }
    Link *link = link_of_number(machine, message->channel);
    if (link == NULL || !link_ends_move(link)) {
        return false;
    }
    if (link->closed != NULL) {
        refuse(machine, link, message);
        return false;
    }
    int64_t there = link->machines[message->side];
    if (there >= 0 && there != machine->number) {
        message_pass(machine, (uint32_t)there, message);
    } else {
        keep(&link->turns[message->side], message);
    }
    return true;
}

void shared_turns_arrived(const Machine *machine, Link *link, uint32_t side) {
    SharedTurns *turns = &link->turns[side];
    while (turns->kept != NULL) {
        Message *message = turns->kept;
        turns->kept = message->next;
        message_pass(machine, (uint32_t)link->machines[side], message);
    }
    turns->kept_end = &turns->kept;
}
