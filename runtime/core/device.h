/* device -- channels whose other end is the outside world.
 *
 * Owns:   the record behind a TAG_DEVICE channel word and the operations a device has.
 * Leaves: the devices themselves to io.c and net_channel.c; asking the kernel to readiness.c.
 * Holds:  at most one process waits for a device (waiter), in a plain input or output or in an ALT
 *         (alt is its record). watch.wanted says what the descriptor is waited for; 0 means the
 *         device waits for nothing. A device with a waiter always wants something: that is the
 *         outstanding input or output which makes idleness no deadlock. */
#ifndef RT_DEVICE_H
#define RT_DEVICE_H

#include "layout.h"
#include "readiness.h"

typedef struct Device Device;

enum { DEVICE_WORDS = 160 };

typedef struct DeviceKind {
    const char *name;
    int waits_for; /* OS_READABLE or OS_WRITABLE: what a waiting process needs */
    /* Plain operations, as rt_channel_input and rt_channel_output; NULL: the wrong direction. */
    Process *(*input)(Process *me, Device *device, void *data, size_t size_bytes, const Site *site);
    Process *(*output)(Process *me, Device *device, const void *data, size_t size_bytes,
                       const Site *site);
    /* Would a plain operation go on at once? */
    bool (*is_ready)(Device *device);
    /* Has it ended, and all that came before been read? NULL: it never does. */
    bool (*is_closed)(Device *device);
    /* An ALT looks at a guard of that kind (GUARD_...) here. True: it is ready. */
    bool (*look)(Device *device, unsigned kind);
    /* An ALT with a guard of that kind is about to wait here. False: the channel no longer belongs
     * to the device. NULL: nothing to do. */
    bool (*enrol)(Device *device, Process *me, Alt *alt, unsigned kind);
    /* Does a ready guard need the agreement of its partner, an ALT elsewhere? NULL: never. Then the
     * ALT waits in all ends of such devices, and `ask` claims it for this one. */
    bool (*must_ask)(const Device *device);
    void (*ask)(Device *device);
    /* An extended input (c ??) has ended: the writer goes on. NULL: no writer is held. */
    void (*release)(Worker *worker, Device *device);
    /* The descriptor is ready for what was wanted. */
    void (*advance)(Worker *worker, Device *device);
    /* The worker is about to wait, or some time has passed: write what is held back. */
    void (*settle)(Device *device);
    /* The channel has been closed from this side, and its word changed. NULL: nothing to do. */
    void (*close)(Worker *worker, Device *device);
    /* The device of the other end if both ends are here (placed/shared_end.h): the word leads to
     * that of the input end. NULL: there is none. */
    Device *(*other)(const Device *device);
    /* For reports: what a process waits for here. NULL: the channel's name says it. */
    void (*describe)(const Device *device, char *text, size_t capacity);
    bool is_named; /* the program's name for the channel says more */
    /* The program ends, or speaks on standard error: write everything, waiting if need be. */
    void (*finish)(Device *device, bool is_hurried);
} DeviceKind;

struct Device {
    Channel *channel; /* whose word is this record | TAG_DEVICE */
    const DeviceKind *kind;
    Device *next;
    Watch watch; /* of its descriptor */
    Process *waiter;
    Alt *alt;
    uint64_t taken; /* how much processes have read, if that decides what comes next */
};

static inline Device *device_of(uintptr_t word) {
    return channel_pointer(word);
}

static inline Device *device_other(const Device *device) {
    return device->kind->other != NULL ? device->kind->other(device) : NULL;
}

/* The device of that end of the channel. */
static inline Device *device_at(uintptr_t word, bool is_output) {
    Device *device = device_of(word);
    Device *other = is_output ? device_other(device) : NULL;
    return other != NULL ? other : device;
}

static inline bool device_is_closed(Device *device) {
    return device->kind->is_closed != NULL && device->kind->is_closed(device);
}

/* The record around its watch; for what the kernel says. */
static inline void device_advance(Worker *worker, Watch *watch) {
    Device *device = (Device *)(void *)((char *)watch - offsetof(Device, watch));
    device->kind->advance(worker, device);
}

static inline void device_init(Device *device, const DeviceKind *kind, Channel *channel, int fd) {
    *device =
        (Device){.channel = channel, .kind = kind, .watch = {NULL, fd, 0, NULL, device_advance}};
    channel->word = (uintptr_t)device | TAG_DEVICE;
}

#endif
