/* paint -- painted blocks. See paint.h. */
#include "paint.h"

#include "block.h"
#include "report.h"

#include <inttypes.h>
#include <string.h>

void paint_begin(PaintRecord *record) {
    *record = (PaintRecord){0, 0, SIZE_MAX, 0};
}

void paint_block(char *low, size_t size_bytes) {
    memset(low, PAINT_BYTE, size_bytes);
}

static size_t untouched(const char *low, const char *high) {
    const char *at = low;
    while (at < high && (unsigned char)*at == PAINT_BYTE) {
        at++;
    }
    return (size_t)(at - low);
}

void paint_measure(PaintRecord *record, const Process *process, size_t margin_bytes) {
    const char *low = block_stack_low(process);
    const char *high = (const char *)process;
    record->blocks++;
    if (untouched(low - margin_bytes, low) < margin_bytes) {
        record->overflows++;
        record->slack_min = 0;
        return;
    }
    size_t slack = untouched(low, high);
    record->slack_min = slack < record->slack_min ? slack : record->slack_min;
    record->slack_max = slack > record->slack_max ? slack : record->slack_max;
}

void paint_print(const PaintRecord *record) {
    size_t least = record->blocks == 0 ? 0 : record->slack_min;
    report_line("occ: stack paint: %" PRIu64 " blocks, overflow %" PRIu64 ", slack %zu..%zu\n",
                record->blocks, record->overflows, least, record->slack_max);
}
