/* bundle_home -- see bundle_home.h. */
#include "bundle_home.h"

#include "shared_end.h"

/* Whereabouts -- what is known of an end. */
typedef struct Whereabouts {
    uint64_t move; /* the last one known */
    bool is_let_go;
} Whereabouts;

struct BundleHome {
    uint64_t number;
    const EndShape *shape;
    Whereabouts ends[ROLES];
};

const EndField *end_shape_field(const EndShape *shape, uint32_t channel) {
    const EndField *field = shape->fields;
    while (channel >= field->channels) {
        channel -= field->channels;
        field++;
    }
    return field;
}

uint64_t bundle_home_begin(Machine *machine, const EndShape *shape, const bool *is_held) {
    BundleHome *home = machine_memory(sizeof *home);
    home->number = (uint64_t)machine->number << 40 | (machine->channels + 1);
    home->shape = shape;
    machine->channels += shape->channels;
    for (uint32_t i = 0; i < shape->channels; i++) {
        Link *link = link_begin(machine, home->number + i);
        link->bundle = home;
        shared_turns_begin(link, 0);
        for (uint32_t role = 0; role < ROLES; role++) {
            uint32_t side = end_shape_side(shape, i, role);
            link->machines[side] = is_held[role] ? (int64_t)machine->number : -1;
        }
    }
    for (uint32_t role = 0; role < ROLES; role++) {
        home->ends[role] = (Whereabouts){.move = 1, .is_let_go = !is_held[role]};
    }
    return home->number;
}

static void end_home(Machine *machine, BundleHome *home) {
    for (uint32_t i = 0; i < home->shape->channels; i++) {
        link_end(machine, link_of_number(machine, home->number + i));
    }
    machine_free(home);
}

/* An end of the channel has arrived. */
static void arrive(const Machine *machine, Link *link, uint32_t side, uint32_t there) {
    link->machines[side] = there;
    if (link->closed != NULL) {
        link_tell_closed(machine, link, there, END_UNKNOWN);
    } else if (link->machines[1 - side] >= 0) {
        link_tell_peer(machine, link, END_INPUT);
        link_tell_peer(machine, link, END_OUTPUT);
    }
    shared_turns_arrived(machine, link, side);
}

void bundle_home_hear(Machine *machine, const Message *message) {
    const Link *first = link_of_number(machine, message->channel);
    if (first == NULL) {
        return;
    }
    BundleHome *home = first->bundle;
    Whereabouts *end = &home->ends[message->side];
    if (message->number < end->move) {
        return;
    }
    end->move = message->number;
    end->is_let_go = message->kind == MESSAGE_LET_GO;
    for (uint32_t i = 0; i < home->shape->channels; i++) {
        Link *link = link_of_number(machine, home->number + i);
        uint32_t side = end_shape_side(home->shape, i, message->side);
        if (message->kind == MESSAGE_HERE) {
            arrive(machine, link, side, message->origin);
        } else {
            link->machines[side] = -1;
        }
    }
    if (home->ends[ROLE_CLIENT].is_let_go && home->ends[ROLE_SERVER].is_let_go) {
        end_home(machine, home);
    }
}
