/* bundle -- holders of ends come and go. See bundle.h. */
#include "bundle.h"

#include "atomic.h"
#include "close.h"
#include "gate.h"
#include "machines.h"

#include <string.h>

static int64_t *holders(Bundle *bundle, int32_t is_server) {
    return is_server != 0 ? &bundle->servers : &bundle->clients;
}

void rt_bundle_keep(Process *me, void *ends, int32_t is_server) {
    (void)me;
    (void)atomic_add(holders(ends, is_server), 1);
}

Bundle *bundle_make_outside(uint32_t channels, size_t outside_bytes,
                            void (*let_go)(Process *me, Bundle *bundle)) {
    static const Site made_at = {.file = "the world", .proc = "outside", .line = 1, .column = 1};
    size_t size_bytes = sizeof(Bundle) + channels * sizeof(Channel) + outside_bytes;
    Bundle *bundle = mobile_take_outside(size_bytes);
    if (bundle == NULL) {
        return NULL;
    }
    memset((char *)bundle + sizeof(Mobile), 0, size_bytes - sizeof(Mobile));
    bundle->servers = -1;
    bundle->clients = 1;
    bundle->site = &made_at;
    bundle->count = channels;
    bundle->sides = 1;
    bundle_outside(bundle)->let_go = let_go;
    return bundle;
}

static void close_all(Process *me, Bundle *bundle) {
    for (uint32_t i = 0; i < bundle->count; i++) {
        rt_channel_close(me, &bundle->channels[i], bundle->site);
    }
}

void rt_bundle_drop(Process *me, void *ends, int32_t is_server) {
    Bundle *bundle = ends;
    if (atomic_add(holders(bundle, is_server), -1) != 1) {
        return;
    }
    Outside *outside = bundle_outside(bundle);
    if (outside != NULL) {
        outside->let_go(me, bundle);
        rt_mobile_release(me, bundle);
        return;
    }
    if (bundle->site != NULL && atomic_get_acquire(&bundle->sides) != 1) {
        gate_note_limit(me->worker, EXPLORE_LIMIT_BUNDLE);
        close_all(me, bundle);
    }
    uint32_t before = atomic_add(&bundle->sides, UINT32_MAX); /* one less */
    if ((before & BUNDLE_IS_REMOTE) != 0) {
        rt_root.machines->let_go(me, bundle, is_server);
    } else if (before == 1) {
        rt_mobile_release(me, bundle);
    }
}

/* ---- shared channels ---- */

void rt_shared_keep(Process *me, void *channel) {
    (void)me;
    SharedChannel *shared = channel;
    (void)atomic_add(&shared->references, 1);
}

void rt_shared_drop(Process *me, void *channel) {
    SharedChannel *shared = channel;
    if (atomic_add(&shared->references, -1) == 1) {
        rt_mobile_release(me, (char *)channel - MOBILE_DATA);
    }
}
