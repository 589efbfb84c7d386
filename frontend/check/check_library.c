/* check_library -- which directive brings a name that is not declared, if the library has it.
 *
 * Owns:   the list of the library's files, and what in their texts defines a name.
 * Leaves: finding the files to source_map; every other guess to check_suggest.c.
 * Holds:  looks only when there is an error to explain; a test tries a name of every file. */
#include "checker.h"

#include <string.h>

/* The files of the library, in the order of search, and what brings them. */
static const struct {
    const char *file;
    const char *directive;
} library[] = {
    {"course.utils.occ", "#INCLUDE \"course.module\""},
    {"course.string.occ", "#INCLUDE \"course.module\""},
    {"course.input.occ", "#INCLUDE \"course.module\""},
    {"course.float_io.occ", "#INCLUDE \"course.module\""},
    {"course.stringbuf.occ", "#INCLUDE \"course.module\""},
    {"course.file_in.occ", "#INCLUDE \"course.module\""},
    {"course.demo_cycles.occ", "#INCLUDE \"course.module\""},
    {"course.demo_nets.occ", "#INCLUDE \"course.module\""},
    {"consts.inc", "#INCLUDE \"course.module\""},
    {"course.random.occ", "#USE \"random\""},
    {"course.time.occ", "#USE \"time\""},
    {"egg_timer.occ", "#USE \"timers\""},
    {"repeat_timer.occ", "#USE \"timers\""},
    {"date_timer.occ", "#USE \"timers\""},
    {"course.shared_screen.occ", "#USE \"shared_screen\""},
    {"shared_screen.inc", "#USE \"shared_screen\""},
    {"semaphore.inc", "#INCLUDE \"sync.module\""},
    {"condition.inc", "#INCLUDE \"sync.module\""},
    {"ticket.inc", "#INCLUDE \"sync.module\""},
    {"bucket.inc", "#INCLUDE \"sync.module\""},
    {"crew.inc", "#INCLUDE \"sync.module\""},
    {"course.file.occ", "#INCLUDE \"file.module\""},
    {"filelib.inc", "#INCLUDE \"file.module\""},
    {"course.proc.occ", "#INCLUDE \"proc.module\""},
    {"course.convert.occ", "#INCLUDE \"convert.module\""},
    {"course.reals.occ", "#INCLUDE \"convert.module\""},
    {"course.maths.occ", "#INCLUDE \"maths.module\""},
    {"mathvals.inc", "#INCLUDE \"mathvals.inc\""},
    {"inmos.string.occ", "#INCLUDE \"string.module\""},
    {"course.useful.occ", "#INCLUDE \"useful.module\""},
    {"course.matrix.occ", "#INCLUDE \"useful.module\""},
    {"course.lexer.occ", "#INCLUDE \"useful.module\""},
    {"hostio.inc", "#INCLUDE \"hostio.inc\""},
    {"hostio.packet.occ", "#INCLUDE \"hostio.module\""},
    {"hostio.files.occ", "#INCLUDE \"hostio.module\""},
    {"hostio.host.occ", "#INCLUDE \"hostio.module\""},
    {"hostio.screen.occ", "#INCLUDE \"hostio.module\""},
    {"hostio.keys.occ", "#INCLUDE \"hostio.module\""},
    {"hostio.mux.occ", "#INCLUDE \"hostio.module\""},
    {"hostio.sp.occ", "#INCLUDE \"hostio.module\""},
    {"streamio.inc", "#INCLUDE \"streamio.inc\""},
    {"streamio.keys.occ", "#INCLUDE \"streamio.module\""},
    {"streamio.screen.occ", "#INCLUDE \"streamio.module\""},
    {"streamio.host.occ", "#INCLUDE \"streamio.module\""},
    {"net.inc", "#INCLUDE \"net.module\""},
    {"netlib.occ", "#INCLUDE \"net.module\""},
    {"http.inc", "#INCLUDE \"http.module\""},
    {"httplib.occ", "#INCLUDE \"http.module\""},
    {"tls.inc", "#INCLUDE \"tls.module\""},
    {"tlslib.occ", "#INCLUDE \"tls.module\""},
    {"httpfile.occ", "#INCLUDE \"http.module\""},
    {"httpget.occ", "#INCLUDE \"http.module\""},
    {"hashlib.occ", "#INCLUDE \"hash.module\""},
    {"hashtext.occ", "#INCLUDE \"hash.module\""},
    {"base64lib.occ", "#INCLUDE \"base64.module\""},
    {"siglib.occ", "#INCLUDE \"signal.module\""},
    {"textlib.occ", "#INCLUDE \"text.module\""},
    {"textnumbers.occ", "#INCLUDE \"text.module\""},
    {"utf8lib.occ", "#INCLUDE \"text.module\""},
    {"map.inc", "#INCLUDE \"map.module\""},
    {"maplib.occ", "#INCLUDE \"map.module\""},
    {"sortlib.occ", "#INCLUDE \"sort.module\""},
    {"parallel.inc", "#INCLUDE \"parallel.module\""},
    {"parallellib.occ", "#INCLUDE \"parallel.module\""},
    {"parallelgrid.occ", "#INCLUDE \"parallel.module\""},
    {"parallelflow.occ", "#INCLUDE \"parallel.module\""},
    {"argslib.occ", "#INCLUDE \"args.module\""},
    {"loglib.occ", "#INCLUDE \"log.module\""},
    {"terminallib.occ", "#INCLUDE \"terminal.module\""},
    {"filestreams.occ", "#INCLUDE \"file.module\""},
    {"filefield.occ", "#INCLUDE \"file.module\""},
    {"filecopy.occ", "#INCLUDE \"file.module\""},
    {"processlib.occ", "#INCLUDE \"process.module\""},
    {"sortorders.occ", "#INCLUDE \"sort.module\""},
    {"xlink.occ", "#INCLUDE \"xlink.module\""},
    {"debug.occ", "#INCLUDE \"debug.module\""},
    {"filealtable.occ", "#INCLUDE \"file.module\""},
    {"procfield.occ", "#INCLUDE \"proc.module\""},
    {"sock.inc", "#INCLUDE \"sock.module\""},
    {"socklib.occ", "#INCLUDE \"sock.module\""},
    {"sockwait.occ", "#INCLUDE \"sock.module\""},
    {"sockaltable.occ", "#INCLUDE \"sock.module\""},
    {"websocket.inc", "#INCLUDE \"http.module\""},
    {"websocketlib.occ", "#INCLUDE \"http.module\""},
    {"httpfield.occ", "#INCLUDE \"http.module\""},
    {"json.inc", "#INCLUDE \"json.module\""},
    {"jsonlib.occ", "#INCLUDE \"json.module\""},
    {"jsonpath.occ", "#INCLUDE \"json.module\""},
    {"jsonform.occ", "#INCLUDE \"json.module\""},
    {"assert.inc", "#INCLUDE \"assert.module\""},
    {"linkaddr.inc", "#INCLUDE \"linkaddr.inc\""},
};

