/* coverage -- see the header. */
#include "coverage.h"

#include "os.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHUNK_BYTES = 4096, LINE_BYTES = 1024 };

/* The ends of the section, made by the linker; NULL in a program without it. */
extern const CoverageRecord __start_occ_coverage[] __attribute__((weak, visibility("hidden")));
extern const CoverageRecord __stop_occ_coverage[] __attribute__((weak, visibility("hidden")));

_Static_assert(sizeof(CoverageRecord) == 40, "codegen/emitter/coverage.c makes them");

static void write_all(int file, const char *bytes, size_t size) {
    while (size > 0) {
        long written = os_write(file, bytes, size);
        if (written <= 0) {
            return; /* no way to report it */
        }
        bytes += written;
        size -= (size_t)written;
    }
}

void coverage_write(void) {
    const char *path = getenv("OCC_COVERAGE");
    if (__start_occ_coverage == NULL || path == NULL) {
        return;
    }
    int file = os_append(path);
    char chunk[CHUNK_BYTES];
    size_t filled = 0;
    const CoverageRecord *record = __start_occ_coverage;
    for (; file >= 0 && record < __stop_occ_coverage; record++) {
        if (filled + LINE_BYTES > CHUNK_BYTES) {
            write_all(file, chunk, filled);
            filled = 0;
        }
        int length =
            snprintf(chunk + filled, LINE_BYTES, "%u %u %u %u %" PRIu64 " %.700s\t%.200s\n",
                     record->kind, record->line, record->column, record->construct_line,
                     record->count, record->file, record->proc);
        filled += length > 0 ? (size_t)length : 0;
    }
    if (file >= 0) {
        write_all(file, chunk, filled); /* it is closed when the program ends, which is now */
    }
}

const CoverageRecord *coverage_records(size_t *count) {
    *count =
        __start_occ_coverage == NULL ? 0 : (size_t)(__stop_occ_coverage - __start_occ_coverage);
    return __start_occ_coverage;
}
