/* diag_follow -- one mistake, one error: errors that follow from one before are suppressed.
 *
 * Owns:   the rules. A line at a wrong column puts others into wrong blocks: in each outermost
 *         definition only the first such error counts. Where the line of an IF, CASE or ALT is
 *         missing, the lines above its blocks cannot be read, nor can processes in their place: the
 *         first counts. The same words are reported once a line, those about the type or direction
 *         of a name once a definition, those about a missing name once. Parts of one assignment
 *         overlap once.
 * Leaves: the same place twice, and lines that could not be read, to diag.c. */
#include "diag_follow.h"

#include "among.h"
#include "diag_line.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The next error of this kind may come from lines that are fine but moved by this one. */
static bool is_of_structure(DiagId id) {
    return AMONG(id, DIAG_LAYOUT_INDENT, DIAG_LAYOUT_TAB, DIAG_LAYOUT_OUTDENT, DIAG_LAYOUT_FIRST,
                 DIAG_LAYOUT_HEADING, DIAG_LAYOUT_CONTINUATION, DIAG_SYNTAX_MISSING_COLON,
                 DIAG_SYNTAX_MISSING_BLOCK, DIAG_SYNTAX_UNEXPECTED_BLOCK, DIAG_SYNTAX_OUTERMOST,
                 DIAG_SYNTAX_SPECIFICATION_LAST, DIAG_SYNTAX_FUNCTION_BODY, DIAG_SYNTAX_NO_RESULT);
}

bool diag_is_of_statement(DiagId id) {
    return id == DIAG_SYNTAX_ASSIGN || id == DIAG_SYNTAX_PRECEDENCE || id == DIAG_SYNTAX_INCREMENT;
}

/* The same words again concern the same name, whose declaration is wrong. */
static bool is_of_name(DiagId id) {
    return id == DIAG_TYPES_DIRECTION || id == DIAG_TYPES_ACTUAL ||
           id == DIAG_TYPES_ACTUAL_DIRECTION || id == DIAG_TYPES_NOT_TIMER || id == DIAG_NAMES_KIND;
}

/* The same words anywhere concern one definition that is incomplete or missing. */
static bool is_of_missing_name(DiagId id) {
    return id == DIAG_NAMES_UNKNOWN || id == DIAG_NAMES_TAG || id == DIAG_NAMES_FIELD;
}

static bool is_of_line(DiagId id) {
    return id == DIAG_SYNTAX_EXPECTED || id == DIAG_SYNTAX_UNEXPECTED || id == DIAG_SYNTAX_ASSIGN ||
           id == DIAG_SYNTAX_LONE_NAME || id == DIAG_SYNTAX_INCOMPLETE;
}

/* A process where a choice, an option or a guard should stand: "this line needs a block". */
static bool is_process_among_choices(DiagId id, const char *message) {
    return id == DIAG_SYNTAX_COMPARE ||
           (id == DIAG_SYNTAX_MISSING_BLOCK && strncmp(message, "this ", 5) == 0) ||
           (id == DIAG_SYNTAX_EXPECTED && (strstr(message, "'&'") || strstr(message, "'IF'")));
}

/* A wrong word is an error of its own, wherever it stands. */
static bool is_of_word(DiagId id) {
    return id == DIAG_SYNTAX_FOREIGN_WORD || id == DIAG_SYNTAX_LOWER_CASE;
}

static bool is_of_misread_line(DiagId id) {
    return is_of_line(id) || is_of_word(id) || id == DIAG_SYNTAX_COMPARE ||
           id == DIAG_SYNTAX_IF_ELSE;
}

/* Errors of processes that are in a wrong block, or side by side instead of nested. */
static bool is_of_processes(DiagId id) {
    const char *name = diag_name(id);
    return strncmp(name, "usage-", 6) == 0 || strncmp(name, "clock-", 6) == 0 ||
           strncmp(name, "alias-", 6) == 0 || id == DIAG_TYPES_CLAIM || id == DIAG_NAMES_KIND ||
           id == DIAG_NAMES_UNKNOWN || id == DIAG_SYNTAX_TWO_PROCESSES ||
           id == DIAG_TYPES_RESULT_UNUSED;
}

