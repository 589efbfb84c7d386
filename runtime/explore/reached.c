/* reached -- places, by the number of their record. See reached.h. */
#define _POSIX_C_SOURCE 200809L
#include "reached.h"

#include "common_memory.h"
#include "coverage.h"

#include <string.h>

static struct {
    const CoverageRecord *records;
    ExplorePlace *places;
    size_t count;
} reached;

void reached_begin(ExploreRegion *region) {
    reached.records = coverage_records(&reached.count);
    if (reached.count == 0) {
        return;
    }
    reached.places = common_memory_take(reached.count * sizeof *reached.places);
    for (size_t i = 0; i < reached.count; i++) {
        const CoverageRecord *record = &reached.records[i];
        ExplorePlace *place = &reached.places[i];
        size_t length = strnlen(record->file, sizeof place->file - 1);
        memcpy(place->file, record->file, length);
        place->kind = record->kind;
        place->line = record->line;
        place->column = record->column;
    }
    region->places = common_memory_place(region, reached.places);
    region->place_count = (uint32_t)reached.count;
}

void reached_note(void) {
    for (size_t i = 0; i < reached.count; i++) {
        if (reached.records[i].count > 0) {
            reached.places[i].is_reached = 1;
        }
    }
}
