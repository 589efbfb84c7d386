/* machines -- PLACED PAR as compiled code passes it, and what the runtime asks of placements.
 *
 * Owns:   the records that codegen/process/placement.c makes; the interface to runtime/placed/,
 *         which is linked only into programs with placements: nothing else in the runtime names it.
 * Leaves: everything behind the interface to runtime/placed/.
 * Holds:  rt_root.machines is NULL in a program on one machine: there a PLACED PAR is a PAR. */
#ifndef RT_MACHINES_H
#define RT_MACHINES_H

#include "layout.h"

/* PlacedName -- a name of the environment of a PLACED PAR. */
typedef struct PlacedName {
    uint32_t offset; /* of its first value; the counts of open dimensions follow it */
    uint32_t kind;   /* PLACED_... of layout.def */
    uint32_t open;
    uint32_t size;       /* PLACED_DATA: bytes, PLACED_CHANNELS: channels; without open dimensions;
                    * PLACED_CLOCK: its place among those that the PAR enrols its branches on */
    uint32_t item_bytes; /* channels: of the first part of a message */
    uint32_t shared;     /* channels: PLACED_SHARED_... */
} PlacedName;

typedef struct PlacedPar {
    const struct Machines *machines;
    const Site *site;
    uint32_t environment_bytes; /* its Join included */
    uint32_t count;
    uint32_t survives; /* -fplaced-survive */
    uint32_t unused;
    PlacedName names[];
} PlacedPar;

/* PlacedUses -- channels that a component uses, according to its text
 * (codegen/process/placed_uses.h): that element of a name, plus the index of a replicated
 * branch. */
typedef struct PlacedUse {
    uint32_t name, is_replicated;
    int32_t added;
} PlacedUse;

typedef struct PlacedUses {
    uint32_t count;
    PlacedUse uses[];
} PlacedUses;

/* PlacedComponent -- PROCESSOR e and its process. */
typedef struct PlacedComponent {
    const PlacedPar *par;
    void *body;                  /* (me, environment, index), as of a branch */
    const uint32_t *block_bytes; /* what such a process needs */
    const Site *site;
    const PlacedUses *known; /* NULL: none, or the program does not survive */
    uint8_t uses[];          /* for each name of the PAR: 1 where the component uses it */
} PlacedComponent;

/* EndShape -- what an end of a bundle is made of. Its channels lie in sequence in the Bundle,
 * followed by the addresses of those that are elements of arrays. */
typedef struct EndField {
    uint32_t channels;
    uint32_t item_bytes; /* of the first part of a message */
    uint32_t flags;      /* END_TO_SERVER, END_ARRAY */
} EndField;

typedef struct EndShape {
    uint64_t bundle_bytes;
    uint32_t channels;
    uint32_t is_server;
    uint32_t field_count;
    EndField fields[];
} EndShape;

/* Shape -- what an owning value is made of, so that it can be sent and rebuilt elsewhere.
 * `elements` counts those of all dimensions; the open dimensions are in the object. */
typedef struct ShapePart {
    union {
        const struct Shape *shape; /* of what is there, or of the contents of the object */
        const EndShape *end;
    };
    uint32_t offset; /* in the element */
    uint32_t kind;   /* PART_... of layout.def; an address may be NULL */
} ShapePart;

typedef struct Shape {
    uint64_t bytes;    /* of an element */
    uint64_t elements; /* without open dimensions */
    uint32_t open;
    uint32_t header; /* bytes of the object before the contents */
    uint32_t part_count;
    uint32_t has_ends; /* of bundles, in it or in what it owns */
    ShapePart parts[]; /* that own something, of an element */
} Shape;

/* ShapedSite -- of an item that owns something. */
typedef struct ShapedSite {
    Site site; /* flags has SITE_SHAPED */
    const Shape *shape;
} ShapedSite;

/* PlacedRequest -- which component is to run where. */
typedef struct PlacedRequest {
    int32_t number, index;          /* of the processor, of the branch */
    struct Registration *members[]; /* of the branch, for each clock it is enrolled on */
} PlacedRequest;

/* Proxy -- for a component on another machine, the branch that waits here for its end. */
typedef struct Proxy {
    uint32_t is_done; /* compiled code looks at it */
} Proxy;

/* PlaceKey -- what a process may wait for on another machine, by a key that all machines know. */
typedef enum PlaceKind { PLACE_END, PLACE_CLAIM, PLACE_PLACEMENT, PLACE_CLOCK } PlaceKind;

typedef struct PlaceKey {
    uint64_t what, number;
} PlaceKey;

/* HeldPlace -- something here that others may wait for. Its holder: the user; else who knows the
 * channel's address, or has not arrived at the clock; else the process of the placement. */
typedef struct HeldPlace {
    PlaceKey key;
    const Process *user;
    const Channel *channel;
    const void *clock;
    const Process *placement;
} HeldPlace;

typedef struct AwaitedPlace {
    PlaceKind kind;
    const Process *process; /* NULL: it waits by a guard */
    const void *object;     /* a channel (and is_output, for a guard), Claim, Clock */
    bool is_output;
} AwaitedPlace;

typedef struct Machines {
    /* Before anything runs. False: there is one machine, and nothing below is called. */
    bool (*begin)(void);
    /* Is the program's own process on this machine? */
    bool (*is_first)(void);
    void (*end)(int status);
    /* In the world: let messages come and go. */
    void (*look)(Worker *worker);
    /* The same for a solo worker that has nothing to run. 0: something may have happened; positive:
     * ask again after so many nanoseconds; negative: no message is under way. stands_still: nothing
     * here waits for anything but messages. */
    int64_t (*idle)(Worker *worker, bool stands_still);
    /* A process is about to enter C, for any time: send all messages that are held back. */
    void (*flush)(Worker *worker);
    /* Is it the clock of a placement, in place of its parent's? */
    bool (*has_clock)(const void *clock);
    /* abi.def */
    int32_t (*ask)(Process *me, int32_t what);
    void (*scope)(Process *me, const PlacedPar *par, void *environment, int32_t begins);
    Proxy *(*run)(Process *me, const PlacedComponent *component, void *environment,
                  const PlacedRequest *request);
    Process *(*attend)(Process *me, Proxy *proxy, const Site *site);
    void (*ended)(Process *me, void *environment);
    /* For reports; everything stands still. */
    uint32_t (*number_of)(const Process *process);
    size_t (*held)(HeldPlace *places, size_t capacity); /* how many there are */
    bool (*awaited)(const AwaitedPlace *awaited, PlaceKey *key);
    /* The last holder here of an end of a bundle that is BUNDLE_IS_REMOTE has let it go. */
    void (*let_go)(Process *me, Bundle *bundle, int32_t is_server);
    /* A signal is about to end the program; everything here stands still. */
    void (*signalled)(void);
} Machines;

/* Of runtime/placed/; NULL where the program has no placements. */
extern const Machines occ_machines __attribute__((weak));

/* The Join of the root process (start.c), and of placements from other machines. */
extern Join occ_program_join;

/* abi.def */
int32_t rt_placed_ask(Process *me, void *machines, int32_t what);
void rt_placed_scope(Process *me, void *par, void *environment, int32_t begins);
void *rt_placed_run(Process *me, void *component, void *environment, void *request);
Process *rt_placed_attend(Process *me, void *proxy, const Site *site);
void rt_placed_ended(Process *me, void *environment);

#endif
