/* posix_terminal -- the mode of the terminal. See os.h. */
#define _GNU_SOURCE
#include "os.h"

#include <termios.h>

/* A terminal's mode outlives the program: the earlier mode must be reachable from every kind of
 * end, signal handlers included. */
static struct {
    int fd;
    bool is_raw;
    bool was_raw; /* restored for a stop, to be raw again */
    struct termios before;
} terminal;

bool os_terminal_make_raw(int fd) {
    if (terminal.is_raw) {
        return true;
    }
    if (tcgetattr(fd, &terminal.before) != 0) {
        return false;
    }
    struct termios raw = terminal.before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    terminal.fd = fd;
    terminal.is_raw = tcsetattr(fd, TCSANOW, &raw) == 0;
    return terminal.is_raw;
}

void os_terminal_restore(void) {
    if (terminal.is_raw) {
        terminal.is_raw = false;
        terminal.was_raw = true;
        (void)tcsetattr(terminal.fd, TCSANOW, &terminal.before);
    }
}

void os_terminal_make_raw_again(void) {
    if (terminal.was_raw && !terminal.is_raw) {
        terminal.was_raw = false;
        (void)os_terminal_make_raw(terminal.fd);
    }
}
