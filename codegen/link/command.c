/* command -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

static sigset_t guarded_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGCHLD);
    return set;
}

CommandGuard command_guard(void) {
    CommandGuard guard = {.interrupt = 0};
    sigset_t set = guarded_signals();
    sigprocmask(SIG_BLOCK, &set, &guard.before);
    return guard;
}

void command_release(const CommandGuard *guard) {
    if (guard->interrupt) {
        raise(guard->interrupt);
    }
    sigprocmask(SIG_SETMASK, &guard->before, NULL);
}

static int start(const CommandGuard *guard, char *const words[], pid_t *child) {
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &guard->before);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE); /* the compiler ignores it */
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    int reason = posix_spawnp(child, words[0], NULL, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    return reason;
}

int command_run(CommandGuard *guard, char *const words[]) {
    pid_t child;
    int reason = start(guard, words, &child);
    if (reason) {
        errno = reason;
        return -1;
    }
    sigset_t set = guarded_signals();
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
        int number = 0;
        sigwait(&set, &number);
        if (number != SIGCHLD && number != 0) {
            guard->interrupt = number;
            kill(child, number);
        }
    }
    if (ended < 0) {
        return -1;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
