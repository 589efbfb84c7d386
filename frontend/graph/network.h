/* network -- the static network of a program: processes as boxes, what connects them as wires.
 *
 * Owns:   the model, and how it grows; network_walk.c fills it from a checked tree.
 * Leaves: which boxes are drawn to view.h; how to graph_dot.c, graph_json.c.
 * Holds:  a box is a process of the text, or all those of a replicated PAR; its children are the
 *         processes of the PARs in it. Only boxes without children have ends, once
 *         network_separate has run: what a process with children does itself is a child, too. */
#ifndef OCCC_NETWORK_H
#define OCCC_NETWORK_H

#include "index_set.h"

#include "ast.h"
#include "compiler.h"

typedef enum BoxKind {
    BOX_CALL,   /* a component that is a call of a PROC, or such a call with processes inside */
    BOX_PART,   /* any other component of a PAR */
    BOX_FORK,   /* a FORK: there may be any number of them */
    BOX_REST,   /* what a process with children does itself */
    BOX_OUTSIDE /* who holds the other end of a formal of the whole */
} BoxKind;

typedef struct NetWire NetWire;
typedef struct NetBox NetBox;

/* What a process does on a wire. */
typedef struct NetEnd {
    NetBox *box;
    NetWire *wire;
    Direction direction;       /* NONE: of a clock or an object that processes share */
    const IndexSet *elements;  /* of an array of channels; NULL: any */
    const char *subscript;     /* as written, "[i + 1]", or NULL */
    ARRAY_OF(Location) places; /* of its inputs or outputs */
    const bool *sites;         /* those of a run that are at these places (graph_count.c) */
} NetEnd;

struct NetBox {
    uint32_t id;
    BoxKind kind;
    const char *title;
    Location at;
    NetBox *parent; /* NULL: the whole, and what is outside */
    ARRAY_OF(NetBox *) children;
    ARRAY_OF(NetEnd *) ends;
    const char *count_text; /* of a replicated PAR: "8", "n"; NULL: there is one */
    int64_t count;          /* 0: not known */
    bool is_recursive;      /* its PROC is among those around it: not opened again */
    bool is_closed;         /* not opened: the network is too large */
    bool is_separate;       /* its text is in another unit */
    const Node *call;       /* the call that it is */
    uint32_t depth;
    const char *folded_text;   /* view.c: how many alike were folded into this one; or NULL */
    NetBox *folded_into;       /* view.c: drawn as that one, or NULL */
    const struct Symbol *proc; /* whose text it runs; NULL: of the box around it */
};

typedef enum WireKind {
    WIRE_CHANNEL,
    WIRE_BUNDLE, /* a CHAN TYPE: output is its client */
    WIRE_CLOCK,
    WIRE_BARRIER,
    WIRE_OBJECT /* MUTEX and the types of module sync */
} WireKind;

struct NetWire {
    uint32_t id;
    WireKind kind;
    const char *name;
    const char *type; /* its protocol, or the name of its type */
    Location at;
    bool is_shared;
    bool is_array;
    bool is_mobile;     /* its ends move: who holds them is found only when the program runs */
    const char *extent; /* "[8]" of an array; or "" */
    NetWire *joined;    /* its ends are those of that one, or NULL */
    ARRAY_OF(NetEnd *) ends;
};

/* Messages of a run, from one place to another: indices of the places of a trace; -1: not known,
 * which is the world outside. */
typedef struct NetTraffic {
    ptrdiff_t output;
    ptrdiff_t input;
    uint64_t messages;
} NetTraffic;

typedef struct Network {
    Arena *arena;
    NetBox *whole;
    ARRAY_OF(NetBox *) boxes; /* parents before children */
    ARRAY_OF(NetWire *) wires;
    bool is_complete; /* false: it was too large to open everything */
    ARRAY_OF(NetTraffic) traffic;
} Network;

/* network_make -- of the PROC `root` and all that it calls; NULL when that has no text here. */
Network *network_make(Compiler *compiler, Symbol *root);

NetBox *network_add_box(Network *network, NetBox *parent, BoxKind kind, const char *title,
                        Location at);
NetWire *network_add_wire(Network *network, WireKind kind, const char *name, const char *type,
                          Location at);
/* network_connect -- one end for each box, wire and direction: further uses are added to it. */
NetEnd *network_connect(Network *network, NetBox *box, NetWire *wire, Direction direction,
                        const IndexSet *elements);
/* network_join -- of mobile ends that come together: one wire of the two. */
void network_join(NetWire *wire, NetWire *with);
/* network_messages -- of a run, from the places of one end to those of another. */
uint64_t network_messages(const Network *network, const NetEnd *from, const NetEnd *to);
/* network_separate -- the ends of processes with children go to a child of their own. */
void network_separate(Network *network);

#endif
