/* remote_bundle -- see remote_bundle.h. */
#include "remote_bundle.h"

#include "bundle_home.h"
#include "close.h"
#include "home_end.h"
#include "shared_end.h"
#include "world.h"

#include <string.h>

struct RemoteBundle {
    TableEntry entry; /* in known */
    Bundle *bundle;
    Machine *machine;
    const EndShape *shape; /* of either end */
    uint64_t number;
    bool is_held[ROLES];
    uint64_t moves[ROLES]; /* that have brought the end here */
    RemoteEnd ends[];      /* for each channel: the input end, then its twin */
};

static Table known; /* by address, of all machines that are here */

static RemoteBundle *find(const Bundle *bundle) {
    return TABLE_OWNER(RemoteBundle, entry, table_find(&known, (uintptr_t)bundle));
}

static RemoteBundle *find_number(const Machine *machine, uint64_t number) {
    const RemoteEnd *end = remote_end_of_entry(table_find(&machine->ends, number));
    return end != NULL ? end->bundle : NULL;
}

static RemoteEnd *end_of(RemoteBundle *remote, uint32_t channel, uint32_t role) {
    return &remote->ends[2 * channel + end_shape_side(remote->shape, channel, role)];
}

/* ---- beginning and end ---- */

/* One without ends yet; its channels are not touched. */
static RemoteBundle *begin(Machine *machine, Bundle *bundle, const EndShape *shape,
                           uint64_t number) {
    size_t ends = 2 * (size_t)shape->channels;
    RemoteBundle *remote = machine_memory(sizeof *remote + ends * sizeof(RemoteEnd));
    remote->bundle = bundle;
    remote->machine = machine;
    remote->shape = shape;
    remote->number = number;
    table_add(&known, &remote->entry, (uintptr_t)bundle);
    for (uint32_t i = 0; i < shape->channels; i++) {
        RemoteEnd *input = &remote->ends[2 * i];
        remote_end_begin(input, machine, number + i, NULL);
        input->device.channel = &bundle->channels[i];
        remote_end_add_twin(input, input + 1);
        input->bundle = input[1].bundle = remote;
    }
    return remote;
}

/* Nobody has an end here any more. */
static void end(Worker *worker, RemoteBundle *remote) {
    table_remove(&known, &remote->entry);
    for (uint32_t i = 0; i < 2 * remote->shape->channels; i++) {
        remote_end_unlink(&remote->ends[i]);
    }
    rt_mobile_release(&worker->main_process, remote->bundle);
    machine_free(remote);
}

static void hold(RemoteBundle *remote, uint32_t role, uint64_t move) {
    remote->is_held[role] = true;
    remote->moves[role] = move;
    for (uint32_t i = 0; i < remote->shape->channels; i++) {
        RemoteEnd *used = end_of(remote, i, role);
        used->side = end_shape_side(remote->shape, i, role);
        if (used->side == END_OUTPUT) {
            used->twin->turns[END_OUTPUT].number = move;
        }
    }
}

static void tell_home(const RemoteBundle *remote, MessageKind kind, uint32_t role) {
    Message *message = message_make(kind, remote->number, 0);
    message->side = role;
    message->number = remote->moves[role];
    message_send(remote->machine, link_home(remote->number), message);
}

/* ---- a bundle becomes remote ---- */

static void refuse_waiting(uintptr_t word, const OwnedAt *at) {
    if (channel_tag(word) == TAG_DEVICE) {
        link_refuse(at->site,
                    "an end of a bundle to another machine, while a channel of it is used "
                    "in a PLACED PAR");
    }
}

static void take_channel(const OwnedAt *at, RemoteBundle *remote, uint32_t channel) {
    RemoteEnd *input = &remote->ends[2 * channel];
    uintptr_t *place = &remote->bundle->channels[channel].word;
    uintptr_t word = atomic_get_acquire(place);
    refuse_waiting(word, at);
    while (channel_tag(word) != TAG_CLOSED &&
           !atomic_cas(place, &word, (uintptr_t)&input->device | TAG_DEVICE)) {
    }
    if (channel_tag(word) == TAG_CLOSED) {
        Link *link = link_of_number(remote->machine, remote->number + channel);
        link->closed = closed_by(word);
    } else {
        uint32_t item_bytes = end_shape_field(remote->shape, channel)->item_bytes;
        home_end_take_over(at->worker, input, word, item_bytes);
    }
}

static RemoteBundle *make_remote(const OwnedAt *at, Bundle *bundle, const EndShape *shape) {
    uint32_t role = shape->is_server;
    uint32_t before = atomic_add(&bundle->sides, BUNDLE_IS_REMOTE);
    bool is_held[ROLES] = {true, true};
    is_held[1 - role] = before == 2;
    uint64_t number = bundle_home_begin(at->machine, shape, is_held);
    RemoteBundle *remote = begin(at->machine, bundle, shape, number);
    for (uint32_t i = 0; i < ROLES; i++) {
        if (is_held[i]) {
            hold(remote, i, 1);
        }
    }
    for (uint32_t i = 0; i < shape->channels; i++) {
        take_channel(at, remote, i);
    }
    return remote;
}

/* ---- an end leaves ---- */

static void refuse_end(const OwnedAt *at, Bundle *bundle) {
    if (bundle_outside(bundle) != NULL) {
        link_refuse(at->site, "an end whose other end is the world, to another machine");
    }
}

static void withdraw(const OwnedAt *at, RemoteEnd *used) {
    if (used->is_extended) {
        link_refuse(at->site, "an end to another machine, during an extended input from it");
    }
    if (!remote_end_is_open(used)) {
        message_free(used->pending);
        used->pending = NULL;
        used->offered = 0;
    }
    shared_end_withdraw(used);
}

