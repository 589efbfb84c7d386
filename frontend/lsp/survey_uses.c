/* survey_uses -- where names stand, and in which role. See surveyor.h.
 *
 * Holds: the place of a use is the name alone, whatever the construct spans that it is in. */
#include "surveyor.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- uses ---- */

bool surveyor_is_interface(const Surveyor *surveyor, Location at) {
    const SourceFile *file = source_file(surveyor->compiler->sources, at.file);
    return !file || file->is_generated;
}

void surveyor_use(Surveyor *surveyor, Location at, uint32_t name, UseRole role) {
    if (name == SURVEY_NONE || surveyor_is_interface(surveyor, at)) {
        return;
    }
    SurveyUse use = {at, name, role};
    array_push(surveyor->arena, &surveyor->builder.uses, use);
}

static bool is_part_of_name(char c) {
    return isalnum((unsigned char)c) || c == '.' || c == '_';
}

static bool stands_at(const char *line, size_t length, size_t byte, const Text *name) {
    size_t end = byte + name->length;
    return byte <= length && end <= length && memcmp(line + byte, name->bytes, name->length) == 0 &&
           (byte == 0 || !is_part_of_name(line[byte - 1])) &&
           (end == length || !is_part_of_name(line[end]));
}

/* Bytes before the column, which counts characters. */
static size_t byte_of_column(const char *line, size_t length, uint32_t column) {
    size_t byte = 0;
    for (uint32_t at = 1; at < column && byte < length; at++) {
        do {
            byte++;
        } while (byte < length && ((unsigned char)line[byte] & 0xC0) == 0x80);
    }
    return byte;
}

/* Where the name stands in a construct: its first place in the line where that begins, or its last
 * where that ends. */
Location surveyor_place(const Surveyor *surveyor, Location within, const Text *name, bool is_last) {
    bool has_end = within.end_line >= within.line;
    uint32_t number = is_last && has_end ? within.end_line : within.line;
    size_t length = 0;
    const char *line = source_line(surveyor->compiler->sources, within.file, number, &length);
    size_t byte =
        byte_of_column(line, length, is_last && has_end ? within.end_column : within.column);
    uint32_t column = is_last && has_end ? within.end_column : within.column;
    while (byte <= length && !stands_at(line, length, byte, name)) {
        if (is_last && byte == 0) {
            return (Location){0};
        }
        byte += is_last ? (size_t)-1 : 1;
        bool is_inner = byte < length && ((unsigned char)line[byte] & 0xC0) == 0x80;
        column += is_inner ? 0 : is_last ? (uint32_t)-1 : 1;
    }
    if (byte > length) {
        return (Location){0};
    }
    return (Location){within.file, number, column, number, column + name->length};
}

void surveyor_use_symbol(Surveyor *surveyor, Location at, const Text *text, const Symbol *symbol,
                         UseRole role) {
    if (symbol && text) {
        Location place = surveyor_place(surveyor, at, text, false);
        if (location_is_known(place)) {
            surveyor_use(surveyor, place, surveyor_name(surveyor, symbol), role);
        }
    }
}

/* ---- roles ---- */

void surveyor_expect(Surveyor *surveyor, const Node *element, UseRole role) {
    while (element->kind == NODE_MOVE) {
        element = element->move.element;
    }
    if (element->kind == NODE_COUNTED) {
        surveyor_expect(surveyor, element->counted.count, role);
        element = element->counted.array;
    }
    PendingRole pending = {element_root(element), role};
    array_push(surveyor->arena, &surveyor->roles, pending);
}

void surveyor_expect_writes(Surveyor *surveyor, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        surveyor_expect(surveyor, list->items[i], USE_WRITE);
    }
}

UseRole surveyor_role(const Surveyor *surveyor, const Node *node) {
    for (size_t i = surveyor->roles.count; i-- > 0;) {
        if (surveyor->roles.items[i].root == node) {
            return surveyor->roles.items[i].role;
        }
    }
    return USE_READ;
}

UseRole role_of_direction(Direction direction) {
    switch (direction) {
    case DIRECTION_NONE: break;
    case DIRECTION_INPUT: return USE_INPUT;
    case DIRECTION_OUTPUT: return USE_OUTPUT;
    }
    return USE_READ;
}

/* ---- order ---- */

static int compare_uses(const void *one, const void *other) {
    const SurveyUse *left = one;
    const SurveyUse *right = other;
    uint32_t l[] = {left->at.file, left->at.line, left->at.column};
    uint32_t r[] = {right->at.file, right->at.line, right->at.column};
    for (size_t i = 0; i < 3; i++) {
        if (l[i] != r[i]) {
            return l[i] < r[i] ? -1 : 1;
        }
    }
    return 0;
}

/* In order, and each once: types that several names share were met for each. */
void surveyor_sort(SurveyBuilder *builder) {
    if (builder->uses.count == 0) {
        return;
    }
    qsort(builder->uses.items, builder->uses.count, sizeof *builder->uses.items, compare_uses);
    size_t kept = 1;
    for (size_t i = 1; i < builder->uses.count; i++) {
        if (compare_uses(&builder->uses.items[kept - 1], &builder->uses.items[i]) != 0) {
            builder->uses.items[kept++] = builder->uses.items[i];
        }
    }
    builder->uses.count = kept;
}
