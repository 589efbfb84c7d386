/* channel -- the slow half of rendezvous. See channel.h. */
#include "channel.h"

#include "atomic.h"
#include "close.h"
#include "device.h"
#include "gate.h"
#include "ownership.h"
#include "process.h"
#include "recorder.h"
#include "scheduler.h"
#include "solo.h"
#include "stop.h"
#include "world.h"

#include <string.h>

/* Side -- one end of a channel: the tag of a waiting process there, and that of its partner. */
typedef struct Side {
    uintptr_t tag;
    uintptr_t alt;
    uintptr_t partner;
    uintptr_t partner_alt;
    ErrorKind two; /* error for two processes at this end */
    bool is_output;
} Side;

static const Side input_side = {TAG_INPUT_WAITING, TAG_ALT_INPUT,     TAG_OUTPUT_WAITING,
                                TAG_ALT_OUTPUT,    ERROR_TWO_READERS, false};
static const Side output_side = {TAG_OUTPUT_WAITING, TAG_ALT_OUTPUT,    TAG_INPUT_WAITING,
                                 TAG_ALT_INPUT,      ERROR_TWO_WRITERS, true};

/* Where the message of a parked process is or goes, given my own operation: both ends of a channel
 * move words, or neither does. */
static void *data_of(Process *partner, const Process *me, const void *mine) {
    return mine == &me->data ? (void *)&partner->data : partner->data;
}

/* Wait in the channel, whose word was `seen`: publish last. False: the word has changed, nothing
 * has happened. True: I may already be running elsewhere. */
static bool publish(Process *me, Channel *channel, uintptr_t seen, void *data, uintptr_t tag,
                    const Site *site) {
    if (data != (void *)&me->data) {
        process_carries(me, data);
    }
    process_waits(me, site, channel);
    return atomic_cas(&channel->word, &seen, (uintptr_t)me | tag);
}

/* On CHAN OF ANY both sides give a number of bytes. A side that does not has given the channel
 * another protocol by RETYPES, and is trusted. */
static void agree_on_size(Process *me, const Process *partner, int64_t size_bytes, bool is_output,
                          const Site *site) {
    if ((site->flags & partner->wait->flags & SITE_SIZED) == 0) {
        return;
    }
    int64_t theirs = ((const SizedSite *)(const void *)partner->wait)->size_bytes;
    if (theirs != size_bytes) {
        rt_fail(me, ERROR_MESSAGE_SIZE, site, is_output ? size_bytes : theirs,
                is_output ? theirs : size_bytes, 0);
    }
}

/* The partner is parked in the matching operation; only I can end its wait. */
static Process *meet(Process *me, Channel *channel, Process *partner, void *into, const void *from,
                     int64_t size_bytes, const Site *site) {
    memcpy(into, from, (size_t)size_bytes);
    if (rt_unlikely(worker_is_explored(me->worker))) {
        gate_note_meeting(me, partner);
    }
    ownership_meet(me->worker, channel, partner);
    solo_meet(me->worker, me, partner);
    atomic_set_release(&channel->word, 0u);
    record_meet(me, partner, site);
    rt_scheduler_ready(me->worker, partner);
    return me;
}

/* An ALT has a guard here. If it still waits, I win it: it is resumed, finds me in the word, and
 * does its part as an ordinary input or output. False: no ALT is there any more. */
static bool meet_alt(Process *me, Channel *channel, void *data, const Side *mine,
                     const Site *site) {
    Worker *worker = me->worker;
    world_enter(worker);
    uintptr_t word = atomic_get_acquire(&channel->word);
    if (word == 0 || channel_tag(word) != mine->partner_alt) {
        world_leave(worker);
        return false;
    }
    Alt *alt = channel_pointer(word);
    if (rt_alt_claim(alt, channel)) {
        rt_scheduler_ready(worker, alt->process);
    }
    bool is_published = publish(me, channel, word, data, mine->tag, site);
    rt_check(is_published); /* an ALT leaves its words under the lock only */
    return true;
}

/* A device that is always ready must not keep its user running: loops of input and output do not
 * look for attention themselves (codegen/scheduling/preemption.c). */
static Process *look_for_attention(Process *me, Process *next) {
    bool goes_on = next == me && (atomic_get_relaxed(&me->worker->mode) & MODE_ATTENTION) != 0;
    return rt_unlikely(goes_on) ? rt_yield(me) : next;
}

/* Devices are used under the world lock; one that parks me leaves by rt_scheduler_next. NULL: the
 * word has changed, and nothing has happened: a device may go while the lock is waited for. */
static Process *use_device(Process *me, Channel *channel, uintptr_t word, const Side *mine,
                           void *data, size_t size_bytes, const Site *site) {
    Worker *worker = me->worker;
    Device *device = device_at(word, mine->is_output);
    world_enter(worker);
    if (atomic_get_acquire(&channel->word) != word) {
        world_leave(worker);
        return NULL;
    }
    rt_check(mine->is_output ? device->kind->output != NULL : device->kind->input != NULL);
    record_device(worker, me, channel, site);
    Process *next = mine->is_output ? device->kind->output(me, device, data, size_bytes, site)
                                    : device->kind->input(me, device, data, size_bytes, site);
    world_leave(worker);
    return look_for_attention(me, next);
}

static Process *input_again(const ChannelRequest *request) {
    return rt_channel_input(request->process, request->channel, request->data, request->size_bytes,
                            request->site);
}

