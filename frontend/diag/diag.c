/* diag -- collects a diagnostic with its labels and notes, decides whether it is shown, counts.
 *
 * Owns:   the numbering, severities as the user set them, the limit, the set of what was reported.
 * Leaves: the look of a diagnostic to diag_print.c, consequences of other errors to diag_follow.c.
 * Holds:  `pending` is the diagnostic reported last; NULL when it is suppressed (switched off,
 *         reported before, or past the limit), and then its labels and notes are dropped too. */
#define _POSIX_C_SOURCE 200809L

#include "diag.h"

#include "diag_follow.h"
#include "diag_line.h"
#include "diag_print.h"
#include "diag_sink.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct DiagInfo {
    const char *name;
    Severity severity;
    const char *message;
} DiagInfo;

static const DiagInfo infos[] = {
#define DIAG(ID, name, severity, message) {name, SEVERITY_##severity, message},
#include "diag.def"
#undef DIAG
};

/* What -W options say of one id. */
typedef struct Choice {
    bool is_off;
    bool is_error;     /* -Werror=name */
    bool is_not_error; /* -Wno-error=name */
    bool is_wanted;    /* -Rname */
} Choice;

/* A slot of the set of what was reported; id is one more than the DiagId, 0 is empty. */
typedef struct Seen {
    uint32_t id;
    uint32_t file;
    uint32_t line;
    uint32_t column;
} Seen;

struct Diag {
    Arena *arena;
    const SourceMap *sources;
    FILE *stream;
    DiagSettings settings;
    bool is_coloured;
    Choice choices[DIAG_COUNT];
    DiagRecord *pending;
    Seen *seen;
    size_t seen_count;
    size_t seen_capacity; /* a power of two */
    bool form_is_wrong;
    DiagFollow follow;
    unsigned error_count;
    unsigned warning_count;
    unsigned summed_up; /* errors and warnings already in a printed summary */
};

static bool wants_colour(int colour, FILE *stream) {
    if (colour >= 0) {
        return colour > 0;
    }
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return !(no_colour && no_colour[0]) && terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(fileno(stream));
}

Diag *diag_create(Arena *arena, const SourceMap *sources, FILE *stream, DiagSettings settings) {
    Diag *diag = arena_new(arena, Diag);
    diag->arena = arena;
    diag->sources = sources;
    diag->stream = stream;
    diag->settings = settings;
    diag->is_coloured = wants_colour(settings.colour, stream);
    return diag;
}

const char *diag_name(DiagId id) {
    return infos[id].name;
}

Severity diag_severity(DiagId id) {
    return infos[id].severity;
}

DiagId diag_id_of_name(const char *name) {
    int id = 0;
    while (id < DIAG_COUNT && strcmp(infos[id].name, name) != 0) {
        id++;
    }
    return (DiagId)id;
}

/* ---- options ---- */

static bool starts_with(const char **text, const char *prefix) {
    size_t length = strlen(prefix);
    if (strncmp(*text, prefix, length) != 0) {
        return false;
    }
    *text += length;
    return true;
}

static bool set_remark(Diag *diag, const char *name) {
    DiagId id = diag_id_of_name(name);
    bool is_remark = id != DIAG_COUNT && infos[id].severity == SEVERITY_REMARK;
    if (is_remark) {
        diag->choices[id].is_wanted = true;
    }
    return is_remark;
}

bool diag_set_warning(Diag *diag, const char *option) {
    const char *name = option;
    if (starts_with(&name, "-R")) {
        return set_remark(diag, name);
    }
    starts_with(&name, "-W");
    bool is_no_error = starts_with(&name, "no-error=");
    bool is_error = !is_no_error && starts_with(&name, "error=");
    DiagId id = diag_id_of_name(name);
    bool is_off = false;
    if (id == DIAG_COUNT && !is_no_error && !is_error) {
        is_off = starts_with(&name, "no-");
        id = diag_id_of_name(name);
    }
    if (id == DIAG_COUNT || (infos[id].severity == SEVERITY_ERROR && (is_off || is_no_error))) {
        return false;
    }
    Choice *choice = &diag->choices[id];
    if (is_no_error || is_error) {
        choice->is_error = is_error;
        choice->is_not_error = is_no_error;
        choice->is_off = choice->is_off && !is_error;
    } else {
        choice->is_off = is_off;
    }
    return true;
}

static Severity effective_severity(const Diag *diag, DiagId id) {
    const Choice *choice = &diag->choices[id];
    switch (infos[id].severity) {
    case SEVERITY_ERROR: return SEVERITY_ERROR;
    case SEVERITY_RELAXABLE: return choice->is_not_error ? SEVERITY_WARNING : SEVERITY_ERROR;
    case SEVERITY_REMARK: return SEVERITY_REMARK;
    case SEVERITY_WARNING: break;
    }
    bool is_error =
        choice->is_error || (diag->settings.warnings_are_errors && !choice->is_not_error);
    return is_error ? SEVERITY_ERROR : SEVERITY_WARNING;
}

