/* doc -- `occc doc`: pages about what sources define, from the comments above it.
 *
 * Owns:   the command; the model, which doc_collect.c fills and doc_html.c, doc_plain.c and
 *         doc_man.c write.
 * Leaves: what a comment says as Markdown to doc_comment.c, Markdown itself to doc_markdown.h,
 *         pictures of networks to graph.h.
 * Holds:  what is defined is what the checks say; how it is written is what the source says. A
 *         source with errors has no page. */
#ifndef OCCC_DOC_H
#define OCCC_DOC_H

#include "driver.h"
#include "text_builder.h"

typedef enum DocKind { DOC_PROC, DOC_FUNCTION, DOC_PROTOCOL, DOC_TYPE, DOC_VALUE } DocKind;

typedef struct DocItem {
    DocKind kind;
    const char *name;
    const char *anchor;  /* of the page, each once */
    const char *heading; /* as it is written; of a routine without its body */
    const char *text;    /* Markdown; "": nothing is said */
    uint32_t line;
    const char *picture; /* of its network: a name in the folder of pages; NULL: none */
} DocItem;

/* What one file defines. */
typedef struct DocPart {
    const char *name;
    const char *path;
    const char *summary; /* the first sentence at its head, and the rest of that: Markdown */
    const char *text;
    ARRAY_OF(DocItem) items;
} DocPart;

/* A source of the command line; one that only brings others in has theirs as its parts. */
typedef struct DocPage {
    const char *name;
    const char *path;
    const char *summary;
    const char *text;
    ARRAY_OF(DocPart) parts;
} DocPage;

typedef struct Doc {
    Arena *arena;
    Options *options;
    const Installation *installation;
    const char *title;
    const char *folder; /* NULL: all goes to standard output, and nothing has a picture */
    bool has_pictures;
    ARRAY_OF(DocPage) pages;
} Doc;

/* doc_run -- exit status. */
int doc_run(Arena *arena, const Options *options);

/* ---- doc_collect.c ---- */
/* doc_collect -- the page of a source; false after messages. */
bool doc_collect(Doc *doc, const char *path);

/* ---- doc_comment.c ---- */
typedef struct DocComment {
    const char *module;  /* what @module calls it; NULL */
    const char *summary; /* the first sentence */
    const char *text;    /* all of it, or what follows the summary */
    bool is_internal;    /* it is not to be shown */
} DocComment;
/* doc_comment -- from lines without their dashes. is_head: the summary is apart. */
DocComment doc_comment(Arena *arena, const char *lines, bool is_head);

/* ---- the forms ---- */
bool doc_html_write(Doc *doc);  /* doc_html.c */
bool doc_plain_write(Doc *doc); /* doc_plain.c */
bool doc_man_write(Doc *doc);   /* doc_man.c */
/* doc_source_page -- the page of a source with its lines as places to go to (doc_source.c). */
const char *doc_source_page(Doc *doc, const char *path);
/* doc_file_name -- what the page of a source is called. */
const char *doc_file_name(Doc *doc, const char *path);

const char *doc_kind_word(DocKind kind);
/* doc_text -- what has been put together. */
const char *doc_text(TextBuilder *text);

#endif
