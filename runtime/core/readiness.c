/* readiness -- see readiness.h. */
#include "readiness.h"

#include "atomic.h"
#include "ending.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 8, STALE_END = -1, STALE_NOT = -2 };

void readiness_begin(Readiness *readiness) {
    *readiness = (Readiness){.stale = STALE_END};
}

void readiness_end(Readiness *readiness) {
    free(readiness->files);
    if (readiness->has_set) {
        os_watch_destroy(readiness->set);
    }
}

/* ---- files ---- */

static void grow(Readiness *readiness, int fd) {
    int capacity = readiness->capacity == 0 ? FIRST_CAPACITY : 2 * readiness->capacity;
    capacity = capacity > fd ? capacity : fd + 1;
    WatchedFile *files = realloc(readiness->files, (size_t)capacity * sizeof *files);
    if (files == NULL) {
        rt_fatal("no memory is left to wait for a file", 0);
    }
    for (int i = readiness->capacity; i < capacity; i++) {
        files[i] = (WatchedFile){NULL, NULL, 0, STALE_NOT};
    }
    readiness->files = files;
    readiness->capacity = capacity;
}

static WatchedFile *file_of(Readiness *readiness, int fd) {
    if (fd >= readiness->capacity) {
        grow(readiness, fd);
    }
    return &readiness->files[fd];
}

static void take_out(WatchedFile *file, const Watch *watch) {
    Watch **link = &file->watches;
    while (*link != watch) {
        link = &(*link)->next;
    }
    *link = watch->next;
}

static int wanted_of(const WatchedFile *file) {
    int wanted = 0;
    for (const Watch *watch = file->watches; watch != NULL; watch = watch->next) {
        wanted |= watch->wanted;
    }
    return wanted;
}

/* Ask about it at the next poll, unless the kernel will tell enough already. */
static void review(Readiness *readiness, int fd) {
    WatchedFile *file = &readiness->files[fd];
    if ((wanted_of(file) & ~file->asked) != 0 && file->next_stale == STALE_NOT) {
        file->next_stale = readiness->stale;
        readiness->stale = fd;
    }
}

void readiness_want(Readiness *readiness, Watch *watch, int wanted) {
    if (watch->wanted == wanted) {
        return;
    }
    WatchedFile *file = file_of(readiness, watch->fd);
    if (wanted == 0) {
        take_out(file, watch);
        readiness->waiting--;
    } else if (watch->wanted == 0) {
        if (file->kept != watch->kept || (file->watches == NULL && file->kept == NULL)) {
            file->asked = 0; /* it may be another file by now, under the same number */
        }
        file->kept = watch->kept;
        if (file->kept != NULL &&
            __atomic_exchange_n(&file->kept->is_doubted, false, __ATOMIC_RELAXED)) {
            file->asked = 0;
        }
        watch->next = file->watches;
        file->watches = watch;
        readiness->waiting++;
    }
    watch->wanted = wanted;
    review(readiness, watch->fd);
}

void readiness_drop(Readiness *readiness, int fd) {
    if (fd < readiness->capacity) {
        readiness->files[fd].kept = NULL;
        readiness->files[fd].asked = 0;
    }
}

void readiness_hear(Readiness *readiness, int bell) {
    readiness->bell = bell;
    readiness->has_bell = true;
}

/* ---- what the kernel says ---- */

/* Advance each watch once; one that goes on may wait again, or be gone. */
static void go_on(Worker *worker, Readiness *readiness, int fd, int what) {
    WatchedFile *file = file_of(readiness, fd);
    if (file->kept != NULL) {
        file->kept->has_ended |= (what & OS_ENDED) != 0;
        (void)atomic_add(&file->kept->pulse, 1u);
    } else {
        file->asked = 0; /* the kernel tells only once */
    }
    Watch *left = file->watches;
    while (left != NULL) {
        Watch *watch = left;
        left = watch->next;
        if ((watch->wanted & what) != 0) {
            watch->advance(worker, watch);
        }
    }
    review(readiness, fd);
}

/* ---- asking the kernel ---- */

bool readiness_prepare(Readiness *readiness) {
    if (!readiness->has_set) {
        readiness->set = os_watch_create();
        readiness->has_set = readiness->set >= 0;
    }
    return readiness->has_set;
}

static int set_of(Readiness *readiness) {
    if (!readiness_prepare(readiness)) {
        rt_fatal("no descriptor is left to wait with", 0);
    }
    return readiness->set;
}

/* False: the descriptor cannot be waited for, so it is ready. */
static bool ask(Readiness *readiness, int fd) {
    WatchedFile *file = &readiness->files[fd];
    int wanted = wanted_of(file);
    if ((wanted & ~file->asked) == 0) {
        return true;
    }
    if (file->kept != NULL) {
        file->asked = OS_READABLE | OS_WRITABLE;
        bool is_known = file->kept->is_known;
        file->kept->is_known = true;
        return os_watch_keep(set_of(readiness), fd, is_known);
    }
    file->asked = wanted;
    return os_watch_ask(set_of(readiness), fd, wanted);
}

static void listen_for_bell(Readiness *readiness) {
    if (readiness->has_bell && !readiness->bell_is_kept) {
        readiness->bell_is_kept = os_watch_keep(set_of(readiness), readiness->bell, false);
    }
}

bool readiness_ask(Worker *worker, Readiness *readiness) {
    int fd = readiness->stale;
    bool some_went_on = false;
    readiness->stale = STALE_END;
    listen_for_bell(readiness);
    while (fd != STALE_END) {
        int next = readiness->files[fd].next_stale;
        readiness->files[fd].next_stale = STALE_NOT;
        if (!ask(readiness, fd)) {
            some_went_on = true;
            go_on(worker, readiness, fd, OS_READABLE | OS_WRITABLE);
        }
        fd = next;
    }
    return some_went_on;
}

/* ---- waiting ---- */

void readiness_wait(Readiness *readiness, int64_t timeout_ns) {
    if (readiness->has_set) {
        readiness->found = os_watch_wait(readiness->set, readiness->ready, timeout_ns);
    } else if (timeout_ns > 0) {
        os_pause(timeout_ns);
    }
}

void readiness_advance(Worker *worker, Readiness *readiness) {
    size_t found = readiness->found;
    readiness->found = 0;
    for (size_t i = 0; i < found; i++) {
        OsReady ready = readiness->ready[i];
        if (!readiness->has_bell || ready.fd != readiness->bell) {
            go_on(worker, readiness, ready.fd, ready.what);
        }
    }
}
