/* command -- run another program and wait, leaving nothing behind when we are interrupted.
 *
 * Holds:  between command_guard and command_release SIGINT, SIGTERM and SIGHUP do not end the
 *         compiler; when one arrives while a program runs, the program is ended, command_run
 *         returns, the caller removes its files, and command_release lets the signal do its work.
 */
#ifndef OCCC_COMMAND_H
#define OCCC_COMMAND_H

#include <signal.h>

typedef struct CommandGuard {
    sigset_t before; /* signal mask to go back to */
    int interrupt;   /* signal that arrived; 0: none */
} CommandGuard;

CommandGuard command_guard(void);
/* command_run -- exit status of the program; 128 + n when signal n ended it; -1 with errno set when
 * it could not be started. words ends with NULL; words[0] is looked for on PATH. */
int command_run(CommandGuard *guard, char *const words[]);
void command_release(const CommandGuard *guard);

#endif
