/* doc_html -- pages for a browser: one for each source, an index of them, the sources themselves.
 * See doc.h.
 *
 * Holds: everything lies in one folder and works from there without a server. The search looks
 *        through names.js, which has every name with its page. */
#include "doc.h"
#include "doc_markdown.h"

#include "driver_file.h"
#include "file.h"

#include <jansson.h>

#include <ctype.h>
#include <string.h>

/* ---- addresses ---- */

static const char *page_address(const Doc *doc, const DocPage *page, const char *anchor) {
    TextBuilder address = {.arena = doc->arena};
    text_add(&address, "%s.html%s", page->name, anchor ? "#" : "");
    for (const char *at = anchor ? anchor : ""; *at; at++) {
        bool is_plain = isalnum((unsigned char)*at) || strchr("._-", *at);
        text_add(&address, is_plain ? "%c" : "%%%02X", (unsigned char)*at);
    }
    return doc_text(&address);
}

/* Where names are looked for: this page first. */
typedef struct LinkScope {
    const Doc *doc;
    const DocPage *page;
} LinkScope;

static const char *find_on_page(const Doc *doc, const DocPage *page, const char *word,
                                size_t length) {
    for (size_t i = 0; i < page->parts.count; i++) {
        const DocPart *part = &page->parts.items[i];
        for (size_t k = 0; k < part->items.count; k++) {
            const DocItem *item = &part->items.items[k];
            if (strlen(item->name) == length && memcmp(item->name, word, length) == 0) {
                return page_address(doc, page, item->anchor);
            }
        }
    }
    return NULL;
}

static const char *find_name(void *context, const char *word, size_t length) {
    const LinkScope *scope = context;
    const char *found = find_on_page(scope->doc, scope->page, word, length);
    for (size_t i = 0; !found && i < scope->doc->pages.count; i++) {
        found = find_on_page(scope->doc, &scope->doc->pages.items[i], word, length);
    }
    return found;
}

/* ---- a page ---- */

static void add_escaped(TextBuilder *out, const char *words) {
    text_add_escaped(out, words, strlen(words), false);
}

/* What is written, its types and other names leading to where they are explained. */
static void add_code(TextBuilder *out, LinkScope *scope, const char *code, const char *own) {
    while (*code) {
        size_t length = 0;
        while (isalnum((unsigned char)code[length]) || code[length] == '.' || code[length] == '_') {
            length++;
        }
        bool is_own = strlen(own) == length && strncmp(code, own, length) == 0;
        bool may_lead = length > 1 && isalpha((unsigned char)code[0]) && !is_own;
        const char *target = may_lead ? find_name(scope, code, length) : NULL;
        length = length ? length : 1;
        if (is_own || target) {
            text_add(out, is_own ? "<b>%s" : "<a href=\"%s\">", is_own ? "" : target);
        }
        text_add_escaped(out, code, length, false);
        text_add(out, "%s", is_own ? "</b>" : target ? "</a>" : "");
        code += length;
    }
}

static void begin_page(TextBuilder *out, const Doc *doc, const char *title) {
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    add_escaped(out, title);
    text_add(out, "</title>\n<link rel=\"stylesheet\" href=\"style.css\">\n"
                  "<script src=\"names.js\" defer></script>\n"
                  "<script src=\"search.js\" defer></script>\n</head>\n<body>\n<nav>\n"
                  "<a class=\"title\" href=\"index.html\">");
    add_escaped(out, doc->title ? doc->title : "Index");
    text_add(out, "</a>\n<input id=\"search\" type=\"search\" placeholder=\"search ( / )\" "
                  "aria-label=\"search\">\n<ul id=\"found\"></ul>\n<ul id=\"pages\">\n");
    for (size_t i = 0; i < doc->pages.count; i++) {
        text_add(out, "<li><a href=\"");
        add_escaped(out, page_address(doc, &doc->pages.items[i], NULL));
        text_add(out, "\">");
        add_escaped(out, doc->pages.items[i].name);
        text_add(out, "</a></li>\n");
    }
    text_add(out, "</ul>\n</nav>\n<main>\n<h1>");
    add_escaped(out, title);
    text_add(out, "</h1>\n");
}

static void end_page(TextBuilder *out) {
    text_add(out, "</main>\n</body>\n</html>\n");
}

static void add_item(TextBuilder *out, Doc *doc, LinkScope *scope, const DocPart *part,
                     const DocItem *item) {
    MarkdownLinks links = {find_name, scope};
    text_add(out, "<section id=\"");
    add_escaped(out, item->anchor);
    text_add(out, "\">\n<pre class=\"heading\"><a class=\"source\" href=\"%s#L%u\">source</a>",
             doc_file_name(doc, part->path), item->line);
    add_code(out, scope, item->heading, item->name);
    text_add(out, "</pre>\n");
    markdown_to_html(out, item->text, &links);
    if (item->picture) {
        text_add(out, "<details><summary>network</summary><img src=\"");
        add_escaped(out, item->picture);
        text_add(out, "\" alt=\"the processes and channels of ");
        add_escaped(out, item->name);
        text_add(out, "\"></details>\n");
    }
    text_add(out, "</section>\n");
}

