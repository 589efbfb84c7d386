/* doc_plain -- Markdown again: one text, or one for each source. See doc.h.
 *
 * Holds: what is said in one paragraph is a line of a table; what needs more has a heading below
 *        it. Constants of which nothing is said stand together. One text has each part once. */
#include "doc.h"

#include "driver_file.h"

#include <string.h>

static bool is_short(const DocItem *item) {
    return !strstr(item->text, "\n\n") && !strchr(item->heading, '\n') && !item->picture &&
           !strstr(item->text, "\n- ");
}

static bool is_silent(const DocItem *item) {
    return item->kind == DOC_VALUE && !item->text[0];
}

static void add_constants(TextBuilder *out, const DocPart *part) {
    bool is_begun = false;
    for (size_t i = 0; i < part->items.count; i++) {
        const DocItem *item = &part->items.items[i];
        if (is_silent(item)) {
            text_add(out, "%s%s\n", is_begun ? "" : "\n```\n", item->heading);
            is_begun = true;
        }
    }
    text_add(out, "%s", is_begun ? "```\n" : "");
}

/* On one line, and no bar that would end the cell. */
static void add_cell(TextBuilder *out, const char *text) {
    for (; *text; text++) {
        if (*text == '|') {
            text_add(out, "\\|");
        } else {
            text_add(out, "%c", *text == '\n' ? ' ' : *text);
        }
    }
}

static void add_table(TextBuilder *out, const DocPart *part) {
    bool is_begun = false;
    for (size_t i = 0; i < part->items.count; i++) {
        const DocItem *item = &part->items.items[i];
        if (is_short(item) && !is_silent(item)) {
            text_add(out, "%s| `", is_begun ? "" : "\n| | |\n|---|---|\n");
            add_cell(out, item->heading);
            text_add(out, "` | ");
            add_cell(out, item->text);
            text_add(out, " |\n");
            is_begun = true;
        }
    }
}

static void add_long(TextBuilder *out, const DocItem *item) {
    text_add(out, "\n**`%s`**\n\n```\n%s\n```\n", item->name, item->heading);
    if (item->text[0]) {
        text_add(out, "\n%s\n", item->text);
    }
    if (item->picture) {
        text_add(out, "\n![network of %s](%s)\n", item->name, item->picture);
    }
}

static void add_words(TextBuilder *out, const char *summary, const char *text) {
    text_add(out, "%s%s%s%s%s", *summary ? "\n" : "", summary, *summary ? "\n" : "",
             *text ? "\n" : "", text);
    text_add(out, "%s", *text ? "\n" : "");
}

static void add_part(TextBuilder *out, const DocPart *part) {
    add_constants(out, part);
    add_table(out, part);
    for (size_t i = 0; i < part->items.count; i++) {
        const DocItem *item = &part->items.items[i];
        if (!is_short(item) && !is_silent(item)) {
            add_long(out, item);
        }
    }
}

static void add_page(TextBuilder *out, const DocPage *page, const char *mark, Words *shown) {
    text_add(out, "%s %s\n", mark, page->name);
    add_words(out, page->summary, page->text);
    for (size_t i = 0; i < page->parts.count; i++) {
        const DocPart *part = &page->parts.items[i];
        if (words_have(shown, part->path)) {
            continue;
        }
        array_push(out->arena, shown, part->path);
        if (strcmp(part->path, page->path) != 0) {
            text_add(out, "\n%s# %s\n", mark, part->name);
            add_words(out, part->summary, part->text);
        }
        add_part(out, part);
    }
}

static bool write_pages(Doc *doc) {
    for (size_t i = 0; i < doc->pages.count; i++) {
        TextBuilder page = {.arena = doc->arena};
        Words shown = {0};
        add_page(&page, &doc->pages.items[i], "#", &shown);
        const char *path =
            arena_format(doc->arena, "%s/%s.md", doc->folder, doc->pages.items[i].name);
        if (!file_publish(doc->arena, path, page.items, page.count)) {
            return false;
        }
    }
    return true;
}

bool doc_plain_write(Doc *doc) {
    if (doc->folder) {
        return write_pages(doc);
    }
    TextBuilder all = {.arena = doc->arena};
    const char *mark = "#";
    Words shown = {0};
    if (doc->title) {
        text_add(&all, "# %s\n\n", doc->title);
        mark = "##";
    }
    for (size_t i = 0; i < doc->pages.count; i++) {
        text_add(&all, "%s", i ? "\n" : "");
        add_page(&all, &doc->pages.items[i], mark, &shown);
    }
    return file_publish(doc->arena, "-", all.items, all.count);
}
