/* posix -- memory, time, descriptors and the end, on POSIX systems (Linux first). See os.h. */
#define _GNU_SOURCE
#include "os.h"

#include "posix_time.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { US_PER_SECOND = 1000000, NS_PER_US = 1000 };

/* ---- memory ---- */

size_t os_page_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Memory set aside for reservations, all zero. */
static struct {
    const char *first;
    char *next;
    size_t left_bytes;
} aside;

void os_memory_set_aside(size_t size_bytes) {
    void *volatile memory = malloc(size_bytes); /* volatile: the pair must not be removed */
    free(memory);
    char *address = os_memory_reserve(size_bytes);
    if (address != NULL && os_memory_commit(address, size_bytes)) {
        aside.first = aside.next = address;
        aside.left_bytes = size_bytes;
    }
}

void *os_memory_reserve(size_t size_bytes) {
    if (size_bytes <= aside.left_bytes) {
        char *address = aside.next;
        size_t page = os_page_bytes();
        size_t taken = (size_bytes + page - 1) / page * page;
        aside.next += taken;
        aside.left_bytes -= taken;
        return address;
    }
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *address = mmap(NULL, size_bytes, PROT_NONE, flags, -1, 0);
    return address == MAP_FAILED ? NULL : address;
}

bool os_memory_commit(void *address, size_t size_bytes) {
    return mprotect(address, size_bytes, PROT_READ | PROT_WRITE) == 0;
}

void os_memory_want_large_pages(void *address, size_t size_bytes) {
    (void)madvise(address, size_bytes, MADV_HUGEPAGE); /* a system without them is only slower */
}

void os_memory_forbid(void *address, size_t size_bytes) {
    (void)mprotect(address, size_bytes, PROT_NONE);
}

void os_memory_release(void *address, size_t size_bytes) {
    if ((char *)address < aside.first || (char *)address >= aside.next) {
        (void)munmap(address, size_bytes);
    }
}

/* Two settings of glibc's malloc that must be made together: setting one ends its own adapting. By
 * its defaults a large array that a loop's body declares is mapped, faulted in and unmapped at each
 * turn, or cut from the end of the heap and given back there. */
void os_memory_keep(void) {
#if defined(M_MMAP_THRESHOLD) && defined(M_TRIM_THRESHOLD)
    enum { MAPPED_FROM = 32 << 20, KEPT_AT_MOST = 256 << 20 }; /* the first is glibc's limit */
    (void)mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
    (void)mallopt(M_TRIM_THRESHOLD, KEPT_AT_MOST);
#endif
}

/* ---- time ---- */

int64_t os_clock_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return ns_of(now);
}

int64_t os_clock_coarse_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return ns_of(now);
}

void os_clock_want_precision(void) {
    (void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

int64_t os_wall_us(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * US_PER_SECOND + now.tv_nsec / NS_PER_US;
}

uint64_t os_entropy(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)ns_of(now) ^ ((uint64_t)getpid() << 32);
}

/* The kernel knows the alarm by this number: one per process, like the signal it sends. */
static struct {
    timer_t timer;
    bool exists;
} alarm_state;

bool os_alarm_create(int signal_number) {
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = signal_number;
    alarm_state.exists = timer_create(CLOCK_MONOTONIC, &event, &alarm_state.timer) == 0;
    return alarm_state.exists;
}

void os_alarm_set(int64_t at_ns) {
    if (!alarm_state.exists) {
        return;
    }
    struct itimerspec setting;
    memset(&setting, 0, sizeof setting);
    setting.it_value = timespec_of(at_ns);
    (void)timer_settime(alarm_state.timer, TIMER_ABSTIME, &setting, NULL);
}

void os_alarm_destroy(void) {
    if (alarm_state.exists) {
        alarm_state.exists = false;
        (void)timer_delete(alarm_state.timer);
    }
}

/* ---- descriptors ---- */

long os_read(int fd, void *into, size_t size_bytes) {
    ssize_t result;
    do {
        result = read(fd, into, size_bytes);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -(long)errno : (long)result;
}

long os_write(int fd, const void *from, size_t size_bytes) {
    ssize_t result;
    do {
        result = write(fd, from, size_bytes);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -(long)errno : (long)result;
}

int os_append(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    return fd < 0 ? -errno : fd;
}

bool os_read_at(const char *path, int64_t at, void *into, size_t size_bytes) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is_done = fd >= 0 && pread(fd, into, size_bytes, at) == (ssize_t)size_bytes;
    if (fd >= 0) {
        close(fd);
    }
    return is_done;
}

bool os_write_at(const char *path, int64_t at, const void *from, size_t size_bytes) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool is_done = fd >= 0 && pwrite(fd, from, size_bytes, at) == (ssize_t)size_bytes;
    if (fd >= 0) {
        close(fd);
    }
    return is_done;
}

const char *os_error_text(int error) {
    return strerror(error);
}

bool os_is_would_block(long result) {
    return result == -EAGAIN || result == -EWOULDBLOCK;
}

bool os_is_closed(long result) {
    return result == -EBADF;
}

bool os_is_plain_file(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

bool os_is_terminal(int fd) {
    return isatty(fd) == 1;
}

/* ---- the end ---- */

_Noreturn void os_exit(int status) {
    exit(status);
}

_Noreturn void os_exit_now(int status) {
    _exit(status);
}
