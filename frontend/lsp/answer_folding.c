/* answer_folding -- what can be folded: {{{ folds, blocks by their indentation, comments.
 *
 * Holds: the text alone says it, so that a text that cannot be read folds too. */
#include "answer.h"

#include <string.h>

enum { DEPTH_MOST = 200 };

/* A fold or block that has begun. */
typedef struct Open {
    uint32_t line;
    int indent;
} Open;

typedef struct Folding {
    json_t *list;
    Open marks[DEPTH_MOST];
    size_t mark_count;
    Open blocks[DEPTH_MOST];
    size_t block_count;
    uint32_t last; /* line that is not empty */
} Folding;

static void add_fold(Folding *folding, uint32_t first, uint32_t last, const char *kind) {
    if (last <= first) {
        return;
    }
    json_t *value = json_pack("{s:i, s:i}", "startLine", (int)first - 1, "endLine", (int)last - 1);
    if (kind) {
        json_object_set_new(value, "kind", json_string(kind));
    }
    json_array_append_new(folding->list, value);
}

/* The words after "--" of a line that is a comment; NULL: it is none. */
static const char *comment_of(const Lines *lines, uint32_t line, size_t *length) {
    const char *text = lines_line(lines, line, length);
    int indent = lines_indent(lines, line);
    if (indent < 0 || *length - (size_t)indent < 2 || strncmp(text + indent, "--", 2) != 0) {
        return NULL;
    }
    *length -= (size_t)indent + 2;
    return text + indent + 2;
}

/* {{{ and }}} */
static bool take_mark(Folding *folding, const Lines *lines, uint32_t line) {
    size_t length = 0;
    const char *words = comment_of(lines, line, &length);
    while (words && length && *words == ' ') {
        words++;
        length--;
    }
    if (!words || length < 3) {
        return false;
    }
    if (strncmp(words, "{{{", 3) == 0) {
        if (folding->mark_count < DEPTH_MOST) {
            folding->marks[folding->mark_count++] = (Open){line, 0};
        }
        return true;
    }
    if (strncmp(words, "}}}", 3) == 0) {
        if (folding->mark_count > 0) {
            add_fold(folding, folding->marks[--folding->mark_count].line, line, "region");
        }
        return true;
    }
    return false;
}

static void close_blocks(Folding *folding, int indent) {
    while (folding->block_count > 0 && folding->blocks[folding->block_count - 1].indent >= indent) {
        add_fold(folding, folding->blocks[--folding->block_count].line, folding->last, NULL);
    }
}

/* Comments one below the other, from `line`; the last of them. */
static uint32_t take_comments(Folding *folding, const Lines *lines, uint32_t line) {
    size_t length = 0;
    uint32_t last = line;
    while (last < lines->count && comment_of(lines, last + 1, &length) &&
           !(length >= 3 && strncmp(comment_of(lines, last + 1, &length), "{{{", 3) == 0) &&
           !(length >= 3 && strncmp(comment_of(lines, last + 1, &length), "}}}", 3) == 0)) {
        last++;
    }
    add_fold(folding, line, last, "comment");
    return last;
}

static void take_line(Folding *folding, const Lines *lines, uint32_t line) {
    int indent = lines_indent(lines, line);
    size_t length = 0;
    const char *text = lines_line(lines, line, &length);
    bool is_colon = text[indent] == ':';
    close_blocks(folding, is_colon ? indent + 1 : indent);
    folding->last = line;
    if (is_colon) {
        close_blocks(folding, indent);
    } else if (folding->block_count < DEPTH_MOST) {
        folding->blocks[folding->block_count++] = (Open){line, indent};
    }
}

json_t *answer_folding(Query *query) {
    const Lines *lines = &query->document->lines;
    Folding *folding = arena_new(query->arena, Folding);
    folding->list = json_array();
    for (uint32_t line = 1; line <= lines->count; line++) {
        size_t length = 0;
        if (lines_indent(lines, line) < 0 || take_mark(folding, lines, line)) {
            continue;
        }
        if (comment_of(lines, line, &length)) {
            line = take_comments(folding, lines, line);
        } else {
            take_line(folding, lines, line);
        }
    }
    close_blocks(folding, 0);
    return folding->list;
}
