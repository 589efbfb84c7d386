/* remote_end -- see remote_end.h. */
#include "remote_end.h"

#include "channel.h"
#include "close.h"
#include "deferred.h"
#include "hold.h"
#include "owned_text.h"
#include "ownership.h"
#include "process.h"
#include "remote_choice.h"
#include "scheduler.h"
#include "shared_end.h"
#include "stop.h"
#include "world.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- which end ---- */

RemoteEnd *remote_end_find(const Machine *machine, uint64_t number, uint32_t side) {
    TableEntry *entry = table_find(&machine->ends, number);
    while (entry != NULL && remote_end_of_entry(entry)->side != side) {
        entry = table_more(entry, number);
    }
    return remote_end_of_entry(entry);
}

void remote_end_make_plain(RemoteEnd *end) {
    Device *device = &end->device;
    uintptr_t word = 0;
    if (device->alt != NULL) {
        word = (uintptr_t)device->alt | (end->side == END_INPUT ? TAG_ALT_INPUT : TAG_ALT_OUTPUT);
    } else if (device->waiter != NULL) {
        word = (uintptr_t)device->waiter |
               (end->side == END_INPUT ? TAG_INPUT_WAITING : TAG_OUTPUT_WAITING);
    }
    device->waiter = NULL;
    device->alt = NULL;
    atomic_set_release(&end->device.channel->word, word);
}

void remote_end_take_back(RemoteEnd *end, Message *message) {
    const Process *writer = end->device.waiter;
    if (writer != NULL && end->device.alt == NULL && shape_at(writer->wait) != NULL) {
        const OwnedAt at = {NULL, end->machine, writer->wait};
        owned_text_read(&at, message, shape_at(writer->wait), end->from);
    }
}

void remote_end_deliver(Worker *worker, RemoteEnd *end) {
    Process *reader = end->device.waiter;
    Process *writer = end->twin->device.waiter;
    const Shape *shape = shape_at(writer->wait);
    if (shape != NULL) {
        const OwnedAt at = {worker, end->machine, reader->wait};
        Message *text = owned_text_make(&at, end->number, shape, end->twin->from);
        owned_text_read(&at, text, shape, end->into);
        message_free(text);
    } else {
        memcpy(end->into, end->twin->from, end->into_bytes);
    }
    atomic_set_release(&end->device.channel->word, 0u);
    rt_scheduler_ready(worker, reader);
    rt_scheduler_ready(worker, writer);
}

/* Take back a message that it sent to itself: the writer is a plain one. */
static void drop_held(RemoteEnd *end) {
    while (end->held != NULL) {
        Message *message = end->held;
        end->held = message->next;
        if (message->kind == MESSAGE_DATA) {
            remote_end_take_back(end, message);
        }
        message_free(message);
    }
    end->held_end = &end->held;
}

bool remote_end_take_side(RemoteEnd *end, uint32_t side) {
    if (end->side == side) {
        return true;
    }
    if (end->side != END_UNKNOWN) {
        drop_held(end);
        remote_end_make_plain(end);
        return false;
    }
    end->side = side;
    Message *hello = message_make(MESSAGE_HELLO, end->number, 0);
    hello->side = side;
    message_send(end->machine, link_home(end->number), hello);
    return true;
}

void remote_end_send(RemoteEnd *end, Message *message) {
    message->side = 1 - end->side;
    if (end->peer >= 0) {
        message_send(end->machine, (uint32_t)end->peer, message);
        return;
    }
    message->next = NULL;
    *end->held_end = message;
    end->held_end = &message->next;
}

void remote_end_answer(const RemoteEnd *end, uint32_t machine, Message *message) {
    message->side = 1 - end->side;
    message_send(end->machine, machine, message);
}

static void meet_peer(RemoteEnd *end, uint32_t machine) {
    if (end->peer == machine) {
        return;
    }
    end->peer = machine;
    while (end->held != NULL) {
        Message *message = end->held;
        end->held = message->next;
        message_send(end->machine, machine, message);
    }
    end->held_end = &end->held;
}

/* ---- plain operations ---- */

static bool is_mine(const RemoteEnd *end) {
    return channel_tag(atomic_get_acquire(&end->device.channel->word)) == TAG_DEVICE;
}

