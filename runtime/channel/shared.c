/* shared -- counting who knows a channel. See shared.h. */
#include "shared.h"

#include "atomic.h"
#include "mobile.h"

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
