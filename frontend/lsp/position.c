/* position -- see the header. */
#include "position.h"

#include <string.h>

Lines lines_of(Arena *arena, const char *bytes, size_t length) {
    uint32_t count = 1;
    for (size_t i = 0; i < length; i++) {
        count += bytes[i] == '\n';
    }
    uint32_t *starts = arena_new_array(arena, uint32_t, count);
    uint32_t line = 1;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
            starts[line++] = (uint32_t)(i + 1);
        }
    }
    return (Lines){bytes, length, starts, count};
}

const char *lines_line(const Lines *lines, uint32_t line, size_t *length) {
    *length = 0;
    if (line < 1 || line > lines->count) {
        return "";
    }
    size_t start = lines->starts[line - 1];
    size_t end = line < lines->count ? lines->starts[line] - 1 : lines->length;
    while (end > start && lines->bytes[end - 1] == '\r') {
        end--;
    }
    *length = end - start;
    return lines->bytes + start;
}

int lines_indent(const Lines *lines, uint32_t line) {
    size_t length = 0;
    const char *text = lines_line(lines, line, &length);
    size_t indent = 0;
    while (indent < length && (text[indent] == ' ' || text[indent] == '\t')) {
        indent++;
    }
    return indent == length ? -1 : (int)indent;
}

/* ---- columns ---- */

/* Bytes of the character at `at`, of which `rest` are left. */
static size_t character_size(const char *at, size_t rest) {
    unsigned char first = (unsigned char)*at;
    size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    if (size > rest) {
        return 1;
    }
    for (size_t i = 1; i < size; i++) {
        if (((unsigned char)at[i] & 0xC0) != 0x80) {
            return 1;
        }
    }
    return size;
}

/* Walks over the line until one of the three counts is reached. */
typedef struct Walk {
    size_t bytes;
    uint32_t characters;
    uint32_t units;
} Walk;

static Walk walk_line(const Lines *lines, uint32_t line, Walk most) {
    size_t length = 0;
    const char *text = lines_line(lines, line, &length);
    Walk walk = {0, 0, 0};
    while (walk.bytes < length && walk.bytes < most.bytes && walk.characters < most.characters &&
           walk.units < most.units) {
        size_t size = character_size(text + walk.bytes, length - walk.bytes);
        walk.bytes += size;
        walk.characters++;
        walk.units += size == 4 ? 2 : 1;
    }
    return walk;
}

static const Walk no_limit = {SIZE_MAX, UINT32_MAX, UINT32_MAX};

static Walk walk_units(const Lines *lines, uint32_t line, uint32_t units) {
    Walk most = no_limit;
    most.units = units;
    return walk_line(lines, line, most);
}

static Walk walk_characters(const Lines *lines, uint32_t line, uint32_t characters) {
    Walk most = no_limit;
    most.characters = characters;
    return walk_line(lines, line, most);
}

/* ---- from the protocol ---- */

static uint32_t count_of(const json_t *value) {
    json_int_t number = json_integer_value(value);
    return number < 0 ? 0 : number > INT32_MAX ? INT32_MAX : (uint32_t)number;
}

bool position_read(const Lines *lines, const json_t *value, Spot *spot) {
    const json_t *line = json_object_get(value, "line");
    const json_t *character = json_object_get(value, "character");
    if (!json_is_integer(line) || !json_is_integer(character)) {
        return false;
    }
    spot->line = count_of(line) + 1;
    spot->column = walk_units(lines, spot->line, count_of(character)).characters + 1;
    return true;
}

void position_read_range(const Lines *lines, const json_t *range, Spot *start, Spot *end) {
    *start = (Spot){1, 1};
    *end = (Spot){UINT32_MAX, 1};
    position_read(lines, json_object_get(range, "start"), start);
    position_read(lines, json_object_get(range, "end"), end);
}

size_t position_offset(const Lines *lines, const json_t *value) {
    uint32_t line = count_of(json_object_get(value, "line")) + 1;
    if (line > lines->count) {
        return lines->length;
    }
    return lines->starts[line - 1] +
           walk_units(lines, line, count_of(json_object_get(value, "character"))).bytes;
}

size_t spot_byte(const Lines *lines, Spot spot) {
    return walk_characters(lines, spot.line, spot.column ? spot.column - 1 : 0).bytes;
}

/* ---- to the protocol ---- */

json_t *position_value(const Lines *lines, uint32_t line, uint32_t column) {
    uint32_t units = walk_characters(lines, line, column ? column - 1 : 0).units;
    json_t *value = json_object();
    json_object_set_new(value, "line", json_integer(line ? line - 1 : 0));
    json_object_set_new(value, "character", json_integer(units));
    return value;
}

json_t *range_value(const Lines *lines, Location at) {
    bool has_end = at.end_line >= at.line && at.end_line > 0;
    json_t *value = json_object();
    json_object_set_new(value, "start", position_value(lines, at.line, at.column));
    json_object_set_new(value, "end",
                        position_value(lines, has_end ? at.end_line : at.line,
                                       has_end ? at.end_column : at.column));
    return value;
}

bool location_has(Location at, Spot spot) {
    bool is_after_start = spot.line > at.line || (spot.line == at.line && spot.column >= at.column);
    bool is_before_end =
        spot.line < at.end_line || (spot.line == at.end_line && spot.column <= at.end_column);
    return is_after_start && is_before_end;
}
