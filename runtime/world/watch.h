/* watch -- changes of files as a channel: what file.watch asks for (stdlib/filestreams.occ). */
#ifndef RT_WATCH_H
#define RT_WATCH_H

#include <stdint.h>

typedef struct Bundle Bundle;

/* A stream of the system's records (inotify(7)), in a bundle of the kind of module net. */
void occ_file_watch(const uint8_t *name, int32_t size, Bundle **changes, int32_t *result);
/* The record at `at`: what has happened (a bit of its mask), the name within a folder; the next. */
void occ_file_change(const uint8_t *bytes, int32_t size, int32_t at, int32_t *mask, uint8_t *name,
                     int32_t room, int32_t *length, int32_t *next);

#endif