/* What stands before and behind a name where it is defined: of routines and types, and of
 * constants, which are for users in the .inc files only. */
static const char *const definitions[][2] = {
    {"PROC ", " ("},      {"PROC occ.", " ("},    {"PROC occ.at.", " ("}, {"FUNCTION ", " ("},
    {"DATA TYPE ", "\n"}, {"DATA TYPE ", " IS "}, {"PROTOCOL ", "\n"},
};
static const char *const constants[][2] = {
    {"VAL BYTE ", " IS "},   {"VAL INT ", " IS "},         {"VAL INT32 ", " IS "},
    {"VAL REAL32 ", " IS "}, {"VAL REAL64 ", " IS "},      {"VAL REAL32 ", " RETYPES "},
    {"VAL COLOUR ", " IS "}, {"VAL REAL64 ", " RETYPES "},
};

/* A line of the text begins, or goes on after a type, with the definition. */
static bool defines(const char *text, const char *definition) {
    const char *found = strstr(text, definition);
    while (found) {
        const char *start = found;
        while (start > text && start[-1] != '\n') {
            start--;
        }
        if (start[0] != ' ' && start[0] != '-') {
            return true;
        }
        found = strstr(found + 1, definition);
    }
    return false;
}

static const char *text_of(Checker *checker, const char *file) {
    SourceMap *sources = source_map_create(checker->arena);
    const SourceMap *known = checker->compiler->sources;
    for (size_t i = 0; source_search_directory(known, i); i++) {
        source_add_search_directory(sources, source_search_directory(known, i));
    }
    const char *path = source_find(sources, file, (Location){0});
    const SourceFile *text = path ? source_open(sources, path, (Location){0}) : NULL;
    return text ? text->bytes : NULL;
}

static bool defines_one(Checker *checker, const char *text, const char *name,
                        const char *const (*forms)[2], size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (defines(text, arena_format(checker->arena, "%s%s%s", forms[i][0], name, forms[i][1]))) {
            return true;
        }
    }
    return false;
}

static bool file_defines(Checker *checker, const char *file, const char *name) {
    const char *text = text_of(checker, file);
    if (!text || !strstr(text, name)) {
        return false;
    }
    return defines_one(checker, text, name, definitions,
                       sizeof definitions / sizeof *definitions) ||
           (strstr(file, ".inc") &&
            defines_one(checker, text, name, constants, sizeof constants / sizeof *constants));
}

bool check_suggest_library(Checker *checker, const Text *name) {
    for (size_t i = 0; i < sizeof library / sizeof library[0]; i++) {
        if (file_defines(checker, library[i].file, name->bytes)) {
            diag_hint(checker->diag, "it is in the library: write %s at the head of the file",
                      library[i].directive);
            return true;
        }
    }
    return false;
}
