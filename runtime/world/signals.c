/* signals -- catching them, and giving them to a process. See signals.h. */
#define _GNU_SOURCE
#include "signals.h"

#include "bundle.h"
#include "os.h"
#include "stop.h"
#include "word_device.h"
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SIGNALS_MAX = 65 };

typedef struct Catcher {
    Outside outside; /* first: the bundle knows it */
    Kept kept;
    int write_fd;
    uint64_t numbers; /* a bit for each */
    Device device;    /* of the pipe */
} Catcher;

/* Under the world lock; a handler reads `writes`. */
static struct {
    struct sigaction before[SIGNALS_MAX];
    int writes[SIGNALS_MAX]; /* the descriptor + 1; 0: not caught */
} caught;

static Catcher *catcher_of(const Device *device) {
    return (Catcher *)(void *)((char *)(uintptr_t)device - offsetof(Catcher, device));
}

static void on_signal(int number) {
    int error = errno;
    int fd = __atomic_load_n(&caught.writes[number], __ATOMIC_ACQUIRE) - 1;
    unsigned char byte = (unsigned char)number;
    if (fd >= 0) {
        (void)!write(fd, &byte, 1); /* a pipe that is full has many of them */
    }
    errno = error;
}

/* ---- the channel ---- */

/* The next signal, for the process; false: there is none. */
static bool take_signal(Device *device, Process *process) {
    Catcher *catcher = catcher_of(device);
    unsigned char byte;
    if (os_read(catcher->device.watch.fd, &byte, 1) != 1) {
        __atomic_store_n(&catcher->kept.is_doubted, true, __ATOMIC_RELAXED);
        return false;
    }
    process_carries(process, (void *)(uintptr_t)byte);
    return true;
}

static Process *signal_input(Process *me, Device *device, void *data, size_t size_bytes,
                             const Site *site) {
    return word_device_input(me, device, data, size_bytes, site, take_signal);
}

static bool signal_is_ready(Device *device) {
    return os_is_ready(device->watch.fd, OS_READABLE, 0);
}

static void signal_advance(Worker *worker, Device *device) {
    word_device_advance(worker, device, take_signal);
}

static void signal_describe(const Device *device, char *text, size_t capacity) {
    const Catcher *catcher = catcher_of(device);
    int length = snprintf(text, capacity, "waits for a signal:");
    for (int number = 1; number < SIGNALS_MAX && (size_t)length + 16 < capacity; number++) {
        if ((catcher->numbers >> (number - 1) & 1) != 0) {
            const char *name = sigabbrev_np(number);
            length += snprintf(text + length, capacity - (size_t)length, " SIG%s",
                               name != NULL ? name : "?");
        }
    }
}

static const DeviceKind signal_kind = {.name = "wait for signals",
                                       .waits_for = OS_READABLE,
                                       .input = signal_input,
                                       .is_ready = signal_is_ready,
                                       .advance = signal_advance,
                                       .describe = signal_describe};

/* ---- catching ---- */

/* What the system has always done with it is done again. */
static void give_back(Catcher *catcher) {
    for (int number = 1; number < SIGNALS_MAX; number++) {
        if ((catcher->numbers >> (number - 1) & 1) != 0) {
            (void)sigaction(number, &caught.before[number], NULL);
            __atomic_store_n(&caught.writes[number], 0, __ATOMIC_RELEASE);
        }
    }
    catcher->numbers = 0;
}

static void let_go(Process *me, Bundle *bundle) {
    Catcher *catcher = (Catcher *)(void *)bundle_outside(bundle);
    Worker *worker = me->worker;
    world_enter(worker);
    give_back(catcher);
    readiness_drop(&rt_root.readiness, catcher->device.watch.fd);
    (void)close(catcher->device.watch.fd);
    (void)close(catcher->write_fd);
    world_leave(worker);
}

/* A crash is none that could be caught; and the runtime needs one for itself. */
static bool can_be_caught(int32_t number) {
    switch (number) {
    case SIGKILL:
    case SIGSTOP:
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGABRT: return false;
    default: return number > 0 && number < SIGNALS_MAX && number != os_signal_alarm_number();
    }
}

static int32_t catch_one(Catcher *catcher, int32_t number) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    (void)sigfillset(&action.sa_mask);
    if (!can_be_caught(number)) {
        return -EINVAL;
    }
    if (caught.writes[number] != 0) {
        return -EBUSY;
    }
    __atomic_store_n(&caught.writes[number], catcher->write_fd + 1, __ATOMIC_RELEASE);
    if (sigaction(number, &action, &caught.before[number]) != 0) {
        caught.writes[number] = 0;
        return -errno;
    }
    catcher->numbers |= UINT64_C(1) << (number - 1);
    return 0;
}

static Bundle *make_catcher(const int *ends) {
    Bundle *bundle = bundle_make_outside(1, sizeof(Catcher), let_go);
    if (bundle != NULL) {
        Catcher *catcher = (Catcher *)(void *)bundle_outside(bundle);
        device_init(&catcher->device, &signal_kind, &bundle->channels[0], ends[0]);
        catcher->device.watch.kept = &catcher->kept;
        catcher->write_fd = ends[1];
    }
    return bundle;
}

void occ_signal_catch(const int32_t *numbers, int32_t count, Bundle **to, int32_t *result) {
    Worker *worker = worker_of_thread();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        *result = -errno;
        return;
    }
    *to = make_catcher(ends);
    if (*to == NULL) {
        (void)close(ends[0]);
        (void)close(ends[1]);
        *result = -ENOMEM;
        return;
    }
    Catcher *catcher = (Catcher *)(void *)bundle_outside(*to);
    *result = 0;
    world_enter(worker);
    for (int32_t i = 0; i < count && *result == 0; i++) {
        *result = catch_one(catcher, numbers[i]);
    }
    if (*result != 0) {
        give_back(catcher);
    }
    world_leave(worker);
}
