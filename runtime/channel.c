/* channel -- the slow half of rendezvous. See channel.h. */
#include "channel.h"

#include "base/trace.h"
#include "device.h"
#include "error.h"
#include "scheduler.h"

#include <string.h>

/* Where the message of a parked process is or goes, as my own operation has it: both ends of a
 * channel move words, or both do not. */
static void *data_of(Process *partner, const Process *me, const void *mine) {
    return mine == &me->data ? (void *)&partner->data : partner->data;
}

/* Wait in the channel: publish last. */
static Process *wait_for_partner(Process *me, Channel *channel, void *data, uintptr_t tag,
                                 const Site *site) {
    if (data != (void *)&me->data) {
        me->data = data;
    }
    me->next = (Process *)(void *)channel;
    me->wait = site;
    channel->word = (uintptr_t)me | tag;
    rt_trace(TRACE_PARK, me, channel);
    return rt_scheduler_next(me->worker);
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
        rt_error_at(me, ERROR_MESSAGE_SIZE, site, is_output ? size_bytes : theirs,
                    is_output ? theirs : size_bytes, 0);
    }
}

/* The partner is parked in the matching operation. */
static Process *meet(Process *me, Channel *channel, void *into, const void *from,
                     int64_t size_bytes) {
    Process *partner = channel_pointer(channel->word);
    memcpy(into, from, (size_t)size_bytes);
    channel->word = 0;
    rt_trace(TRACE_TRANSFER, me, channel);
    rt_scheduler_ready(me->worker, partner);
    return me;
}

/* An ALT has a guard here. If it still waits, it is won: it will be resumed, find me in the word,
 * and do its half as an ordinary input or output. */
static Process *meet_alt(Process *me, Channel *channel, void *data, uintptr_t tag,
                         const Site *site) {
    Alt *alt = channel_pointer(channel->word);
    if (rt_alt_claim(alt, channel)) {
        rt_trace(TRACE_ALT_WON, alt->process, channel);
        rt_scheduler_ready(me->worker, alt->process);
    }
    return wait_for_partner(me, channel, data, tag, site);
}

/* A device that is always ready must not keep its user running: loops of input and output do not
 * look for attention themselves (codegen/preemption.c). */
static Process *look_for_attention(Process *me, Process *next) {
    bool goes_on = next == me && (me->worker->mode & MODE_ATTENTION) != 0;
    return rt_unlikely(goes_on) ? rt_yield(me) : next;
}

Process *rt_channel_input(Process *me, Channel *channel, void *into, int64_t size_bytes,
                          const Site *site) {
    uintptr_t word = channel->word;
    if (word == 0) {
        return wait_for_partner(me, channel, into, TAG_INPUT_WAITING, site);
    }
    switch (channel_tag(word)) {
    case TAG_OUTPUT_WAITING: {
        Process *partner = channel_pointer(word);
        agree_on_size(me, partner, size_bytes, false, site);
        return meet(me, channel, into, data_of(partner, me, into), size_bytes);
    }
    case TAG_ALT_OUTPUT: return meet_alt(me, channel, into, TAG_INPUT_WAITING, site);
    case TAG_DEVICE: {
        Device *device = device_of(word);
        rt_check(device->kind->input != NULL);
        return look_for_attention(me,
                                  device->kind->input(me, device, into, (size_t)size_bytes, site));
    }
    case TAG_INPUT_WAITING:
    case TAG_ALT_INPUT: rt_error_at(me, ERROR_TWO_READERS, site, 0, 0, 0);
    case TAG_CLOSED: rt_error_at(me, ERROR_CLOSED, site, 0, 0, 0);
    default: rt_unreachable("a channel word of many workers");
    }
}

Process *rt_channel_output(Process *me, Channel *channel, void *from, int64_t size_bytes,
                           const Site *site) {
    uintptr_t word = channel->word;
    if (word == 0) {
        return wait_for_partner(me, channel, from, TAG_OUTPUT_WAITING, site);
    }
    switch (channel_tag(word)) {
    case TAG_INPUT_WAITING: {
        Process *partner = channel_pointer(word);
        agree_on_size(me, partner, size_bytes, true, site);
        return meet(me, channel, data_of(partner, me, from), from, size_bytes);
    }
    case TAG_ALT_INPUT: return meet_alt(me, channel, from, TAG_OUTPUT_WAITING, site);
    case TAG_DEVICE: {
        Device *device = device_of(word);
        rt_check(device->kind->output != NULL);
        return look_for_attention(me,
                                  device->kind->output(me, device, from, (size_t)size_bytes, site));
    }
    case TAG_OUTPUT_WAITING:
    case TAG_ALT_OUTPUT: rt_error_at(me, ERROR_TWO_WRITERS, site, 0, 0, 0);
    case TAG_CLOSED: rt_error_at(me, ERROR_CLOSED, site, 0, 0, 0);
    default: rt_unreachable("a channel word of many workers");
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