void remote_end_acknowledged(Worker *worker, RemoteEnd *end) {
    Process *process = end->device.waiter;
    end->reader_waits = end->is_chosen = false;
    message_free(end->kept);
    end->kept = NULL;
    if (process != NULL && end->device.alt == NULL) {
        end->device.waiter = NULL;
        rt_scheduler_ready(worker, process);
    }
    remote_close_show(worker, end);
}

/* A writer on this machine is answered at once: the link may end before a message would arrive. */
static void answer_writer(Worker *worker, const RemoteEnd *end, uint32_t writer) {
    bool is_here = end->twin != NULL && writer == end->machine->number;
    RemoteEnd *output = is_here ? remote_end_find(end->machine, end->number, END_OUTPUT) : NULL;
    if (output != NULL) {
        remote_end_acknowledged(worker, output);
    } else {
        remote_end_answer(end, writer, message_make(MESSAGE_ACK, end->number, 0));
    }
}

/* The pending message has been input; if the other side has closed the channel, that shows now. */
static void drop_pending(Worker *worker, RemoteEnd *end) {
    message_free(end->pending);
    end->pending = NULL;
    remote_close_show(worker, end);
}

static void acknowledge(Worker *worker, RemoteEnd *end) {
    answer_writer(worker, end, end->pending->origin);
    drop_pending(worker, end);
}

static void read_pending(Worker *worker, RemoteEnd *end, void *into, size_t size_bytes,
                         const Site *site) {
    const Shape *shape = shape_at(site);
    if (shape != NULL) {
        const OwnedAt at = {worker, end->machine, site};
        owned_text_read(&at, end->pending, shape, into);
    } else if (end->pending->bulk_count > 0) {
        message_read_bulk(end->pending, into, size_bytes);
    } else {
        rt_check(end->pending->size_bytes == size_bytes);
        message_copy_bytes(into, end->pending->bytes, size_bytes);
    }
}

/* The writer goes on when an extended input ends. If the message's bulks are still with the sender,
 * the writer goes on now: they are sent without it. */
static void take_pending(Worker *worker, RemoteEnd *end, void *into, size_t size_bytes,
                         const Site *site) {
    if (site->kind == WAIT_EXTENDED) {
        read_pending(worker, end, into, size_bytes, site);
        end->is_extended = true;
    } else if (end->pending->bulk_tag != 0) {
        answer_writer(worker, end, end->pending->origin);
        hold_flush();
        read_pending(worker, end, into, size_bytes, site);
        drop_pending(worker, end);
    } else {
        read_pending(worker, end, into, size_bytes, site);
        acknowledge(worker, end);
    }
}

static void end_release(Worker *worker, Device *device) {
    RemoteEnd *end = remote_end_of(device);
    if (end->is_extended) {
        end->is_extended = false;
        acknowledge(worker, end);
    }
}

void remote_end_await_input(RemoteEnd *end, Process *process, void *into, size_t size_bytes) {
    end->into = into;
    end->into_bytes = size_bytes;
    end->device.waiter = process;
    remote_choice_wait_plainly(end);
}

/* The sites of such a library do not say what the items own. */
static void refuse_library(const RemoteEnd *end, const Site *site) {
    if (end->bundle != NULL && (site->flags & SITE_CALL) != 0) {
        link_refuse(site, "a bundle with an end on another machine, in a routine of a library");
    }
}

static Process *end_input(Process *me, Device *device, void *data, size_t size_bytes,
                          const Site *site) {
    RemoteEnd *end = remote_end_of(device);
    if (!is_mine(end) || !remote_end_take_side(end, END_INPUT)) {
        return rt_channel_input(me, end->device.channel, data, (int64_t)size_bytes, site);
    }
    refuse_library(end, site);
    if (device->waiter != NULL) {
        rt_fail(me, ERROR_TWO_READERS, site, 0, 0, 0);
    }
    if (end->is_extended) {
        rt_fail(me, ERROR_EXTENDED, site, 0, 0, 0);
    }
    if (end->pending != NULL) {
        take_pending(me->worker, end, data, size_bytes, site);
        return me;
    }
    process_carries(me, data == (void *)&me->data ? NULL : data);
    remote_end_await_input(end, me, data, size_bytes);
    return rt_scheduler_park(me, site, end->device.channel);
}

