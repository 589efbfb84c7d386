/* io -- the three standard devices. See io.h; writing itself is in screen.c. */
#include "io.h"

#include "keyboard.h"
#include "os.h"
#include "screen.h"
#include "worker.h"

typedef struct StandardDevices {
    Keyboard keyboard;
    Screen screen;
    Screen error;
} StandardDevices;

bool io_begin(Channel *channels[3]) {
    StandardDevices *devices = os_memory_reserve(sizeof *devices);
    if (devices == NULL || !os_memory_commit(devices, sizeof *devices)) {
        return false;
    }
    keyboard_init(&devices->keyboard, 0);
    screen_init(&devices->screen, 1, NULL);
    screen_init(&devices->error, 2, &devices->screen);
    devices->keyboard.device.next = &devices->screen.device;
    devices->screen.device.next = &devices->error.device;
    rt_root.devices = &devices->keyboard.device;
    channels[0] = devices->keyboard.device.channel;
    channels[1] = devices->screen.device.channel;
    channels[2] = devices->error.device.channel;
    return true;
}
