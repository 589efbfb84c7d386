/* io -- keyboard, screen and error: the three channels of a program's main PROC.
 *
 * Owns:   the devices behind standard input, output and error; buffering; the raw terminal.
 * Leaves: polling to scheduler.c, every last flush to ending.c.
 * Holds:
 *   screen    bytes are held back, at most SCREEN_BYTES. They are written when that is reached; at
 *             a newline, if the screen is a terminal or the last write is FLUSH_US ago; at byte
 *             255, which is not written itself; when the worker is idle or pays attention; and at
 *             every kind of end. Nothing is lost: a partial write goes on where it stopped. A
 *             reader that is slow makes the writing process wait, not the worker.
 *   error     the same, written at once, after what the screen holds back; 255 is a byte.
 *   keyboard  read ahead; from the end of the input on every read gives 255. A terminal is made raw
 *             at the first read. Waiting for it is outstanding input, so no deadlock.
 *
 * Descriptors are not made non-blocking, since others share them; they are polled before each
 * transfer, and a pipe that polls writable takes PIPE_BUF bytes, which is what is written at most.
 */
#ifndef RT_IO_H
#define RT_IO_H

#include "layout.h"

/* Make the three devices; channels[0..2] are keyboard, screen, error. False: no memory. */
bool io_begin(Channel *channels[3]);

#endif
