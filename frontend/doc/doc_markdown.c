/* doc_markdown -- opening md4c, and HTML. See the header. */
#include "doc_markdown.h"

#include "diag.h"

#include <dlfcn.h>
#include <string.h>

#define LIBRARY "libmd4c.so.0"

typedef int (*Parse)(const MD_CHAR *, MD_SIZE, const MD_PARSER *, void *);

void markdown_parse(const char *text, const MD_PARSER *parser, void *context) {
    void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL); /* the same each time */
    void *address = library ? dlsym(library, "md_parse") : NULL;
    Parse parse;
    if (!address) {
        fatal("'occc doc' needs " LIBRARY ", which is not installed (Debian: apt install "
              "libmd4c0)");
    }
    memcpy(&parse, &address, sizeof parse);
    if (parse(text, (MD_SIZE)strlen(text), parser, context) != 0) {
        fatal("a comment is too large for " LIBRARY);
    }
}

/* ---- HTML ---- */

typedef struct HtmlWriter {
    TextBuilder *out;
    const MarkdownLinks *links;
    TextBuilder code; /* of a span, until it ends */
    bool is_code_span;
} HtmlWriter;

static const char *const block_tags[] = {
    [MD_BLOCK_DOC] = NULL,      [MD_BLOCK_QUOTE] = "blockquote",
    [MD_BLOCK_UL] = "ul",       [MD_BLOCK_OL] = "ol",
    [MD_BLOCK_LI] = "li",       [MD_BLOCK_HR] = NULL,
    [MD_BLOCK_H] = NULL,        [MD_BLOCK_CODE] = NULL,
    [MD_BLOCK_HTML] = NULL,     [MD_BLOCK_P] = "p",
    [MD_BLOCK_TABLE] = "table", [MD_BLOCK_THEAD] = "thead",
    [MD_BLOCK_TBODY] = "tbody", [MD_BLOCK_TR] = "tr",
    [MD_BLOCK_TH] = "th",       [MD_BLOCK_TD] = "td",
};

/* Headings of a comment lie below those of the page. */
static unsigned heading_level(const void *detail) {
    unsigned level = ((const MD_BLOCK_H_DETAIL *)detail)->level + 3;
    return level > 6 ? 6 : level;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context) {
    HtmlWriter *writer = context;
    if (type == MD_BLOCK_CODE) {
        text_add(writer->out, "<pre><code>");
    } else if (type == MD_BLOCK_H) {
        text_add(writer->out, "<h%u>", heading_level(detail));
    } else if (type == MD_BLOCK_HR) {
        text_add(writer->out, "<hr>\n");
    } else if (block_tags[type]) {
        text_add(writer->out, "<%s>", block_tags[type]);
    }
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context) {
    HtmlWriter *writer = context;
    if (type == MD_BLOCK_CODE) {
        text_add(writer->out, "</code></pre>\n");
    } else if (type == MD_BLOCK_H) {
        text_add(writer->out, "</h%u>\n", heading_level(detail));
    } else if (block_tags[type]) {
        text_add(writer->out, "</%s>\n", block_tags[type]);
    }
    return 0;
}

/* Only to places that a page may lead to. */
static bool is_safe_link(const MD_ATTRIBUTE *href) {
    static const char *const starts[] = {"http://", "https://", "mailto:", "#"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        size_t length = strlen(starts[i]);
        if (href->size >= length && strncmp(href->text, starts[i], length) == 0) {
            return true;
        }
    }
    return !memchr(href->text, ':', href->size);
}

static void add_link(HtmlWriter *writer, const MD_ATTRIBUTE *href) {
    text_add(writer->out, "<a href=\"");
    if (is_safe_link(href)) {
        text_add_escaped(writer->out, href->text, href->size, false);
    }
    text_add(writer->out, "\">");
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context) {
    HtmlWriter *writer = context;
    if (type == MD_SPAN_CODE) {
        writer->is_code_span = true;
        writer->code.count = 0;
    } else if (type == MD_SPAN_EM || type == MD_SPAN_STRONG) {
        text_add(writer->out, type == MD_SPAN_EM ? "<em>" : "<strong>");
    } else if (type == MD_SPAN_A) {
        add_link(writer, &((const MD_SPAN_A_DETAIL *)detail)->href);
    }
    return 0;
}

static void end_code(HtmlWriter *writer) {
    const TextBuilder *code = &writer->code;
    const char *target = writer->links
                             ? writer->links->find(writer->links->context, code->items, code->count)
                             : NULL;
    if (target) {
        text_add(writer->out, "<a href=\"");
        text_add_escaped(writer->out, target, strlen(target), false);
        text_add(writer->out, "\">");
    }
    text_add(writer->out, "<code>");
    text_add_escaped(writer->out, code->items, code->count, false);
    text_add(writer->out, "</code>%s", target ? "</a>" : "");
    writer->is_code_span = false;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *context) {
    HtmlWriter *writer = context;
    (void)detail;
    if (type == MD_SPAN_CODE) {
        end_code(writer);
    } else if (type == MD_SPAN_EM || type == MD_SPAN_STRONG) {
        text_add(writer->out, type == MD_SPAN_EM ? "</em>" : "</strong>");
    } else if (type == MD_SPAN_A) {
        text_add(writer->out, "</a>");
    }
    return 0;
}

static int add_words(MD_TEXTTYPE type, const MD_CHAR *words, MD_SIZE size, void *context) {
    HtmlWriter *writer = context;
    if (writer->is_code_span) {
        text_add(&writer->code, "%.*s", (int)size, words);
    } else if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
        text_add(writer->out, type == MD_TEXT_BR ? "<br>\n" : "\n");
    } else if (type == MD_TEXT_ENTITY) {
        text_add(writer->out, "%.*s", (int)size, words);
    } else {
        text_add_escaped(writer->out, words, size, false);
    }
    return 0;
}

void markdown_to_html(TextBuilder *out, const char *text, const MarkdownLinks *links) {
    static const MD_PARSER parser = {.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES,
                                     .enter_block = enter_block,
                                     .leave_block = leave_block,
                                     .enter_span = enter_span,
                                     .leave_span = leave_span,
                                     .text = add_words};
    HtmlWriter writer = {.out = out, .links = links, .code = {.arena = out->arena}};
    markdown_parse(text, &parser, &writer);
}
