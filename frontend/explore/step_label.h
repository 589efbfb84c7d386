/* step_label -- a step of a behaviour in words.
 *
 * Owns:   the form of labels: what is done, by the text of the guard or the name of what is claimed,
 *         and where: `get[i] ! value (13:9, guard 3, with 7:9)`.
 * Holds:  steps with one label are done at one place, with the guard of one position, by the process
 *         of one value of the innermost replicated PAR. */
#ifndef OCCC_STEP_LABEL_H
#define OCCC_STEP_LABEL_H

#include "array.h"
#include "explore.h"
#include "occ/explore.h"

/* StepObject -- one of those that have that name. */
typedef struct StepObject {
    const char *name;
    uint64_t address;
} StepObject;

typedef struct StepLabels {
    Arena *arena;
    const ExploreRegion *region;
    const ExploreBounds *bounds;
    const char *source;                /* its path is left out */
    bool has_positions[EXPLORE_SITES]; /* of an ALT with more guards than alternatives */
    ARRAY_OF(StepObject) objects;
} StepLabels;

/* step_label_see -- all events, before the first label. */
void step_label_see(StepLabels *labels, const ExploreEvent *event);
const char *step_label(const StepLabels *labels, const ExploreEvent *event);

#endif
