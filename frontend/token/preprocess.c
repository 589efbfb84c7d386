/* preprocess -- the stack of files and the conditional directives; what #INCLUDE, #USE and
 * #PRAGMA do is in preprocess_file.c.
 *
 * Holds: each open file has its own list of open #IFs; a file must close what it opens. */
#include "preprocess_stack.h"

#include <string.h>

/* ---- the text of a directive ---- */

static size_t directive_trim(const char *text, size_t length) {
    bool is_quoted = false;
    size_t end = 0;
    while (end < length) {
        if (is_quoted && text[end] == '*' && end + 1 < length) {
            end++;
        } else if (text[end] == '"') {
            is_quoted = !is_quoted;
        } else if (!is_quoted && end + 1 < length && text[end] == '-' && text[end + 1] == '-') {
            break;
        }
        end++;
    }
    end = end > length ? length : end;
    while (end > 0 && strchr(" \t\r", text[end - 1])) {
        end--;
    }
    return end;
}

/* The rest of a directive after its word, without the comment and outer blanks. */
static DirectiveLine directive_split(Preprocessor *preprocessor, const Token *token) {
    const char *text = token->text->bytes;
    size_t length = token->text->length;
    size_t start = strspn(text, " \t\r");
    size_t end = start;
    while (end < length && !strchr(" \t\r(\"-", text[end])) {
        end++;
    }
    DirectiveLine line = {.token = token};
    line.word = arena_format(preprocessor->lexing.arena, "%.*s", (int)(end - start), text + start);
    end += strspn(text + end, " \t\r");
    line.rest = text + end;
    line.rest_length = directive_trim(line.rest, length - end);
    line.rest_at = token->at;
    line.rest_at.column += (uint32_t)end + 1; /* the # is not part of text */
    line.rest_at.end_column = line.rest_at.column + (uint32_t)line.rest_length;
    return line;
}

void directive_check_end(Preprocessor *preprocessor, const DirectiveLine *line, size_t used) {
    size_t blanks = strspn(line->rest + used, " \t\r");
    if (used + blanks < line->rest_length) {
        Location at = line->rest_at;
        at.column += (uint32_t)(used + blanks);
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_EXTRA, at, line->word);
    }
}

void directive_needs(Preprocessor *preprocessor, const DirectiveLine *line, const char *what) {
    diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_FORM, line->token->at, line->word, what);
}

/* ---- #IF and its relatives ---- */

static Conditional *innermost(Frame *frame) {
    return frame->conditionals.count ? &frame->conditionals.items[frame->conditionals.count - 1]
                                     : NULL;
}

static bool is_active(const Frame *frame) {
    size_t count = frame->conditionals.count;
    return count == 0 || frame->conditionals.items[count - 1].is_active;
}

static bool evaluate(Preprocessor *preprocessor, const DirectiveLine *line) {
    if (line->rest_length == 0) {
        directive_needs(preprocessor, line, "a condition");
        return false;
    }
    ConditionContext context = {preprocessor->lexing.texts, preprocessor->lexing.diag,
                                preprocessor->defines};
    return condition_evaluate(&context, line->rest, line->rest_length, line->rest_at);
}

static void begin_if(Preprocessor *preprocessor, Frame *frame, const DirectiveLine *line) {
    Conditional conditional = {.at = line->token->at, .is_outer_active = is_active(frame)};
    conditional.is_active = conditional.is_outer_active && evaluate(preprocessor, line);
    conditional.was_taken = conditional.is_active;
    array_push(preprocessor->lexing.arena, &frame->conditionals, conditional);
}

/* #ELIF, #ELSE and #ENDIF end a branch, and with it the effect of #RELAX in it. */
static Conditional *end_branch(Preprocessor *preprocessor, Frame *frame,
                               const DirectiveLine *line) {
    Conditional *conditional = innermost(frame);
    if (!conditional) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_NO_IF, line->token->at, line->word);
        return NULL;
    }
    lexer_shift(frame->lexer, conditional->relaxed_columns);
    conditional->relaxed_columns = 0;
    if (conditional->has_else && strcmp(line->word, "ENDIF") != 0) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_AFTER_ELSE, line->token->at,
                    line->word);
        diag_label(preprocessor->lexing.diag, conditional->at, "the #IF");
    }
    return conditional;
}

