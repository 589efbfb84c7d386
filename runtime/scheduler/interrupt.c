/* interrupt -- signal handlers. See interrupt.h. */
#include "interrupt.h"

#include "alarm.h"
#include "deadlock.h"
#include "ending.h"
#include "machines.h"
#include "os.h"
#include "report.h"
#include "standstill.h"
#include "world.h"

enum { RETRY_NS = 1000000, FLUSH_NS = 500000000 };

static bool pending_report;
static int pending_signal;
static int64_t pending_since_ns;
static bool has_crashed;

/* ---- which worker a signal is for ---- */

static Worker *first_active(void) {
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        Worker *worker = atomic_get_acquire(&rt_root.workers[i]);
        if (worker != NULL && !activity_is_asleep(&rt_root.activity, i)) {
            return worker;
        }
    }
    return NULL; /* a worker is just being woken */
}

/* The kernel gives a signal to any thread. Returns this thread's worker if it is the one to act;
 * else NULL, and the signal has been sent on. */
static Worker *worker_for(int signal_number) {
    Worker *here = worker_of_thread();
    Worker *target = first_active();
    if (target == NULL || target == here) {
        return here;
    }
    if (here != NULL && !activity_is_asleep(&rt_root.activity, here->number)) {
        return here;
    }
    os_thread_signal(target->thread, signal_number);
    return NULL;
}

/* May a handler act as if it were the worker? With several active it must get the lock, and keeps
 * it: the program ends. */
static bool nothing_is_half_done(Worker *worker, const void *sp) {
    if (atomic_get_relaxed(&worker->is_idle) != 0) {
        return true;
    }
    if (worker_is_on_system_stack(worker, sp)) {
        return false;
    }
    return worker_is_solo(worker) || lock_try(&rt_root.world);
}

/* stands_still: all other workers do, and this one has no operation under way. */
_Noreturn static void end_by_signal(bool stands_still, int signal_number) {
    if (rt_root.machines != NULL && stands_still) {
        rt_root.machines->signalled();
    }
    ending_from_signal();
    os_signal_default(signal_number);
    os_exit_now(128 + signal_number);
}

/* An error cannot write its output, as nobody reads it: do not wait for that. */
static bool is_held_up(void) {
    return rt_root.is_flushing && os_clock_ns() - pending_since_ns >= FLUSH_NS;
}

static void end_unfinished(int signal_number) {
    os_terminal_restore();
    os_signal_default(signal_number);
}

/* ---- handlers ---- */

/* A report is wanted, and no process comes to a point where it could be made. */
static void report_here(Worker *worker, const void *sp) {
    if (standstill_begin_held(worker, sp)) {
        if (atomic_swap(&pending_report, false)) {
            rt_waits_report();
        }
        standstill_end_held(worker);
    }
    if (atomic_get_relaxed(&pending_report)) {
        os_alarm_set(os_clock_ns() + RETRY_NS);
    }
}

static void on_alarm(int signal_number, const void *sp) {
    Worker *here = worker_of_thread();
    if (here != NULL && atomic_get_relaxed(&rt_root.is_running)) {
        standstill_hold(here, sp);
        if (atomic_get_relaxed(&pending_report)) {
            report_here(here, sp);
        }
    }
    alarm_forget();
    world_ask_attention();
    int pending = atomic_get_relaxed(&pending_signal);
    if (pending == 0) {
        return;
    }
    if (is_held_up()) {
        end_unfinished(pending);
    }
    Worker *worker = worker_for(signal_number);
    if (worker != NULL && nothing_is_half_done(worker, sp)) {
        end_by_signal(atomic_get_relaxed(&worker->is_idle) != 0, pending);
    }
    os_alarm_set(os_clock_ns() + RETRY_NS);
}

static void on_interrupt(int signal_number, const void *sp) {
    if (!atomic_get_relaxed(&rt_root.is_running) || rt_root.is_ending) {
        end_unfinished(signal_number); /* nothing to flush, or flushing does not end */
        return;
    }
    Worker *worker = worker_for(signal_number);
    if (worker == NULL) {
        return;
    }
    if (nothing_is_half_done(worker, sp)) {
        end_by_signal(atomic_get_relaxed(&worker->is_idle) != 0, signal_number);
    }
    pending_since_ns = os_clock_ns();
    atomic_set_relaxed(&pending_signal, signal_number);
    world_ask_attention();
    os_alarm_set(os_clock_ns() + RETRY_NS);
}

static void on_report(int signal_number, const void *sp) {
    (void)sp;
    Worker *worker = atomic_get_relaxed(&rt_root.is_running) ? worker_for(signal_number) : NULL;
    if (worker == NULL) {
        return;
    }
    if (atomic_get_relaxed(&worker->is_idle) != 0) {
        rt_waits_report(); /* it is solo: everything stands still */
        return;
    }
    atomic_set_relaxed(&pending_report, true);
    world_ask_attention();
    os_alarm_set(os_clock_ns() + RETRY_NS);
}

static void on_crash(int signal_number, const void *sp) {
    if (has_crashed) {
        os_exit_now(STATUS_INTERNAL);
    }
    has_crashed = true;
    if (atomic_get_relaxed(&rt_root.is_running)) {
        ending_from_signal();
    }
    os_terminal_restore();
    Worker *worker = worker_of_thread();
    bool in_process = atomic_get_relaxed(&rt_root.is_running) && worker != NULL &&
                      !worker_is_on_system_stack(worker, sp);
    report_line("occ: internal error: %s in %s\n", os_signal_name(signal_number),
                in_process ? "a process" : "the runtime");
    os_exit_now(STATUS_INTERNAL);
}

static void on_stop(int signal_number, const void *sp) {
    (void)signal_number;
    (void)sp;
    os_terminal_restore();
    os_signal_stop();
}

static void on_continue(int signal_number, const void *sp) {
    (void)signal_number;
    (void)sp;
    os_terminal_make_raw_again();
}

void interrupt_begin(void) {
    if (!os_signal_begin()) {
        rt_fatal("cannot start: no memory for a signal stack", 0);
    }
    os_signal_handle(OS_SIGNAL_ALARM, on_alarm);
    os_signal_handle(OS_SIGNAL_INTERRUPT, on_interrupt);
    os_signal_handle(OS_SIGNAL_REPORT, on_report);
#ifndef RT_SANITIZE /* the sanitizer's own report says more */
    os_signal_handle(OS_SIGNAL_CRASH, on_crash);
#else
    (void)on_crash;
#endif
    os_signal_handle(OS_SIGNAL_STOP, on_stop);
    os_signal_handle(OS_SIGNAL_CONTINUE, on_continue);
    if (!os_alarm_create(os_signal_alarm_number())) {
        rt_fatal("cannot start: the system has no timer left (ulimit -i)", 0);
    }
}

void interrupt_serve(Worker *worker) {
    int pending = atomic_get_relaxed(&pending_signal);
    if (pending != 0) {
        world_stop(worker);
        end_by_signal(worker_is_solo(worker), pending);
    }
}

void interrupt_report(Worker *worker) {
    if (!atomic_get_relaxed(&pending_report)) {
        return;
    }
    if (!atomic_swap(&pending_report, false)) {
        return; /* another worker makes it */
    }
    if (!standstill_begin(worker)) {
        report_line("occ: no report: a process does not come to a point at which it can stand\n");
        return;
    }
    rt_waits_report();
    standstill_end(worker);
}
