/* first_walk -- what the files about the first use of a variable share: see first_use.c. */
#ifndef OCCC_FIRST_WALK_H
#define OCCC_FIRST_WALK_H

#include "first_part.h"

/* Walk -- for one variable; the part that is tracked changes on the way. */
typedef struct Walk {
    Emitter *emitter;
    Part *part;
    unsigned depth;  /* of calls */
    size_t values;   /* seen in lists so far: with too many, one counts as a read */
    unsigned visits; /* of processes so far; after too many, the variable counts as read */
} Walk;

/* ---- first_use.c ---- */
void first_walk(Walk *walk, Node *process);
/* first_walk_each -- one after the other. */
void first_walk_each(Walk *walk, const NodeList *processes);
/* first_specifications -- those from `first` on. An alias of the part stays until the caller
 * restores the one before. */
void first_specifications(Walk *walk, const NodeList *specs, size_t first);
/* first_walk_valof -- its process and results. */
void first_walk_valof(Walk *walk, const Node *valof);

/* ---- first_value.c ---- */
/* first_read -- the value, if not NULL, is evaluated. first_choose -- the element is chosen. */
void first_read(Walk *walk, const Node *value);
void first_read_each(Walk *walk, const NodeList *values); /* too many of them: a read */
void first_choose(Walk *walk, const Node *element);
/* first_call -- the routine runs, with what it uses from outside. */
void first_call(Walk *walk, const Symbol *routine);
void first_fail_if_named(Walk *walk, Node *text);

/* ---- first_loop.c ---- */
/* first_walk_loop -- is_sequence: the bodies run one after the other. */
void first_walk_loop(Walk *walk, const Node *replicator, const NodeList *body, bool is_sequence);

/* ---- first_call.c ---- */
void first_walk_call(Walk *walk, Node *call);

#endif
