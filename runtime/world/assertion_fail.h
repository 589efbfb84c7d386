/* assertion_fail -- how a statement of module assert ends the program. */
#ifndef RT_ASSERTION_FAIL_H
#define RT_ASSERTION_FAIL_H

#include "foreign.h"
#include "report.h"

#include <stdint.h>

/* What the caller says about it. */
typedef struct Remark {
    const uint8_t *text;
    int32_t size;
} Remark;

/* `words` and the remark are the message; `lines`, each with its end, follow it. NULL: none. */
_Noreturn void assertion_fail(const PlacedCall *call, ReportText *words, Remark remark,
                              ReportText *lines);
/* A real in as few digits as tell it from its neighbours. */
void assertion_add_real(ReportText *text, double value);
/* A byte as it stands between quotes. */
void assertion_add_byte(ReportText *text, uint8_t byte);

#endif
