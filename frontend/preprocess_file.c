/* preprocess_file -- #INCLUDE, #USE and #PRAGMA.
 *
 * Owns:  where an included file and a unit are looked for. A unit is source: `#USE "x"` finds
 *        x.occ, x.module or x; the suffixes .lib and .tce of separately compiled units are dropped.
 * Holds: a unit used at the left margin is read once in a compilation; in a deeper scope it is
 *        read again, because its first reading may have gone out of scope. */
#include "preprocess_stack.h"

#include <errno.h>
#include <string.h>

enum { MAX_INCLUDE_DEPTH = 64 };

/* The name between quotes; NULL, with a message, when there is none. *used: what it takes up. */
static const char *quoted_name(Preprocessor *preprocessor, const DirectiveLine *line,
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

static Location name_location(const DirectiveLine *line, size_t used) {
    Location at = line->rest_at;
    at.end_column = at.column + (uint32_t)used;
    return at;
}

static bool is_open(const Preprocessor *preprocessor, const char *path) {
    for (size_t i = 0; i < preprocessor->frames.count; i++) {
        if (strcmp(preprocessor->frames.items[i]->file->path, path) == 0) {
            return true;
        }
    }
    return false;
}

/* The directories where a file named in `from` is looked for, as words of a hint. */
static const char *searched_places(Preprocessor *preprocessor, Location from) {
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

static void open_file(Preprocessor *preprocessor, const DirectiveLine *line, const char *path,
                      Location at) {
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
    preprocess_push(preprocessor, file, line->token->indent);
}

void preprocess_include(Preprocessor *preprocessor, const DirectiveLine *line) {
    size_t used = 0;
    const char *name = quoted_name(preprocessor, line, &used);
    if (!name) {
        return;
    }
    Location at = name_location(line, used);
    const char *path = source_find(preprocessor->sources, name, line->token->at);
    if (!path) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_NO_FILE, at, name);
        diag_note(preprocessor->lexing.diag, (Location){0}, "looked in %s",
                  searched_places(preprocessor, at));
        diag_hint(preprocessor->lexing.diag, "-I directory adds a place to look in");
    } else if (is_open(preprocessor, path)) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_SELF, at, name);
    } else {
        directive_check_end(preprocessor, line, used);
        open_file(preprocessor, line, path, at);
    }
}

/* ---- units ---- */

static const char *unit_stem(Arena *arena, const char *name) {
    static const char *const suffixes[] = {".lib", ".tce", ".occ", ".module"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t suffix = strlen(suffixes[i]);
        if (length > suffix && strcmp(name + length - suffix, suffixes[i]) == 0) {
            return arena_format(arena, "%.*s", (int)(length - suffix), name);
        }
    }
    return name;
}

/* The path of a unit's source. *is_open_now: it was found, but is being read: a module that uses
 * the library it stands for. */
static const char *find_unit(Preprocessor *preprocessor, const char *name, Location from,
                             bool *is_open_now) {
    static const char *const suffixes[] = {".occ", ".module", ""};
    const char *stem = unit_stem(preprocessor->lexing.arena, name);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const char *path =
            source_find(preprocessor->sources,
                        arena_format(preprocessor->lexing.arena, "%s%s", stem, suffixes[i]), from);
        if (path && !is_open(preprocessor, path)) {
            return path;
        }
        *is_open_now = *is_open_now || path;
    }
    return NULL;
}

static bool is_used(const Preprocessor *preprocessor, const char *path) {
    for (size_t i = 0; i < preprocessor->used.count; i++) {
        if (strcmp(preprocessor->used.items[i], path) == 0) {
            return true;
        }
    }
    return false;
}

void preprocess_use(Preprocessor *preprocessor, const DirectiveLine *line) {
    size_t used = 0;
    const char *name = quoted_name(preprocessor, line, &used);
    if (!name) {
        return;
    }
    Location at = name_location(line, used);
    bool is_open_now = false;
    const char *path = find_unit(preprocessor, name, line->token->at, &is_open_now);
    if (path) {
        directive_check_end(preprocessor, line, used);
        if (is_used(preprocessor, path)) {
            return;
        }
        if (line->token->indent == 0) {
            array_push(preprocessor->lexing.arena, &preprocessor->used, path);
        }
        open_file(preprocessor, line, path, at);
    } else if (!is_open_now) {
        const char *stem = unit_stem(preprocessor->lexing.arena, name);
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_NO_UNIT, at, name);
        diag_note(preprocessor->lexing.diag, (Location){0},
                  "looked for %s.occ, %s.module and %s in %s", stem, stem, stem,
                  searched_places(preprocessor, at));
        diag_hint(preprocessor->lexing.diag, "-I directory adds a place to look in");
    }
}

/* ---- pragmas ---- */

static bool is_known_pragma(const char *word, size_t length) {
    static const char *const known[] = {
        "EXTERNAL", "DEXTERNAL",   "EXPORT",        "TRANSLATE",      "LINKAGE",
        "COMMENT",  "SHARED",      "PERMITALIASES", "DEFINED",        "UNDEFINED",
        "HARDWARE", "NESTEDTIMER", "NESTEDPLACE",   "NESTEDPORT",     "BADLYBEHAVED",
        "IOSPACE",  "DYNCALL",     "FORMALMODEL",   "ASSUMECONSTANT", "FMTYPES"};
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

/* DEFINED, UNDEFINED and COMMENT say nothing to us and may stand where no specification may. */
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
    token->kind = TOKEN_PRAGMA;
    token->text = text_intern(preprocessor->lexing.texts, line->rest, line->rest_length);
    return true;
}

/* #OPTION "AN" becomes the pragma OPTION "AN", for the checks it turns off. */
bool preprocess_option(Preprocessor *preprocessor, const DirectiveLine *line, Token *token) {
    size_t used = 0;
    if (!quoted_name(preprocessor, line, &used)) {
        return false;
    }
    token->kind = TOKEN_PRAGMA;
    const char *text =
        arena_format(preprocessor->lexing.arena, "OPTION %.*s", (int)line->rest_length, line->rest);
    token->text = text_intern_string(preprocessor->lexing.texts, text);
    return true;
}
