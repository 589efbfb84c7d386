/* readiness -- descriptors that processes wait for; the kernel is asked about all of them here.
 *
 * Owns:   who waits for which descriptor, and what the kernel has been asked about it.
 * Leaves: what happens when a descriptor is ready to its watches; when to poll and for how long to
 *         scheduler.c.
 * Holds:  under the world lock, or solo. A descriptor may have any number of watches. The next poll
 *         asks the kernel for what they want, and the kernel answers once for each request. The
 *         first watch of a descriptor asks again, as the number may be another file by now. A watch
 *         that wants something is outstanding input or output: no deadlock. A descriptor that is
 *         kept (decision 0043) is registered once, edge-triggered: each change is told once. So its
 *         user tries first, and waits only if there was nothing and the pulse is still what it was
 *         before the try. A user whose try found nothing may set is_doubted: then the kernel
 *         is asked again. */
#ifndef RT_READINESS_H
#define RT_READINESS_H

#include "os.h"

typedef struct Worker Worker;

/* Watch -- one waiter; part of a device or of the frame of a process. */
typedef struct Watch {
    struct Watch *next; /* of the same descriptor */
    int fd;
    int wanted;        /* OS_READABLE | OS_WRITABLE; 0: not waiting, in no list */
    struct Kept *kept; /* of a kept descriptor, the same for all its watches; or NULL */
    /* The descriptor is ready for something wanted; the watch may then want again. */
    void (*advance)(Worker *worker, struct Watch *watch);
} Watch;

/* Kept -- the state of a kept descriptor, for its owner; lives until readiness_drop. */
typedef struct Kept {
    uint32_t pulse;  /* changes with each answer of the kernel; anybody may read it */
    bool has_ended;  /* the other side has ended, which is told only once */
    bool is_known;   /* to the kernel */
    bool is_doubted; /* the next waiter asks again */
} Kept;

typedef struct WatchedFile {
    Watch *watches;
    Kept *kept;     /* or NULL */
    int asked;      /* what the kernel will tell */
    int next_stale; /* list of those the kernel must be asked about; STALE_... */
} WatchedFile;

typedef struct Readiness {
    WatchedFile *files; /* by descriptor */
    int capacity;
    int stale;         /* the first of the list */
    int set;           /* of os_watch_create */
    bool has_set;      /* made when it is first wanted */
    bool has_bell;     /* rung by threads that are no workers */
    bool bell_is_kept; /* each ring is told once, and need not be silenced */
    int bell;
    uint32_t waiting; /* watches that want something */
    size_t found;     /* by readiness_wait, not handled yet */
    OsReady ready[OS_WATCH_MAX];
} Readiness;

void readiness_begin(Readiness *readiness);
void readiness_end(Readiness *readiness);

/* From now on the watch waits for that (OS_READABLE | OS_WRITABLE); 0: for nothing. */
void readiness_want(Readiness *readiness, Watch *watch, int wanted);
/* Call this before a kept descriptor is closed. */
void readiness_drop(Readiness *readiness, int fd);
/* False: no descriptor is left to wait with. */
bool readiness_prepare(Readiness *readiness);
/* A poll that waits ends when this bell (os_bell_create) is rung. */
void readiness_hear(Readiness *readiness, int bell);
/* The next three in order. Ask the kernel for what is wanted; true: something went on at once. */
bool readiness_ask(Worker *worker, Readiness *readiness);
/* Wait at most timeout_ns (negative: for ever) until something happens. Meanwhile signal handlers
 * may end the program or look at the processes. */
void readiness_wait(Readiness *readiness, int64_t timeout_ns);
/* Advance the watches whose descriptors are ready. */
void readiness_advance(Worker *worker, Readiness *readiness);

static inline bool readiness_is_waited_for(const Readiness *readiness) {
    return readiness->waiting > 0;
}

#endif