static void do_elif(Preprocessor *preprocessor, Frame *frame, const DirectiveLine *line) {
    Conditional *conditional = end_branch(preprocessor, frame, line);
    if (conditional) {
        bool may_take = conditional->is_outer_active && !conditional->was_taken;
        conditional->is_active = may_take && evaluate(preprocessor, line);
        conditional->was_taken = conditional->was_taken || conditional->is_active;
    }
}

static void do_else(Preprocessor *preprocessor, Frame *frame, const DirectiveLine *line) {
    Conditional *conditional = end_branch(preprocessor, frame, line);
    if (conditional) {
        conditional->is_active = conditional->is_outer_active && !conditional->was_taken;
        conditional->was_taken = true;
        conditional->has_else = true;
        directive_check_end(preprocessor, line, 0);
    }
}

static void do_endif(Preprocessor *preprocessor, Frame *frame, const DirectiveLine *line) {
    if (end_branch(preprocessor, frame, line)) {
        frame->conditionals.count--;
        directive_check_end(preprocessor, line, 0);
    }
}

static void do_relax(Preprocessor *preprocessor, Frame *frame, const DirectiveLine *line) {
    Conditional *conditional = innermost(frame);
    if (!conditional) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_NO_IF, line->token->at, line->word);
        return;
    }
    conditional->relaxed_columns += 2;
    lexer_shift(frame->lexer, -2);
}

/* True when the word was one of these. */
static bool do_conditional(Preprocessor *preprocessor, Frame *frame, const DirectiveLine *line) {
    if (strcmp(line->word, "IF") == 0) {
        begin_if(preprocessor, frame, line);
    } else if (strcmp(line->word, "ELIF") == 0) {
        do_elif(preprocessor, frame, line);
    } else if (strcmp(line->word, "ELSE") == 0) {
        do_else(preprocessor, frame, line);
    } else if (strcmp(line->word, "ENDIF") == 0) {
        do_endif(preprocessor, frame, line);
    } else {
        return false;
    }
    lexer_skip_lines(frame->lexer, !is_active(frame));
    return true;
}

/* ---- #DEFINE, #UNDEF and the messages ---- */

static const Text *define_name(Preprocessor *preprocessor, const DirectiveLine *line) {
    size_t length = 0;
    while (length < line->rest_length && !strchr(" \t\r", line->rest[length])) {
        length++;
    }
    if (length == 0) {
        directive_needs(preprocessor, line, "a name");
        return NULL;
    }
    return text_intern(preprocessor->lexing.texts, line->rest, length);
}

static void do_define(Preprocessor *preprocessor, const DirectiveLine *line) {
    const Text *name = define_name(preprocessor, line);
    if (!name) {
        return;
    }
    size_t start = name->length + strspn(line->rest + name->length, " \t\r");
    DefineValue value = {0};
    size_t length = start < line->rest_length ? line->rest_length - start : 0;
    if (!define_parse(preprocessor->lexing.texts, line->rest + start, length, &value)) {
        directive_needs(preprocessor, line, "a number, a string or nothing as its value");
        return;
    }
    const DefineValue *old = define_find(preprocessor->defines, name);
    if (old &&
        (old->kind != value.kind || old->number != value.number || old->string != value.string)) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_REDEFINED, line->rest_at,
                    name->bytes);
    }
    define_set(preprocessor->defines, name, value);
}

static void do_undef(Preprocessor *preprocessor, const DirectiveLine *line) {
    const Text *name = define_name(preprocessor, line);
    if (name) {
        define_remove(preprocessor->defines, name);
    }
}

static void do_message(Preprocessor *preprocessor, const DirectiveLine *line, DiagId id) {
    const char *text = line->rest;
    size_t length = line->rest_length;
    if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
        text++;
        length -= 2;
    }
    diag_report(preprocessor->lexing.diag, id, line->token->at,
                arena_format(preprocessor->lexing.arena, "%.*s", (int)length, text));
}

/* ---- dispatch ---- */

/* Is it "# words", with blanks after the mark? */
static bool is_apart(const Preprocessor *preprocessor, const DirectiveLine *line) {
    Location at = line->token->at;
    size_t length = 0;
    const char *text = source_line(preprocessor->compiler->sources, at.file, at.line, &length);
    return at.column < length && (text[at.column] == ' ' || text[at.column] == '#');
}

/* #define N 4: the name it would have declared is not reported as missing. */
static void note_defined(Preprocessor *preprocessor, const char *rest, size_t limit) {
    size_t length = 0;
    while (length < limit && text_is_of_name(rest[length])) {
        length++;
    }
    if (length > 0) {
        array_push(preprocessor->lexing.arena, &preprocessor->compiler->unread_names,
                   text_intern(preprocessor->lexing.texts, rest, length));
    }
}