/* A line that may be fine by itself but is in a wrong block. */
static bool may_follow_from_structure(const SourceMap *sources, DiagId id, Location where,
                                      const char *message) {
    if (AMONG(id, DIAG_SYNTAX_ONE_COMPONENT, DIAG_SYNTAX_ONE_PROCESS)) {
        return true;
    }
    if (id == DIAG_SYNTAX_STRAY_COLON) {
        return line_begins_at(sources, where);
    }
    if (id == DIAG_SYNTAX_SEMICOLON ||
        (id == DIAG_SYNTAX_UNEXPECTED && AMONG(message[1], '(', ';')) ||
        (id == DIAG_SYNTAX_EXPECTED && strstr(message, "found ':='"))) {
        return true; /* a tag with its items, a call, an assignment: where none is wanted */
    }
    bool is_moved_line = line_begins_at(sources, where) || line_has_block_below(sources, where) ||
                         line_begins_with(sources, where, "RESULT") ||
                         line_indent(sources, where.file, where.line) == 0;
    return is_of_structure(id) || is_of_processes(id) || (is_of_misread_line(id) && is_moved_line);
}

static bool was_said(const DiagFollow *follow, const SourceMap *sources, DiagSaid now) {
    for (size_t i = follow->said.count; i-- > 0;) {
        const DiagSaid *said = &follow->said.items[i];
        if (said->id != now.id || said->where.file != now.where.file ||
            strcmp(said->message, now.message) != 0) {
            continue;
        }
        if (said->where.line == now.where.line || is_of_missing_name(now.id) ||
            (is_of_name(now.id) && line_in_one_definition(sources, said->where, now.where))) {
            return true;
        }
    }
    return false;
}

/* [a FOR 5], [a FROM 4] := [a FROM 4 FOR 5], [a FOR 5]: the parts of one assignment overlap, on
 * both sides. */
static bool is_overlap_again(const DiagFollow *follow, DiagId id, Location where) {
    bool is_of_targets = id == DIAG_USAGE_TARGETS;
    for (size_t i = follow->said.count; is_of_targets && i-- > 0;) {
        const DiagSaid *said = &follow->said.items[i];
        if (said->id == DIAG_ALIAS_ASSIGN && said->where.file == where.file &&
            said->where.line == where.line) {
            return true;
        }
    }
    return false;
}

/* `r a` without :=, or CAS x, was taken for a declaration whose ':' is missing: then the process is
 * missing where its VALOF or block ends. */
static bool is_after_declaration(const DiagFollow *follow, const SourceMap *sources, DiagId id,
                                 Location where, const char *message) {
    bool is_result = (id == DIAG_SYNTAX_EXPECTED || id == DIAG_SYNTAX_FUNCTION_BODY) &&
                     line_begins_with(sources, where, "RESULT");
    bool is_end =
        is_result || (id == DIAG_SYNTAX_EXPECTED && strstr(message, "found the end of the block"));
    for (size_t i = follow->said.count; is_end && i-- > 0;) {
        const DiagSaid *said = &follow->said.items[i];
        if (said->id == DIAG_SYNTAX_DECLARATION_COLON &&
            line_in_one_definition(sources, said->where, where)) {
            return true;
        }
    }
    return false;
}

#define LINES_ALIGNED 3 /* lines that are aligned with a bracket above them */

/* A character too many moves the column that the lines below are aligned with; a bracket too many
 * closes the one round a VALOF. */
static bool is_after_character(const DiagFollow *follow, const SourceMap *sources, DiagId id,
                               Location where) {
    bool is_of_layout = id == DIAG_LAYOUT_INDENT || id == DIAG_LAYOUT_OUTDENT;
    bool is_moved = is_of_layout || (id == DIAG_SYNTAX_EXPECTED && line_begins_at(sources, where));
    for (size_t i = follow->said.count; is_moved && i-- > 0;) {
        const DiagSaid *said = &follow->said.items[i];
        bool is_character =
            AMONG(said->id, DIAG_LEXICAL_CHARACTER, DIAG_LEXICAL_CONTROL, DIAG_LEXICAL_BRACE) &&
            said->where.line + LINES_ALIGNED >= where.line;
        bool is_bracket =
            is_of_layout && said->id == DIAG_SYNTAX_EXPECTED &&
            (strstr(said->message, "found ']'") || strstr(said->message, "found ')'"));
        if ((is_character || is_bracket) && said->where.line < where.line &&
            line_in_one_definition(sources, said->where, where)) {
            return true;
        }
    }
    return false;
}

