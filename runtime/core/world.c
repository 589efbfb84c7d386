/* world -- asking and stopping the other workers. See world.h. */
#include "world.h"

#include "os.h"

enum { STOP_STEP_NS = 50000, STOP_STEPS = 4000 };

static Worker *active_worker(unsigned number) {
    Worker *worker = atomic_get_acquire(&rt_root.workers[number]);
    bool is_active = worker != NULL && !activity_is_asleep(&rt_root.activity, number);
    return is_active ? worker : NULL;
}

void world_ask_attention(void) {
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        Worker *worker = active_worker(i);
        if (worker != NULL) {
            mode_set(worker, MODE_ATTENTION);
        }
    }
}

static uint32_t count_others(const Worker *worker) {
    uint32_t count = 0;
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        const Worker *other = active_worker(i);
        count += other != NULL && other != worker;
    }
    return count;
}

void world_stop(Worker *worker) {
    if (worker_is_solo(worker)) {
        return;
    }
    for (int step = 0; step < STOP_STEPS; step++) {
        world_ask_attention(); /* again: a worker may just have been woken */
        if (atomic_get_acquire(&rt_root.world.waiting) >= count_others(worker)) {
            return;
        }
        os_pause(STOP_STEP_NS);
    }
}
