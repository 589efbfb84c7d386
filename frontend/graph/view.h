/* view -- what of a network is drawn, so that it can be read: processes alike are folded into one,
 * and from some depth on boxes are closed.
 *
 * Leaves: how it looks to graph_dot.c.
 * Holds:  one arrow goes from a box to another, whatever number of channels it stands for; a wire
 *         that would need more arrows than it has ends is a bar of its own, and so is each clock.
 */
#ifndef OCCC_VIEW_H
#define OCCC_VIEW_H

#include "network.h"

/* Channels (or bundles) from a box to another. */
typedef struct ViewArrow {
    NetBox *from;
    NetBox *to;
    WireKind kind;
    bool is_shared;
    bool is_mobile;
    uint64_t messages;             /* of the busiest of its wires */
    ARRAY_OF(const char *) labels; /* each once */
} ViewArrow;

typedef struct ViewSpoke {
    NetBox *box;
    Direction direction; /* output: towards the bar */
} ViewSpoke;

/* A wire that is drawn by itself, in the box that holds all its ends. */
typedef struct ViewBar {
    NetWire *wire;
    NetBox *within; /* NULL: beside the whole */
    ARRAY_OF(ViewSpoke) spokes;
} ViewBar;

typedef struct View {
    Network *network;
    unsigned depth; /* of the deepest boxes that are drawn */
    bool *is_drawn; /* by NetBox.id */
    bool *is_open;  /* its children are drawn */
    ARRAY_OF(ViewArrow *) arrows;
    ARRAY_OF(ViewBar *) bars;
} View;

/* view_make -- down to `depth`; 0: as deep as can be read. */
View *view_make(Network *network, unsigned depth);
/* view_is_crowded -- so many boxes beside each other that no folding helps. */
bool view_is_crowded(const View *view);
/* view_hidden -- how many processes are in a box that is drawn closed. */
size_t view_hidden(const View *view, const NetBox *box);

#endif
