/* check -- the end of a run that is our own fault. See check.h. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* No stdio: the state of the process cannot be trusted. */
_Noreturn void rt_bug(const char *file, int line, const char *what) {
    char text[512];
    int length = snprintf(text, sizeof text, "occ: internal error: %s:%d: %s\n", file, line, what);
    size_t bytes = length < 0 ? 0 : (size_t)length;
    if (bytes >= sizeof text) {
        bytes = sizeof text - 1;
        text[bytes - 1] = '\n';
    }
    ssize_t written = write(STDERR_FILENO, text, bytes);
    (void)written;
    abort();
}