/* #include <stdio.h> */
static bool is_include(const DirectiveLine *line) {
    return strcmp(line->word, "include") == 0 && line->rest_length > 0 && line->rest[0] == '<';
}

static void report_unknown(Preprocessor *preprocessor, const DirectiveLine *line) {
    static const char *const words[] = {"IF",     "ELIF",  "ELSE",    "ENDIF",  "DEFINE", "UNDEF",
                                        "ERROR",  "RELAX", "WARNING", "PRAGMA", "USE",    "INCLUDE",
                                        "IMPORT", "SC",    "COMMENT", "OPTION"};
    syntax_gate_note(preprocessor->lexing.gate, line->token->at);
    diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_UNKNOWN, line->token->at, line->word);
    char *upper = arena_format(preprocessor->lexing.arena, "%s", line->word);
    for (char *at = upper; *at; at++) {
        *at = (char)(*at >= 'a' && *at <= 'z' ? *at - 32 : *at);
    }
    if (is_apart(preprocessor, line)) {
        diag_hint(preprocessor->lexing.diag, "a comment begins with --");
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(upper, words[i]) == 0) {
            bool is_define = strcmp(words[i], "DEFINE") == 0;
            diag_hint(preprocessor->lexing.diag, "directives are upper-case: #%s%s", words[i],
                      is_define          ? "; a constant is VAL INT max IS 10:"
                      : is_include(line) ? "; the library's first module is \"course.module\""
                                         : "");
            note_defined(preprocessor, line->rest, is_define ? line->rest_length : 0);
        }
    }
}

/* True when the directive is to be returned as a token (#PRAGMA). */
static bool do_directive(Preprocessor *preprocessor, Frame *frame, Token *token) {
    DirectiveLine line = directive_split(preprocessor, token);
    if (do_conditional(preprocessor, frame, &line) || !is_active(frame)) {
        return false;
    }
    if (strcmp(line.word, "DEFINE") == 0) {
        do_define(preprocessor, &line);
    } else if (strcmp(line.word, "UNDEF") == 0) {
        do_undef(preprocessor, &line);
    } else if (strcmp(line.word, "ERROR") == 0) {
        do_message(preprocessor, &line, DIAG_DIRECTIVE_ERROR);
    } else if (strcmp(line.word, "WARNING") == 0) {
        do_message(preprocessor, &line, DIAG_DIRECTIVE_WARNING);
    } else if (strcmp(line.word, "RELAX") == 0) {
        do_relax(preprocessor, frame, &line);
    } else if (strcmp(line.word, "INCLUDE") == 0) {
        if (!preprocessor->compiler->reads_one_file) {
            preprocess_include(preprocessor, &line);
        }
    } else if (strcmp(line.word, "USE") == 0 && preprocessor->compiler->reads_one_file) {
        return false;
    } else if (strcmp(line.word, "USE") == 0) {
        preprocess_use(preprocessor, &line);
    } else if (strcmp(line.word, "PRAGMA") == 0) {
        return preprocess_pragma(preprocessor, &line, token);
    } else if (strcmp(line.word, "OPTION") == 0) {
        return preprocess_option(preprocessor, &line, token);
    } else if (strcmp(line.word, "BODY") == 0 && frame->file->is_generated) {
        return preprocess_body(preprocessor, &line, token);
    } else if (strcmp(line.word, "FROM") == 0 && frame->file->is_generated) {
        preprocess_from(preprocessor, &line);
    } else if (strcmp(line.word, "SC") == 0) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_OBSOLETE, token->at, line.word);
    } else if (strcmp(line.word, "COMMENT") != 0 && strcmp(line.word, "IMPORT") != 0) {
        report_unknown(preprocessor, &line);
    }
    return false;
}

/* ##N becomes the literal that N stands for. */
static void substitute(Preprocessor *preprocessor, const Frame *frame, Token *token) {
    const char *name = token->text->bytes;
    token->kind = TOKEN_INTEGER;
    if (strcmp(name, "LINE") == 0) {
        token->value = token->at.line;
        return;
    }
    if (strcmp(name, "FILE") == 0 || strcmp(name, "FILESTACK") == 0) {
        token->kind = TOKEN_STRING;
        token->text = text_intern_string(preprocessor->lexing.texts, frame->file->path);
        return;
    }
    const DefineValue *value = define_find(preprocessor->defines, token->text);
    if (token->text->length == 0) {
        return; /* the lexer has reported it */
    }
    if (!value || value->kind == DEFINE_PLAIN) {
        syntax_gate_note(preprocessor->lexing.gate, token->at);
        diag_report(preprocessor->lexing.diag,
                    value ? DIAG_DIRECTIVE_NO_VALUE : DIAG_DIRECTIVE_NOT_DEFINED, token->at, name);
    } else if (value->kind == DEFINE_STRING) {
        token->kind = TOKEN_STRING;
        token->text = value->string;
    } else {
        token->value = value->number;
    }
}

