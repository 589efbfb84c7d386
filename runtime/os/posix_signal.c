/* posix_signal -- signals, always handled on a stack of their own. See os.h.
 *
 * A process's stack has exactly the bytes its calls need: a handler that ran on it would write over
 * the block below. So every handler is SA_ONSTACK, and while one runs all others wait. */
#define _GNU_SOURCE
#include "os.h"

#include "x86_64/cpu.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { GROUP_MAX = 5, GROUP_COUNT = 6 };

static const int groups[GROUP_COUNT][GROUP_MAX] = {
    [OS_SIGNAL_ALARM] = {0},        [OS_SIGNAL_INTERRUPT] = {SIGINT, SIGTERM, SIGHUP},
    [OS_SIGNAL_REPORT] = {SIGQUIT}, [OS_SIGNAL_CRASH] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT},
    [OS_SIGNAL_STOP] = {SIGTSTP},   [OS_SIGNAL_CONTINUE] = {SIGCONT},
};

/* The kernel calls `enter`, which finds the handler here: a signal has no other context. */
static OsSignalHandler *handlers[GROUP_COUNT];

/* Debuggers pass SIGURG on silently, no library uses it, and by default it does nothing. */
int os_signal_alarm_number(void) {
    return SIGURG;
}

static int group_of(int signal_number) {
    for (int group = 0; group < GROUP_COUNT; group++) {
        for (int i = 0; i < GROUP_MAX && groups[group][i] != 0; i++) {
            if (groups[group][i] == signal_number) {
                return group;
            }
        }
    }
    return OS_SIGNAL_ALARM;
}

/* The interrupted code may be about to read errno. */
static void enter(int signal_number, siginfo_t *info, void *context) {
    (void)info;
    int error = errno;
    handlers[group_of(signal_number)](signal_number, arch_context_sp(context));
    errno = error;
}

bool os_signal_stack(void *low) {
    stack_t stack;
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = low;
    stack.ss_size = OS_SIGNAL_STACK_BYTES;
    return sigaltstack(&stack, NULL) == 0;
}

/* A write without a reader, or to a file that may not grow (ulimit -f), reports that by its result.
 * A handler, since SIG_IGN would be inherited by programs that this one starts. */
static void on_failed_write(int signal_number) {
    (void)signal_number;
}

/* With SIGCHLD ignored the exit status of children is lost, and programs inherit that. */
static void wait_for_children(void) {
    struct sigaction before;
    if (sigaction(SIGCHLD, NULL, &before) == 0 && before.sa_handler == SIG_IGN) {
        (void)signal(SIGCHLD, SIG_DFL);
    }
}

bool os_signal_begin(void) {
    void *low = os_memory_reserve(OS_SIGNAL_STACK_BYTES);
    bool has_stack =
        low != NULL && os_memory_commit(low, OS_SIGNAL_STACK_BYTES) && os_signal_stack(low);
    struct sigaction action;
    struct sigaction before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_failed_write;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    (void)sigaction(SIGXFSZ, &action, NULL);
    if (sigaction(SIGPIPE, NULL, &before) != 0 || before.sa_handler != SIG_IGN) {
        (void)sigaction(SIGPIPE, &action, NULL);
    }
    wait_for_children();
    return has_stack;
}

bool os_end_by_broken_pipe(int error) {
    struct sigaction action;
    if (error != EPIPE || sigaction(SIGPIPE, NULL, &action) != 0 || action.sa_handler == SIG_IGN) {
        return false;
    }
    os_signal_default(SIGPIPE);
    return true;
}

static void handle_one(int signal_number, int group) {
    struct sigaction action;
    struct sigaction before;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = enter;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    (void)sigfillset(&action.sa_mask);
    if (group == OS_SIGNAL_CRASH) {
        action.sa_flags |= SA_NODEFER;
    }
    bool is_ours = group == OS_SIGNAL_CRASH || group == OS_SIGNAL_ALARM;
    bool is_ignored = sigaction(signal_number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
    if (!is_ignored || is_ours) {
        bool is_handled = sigaction(signal_number, &action, NULL) == 0;
        rt_check(is_handled);
    }
}

void os_signal_handle(int group, OsSignalHandler *handler) {
    handlers[group] = handler;
    if (group == OS_SIGNAL_ALARM) {
        handle_one(os_signal_alarm_number(), group);
    }
    for (int i = 0; i < GROUP_MAX && groups[group][i] != 0; i++) {
        handle_one(groups[group][i], group);
    }
}

const char *os_signal_name(int signal_number) {
    switch (signal_number) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGABRT: return "SIGABRT";
    default: return "signal";
    }
}

void os_signal_default(int signal_number) {
    struct sigaction action;
    sigset_t set;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    (void)sigaction(signal_number, &action, NULL);
    (void)kill(getpid(), signal_number);
    (void)sigemptyset(&set);
    (void)sigaddset(&set, signal_number);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void os_signal_stop(void) {
    (void)kill(getpid(), SIGSTOP);
}