static void add_part(TextBuilder *out, Doc *doc, LinkScope *scope, const DocPart *part) {
    MarkdownLinks links = {find_name, scope};
    if (strcmp(part->path, scope->page->path) != 0) {
        text_add(out, "<h2>");
        add_escaped(out, part->name);
        text_add(out, "</h2>\n");
        markdown_to_html(out, part->summary, &links);
        markdown_to_html(out, part->text, &links);
    }
    for (size_t i = 0; i < part->items.count; i++) {
        add_item(out, doc, scope, part, &part->items.items[i]);
    }
}

static bool write_file(const Doc *doc, const char *name, TextBuilder *text) {
    const char *path = arena_format(doc->arena, "%s/%s", doc->folder, name);
    return file_publish(doc->arena, path, text->items, text->count);
}

static bool write_page(Doc *doc, const DocPage *page) {
    TextBuilder out = {.arena = doc->arena};
    LinkScope scope = {doc, page};
    MarkdownLinks links = {find_name, &scope};
    begin_page(&out, doc, page->name);
    markdown_to_html(&out, page->summary, &links);
    markdown_to_html(&out, page->text, &links);
    for (size_t i = 0; i < page->parts.count; i++) {
        add_part(&out, doc, &scope, &page->parts.items[i]);
    }
    end_page(&out);
    return write_file(doc, page_address(doc, page, NULL), &out);
}

/* ---- what is there beside the pages ---- */

static bool write_index(const Doc *doc) {
    TextBuilder out = {.arena = doc->arena};
    begin_page(&out, doc, doc->title ? doc->title : "Index");
    text_add(&out, "<table class=\"index\">\n");
    for (size_t i = 0; i < doc->pages.count; i++) {
        const DocPage *page = &doc->pages.items[i];
        text_add(&out, "<tr><td><a href=\"");
        add_escaped(&out, page_address(doc, page, NULL));
        text_add(&out, "\">");
        add_escaped(&out, page->name);
        text_add(&out, "</a></td><td>");
        markdown_to_html(&out, page->summary, NULL);
        text_add(&out, "</td></tr>\n");
    }
    text_add(&out, "</table>\n");
    end_page(&out);
    return write_file(doc, "index.html", &out);
}

static void add_names(const Doc *doc, const DocPage *page, json_t *names) {
    for (size_t i = 0; i < page->parts.count; i++) {
        const DocPart *part = &page->parts.items[i];
        for (size_t k = 0; k < part->items.count; k++) {
            const DocItem *item = &part->items.items[k];
            json_array_append_new(names,
                                  json_pack("[s, s, s, s%]", item->name, doc_kind_word(item->kind),
                                            page_address(doc, page, item->anchor), item->text,
                                            strcspn(item->text, "\n")));
        }
    }
}

static bool write_names(const Doc *doc) {
    json_t *names = json_array();
    for (size_t i = 0; i < doc->pages.count; i++) {
        add_names(doc, &doc->pages.items[i], names);
    }
    char *text = json_dumps(names, JSON_COMPACT);
    TextBuilder out = {.arena = doc->arena};
    text_add(&out, "const names = %s;\n", text ? text : "[]");
    return write_file(doc, "names.js", &out);
}

static bool write_sources(Doc *doc) {
    for (size_t i = 0; i < doc->pages.count; i++) {
        const DocPage *page = &doc->pages.items[i];
        for (size_t k = 0; k < page->parts.count; k++) {
            const char *path = page->parts.items[k].path;
            TextBuilder out = {.arena = doc->arena};
            begin_page(&out, doc, path);
            text_add(&out, "%s", doc_source_page(doc, path));
            end_page(&out);
            if (!write_file(doc, doc_file_name(doc, path), &out)) {
                return false;
            }
        }
    }
    return true;
}

static bool copy_file(const Doc *doc, const char *name) {
    FileText text;
    const char *from = arena_format(doc->arena, "%s/%s", doc->installation->doc_files, name);
    if (!file_read(doc->arena, from, &text)) {
        fatal("cannot read '%s':", from);
    }
    const char *to = arena_format(doc->arena, "%s/%s", doc->folder, name);
    return file_publish(doc->arena, to, text.bytes, text.length);
}

bool doc_html_write(Doc *doc) {
    bool is_good = copy_file(doc, "style.css") && copy_file(doc, "search.js") && write_index(doc) &&
                   write_names(doc) && write_sources(doc);
    for (size_t i = 0; is_good && i < doc->pages.count; i++) {
        is_good = write_page(doc, &doc->pages.items[i]);
    }
    return is_good;
}
