/* refactor -- actions that are more than a fix-it; see answer_refactor.c and answer_declare.c. */
#ifndef OCCC_REFACTOR_H
#define OCCC_REFACTOR_H

#include "answer.h"

/* offer_parallel -- for the SEQ in this line, if it is one. */
void offer_parallel(Query *query, json_t *list, uint32_t line);
/* offer_extraction -- for whole lines of one block. */
void offer_extraction(Query *query, const View *view, json_t *list, uint32_t first, uint32_t last);
/* offer_declaration -- for a diagnostic about a name that is not declared. */
void offer_declaration(Query *query, const View *view, json_t *list, const json_t *diagnostic);
/* offer_direction -- for the formal channel at the spot that says none. */
void offer_direction(Query *query, json_t *list, Spot spot);

#endif
