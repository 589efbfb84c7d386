/* diag_follow -- one mistake, one error: what follows from an error reported before is kept back.
 *
 * Owns:   two rules. One line at a wrong column brings others into wrong blocks: of one outermost
 *         definition the first such complaint counts. The same words are said once of a line, and
 *         those about one name's type or direction once in a definition.
 * Leaves: the same place twice, and lines that could not be read, to diag.c. */
#include "diag_follow.h"

#include <string.h>

/* The next complaint of this kind may come of lines that are fine but moved by this one. */
static bool is_of_structure(DiagId id) {
    switch ((int)id) {
    case DIAG_LAYOUT_INDENT:
    case DIAG_LAYOUT_TAB:
    case DIAG_LAYOUT_OUTDENT:
    case DIAG_LAYOUT_FIRST:
    case DIAG_LAYOUT_CONTINUATION:
    case DIAG_SYNTAX_MISSING_COLON:
    case DIAG_SYNTAX_UNEXPECTED_BLOCK:
    case DIAG_SYNTAX_OUTERMOST:
    case DIAG_SYNTAX_SPECIFICATION_LAST:
    case DIAG_SYNTAX_FUNCTION_BODY:
    case DIAG_SYNTAX_NO_RESULT: return true;
    default: return false;
    }
}

/* The same words again are about the same name, whose declaration is wrong. */
static bool is_of_name(DiagId id) {
    return id == DIAG_TYPES_DIRECTION || id == DIAG_TYPES_ACTUAL ||
           id == DIAG_TYPES_ACTUAL_DIRECTION || id == DIAG_TYPES_NOT_TIMER;
}

static bool is_first_on_line(const SourceMap *sources, Location where) {
    size_t length = 0;
    const char *line = source_line(sources, where.file, where.line, &length);
    size_t first = 0;
    while (line && first < length && line[first] == ' ') {
        first++;
    }
    return line && where.column <= first + 1;
}

/* A line that may be fine by itself but stands in a wrong block. */
static bool may_follow_from_structure(const SourceMap *sources, DiagId id, Location where) {
    switch ((int)id) {
    case DIAG_SYNTAX_MISSING_BLOCK:
    case DIAG_SYNTAX_ONE_PROCESS: return true;
    case DIAG_SYNTAX_EXPECTED:
    case DIAG_SYNTAX_UNEXPECTED:
    case DIAG_SYNTAX_LONE_NAME:
    case DIAG_SYNTAX_INCOMPLETE:
    case DIAG_SYNTAX_STRAY_COLON: return is_first_on_line(sources, where);
    default: return is_of_structure(id);
    }
}

/* No definition begins at the margin between the two lines, so both are in one. */
static bool is_one_definition(const SourceMap *sources, Location one, Location other) {
    if (one.file != other.file) {
        return false;
    }
    uint32_t first = one.line < other.line ? one.line : other.line;
    uint32_t last = one.line < other.line ? other.line : one.line;
    for (uint32_t number = first + 1; number <= last; number++) {
        size_t length = 0;
        const char *line = source_line(sources, one.file, number, &length);
        if (line && length > 0 && ((line[0] >= 'A' && line[0] <= 'Z') || line[0] == '[')) {
            return false;
        }
    }
    return true;
}

static bool was_said(const DiagFollow *follow, const SourceMap *sources, DiagSaid now) {
    for (size_t i = follow->said.count; i-- > 0;) {
        const DiagSaid *said = &follow->said.items[i];
        if (said->id != now.id || said->where.file != now.where.file ||
            strcmp(said->message, now.message) != 0) {
            continue;
        }
        if (said->where.line == now.where.line ||
            (is_of_name(now.id) && is_one_definition(sources, said->where, now.where))) {
            return true;
        }
    }
    return false;
}

bool diag_follow_check(DiagFollow *follow, Arena *arena, const SourceMap *sources, DiagId id,
                       Location where, const char *message) {
    if (!location_is_known(where)) {
        return false;
    }
    if (location_is_known(follow->structure) && may_follow_from_structure(sources, id, where) &&
        is_one_definition(sources, follow->structure, where)) {
        follow->structure = where;
        return true;
    }
    if (is_of_structure(id)) {
        follow->structure = where;
    }
    DiagSaid now = {id, where, message};
    if (was_said(follow, sources, now)) {
        return true;
    }
    array_push(arena, &follow->said, now);
    return false;
}
