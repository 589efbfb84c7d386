/* preprocess_stack -- what preprocess.c and preprocess_file.c share; nobody else includes it. */
#ifndef OCCC_PREPROCESS_STACK_H
#define OCCC_PREPROCESS_STACK_H

#include "array.h"
#include "condition.h"
#include "preprocess.h"
#include "unit.h"

typedef struct Conditional {
    Location at;
    bool is_outer_active;
    bool is_active;
    bool was_taken;
    bool has_else;
    int32_t relaxed_columns;
} Conditional;

/* An open file. */
typedef struct Frame {
    const SourceFile *file;
    Lexer *lexer;
    ARRAY_OF(Conditional) conditionals;
} Frame;

/* #PRAGMA TRANSLATE name "symbol" */
typedef struct Translation {
    const Text *name;
    const char *symbol;
} Translation;

struct Preprocessor {
    LexerContext lexing;
    Compiler *compiler;
    SourceMap *sources;
    DefineTable *defines;
    size_t first_define; /* of those that come from the texts */
    ARRAY_OF(Frame *) frames;
    UnitTable *units;
    ARRAY_OF(const char *) used; /* paths of sources of units used at the outermost level */
    ARRAY_OF(Translation) translations;
    Location end; /* of the file that ended last */
    bool is_quiet;
};

/* A directive taken apart: #word rest. */
typedef struct DirectiveLine {
    const Token *token;
    const char *word;
    const char *rest; /* points into the token's text */
    size_t rest_length;
    Location rest_at;
} DirectiveLine;

/* directive_check_end -- warn about text after the first `used` characters of the rest. */
void directive_check_end(Preprocessor *preprocessor, const DirectiveLine *line, size_t used);
void directive_needs(Preprocessor *preprocessor, const DirectiveLine *line, const char *what);

void preprocess_push(Preprocessor *preprocessor, const SourceFile *file, int32_t indent);
/* preprocess_open -- read this file next, as part of `unit`. */
void preprocess_open(Preprocessor *preprocessor, const DirectiveLine *line, const char *path,
                     Location at, UsedUnit *unit);
/* directive_quoted_name -- the name between quotes; NULL, with a message, when there is none.
 * *used: its length with the quotes. */
const char *directive_quoted_name(Preprocessor *preprocessor, const DirectiveLine *line,
                                  size_t *used);
Location directive_name_location(const DirectiveLine *line, size_t used);
bool preprocess_is_open(const Preprocessor *preprocessor, const char *path);
/* preprocess_unit -- the unit of the file being read; NULL: the one being compiled. */
UsedUnit *preprocess_unit(const Preprocessor *preprocessor);
const char *preprocess_searched_places(Preprocessor *preprocessor, Location from);
/* preprocess_stem -- the name of a unit without a suffix that #USE knows. */
const char *preprocess_stem(Arena *arena, const char *name);
/* preprocess_hint_file -- name the file, or unit, with a name like the one that is not found. */
void preprocess_hint_file(Preprocessor *preprocessor, const char *name, bool is_unit, Location at);

void preprocess_include(Preprocessor *preprocessor, const DirectiveLine *line);
void preprocess_use(Preprocessor *preprocessor, const DirectiveLine *line);
/* The rest of these: true when *token, changed to PRAGMA, is to be passed on. */
bool preprocess_pragma(Preprocessor *preprocessor, const DirectiveLine *line, Token *token);
/* preprocess_external, preprocess_translate, preprocess_link -- what follows the word EXTERNAL,
 * TRANSLATE, LINK. */
void preprocess_external(Preprocessor *preprocessor, const DirectiveLine *line, size_t word);
void preprocess_translate(Preprocessor *preprocessor, const DirectiveLine *line, size_t word);
void preprocess_link(Preprocessor *preprocessor, const DirectiveLine *line, size_t word);
/* preprocess_from -- #FROM "file" or #FROM alone in an interface. */
void preprocess_from(Preprocessor *preprocessor, const DirectiveLine *line);
bool preprocess_body(Preprocessor *preprocessor, const DirectiveLine *line, Token *token);
bool preprocess_option(Preprocessor *preprocessor, const DirectiveLine *line, Token *token);

#endif
