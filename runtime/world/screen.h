/* screen -- standard output or error as a channel of bytes. See io.h. */
#ifndef RT_SCREEN_H
#define RT_SCREEN_H

#include "device.h"

enum { SCREEN_BYTES = 4096, FLUSH_US = 1000, FLUSH_BYTE = 255, HURRY_NS = 500000000 };

typedef struct Screen {
    Device device; /* first: a Device * is a Screen * */
    SharedChannel shared;
    struct Screen *before; /* written before this one; NULL: this is the screen, which holds back */
    bool is_plain_file;
    bool is_terminal;
    int64_t flushed_ns; /* when it was last written to */
    size_t next;        /* bytes[next .. length) are held back */
    size_t length;
    const unsigned char *rest; /* of the waiter's message */
    size_t rest_bytes;
    unsigned char bytes[SCREEN_BYTES];
} Screen;

void screen_init(Screen *screen, int fd, Screen *before);

#endif
