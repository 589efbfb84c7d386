/* word_device -- input from a device whose messages are words: ends of programs, signals.
 *
 * Owns:   taking one at once or waiting for it, plainly or in an ALT.
 * Leaves: the word to the file of the device: its `take` puts it into the process, or says that
 *         there is none.
 * Holds:  inside the world; one process waits at most. */
#ifndef RT_WORD_DEVICE_H
#define RT_WORD_DEVICE_H

#include "alt.h"
#include "check.h"
#include "device_wait.h"

typedef bool TakeWord(Device *device, Process *process);

static inline Process *word_device_input(Process *me, Device *device, const void *data,
                                         size_t size_bytes, const Site *site, TakeWord *take) {
    rt_check(data == &me->data && size_bytes == sizeof(int32_t));
    if (device->waiter != NULL) {
        rt_fail(me, ERROR_TWO_READERS, site, 0, 0, 0);
    }
    return take(device, me) ? me : device_park(me, device, site);
}

static inline void word_device_advance(Worker *worker, Device *device, TakeWord *take) {
    if (device->waiter == NULL) {
        return;
    }
    bool goes_on = device->alt != NULL ? device->kind->is_ready(device) &&
                                             rt_alt_claim(device->alt, device->channel)
                                       : take(device, device->waiter);
    if (goes_on) {
        device_wake(worker, device);
    }
}

#endif