/* ---- what was reported before ---- */

static size_t seen_slot(const Seen *seen, size_t capacity, Seen entry) {
    uint32_t hash = entry.id * 2654435761u ^ entry.file * 40503u ^ entry.line * 2246822519u ^
                    entry.column * 3266489917u;
    size_t slot = hash & (capacity - 1);
    while (seen[slot].id && memcmp(&seen[slot], &entry, sizeof entry) != 0) {
        slot = (slot + 1) & (capacity - 1);
    }
    return slot;
}

static void seen_grow(Diag *diag) {
    size_t capacity = diag->seen_capacity ? diag->seen_capacity * 2 : 64;
    Seen *larger = arena_new_array(diag->arena, Seen, capacity);
    for (size_t i = 0; i < diag->seen_capacity; i++) {
        if (diag->seen[i].id) {
            larger[seen_slot(larger, capacity, diag->seen[i])] = diag->seen[i];
        }
    }
    diag->seen = larger;
    diag->seen_capacity = capacity;
}

static bool seen_add(Diag *diag, Seen entry) {
    if (diag->seen_count * 2 >= diag->seen_capacity) {
        seen_grow(diag);
    }
    size_t slot = seen_slot(diag->seen, diag->seen_capacity, entry);
    if (diag->seen[slot].id) {
        return true;
    }
    diag->seen[slot] = entry;
    diag->seen_count++;
    return false;
}

static bool said_before(Diag *diag, DiagId id, Location where) {
    Seen entry = {(uint32_t)id + 1, where.file, where.line, where.column};
    return location_is_known(where) && seen_add(diag, entry);
}

/* The id of an entry for a line that is malformed. */
#define FORM_OF_LINE ((uint32_t)DIAG_COUNT + 1)

static bool is_of_form(DiagId id) {
    const char *name = infos[id].name;
    return starts_with(&name, "lexical-") || starts_with(&name, "layout-") ||
           starts_with(&name, "syntax-");
}

/* Errors in a line that could not be read mostly follow from that: no pass reports any more of
 * them. */
static bool line_was_misread(Diag *diag, Location where) {
    if (!location_is_known(where) || diag->seen_count == 0) {
        return false;
    }
    Seen line = {FORM_OF_LINE, where.file, where.line, 0};
    return diag->seen[seen_slot(diag->seen, diag->seen_capacity, line)].id == FORM_OF_LINE;
}

/* ---- reporting ---- */

static void print_pending(Diag *diag) {
    const DiagRecord *record = diag->pending;
    diag->pending = NULL;
    if (record && diag->settings.sink) {
        diag_sink_take(diag->settings.sink, record, diag->sources);
    } else if (record) {
        diag_print(record, diag->sources, diag->stream, diag->is_coloured);
        if (diag->settings.has_parseable_fixits) {
            diag_print_fixits(record, diag->sources, diag->stream);
        }
    }
}

static const char *format_words(Arena *arena, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) {
        return format;
    }
    char *words = arena_allocate(arena, (size_t)length + 1);
    vsnprintf(words, (size_t)length + 1, format, arguments);
    return words;
}

static bool is_kept_back(Diag *diag, DiagId id, Severity severity, Location where) {
    if (diag_limit_reached(diag)) {
        return true;
    }
    bool is_warning = severity == SEVERITY_WARNING || infos[id].severity == SEVERITY_WARNING;
    if (is_warning && (diag->settings.no_warnings || diag->choices[id].is_off)) {
        return true; /* -Werror applies only to warnings that are on */
    }
    if (severity == SEVERITY_REMARK && !diag->choices[id].is_wanted) {
        return true;
    }
    return line_was_misread(diag, where) || said_before(diag, id, where);
}

void diag_report(Diag *diag, DiagId id, Location where, ...) {
    print_pending(diag);
    Severity severity = effective_severity(diag, id);
    if (is_kept_back(diag, id, severity, where)) {
        return;
    }
    va_list arguments;
    va_start(arguments, where);
    const char *message = format_words(diag->arena, infos[id].message, arguments);
    va_end(arguments);
    bool is_error = severity == SEVERITY_ERROR;
    if (is_error &&
        diag_follow_check(&diag->follow, diag->arena, diag->sources, id, where, message)) {
        return;
    }
    diag->form_is_wrong =
        diag->form_is_wrong || (is_error && is_of_form(id) && !diag_is_of_statement(id));
    if (is_error && is_of_form(id) && location_is_known(where)) {
        seen_add(diag, (Seen){FORM_OF_LINE, where.file, where.line, 0});
    }
    diag->error_count += is_error;
    diag->warning_count += severity == SEVERITY_WARNING;
    DiagRecord *record = arena_new(diag->arena, DiagRecord);
    record->severity = is_error ? "error" : severity == SEVERITY_WARNING ? "warning" : "note";
    record->is_error = is_error;
    record->id = id;
    record->name = infos[id].name;
    record->where = where;
    record->message = message;
    DiagMark primary = {where, "", true};
    array_push(diag->arena, &record->marks, primary);
    diag->pending = record;
}

