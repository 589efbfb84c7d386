/* evaluation -- what evaluating an expression does, for all passes.
 *
 * Owns:   the walk over all that is evaluated when an expression is, or when an element is chosen:
 *         which objects are used and how, which routines are called, what is evaluated repeatedly
 *         or only under a condition.
 * Leaves: what that means to the pass: how parts of objects are told apart, what a routine does.
 * Holds:  a constant is not evaluated, nor is an operand of which only the type matters: that of
 *         SIZE and BYTESIN where the type tells the size (language.md 1.6, 3.3). Elsewhere those
 *         evaluate the subscripts and bounds of the operand, and read no contents. Code generation
 *         does the same. The only switch is exhaustive: a new kind of node does not build until it
 *         has its place. */
#ifndef OCCC_EVALUATION_H
#define OCCC_EVALUATION_H

#include "ast.h"

typedef enum ObjectUse {
    OBJECT_READ,     /* the contents */
    OBJECT_MOVED,    /* the contents, which leave it */
    OBJECT_MEASURED, /* SIZE or BYTESIN of a mobile: whether it is defined, and how large */
    OBJECT_ASKED,    /* the same, by DEFINED */
    OBJECT_PHASE,    /* the phase of a clock */
    OBJECT_END       /* an END: CLOSED asks its channel, a table holds it */
} ObjectUse;

/* What a pass does at each event; `context` is what the pass gave. */
typedef struct Evaluation {
    /* the element, whose subscripts have been evaluated, is used */
    void (*use)(void *context, const Node *element, ObjectUse use);
    /* a FUNCTION or a user's operator is called: its actuals have not been evaluated */
    void (*call)(void *context, const Node *call, const Symbol *callee, const NodeList *actuals);
    /* what follows, until `ends`, is evaluated for each index; base, count and step were before */
    void (*repeat)(void *context, const Node *replicator, bool ends);
    /* what follows, until `ends`, is evaluated only if the left operand of AND or OR lets it */
    void (*condition)(void *context, const Node *chain, bool ends);
    /* a VALOF: its specifications, process and results are the pass's own */
    void (*valof)(void *context, const Node *valof);
} Evaluation;

/* evaluate_value -- the events of evaluating the expression. */
void evaluate_value(const Evaluation *events, void *context, const Node *expression);

/* evaluate_choice -- those of choosing the element, without a use of it: subscripts, bounds. */
void evaluate_choice(const Evaluation *events, void *context, const Node *element);

#endif
