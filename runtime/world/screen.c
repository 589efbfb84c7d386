/* screen -- holding back, writing, waiting for a slow reader. See screen.h and io.h. */
#include "screen.h"

#include "device_wait.h"
#include "ending.h"
#include "os.h"
#include "report.h"
#include "stop.h"

#include <string.h>

static Screen *screen_of(Device *device) {
    return (Screen *)(void *)device;
}

static bool is_empty(const Screen *screen) {
    return screen->next == screen->length;
}

/* The descriptor does not take output any more: say so once, and end. */
static void fail(Screen *screen, int error) {
    screen->next = screen->length = 0;
    if (rt_root.output_failed) {
        return;
    }
    rt_root.output_failed = true;
    if (!rt_root.is_reporting) { /* an error of the program's own is to be said */
        os_terminal_restore();
        if (os_end_by_broken_pipe(error)) {
            os_exit_now(STATUS_WORLD);
        }
    }
    report_line("occ: cannot write to the %s: %s\n", screen->device.kind->name,
                os_error_text(error));
    if (!rt_root.is_ending) {
        rt_end(STATUS_WORLD);
    }
}

/* Write once, if that cannot block; true when nothing is left. */
static bool write_once(Screen *screen) {
    int fd = screen->device.watch.fd;
    if (!screen->is_plain_file && !os_is_ready(fd, OS_WRITABLE, 0)) {
        return false;
    }
    long written = os_write(fd, screen->bytes + screen->next, screen->length - screen->next);
    if (written < 0 && !os_is_would_block(written)) {
        fail(screen, (int)-written);
    } else if (written > 0) {
        screen->next += (size_t)written;
    }
    if (is_empty(screen)) {
        screen->next = screen->length = 0;
    }
    return is_empty(screen);
}

/* Write what can be written without waiting. */
static void flush(Screen *screen) {
    if (screen->before != NULL) {
        flush(screen->before);
    }
    while (!is_empty(screen) && write_once(screen)) {
    }
    screen->flushed_ns = os_clock_ns();
}

static bool wants_flush_at_newline(const Screen *screen) {
    return screen->is_terminal || os_clock_ns() - screen->flushed_ns >= FLUSH_US * INT64_C(1000);
}

static void make_room(Screen *screen) {
    if (screen->length == SCREEN_BYTES) {
        flush(screen);
    }
    if (screen->length == SCREEN_BYTES && screen->next > 0) {
        memmove(screen->bytes, screen->bytes + screen->next, screen->length - screen->next);
        screen->length -= screen->next;
        screen->next = 0;
    }
}

/* Take bytes of a message until it is done (true) or there is no room. */
static bool take(Screen *screen, const unsigned char **from, size_t *size_bytes) {
    bool is_error = screen->before != NULL;
    while (*size_bytes > 0) {
        make_room(screen);
        if (screen->length == SCREEN_BYTES) {
            return false;
        }
        unsigned char byte = *(*from)++;
        --*size_bytes;
        if (byte == FLUSH_BYTE && !is_error) {
            flush(screen);
            continue;
        }
        screen->bytes[screen->length++] = byte;
        if (byte == '\n' && !is_error && wants_flush_at_newline(screen)) {
            flush(screen);
        }
    }
    if (is_error) {
        flush(screen);
    }
    return true;
}

static Process *screen_output(Process *me, Device *device, const void *data, size_t size_bytes,
                              const Site *site) {
    Screen *screen = screen_of(device);
    const unsigned char *from = data;
    if (device->waiter != NULL) {
        rt_fail(me, ERROR_TWO_WRITERS, site, 0, 0, 0);
    }
    if (take(screen, &from, &size_bytes)) {
        return me;
    }
    screen->rest = from;
    screen->rest_bytes = size_bytes;
    return device_park(me, device, site);
}

static void watch_if_held_back(Device *device) {
    const Screen *screen = screen_of(device);
    bool waits = !is_empty(screen) || device->waiter != NULL;
    outside_watch(&device->watch, waits ? OS_WRITABLE : 0);
}

static void screen_advance(Worker *worker, Device *device) {
    Screen *screen = screen_of(device);
    flush(screen);
    Process *process = device->waiter;
    if (process != NULL && take(screen, &screen->rest, &screen->rest_bytes)) {
        device->waiter = NULL;
        rt_scheduler_ready(worker, process);
    }
    watch_if_held_back(device);
}

static void screen_settle(Device *device) {
    Screen *screen = screen_of(device);
    if (!is_empty(screen)) {
        flush(screen);
    }
    watch_if_held_back(device);
}

static void screen_finish(Device *device, bool is_hurried) {
    Screen *screen = screen_of(device);
    while (!is_empty(screen)) {
        if (write_once(screen)) {
            return;
        }
        bool is_ready = os_is_ready(device->watch.fd, OS_WRITABLE, is_hurried ? HURRY_NS : -1);
        if (!is_ready && is_hurried) {
            return;
        }
    }
}

static bool screen_is_ready(Device *device) {
    return device->waiter == NULL;
}

static const DeviceKind screen_kind = {.name = "screen",
                                       .waits_for = OS_WRITABLE,
                                       .output = screen_output,
                                       .is_ready = screen_is_ready,
                                       .advance = screen_advance,
                                       .settle = screen_settle,
                                       .finish = screen_finish};
static const DeviceKind error_kind = {.name = "error",
                                      .waits_for = OS_WRITABLE,
                                      .output = screen_output,
                                      .is_ready = screen_is_ready,
                                      .advance = screen_advance,
                                      .settle = screen_settle,
                                      .finish = screen_finish};

void screen_init(Screen *screen, int fd, Screen *before) {
    Device *device = &screen->device;
    device_init(device, before == NULL ? &screen_kind : &error_kind, &screen->shared.channel, fd);
    screen->shared.references = 1; /* ours */
    screen->before = before;
    screen->is_plain_file = os_is_plain_file(fd);
    screen->is_terminal = os_is_terminal(fd);
}
