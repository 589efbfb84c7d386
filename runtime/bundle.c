/* bundle -- holders of ends come and go. See bundle.h. */
#include "bundle.h"

#include "base/atomic.h"
#include "close.h"

static int64_t *holders(Bundle *bundle, int32_t is_server) {
    return is_server != 0 ? &bundle->servers : &bundle->clients;
}

void rt_bundle_keep(Process *me, void *ends, int32_t is_server) {
    (void)me;
    (void)atomic_add(holders(ends, is_server), 1);
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
    if (bundle->site != NULL && atomic_get_acquire(&bundle->sides) == 2) {
        close_all(me, bundle);
    }
    if (atomic_add(&bundle->sides, UINT32_MAX) == 1) { /* one less */
        rt_mobile_release(me, bundle);
    }
}
