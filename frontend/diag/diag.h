/* diag -- the only printer of the user's errors.
 *
 * Owns:   numbering by stable id, the excerpt with its marks, notes, hints, the limit, exit
 *         status.
 * Holds:  a diagnostic has one primary place; labels, notes and hints attach to the diagnostic
 *         reported last; it is printed when the next one is reported or diag_finish is called. The
 *         same id at the same place is reported once. Failure: the user's program is wrong:
 *         diag_report. The world failed: fatal. We are wrong: bug. */
#ifndef OCCC_DIAG_H
#define OCCC_DIAG_H

#include "source.h"

#include <stdbool.h>
#include <stdio.h>

/* RELAXABLE: an error that -Wno-error=name makes a warning (a rule, not a fault of form). */
/* REMARK: not a fault; shown only on request. */
typedef enum Severity {
    SEVERITY_ERROR,
    SEVERITY_WARNING,
    SEVERITY_RELAXABLE,
    SEVERITY_REMARK
} Severity;

typedef enum DiagId {
#define DIAG(ID, name, severity, message) DIAG_##ID,
#include "diag.def"
#undef DIAG
    DIAG_COUNT
} DiagId;

typedef struct Diag Diag;
typedef struct DiagSink DiagSink; /* diag_sink.h */

/* How diagnostics are written: for people on the stream, or for programs into a sink. */
typedef enum DiagFormat {
    DIAG_FORMAT_TEXT,
    DIAG_FORMAT_JSON,
    DIAG_FORMAT_SARIF_STDERR,
    DIAG_FORMAT_SARIF_FILE
} DiagFormat;

typedef struct DiagSettings {
    unsigned error_limit; /* 0: no limit */
    bool warnings_are_errors;
    bool no_warnings;
    bool has_parseable_fixits;
    int colour;     /* -1 by terminal, 0 never, 1 always */
    DiagSink *sink; /* NULL: text on the stream */
} DiagSettings;

Diag *diag_create(Arena *arena, const SourceMap *sources, FILE *stream, DiagSettings settings);
/* diag_set_warning -- -Wname, -Wno-name, -Werror=name, -Wno-error=name, -Rname. False: no such
 * name. */
bool diag_set_warning(Diag *diag, const char *option);

/* diag_report -- the message is the text of diag.def with the arguments filled in (printf). */
void diag_report(Diag *diag, DiagId id, Location where, ...);
/* Added to the diagnostic reported last: another place with words; a separate line; advice. */
void diag_label(Diag *diag, Location where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_note(Diag *diag, Location where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_hint(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* diag_primary_label -- words beside the primary mark. */
void diag_primary_label(Diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* diag_fixit -- a replacement for `where` that would mend it (empty span: insert). */
void diag_fixit(Diag *diag, Location where, const char *replacement);
/* diag_fixit_margin -- indent the line of `where` by so many blanks instead, and with it the deeper
 * lines below; `with_siblings`: also those at its own depth. */
void diag_fixit_margin(Diag *diag, Location where, uint32_t blanks, bool with_siblings);

void diag_finish(Diag *diag);
unsigned diag_error_count(const Diag *diag);
unsigned diag_warning_count(const Diag *diag);
/* diag_settle -- the last message is complete: labels and hints that follow are dropped. */
void diag_settle(Diag *diag);
/* diag_form_is_wrong -- is part of the text malformed, so that it could not be read? */
bool diag_form_is_wrong(const Diag *diag);
/* diag_limit_reached -- true once error_limit errors were printed: the pass should stop. */
bool diag_limit_reached(const Diag *diag);
const char *diag_name(DiagId id);
Severity diag_severity(DiagId id);
/* diag_id_of_name -- DIAG_COUNT when there is no such message. */
DiagId diag_id_of_name(const char *name);

/* fatal -- the world failed; a format ending in ':' appends the system's reason. Exit 1. */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* bug -- a broken invariant of the compiler. Exit 70 with what to report. */
_Noreturn void bug_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

#endif
