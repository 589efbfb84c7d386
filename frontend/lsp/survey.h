/* survey -- what a text means: its names, where each is used, and what the checks say of it.
 *
 * Owns:   the tables, and their form on the way from the process that made them.
 * Leaves: filling them to survey_walk.c, words about names to survey_words.c.
 * Holds:  a survey is one block of bytes without pointers; strings are offsets into its pool, where
 *         0 is the empty one. File n of the tables is files[n - 1]; file 1 is the text itself. A
 *         name is one definition, and is used by number. */
#ifndef OCCC_SURVEY_H
#define OCCC_SURVEY_H

#include "array.h"
#include "source.h"

typedef uint32_t SurveyText;
#define SURVEY_NONE UINT32_MAX

typedef enum NameKind {
    NAME_VARIABLE,
    NAME_CHANNEL,
    NAME_CONSTANT,
    NAME_REPLICATOR,
    NAME_PARAMETER,
    NAME_PROC,
    NAME_FUNCTION,
    NAME_PROTOCOL,
    NAME_TYPE,
    NAME_FIELD,
    NAME_TAG
} NameKind;

typedef enum UseRole {
    USE_DEFINITION,
    USE_READ,
    USE_WRITE,
    USE_INPUT, /* the process takes from the channel */
    USE_OUTPUT,
    USE_CALL,
    USE_TYPE
} UseRole;

typedef struct SurveyFile {
    SurveyText path;
    Location included_at; /* in another file of the table; file 0: nowhere */
} SurveyFile;

typedef struct SurveyName {
    SurveyText name;
    SurveyText signature; /* as it would be declared */
    SurveyText comment;   /* what stands above the definition */
    Location at;          /* the name in its definition; file 0: built in */
    uint32_t kind;        /* NameKind */
    uint32_t parent;      /* the definition that it is part of; SURVEY_NONE: none */
    uint32_t protocol;    /* of a channel: the name of its protocol; SURVEY_NONE: none */
    uint32_t start_line;  /* of the whole definition */
    uint32_t end_line;
    uint32_t scope_end_line; /* the last line where it is seen */
    uint32_t first_formal;   /* of a routine */
    uint32_t formal_count;
    uint32_t is_library;
} SurveyName;

typedef struct SurveyUse {
    Location at;
    uint32_t name;
    uint32_t role; /* UseRole */
} SurveyUse;

/* Words to be shown in the text that nobody wrote. */
typedef struct SurveyHint {
    uint32_t line;
    uint32_t column;
    SurveyText words;
} SurveyHint;

typedef struct SurveyCounts {
    uint32_t files;
    uint32_t names;
    uint32_t uses;
    uint32_t formals;
    uint32_t hints;
    uint32_t pool;
} SurveyCounts;

typedef struct Survey {
    SurveyCounts count;
    bool is_whole; /* all of the text could be read */
    const SurveyFile *files;
    const SurveyName *names;
    const SurveyUse *uses;     /* of the text itself, in order; then of the files it includes */
    const SurveyText *formals; /* as declared, of all routines */
    const SurveyHint *hints;
    const char *pool;
    SurveyText diagnostics; /* a JSON array of json_record (diag_json.h) */
} Survey;

static inline const char *survey_text(const Survey *survey, SurveyText text) {
    return survey->pool + text;
}

/* ---- making one ---- */

typedef struct SurveyBuilder {
    Arena *arena;
    ARRAY_OF(SurveyFile) files;
    ARRAY_OF(SurveyName) names;
    ARRAY_OF(SurveyUse) uses;
    ARRAY_OF(SurveyText) formals;
    ARRAY_OF(SurveyHint) hints;
    ARRAY_OF(char) pool;
    SurveyText diagnostics;
    bool is_whole;
} SurveyBuilder;

SurveyText survey_add_text(SurveyBuilder *builder, const char *text);
/* survey_write -- to a descriptor; false: it was not taken. */
bool survey_write(SurveyBuilder *builder, int descriptor);
/* survey_read -- from bytes that stay where they are; NULL: they are no whole survey. */
const Survey *survey_read(Arena *arena, const char *bytes, size_t length);

#endif
