/* worker -- setting up workers. See worker.h. */
#include "worker.h"

#include "atomic.h"
#include "os.h"

#include <string.h>

/* Enough for the deepest routines of the C library (printf of a REAL64 takes 10 KB) and for C
 * functions of programs; only used pages take memory. There is a guard page below each stack. */
enum { SYSTEM_STACK_BYTES = 8 * 1024 * 1024 };

Runtime rt_root;

/* A signal handler finds its worker by this. */
static _Thread_local Worker *this_worker;

Worker *worker_of_thread(void) {
    return this_worker;
}

void worker_is_this_thread(Worker *worker) {
    this_worker = worker;
    worker->thread = os_thread_self();
}

static void begin(Worker *worker, unsigned number, char *stack) {
    memset(worker, 0, sizeof *worker);
    worker->number = number;
    random_seed(&worker->owner_random, number);
    list_init(&worker->heap_blocks);
    worker->mobiles = &worker->mobile_store;
    mobile_store_begin(worker->mobiles);
    worker->main_process.worker = worker;
#ifdef RT_SANITIZE
    /* C stays on the stack the sanitizer knows: rt_arch_enter sets os_sp below main's frame. */
    (void)stack;
    worker->os_stack_low = NULL;
#else
    worker->os_sp = stack + SYSTEM_STACK_BYTES;
    worker->os_stack_low = stack;
#endif
}

/* The stacks lie below all blocks, in order of their workers, each with its guard page. */
static char *stack_of(unsigned number) {
    size_t page = os_page_bytes();
    return rt_root.blocks.area + page + number * (SYSTEM_STACK_BYTES + page);
}

bool worker_begin(Worker *worker, unsigned count) {
    size_t bytes = SYSTEM_STACK_BYTES + (count - 1) * (SYSTEM_STACK_BYTES + os_page_bytes());
    if (block_store_begin(&rt_root.blocks, bytes) == NULL) {
        return false;
    }
    begin(worker, 0, stack_of(0));
    for (unsigned number = 1; number < count; number++) {
        os_memory_forbid(stack_of(number) - os_page_bytes(), os_page_bytes());
    }
    rt_root.workers[0] = worker;
    rt_root.worker_count = count;
    rt_root.bell = -1;
    readiness_begin(&rt_root.readiness);
    activity_init(&rt_root.activity, count);
    worker_is_this_thread(worker);
    return true;
}

void worker_add(Worker *worker, unsigned number) {
    begin(worker, number, stack_of(number));
    random_seed(&worker->random, rt_root.seed + number);
    mode_set(worker, worker_mark(worker));
    atomic_set_release(&rt_root.workers[number], worker);
}

void worker_end(Worker *worker) {
    mobile_store_end(worker->mobiles);
    deadline_queue_free(&rt_root.deadlines);
    readiness_end(&rt_root.readiness);
    block_store_end(&rt_root.blocks);
}

bool worker_is_on_system_stack(const Worker *worker, const void *sp) {
    const char *at = sp;
    const char *high = worker->os_sp;
    const char *low =
        worker->os_stack_low != NULL ? worker->os_stack_low : high - SYSTEM_STACK_BYTES;
    return high == NULL || (at >= low && at <= high);
}
