/* doc_man_text -- Markdown as roff, with the macros of man(7). See doc_markdown.h. */
#include "doc_markdown.h"

#include <string.h>

typedef struct ManWriter {
    TextBuilder *out;
    unsigned list_depth;
    bool is_item; /* its first paragraph has no break before it */
    bool is_code;
} ManWriter;

static bool begins_line(const TextBuilder *out) {
    return out->count == 0 || out->items[out->count - 1] == '\n';
}

static void end_line(TextBuilder *out) {
    if (!begins_line(out)) {
        text_add(out, "\n");
    }
}

void man_add(TextBuilder *out, const char *words, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (begins_line(out) && (words[i] == '.' || words[i] == '\'')) {
            text_add(out, "\\&%c", words[i]);
        } else if (words[i] == '\\') {
            text_add(out, "\\e");
        } else if (words[i] == '-') {
            text_add(out, "\\-");
        } else {
            text_add(out, "%c", words[i]);
        }
    }
}

static void enter_list(ManWriter *writer) {
    if (writer->list_depth++) {
        text_add(writer->out, ".RS 4\n");
    }
}

static void leave_list(ManWriter *writer) {
    if (--writer->list_depth) {
        text_add(writer->out, ".RE\n");
    }
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context) {
    ManWriter *writer = context;
    (void)detail;
    end_line(writer->out);
    if (type == MD_BLOCK_P && !writer->is_item) {
        text_add(writer->out, ".PP\n");
    } else if (type == MD_BLOCK_CODE) {
        text_add(writer->out, ".PP\n.RS 4\n.nf\n");
        writer->is_code = true;
    } else if (type == MD_BLOCK_H) {
        text_add(writer->out, ".SS ");
    } else if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) {
        enter_list(writer);
    } else if (type == MD_BLOCK_LI) {
        text_add(writer->out, ".IP \\(bu 3\n");
    } else if (type == MD_BLOCK_TR) {
        text_add(writer->out, ".br\n");
    }
    writer->is_item = type == MD_BLOCK_LI;
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context) {
    ManWriter *writer = context;
    (void)detail;
    if (type == MD_BLOCK_TD || type == MD_BLOCK_TH) {
        text_add(writer->out, "  ");
        return 0;
    }
    end_line(writer->out);
    if (type == MD_BLOCK_CODE) {
        text_add(writer->out, ".fi\n.RE\n");
        writer->is_code = false;
    } else if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) {
        leave_list(writer);
    }
    return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context) {
    ManWriter *writer = context;
    (void)detail;
    if (type == MD_SPAN_EM || type == MD_SPAN_STRONG || type == MD_SPAN_CODE) {
        text_add(writer->out, type == MD_SPAN_EM ? "\\fI" : "\\fB");
    }
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *context) {
    ManWriter *writer = context;
    if (type == MD_SPAN_A) {
        const MD_ATTRIBUTE *href = &((const MD_SPAN_A_DETAIL *)detail)->href;
        text_add(writer->out, " (");
        man_add(writer->out, href->text, href->size);
        text_add(writer->out, ")");
    } else if (type == MD_SPAN_EM || type == MD_SPAN_STRONG || type == MD_SPAN_CODE) {
        text_add(writer->out, "\\fR");
    }
    return 0;
}

static int add_words(MD_TEXTTYPE type, const MD_CHAR *words, MD_SIZE size, void *context) {
    ManWriter *writer = context;
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
        text_add(writer->out, type == MD_TEXT_BR ? "\n.br\n" : "\n");
    } else {
        man_add(writer->out, words, size);
    }
    return 0;
}

void markdown_to_man(TextBuilder *out, const char *text) {
    static const MD_PARSER parser = {.flags = MD_FLAG_NOHTML | MD_FLAG_TABLES,
                                     .enter_block = enter_block,
                                     .leave_block = leave_block,
                                     .enter_span = enter_span,
                                     .leave_span = leave_span,
                                     .text = add_words};
    ManWriter writer = {.out = out};
    end_line(out);
    markdown_parse(text, &parser, &writer);
    end_line(out);
}
