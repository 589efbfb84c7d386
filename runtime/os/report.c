/* report -- lines on standard error. See report.h. */
#include "report.h"

#include "os.h"

#include <stdarg.h>
#include <stdio.h>

enum { STANDARD_ERROR = 2 };

static void add_formatted(ReportText *text, const char *format, va_list arguments) {
    size_t room = sizeof text->bytes - text->length;
    int length = vsnprintf(text->bytes + text->length, room, format, arguments);
    if (length > 0) {
        size_t added = (size_t)length;
        text->length += added < room ? added : room - 1;
    }
}

void report_add(ReportText *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_formatted(text, format, arguments);
    va_end(arguments);
}

void report_write(ReportText *text) {
    const char *from = text->bytes;
    size_t left = text->length;
    text->length = 0;
    while (left > 0) {
        long written = os_write(STANDARD_ERROR, from, left);
        if (os_is_would_block(written)) {
            (void)os_is_ready(STANDARD_ERROR, OS_WRITABLE, -1);
            continue;
        }
        if (written <= 0) {
            return; /* no way to report it */
        }
        from += written;
        left -= (size_t)written;
    }
}

void report_line(const char *format, ...) {
    ReportText text = {.length = 0};
    va_list arguments;
    va_start(arguments, format);
    add_formatted(&text, format, arguments);
    va_end(arguments);
    report_write(&text);
}
