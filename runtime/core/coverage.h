/* coverage -- how often each process of the text has run, in a program compiled with -fcoverage.
 *
 * Owns:   the form of the records, and of the file: a line each, "kind line column construct count
 *         file", then a tab and the name of the routine.
 * Leaves: counting to compiled code (codegen/emitter/coverage.c).
 * Holds:  at the end records are appended to the file that OCC_COVERAGE names; without it nothing
 *         is written. */
#ifndef RT_COVERAGE_H
#define RT_COVERAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct CoverageRecord {
    const char *file;
    const char *proc;
    uint64_t count;
    uint32_t line;
    uint32_t column;
    uint32_t kind; /* CoverageKind of the code generator */
    uint32_t construct_line;
} CoverageRecord;

void coverage_write(void);
/* coverage_records -- an array of all records; *count: how many. */
const CoverageRecord *coverage_records(size_t *count);

#endif
