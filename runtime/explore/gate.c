/* gate -- operations that wait for their turn. See gate.h. */
#include "gate.h"

#include "ending.h"
#include "outside.h"
#include "process.h"
#include "scheduler.h"

#include <stdlib.h>

static struct {
    GateOp *first;
    GateOp *last;
    GateOp *unused;
    EventList events;
    uint32_t number;
    const GateChooser *chooser;
} gate;

void gate_begin(const GateChooser *chooser) {
    gate.chooser = chooser;
    mode_set(&rt_root.worker, MODE_EXPLORED);
}

/* ---- operations that wait ---- */

GateOp *gate_first(void) {
    return gate.first;
}

static GateOp *new_op(void) {
    GateOp *op = gate.unused;
    if (op != NULL) {
        gate.unused = op->next;
        return op;
    }
    op = malloc(sizeof *op);
    if (op == NULL) {
        rt_fatal("exploring: out of memory", 0);
    }
    return op;
}

void gate_add(Process *process, const GateKind *kind, const GateOp *what) {
    GateOp *op = new_op();
    *op = *what;
    op->kind = kind;
    op->process = process;
    op->since = (Ticks){rt_root.time.now_us};
    op->number = ++gate.number;
    op->next = NULL;
    op->before = gate.last;
    *(gate.last != NULL ? &gate.last->next : &gate.first) = op;
    gate.last = op;
    if (gate.chooser->notes != NULL) {
        gate.chooser->notes->arrive(op);
    }
}

static void take_out(GateOp *op) {
    *(op->before != NULL ? &op->before->next : &gate.first) = op->next;
    *(op->next != NULL ? &op->next->before : &gate.last) = op->before;
}

Process *gate_park(Process *me, const GateKind *kind, const GateOp *what) {
    Worker *worker = me->worker;
    process_waits(me, what->site, what->object);
    process_carries(me, NULL); /* forget what it carried before */
    gate_add(me, kind, what);
    return rt_scheduler_next(worker);
}

/* ---- what can happen ---- */

void gate_event(const GateEvent *event) {
    EventList *events = &gate.events;
    if (events->count == events->capacity) {
        events->capacity = events->capacity == 0 ? 64 : 2 * events->capacity;
        events->items = realloc(events->items, events->capacity * sizeof *events->items);
        if (events->items == NULL) {
            rt_fatal("exploring: out of memory", 0);
        }
    }
    events->items[events->count++] = *event;
}

/* Move SKIP behind all others, which keep their order. */
static void order_events(EventList *events) {
    uint32_t kept = 0;
    uint32_t count = events->count;
    for (uint32_t i = 0; i < count; i++) {
        GateEvent event = events->items[i];
        if (event.kind == EXPLORE_SKIP) {
            gate_event(&event);
        } else {
            events->items[kept++] = event;
        }
    }
    for (uint32_t i = count; i < events->count; i++) {
        events->items[kept++] = events->items[i];
    }
    events->count = kept;
}

static void collect_events(void) {
    gate.events.count = 0;
    for (GateOp *op = gate.first; op != NULL; op = op->next) {
        op->kind->offer(op);
    }
    order_events(&gate.events);
}

/* ---- doing it ---- */

/* Like an operation that ownership.c does for another process. */
static void perform(Worker *worker, GateOp *op, const GateEvent *event) {
    Process *process = op->process;
    take_out(op);
    process->worker = worker;
    mode_set(worker, MODE_SERVING);
    Process *next = op->kind->perform(op, event);
    mode_clear(worker, MODE_SERVING);
    if (next != &worker->main_process) {
        rt_check(next == process);
        rt_scheduler_ready(worker, process);
    }
    op->next = gate.unused;
    gate.unused = op;
}

/* Of two ALTs, the partner goes first and waits. */
static void let_happen(Worker *worker, GateEvent event) {
    if (event.partner != NULL) {
        GateEvent theirs = {.op = event.partner, .guard = event.partner_guard, .kind = event.kind};
        perform(worker, event.partner, &theirs);
    }
    perform(worker, event.op, &event);
}

