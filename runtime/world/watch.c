/* watch -- changes of files as a channel. See watch.h. */
#define _GNU_SOURCE
#include "watch.h"

#include "host_name.h"
#include "net_socket.h"

#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>

enum {
    CHANGES = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB |
              IN_DELETE_SELF | IN_MOVE_SELF
};

void occ_file_watch(const uint8_t *name, int32_t size, Bundle **changes, int32_t *result) {
    HostName path;
    if (!host_name_set(&path, name, size)) {
        *result = -ENAMETOOLONG;
        return;
    }
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd < 0 || inotify_add_watch(fd, path.text, CHANGES) < 0) {
        *result = -errno;
        if (fd >= 0) {
            (void)close(fd);
        }
        return;
    }
    *changes = net_socket_make(fd, NET_CONNECTION);
    *result = *changes != NULL ? 0 : -ENOMEM;
}

void occ_file_change(const uint8_t *bytes, int32_t size, int32_t at, int32_t *mask, uint8_t *name,
                     int32_t room, int32_t *length, int32_t *next) {
    struct inotify_event event;
    *mask = 0;
    *length = 0;
    *next = size;
    if (at < 0 || size - at < (int32_t)sizeof event) {
        return;
    }
    memcpy(&event, bytes + at, sizeof event);
    const char *text = (const char *)bytes + at + sizeof event;
    *mask = (int32_t)event.mask;
    *length = event.len == 0 ? 0 : host_text_give(text, name, room);
    *next = at + (int32_t)sizeof event + (int32_t)event.len;
}
