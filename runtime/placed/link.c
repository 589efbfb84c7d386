/* link -- see link.h. */
#include "link.h"

#include "ending.h"
#include "home_end.h"
#include "report.h"
#include "shared_end.h"

_Noreturn void link_refuse(const Site *site, const char *what) {
    ReportText text = {.length = 0};
    report_add(&text, "%s:%u:%u: not supported yet: %s", site->file, (unsigned)site->line,
               (unsigned)site->column, what);
    rt_fatal(text.bytes, 0);
}

Link *link_of_entry(TableEntry *by_number) {
    return TABLE_OWNER(Link, by_number, by_number);
}

Link *link_of_number(const Machine *machine, uint64_t number) {
    return link_of_entry(table_find(&machine->links, number));
}

Link *link_of_channel(const Machine *machine, const Channel *channel) {
    return TABLE_OWNER(Link, by_address, table_find(&machine->known, (uintptr_t)channel));
}

Link *link_begin(Machine *machine, uint64_t number) {
    Link *link = machine_memory(sizeof *link);
    link->number = number;
    link->machines[END_INPUT] = link->machines[END_OUTPUT] = -1;
    link->known[0] = link->known[1] = -1;
    table_add(&machine->links, &link->by_number, number);
    return link;
}

void link_end(Machine *machine, Link *link) {
    table_remove(&machine->links, &link->by_number);
    shared_turns_end(link);
    machine_free(link->members);
    machine_free(link);
}

void link_use(Worker *worker, Machine *machine, const LinkedChannel *linked) {
    Channel *channel = linked->channel;
    Link *link = link_of_channel(machine, channel);
    if (link == NULL) {
        link = link_begin(machine, (uint64_t)machine->number << 40 | ++machine->channels);
        link->channel = channel;
        table_add(&machine->known, &link->by_address, (uintptr_t)channel);
        home_end_begin(worker, machine, link, linked);
    }
    link->site = linked->site;
    link->users++;
}

void link_drop(Worker *worker, Machine *machine, const LinkedChannel *linked) {
    const Channel *channel = linked->channel;
    Link *link = link_of_channel(machine, channel);
    if (link == NULL || --link->users > 0) {
        return;
    }
    home_end_end(worker, link);
    table_remove(&machine->known, &link->by_address);
    link_end(machine, link);
}

void link_add_member(Link *link, uint32_t machine) {
    for (uint32_t i = 0; i < link->member_count; i++) {
        if (link->members[i] == machine) {
            return;
        }
    }
    if (link->member_count == link->member_capacity) {
        link->member_capacity = link->member_capacity == 0 ? 2 : 2 * link->member_capacity;
        uint32_t *members = machine_memory(link->member_capacity * sizeof *members);
        for (uint32_t i = 0; i < link->member_count; i++) {
            members[i] = link->members[i];
        }
        machine_free(link->members);
        link->members = members;
    }
    link->members[link->member_count++] = machine;
}

bool link_ends_move(const Link *link) {
    return link->bundle != NULL || (link->home != NULL && link->home->shared != 0);
}

void link_add_user(Link *link, uint32_t machine) {
    link->known[link->known[0] >= 0] = machine;
}

void link_tell_peer(const Machine *machine, const Link *link, uint32_t side) {
    Message *peer = message_make(MESSAGE_PEER, link->number, 0);
    peer->side = side;
    peer->number = (uint64_t)link->machines[1 - side];
    message_send(machine, (uint32_t)link->machines[side], peer);
}

void link_hello(Machine *machine, const Message *message) {
    Link *link = link_of_number(machine, message->channel);
    if (link == NULL) {
        return;
    }
    uint32_t side = message->side;
    bool is_another = link->machines[side] >= 0;
    link->machines[side] = message->from;
    if (link->machines[1 - side] >= 0) {
        if (is_another) {
            link_refuse(link->site, "an end of a channel that goes on from one PLACED PAR to "
                                    "another process while the other end is used in its own");
        }
        link_tell_peer(machine, link, END_INPUT);
        link_tell_peer(machine, link, END_OUTPUT);
    }
    shared_turns_arrived(machine, link, side);
}

void link_tell_closed(const Machine *machine, const Link *link, uint32_t to, uint32_t side) {
    Message *close = message_make(MESSAGE_CLOSE, link->number, 0);
    close->side = side;
    close->turn = (uintptr_t)link->closed;
    message_send(machine, to, close);
}

static void close_ends_that_move(const Machine *machine, const Link *link) {
    for (uint32_t side = END_INPUT; link->bundle != NULL && side <= END_OUTPUT; side++) {
        if (link->machines[side] >= 0) {
            link_tell_closed(machine, link, (uint32_t)link->machines[side], END_UNKNOWN);
        }
    }
}

void link_close(const Machine *machine, Link *link, const Site *site) {
    if (link->closed != NULL) {
        return;
    }
    link->closed = site;
    shared_turns_closed(machine, link);
    for (uint32_t i = 0; i < link->member_count; i++) {
        link_tell_closed(machine, link, link->members[i], END_UNKNOWN);
    }
    close_ends_that_move(machine, link);
}

void link_closing(Machine *machine, const Message *message) {
    Link *link = link_of_number(machine, message->channel);
    const Site *site = (const Site *)(uintptr_t)message->turn;
    bool knows_peer = message->number != 0;
    if (link != NULL && !knows_peer) {
        link_close(machine, link, site);
    } else if (link != NULL && link->closed == NULL) {
        link->closed = site;
        shared_turns_closed(machine, link);
        close_ends_that_move(machine, link);
    }
}
