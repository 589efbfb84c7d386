/* explore_event -- what can happen next at the gate, and the list of it.
 *
 * Holds:  the order of a list is the same in all runs with the same choices before. SKIP, which a
 *         process can take again and again without any other, comes last. */
#ifndef RT_EXPLORE_EVENT_H
#define RT_EXPLORE_EVENT_H

#include "layout.h"
#include "occ/explore.h"

struct GateOp;

typedef struct GateEvent {
    struct GateOp *op;
    struct GateOp *partner; /* an ALT; NULL: a plain partner, or none */
    uint32_t guard;
    uint32_t partner_guard;
    ExploreKind kind;
    const Process *plain_partner; /* or NULL */
    const void *object;           /* or NULL */
    uint16_t alternative;
    uint16_t partner_alternative;
} GateEvent;

typedef struct EventList {
    GateEvent *items;
    uint32_t count;
    uint32_t capacity;
} EventList;

#endif
