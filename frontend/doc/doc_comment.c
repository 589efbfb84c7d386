/* doc_comment -- what a comment says, as Markdown. See doc.h.
 *
 * A comment is Markdown already, but for three things: lines that stand in by two blanks or more
 * behind an empty one are code, of occam when it is a program; the first sentence at the head of a
 * file may be led by its name, "prime.occ -- the sieve."; and a line that begins with @ is a tag,
 * of which occamdoc's are known:
 * @module, @moduleend, @param name words, @return words, @author, @copyright, @todo. Our own are
 * @see and @internal, which keeps a name off the page. */
#include "doc.h"

#include <ctype.h>
#include <string.h>

typedef struct Tag {
    const char *word;
    const char *title; /* NULL: it has an effect, and no text */
} Tag;

static const Tag tags[] = {
    {"module", NULL},      {"moduleend", NULL},    {"internal", NULL},   {"param", "Parameters"},
    {"return", "Returns"}, {"returns", "Returns"}, {"author", "Author"}, {"copyright", "Copyright"},
    {"see", "See also"},   {"todo", "To do"},
};

typedef struct CommentReader {
    Arena *arena;
    TextBuilder text;
    DocComment result;
    const Tag *tag; /* of the line before, and of those that go on with it */
    bool was_empty; /* the line before */
    bool is_code;
    TextBuilder code; /* so far */
} CommentReader;

static const Tag *find_tag(const char *line, size_t length) {
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        size_t word = strlen(tags[i].word);
        bool is_it = length > word && line[0] == '@' && strncmp(line + 1, tags[i].word, word) == 0;
        if (is_it && (length == word + 1 || isspace((unsigned char)line[word + 1]))) {
            return &tags[i];
        }
    }
    return NULL;
}

/* "- `out`: where it goes", under a title that stands once. */
static void add_tag(CommentReader *reader, const Tag *tag, const char *words, size_t length) {
    if (!reader->tag || strcmp(reader->tag->title, tag->title) != 0) {
        text_add(&reader->text, "\n**%s**\n\n", tag->title);
    }
    size_t name = 0;
    while (strcmp(tag->word, "param") == 0 && name < length && words[name] != ' ') {
        name++;
    }
    if (name) {
        size_t rest = name + (name < length);
        text_add(&reader->text, "- `%.*s`: %.*s\n", (int)name, words, (int)(length - rest),
                 words + rest);
    } else {
        text_add(&reader->text, "- %.*s\n", (int)length, words);
    }
}

static void read_tag(CommentReader *reader, const Tag *tag, const char *line, size_t length) {
    size_t start = strlen(tag->word) + 1;
    while (start < length && line[start] == ' ') {
        start++;
    }
    if (tag->title) {
        add_tag(reader, tag, line + start, length - start);
        reader->tag = tag;
    } else if (strcmp(tag->word, "module") == 0) {
        reader->result.module =
            arena_format(reader->arena, "%.*s", (int)(length - start), line + start);
    } else {
        reader->result.is_internal =
            reader->result.is_internal || strcmp(tag->word, "internal") == 0;
    }
}

static void end_code(CommentReader *reader) {
    while (reader->code.items[reader->code.count - 1] == '\n') {
        reader->code.count--; /* the empty lines behind it, too */
    }
    const char *code = doc_text(&reader->code);
    const char *language = strstr(code, "PROC main") ? "occam" : "";
    text_add(&reader->text, "```%s\n%s\n```\n\n", language, code);
    reader->code.count = 0;
    reader->is_code = false;
}

static void read_line(CommentReader *reader, const char *line, size_t length) {
    const Tag *tag = find_tag(line, length);
    size_t indent = 0;
    while (indent < length && line[indent] == ' ') {
        indent++;
    }
    bool is_empty = indent == length;
    bool begins_code = reader->was_empty && indent >= 2 && !is_empty && !reader->tag;
    if (!reader->is_code && begins_code) {
        reader->is_code = true;
    } else if (reader->is_code && indent < 2 && !is_empty) {
        end_code(reader);
    }
    if (tag && !reader->is_code) {
        read_tag(reader, tag, line, length);
    } else if (reader->is_code && !is_empty) {
        text_add(&reader->code, "%.*s\n", (int)(length - 2), line + 2);
    } else if (reader->is_code) {
        text_add(&reader->code, "\n");
    } else {
        reader->tag = is_empty ? NULL : reader->tag;
        text_add(&reader->text, "%.*s\n", (int)length, line);
    }
    reader->was_empty = is_empty;
}

/* "prime.occ -- the sieve" is led by a name of a file. */
static const char *behind_name(const char *lines) {
    size_t word = strcspn(lines, " \n");
    return word && strncmp(lines + word, " -- ", 4) == 0 ? lines + word + 4 : lines;
}

/* The first sentence, with a large letter, and the rest into result->text. */
static void split_summary(Arena *arena, DocComment *result) {
    const char *text = result->text;
    size_t end = 0;
    while (text[end] && strncmp(text + end, ". ", 2) != 0 && strncmp(text + end, ".\n", 2) != 0 &&
           strncmp(text + end, "\n\n", 2) != 0) {
        end++;
    }
    end += text[end] == '.';
    char *summary = arena_format(arena, "%.*s", (int)end, text);
    size_t length = strlen(summary);
    while (length && isspace((unsigned char)summary[length - 1])) {
        summary[--length] = '\0';
    }
    for (size_t i = 0; i < length; i++) {
        summary[i] = summary[i] == '\n' ? ' ' : summary[i];
    }
    bool is_name = memchr(summary, '.', strcspn(summary, " ")) != NULL;
    summary[0] = is_name ? summary[0] : (char)toupper((unsigned char)summary[0]);
    result->summary = summary;
    result->text = text + end + strspn(text + end, " \n");
}

static const char *trimmed(Arena *arena, const char *text) {
    text += strspn(text, "\n");
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    return arena_format(arena, "%.*s", (int)length, text);
}

DocComment doc_comment(Arena *arena, const char *lines, bool is_head) {
    CommentReader reader = {.arena = arena, .text = {.arena = arena}, .code = {.arena = arena}};
    for (const char *at = is_head ? behind_name(lines) : lines; *at;) {
        size_t length = strcspn(at, "\n");
        read_line(&reader, at, length);
        at += length + (at[length] == '\n');
    }
    if (reader.is_code) {
        end_code(&reader);
    }
    reader.result.text = trimmed(arena, doc_text(&reader.text));
    reader.result.summary = "";
    if (is_head) {
        split_summary(arena, &reader.result);
        reader.result.text = trimmed(arena, reader.result.text);
    }
    return reader.result;
}
