/* answer -- what a document is asked, and what is answered: one file for each question.
 *
 * Leaves: when it is answered to dispatch.c.
 * Holds:  an answer comes from the survey of the text as it is now, or where that knows nothing,
 *         from the last one of a text that could be read (answer_common.c). NULL is the answer
 *         `null`; with `refusal` set the request is refused. */
#ifndef OCCC_ANSWER_H
#define OCCC_ANSWER_H

#include "server.h"

typedef struct Query {
    Arena *arena; /* as long as the answer is made */
    Server *server;
    Document *document; /* NULL: the request is about none */
    const json_t *params;
    Spot spot; /* of params.position */
    const char *refusal;
} Query;

typedef json_t *Answer(Query *query);

Answer answer_hover;
Answer answer_definition;
Answer answer_type_definition;
Answer answer_references;
Answer answer_highlights;
Answer answer_prepare_rename;
Answer answer_rename;
Answer answer_symbols;
Answer answer_workspace_symbols;
Answer answer_folding;
Answer answer_completion;
Answer answer_signature;
Answer answer_formatting;
Answer answer_tokens;
Answer answer_hints;
Answer answer_actions;
Answer answer_lenses;
Answer answer_prepare_calls;
Answer answer_incoming_calls;
Answer answer_outgoing_calls;

/* answer_tokens_legend -- the names of token types and modifiers, by number. */
json_t *answer_tokens_legend(void);

/* ---- answer_common.c ---- */

/* query_use -- what stands at the spot; NULL: no name that is known. `view` is of the survey that
 * knows it. */
const SurveyUse *query_use(const Query *query, View *view);
/* query_view -- of the latest survey; false: there is none. */
bool query_view(const Query *query, View *view);
/* query_word -- the characters of a name before the spot: how many bytes. */
size_t query_word(const Query *query, const char **start);
/* query_lookup -- the name that is seen at the spot; NULL: there is none. */
const SurveyName *query_lookup(const Query *query, const char *text, size_t length, View *view);
/* name_is_seen -- at a line of the text as it is now, whose indentation is known. */
bool name_is_seen(const Query *query, const View *view, const SurveyName *name);
/* query_location -- {"uri", "range"} of a place in a survey; NULL: it is in no file, or has
 * changed. */
json_t *query_location(const Query *query, const View *view, Location at);

/* ---- answer_references.c ---- */

/* What to do with a use; query->document is the one it stands in. */
typedef void UseVisitor(const Query *query, const View *view, const SurveyUse *use, void *context);
/* query_visit_all_uses -- of a name, in all documents that know it. */
void query_visit_all_uses(Query *query, const View *view, uint32_t name, UseVisitor *visit,
                          void *context);

bool is_name_character(char c);

#endif
