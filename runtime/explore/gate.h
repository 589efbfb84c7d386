/* gate -- where operations whose order can be seen wait for their turn.
 *
 * Owns:   the operations that have come to the gate, when it opens, doing the chosen one.
 * Leaves: which events an operation has, and doing it, to its kind (alt_gate.c, claim.c,
 *         semaphore.c); which event is taken to choice.h.
 * Holds:  nothing here is used unless the worker's mode has MODE_EXPLORED; then the program has one
 *         worker and virtual time, compiled code leaves every communication to the runtime, and no
 *         alarm rings.
 *
 * Plain inputs and outputs do not come here: nobody sees which of the two ends came first. Nor do
 * the end of a claim and arrivals at a clock: they only make more possible. An ALT, a claim, a
 * permit of a semaphore, waits and signals of a condition, CLOSE and CLOSED do. They wait here
 * without having done anything, and all other processes run until they wait too. Then every event
 * that can happen is known: a guard with a partner, a lock that is free. One is chosen and done by
 * the ordinary routines: an ALT's other guards are disabled, so it takes the chosen one. A partner
 * that has come cannot be distinguished from one that has not come yet, so every order of arrivals
 * is among the choices.
 *
 * Time goes on when no event can happen. When none ever can, all operations pass the gate and wait
 * as they would without it: the deadlock report is the ordinary one. */
#ifndef RT_GATE_H
#define RT_GATE_H

#include "explore_event.h"
#include "time_source.h"
#include "worker.h"

typedef struct GateOp GateOp;

/* What an operation uses: an end of a channel, an object by itself, something that all others may
 * change (a clock). */
typedef enum GateEnd {
    GATE_NONE,
    GATE_INPUT,
    GATE_OUTPUT,
    GATE_CLOSED,
    GATE_OBJECT,
    GATE_EVERY
} GateEnd;

typedef struct GateUse {
    GateEnd end;
    const void *object;
    uint16_t kind; /* ExploreKind */
} GateUse;

typedef struct GateKind {
    /* Report by gate_event what can happen now. */
    void (*offer)(GateOp *op);
    /* Do it for the process, as a routine of abi.def that may park. event NULL: no choice. */
    Process *(*perform)(GateOp *op, const GateEvent *event);
    /* The next time at which it may have another event; false: none. wakes NULL: never. */
    bool (*wakes)(const GateOp *op, Ticks *due);
    /* The uses of the operation, from 0 on; false: no more. */
    bool (*use)(const GateOp *op, uint32_t number, GateUse *use);
} GateKind;

struct GateOp {
    GateOp *next;
    GateOp *before;
    const GateKind *kind;
    Process *process;
    void *object;
    void *record;
    const Site *site;
    Ticks since;
    Ticks due;    /* used by the kind */
    int32_t what; /* likewise */
    uint32_t number;
};

/* Who is told about what happens: causes.h. */
typedef struct GateNotes {
    void (*arrive)(const GateOp *op);
    void (*time_passes)(void);
    void (*plain)(const Process *me, const Channel *channel, bool is_output);
    void (*meeting)(const Process *me, const Process *partner);
    void (*end)(const Process *process);
    void (*release)(const Process *holder, const void *lock);
} GateNotes;

/* Who chooses: choice.h. */
typedef struct GateChooser {
    uint32_t (*take)(const GateEvent *events, uint32_t count);
    void (*note_limit)(uint32_t limit);
    const struct GateNotes *notes; /* or NULL */
} GateChooser;

void gate_begin(const GateChooser *chooser);

/* Does the operation have to come here? Not while it is being done. */
static inline bool gate_is_on(const Worker *worker) {
    uint32_t mode = atomic_get_relaxed(&worker->mode);
    return rt_unlikely((mode & MODE_EXPLORED) != 0) && (mode & MODE_SERVING) == 0;
}

/* Park the caller here with the operation; returns the process to resume. */
Process *gate_park(Process *me, const GateKind *kind, const GateOp *what);
/* The same for a process that is parked already. */
void gate_add(Process *process, const GateKind *kind, const GateOp *what);

/* Nothing is ready: let one event happen, or time pass. False: the world outside must be waited
 * for, or nothing can ever happen. */
bool gate_step(Worker *worker);

/* abi.def: an operation whose order others can see follows; kind: ExploreKind. */
Process *rt_gate(Process *me, void *object, int32_t kind, const Site *site);
/* The order of these operations is not controlled: behaviours may be missing. EXPLORE_LIMIT_... */
void gate_note_limit(const Worker *worker, uint32_t limit);

/* In an explored program: a plain operation comes to a channel; two processes communicate; a
 * process ends; a lock is released (causes.h). */
void gate_note_plain(const Process *me, const Channel *channel, bool is_output);
void gate_note_meeting(const Process *me, const Process *partner);
void gate_note_end(const Process *process);
void gate_note_release(const Process *holder, const void *lock);

/* For kinds: add an event of this operation; the operation that came first, of all that wait. */
void gate_event(const GateEvent *event);
GateOp *gate_first(void);
/* GateKind.use for a kind that uses one `object`, as the ExploreKind `what`. */
bool gate_use_object(const GateOp *op, uint32_t number, GateUse *use);

#endif
