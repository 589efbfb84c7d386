/* report -- lines on standard error.
 *
 * Owns:   formatting a line and writing it whole, at once.
 * Leaves: what is said to error.c, deadlock.c, paint.c; flushing the program's own output first to
 *         the callers.
 * Holds:  nothing is allocated; a line is cut at REPORT_LINE_BYTES. */
#ifndef RT_REPORT_H
#define RT_REPORT_H

#include <stddef.h>

enum { REPORT_LINE_BYTES = 1024 };

/* Text built piece by piece; what does not fit is left out. */
typedef struct ReportText {
    char bytes[REPORT_LINE_BYTES];
    size_t length;
} ReportText;

__attribute__((format(printf, 2, 3))) void report_add(ReportText *text, const char *format, ...);
/* Write the text and empty it. */
void report_write(ReportText *text);
__attribute__((format(printf, 1, 2))) void report_line(const char *format, ...);

#endif
