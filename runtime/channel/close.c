/* close -- CLOSE and those it wakes. See close.h. */
#include "close.h"

#include "atomic.h"
#include "device.h"
#include "ownership.h"
#include "scheduler.h"
#include "stop.h"
#include "world.h"

/* ---- watchers ---- */

/* The owner beside it belongs to another thread: access the address in its own 16-bit units. */
static AltGuard *first_watcher(const Channel *channel) {
    uintptr_t address = 0;
    for (int unit = 2; unit >= 0; unit--) {
        address = address << 16 | channel->watchers[unit];
    }
    return (AltGuard *)address;
}

static void set_first_watcher(Channel *channel, AltGuard *guard) {
    uintptr_t address = (uintptr_t)guard;
    for (int unit = 0; unit < 3; unit++) {
        channel->watchers[unit] = (uint16_t)(address >> (16 * unit));
    }
}

void rt_close_watch(Channel *channel, AltGuard *guard) {
    rt_alt_link(guard)->object = first_watcher(channel);
    set_first_watcher(channel, guard);
}

void rt_close_unwatch(Channel *channel, AltGuard *guard) {
    AltGuard *before = NULL;
    for (AltGuard *at = first_watcher(channel); at != NULL; at = rt_alt_link(at)->object) {
        if (at == guard && before == NULL) {
            set_first_watcher(channel, rt_alt_link(at)->object);
        } else if (at == guard) {
            rt_alt_link(before)->object = rt_alt_link(at)->object;
        }
        before = at;
    }
}

/* ---- those that wait ---- */

static void wake_alt(Worker *worker, Alt *alt, Channel *channel) {
    if (rt_alt_claim(alt, channel)) {
        rt_scheduler_ready(worker, alt->process);
    }
}

static void wake_partner(Worker *worker, Process *partner, uintptr_t closed) {
    if (rt_find_closed(partner, closed, partner->wait)) {
        rt_scheduler_ready(worker, partner);
    }
}

bool rt_find_closed(Process *me, uintptr_t word, const Site *site) {
    if (site->kind != WAIT_UNTIL_CLOSED) {
        rt_stop_closed(me, site, closed_by(word));
        return false;
    }
    me->flags |= PROCESS_SAW_CLOSE;
    return true;
}

static void close_device(Worker *worker, Device *device) {
    if (device->kind->close != NULL) {
        device->kind->close(worker, device);
    }
}

static void wake_waiting(Worker *worker, Channel *channel, uintptr_t before, uintptr_t closed) {
    void *waiting = channel_pointer(before);
    switch (channel_tag(before)) {
    case TAG_INPUT_WAITING:
    case TAG_OUTPUT_WAITING: wake_partner(worker, waiting, closed); break;
    case TAG_ALT_INPUT:
    case TAG_ALT_OUTPUT: wake_alt(worker, waiting, channel); break;
    case TAG_DEVICE: close_device(worker, waiting); break;
    default: rt_unreachable("a tag that is not used");
    }
}

static void wake_watchers(Worker *worker, Channel *channel) {
    for (AltGuard *guard = first_watcher(channel); guard != NULL;
         guard = rt_alt_link(guard)->object) {
        wake_alt(worker, rt_alt_of(guard), channel);
    }
}

static void wake_waiter(Worker *worker, Device *device, uintptr_t closed) {
    Process *process = device->waiter;
    Alt *alt = device->alt;
    device->waiter = NULL;
    device->alt = NULL;
    if (alt != NULL) {
        wake_alt(worker, alt, device->channel);
    } else if (process != NULL) {
        wake_partner(worker, process, closed);
    }
}

__attribute__((cold)) void rt_close_device(Worker *worker, Device *device, const Site *site) {
    Channel *channel = device->channel;
    uintptr_t closed = (uintptr_t)site | TAG_CLOSED;
    atomic_set_release(&channel->word, closed);
    wake_waiter(worker, device, closed);
    Device *other = device_other(device);
    if (other != NULL) {
        wake_waiter(worker, other, closed);
    }
    wake_watchers(worker, channel);
}

void rt_channel_close(Process *me, void *closing, const Site *site) {
    Channel *channel = closing;
    Worker *worker = me->worker;
    uintptr_t closed = (uintptr_t)site | TAG_CLOSED;
    ownership_take(worker, channel);
    world_enter(worker);
    uintptr_t before = atomic_get_acquire(&channel->word);
    while (channel_tag(before) != TAG_CLOSED && !atomic_cas(&channel->word, &before, closed)) {
    }
    if (channel_tag(before) == TAG_CLOSED) {
        world_leave(worker);
        return;
    }
    if (before != 0) {
        wake_waiting(worker, channel, before, closed);
    }
    wake_watchers(worker, channel);
    world_leave(worker);
}