/* ---- the stack ---- */

void preprocess_push(Preprocessor *preprocessor, const SourceFile *file, int32_t indent) {
    Frame *frame = arena_new(preprocessor->lexing.arena, Frame);
    frame->file = file;
    frame->lexer = lexer_create(&preprocessor->lexing, file, indent);
    lexer_set_quiet(frame->lexer, preprocessor->is_quiet);
    array_push(preprocessor->lexing.arena, &preprocessor->frames, frame);
}

static void pop(Preprocessor *preprocessor) {
    Frame *frame = preprocessor->frames.items[--preprocessor->frames.count];
    for (size_t i = 0; i < frame->conditionals.count; i++) {
        diag_report(preprocessor->lexing.diag, DIAG_DIRECTIVE_OPEN_IF,
                    frame->conditionals.items[i].at);
    }
    lexer_destroy(frame->lexer);
}

/* Units for a compilation that was given none: those on the path of its sources. */
static UnitTable *source_units(const Compiler *compiler) {
    UnitTable *table = unit_table_create(compiler->arena);
    const char *directory = NULL;
    for (size_t i = 0; (directory = source_search_directory(compiler->sources, i)); i++) {
        array_push(compiler->arena, &table->directories, directory);
    }
    return table;
}

Preprocessor *preprocess_create(Compiler *compiler, const KeywordTable *keywords,
                                SyntaxGate *gate) {
    Preprocessor *preprocessor = arena_new(compiler->arena, Preprocessor);
    preprocessor->lexing =
        (LexerContext){compiler->arena, compiler->texts, compiler->diag, keywords, gate};
    preprocessor->compiler = compiler;
    preprocessor->sources = compiler->sources;
    preprocessor->units = compiler->units ? compiler->units : source_units(compiler);
    preprocessor->defines = define_table_create(compiler->arena, compiler->texts);
    for (size_t i = 0; i < compiler->defines.count; i++) {
        define_from_option(preprocessor->defines, compiler->defines.items[i]);
    }
    preprocessor->first_define = define_count(preprocessor->defines);
    return preprocessor;
}

void preprocess_end(Preprocessor *preprocessor) {
    while (preprocessor->frames.count) {
        Frame *frame = preprocessor->frames.items[--preprocessor->frames.count];
        lexer_destroy(frame->lexer);
    }
}

void preprocess_begin(Preprocessor *preprocessor, const SourceFile *file) {
    preprocess_end(preprocessor);
    preprocess_push(preprocessor, file, 0);
}

void preprocess_next(Preprocessor *preprocessor, Token *token) {
    for (;;) {
        if (preprocessor->frames.count == 0) {
            Location end = preprocessor->end;
            *token = (Token){.kind = TOKEN_END, .at = end, .starts_line = true};
            return;
        }
        Frame *frame = preprocessor->frames.items[preprocessor->frames.count - 1];
        lexer_next(frame->lexer, token);
        if (token->kind == TOKEN_END) {
            preprocessor->end = token->at;
            pop(preprocessor);
        } else if (token->kind == TOKEN_SUBSTITUTION) {
            substitute(preprocessor, frame, token);
            return;
        } else if (token->kind != TOKEN_DIRECTIVE || do_directive(preprocessor, frame, token)) {
            return;
        }
    }
}

void preprocess_set_quiet(Preprocessor *preprocessor, bool is_quiet) {
    preprocessor->is_quiet = is_quiet;
    for (size_t i = 0; i < preprocessor->frames.count; i++) {
        lexer_set_quiet(preprocessor->frames.items[i]->lexer, is_quiet);
    }
}

void preprocess_list_defines(const Preprocessor *preprocessor, TokenTape *tape) {
    Arena *arena = preprocessor->lexing.arena;
    for (size_t i = preprocessor->first_define; i < define_count(preprocessor->defines); i++) {
        const char *text = define_text(arena, preprocessor->defines, i);
        if (text) {
            array_push(arena, &tape->defines, text);
        }
    }
}
