/* device_wait -- begin and end waiting for a device.
 *
 * Owns:   Device.waiter and Device.alt.
 * Leaves: when a device is ready to its own file; polling the kernel to readiness.h.
 * Holds:  inside the world. */
#ifndef RT_DEVICE_WAIT_H
#define RT_DEVICE_WAIT_H

#include "device.h"
#include "outside.h"
#include "scheduler.h"

/* The process waits in the ALT or, if that is NULL, in a plain operation. */
static inline void device_await(Device *device, Process *me, Alt *alt) {
    device->waiter = me;
    device->alt = alt;
    outside_watch(&device->watch, device->kind->waits_for);
}

/* Nobody waits. */
static inline void device_leave(Device *device) {
    device->waiter = NULL;
    device->alt = NULL;
    outside_watch(&device->watch, 0);
}

static inline Process *device_park(Process *me, Device *device, const Site *site) {
    device_await(device, me, NULL);
    return rt_scheduler_park(me, site, device->channel);
}

static inline void device_wake(Worker *worker, Device *device) {
    Process *process = device->waiter;
    device_leave(device);
    rt_scheduler_ready(worker, process);
}

#endif
