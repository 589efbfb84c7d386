/* doc_man -- a page of the manual (section 3) for each source. See doc.h. */
#include "doc.h"
#include "doc_markdown.h"

#include "driver_file.h"
#include "version.h"

#include <ctype.h>
#include <string.h>

static void add_string(TextBuilder *out, const char *words) {
    man_add(out, words, strlen(words));
}

static void add_title(TextBuilder *out, const DocPage *page) {
    text_add(out, ".\\\" made by occc doc\n.TH \"");
    for (const char *at = page->name; *at; at++) {
        text_add(out, "%c", toupper((unsigned char)*at));
    }
    text_add(out, "\" 3 \"\" \"occc " OCCC_VERSION "\"\n.SH NAME\n");
    add_string(out, page->name);
    text_add(out, " \\- ");
    size_t length = strlen(page->summary);
    length -= length && page->summary[length - 1] == '.';
    man_add(out, length ? page->summary : page->name, length ? length : strlen(page->name));
    text_add(out, "\n");
}

static void add_item(TextBuilder *out, const DocItem *item) {
    text_add(out, ".PP\n.nf\n\\fB");
    for (const char *at = item->heading; *at; at++) { /* a font lasts for a line here */
        man_add(out, at, 1);
        text_add(out, "%s", *at == '\n' ? "\\fB" : "");
    }
    text_add(out, "\\fR\n.fi\n");
    if (item->text[0]) {
        text_add(out, ".RS 4\n");
        markdown_to_man(out, item->text);
        text_add(out, ".RE\n");
    }
}

static void add_part(TextBuilder *out, const DocPage *page, const DocPart *part) {
    if (strcmp(part->path, page->path) != 0) {
        text_add(out, ".SS \"");
        add_string(out, part->name);
        text_add(out, "\"\n");
        markdown_to_man(out, part->summary);
        markdown_to_man(out, part->text);
    }
    for (size_t i = 0; i < part->items.count; i++) {
        add_item(out, &part->items.items[i]);
    }
}

static void add_page(TextBuilder *out, const DocPage *page) {
    add_title(out, page);
    if (page->text[0]) {
        text_add(out, ".SH DESCRIPTION\n");
        markdown_to_man(out, page->text);
    }
    text_add(out, ".SH DEFINITIONS\n");
    for (size_t i = 0; i < page->parts.count; i++) {
        add_part(out, page, &page->parts.items[i]);
    }
}

bool doc_man_write(Doc *doc) {
    TextBuilder all = {.arena = doc->arena};
    for (size_t i = 0; i < doc->pages.count; i++) {
        const DocPage *page = &doc->pages.items[i];
        add_page(&all, page);
        if (doc->folder) {
            const char *path = arena_format(doc->arena, "%s/%s.3", doc->folder, page->name);
            if (!file_publish(doc->arena, path, all.items, all.count)) {
                return false;
            }
            all.count = 0;
        }
    }
    return doc->folder || file_publish(doc->arena, "-", all.items, all.count);
}
