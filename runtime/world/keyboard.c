/* keyboard -- reading ahead, waiting, the end of the input. See keyboard.h and io.h. */
#include "keyboard.h"

#include "alt_look.h"
#include "device_wait.h"
#include "ending.h"
#include "os.h"
#include "stop.h"

static Keyboard *keyboard_of(Device *device) {
    return (Keyboard *)(void *)device;
}

static void prepare(Keyboard *keyboard) {
    if (!keyboard->is_prepared) {
        keyboard->is_prepared = true;
        if (os_is_terminal(keyboard->device.watch.fd)) {
            (void)os_terminal_make_raw(keyboard->device.watch.fd);
        }
    }
}

/* Read ahead if there is anything to read now. A descriptor that is closed is at its end. */
static void read_ahead(Keyboard *keyboard) {
    int fd = keyboard->device.watch.fd;
    if (!os_is_ready(fd, OS_READABLE, 0)) {
        return;
    }
    long size_bytes = os_read(fd, keyboard->bytes, KEYBOARD_BYTES);
    if (os_is_would_block(size_bytes)) {
        return;
    }
    if (size_bytes < 0 && !os_is_closed(size_bytes)) {
        rt_fatal("cannot read the keyboard", (int)-size_bytes);
    }
    keyboard->at_end = size_bytes <= 0;
    keyboard->next = 0;
    keyboard->length = size_bytes <= 0 ? 0 : (size_t)size_bytes;
}

static bool has_byte(Keyboard *keyboard) {
    if (keyboard->next == keyboard->length && !keyboard->at_end) {
        prepare(keyboard);
        read_ahead(keyboard);
    }
    return keyboard->next < keyboard->length || keyboard->at_end;
}

static bool keyboard_is_ready(Device *device) {
    return has_byte(keyboard_of(device));
}

static bool keyboard_is_closed(Device *device) {
    Keyboard *keyboard = keyboard_of(device);
    return has_byte(keyboard) && keyboard->next == keyboard->length;
}

/* For a process that waits at `site`: WHILE keyboard ? c ends where the input does. */
static void take_byte(Keyboard *keyboard, Process *process, void *into, const Site *site) {
    unsigned char *byte = into;
    if (keyboard->next < keyboard->length) {
        *byte = keyboard->bytes[keyboard->next++];
        keyboard->device.taken++;
    } else if (site->kind == WAIT_UNTIL_CLOSED) {
        process->flags |= PROCESS_SAW_CLOSE;
    } else {
        *byte = END_OF_INPUT;
    }
}

static Process *keyboard_input(Process *me, Device *device, void *into, size_t size_bytes,
                               const Site *site) {
    rt_check(size_bytes == 1);
    if (device->waiter != NULL) {
        rt_fail(me, ERROR_TWO_READERS, site, 0, 0, 0);
    }
    if (has_byte(keyboard_of(device))) {
        take_byte(keyboard_of(device), me, into, site);
        return me;
    }
    process_carries(me, into);
    return device_park(me, device, site);
}

/* One that waits for the end alone does not mind a byte; no more come until somebody reads it. */
static void wake_alt(Worker *worker, Device *device, Alt *alt, Process *process) {
    if (keyboard_is_closed(device) || rt_alt_inputs(alt, device->channel)) {
        if (rt_alt_claim(alt, device->channel)) {
            rt_scheduler_ready(worker, process);
        }
    } else {
        device->waiter = process;
        device->alt = alt;
    }
}

static void keyboard_advance(Worker *worker, Device *device) {
    if (!has_byte(keyboard_of(device))) {
        return;
    }
    Process *process = device->waiter;
    Alt *alt = device->alt;
    device_leave(device);
    if (alt != NULL) {
        wake_alt(worker, device, alt, process);
    } else if (process != NULL) {
        take_byte(keyboard_of(device), process, process->data, process->wait);
        rt_scheduler_ready(worker, process);
    }
}

static const DeviceKind keyboard_kind = {.name = "keyboard",
                                         .waits_for = OS_READABLE,
                                         .input = keyboard_input,
                                         .is_ready = keyboard_is_ready,
                                         .is_closed = keyboard_is_closed,
                                         .advance = keyboard_advance};

void keyboard_init(Keyboard *keyboard, int fd) {
    device_init(&keyboard->device, &keyboard_kind, &keyboard->shared.channel, fd);
    keyboard->shared.references = 1; /* ours */
}
