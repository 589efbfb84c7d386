/* toml -- see the header. */
#include "toml.h"

#include "driver.h"
#include "file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Reader {
    Arena *arena;
    const char *path;
    const char *at;
    unsigned line;
    const char *line_start;
    bool has_failed;
} Reader;

enum { DEPTH_LIMIT = 16 };

/* ---- messages ---- */

void toml_error(const char *path, unsigned line, unsigned column, const char *hint,
                const char *format, ...) {
    fprintf(stderr, "%s:%u:%u: error: ", path, line, column);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, hint ? "\n   = help: %s\n" : "\n", hint);
}

static unsigned column_of(const Reader *reader) {
    return (unsigned)(reader->at - reader->line_start) + 1;
}

/* Only the first is said: what follows may be misread. */
#define fail(reader, hint, ...)                                                                    \
    do {                                                                                           \
        if (!(reader)->has_failed) {                                                               \
            toml_error((reader)->path, (reader)->line, column_of(reader), hint, __VA_ARGS__);      \
        }                                                                                          \
        (reader)->has_failed = true;                                                               \
    } while (0)

/* ---- characters ---- */

static void skip_blanks(Reader *reader) {
    reader->at += strspn(reader->at, " \t\r");
}

static void skip_comment(Reader *reader) {
    skip_blanks(reader);
    if (*reader->at == '#') {
        reader->at += strcspn(reader->at, "\n");
    }
}

static void next_line(Reader *reader) {
    reader->at++;
    reader->line++;
    reader->line_start = reader->at;
}

/* Blanks, comments and line ends, as a list may have them. */
static void skip_space(Reader *reader) {
    skip_comment(reader);
    while (*reader->at == '\n') {
        next_line(reader);
        skip_comment(reader);
    }
}

static void need_line_end(Reader *reader) {
    skip_comment(reader);
    if (*reader->at && *reader->at != '\n') {
        fail(reader, "one key = value stands in a line", "'%c' stands behind the value",
             *reader->at);
    }
}

static bool take(Reader *reader, char wanted) {
    skip_blanks(reader);
    bool is_there = *reader->at == wanted;
    reader->at += is_there;
    return is_there;
}

static bool is_key_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

static const char *read_key(Reader *reader) {
    skip_blanks(reader);
    size_t length = 0;
    while (is_key_character(reader->at[length])) {
        length++;
    }
    if (length == 0) {
        fail(reader, "keys are words of letters, digits, _ and -", "a key is expected");
        return "";
    }
    const char *key = arena_format(reader->arena, "%.*s", (int)length, reader->at);
    reader->at += length;
    return key;
}

/* ---- values ---- */

static TomlValue *new_value(Reader *reader, TomlKind kind) {
    TomlValue *value = arena_new(reader->arena, TomlValue);
    value->kind = kind;
    value->line = reader->line;
    value->column = column_of(reader);
    return value;
}

static char unescape(Reader *reader, char c) {
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case '"':
    case '\\': return c;
    default:
        fail(reader, "\\\" \\\\ \\n and \\t are known", "there is no '\\%c' in texts here", c);
        return c;
    }
}

static TomlValue *read_text(Reader *reader) {
    TomlValue *value = new_value(reader, TOML_TEXT);
    ARRAY_OF(char) bytes = {0};
    reader->at++;
    while (*reader->at != '"' && !reader->has_failed) {
        if (*reader->at == '\n' || !*reader->at) {
            fail(reader, "a text ends in the line it begins in", "the closing '\"' is missing");
            break;
        }
        bool is_escaped = *reader->at == '\\' && reader->at[1];
        reader->at += is_escaped;
        array_push(reader->arena, &bytes, is_escaped ? unescape(reader, *reader->at) : *reader->at);
        reader->at++;
    }
    reader->at += *reader->at == '"';
    array_push(reader->arena, &bytes, '\0');
    value->text = bytes.items;
    return value;
}

static TomlValue *read_number(Reader *reader) {
    TomlValue *value = new_value(reader, TOML_NUMBER);
    bool is_negative = *reader->at == '-';
    reader->at += *reader->at == '-' || *reader->at == '+';
    while (*reader->at >= '0' && *reader->at <= '9' && value->number < INT64_MAX / 10 - 1) {
        value->number = value->number * 10 + (*reader->at++ - '0');
    }
    if (is_key_character(*reader->at) || *reader->at == '.' || *reader->at == ':') {
        fail(reader, "reals and dates stand between quotes", "a whole number is expected");
    }
    value->number = is_negative ? -value->number : value->number;
    return value;
}

static TomlValue *read_value(Reader *reader, unsigned depth);

static TomlValue *read_list(Reader *reader, unsigned depth) {
    TomlValue *list = new_value(reader, TOML_LIST);
    reader->at++;
    skip_space(reader);
    while (*reader->at != ']' && !reader->has_failed) {
        array_push(reader->arena, &list->parts, read_value(reader, depth + 1));
        skip_space(reader);
        if (*reader->at != ',' && *reader->at != ']') {
            fail(reader, NULL, "',' or ']' is expected");
        }
        reader->at += *reader->at == ',';
        skip_space(reader);
    }
    reader->at += *reader->at == ']';
    return list;
}

