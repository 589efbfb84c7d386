/* standstill -- asking, standing, being held. See standstill.h. */
#include "standstill.h"

#include "os.h"
#include "ownership.h"
#include "world.h"

static uint32_t wanted; /* 1: somebody wants all workers to stand, or they do */

enum {
    STEP_NS = 50000,
    STEPS_SIGNAL = 2000, /* from then on signals are sent */
    STEPS_EACH = 40,     /* one in so many steps */
    STEPS_MAX = 100000   /* five seconds */
};

#define HELD_AFTER_NS INT64_C(20000000)

/* ---- standing ---- */

/* `stands` is cleared before `wanted` is read again: either the asking worker sees that this one
 * goes on, or this one sees that it is wanted again. */
static void stand(Worker *worker) {
    do {
        atomic_set_seq(&worker->stands, 1u);
        while (atomic_get_seq(&wanted) != 0) {
            os_futex_wait(&wanted, 1, -1);
        }
        atomic_set_seq(&worker->stands, 0u);
    } while (atomic_get_seq(&wanted) != 0);
}

/* Others may wait for its channels without parking. */
static void settle(Worker *worker) {
    while (!ownership_rest(worker)) {
        ownership_serve(worker);
    }
}

void standstill_rest(Worker *worker) {
    atomic_set_relaxed(&worker->hold_since_ns, INT64_C(0)); /* it has come by itself */
    if (atomic_get_seq(&wanted) == 0) {
        return;
    }
    settle(worker);
    stand(worker);
    ownership_rise(worker);
}

void standstill_allow(Worker *worker, Process *process) {
    worker->runs = process;
    atomic_set_release(&worker->stands, 1u);
}

void standstill_forbid(Worker *worker) {
    atomic_set_seq(&worker->stands, 0u);
    if (atomic_get_seq(&wanted) != 0) {
        stand(worker);
    }
    worker->runs = NULL;
}

/* In a handler: has the process run so long that it will not come by itself? */
static bool is_to_be_held(Worker *worker, const void *sp) {
    if (atomic_get_relaxed(&worker->stands) != 0 || worker_is_on_system_stack(worker, sp)) {
        return false;
    }
    int64_t now_ns = os_thread_cpu_ns();
    int64_t since_ns = atomic_get_relaxed(&worker->hold_since_ns);
    if (since_ns == 0) {
        atomic_set_relaxed(&worker->hold_since_ns, now_ns);
    }
    return since_ns != 0 && now_ns - since_ns >= HELD_AFTER_NS;
}

void standstill_hold(Worker *worker, const void *sp) {
    if (atomic_get_seq(&wanted) != 0 && is_to_be_held(worker, sp)) {
        worker->held_sp = sp;
        stand(worker);
        worker->held_sp = NULL;
    }
}

/* ---- wanting it ---- */

static bool stands(const Worker *worker, unsigned number) {
    return activity_is_asleep(&rt_root.activity, number) ||
           (worker != NULL && atomic_get_seq(&worker->stands) != 0);
}

/* A standing worker wakes nobody, so workers that were asleep before all others stood are checked
 * once more. */
static bool all_stand(const Worker *mine) {
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < rt_root.worker_count; i++) {
            const Worker *worker = atomic_get_acquire(&rt_root.workers[i]);
            if (worker != mine && !stands(worker, i)) {
                return false;
            }
        }
    }
    return true;
}

static void signal_others(const Worker *mine) {
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        const Worker *worker = atomic_get_acquire(&rt_root.workers[i]);
        if (worker != NULL && worker != mine && worker->thread != 0 && !stands(worker, i)) {
            os_thread_signal(worker->thread, os_signal_alarm_number());
        }
    }
}

static void forget_holds(void) {
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        Worker *worker = atomic_get_acquire(&rt_root.workers[i]);
        if (worker != NULL) {
            atomic_set_relaxed(&worker->hold_since_ns, INT64_C(0));
        }
    }
}

/* `wanted` is set: wait until all stand. */
static bool wait_for_all(const Worker *worker, uint32_t steps) {
    for (uint32_t step = 0; step < steps; step++) {
        world_ask_attention(); /* again: some served attention before `wanted` was set */
        if (all_stand(worker)) {
            return true;
        }
        if (step >= STEPS_SIGNAL && step % STEPS_EACH == 0) {
            signal_others(worker);
        }
        os_pause(STEP_NS);
    }
    return false;
}

static void let_go(void) {
    forget_holds();
    atomic_set_seq(&wanted, 0u);
    os_futex_wake(&wanted, WORKERS_MAX);
}

bool standstill_begin(Worker *worker) {
    if (worker_is_solo(worker)) {
        return true;
    }
    uint32_t none = 0;
    while (!atomic_cas_seq(&wanted, &none, 1u)) {
        standstill_rest(worker); /* for another's report */
        none = 0;
    }
    settle(worker);
    forget_holds();
    if (wait_for_all(worker, STEPS_MAX)) {
        return true;
    }
    standstill_end(worker);
    return false;
}

bool standstill_begin_soon(Worker *worker, int64_t within_ns) {
    if (worker_is_solo(worker)) {
        return true;
    }
    uint32_t none = 0;
    if (!atomic_cas_seq(&wanted, &none, 1u)) {
        return false;
    }
    settle(worker);
    forget_holds();
    if (wait_for_all(worker, (uint32_t)(within_ns / STEP_NS))) {
        return true;
    }
    standstill_end(worker);
    return false;
}

void standstill_end(Worker *worker) {
    if (!worker_is_solo(worker)) {
        let_go();
        ownership_rise(worker);
    }
}

bool standstill_begin_held(Worker *worker, const void *sp) {
    uint32_t none = 0;
    if (!is_to_be_held(worker, sp) || !atomic_cas_seq(&wanted, &none, 1u)) {
        return false;
    }
    worker->held_sp = sp;
    if (worker_is_solo(worker) || wait_for_all(worker, STEPS_MAX)) {
        return true;
    }
    standstill_end_held(worker);
    return false;
}

void standstill_end_held(Worker *worker) {
    worker->held_sp = NULL;
    let_go();
}