/* The next line that is not empty. */
static uint32_t next_line(const SourceMap *sources, Location where) {
    const SourceFile *file = source_file(sources, where.file);
    uint32_t number = where.line + 1;
    while (file && number <= file->line_count && line_indent(sources, where.file, number) < 0) {
        number++;
    }
    return number;
}

static bool says_of(const DiagSaid *said, const char *family) {
    return strncmp(diag_name(said->id), family, strlen(family)) == 0;
}

/* c ? CASE add with variants below it: those could not be read, so the tag has no items. DATA TYPE
 * T: is a forward declaration, and the block below it has no heading. */
static bool is_above_unread_block(const DiagFollow *follow, const SourceMap *sources, DiagId id,
                                  Location where) {
    bool has_block = AMONG(id, DIAG_TYPES_ITEM_COUNT, DIAG_TYPES_ANNOUNCED) &&
                     line_has_block_below(sources, where);
    uint32_t below = has_block ? next_line(sources, where) : 0;
    for (size_t i = 0; has_block && i < follow->said.count; i++) {
        const DiagSaid *said = &follow->said.items[i];
        if (said->where.file == where.file && said->where.line == below &&
            (says_of(said, "syntax-") || says_of(said, "layout-"))) {
            return true;
        }
    }
    return false;
}

/* Is there a line that could not be read, or that declares no field? */
static bool has_unread_line(const DiagFollow *follow) {
    for (size_t i = 0; i < follow->said.count; i++) {
        const char *name = diag_name(follow->said.items[i].id);
        if (diag_is_of_statement(follow->said.items[i].id)) {
            continue;
        }
        if (strncmp(name, "syntax-", 7) == 0 || strncmp(name, "layout-", 7) == 0 ||
            follow->said.items[i].id == DIAG_TYPES_BUNDLE_DIRECTION) {
            return true;
        }
    }
    return false;
}

/* A line no deeper than one at a wrong column: that one may have ended its block, or changed its
 * kind, so that a process is read as a choice, for instance. */
static bool is_round_moved_line(const SourceMap *sources, const DiagSaid *said, DiagId id,
                                Location where) {
    return (is_of_line(id) || id == DIAG_SYNTAX_COMPARE) && is_of_structure(said->id) &&
           said->where.line < where.line &&
           line_indent(sources, where.file, where.line) <=
               line_indent(sources, said->where.file, said->where.line);
}

static bool follows_from_structure(DiagFollow *follow, const SourceMap *sources, DiagId id,
                                   Location where, const char *message) {
    if ((id == DIAG_NAMES_TAG || id == DIAG_NAMES_FIELD) && has_unread_line(follow)) {
        return true; /* the unread line may be what is missing */
    }
    bool may_follow = may_follow_from_structure(sources, id, where, message);
    for (size_t i = follow->structure.count; i-- > 0;) {
        const DiagSaid *said = &follow->structure.items[i];
        bool is_another = ((is_of_word(id) && is_of_word(said->id)) ||
                           (AMONG(id, DIAG_SYNTAX_MISSING_BLOCK, DIAG_SYNTAX_ONE_COMPONENT,
                                  DIAG_SYNTAX_ONE_PROCESS) &&
                            said->id == id)) &&
                          !(is_process_among_choices(id, message) &&
                            line_in_one_block(sources, said->where, where));
        bool follows = may_follow || is_round_moved_line(sources, said, id, where);
        if (follows && !is_another && line_in_one_definition(sources, said->where, where)) {
            return true;
        }
    }
    return false;
}

/* Below is a RESULT that could not be read, or the line that should have closed a bracket. */
static bool has_unread_line_below(const DiagFollow *follow, const SourceMap *sources,
                                  Location valof) {
    for (size_t i = follow->said.count; i-- > 0;) {
        const DiagSaid *said = &follow->said.items[i];
        if (strncmp(diag_name(said->id), "syntax-", 7) == 0 && said->where.line > valof.line &&
            line_in_one_definition(sources, valof, said->where)) {
            return true;
        }
    }
    return false;
}