void remote_bundle_leave(const OwnedAt *at, uint64_t channel, Bundle *bundle, const EndShape *shape,
                         EndText *text) {
    uint32_t role = shape->is_server;
    refuse_end(at, bundle);
    bool is_remote = (atomic_get_acquire(&bundle->sides) & BUNDLE_IS_REMOTE) != 0;
    RemoteBundle *remote = is_remote ? find(bundle) : make_remote(at, bundle, shape);
    if (channel - remote->number < shape->channels) {
        link_refuse(at->site, "an end of a bundle over a channel of that bundle");
    }
    *text = (EndText){remote->number, remote->moves[role] + 1, bundle->site};
    tell_home(remote, MESSAGE_LEFT, role);
    for (uint32_t i = 0; i < shape->channels; i++) {
        uintptr_t word = atomic_get_acquire(&bundle->channels[i].word);
        text->closed[i] = channel_tag(word) == TAG_CLOSED ? closed_by(word) : NULL;
        withdraw(at, end_of(remote, i, role));
    }
    *(role == ROLE_SERVER ? &bundle->servers : &bundle->clients) = 0;
    (void)atomic_add(&bundle->sides, UINT32_MAX);
    remote->is_held[role] = false;
    if (!remote->is_held[1 - role]) {
        end(at->worker, remote);
    }
}

/* ---- an end arrives ---- */

static void point_to_channels(Bundle *bundle, const EndShape *shape) {
    Channel **pointer = (Channel **)(void *)&bundle->channels[shape->channels];
    Channel *channel = bundle->channels;
    for (uint32_t i = 0; i < shape->field_count; i++) {
        for (uint32_t k = 0; k < shape->fields[i].channels; k++, channel++) {
            if ((shape->fields[i].flags & END_ARRAY) != 0) {
                *pointer++ = channel;
            }
        }
    }
}

static Bundle *make_bundle(const OwnedAt *at, const EndShape *shape, const EndText *text) {
    Worker *worker = at->worker;
    Bundle *bundle = owned_text_take(worker, shape->bundle_bytes, at->site);
    memset((char *)bundle + sizeof(Mobile), 0, shape->bundle_bytes - sizeof(Mobile));
    bundle->site = text->site;
    bundle->count = shape->channels;
    bundle->sides = BUNDLE_IS_REMOTE;
    point_to_channels(bundle, shape);
    return bundle;
}

static RemoteBundle *make_here(const OwnedAt *at, const EndShape *shape, const EndText *text) {
    Bundle *bundle = make_bundle(at, shape, text);
    RemoteBundle *remote = begin(at->machine, bundle, shape, text->number);
    for (uint32_t i = 0; i < shape->channels; i++) {
        uintptr_t device = (uintptr_t)&remote->ends[2 * i].device | TAG_DEVICE;
        const Site *closed = text->closed[i];
        bundle->channels[i].word = closed != NULL ? (uintptr_t)closed | TAG_CLOSED : device;
    }
    return remote;
}

/* Closings that it brings are news for the other end, if that is here. */
static void close_channels(const OwnedAt *at, RemoteBundle *remote, const EndText *text) {
    for (uint32_t i = 0; i < remote->shape->channels && at->worker != NULL; i++) {
        if (text->closed[i] != NULL) {
            remote_close_hear(at->worker, &remote->ends[2 * i], text->closed[i], false);
        }
    }
}

Bundle *remote_bundle_arrive(const OwnedAt *at, const EndShape *shape, const EndText *text) {
    uint32_t role = shape->is_server;
    RemoteBundle *remote = find_number(at->machine, text->number);
    if (remote == NULL) {
        remote = make_here(at, shape, text);
    } else {
        close_channels(at, remote, text);
    }
    Bundle *bundle = remote->bundle;
    *(role == ROLE_SERVER ? &bundle->servers : &bundle->clients) = 1;
    (void)atomic_add(&bundle->sides, 1);
    hold(remote, role, text->move);
    tell_home(remote, MESSAGE_HERE, role);
    return bundle;
}

/* ---- an end is let go ---- */

void remote_bundle_let_go(Process *me, Bundle *bundle, int32_t is_server) {
    uint32_t role = is_server != 0 ? ROLE_SERVER : ROLE_CLIENT;
    world_enter(me->worker);
    RemoteBundle *remote = find(bundle);
    tell_home(remote, MESSAGE_LET_GO, role);
    for (uint32_t i = 0; i < remote->shape->channels; i++) {
        shared_end_withdraw(end_of(remote, i, role));
    }
    remote->is_held[role] = false;
    if (!remote->is_held[1 - role]) {
        end(me->worker, remote);
    }
    world_leave(me->worker);
}

/* ---- workers ---- */

Channel *remote_bundle_owned(Bundle *bundle, const EndShape *shape, const Channel *over) {
    bool is_its_own = over >= bundle->channels && over < bundle->channels + shape->channels;
    bool is_remote = (atomic_get_acquire(&bundle->sides) & BUNDLE_IS_REMOTE) != 0;
    if (is_its_own || is_remote || bundle_outside(bundle) != NULL) {
        return NULL;
    }
    Channel *owned = NULL;
    for (uint32_t i = 0; i < shape->channels && owned == NULL; i++) {
        Channel *channel = &bundle->channels[i];
        owned = atomic_get_acquire(&channel->owner) != 0
                    ? channel
                    : home_end_owned(channel, end_shape_field(shape, i)->item_bytes);
    }
    return owned;
}
