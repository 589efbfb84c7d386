/* home_end -- see home_end.h. */
#include "home_end.h"

#include "alt_look.h"
#include "close.h"
#include "device_wait.h"
#include "owned_text.h"
#include "program_end.h"
#include "remote_choice.h"
#include "shared_end.h"

/* A message of one word lies in the descriptor of the waiting process (layout.def). */
static void *message_of(Process *process, uint32_t item_bytes) {
    bool is_word = item_bytes == 1 || item_bytes == 2 || item_bytes == 4 || item_bytes == 8;
    return is_word ? (void *)&process->data : process->data;
}

Channel *home_end_owned(const Channel *channel, uint32_t item_bytes) {
    uintptr_t word = atomic_get_acquire(&channel->word);
    if (channel_tag(word) != TAG_OUTPUT_WAITING) {
        return NULL;
    }
    Process *writer = channel_pointer(word);
    return owned_text_owned(writer->wait, message_of(writer, item_bytes), channel);
}

static void enrol(RemoteEnd *end, Alt *alt, unsigned kind) {
    (void)remote_choice_enrol(&end->device, alt->process, alt, kind);
    device_await(&end->device, alt->process, alt);
}

void home_end_take_over(Worker *worker, RemoteEnd *end, uintptr_t word, uint32_t item_bytes) {
    void *waiting = channel_pointer(word);
    Process *process = waiting;
    RemoteEnd *writes = end->twin != NULL ? end->twin : end;
    if (word == 0) {
        return;
    }
    switch (channel_tag(word)) {
    case TAG_INPUT_WAITING:
        (void)remote_end_take_side(end, END_INPUT);
        remote_end_await_input(end, process, message_of(process, item_bytes), item_bytes);
        break;
    case TAG_OUTPUT_WAITING:
        (void)remote_end_take_side(writes, END_OUTPUT);
        remote_end_await_output(
            worker, writes,
            &(WaitingOutput){process, message_of(process, item_bytes), item_bytes, process->wait});
        break;
    case TAG_ALT_INPUT: enrol(end, waiting, GUARD_INPUT); break;
    case TAG_ALT_OUTPUT: enrol(writes, waiting, GUARD_OUTPUT); break;
    default: rt_unreachable("a tag that is not used");
    }
}

static RemoteEnd *make_home(Machine *machine, Link *link, const LinkedChannel *linked) {
    RemoteEnd *end = machine_memory(sizeof *end);
    remote_end_begin(end, machine, link->number, NULL);
    end->device.channel = linked->channel;
    end->is_home = true;
    if (linked->shared != 0) {
        remote_end_add_twin(end, machine_memory(sizeof *end));
    }
    link->home = end;
    return end;
}

static void begin_turns(RemoteEnd *end, Link *link, const LinkedChannel *linked) {
    if (linked->shared != 0) {
        shared_end_begin(end, linked->shared, true);
        shared_turns_begin(link, end->place);
    }
}

/* The channel's word stays as it is: placements output through their agents. */
static void begin_program(Machine *machine, Link *link, const LinkedChannel *linked) {
    link->is_program = true;
    if (linked->shared != 0 && program_end_is(linked->channel)) {
        link_refuse(linked->site, "a shared channel of the program that a placement on another "
                                  "machine was given, in a PLACED PAR of that placement");
    }
    if (linked->shared != 0) {
        begin_turns(make_home(machine, link, linked), link, linked);
    }
}

void home_end_begin(Worker *worker, Machine *machine, Link *link, const LinkedChannel *linked) {
    Channel *channel = linked->channel;
    uintptr_t word = atomic_get_acquire(&channel->word);
    if (channel_tag(word) == TAG_DEVICE) {
        const RemoteEnd *elsewhere = remote_end_of_channel(channel);
        if (elsewhere != NULL && elsewhere->bundle != NULL) {
            link_refuse(linked->site,
                        "a channel of a bundle with an end on another machine, in a PLACED PAR");
        }
        if (elsewhere != NULL) {
            /* the parent is itself a placement, and has its end from elsewhere */
            link_refuse(linked->site,
                        "a channel that a placement was given, in a PLACED PAR of that placement");
        }
        begin_program(machine, link, linked);
        return;
    }
    RemoteEnd *end = make_home(machine, link, linked);
    while (channel_tag(word) != TAG_CLOSED &&
           !atomic_cas(&channel->word, &word, (uintptr_t)&end->device | TAG_DEVICE)) {
    }
    begin_turns(end, link, linked);
    if (channel_tag(word) == TAG_CLOSED) {
        link->closed = closed_by(word);
    } else {
        link_add_member(link, machine->number);
        home_end_take_over(worker, end, word, linked->item_bytes);
    }
}

/* Take the end out of its table, and send its message back where it came from. */
static void take_out(RemoteEnd *end) {
    if (end->kept != NULL && end->held == NULL) {
        remote_end_take_back(end, end->kept);
    }
    remote_end_unlink(end);
}

/* Both may wait: what goes on here has no partner elsewhere. */
static void make_both_plain(Worker *worker, RemoteEnd *input, RemoteEnd *output) {
    bool is_met = input->device.waiter != NULL && output->device.waiter != NULL;
    if (!is_met) {
        remote_end_make_plain(output->device.waiter != NULL ? output : input);
        return;
    }
    RemoteEnd *chooses = input->device.alt != NULL ? input : output;
    Alt *alt = chooses->device.alt;
    if (alt == NULL) {
        remote_end_deliver(worker, input);
        return;
    }
    remote_end_make_plain(chooses == input ? output : input);
    if (rt_alt_claim(alt, input->device.channel)) {
        remote_choice_again(worker, alt);
    }
}

static void end_open(Worker *worker, const Link *link) {
    RemoteEnd *end = link->home;
    RemoteEnd *twin = end->twin;
    if (twin == NULL) {
        rt_check(end->pending == NULL);
        take_out(end);
        remote_end_make_plain(end);
        return;
    }
    if (end->is_extended) {
        link_refuse(link->site,
                    "an extended input, when the PLACED PAR ends, from a process that is "
                    "beside it as well");
    }
    take_out(twin);
    take_out(end);
    make_both_plain(worker, end, twin);
}

void home_end_end(Worker *worker, Link *link) {
    RemoteEnd *end = link->home;
    if (end == NULL) {
        return;
    }
    shared_end_end(worker, end);
    if (end->asked != 0) {
        remote_choice_refused(worker, end);
    }
    bool is_open = remote_end_of_channel(end->device.channel) == end;
    if (is_open && link->closed != NULL) {
        rt_close_device(worker, &end->device, link->closed);
        is_open = false;
    }
    if (is_open) {
        end_open(worker, link);
    } else {
        if (end->twin != NULL) {
            remote_end_end(end->twin);
        }
        remote_end_end(end);
    }
    machine_free(end->twin);
    machine_free(end);
}
