/* keyboard -- standard input as a channel of bytes. See io.h.
 *
 * Holds: at its end, when all has been read, it counts as closed for those who ask (CLOSED,
 *        WHILE k ? c); a plain input gives END_OF_INPUT for ever. */
#ifndef RT_KEYBOARD_H
#define RT_KEYBOARD_H

#include "device.h"

enum { KEYBOARD_BYTES = 4096, END_OF_INPUT = 255 };

typedef struct Keyboard {
    Device device; /* first: a Device * is a Keyboard * */
    SharedChannel shared;
    bool is_prepared;
    bool at_end;
    size_t next; /* bytes[next .. length) have been read ahead */
    size_t length;
    unsigned char bytes[KEYBOARD_BYTES];
} Keyboard;

void keyboard_init(Keyboard *keyboard, int fd);

#endif
