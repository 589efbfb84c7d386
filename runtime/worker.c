/* worker -- setting up the one worker. See worker.h. */
#include "worker.h"

#include "os/os.h"

#include <string.h>

/* Enough for the C library's deepest routines (printf of a REAL64 takes 10 KB) and for C called by
 * programs; memory is touched only as far as it is used. */
enum { SYSTEM_STACK_BYTES = 8 * 1024 * 1024 };

Runtime rt_root;

bool worker_begin(Worker *worker) {
    memset(worker, 0, sizeof *worker);
    char *low = block_store_begin(&rt_root.blocks, SYSTEM_STACK_BYTES);
    if (low == NULL) {
        return false;
    }
    list_init(&worker->heap_blocks);
    worker->mobiles = &worker->mobile_store;
    mobile_store_begin(worker->mobiles);
    worker->main_process.worker = worker;
#ifdef RT_SANITIZE
    /* C stays on the stack the sanitizer knows: rt_arch_enter sets os_sp below main's frame. */
    worker->os_stack_low = NULL;
#else
    worker->os_sp = low + SYSTEM_STACK_BYTES;
    worker->os_stack_low = low;
#endif
    return true;
}

void worker_end(Worker *worker) {
    mobile_store_end(worker->mobiles);
    deadline_queue_free(&worker->deadlines);
    block_store_end(&rt_root.blocks);
}

bool worker_is_on_system_stack(const Worker *worker, const void *sp) {
    const char *at = sp;
    const char *high = worker->os_sp;
    const char *low =
        worker->os_stack_low != NULL ? worker->os_stack_low : high - SYSTEM_STACK_BYTES;
    return high == NULL || (at >= low && at <= high);
}