/* The message owns what the process owned from now on. */
static Message *data_of(Worker *worker, RemoteEnd *end, void *data, size_t size_bytes,
                        const Site *site) {
    const Shape *shape = shape_at(site);
    if (shape != NULL) {
        const OwnedAt at = {worker, end->machine, site};
        Message *text = owned_text_make(&at, end->number, shape, data);
        if (end->is_home) {
            end->kept = message_copy(text);
        }
        return text;
    }
    bool is_bulk = size_bytes >= BULK_LEAST_BYTES;
    Message *message = message_make(MESSAGE_DATA, end->number, is_bulk ? 0 : size_bytes);
    if (is_bulk) {
        message_copy_bulk(message, data, size_bytes);
    } else {
        message_copy_bytes(message->bytes, data, size_bytes);
    }
    return message;
}

void remote_end_await_output(Worker *worker, RemoteEnd *end, const WaitingOutput *writer) {
    end->from = writer->from;
    Message *message = data_of(worker, end, writer->from, writer->size_bytes, writer->site);
    end->is_chosen = end->reader_waits || end->asked_back != 0;
    end->reader_waits = false;
    end->offer = 0;
    end->asked_back = 0; /* this is the answer */
    end->device.waiter = writer->process;
    remote_end_send(end, message);
}

static Process *end_output(Process *me, Device *device, const void *data, size_t size_bytes,
                           const Site *site) {
    RemoteEnd *end = remote_end_of(device);
    if (!is_mine(end) || !remote_end_take_side(end, END_OUTPUT)) {
        return rt_channel_output(me, end->device.channel, (void *)(uintptr_t)data,
                                 (int64_t)size_bytes, site);
    }
    refuse_library(end, site);
    if (device->waiter != NULL) {
        rt_fail(me, ERROR_TWO_WRITERS, site, 0, 0, 0);
    }
    void *from = (void *)(uintptr_t)data;
    Channel *channel = device->channel;
    Channel *owned = owned_text_owned(site, from, channel);
    if (owned != NULL) {
        world_leave(me->worker);
        ownership_take(me->worker, owned);
        return rt_channel_output(me, channel, from, (int64_t)size_bytes, site);
    }
    const Site *closed = end->is_twin ? end->twin->closed : end->closed;
    if (closed != NULL) { /* since an ALT chose it: its reader is lost */
        message_free(data_of(me->worker, end, from, size_bytes, site));
        rt_close_device(me->worker, device, closed);
        return me;
    }
    remote_end_await_output(
        me->worker, end,
        &(WaitingOutput){.process = me, .from = from, .size_bytes = size_bytes, .site = site});
    if (from != (void *)&me->data) {
        process_carries(me, from);
    }
    if (!worker_has_work(me->worker)) {
        hold_flush();
    }
    return rt_scheduler_park(me, site, end->device.channel);
}

static bool end_is_ready(Device *device) {
    const RemoteEnd *end = remote_end_of(device);
    return end->pending != NULL || end->reader_waits || end->asked_back != 0 ||
           remote_choice_must_ask(device);
}

static bool end_is_closed(Device *device) {
    const RemoteEnd *end = remote_end_of(device);
    end = end->is_twin ? end->twin : end;
    return end->closed != NULL && end->pending == NULL;
}

/* ---- the device ---- */

static void describe(const Device *device, char *text, size_t capacity) {
    const RemoteEnd *end = (const RemoteEnd *)(const void *)device;
    const char *what = end->side == END_INPUT ? "for input from" : "to output to";
    uint32_t other = end->side == END_INPUT ? PLACED_SHARED_OUTPUT : PLACED_SHARED_INPUT;
    uint32_t shared = end->is_twin ? end->twin->shared : end->shared;
    if ((shared & other) != 0) {
        (void)snprintf(text, capacity, "waits %s whoever claims the other end", what);
    } else if (end->bundle != NULL && end->peer < 0) {
        (void)snprintf(text, capacity, "waits %s the other end of a bundle, which is on its way",
                       what);
    } else if (end->bundle != NULL) {
        (void)snprintf(text, capacity, "waits %s the other end of a bundle, on machine %" PRIi64,
                       what, end->peer);
    } else if (end->peer < 0) {
        (void)snprintf(text, capacity, "waits %s another placement, which has not used the channel",
                       what);
    } else {
        (void)snprintf(text, capacity, "waits %s another placement, on machine %" PRIi64, what,
                       end->peer);
    }
}

static Device *end_other(const Device *device) {
    const RemoteEnd *end = (const RemoteEnd *)(const void *)device;
    return end->twin != NULL ? &end->twin->device : NULL;
}

