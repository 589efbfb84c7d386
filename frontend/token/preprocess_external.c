/* preprocess_external -- #PRAGMA EXTERNAL "heading = ws, vs": a routine written in C, and
 * #PRAGMA TRANSLATE name "symbol", which gives one its name for the linker; #PRAGMA LINK "name",
 * the library it is in.
 *
 * Holds:  the pragma becomes the text of a routine with a #BODY line, so the grammar and the
 *         checks see nothing new. The prefix of the name says how it is called: C. directly, B. and
 *         BX. on a thread of its own. The sizes after = are for KRoC; nothing here needs them.
 *         occ. is for the library: a routine of the runtime, which has the name without the
 *         prefix; so does one of occ.at., a function occ_name that is called directly and told the
 *         site of the call. */
#include "preprocess_stack.h"

#include <ctype.h>
#include <string.h>

typedef struct Prefix {
    const char *text;
    char kind; /* of #BODY */
} Prefix;

static const Prefix prefixes[] = {
    {"C.", 'c'}, {"BX.", 'x'}, {"B.", 'b'}, {"occ.at.", 'p'}, {"occ.", 'r'}};

/* The text between the quotes after the word; NULL, with a message, when there is none. */
static const char *quoted_text(Preprocessor *preprocessor, const DirectiveLine *line, size_t start,
                               const char *what) {
    const char *open = memchr(line->rest + start, '"', line->rest_length - start);
    const char *end = line->rest + line->rest_length;
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    if (!close || close == open + 1) {
        directive_needs(preprocessor, line, what);
        return NULL;
    }
    return arena_format(preprocessor->lexing.arena, "%.*s", (int)(close - open - 1), open + 1);
}

/* Where the routine's name begins in the heading; NULL: there is none. */
static const char *find_name(const char *heading) {
    static const char *const words[] = {"PROC", "FUNCTION"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *word = strstr(heading, words[i]);
        size_t length = strlen(words[i]);
        bool is_whole = word && (word == heading || !text_is_of_name(word[-1])) &&
                        (word[length] == ' ' || word[length] == '\t');
        if (is_whole) {
            return word + length + strspn(word + length, " \t");
        }
    }
    return NULL;
}

static const Prefix *find_prefix(const char *name) {
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(name, prefixes[i].text, strlen(prefixes[i].text)) == 0) {
            return &prefixes[i];
        }
    }
    return NULL;
}

/* C has no dots in names: C.my.function is my_function, unless it was given another symbol. */
static const char *symbol_of(Preprocessor *preprocessor, const char *name, size_t length,
                             const Prefix *prefix) {
    const Text *text = text_intern(preprocessor->lexing.texts, name, length);
    for (size_t i = 0; i < preprocessor->translations.count; i++) {
        if (preprocessor->translations.items[i].name == text) {
            return preprocessor->translations.items[i].symbol;
        }
    }
    size_t skip = strlen(prefix->text);
    char *symbol =
        arena_format(preprocessor->lexing.arena, "%s%.*s", prefix->kind == 'p' ? "occ_" : "",
                     (int)(length - skip), name + skip);
    for (char *c = symbol; *c; c++) {
        *c = *c == '.' ? '_' : *c;
    }
    return symbol;
}

static void push_routine(Preprocessor *preprocessor, const DirectiveLine *line, const char *text) {
    const Frame *frame = preprocessor->frames.items[preprocessor->frames.count - 1];
    SourceFile *file =
        source_add_text(preprocessor->sources, "<#PRAGMA EXTERNAL>", text, strlen(text));
    file->included_at = line->token->at;
    file->unit = frame->file->unit;
    file->is_generated = true;
    preprocess_push(preprocessor, file, line->token->indent);
}

void preprocess_external(Preprocessor *preprocessor, const DirectiveLine *line, size_t word) {
    static const char wanted[] = "a routine in double quotes: \"PROC C.name (formals) = 0\"";
    const char *heading = quoted_text(preprocessor, line, word, wanted);
    if (!heading) {
        return;
    }
    const char *name = find_name(heading);
    const char *close = strrchr(heading, ')');
    size_t length = 0;
    while (name && text_is_of_name(name[length])) {
        length++;
    }
    if (length == 0 || !close || close < name) {
        directive_needs(preprocessor, line, wanted);
        return;
    }
    const Prefix *prefix = find_prefix(name);
    if (!prefix || strlen(prefix->text) == length) {
        diag_report(preprocessor->lexing.diag, DIAG_EXTERNAL_PREFIX, line->rest_at,
                    arena_format(preprocessor->lexing.arena, "%.*s", (int)length, name));
        diag_hint(preprocessor->lexing.diag, "C. is called at once, B. and BX. may block");
        array_push(preprocessor->lexing.arena, &preprocessor->compiler->unread_names,
                   text_intern(preprocessor->lexing.texts, name, length));
        return;
    }
    bool is_ours = prefix->kind == 'r' || prefix->kind == 'p';
    const char *shown = is_ours ? name + strlen(prefix->text) : name;
    push_routine(preprocessor, line,
                 arena_format(preprocessor->lexing.arena, "%.*s%.*s\n  #BODY %c %s\n:\n",
                              (int)(name - heading), heading, (int)(close - shown + 1), shown,
                              prefix->kind, symbol_of(preprocessor, name, length, prefix)));
}

void preprocess_translate(Preprocessor *preprocessor, const DirectiveLine *line, size_t word) {
    const char *name = line->rest + word + strspn(line->rest + word, " \t");
    size_t length = 0;
    while (text_is_of_name(name[length])) {
        length++;
    }
    const char *symbol =
        quoted_text(preprocessor, line, word, "a name and its symbol in double quotes");
    if (symbol && length > 0) {
        Translation one = {text_intern(preprocessor->lexing.texts, name, length), symbol};
        array_push(preprocessor->lexing.arena, &preprocessor->translations, one);
    }
}

/* Interfaces do not keep it: it is in the object of the unit. */
void preprocess_link(Preprocessor *preprocessor, const DirectiveLine *line, size_t word) {
    static const char wanted[] = "the name of a library in double quotes, as for -l: \"z\"";
    const char *name = quoted_text(preprocessor, line, word, wanted);
    if (!name) {
        return;
    }
    for (const char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("._+-", *c)) {
            directive_needs(preprocessor, line, wanted);
            return;
        }
    }
    array_push(preprocessor->lexing.arena, &preprocessor->compiler->libraries, name);
}
