/* channel -- the slow half of rendezvous. See channel.h. */
#include "channel.h"

#include "base/atomic.h"
#include "base/trace.h"
#include "bias.h"
#include "close.h"
#include "device.h"
#include "scheduler.h"
#include "solo.h"
#include "stop.h"
#include "world.h"

#include <string.h>

/* Where the message of a parked process is or goes, as my own operation has it: both ends of a
 * channel move words, or both do not. */
static void *data_of(Process *partner, const Process *me, const void *mine) {
    return mine == &me->data ? (void *)&partner->data : partner->data;
}

/* Wait in the channel, whose word was `seen`: publish last. False: the word has changed, nothing
 * has happened. True: I may be running elsewhere already. */
static bool publish(Process *me, Channel *channel, uintptr_t seen, void *data, uintptr_t tag,
                    const Site *site) {
    if (data != (void *)&me->data) {
        me->data = data;
    }
    me->next = (Process *)(void *)channel;
    me->wait = site;
    rt_trace(TRACE_PARK, me, channel);
    return atomic_cas(&channel->word, &seen, (uintptr_t)me | tag);
}

/* On CHAN OF ANY both sides say how many bytes they mean. A side that does not say is one that
 * has given the channel another protocol by RETYPES, and is taken at its word. */
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

/* The partner is parked in the matching operation; only I can end that. */
static Process *meet(Process *me, Channel *channel, Process *partner, void *into, const void *from,
                     int64_t size_bytes) {
    memcpy(into, from, (size_t)size_bytes);
    bias_meet(me->worker, channel, partner);
    solo_meet(me->worker, me, partner);
    atomic_set_release(&channel->word, 0u);
    rt_trace(TRACE_TRANSFER, me, channel);
    rt_scheduler_ready(me->worker, partner);
    return me;
}

/* An ALT has a guard here. If it still waits, it is won: it will be resumed, find me in the word,
 * and do its half as an ordinary input or output. False: no ALT is there any more. */
static bool meet_alt(Process *me, Channel *channel, void *data, uintptr_t tag, const Site *site) {
    Worker *worker = me->worker;
    world_enter(worker);
    uintptr_t word = atomic_get_acquire(&channel->word);
    uintptr_t partner_tag = tag == TAG_INPUT_WAITING ? TAG_ALT_OUTPUT : TAG_ALT_INPUT;
    if (word == 0 || channel_tag(word) != partner_tag) {
        world_leave(worker);
        return false;
    }
    Alt *alt = channel_pointer(word);
    if (rt_alt_claim(alt, channel)) {
        rt_trace(TRACE_ALT_WON, alt->process, channel);
        rt_scheduler_ready(worker, alt->process);
    }
    bool is_published = publish(me, channel, word, data, tag, site);
    rt_check(is_published); /* an ALT leaves its words under the lock only */
    return true;
}

/* A device that is always ready must not keep its user running: loops of input and output do not
 * look for attention themselves (codegen/process/preemption.c). */
static Process *look_for_attention(Process *me, Process *next) {
    bool goes_on = next == me && (atomic_get_relaxed(&me->worker->mode) & MODE_ATTENTION) != 0;
    return rt_unlikely(goes_on) ? rt_yield(me) : next;
}

/* Devices keep to the world lock; one that parks me leaves by rt_scheduler_next. */
static Process *use_device(Process *me, Device *device, bool is_output, void *data,
                           size_t size_bytes, const Site *site) {
    Worker *worker = me->worker;
    world_enter(worker);
    Process *next = is_output ? device->kind->output(me, device, data, size_bytes, site)
                              : device->kind->input(me, device, data, size_bytes, site);
    world_leave(worker);
    return look_for_attention(me, next);
}

static Process *input_again(const BiasRequest *request) {
    return rt_channel_input(request->process, request->channel, request->data, request->size_bytes,
                            request->site);
}

static Process *output_again(const BiasRequest *request) {
    return rt_channel_output(request->process, request->channel, request->data, request->size_bytes,
                             request->site);
}

