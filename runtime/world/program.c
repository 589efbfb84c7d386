/* program -- starting programs, and their ends as a channel. See program.h. */
#define _GNU_SOURCE
#include "program.h"

#include "bundle.h"
#include "host_name.h"
#include "net_socket.h"
#include "os.h"
#include "stop.h"
#include "word_device.h"
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_FREE_FD = 3, PAGE_BYTES = 4096 };

typedef struct Child {
    Outside outside; /* first: the bundle knows it */
    Kept kept;
    Device device; /* of the pidfd */
    pid_t number;
    pid_t target; /* of signals: the group that it is, or it alone */
    bool has_ended;
    int32_t status; /* how: its exit status, or a signal, negated */
} Child;

static Child *child_of(const Device *device) {
    return (Child *)(void *)((char *)(uintptr_t)device - offsetof(Child, device));
}

/* ---- its end ---- */

/* Has it ended? Then it is asked for its status, once. */
static bool reap(Child *child, int how) {
    siginfo_t info = {.si_pid = 0};
    if (!child->has_ended &&
        waitid(P_PIDFD, (id_t)child->device.watch.fd, &info, WEXITED | how) == 0 &&
        info.si_pid != 0) {
        child->has_ended = true;
        child->status = info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
    }
    return child->has_ended;
}

static bool take_end(Device *device, Process *process) {
    Child *child = child_of(device);
    if (!reap(child, WNOHANG)) {
        __atomic_store_n(&child->kept.is_doubted, true, __ATOMIC_RELAXED);
        return false;
    }
    process_carries(process, (void *)(uintptr_t)(uint32_t)child->status);
    return true;
}

static Process *end_input(Process *me, Device *device, void *data, size_t size_bytes,
                          const Site *site) {
    return word_device_input(me, device, data, size_bytes, site, take_end);
}

static bool end_is_ready(Device *device) {
    return child_of(device)->has_ended || os_is_ready(device->watch.fd, OS_READABLE, 0);
}

static void end_advance(Worker *worker, Device *device) {
    word_device_advance(worker, device, take_end);
}

static void end_describe(const Device *device, char *text, size_t capacity) {
    (void)snprintf(text, capacity, "waits for the end of program %d",
                   (int)child_of(device)->number);
}

static const DeviceKind end_kind = {.name = "wait for a program",
                                    .waits_for = OS_READABLE,
                                    .input = end_input,
                                    .is_ready = end_is_ready,
                                    .advance = end_advance,
                                    .describe = end_describe};

static void let_go(Process *me, Bundle *bundle) {
    Child *child = (Child *)(void *)bundle_outside(bundle);
    Worker *worker = me->worker;
    if (!reap(child, WNOHANG)) {
        (void)kill(child->target, SIGKILL);
        (void)reap(child, 0);
    }
    world_enter(worker);
    readiness_drop(&rt_root.readiness, child->device.watch.fd);
    (void)close(child->device.watch.fd);
    world_leave(worker);
}

static Bundle *make_program(int fd, pid_t number, pid_t target) {
    Bundle *bundle = bundle_make_outside(1, sizeof(Child), let_go);
    if (bundle != NULL) {
        Child *child = (Child *)(void *)bundle_outside(bundle);
        device_init(&child->device, &end_kind, &bundle->channels[0], fd);
        child->device.watch.kept = &child->kept;
        child->number = number;
        child->target = target;
    }
    return bundle;
}

/* ---- starting ---- */

typedef struct List {
    char **items; /* ended by NULL */
    size_t count;
    size_t size_bytes;
} List;

static bool list_make(List *list, size_t most) {
    list->count = 0;
    list->size_bytes =
        ((most + 1) * sizeof *list->items + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
    list->items = os_memory_reserve(list->size_bytes);
    return list->items != NULL && os_memory_commit(list->items, list->size_bytes);
}

static void list_free(List *list) {
    if (list->items != NULL) {
        os_memory_release(list->items, list->size_bytes);
    }
}

static const char *next_word(const char *word) {
    return word + strlen(word) + 1;
}

static bool is_among(const char *variable, const char *words, const char *end) {
    size_t name = strcspn(variable, "=") + 1;
    while (words < end && strncmp(variable, words, name) != 0) {
        words = next_word(words);
    }
    return words < end;
}

/* Pointers to the words, behind those of `before` that are not among them. */
static bool list_words(List *list, const uint8_t *bytes, int32_t size, char *const *before) {
    const char *words = (const char *)bytes;
    const char *end = words + size;
    size_t most = 0;
    for (const char *word = words; word < end; word = next_word(word)) {
        most++;
    }
    for (size_t i = 0; before != NULL && before[i] != NULL; i++) {
        most++;
    }
    if (!list_make(list, most)) {
        return false;
    }
    for (size_t i = 0; before != NULL && before[i] != NULL; i++) {
        if (!is_among(before[i], words, end)) {
            list->items[list->count++] = before[i];
        }
    }
    for (const char *word = words; word < end; word = next_word(word)) {
        list->items[list->count++] = (char *)(uintptr_t)word;
    }
    return true;
}

/* Ours does not block; that of the program is none of its standard ones yet. */
static int make_pair(int *ours, int *its) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return -errno;
    }
    *its = fcntl(ends[1], F_DUPFD_CLOEXEC, FIRST_FREE_FD);
    int error = errno;
    (void)close(ends[1]);
    if (*its < 0 || fcntl(ends[0], F_SETFL, O_RDWR | O_NONBLOCK) != 0) {
        (void)close(ends[0]);
        return -error;
    }
    *ours = ends[0];
    return 0;
}

