/* network_walk -- what the files share that make the network of a tree.
 *
 * Owns:   the state of the walk: which wires names stand for here, which values.
 * Leaves: the model to network.h.
 * Holds:  a routine is opened once for each call, but not inside of itself; so a name stands for
 *         one thing at a time, and what it stood for in the call before is overwritten. */
#ifndef OCCC_NETWORK_WALK_H
#define OCCC_NETWORK_WALK_H

#include "network.h"
#include "symbol_map.h"

typedef struct NetRef NetRef;

/* What the name of a channel, clock, end of a bundle or shared object stands for. */
struct NetRef {
    NetWire *wire;            /* NULL: a table, of parts */
    const IndexSet *first;    /* its first element in the array of the wire; NULL: any */
    const Type *type;         /* of what it stands for */
    int64_t length;           /* of its first dimension; -1: not known */
    const char *subscript;    /* as written, or "" */
    ARRAY_OF(NetRef *) parts; /* of a table */
};

/* What is known of a PROC before it is opened. */
typedef struct ProcFacts {
    bool has_processes; /* it or what it calls */
    bool is_separate;   /* its text is elsewhere: its formals say what is known */
    bool is_plain;      /* its formals say all: it is opened once in a box, for its places */
    const NetBox *opened_in;
    bool is_open; /* the walk is inside of it */
} ProcFacts;

typedef struct NetHub {
    const Type *type;
    NetWire *wire;
} NetHub;

typedef struct NetWalk {
    Network *network;
    Arena *arena;
    SourceMap *sources;
    NetBox *box; /* whose text it is */
    SYMBOL_MAP_OF(NetRef) refs;
    SYMBOL_MAP_OF(const IndexSet) values;
    SYMBOL_MAP_OF(ProcFacts) facts;
    ARRAY_OF(NetHub) hubs; /* of the ends of bundles that moved out of sight */
    size_t steps;
} NetWalk;

/* ---- network_value.c ---- */
/* network_value -- which values an expression has here; NULL: any. */
const IndexSet *network_value(NetWalk *walk, const Node *expression);
void network_set_value(NetWalk *walk, const Symbol *symbol, const IndexSet *values);
/* network_text -- as it is written, or its value where there is one. */
const char *network_text(NetWalk *walk, const Node *expression, const IndexSet *values);

/* ---- network_ref.c ---- */
/* network_connects -- is it a type of what connects processes, or of an array of that? */
bool network_connects(const Type *type);
/* network_declare -- a wire of that type, of its own. */
NetRef *network_declare(NetWalk *walk, const Text *name, const Type *type, Location at);
/* network_refer -- what the element stands for; NULL: nothing that connects. */
NetRef *network_refer(NetWalk *walk, const Node *element);
void network_bind(NetWalk *walk, const Symbol *symbol, NetRef *ref);
/* network_use -- the process uses it so, at that place; a channel without a direction in both. */
void network_use(NetWalk *walk, const NetRef *ref, Direction direction, Location at);
/* network_direction -- of an element of that type, that of its channel or bundle. */
Direction network_direction(const Type *type);
/* network_lose -- the end goes where no walk can follow it. */
void network_lose(NetWalk *walk, const NetRef *ref);

/* ---- network_call.c ---- */
const Node *network_routine(const Symbol *callee); /* its PROC, or NULL */
void network_walk_call(NetWalk *walk, Node *call);
void network_walk_fork(NetWalk *walk, Node *fork);

/* ---- network_walk.c ---- */
/* network_is_exchange -- a PAR of single inputs, outputs and assignments: what a process does at
 * once, not processes of their own. */
bool network_is_exchange(const Node *par);
void network_walk(NetWalk *walk, Node *node);

#endif
