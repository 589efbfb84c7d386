/* interrupt -- signal handlers. See interrupt.h. */
#include "interrupt.h"

#include "deadlock.h"
#include "ending.h"
#include "os/os.h"
#include "report.h"
#include "worker.h"

#include <string.h>

enum { RETRY_NS = 1000000 };

/* May a handler act as if it were the worker? */
static bool nothing_is_half_done(const void *sp) {
    const Worker *worker = &rt_root.worker;
    return __atomic_load_n(&worker->is_idle, __ATOMIC_RELAXED) != 0 ||
           !worker_is_on_system_stack(worker, sp);
}

_Noreturn static void end_by_signal(int signal_number) {
    ending_from_signal();
    os_signal_default(signal_number);
    os_exit_now(128 + signal_number);
}

static void on_alarm(int signal_number, const void *sp) {
    (void)signal_number;
    Worker *worker = &rt_root.worker;
    __atomic_store_n(&worker->alarm_at_us, 0, __ATOMIC_RELAXED);
    mode_set(worker, MODE_ATTENTION);
    int pending = __atomic_load_n(&rt_root.pending_signal, __ATOMIC_RELAXED);
    if (pending != 0) {
        if (nothing_is_half_done(sp)) {
            end_by_signal(pending);
        }
        os_alarm_set(os_clock_ns() + RETRY_NS);
    }
}

static void on_interrupt(int signal_number, const void *sp) {
    if (!rt_root.is_running || rt_root.is_ending) {
        os_terminal_restore(); /* nothing to flush, or flushing does not come to an end */
        os_signal_default(signal_number);
        return;
    }
    if (nothing_is_half_done(sp)) {
        end_by_signal(signal_number);
    }
    __atomic_store_n(&rt_root.pending_signal, signal_number, __ATOMIC_RELAXED);
    mode_set(&rt_root.worker, MODE_ATTENTION);
    os_alarm_set(os_clock_ns() + RETRY_NS);
}

static void on_report(int signal_number, const void *sp) {
    (void)signal_number;
    (void)sp;
    Worker *worker = &rt_root.worker;
    if (!rt_root.is_running) {
        return;
    }
    if (__atomic_load_n(&worker->is_idle, __ATOMIC_RELAXED) != 0) {
        rt_waits_report(worker);
        return;
    }
    __atomic_store_n(&rt_root.pending_report, true, __ATOMIC_RELAXED);
    mode_set(worker, MODE_ATTENTION);
}

static void on_crash(int signal_number, const void *sp) {
    if (rt_root.has_crashed) {
        os_exit_now(STATUS_INTERNAL);
    }
    rt_root.has_crashed = true;
    if (rt_root.is_running) {
        ending_from_signal();
    }
    os_terminal_restore();
    bool in_process = rt_root.is_running && !worker_is_on_system_stack(&rt_root.worker, sp);
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
    os_signal_begin();
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
    rt_check(os_alarm_create(os_signal_alarm_number()));
}

void interrupt_serve(void) {
    int pending = __atomic_load_n(&rt_root.pending_signal, __ATOMIC_RELAXED);
    if (pending != 0) {
        end_by_signal(pending);
    }
    if (__atomic_load_n(&rt_root.pending_report, __ATOMIC_RELAXED)) {
        __atomic_store_n(&rt_root.pending_report, false, __ATOMIC_RELAXED);
        rt_waits_report(&rt_root.worker);
    }
}