static int set_attributes(posix_spawnattr_t *attributes, bool is_group) {
    sigset_t none;
    sigset_t all;
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    int error = posix_spawnattr_init(attributes);
    if (error == 0) {
        (void)posix_spawnattr_setsigmask(attributes, &none);
        (void)posix_spawnattr_setsigdefault(attributes, &all);
        (void)posix_spawnattr_setpgroup(attributes, 0);
        int group = is_group ? POSIX_SPAWN_SETPGROUP : 0;
        (void)posix_spawnattr_setflags(
            attributes, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
    }
    return error;
}

/* its: what its three streams are. */
static int spawn(char *const *words, char *const *variables, const char *folder, const int its[3],
                 bool is_group, pid_t *number) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = set_attributes(&attributes, is_group);
    if (error != 0) {
        return -error;
    }
    error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        for (int i = 0; i < 3; i++) {
            (void)posix_spawn_file_actions_adddup2(&actions, its[i], i);
        }
        if (folder[0] != '\0') {
            (void)posix_spawn_file_actions_addchdir_np(&actions, folder);
        }
        error = posix_spawnp(number, words[0], &actions, &attributes, words, variables);
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    (void)posix_spawnattr_destroy(&attributes);
    return -error;
}

/* The bundle of a program that has been started; one that cannot be held is ended. */
static int32_t hold_program(pid_t number, pid_t target, Bundle **program) {
    int fd = pidfd_open(number, 0);
    int32_t result = fd < 0 ? -errno : -ENOMEM;
    *program = fd < 0 ? NULL : make_program(fd, number, target);
    if (*program == NULL) {
        (void)kill(target, SIGKILL);
        (void)waitpid(number, NULL, 0);
        return result;
    }
    return 0;
}

static int32_t hold(pid_t number, int ours, int errors, Bundle **program, Bundle **streams,
                    Bundle **error_stream) {
    int32_t result = hold_program(number, -number, program);
    *streams = net_socket_make(ours, NET_CONNECTION);
    *error_stream = net_socket_make(errors, NET_CONNECTION);
    return result == 0 && (*streams == NULL || *error_stream == NULL) ? -ENOMEM : result;
}

static int32_t start(char *const *words, char *const *variables, const char *folder,
                     Bundle **program, Bundle **streams, Bundle **errors) {
    int ours[2];
    int its[2];
    pid_t number;
    int32_t result = make_pair(&ours[0], &its[0]);
    if (result != 0) {
        return result;
    }
    result = make_pair(&ours[1], &its[1]);
    if (result == 0) {
        const int streams_of_it[3] = {its[0], its[0], its[1]};
        result = spawn(words, variables, folder, streams_of_it, true, &number);
        (void)close(its[1]);
        if (result == 0) {
            result = hold(number, ours[0], ours[1], program, streams, errors);
            (void)close(its[0]);
            return result;
        }
        (void)close(ours[1]);
    }
    (void)close(its[0]);
    (void)close(ours[0]);
    return result;
}

void occ_program_start(const uint8_t *command, int32_t command_size, const uint8_t *environment,
                       int32_t environment_size, const uint8_t *folder, int32_t folder_size,
                       Bundle **program, Bundle **streams, Bundle **errors, int32_t *result) {
    HostName place;
    List words = {.items = NULL};
    List variables = {.items = NULL};
    if (!list_words(&words, command, command_size, NULL) ||
        !list_words(&variables, environment, environment_size, environ)) {
        *result = -ENOMEM;
    } else if (words.count == 0 || words.items[0][0] == '\0') {
        *result = -ENOENT;
    } else if (!host_name_set(&place, folder, folder_size)) {
        *result = -ENAMETOOLONG;
    } else {
        *result = start(words.items, variables.items, place.text, program, streams, errors);
    }
    list_free(&words);
    list_free(&variables);
}

/* Copies that are none of the standard ones, which are about to be set anew. */
static int32_t copy_streams(const int from[3], int its[3]) {
    for (int i = 0; i < 3; i++) {
        its[i] = fcntl(from[i] < 0 ? i : from[i], F_DUPFD_CLOEXEC, FIRST_FREE_FD);
        if (its[i] < 0) {
            int error = errno;
            while (i-- > 0) {
                (void)close(its[i]);
            }
            return -error;
        }
    }
    return 0;
}

void occ_program_run(const uint8_t *command, int32_t command_size, const uint8_t *environment,
                     int32_t environment_size, int32_t input, int32_t output, int32_t errors,
                     Bundle **program, int32_t *result) {
    const int from[3] = {input, output, errors};
    int its[3];
    pid_t number;
    List words = {.items = NULL};
    List variables = {.items = NULL};
    if (!list_words(&words, command, command_size, NULL) ||
        !list_words(&variables, environment, environment_size, environ)) {
        *result = -ENOMEM;
    } else if (words.count == 0 || words.items[0][0] == '\0') {
        *result = -ENOENT;
    } else if ((*result = copy_streams(from, its)) == 0) {
        *result = spawn(words.items, variables.items, "", its, false, &number);
        if (*result == 0) {
            *result = hold_program(number, number, program);
        }
        for (int i = 0; i < 3; i++) {
            (void)close(its[i]);
        }
    }
    list_free(&words);
    list_free(&variables);
}

/* ---- signals ---- */

void occ_program_signal(Bundle **program, int32_t number, int32_t *result) {
    Child *child = *program == NULL ? NULL : (Child *)(void *)bundle_outside(*program);
    if (child == NULL || child->has_ended) {
        *result = -ESRCH;
    } else {
        *result = kill(child->target, number) == 0 ? 0 : -errno;
    }
}

void occ_program_number(Bundle **program, int32_t *number) {
    *number = *program == NULL ? 0 : ((Child *)(void *)bundle_outside(*program))->number;
}