static void open_for_all(Worker *worker) {
    while (gate.first != NULL) {
        perform(worker, gate.first, NULL);
    }
}

/* ---- a step ---- */

/* The next time at which an operation may have another event; false: never. */
static bool next_time(Ticks *due) {
    bool is_there = false;
    for (GateOp *op = gate.first; op != NULL; op = op->next) {
        Ticks its;
        if (op->kind->wakes != NULL && op->kind->wakes(op, &its) &&
            (!is_there || its.us < due->us)) {
            *due = its;
            is_there = true;
        }
    }
    return is_there;
}

static void note_time(void) {
    if (gate.chooser->notes != NULL) {
        gate.chooser->notes->time_passes();
    }
}

/* Sleepers of the deadline queue that are due at the same time go first: this is no choice. */
static bool let_time_pass(void) {
    Ticks due = {0};
    const DeadlineQueue *deadlines = &rt_root.deadlines;
    if (!next_time(&due) ||
        (!deadline_queue_is_empty(deadlines) && deadline_queue_first(deadlines).us <= due.us)) {
        return false;
    }
    time_source_jump(&rt_root.time, due);
    note_time();
    return true;
}

/* It ends without any event. */
static bool is_call_under_way(void) {
    return atomic_get_acquire(&rt_root.outside) != 0 || atomic_get_acquire(&rt_root.inbox) != NULL;
}

bool gate_step(Worker *worker) {
    if (is_call_under_way()) { /* the events must not depend on how long it takes */
        gate.chooser->note_limit(EXPLORE_LIMIT_OUTSIDE);
        return false;
    }
    collect_events();
    if (gate.events.count > 0) {
        uint32_t chosen = gate.chooser->take(gate.events.items, gate.events.count);
        let_happen(worker, gate.events.items[chosen]);
        return true;
    }
    if (outside_has_waiter()) {
        gate.chooser->note_limit(EXPLORE_LIMIT_OUTSIDE);
        return false;
    }
    if (let_time_pass()) {
        return true;
    }
    if (deadline_queue_is_empty(&rt_root.deadlines)) {
        open_for_all(worker);
    } else {
        note_time(); /* a sleeper wakes */
    }
    return worker->head != NULL;
}

/* ---- what happens at once ---- */

static void offer_turn(GateOp *op) {
    gate_event(&(GateEvent){.op = op, .kind = (ExploreKind)op->what, .object = op->object});
}

/* The process goes on with its operation. */
static Process *take_turn(GateOp *op, const GateEvent *event) {
    (void)event;
    return op->process;
}

bool gate_use_object(const GateOp *op, uint32_t number, GateUse *use) {
    *use = (GateUse){GATE_OBJECT, op->object, (uint16_t)op->what};
    return number == 0;
}

static const GateKind turn_kind = {offer_turn, take_turn, NULL, gate_use_object};

Process *rt_gate(Process *me, void *object, int32_t kind, const Site *site) {
    if (!gate_is_on(me->worker)) {
        return me;
    }
    if (kind == EXPLORE_ASK_CLOSED) {
        gate_note_limit(me->worker, EXPLORE_LIMIT_ASKED);
    }
    return gate_park(me, &turn_kind, &(GateOp){.object = object, .site = site, .what = kind});
}

void gate_note_limit(const Worker *worker, uint32_t limit) {
    if (gate_is_on(worker)) {
        gate.chooser->note_limit(limit);
    }
}

/* ---- what others see ---- */

void gate_note_plain(const Process *me, const Channel *channel, bool is_output) {
    if (gate.chooser->notes != NULL) {
        gate.chooser->notes->plain(me, channel, is_output);
    }
}

void gate_note_meeting(const Process *me, const Process *partner) {
    if (gate.chooser->notes != NULL) {
        gate.chooser->notes->meeting(me, partner);
    }
}

void gate_note_end(const Process *process) {
    if (gate.chooser->notes != NULL) {
        gate.chooser->notes->end(process);
    }
}

void gate_note_release(const Process *holder, const void *lock) {
    if (gate.chooser->notes != NULL) {
        gate.chooser->notes->release(holder, lock);
    }
}
