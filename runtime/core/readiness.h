/* readiness -- descriptors that somebody waits for, all told by the kernel in one place.
 *
 * Owns:   who waits for which descriptor, and what the kernel has been asked about it.
 * Leaves: what is done with a descriptor that is ready to whoever waits; when to poll and for how
 *         long to scheduler.c.
 * Holds:  under the world lock, or solo. Any number of watches may be for one descriptor. What a
 *         watch wants the kernel is asked at the next poll, and it is told once for each time it
 *         is asked; the first that waits for a descriptor asks anew, since that may be another
 *         file by then. A watch that wants something is outstanding input or output: no deadlock.
 *         A descriptor that is kept (decision 0043) is asked about once for good, and each change
 *         of it is told. Whoever uses it tries first, and waits when there was nothing: but only
 *         if the pulse is still what it was before he tried, since what has come is not told
 *         again. Who was told by the kernel itself that there is nothing may doubt it: then it is
 *         asked again. */
#ifndef RT_READINESS_H
#define RT_READINESS_H

#include "os.h"

typedef struct Worker Worker;

/* Watch -- one that waits; part of a device or of the frame of a process. */
typedef struct Watch {
    struct Watch *next; /* of the same descriptor */
    int fd;
    int wanted;        /* OS_READABLE | OS_WRITABLE; 0: it does not wait, and is in no list */
    struct Kept *kept; /* of a descriptor that is kept: its watches have the same; or NULL */
    /* The descriptor is ready for something that was wanted; it may want again, or no more. */
    void (*advance)(Worker *worker, struct Watch *watch);
} Watch;

/* Kept -- what its owner is told of a descriptor that is kept; lives until readiness_drop. */
typedef struct Kept {
    uint32_t pulse;  /* changes with each word of the kernel; read by anybody */
    bool has_ended;  /* the other side has no more to say: that is not told again */
    bool is_known;   /* to the kernel */
    bool is_doubted; /* who waits next asks again */
} Kept;

typedef struct WatchedFile {
    Watch *watches;
    Kept *kept;     /* or NULL */
    int asked;      /* what the kernel will tell */
    int next_stale; /* the list of those that it is to be asked about; STALE_... */
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
    size_t found;     /* by readiness_wait: not looked at yet */
    OsReady ready[OS_WATCH_MAX];
} Readiness;

void readiness_begin(Readiness *readiness);
void readiness_end(Readiness *readiness);

/* From now on the watch waits for that (OS_READABLE | OS_WRITABLE), or, 0, for nothing. */
void readiness_want(Readiness *readiness, Watch *watch, int wanted);
/* Before a descriptor that is kept is closed. */
void readiness_drop(Readiness *readiness, int fd);
/* False: no descriptor is left to wait with. */
bool readiness_prepare(Readiness *readiness);
/* A poll that waits ends when this bell (os_bell_create) is rung. */
void readiness_hear(Readiness *readiness, int bell);
/* In this order. Ask the kernel what is wanted now; true: something went on at once. */
bool readiness_ask(Worker *worker, Readiness *readiness);
/* Wait at most timeout_ns (negative: for ever) until something happens. Signal handlers may come in
 * between that end the program, or look at the processes. */
void readiness_wait(Readiness *readiness, int64_t timeout_ns);
/* Let those go on whose descriptors are ready. */
void readiness_advance(Worker *worker, Readiness *readiness);

static inline bool readiness_is_waited_for(const Readiness *readiness) {
    return readiness->waiting > 0;
}

#endif
