/* doc_markdown -- Markdown, read by md4c, as HTML and as text for man.
 *
 * Holds: the library is opened when it is needed first, so that no other command pays for it.
 *        HTML in Markdown is shown, not taken. */
#ifndef OCCC_DOC_MARKDOWN_H
#define OCCC_DOC_MARKDOWN_H

#include "text_builder.h"

#include <md4c.h>

/* markdown_parse -- md_parse of the library; fatal when that is not there. */
void markdown_parse(const char *text, const MD_PARSER *parser, void *context);

/* Where a word between ` ` leads; NULL: nowhere. */
typedef struct MarkdownLinks {
    const char *(*find)(void *context, const char *word, size_t length);
    void *context;
} MarkdownLinks;

void markdown_to_html(TextBuilder *out, const char *text, const MarkdownLinks *links);
/* doc_man_text.c */
void markdown_to_man(TextBuilder *out, const char *text);
/* man_add -- words as roff takes them. */
void man_add(TextBuilder *out, const char *words, size_t length);

#endif