static void read_pair(Reader *reader, TomlValue *table, unsigned depth) {
    skip_blanks(reader);
    unsigned column = column_of(reader);
    const char *key = read_key(reader);
    const TomlValue *before = toml_find(table, key);
    if (before && !reader->has_failed) {
        reader->at = reader->line_start + column - 1;
        fail(reader, arena_format(reader->arena, "the first is in line %u", before->line),
             "'%s' stands here twice", key);
    }
    if (!reader->has_failed && !take(reader, '=')) {
        fail(reader, "a line is key = value, [table] or [[table]]", "'=' is expected behind '%s'",
             key);
    }
    if (reader->has_failed) {
        return;
    }
    skip_blanks(reader);
    TomlValue *value = read_value(reader, depth);
    value->key = key;
    value->key_column = column;
    array_push(reader->arena, &table->parts, value);
}

static TomlValue *read_inline_table(Reader *reader, unsigned depth) {
    TomlValue *table = new_value(reader, TOML_TABLE);
    reader->at++;
    if (take(reader, '}')) {
        return table;
    }
    do {
        read_pair(reader, table, depth + 1);
    } while (!reader->has_failed && take(reader, ','));
    if (!take(reader, '}')) {
        fail(reader, NULL, "',' or '}' is expected");
    }
    return table;
}

static bool take_word(Reader *reader, const char *word) {
    size_t length = strlen(word);
    bool is_there = strncmp(reader->at, word, length) == 0 && !is_key_character(reader->at[length]);
    reader->at += is_there ? length : 0;
    return is_there;
}

static TomlValue *read_value(Reader *reader, unsigned depth) {
    char c = *reader->at;
    if (depth > DEPTH_LIMIT) {
        fail(reader, NULL, "lists and tables lie in each other too deep");
    } else if (c == '"') {
        return read_text(reader);
    } else if (c == '[') {
        return read_list(reader, depth);
    } else if (c == '{') {
        return read_inline_table(reader, depth);
    } else if (c == '-' || c == '+' || (c >= '0' && c <= '9')) {
        return read_number(reader);
    }
    TomlValue *value = new_value(reader, TOML_BOOL);
    value->number = take_word(reader, "true");
    if (!value->number && !take_word(reader, "false")) {
        fail(reader, "a value is \"text\", a whole number, true, false, [..] or {..}",
             "a value is expected");
    }
    return value;
}

/* ---- headings ---- */

static TomlValue *add_part(Reader *reader, TomlValue *to, TomlKind kind, const char *key) {
    TomlValue *value = new_value(reader, kind);
    value->key = key;
    value->column = 1;
    value->is_headed = true;
    array_push(reader->arena, &to->parts, value);
    return value;
}

/* [name] or [[name]]: the table whose lines follow. */
static TomlValue *read_heading(Reader *reader, TomlValue *root) {
    reader->at++;
    bool is_list = take(reader, '[');
    skip_blanks(reader);
    const char *key = read_key(reader);
    TomlValue *known = toml_find(root, key);
    bool fits = !known || (is_list && known->kind == TOML_LIST && known->is_headed);
    if (!fits) {
        fail(reader, arena_format(reader->arena, "the first is in line %u", known->line),
             "'%s' stands here twice", key);
    }
    if (!take(reader, ']') || (is_list && !take(reader, ']'))) {
        fail(reader, "headings have one name: [name] or [[name]]", "']' is expected");
    }
    if (reader->has_failed) {
        return root;
    }
    if (!is_list) {
        return add_part(reader, root, TOML_TABLE, key);
    }
    TomlValue *list = known ? known : add_part(reader, root, TOML_LIST, key);
    return add_part(reader, list, TOML_TABLE, NULL);
}

TomlValue *toml_find(const TomlValue *table, const char *key) {
    for (size_t i = 0; table && i < table->parts.count; i++) {
        if (table->parts.items[i]->key && strcmp(table->parts.items[i]->key, key) == 0) {
            return table->parts.items[i];
        }
    }
    return NULL;
}

TomlValue *toml_read(Arena *arena, const char *path) {
    FileText text;
    if (!file_read(arena, path, &text)) {
        driver_error("cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    Reader reader = {arena, path, text.bytes, 1, text.bytes, false};
    TomlValue *root = new_value(&reader, TOML_TABLE);
    TomlValue *table = root;
    skip_space(&reader);
    while (*reader.at && !reader.has_failed) {
        if (*reader.at == '[') {
            table = read_heading(&reader, root);
        } else {
            read_pair(&reader, table, 0);
        }
        need_line_end(&reader);
        skip_space(&reader);
    }
    return reader.has_failed ? NULL : root;
}