static Process *output_again(const ChannelRequest *request) {
    return rt_channel_output(request->process, request->channel, request->data, request->size_bytes,
                             request->site);
}

/* True: another worker owns the channel, and does the operation, or sends it back, when it gives
 * the channel up. */
static bool is_left_to_owner(Process *me, Channel *channel, void *data, int64_t size_bytes,
                             const Side *mine, const Site *site) {
    while (rt_unlikely(!ownership_is_free(me->worker, channel))) {
        process_waits(me, site, channel);
        if (ownership_ask(me->worker,
                          &(ChannelRequest){.channel = channel,
                                            .process = me,
                                            .data = data,
                                            .again = mine->is_output ? output_again : input_again,
                                            .size_bytes = size_bytes,
                                            .site = site})) {
            return true;
        }
    }
    return false;
}

/* The partner waits in the word. */
static Process *meet_process(Process *me, Channel *channel, Process *partner, void *data,
                             int64_t size_bytes, const Side *mine, const Site *site) {
    agree_on_size(me, partner, size_bytes, mine->is_output, site);
    void *theirs = data_of(partner, me, data);
    return mine->is_output ? meet(me, channel, partner, theirs, data, size_bytes, site)
                           : meet(me, channel, partner, data, theirs, size_bytes, site);
}

/* The message, mostly a word: a call of memcpy would cost as much as all the rest. */
static inline void move_message(void *into, const void *from, int64_t size_bytes) {
    if (size_bytes == sizeof(uint32_t)) {
        memcpy(into, from, sizeof(uint32_t));
    } else {
        memcpy(into, from, (size_t)size_bytes);
    }
}

/* Alone, and here only because it is recorded: as compiled code does it (rendezvous.c). NULL: that
 * is not so, and nothing has happened. */
static inline __attribute__((always_inline)) Process *
communicate_traced(Process *me, Channel *channel, void *data, int64_t size_bytes, const Side *mine,
                   const Site *site) {
    Worker *worker = me->worker;
    uintptr_t word = atomic_get_relaxed(&channel->word);
    if (atomic_get_relaxed(&channel->owner) != 0 || (site->flags & SITE_SIZED) != 0) {
        return NULL;
    }
    if (word == 0) {
        if (data != (void *)&me->data) {
            process_carries(me, data);
        }
        process_waits(me, site, channel);
        atomic_set_relaxed(&channel->word, (uintptr_t)me | mine->tag);
        return rt_scheduler_next_alone(worker);
    }
    if (channel_tag(word) != mine->partner) {
        return NULL;
    }
    Process *partner = channel_pointer(word);
    void *theirs = data_of(partner, me, data);
    move_message(mine->is_output ? theirs : data, mine->is_output ? data : theirs, size_bytes);
    atomic_set_relaxed(&channel->word, 0u);
    record_meet(me, partner, site);
    rt_scheduler_ready(worker, partner);
    return me;
}

/* One of the two operations; compiled once for each. */
static inline __attribute__((always_inline)) Process *communicate(Process *me, Channel *channel,
                                                                  void *data, int64_t size_bytes,
                                                                  const Side *mine,
                                                                  const Site *site) {
    Worker *worker = me->worker;
    if (atomic_get_relaxed(&worker->mode) == MODE_TRACED) {
        Process *next = communicate_traced(me, channel, data, size_bytes, mine, site);
        if (next != NULL) {
            return next;
        }
    }
    if (rt_unlikely(worker_is_explored(worker))) {
        gate_note_plain(me, channel, mine->is_output);
    }
    if (is_left_to_owner(me, channel, data, size_bytes, mine, site)) {
        return rt_scheduler_next(worker);
    }
    for (;;) {
        uintptr_t word = atomic_get_acquire(&channel->word);
        uintptr_t tag = channel_tag(word);
        if (word == 0) {
            if (publish(me, channel, 0, data, mine->tag, site)) {
                return rt_scheduler_next(worker);
            }
        } else if (tag == mine->partner) {
            return meet_process(me, channel, channel_pointer(word), data, size_bytes, mine, site);
        } else if (tag == mine->partner_alt) {
            if (meet_alt(me, channel, data, mine, site)) {
                return rt_scheduler_next(worker);
            }
        } else if (tag == TAG_DEVICE) {
            Process *next = use_device(me, channel, word, mine, data, (size_t)size_bytes, site);
            if (next != NULL) {
                return next;
            }
        } else if (tag == TAG_CLOSED) {
            return rt_find_closed(me, word, site) ? me : rt_scheduler_next(worker);
        } else {
            rt_check(tag == mine->tag || tag == mine->alt);
            rt_fail(me, mine->two, site, 0, 0, 0);
        }
    }
}

Process *rt_channel_input(Process *me, Channel *channel, void *into, int64_t size_bytes,
                          const Site *site) {
    return communicate(me, channel, into, size_bytes, &input_side, site);
}

Process *rt_channel_output(Process *me, Channel *channel, void *from, int64_t size_bytes,
                           const Site *site) {
    return communicate(me, channel, from, size_bytes, &output_side, site);
}

void rt_extended_end(Process *me, void *ended) {
    const Channel *channel = ended;
    world_enter(me->worker);
    uintptr_t word = atomic_get_acquire(&channel->word);
    if (channel_tag(word) == TAG_DEVICE && device_of(word)->kind->release != NULL) {
        device_of(word)->kind->release(me->worker, device_of(word));
    }
    world_leave(me->worker);
}
