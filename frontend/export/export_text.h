/* export_text -- what the writers of models share: names, values.
 *
 * Owns:   how things of a skeleton are called in a model.
 * Leaves: the models to promela.h, csp.h. */
#ifndef OCCC_EXPORT_TEXT_H
#define OCCC_EXPORT_TEXT_H

#include "skeleton.h"

/* export_channel_name -- that no other has; of what it is, as far as a model allows. */
const char *export_channel_name(Arena *arena, const SkeletonChannel *channel);
const char *export_variable_name(Arena *arena, const SkeletonVariable *variable);

/* ExportWords -- operators of a language of models that others have otherwise. */
typedef struct ExportWords {
    const char *both, *either, *no; /* AND, OR; NOT, in front of what it applies to */
} ExportWords;

const char *export_value(Arena *arena, const SkeletonValue *value, const ExportWords *words);

#endif
