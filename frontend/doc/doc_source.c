/* doc_source -- a source as a page: its lines are places to go to, its words have colours. See
 * doc.h. */
#include "doc.h"

#include "file.h"
#include "token.h"

#include <ctype.h>
#include <string.h>

/* Two folders may have files of one name: the path is part of it then. */
const char *doc_file_name(Doc *doc, const char *path) {
    const char *base = path_name(path);
    bool is_alone = true;
    for (size_t i = 0; i < doc->pages.count; i++) {
        const DocPage *page = &doc->pages.items[i];
        for (size_t k = 0; k < page->parts.count; k++) {
            const char *other = page->parts.items[k].path;
            bool has_name = strcmp(path_name(other), base) == 0;
            is_alone = is_alone && (!has_name || strcmp(other, path) == 0);
        }
    }
    char *name = arena_format(doc->arena, "source-%s.html", is_alone ? base : path);
    for (char *at = name; *at; at++) {
        *at = *at == '/' ? '-' : *at;
    }
    return name;
}

static bool is_word(const char *at, size_t length) {
    const char *word;
    bool is_it = false;
    for (size_t i = 0; !is_it && (word = keyword_numbered(i)); i++) {
        is_it = strlen(word) == length && memcmp(word, at, length) == 0;
    }
    return is_it;
}

/* The length of a text or character between quotes, within its line. */
static size_t quoted_length(const char *at) {
    size_t length = 1;
    while (at[length] && at[length] != '\n' && at[length] != at[0]) {
        length += at[length] == '*' && at[length + 1] && at[length + 1] != '\n' ? 2 : 1;
    }
    return length + (at[length] == at[0]);
}

/* One piece of the text: its length, and the class that gives it its colour; NULL: none. */
static size_t piece(const char *at, const char **class) {
    size_t length = 0;
    *class = NULL;
    if (at[0] == '-' && at[1] == '-') {
        *class = "comment";
        return strcspn(at, "\n");
    }
    if (at[0] == '"' || at[0] == '\'') {
        *class = "text";
        return quoted_length(at);
    }
    while (isalnum((unsigned char)at[length]) || at[length] == '.' || at[length] == '_') {
        length++;
    }
    *class = length && is_word(at, length) ? "word" : NULL;
    return length ? length : 1;
}

const char *doc_source_page(Doc *doc, const char *path) {
    TextBuilder out = {.arena = doc->arena};
    FileText text;
    if (!file_read(doc->arena, path, &text)) {
        fatal("cannot read '%s':", path);
    }
    text_add(&out, "<pre class=\"lines\">");
    unsigned line = 1;
    bool begins = true;
    for (const char *at = text.bytes; *at;) {
        if (begins) {
            text_add(&out, "<a id=\"L%u\" href=\"#L%u\">%4u</a>  ", line, line, line);
        }
        const char *class;
        size_t length = piece(at, &class);
        text_add(&out, class ? "<i class=\"%s\">" : "%s", class ? class : "");
        text_add_escaped(&out, at, length, false);
        text_add(&out, "%s", class ? "</i>" : "");
        begins = *at == '\n';
        line += begins;
        at += length;
    }
    text_add(&out, "</pre>\n");
    return doc_text(&out);
}
