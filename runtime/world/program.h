/* program -- programs that are started: what module process asks for (stdlib/processlib.occ).
 *
 * Owns:   starting a program without a shell, its end as a channel, signals to it.
 * Leaves: its streams to net_socket.h: they are connections.
 * Holds:  a program whose streams are connections is a process group of its own, and signals go to
 *         the group. The bundle is one whose other end is the world (bundle.h): with its last
 *         holder the program is killed, unless it has ended, and it is never left as a zombie. */
#ifndef RT_PROGRAM_H
#define RT_PROGRAM_H

#include <stdint.h>

typedef struct Bundle Bundle;

/* Words of the command and `NAME=value` of the environment each end with a zero byte; the latter
 * are added to ours. *result: 0, or an errno, negated. */
void occ_program_start(const uint8_t *command, int32_t command_size, const uint8_t *environment,
                       int32_t environment_size, const uint8_t *folder, int32_t folder_size,
                       Bundle **program, Bundle **streams, Bundle **errors, int32_t *result);
/* The same with these descriptors as its streams; below 0: ours. It is in our process group. */
void occ_program_run(const uint8_t *command, int32_t command_size, const uint8_t *environment,
                     int32_t environment_size, int32_t input, int32_t output, int32_t errors,
                     Bundle **program, int32_t *result);
void occ_program_signal(Bundle **program, int32_t number, int32_t *result);
void occ_program_number(Bundle **program, int32_t *number);

#endif