void diag_label(Diag *diag, Location where, const char *format, ...) {
    if (!diag->pending) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    DiagMark mark = {where, format_words(diag->arena, format, arguments), false};
    va_end(arguments);
    array_push(diag->arena, &diag->pending->marks, mark);
}

void diag_primary_label(Diag *diag, const char *format, ...) {
    if (!diag->pending) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    diag->pending->marks.items[0].words = format_words(diag->arena, format, arguments);
    va_end(arguments);
}

void diag_note(Diag *diag, Location where, const char *format, ...) {
    if (!diag->pending) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    DiagLine line = {"note", where, format_words(diag->arena, format, arguments)};
    va_end(arguments);
    array_push(diag->arena, &diag->pending->lines, line);
}

void diag_hint(Diag *diag, const char *format, ...) {
    if (!diag->pending) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    DiagLine line = {"help", (Location){0}, format_words(diag->arena, format, arguments)};
    va_end(arguments);
    array_push(diag->arena, &diag->pending->lines, line);
}

void diag_fixit(Diag *diag, Location where, const char *replacement) {
    if (diag->pending) {
        DiagFixit fixit = {where, arena_format(diag->arena, "%s", replacement)};
        array_push(diag->arena, &diag->pending->fixits, fixit);
    }
}

enum { MAX_MOVED_LINES = 500 };

void diag_fixit_margin(Diag *diag, Location where, uint32_t blanks, bool with_siblings) {
    const SourceFile *file = source_file(diag->sources, where.file);
    int own = line_indent(diag->sources, where.file, where.line);
    for (uint32_t line = where.line; file && own >= 0 && line <= file->line_count; line++) {
        int indent = line_indent(diag->sources, where.file, line);
        bool is_below = line == where.line || indent > own || (with_siblings && indent == own);
        if (indent < 0) {
            continue; /* empty, or a comment, which may stand anywhere */
        }
        if (!is_below || line - where.line > MAX_MOVED_LINES) {
            return;
        }
        Location margin = {where.file, line, 1, line, (uint32_t)indent + 1};
        diag_fixit(diag, margin, arena_format(diag->arena, "%*s", indent - own + (int)blanks, ""));
    }
}

static const char *plural(unsigned count) {
    return count == 1 ? "" : "s";
}

void diag_finish(Diag *diag) {
    print_pending(diag);
    unsigned errors = diag->error_count;
    unsigned warnings = diag->warning_count;
    if (errors + warnings == diag->summed_up || diag->settings.sink) {
        return;
    }
    diag->summed_up = errors + warnings;
    if (diag_limit_reached(diag)) {
        fprintf(diag->stream, "too many errors, stopped after %u\n", errors);
    }
    if (errors) {
        fprintf(diag->stream, "%u error%s%s", errors, plural(errors), warnings ? ", " : "\n");
    }
    if (warnings) {
        fprintf(diag->stream, "%u warning%s\n", warnings, plural(warnings));
    }
    fflush(diag->stream);
}

unsigned diag_error_count(const Diag *diag) {
    return diag->error_count;
}

unsigned diag_warning_count(const Diag *diag) {
    return diag->warning_count;
}

void diag_settle(Diag *diag) {
    print_pending(diag);
}

bool diag_form_is_wrong(const Diag *diag) {
    return diag->form_is_wrong;
}

bool diag_limit_reached(const Diag *diag) {
    return diag->settings.error_limit && diag->error_count >= diag->settings.error_limit;
}

/* ---- fatal errors and bugs ---- */

void fatal(const char *format, ...) {
    const char *reason = strerror(errno);
    fputs("occc: ", stderr);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    size_t length = strlen(format);
    if (length && format[length - 1] == ':') {
        fprintf(stderr, " %s", reason);
    }
    fputc('\n', stderr);
    exit(1);
}

void bug_at(const char *file, int line, const char *format, ...) {
    fprintf(stderr, "occc: internal error at %s:%d: ", file, line);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\nThis is a fault of the compiler, not of your program. Please report it with the "
          "program that shows it.\n",
          stderr);
    exit(70);
}
