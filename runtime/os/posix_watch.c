/* posix_watch -- readiness of descriptors: one at once, or many together by epoll. See os.h. Linux.
 *
 * The kernel answers each request about a descriptor once (EPOLLONESHOT): a descriptor that is
 * closed at its other end and no longer wanted does not wake those that wait for others. A kept
 * descriptor tells each change once (EPOLLET), with the same effect and without new requests. */
#define _GNU_SOURCE
#include "os.h"

#include "posix_time.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- one ---- */

bool os_is_ready(int fd, int wanted, int64_t timeout_ns) {
    int events = (wanted & OS_READABLE) != 0 ? POLLIN : 0;
    events |= (wanted & OS_WRITABLE) != 0 ? POLLOUT : 0;
    struct pollfd one = {fd, (short)events, 0};
    struct timespec timeout = timespec_of(timeout_ns < 0 ? 0 : timeout_ns);
    return ppoll(&one, 1, timeout_ns < 0 ? NULL : &timeout, NULL) > 0;
}

int os_process_watch(long process) {
    return (int)syscall(SYS_pidfd_open, (pid_t)process, 0);
}

/* ---- many ---- */

int os_watch_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

void os_watch_destroy(int watch) {
    (void)close(watch);
}

static uint32_t events_of(int wanted) {
    uint32_t events = EPOLLONESHOT;
    events |= (wanted & OS_READABLE) != 0 ? EPOLLIN : 0u;
    return events | ((wanted & OS_WRITABLE) != 0 ? EPOLLOUT : 0u);
}

bool os_watch_ask(int watch, int fd, int wanted) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = events_of(wanted);
    event.data.fd = fd;
    return epoll_ctl(watch, EPOLL_CTL_MOD, fd, &event) == 0 ||
           (errno == ENOENT && epoll_ctl(watch, EPOLL_CTL_ADD, fd, &event) == 0);
}

bool os_watch_keep(int watch, int fd, bool is_kept_already) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
    event.data.fd = fd;
    int how = is_kept_already ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    return epoll_ctl(watch, how, fd, &event) == 0;
}

/* To the nanosecond. A kernel that cannot (before 5.11) waits for the set as for a descriptor. */
static int wait_for_events(int watch, struct epoll_event *events, int capacity,
                           int64_t timeout_ns) {
    if (timeout_ns <= 0) {
        return epoll_wait(watch, events, capacity, timeout_ns < 0 ? -1 : 0);
    }
#ifdef SYS_epoll_pwait2
    struct timespec timeout = timespec_of(timeout_ns);
    long found = syscall(SYS_epoll_pwait2, watch, events, capacity, &timeout, NULL, 0);
    if (found >= 0 || errno != ENOSYS) {
        return (int)found;
    }
#endif
    return os_is_ready(watch, OS_READABLE, timeout_ns) ? epoll_wait(watch, events, capacity, 0) : 0;
}

size_t os_watch_wait(int watch, OsReady *ready, int64_t timeout_ns) {
    struct epoll_event events[OS_WATCH_MAX];
    int found = wait_for_events(watch, events, OS_WATCH_MAX, timeout_ns);
    for (int i = 0; i < found; i++) {
        uint32_t set = events[i].events;
        bool has_ended = (set & (EPOLLERR | EPOLLHUP)) != 0;
        int what = has_ended || (set & EPOLLIN) != 0 ? OS_READABLE : 0;
        what |= has_ended || (set & EPOLLOUT) != 0 ? OS_WRITABLE : 0;
        what |= has_ended || (set & EPOLLRDHUP) != 0 ? OS_ENDED : 0;
        ready[i] = (OsReady){events[i].data.fd, what};
    }
    return found < 0 ? 0 : (size_t)found;
}