static const DeviceKind end_kind = {.name = "wait for other placements",
                                    .input = end_input,
                                    .output = end_output,
                                    .is_ready = end_is_ready,
                                    .is_closed = end_is_closed,
                                    .look = remote_choice_guard,
                                    .enrol = remote_choice_enrol,
                                    .must_ask = remote_choice_must_ask,
                                    .ask = remote_choice_ask,
                                    .release = end_release,
                                    .close = remote_close_here,
                                    .other = end_other,
                                    .describe = describe,
                                    .is_named = true};

RemoteEnd *remote_end_of_channel(const Channel *channel) {
    uintptr_t word = atomic_get_acquire(&channel->word);
    bool is_end = channel_tag(word) == TAG_DEVICE && device_of(word)->kind == &end_kind;
    return is_end ? remote_end_of(device_of(word)) : NULL;
}

bool remote_end_is_open(const RemoteEnd *end) {
    return remote_end_of_channel(end->device.channel) == (end->is_twin ? end->twin : end);
}

void remote_end_add_twin(RemoteEnd *end, RemoteEnd *twin) {
    Channel *channel = end->device.channel;
    remote_end_begin(twin, end->machine, end->number, NULL);
    twin->device.channel = channel;
    twin->twin = end;
    twin->is_twin = true;
    twin->is_home = end->is_home;
    end->twin = twin;
}

void remote_end_begin(RemoteEnd *end, Machine *machine, uint64_t number, const Site *closed) {
    device_init(&end->device, &end_kind, &end->channel.channel, -1);
    end->machine = machine;
    end->number = number;
    end->side = END_UNKNOWN;
    end->peer = -1;
    end->held_end = &end->held;
    if (closed != NULL) {
        end->device.channel->word = (uintptr_t)closed | TAG_CLOSED;
    }
    table_add(&machine->ends, &end->entry, number);
}

void remote_end_unlink(RemoteEnd *end) {
    table_remove(&end->machine->ends, &end->entry);
    remote_choice_forget(end);
    drop_held(end);
    message_free(end->pending);
    message_free(end->kept);
}

void remote_end_leave(RemoteEnd *end) {
    rt_check(end->device.waiter == NULL && end->device.alt == NULL && end->pending == NULL);
    drop_held(end);
    end->side = END_UNKNOWN;
    end->peer = -1;
    end->offered = end->offer = 0;
    end->reader_waits = end->is_polled = false;
}

void remote_end_end(RemoteEnd *end) {
    end->device.waiter = NULL;
    remote_end_unlink(end);
}

/* ---- messages ---- */

/* Refuse it, unless the channel is an ordinary one by now. */
static void refuse_data(const RemoteEnd *end, const Message *message) {
    uintptr_t word = atomic_get_acquire(&end->device.channel->word);
    if (channel_tag(word) == TAG_CLOSED) {
        remote_close_answer(end, message->origin, closed_by(word));
    }
}

/* True: the message is kept. */
static bool hear_data(Worker *worker, RemoteEnd *end, Message *message) {
    if (!is_mine(end)) {
        refuse_data(end, message);
        return false;
    }
    meet_peer(end, message->origin);
    end->pending = message;
    end->offered = 0;
    Process *process = end->device.waiter;
    if (process != NULL && end->device.alt == NULL) {
        end->device.waiter = NULL;
        take_pending(worker, end, end->into, end->into_bytes, process->wait);
        rt_scheduler_ready(worker, process);
    } else {
        remote_choice_data_came(worker, end);
    }
    return true;
}

bool remote_end_hear(Worker *worker, Machine *machine, Message *message) {
    if (message->kind == MESSAGE_CLOSE && message->side == END_UNKNOWN) {
        remote_close_all(worker, machine, message);
        return false;
    }
    RemoteEnd *end = remote_end_find(machine, message->channel, message->side);
    if (end == NULL) {
        return message->kind == MESSAGE_DATA && shared_turns_pass(machine, message);
    }
    if (message->kind == MESSAGE_DATA) {
        return hear_data(worker, end, message);
    }
    if (message->kind == MESSAGE_ACK) {
        remote_end_acknowledged(worker, end);
    } else if (message->kind == MESSAGE_CLOSE) {
        remote_close_hear(worker, end, (const Site *)(uintptr_t)message->turn, true);
    } else {
        meet_peer(end, (uint32_t)message->number);
    }
    return false;
}
