/* csp_text -- what the files share that write a model in CSPm.
 *
 * Owns:   names of events, values.
 * Leaves: the model to csp.h. */
#ifndef OCCC_CSP_TEXT_H
#define OCCC_CSP_TEXT_H

#include "csp.h"
#include "text_builder.h"

/* CspUse -- a task inputs from a channel, or outputs to it. */
typedef struct CspUse {
    unsigned task;
    const SkeletonPlace *place;
    bool is_output;
} CspUse;
typedef ARRAY_OF(CspUse) CspUses;

typedef struct Csp {
    Arena *arena;
    const Skeleton *skeleton;
    const SkeletonTask *task;      /* that is being written */
    unsigned names;                /* that have been made */
    const char *system;            /* the program with its locks */
    CspUses uses;                  /* of all tasks */
    ARRAY_OF(const char *) events; /* in which two tasks meet */
    const int64_t *turns; /* of each variable, how many values from 0 it has; 0: not known */
} Csp;

/* ---- csp.c ---- */
const char *csp_value(Csp *csp, const SkeletonValue *value);
/* csp_event -- of a message; tag 0: any, when it is an input. */
const char *csp_event(Csp *csp, const SkeletonPlace *place, bool is_output, int64_t tag);
/* csp_answer -- of the answer to a message; NULL: there is none. */
const char *csp_answer(Csp *csp, const SkeletonPlace *place, bool is_output);
const char *csp_task_call(Csp *csp, const SkeletonTask *task);
const char *csp_lock(Csp *csp, const SkeletonStep *claim, const char *what);

/* ---- csp_event_set.c ---- */
/* csp_collect -- uses, and of each variable how many values it has. */
void csp_collect(Csp *csp);
/* csp_partners -- the numbers of the tasks that do the other thing there. */
const char *csp_partners(Csp *csp, const SkeletonChannel *channel, bool of_output);
/* csp_lonely -- the events that nobody else takes part in, so that they never happen; once all
 * interfaces are written. */
const char *csp_lonely(Csp *csp);
/* csp_interface -- the events in which branch `first` of the PAR and one behind it take part. */
const char *csp_interface(Csp *csp, const SkeletonStep *par, size_t first);

/* ---- csp_step.c ---- */
/* csp_steps -- from that one on. */
const char *csp_steps(Csp *csp, const SkeletonSteps *steps, size_t first);

#endif
