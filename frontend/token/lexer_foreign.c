/* lexer_foreign -- braces, arrows and updates of other languages: the equivalent line here. */
#include "lexer_state.h"

#include "foreign_word.h"

#include <string.h>

static const char *line_start(const Lexer *lexer) {
    return lexer->file->bytes + lexer->file->line_start[lexer->line - 1];
}

/* = {1, 2, 3}   IS {1, 2, 3} */
static bool begins_table(const Lexer *lexer) {
    const char *line = line_start(lexer);
    size_t end = lexer->column - 1;
    while (end > 0 && line[end - 1] == ' ') {
        end--;
    }
    return end > 1 && (line[end - 1] == '=' || strncmp(line + end - 2, "IS", 2) == 0);
}

/* What the line would be without its braces: func () {   struct P { .. }   c ! {tag, 1} */
static const char *brace_words(const Lexer *lexer) {
    const char *line = line_start(lexer);
    size_t end = lexer->column - 1;
    const ForeignWord *foreign = foreign_line(line, end);
    while (end > 0 && line[end - 1] == ' ') {
        end--;
    }
    const char *assign = strstr(line, ":=");
    bool is_value = assign && assign < line + end;
    bool is_output = end > 0 && line[end - 1] == '!';
    bool is_input = end > 0 && line[end - 1] == '?';
    return foreign               ? foreign->hint
           : begins_table(lexer) ? "a table of values stands in brackets: [1, 2, 3]"
           : is_value            ? "values stand in brackets, [1, 2, 3]; a map is of the module map"
           : is_output           ? "the items of a message are parted by ';': c ! tag; x"
           : is_input ? "the items of a message are parted by ';': c ? CASE and tag; x below"
                      : "a block is the lines two columns deeper than the line above it";
}

void lexer_take_brace(Lexer *lexer, const char *text, int length) {
    if (!lexer->has_braces && lexer_report(lexer, DIAG_LEXICAL_BRACE, text, length)) {
        lexer->has_braces = true;
        lexer_hint(lexer, brace_words(lexer));
    }
    lexer_advance(lexer, text, length);
}

/* _ => 3   _ -> 3   x, _ := f () */
const char *lexer_words_for_nothing(const Lexer *lexer) {
    const char *behind = line_start(lexer) + lexer->column;
    behind += strspn(behind, " ");
    bool is_option = strncmp(behind, "=>", 2) == 0 || strncmp(behind, "->", 2) == 0;
    return is_option ? "the option of a CASE for all other values is ELSE"
                     : "what is not needed is taken by a variable all the same";
}

/* f ().x   (xs ...INT)   a line that ends with a full stop */
const char *lexer_words_for_point(const Lexer *lexer) {
    const char *behind = line_start(lexer) + lexer->column;
    size_t blanks = strspn(behind, " ");
    if (strncmp(behind, "..", 2) == 0) {
        return "a routine has so many parameters: an array, VAL []INT xs, takes any number";
    }
    return strchr("\r\n", behind[blanks])
               ? "a statement ends with its line"
               : "nothing has methods: a routine is called with what it works on, f (x)";
}

/* x += 3 */
void lexer_hint_update(Lexer *lexer, char operator) {
    const char *line = line_start(lexer);
    size_t end = lexer->column - 1;
    while (end > 0 && line[end - 1] == ' ') {
        end--;
    }
    size_t start = end;
    while (start > 0 && text_is_of_name(line[start - 1])) {
        start--;
    }
    bool is_name = start < end && (start == 0 || line[start - 1] == ' ');
    int length = is_name ? (int)(end - start) : 1;
    const char *name = is_name ? line + start : "x";
    const char *added = line + lexer->column + 1;
    added += strspn(added, " ");
    size_t size = strcspn(added, ";\r\n");
    while (size > 0 && added[size - 1] == ' ') {
        size--;
    }
    bool is_simple = size > 0 && !memchr(added, ' ', size);
    lexer_hint(lexer, arena_format(lexer->context.arena,
                                   "an assignment has one form: %.*s := %.*s %c %.*s", length, name,
                                   length, name, operator, is_simple ? (int)size : 2,
                                   is_simple ? added : ".."));
}

static bool line_has(const char *line, size_t length, const char *word) {
    const char *found = strstr(line, word);
    return found && (size_t)(found - line) < length;
}

/* p->x   INT FUNCTION f (VAL INT x) -> INT   x -> SKIP */
void lexer_hint_arrow(Lexer *lexer) {
    const char *line = line_start(lexer);
    size_t at = lexer->column - 1;
    size_t end = at + 2;
    while (text_is_of_name(line[end])) {
        end++;
    }
    bool is_field =
        at > 0 && (text_is_of_name(line[at - 1]) || line[at - 1] == ']') && end > at + 2;
    if (is_field) {
        lexer_hint(lexer, "a field of a record is selected as r[field]");
        lexer->token->at.end_column = (uint32_t)end + 1; /* the whole selection is replaced */
        lexer_fixit(lexer, arena_format(lexer->context.arena, "[%.*s]", (int)(end - at - 2),
                                        line + at + 2));
    } else if (line_has(line, at, "FUNCTION") || line_has(line, at, "PROC")) {
        lexer_hint(lexer, "the types of the results stand in front: INT FUNCTION f (VAL INT x)");
    } else {
        lexer_hint(lexer, "what is done stands two columns deeper, on the next line");
    }
}
