/* test_watch -- see the header. */
#define _GNU_SOURCE

#include "test_watch.h"

#include <errno.h>
#include <libgen.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { QUIET_MS = 60, EVENT_BYTES = 16 * 1024 };

TestWatch test_watch_begin(void) {
    TestWatch watch = {.descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
    if (watch.descriptor < 0) {
        fatal("cannot watch files:");
    }
    return watch;
}

static void add_folder(Arena *arena, TestWatch *watch, const char *folder) {
    for (size_t i = 0; i < watch->folders.count; i++) {
        if (strcmp(watch->folders.items[i], folder) == 0) {
            return;
        }
    }
    uint32_t changes = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE;
    if (inotify_add_watch(watch->descriptor, folder, changes) < 0 && errno != ENOENT) {
        fatal("cannot watch the folder '%s':", folder);
    }
    array_push(arena, &watch->folders, folder);
}

void test_watch_add(Arena *arena, TestWatch *watch, const TestFiles *files) {
    for (size_t i = 0; i < files->folders.count; i++) {
        add_folder(arena, watch, arena_format(arena, "%s", files->folders.items[i]));
    }
    for (size_t i = 0; i < files->count; i++) {
        const TestFile *file = &files->items[i];
        add_folder(arena, watch, dirname(arena_format(arena, "%s", file->path)));
        for (size_t k = 0; k < file->sources.count; k++) {
            if (access(file->sources.items[k], F_OK) == 0) { /* not a text of ours */
                add_folder(arena, watch,
                           dirname(arena_format(arena, "%s", file->sources.items[k])));
            }
        }
    }
}

/* An editor's own files are none of ours: .file.swp, file~, 4913. */
static bool is_of_interest(const struct inotify_event *event) {
    const char *name = event->len > 0 ? event->name : "";
    const char *dot = strrchr(name, '.');
    bool is_source = dot && (strcmp(dot, ".occ") == 0 || strcmp(dot, ".inc") == 0 ||
                             strcmp(dot, ".module") == 0 || strcmp(dot, ".o") == 0);
    return name[0] != '.' && (is_source || (event->mask & IN_ISDIR) != 0);
}

/* What has happened; false: nothing of interest. */
static bool read_events(const TestWatch *watch) {
    _Alignas(struct inotify_event) char room[EVENT_BYTES];
    bool has_changed = false;
    ssize_t got;
    while ((got = read(watch->descriptor, room, sizeof room)) > 0) {
        for (ssize_t at = 0; at < got;) {
            const struct inotify_event *event = (const void *)(room + at);
            has_changed = has_changed || is_of_interest(event);
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
    return has_changed;
}

void test_watch_wait(const TestWatch *watch) {
    struct pollfd polled = {watch->descriptor, POLLIN, 0};
    bool has_changed = false;
    while (!has_changed) {
        poll(&polled, 1, -1);
        has_changed = read_events(watch);
    }
    while (poll(&polled, 1, QUIET_MS) > 0) {
        read_events(watch);
    }
}