/* A keyword used as a name: in its declaration, and again where it is used. */
static bool is_keyword_again(const DiagFollow *follow, DiagId id, const char *message) {
    const char *found = id == DIAG_SYNTAX_EXPECTED ? strstr(message, "found '") : NULL;
    for (size_t i = 0; found && isupper((unsigned char)found[7]) && i < follow->said.count; i++) {
        const DiagSaid *said = &follow->said.items[i];
        const char *before = strstr(said->message, "found '");
        if (said->id == id && before && strcmp(before, found) == 0 &&
            strncmp(said->message, "expected a name, ", 17) == 0) {
            return true;
        }
    }
    return false;
}

/* ELSE and the constants of a CASE whose own line is missing, so that an IF takes them. */
static bool is_option_among_choices(DiagId id, const char *message) {
    return id == DIAG_SYNTAX_IF_ELSE ||
           (id == DIAG_TYPES_MISMATCH && strncmp(message, "BOOL is needed", 14) == 0);
}

/* After a process among choices, any line may be another one. */
static bool follows_from_component(const DiagFollow *follow, const SourceMap *sources,
                                   Location where, bool is_component) {
    for (size_t i = follow->components.count; i-- > 0;) {
        Location component = follow->components.items[i];
        if ((is_component || !line_has_block_below(sources, component)) &&
            line_in_one_block(sources, component, where)) {
            return true;
        }
    }
    return false;
}

/* A second process, right below one among the choices of the process before it. */
static bool is_below_component(const DiagFollow *follow, const SourceMap *sources, DiagId id,
                               Location where) {
    uint32_t above = where.line - 1;
    while (above > 0 && line_indent(sources, where.file, above) < 0) {
        above--;
    }
    for (size_t i = follow->components.count; id == DIAG_SYNTAX_TWO_PROCESSES && i-- > 0;) {
        Location component = follow->components.items[i];
        if (component.file == where.file && component.line == above) {
            return true;
        }
    }
    return false;
}

/* A part used under its other name is used in another branch too; the second half of a string whose
 * first half was not closed; the ':' on a line below the specification that it should end. */
static bool is_other_half(const DiagFollow *follow, const SourceMap *sources, DiagId id,
                          Location where) {
    bool is_usage = strncmp(diag_name(id), "usage-parallel", 14) == 0;
    for (size_t i = follow->said.count; i-- > 0;) {
        const DiagSaid *said = &follow->said.items[i];
        bool is_same_place = said->where.file == where.file && said->where.line == where.line &&
                             said->where.column == where.column;
        bool is_below = said->where.file == where.file && said->where.line == where.line + 1;
        bool is_above = said->where.file == where.file && said->where.line + 1 == where.line;
        if ((is_usage && is_same_place && says_of(said, "alias-")) ||
            (id == DIAG_LEXICAL_STRING_OPEN && is_above && said->id == id) ||
            (id == DIAG_SYNTAX_DECLARATION_COLON && is_below && said->id == DIAG_LAYOUT_INDENT &&
             line_begins_with(sources, said->where, ":"))) {
            return true;
        }
    }
    return false;
}

/* A line of a block is indented too far: what follows where that line was expected is taken for
 * another line of its block (a condition of an IF, an option of a CASE) and cannot be read so. */
static bool is_beside_moved_line(const DiagFollow *follow, const SourceMap *sources, DiagId id,
                                 Location where) {
    int indent = id == DIAG_SYNTAX_UNEXPECTED ? line_indent(sources, where.file, where.line) : -1;
    for (size_t i = follow->said.count; indent >= 0 && i-- > 0;) {
        const DiagSaid *said = &follow->said.items[i];
        int expected = 0;
        if (said->id == DIAG_LAYOUT_INDENT && said->where.line < where.line &&
            line_in_one_definition(sources, said->where, where) &&
            sscanf(said->message, "expected %d spaces", &expected) == 1 && expected == indent) {
            uint32_t line = said->where.line;
            while (line < where.line && (line_indent(sources, where.file, line) < 0 ||
                                         line_indent(sources, where.file, line) >= indent)) {
                line++;
            }
            return line == where.line;
        }
    }
    return false;
}

