/* host_program -- the program's arguments and environment, other programs, the date, numbers out
 * of text, for the library. See host.h. */
#define _GNU_SOURCE
#include "host.h"

#include "ending.h"
#include "host_name.h"
#include "world.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_BITS = 0xff };

int32_t occ_host_argument_count(void) {
    return rt_root.argument_count;
}

void occ_host_argument(int32_t n, uint8_t *text, int32_t size, int32_t *length) {
    if (n < 0 || n >= rt_root.argument_count) {
        *length = -1;
        return;
    }
    *length = host_text_give(rt_root.arguments[n], text, size);
}

void occ_host_variable(const uint8_t *name, int32_t name_size, uint8_t *value, int32_t size,
                       int32_t *length) {
    HostName variable;
    const char *is = host_name_set(&variable, name, name_size) ? getenv(variable.text) : NULL;
    *length = is == NULL ? -1 : host_text_give(is, value, size);
}

int32_t occ_host_set_variable(const uint8_t *name, int32_t name_size, const uint8_t *value,
                              int32_t size) {
    HostName variable;
    HostName text;
    if (!host_name_set(&variable, name, name_size) || !host_name_set(&text, value, size)) {
        return -ENAMETOOLONG;
    }
    return setenv(variable.text, text.text, 1) == 0 ? 0 : -errno;
}

int32_t occ_host_process_number(void) {
    return (int32_t)getpid();
}

void occ_host_exit(int32_t status) {
    Worker *worker = worker_of_thread();
    if (worker != NULL && atomic_get_relaxed(&rt_root.is_running)) {
        world_enter(worker); /* nobody else runs processes from now on */
        world_stop(worker);
    }
    rt_end(status & STATUS_BITS);
}

/* As system(3), with signals as a program expects them: this thread has all of them blocked, since
 * it runs blocking calls, and the runtime handles some. -1: it could not be started. */
static int run_shell(const char *line) {
    char shell[] = "sh";
    char option[] = "-c";
    char *const arguments[] = {shell, option, (char *)(uintptr_t)line, NULL};
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child;
    int state;
    (void)sigemptyset(&none);
    if (posix_spawnattr_init(&attributes) != 0) {
        return -1;
    }
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int error = posix_spawn(&child, "/bin/sh", NULL, &attributes, arguments, environ);
    (void)posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        return -1;
    }
    while (waitpid(child, &state, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return state;
}

void occ_host_system(const uint8_t *command, int32_t size, int32_t *status) {
    HostName line;
    if (!host_name_set(&line, command, size)) {
        *status = -1;
        return;
    }
    int state = run_shell(line.text);
    *status = state != -1 && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

int64_t occ_host_time(void) {
    return time(NULL);
}

int64_t occ_host_local_time(void) {
    time_t now = time(NULL);
    struct tm local;
    return localtime_r(&now, &local) == NULL ? now : now + local.tm_gmtoff;
}

void occ_host_error_text(int32_t error, uint8_t *text, int32_t size, int32_t *length) {
    *length = host_text_give(strerror(error), text, size);
}

/* ---- numbers ---- */

float occ_host_real32(const uint8_t *text, int32_t size) {
    HostName number;
    return host_name_set(&number, text, size) ? strtof(number.text, NULL) : 0.0F;
}

double occ_host_real64(const uint8_t *text, int32_t size) {
    HostName number;
    return host_name_set(&number, text, size) ? strtod(number.text, NULL) : 0.0;
}
