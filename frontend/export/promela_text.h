/* promela_text -- what the files share that write a model in Promela.
 *
 * Owns:   the text so far.
 * Leaves: the model to promela.h. */
#ifndef OCCC_PROMELA_TEXT_H
#define OCCC_PROMELA_TEXT_H

#include "promela.h"
#include "text_builder.h"

typedef struct Promela {
    Arena *arena;
    const Skeleton *skeleton;
    TextBuilder text;
    unsigned depth; /* of its lines */
    unsigned names; /* that have been made */
} Promela;

/* ---- promela.c ---- */
void promela_line(Promela *promela, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *promela_value(Promela *promela, const SkeletonValue *value);
/* promela_element -- `of`: what is added to the name of the array. */
const char *promela_element(Promela *promela, const SkeletonPlace *place, const char *of);
/* promela_parameters -- of the proctype; type "": of a call. */
const char *promela_parameters(Promela *promela, const SkeletonTask *task, const char *type);

/* ---- promela_step.c ---- */
void promela_steps(Promela *promela, const SkeletonSteps *steps);

#endif
