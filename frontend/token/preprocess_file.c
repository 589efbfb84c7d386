/* preprocess_file -- #INCLUDE and #PRAGMA.
 *
 * Owns:   where an included file is looked for.
 * Leaves: units to preprocess_use.c. */
#include "preprocess_stack.h"

#include <errno.h>
#include <string.h>

enum { MAX_INCLUDE_DEPTH = 64 };

const char *directive_quoted_name(Preprocessor *preprocessor, const DirectiveLine *line,
                                  size_t *used) {
    const char *rest = line->rest;
    const char *close = NULL;
    if (line->rest_length > 1 && rest[0] == '"') {
        close = memchr(rest + 1, '"', line->rest_length - 1);
    }
    if (!close || close == rest + 1) {
        directive_needs(preprocessor, line, "a file name in double quotes");
        return NULL;
    }
    *used = (size_t)(close - rest) + 1;
    return arena_format(preprocessor->lexing.arena, "%.*s", (int)(close - rest - 1), rest + 1);
}

Location directive_name_location(const DirectiveLine *line, size_t used) {
    Location at = line->rest_at;
    at.end_column = at.column + (uint32_t)used;
    return at;
}

bool preprocess_is_open(const Preprocessor *preprocessor, const char *path) {
    for (size_t i = 0; i < preprocessor->frames.count; i++) {
        if (strcmp(preprocessor->frames.items[i]->file->path, path) == 0) {
            return true;
        }
    }
    return false;
}

/* The directories in which a file named in `from` is searched for, as words of a hint. */
const char *preprocess_searched_places(Preprocessor *preprocessor, Location from) {
    StringBuilder places = {.arena = preprocessor->lexing.arena};
    const SourceFile *file = source_file(preprocessor->sources, from.file);
    const char *slash = file ? strrchr(file->path, '/') : NULL;
    if (slash) {
        string_append(&places, file->path, (size_t)(slash - file->path) + 1);
    } else {
        string_append_format(&places, "the current directory");
    }
    const char *directory = NULL;
    for (size_t i = 0; (directory = source_search_directory(preprocessor->sources, i)); i++) {
        string_append_format(&places, ", %s", directory);
    }
    return places.bytes;
}

UsedUnit *preprocess_unit(const Preprocessor *preprocessor) {
    size_t count = preprocessor->frames.count;
    return count ? preprocessor->frames.items[count - 1]->file->unit : NULL;
}

void preprocess_open(Preprocessor *preprocessor, const DirectiveLine *line, const char *path,
                     Location at, UsedUnit *unit) {
    if (preprocessor->frames.count >= MAX_INCLUDE_DEPTH) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_DEPTH, at,
                    (unsigned)MAX_INCLUDE_DEPTH);
        return;
    }
    SourceFile *file = source_open(preprocessor->sources, path, line->token->at);
    if (!file) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_UNREADABLE, at, path,
                    strerror(errno));
        return;
    }
    file->unit = unit;
    preprocess_push(preprocessor, file, line->token->indent);
}

void preprocess_include(Preprocessor *preprocessor, const DirectiveLine *line) {
    size_t used = 0;
    const char *name = directive_quoted_name(preprocessor, line, &used);
    if (!name) {
        preprocessor->compiler->has_missing_names = true;
        return;
    }
    Location at = directive_name_location(line, used);
    const char *path = source_find(preprocessor->sources, name, line->token->at);
    if (!path) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_NO_FILE, at, name);
        preprocessor->compiler->has_missing_names = true;
        diag_note(preprocessor->lexing.diag, (Location){0}, "looked in %s",
                  preprocess_searched_places(preprocessor, at));
        preprocess_hint_file(preprocessor, name, false, at);
    } else if (preprocess_is_open(preprocessor, path)) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_SELF, at, name);
    } else {
        directive_check_end(preprocessor, line, used);
        preprocess_open(preprocessor, line, path, at, preprocess_unit(preprocessor));
    }
}

