/* document -- a text that the editor holds, and what is known of it.
 *
 * Owns:   the text, its version, the survey of it and the last survey of a text that could be read.
 * Leaves: making surveys to analysis.h.
 * Holds:  a survey belongs to the text it was made of, which is kept with it; a place in the text
 *         as it is now corresponds to one there as long as it is not in the lines that changed. */
#ifndef OCCC_DOCUMENT_H
#define OCCC_DOCUMENT_H

#include "array.h"
#include "position.h"
#include "survey.h"

/* Reading -- a survey and its text. */
typedef struct Reading {
    Arena *arena; /* holds both */
    const Survey *survey;
    Lines lines;
    unsigned users;
} Reading;

typedef struct Document {
    Arena *arena;
    const char *uri;
    const char *path;
    json_int_t version;
    Arena *text_arena;
    Lines lines;
    Reading *latest;   /* NULL: none so far */
    Reading *whole;    /* the last of a text that could be read; NULL: there was none */
    bool is_current;   /* `latest` is of the text as it is now, and of those it includes */
    bool has_failed;   /* the analysis of this text came to no end */
    const char *sizes; /* of its routines, a line each: name, stack, process; NULL: not known */
    Arena *sizes_arena;
    bool wants_sizes; /* it was opened or saved since they were made */
    bool is_closed;   /* the editor does not show it: the text is that of the disk (workspace.c) */
} Document;

typedef ARRAY_OF(Document *) Documents;

Document *document_open(const char *uri, json_int_t version, const char *text, size_t length);
void document_close(Document *document);
/* document_change -- a ContentChange of the protocol. */
void document_change(Document *document, const json_t *change);
/* document_take -- a survey of the text as it is now. */
void document_take(Document *document, Reading *reading);
Document *documents_find(const Documents *documents, const char *uri);
/* documents_find_any -- also one that the editor does not show. */
Document *documents_find_any(const Documents *documents, const char *uri);
Document *documents_at_path(const Documents *documents, const char *path);
/* document_reads -- its text includes or uses that file. */
bool document_reads(const Document *document, const char *path);

Reading *reading_create(Arena *arena, const Survey *survey, const Lines *lines);

/* View -- a reading, seen from the text as it is now. */
typedef struct View {
    const Reading *reading;
    const Survey *survey;
    uint32_t head; /* lines that are the same at the beginning */
    uint32_t tail; /* and at the end */
    uint32_t now;  /* lines now */
    uint32_t then;
} View;

View view_of(const Document *document, const Reading *reading);
/* view_line_then -- the line of the reading's text that corresponds; 0: it has changed. */
uint32_t view_line_then(const View *view, uint32_t line);
uint32_t view_line_now(const View *view, uint32_t line);
/* view_near -- view_line_then, and for changed lines the last one before them. */
uint32_t view_near(const View *view, uint32_t line);
/* view_now -- a place in the reading's text, as it is now; false: it has changed. */
bool view_now(const View *view, Location *at);

/* uri_path, path_uri -- of a file; what is no file is its own path. */
const char *uri_path(Arena *arena, const char *uri);
const char *path_uri(Arena *arena, const char *path);

#endif
