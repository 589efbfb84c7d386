/* shared -- counting who knows a channel. See shared.h. */
#include "shared.h"

#include "base/atomic.h"
#include "error.h"

#include <stdlib.h>

void *rt_shared_make(Process *me, const Site *site) {
    SharedChannel *shared = calloc(1, sizeof *shared);
    if (shared == NULL) {
        rt_error_no_memory(me, site, sizeof *shared);
    }
    shared->references = 1;
    return shared;
}

void rt_shared_keep(Process *me, void *channel) {
    (void)me;
    SharedChannel *shared = channel;
    (void)atomic_add(&shared->references, 1);
}

void rt_shared_drop(Process *me, void *channel) {
    (void)me;
    SharedChannel *shared = channel;
    if (atomic_add(&shared->references, -1) == 1) {
        free(shared);
    }
}