Process *rt_channel_input(Process *me, Channel *channel, void *into, int64_t size_bytes,
                          const Site *site) {
    Worker *worker = me->worker;
    while (rt_unlikely(!bias_is_free(worker, channel))) {
        me->next = (Process *)(void *)channel;
        me->wait = site;
        if (bias_ask(worker, &(BiasRequest){.channel = channel,
                                            .process = me,
                                            .data = into,
                                            .again = input_again,
                                            .size_bytes = size_bytes,
                                            .site = site})) {
            return rt_scheduler_next(worker);
        }
    }
    for (;;) {
        uintptr_t word = atomic_get_acquire(&channel->word);
        if (word == 0) {
            if (publish(me, channel, 0, into, TAG_INPUT_WAITING, site)) {
                return rt_scheduler_next(worker);
            }
            continue;
        }
        switch (channel_tag(word)) {
        case TAG_OUTPUT_WAITING: {
            Process *partner = channel_pointer(word);
            agree_on_size(me, partner, size_bytes, false, site);
            return meet(me, channel, partner, into, data_of(partner, me, into), size_bytes);
        }
        case TAG_ALT_OUTPUT:
            if (meet_alt(me, channel, into, TAG_INPUT_WAITING, site)) {
                return rt_scheduler_next(worker);
            }
            break;
        case TAG_DEVICE:
            rt_check(device_of(word)->kind->input != NULL);
            return use_device(me, device_of(word), false, into, (size_t)size_bytes, site);
        case TAG_INPUT_WAITING:
        case TAG_ALT_INPUT: rt_fail(me, ERROR_TWO_READERS, site, 0, 0, 0);
        case TAG_CLOSED: return rt_find_closed(me, word, site) ? me : rt_scheduler_next(worker);
        default: rt_unreachable("a tag that is not used");
        }
    }
}

Process *rt_channel_output(Process *me, Channel *channel, void *from, int64_t size_bytes,
                           const Site *site) {
    Worker *worker = me->worker;
    while (rt_unlikely(!bias_is_free(worker, channel))) {
        me->next = (Process *)(void *)channel;
        me->wait = site;
        if (bias_ask(worker, &(BiasRequest){.channel = channel,
                                            .process = me,
                                            .data = from,
                                            .again = output_again,
                                            .size_bytes = size_bytes,
                                            .site = site})) {
            return rt_scheduler_next(worker);
        }
    }
    for (;;) {
        uintptr_t word = atomic_get_acquire(&channel->word);
        if (word == 0) {
            if (publish(me, channel, 0, from, TAG_OUTPUT_WAITING, site)) {
                return rt_scheduler_next(worker);
            }
            continue;
        }
        switch (channel_tag(word)) {
        case TAG_INPUT_WAITING: {
            Process *partner = channel_pointer(word);
            agree_on_size(me, partner, size_bytes, true, site);
            return meet(me, channel, partner, data_of(partner, me, from), from, size_bytes);
        }
        case TAG_ALT_INPUT:
            if (meet_alt(me, channel, from, TAG_OUTPUT_WAITING, site)) {
                return rt_scheduler_next(worker);
            }
            break;
        case TAG_DEVICE:
            rt_check(device_of(word)->kind->output != NULL);
            return use_device(me, device_of(word), true, from, (size_t)size_bytes, site);
        case TAG_OUTPUT_WAITING:
        case TAG_ALT_OUTPUT: rt_fail(me, ERROR_TWO_WRITERS, site, 0, 0, 0);
        case TAG_CLOSED: return rt_find_closed(me, word, site) ? me : rt_scheduler_next(worker);
        default: rt_unreachable("a tag that is not used");
        }
    }
}

void rt_channel_check(const Channel *channel) {
    uintptr_t word = channel->word;
    if (word == 0) {
        return;
    }
    switch (channel_tag(word)) {
    case TAG_INPUT_WAITING:
    case TAG_OUTPUT_WAITING: {
        const Process *process = channel_pointer(word);
        rt_check(process->sp != NULL);
        rt_check((const void *)process->next == (const void *)channel);
        break;
    }
    case TAG_ALT_INPUT:
    case TAG_ALT_OUTPUT: {
        const Alt *alt = channel_pointer(word);
        rt_check(alt->state == ALT_WAITING || alt->state == ALT_WON);
        break;
    }
    case TAG_DEVICE: rt_check(&device_of(word)->channel == channel); break;
    case TAG_CLOSED: break;
    default: rt_unreachable("a channel word of many workers");
    }
}
