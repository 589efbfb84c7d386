/* terminal -- sizes and modes of terminals. See terminal.h. */
#define _GNU_SOURCE
#include "terminal.h"

#include "os.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <termios.h>

void occ_terminal_size(int32_t file, int32_t *columns, int32_t *rows, int32_t *result) {
    struct winsize size = {.ws_col = 0};
    *result = ioctl(file, TIOCGWINSZ, &size) == 0 ? 0 : -errno;
    *columns = size.ws_col;
    *rows = size.ws_row;
}

void occ_terminal_raw(int32_t file, bool is_raw, int32_t *result) {
    struct termios mode;
    if (!os_terminal_make_raw(file) || tcgetattr(file, &mode) != 0) { /* it knows the mode before */
        *result = -errno;
        return;
    }
    if (is_raw) {
        mode.c_lflag &= ~(tcflag_t)(ISIG | IEXTEN);
        mode.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
    } else {
        mode.c_lflag |= ISIG | IEXTEN;
        mode.c_iflag |= IXON | ICRNL;
    }
    *result = tcsetattr(file, TCSANOW, &mode) == 0 ? 0 : -errno;
}