/* The line continues the bracket in which an error was reported. */
static bool is_in_unread_bracket(const DiagFollow *follow, const SourceMap *sources, DiagId id,
                                 Location where) {
    for (size_t i = follow->said.count; id == DIAG_SYNTAX_EXPECTED && i-- > 0;) {
        const DiagSaid *said = &follow->said.items[i];
        if ((says_of(said, "syntax-") || says_of(said, "lexical-")) &&
            line_in_one_bracket(sources, said->where, where)) {
            return true;
        }
    }
    return false;
}

/* Text between braces is in another language: its first line was reported. */
static bool is_between_braces(const DiagFollow *follow, const SourceMap *sources, DiagId id,
                              Location where) {
    const char *name = diag_name(id);
    bool is_of_form = strncmp(name, "syntax-", 7) == 0 || strncmp(name, "lexical-", 8) == 0 ||
                      strncmp(name, "layout-", 7) == 0;
    for (size_t i = follow->said.count; is_of_form && i-- > 0;) {
        const DiagSaid *said = &follow->said.items[i];
        if ((says_of(said, "syntax-") || says_of(said, "lexical-")) &&
            said->id != DIAG_LEXICAL_COMMENT && line_in_one_brace(sources, said->where, where)) {
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
    DiagSaid now = {id, where, message};
    if (id == DIAG_LAYOUT_BRACKET) {
        array_push(arena, &follow->structure, now); /* the line it swallowed had a block */
    }
    bool is_at_end = id == DIAG_SYNTAX_EXPECTED && strstr(message, "the end of the file") != NULL;
    if (is_at_end && follow->structure.count > 0) {
        return true; /* what came before it was taken for something else */
    }
    if (is_after_character(follow, sources, id, where)) {
        array_push(arena, &follow->structure, now); /* of more lines in wrong blocks */
        return true;
    }
    bool is_above_block = is_of_line(id) && line_has_block_below(sources, where);
    bool is_component =
        is_above_block || (is_of_line(id) && line_begins_at(sources, where)) ||
        (!line_has_block_below(sources, where) && is_process_among_choices(id, message));
    if (follows_from_structure(follow, sources, id, where, message) ||
        is_keyword_again(follow, id, message) || is_overlap_again(follow, id, where) ||
        is_after_declaration(follow, sources, id, where, message) ||
        is_above_unread_block(follow, sources, id, where) ||
        is_other_half(follow, sources, id, where) ||
        is_beside_moved_line(follow, sources, id, where) ||
        is_in_unread_bracket(follow, sources, id, where) ||
        is_between_braces(follow, sources, id, where) ||
        is_below_component(follow, sources, id, where) ||
        (AMONG(id, DIAG_SYNTAX_NO_RESULT, DIAG_LAYOUT_BRACKET, DIAG_SYNTAX_ONE_PROCESS,
               DIAG_SYNTAX_ONE_COMPONENT) &&
         has_unread_line_below(follow, sources, where)) ||
        ((is_component || is_of_line(id) || is_option_among_choices(id, message)) &&
         follows_from_component(follow, sources, where, is_component))) {
        return true;
    }
    if (is_component) {
        array_push(arena, &follow->components, where);
    }
    bool is_misplaced =
        is_above_block || id == DIAG_LEXICAL_STRING_OPEN ||
        AMONG(id, DIAG_SYNTAX_IF_ELSE, DIAG_SYNTAX_ONE_PROCESS, DIAG_SYNTAX_ONE_COMPONENT) ||
        (AMONG(id, DIAG_SYNTAX_LOWER_CASE, DIAG_SYNTAX_FOREIGN_WORD) &&
         line_has_block_below(sources, where)) ||
        (is_of_line(id) && line_begins_with(sources, where, ":"));
    if (is_of_structure(id) || is_misplaced) {
        array_push(arena, &follow->structure, now);
    }
    if (was_said(follow, sources, now)) {
        return true;
    }
    array_push(arena, &follow->said, now);
    return false;
}