/* ---- pragmas ---- */

static bool is_known_pragma(const char *word, size_t length) {
    static const char *const known[] = {
        "EXTERNAL",       "DEXTERNAL",     "EXPORT",       "TRANSLATE", "LINKAGE",   "COMMENT",
        "SHARED",         "PERMITALIASES", "DEFINED",      "UNDEFINED", "HARDWARE",  "NESTEDTIMER",
        "NESTEDPLACE",    "NESTEDPORT",    "BADLYBEHAVED", "IOSPACE",   "DYNCALL",   "FORMALMODEL",
        "ASSUMECONSTANT", "FMTYPES",       "LINK",         "CALLER",    "INVARIANT", "SERVER"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i]) == length && memcmp(known[i], word, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool word_is(const DirectiveLine *line, size_t length, const char *word) {
    return strlen(word) == length && memcmp(line->rest, word, length) == 0;
}

/* DEFINED, UNDEFINED and COMMENT have no effect and are allowed where no specification is. */
bool preprocess_pragma(Preprocessor *preprocessor, const DirectiveLine *line, Token *token) {
    size_t length = 0;
    while (length < line->rest_length && !strchr(" \t\r\"", line->rest[length])) {
        length++;
    }
    if (length == 0) {
        directive_needs(preprocessor, line, "the name of a pragma");
        return false;
    }
    if (!is_known_pragma(line->rest, length)) {
        diag_report(preprocessor->lexing.diag, DIAG_PRAGMA_UNKNOWN, line->rest_at,
                    arena_format(preprocessor->lexing.arena, "%.*s", (int)length, line->rest));
        return false;
    }
    if (word_is(line, length, "DEFINED") || word_is(line, length, "UNDEFINED") ||
        word_is(line, length, "COMMENT")) {
        return false;
    }
    if (word_is(line, length, "EXTERNAL") || word_is(line, length, "DEXTERNAL")) {
        preprocess_external(preprocessor, line, length);
        return false;
    }
    if (word_is(line, length, "TRANSLATE")) {
        preprocess_translate(preprocessor, line, length);
        return false;
    }
    if (word_is(line, length, "LINK")) {
        preprocess_link(preprocessor, line, length);
        return false;
    }
    token->kind = TOKEN_PRAGMA;
    token->text = text_intern(preprocessor->lexing.texts, line->rest, line->rest_length);
    return true;
}

/* #OPTION "AN" becomes the pragma OPTION "AN", for the checks it turns off. */
bool preprocess_option(Preprocessor *preprocessor, const DirectiveLine *line, Token *token) {
    size_t used = 0;
    if (!directive_quoted_name(preprocessor, line, &used)) {
        return false;
    }
    token->kind = TOKEN_PRAGMA;
    const char *text =
        arena_format(preprocessor->lexing.arena, "OPTION %.*s", (int)line->rest_length, line->rest);
    token->text = text_intern_string(preprocessor->lexing.texts, text);
    return true;
}

/* #BODY in an interface stands where the code of a routine would. */
bool preprocess_body(Preprocessor *preprocessor, const DirectiveLine *line, Token *token) {
    token->kind = TOKEN_BODY;
    token->text = text_intern(preprocessor->lexing.texts, line->rest, line->rest_length);
    return true;
}

/* #FROM in an interface: what follows came by #INCLUDE from that file; alone: from the unit's. */
void preprocess_from(Preprocessor *preprocessor, const DirectiveLine *line) {
    size_t count = preprocessor->frames.count;
    SourceFile *file = (SourceFile *)preprocessor->frames.items[count - 1]->file;
    SourceOrigin *origin = arena_new(preprocessor->lexing.arena, SourceOrigin);
    origin->line = line->token->at.line;
    origin->before = file->origins;
    if (line->rest_length > 2) {
        origin->name = arena_format(preprocessor->lexing.arena, "%.*s", (int)line->rest_length - 2,
                                    line->rest + 1);
    }
    file->origins = origin;
}
