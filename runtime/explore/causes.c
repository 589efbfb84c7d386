/* causes -- sets of steps. See causes.h. */
#include "causes.h"

#include "backtrace.h"
#include "ending.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64 };

/* Entry -- the first member of everything in a Table. */
typedef struct Entry {
    const void *key;
} Entry;

/* Table -- entries by the address of what they describe: open addressing. */
typedef struct Table {
    Entry **entries; /* NULL: free */
    uint32_t count, capacity;
} Table;

typedef struct StepSet {
    uint64_t *words;
    uint32_t count;
} StepSet;

/* History -- of a process: its causes now, and those when the last event had happened. */
typedef struct History {
    Entry entry; /* of a Process */
    StepSet now;
    StepSet before;
    uint32_t period;
} History;

/* Use -- of a channel or object by the operation of a step. */
typedef struct Use {
    uint32_t step;
    uint16_t kind;
    uint16_t end; /* GateEnd; for an ALT also those of guards not taken */
} Use;

typedef struct Uses {
    Entry entry;                      /* of the channel or object */
    StepSet past[EXPLORE_KIND_COUNT]; /* events of that kind at the object, and their causes */
    Use *items;
    uint32_t count;
    uint32_t capacity;
} Uses;

static struct {
    void (*race)(uint32_t step, uint32_t first);
    Table histories;
    Table uses;
    uint32_t step;  /* of the next event */
    uint32_t floor; /* steps before this one come before everything */
} causes;

void causes_begin(void (*race)(uint32_t step, uint32_t first)) {
    causes.race = race;
}

static void *enough(void *memory, size_t bytes) {
    void *larger = realloc(memory, bytes);
    if (larger == NULL) {
        rt_fatal("exploring: out of memory", 0);
    }
    return larger;
}

/* ---- sets ---- */

static void grow_set(StepSet *set, uint32_t words) {
    if (set->count < words) {
        set->words = enough(set->words, words * sizeof *set->words);
        memset(set->words + set->count, 0, (words - set->count) * sizeof *set->words);
        set->count = words;
    }
}

static void add_step(StepSet *set, uint32_t step) {
    grow_set(set, step / WORD_BITS + 1);
    set->words[step / WORD_BITS] |= UINT64_C(1) << step % WORD_BITS;
}

static bool has_step(const StepSet *set, uint32_t step) {
    return step < causes.floor || (step / WORD_BITS < set->count &&
                                   (set->words[step / WORD_BITS] >> step % WORD_BITS & 1) != 0);
}

static void add_set(StepSet *set, const StepSet *other) {
    grow_set(set, other->count);
    for (uint32_t i = 0; i < other->count; i++) {
        set->words[i] |= other->words[i];
    }
}

static void copy_set(StepSet *set, const StepSet *other) {
    grow_set(set, other->count);
    memset(set->words, 0, set->count * sizeof *set->words);
    add_set(set, other);
}

/* The first step in the set after that step, or CAUSES_NONE. */
static uint32_t first_after(const StepSet *set, uint32_t step) {
    for (uint32_t at = step + 1; at / WORD_BITS < set->count; at++) {
        if (has_step(set, at)) {
            return at;
        }
    }
    return CAUSES_NONE;
}

/* ---- tables by address ---- */

/* The slot of the entry with that key, or the free one for it; the table has room. */
static Entry **slot_of(const Table *table, const void *key) {
    uint64_t hash = ((uintptr_t)key >> 3) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 32) & (table->capacity - 1);
    while (table->entries[at] != NULL && table->entries[at]->key != key) {
        at = (at + 1) & (table->capacity - 1);
    }
    return &table->entries[at];
}

static void *table_find(const Table *table, const void *key) {
    return table->capacity == 0 ? NULL : *slot_of(table, key);
}

static void grow_table(Table *table) {
    Table old = *table;
    table->capacity = old.capacity == 0 ? 64 : 2 * old.capacity;
    table->entries = enough(NULL, table->capacity * sizeof(Entry *));
    memset(table->entries, 0, table->capacity * sizeof(Entry *));
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.entries[i] != NULL) {
            *slot_of(table, old.entries[i]->key) = old.entries[i];
        }
    }
    free(old.entries);
}

/* A new entry of that size, zero except for the key. */
static void *table_add(Table *table, const void *key, size_t bytes) {
    if (2 * table->count >= table->capacity) {
        grow_table(table);
    }
    Entry *entry = enough(NULL, bytes);
    memset(entry, 0, bytes);
    entry->key = key;
    *slot_of(table, key) = entry;
    table->count++;
    return entry;
}

static void table_remove(Table *table, const void *key) {
    Entry **hole = slot_of(table, key);
    free(*hole);
    *hole = NULL;
    table->count--;
    uint32_t mask = table->capacity - 1;
    size_t at = (size_t)(hole - table->entries);
    for (at = (at + 1) & mask; table->entries[at] != NULL; at = (at + 1) & mask) {
        Entry *moved = table->entries[at];
        table->entries[at] = NULL;
        *slot_of(table, moved->key) = moved;
    }
}

static Uses *uses_of(const void *object) {
    Uses *uses = table_find(&causes.uses, object);
    return uses != NULL ? uses : table_add(&causes.uses, object, sizeof *uses);
}

static void add_use(const void *object, Use use) {
    Uses *uses = uses_of(object);
    if (uses->count == uses->capacity) {
        uses->capacity = uses->capacity == 0 ? 8 : 2 * uses->capacity;
        uses->items = enough(uses->items, uses->capacity * sizeof *uses->items);
    }
    uses->items[uses->count++] = use;
}

/* ---- processes ---- */

/* A process not met before starts with what its parent had when the last event had happened: it was
 * started after that. */
static History *history_of(const Process *process) {
    History *history = table_find(&causes.histories, process);
    if (history != NULL) {
        return history;
    }
    const Process *parent = backtrace_parent(process);
    const History *its = parent != NULL && parent != process ? history_of(parent) : NULL;
    history = table_add(&causes.histories, process, sizeof *history);
    history->period = causes.step;
    if (its != NULL) {
        copy_set(&history->now, its->period == causes.step ? &its->before : &its->now);
        copy_set(&history->before, &history->now);
    }
    return history;
}

/* Call this before its causes change. */
static History *changing(const Process *process) {
    History *history = history_of(process);
    if (history->period != causes.step) {
        history->period = causes.step;
        copy_set(&history->before, &history->now);
    }
    return history;
}

/* Its block may be reused soon. */
void causes_end(const Process *process) {
    History *history = causes.race == NULL ? NULL : table_find(&causes.histories, process);
    if (history == NULL) {
        return;
    }
    free(history->now.words);
    free(history->before.words);
    table_remove(&causes.histories, process);
}

/* ---- races ---- */

static bool is_opposite(GateEnd one, GateEnd other) {
    return (one == GATE_INPUT && other == GATE_OUTPUT) ||
           (one == GATE_OUTPUT && other == GATE_INPUT);
}

static void find_race(const StepSet *past, uint32_t step) {
    if (!has_step(past, step)) {
        causes.race(step, first_after(past, step));
    }
}

/* A process comes to that end of the channel: races with ALTs that had a guard at the other end. */
static void find_missed_guards(const StepSet *past, const void *channel, GateEnd end) {
    const Uses *uses = table_find(&causes.uses, channel);
    for (uint32_t i = 0; uses != NULL && i < uses->count; i++) {
        if (is_opposite((GateEnd)uses->items[i].end, end)) {
            find_race(past, uses->items[i].step);
        }
    }
}

/* The channel has closed: races with ALTs that would have seen it. */
static void find_missed_close(const StepSet *past, const void *channel) {
    const Uses *uses = table_find(&causes.uses, channel);
    for (uint32_t i = 0; uses != NULL && i < uses->count; i++) {
        if (uses->items[i].end != GATE_OBJECT) {
            find_race(past, uses->items[i].step);
        }
    }
}

/* A race with the last use of the object that does not commute with an operation of this kind. */
static void find_race_at(const StepSet *past, const void *object, uint16_t kind) {
    const Uses *uses = table_find(&causes.uses, object);
    ExploreEvent mine = {.op = 1, .object = 1, .kind = kind};
    for (uint32_t i = uses != NULL ? uses->count : 0; i-- > 0;) {
        ExploreEvent other = {.op = 2, .object = 1, .kind = uses->items[i].kind};
        if (uses->items[i].end == GATE_OBJECT && explore_is_dependent(&mine, &other)) {
            find_race(past, uses->items[i].step);
            return;
        }
    }
}

void causes_plain(const Process *me, const Channel *channel, bool is_output) {
    if (causes.race != NULL) {
        find_missed_guards(&history_of(me)->now, channel, is_output ? GATE_OUTPUT : GATE_INPUT);
    }
}

void causes_meeting(const Process *me, const Process *partner) {
    if (causes.race == NULL) {
        return;
    }
    History *mine = changing(me);
    History *theirs = changing(partner);
    add_set(&mine->now, &theirs->now);
    add_set(&theirs->now, &mine->now);
}

void causes_arrive(const GateOp *op) {
    if (causes.race == NULL) {
        return;
    }
    const StepSet *past = &history_of(op->process)->now;
    GateUse use;
    for (uint32_t i = 0; op->kind->use(op, i, &use); i++) {
        if (use.end == GATE_OBJECT) {
            find_race_at(past, use.object, use.kind);
        } else if (use.end != GATE_NONE) {
            find_missed_guards(past, use.object, use.end);
            find_race_at(past, use.object, use.kind);
        }
    }
}

/* ---- events ---- */

static void note_uses(const GateOp *op, const ExploreEvent *described, uint32_t step) {
    GateUse use;
    for (uint32_t i = 0; op->kind->use(op, i, &use); i++) {
        if (use.end == GATE_EVERY) {
            causes.race(CAUSES_NONE, CAUSES_NONE);
        } else if (use.end != GATE_NONE) {
            uint16_t kind = use.end == GATE_OBJECT ? described->kind : use.kind;
            add_use(use.object, (Use){step, kind, (uint16_t)use.end});
        }
    }
}

/* Events at one object that do not commute are ordered. */
static void follow(History *history, const void *object, uint16_t kind) {
    Uses *uses = uses_of(object);
    ExploreEvent mine = {.op = 1, .object = 1, .kind = kind};
    for (uint16_t i = 0; i < EXPLORE_KIND_COUNT; i++) {
        ExploreEvent other = {.op = 2, .object = 1, .kind = i};
        if (uses->past[i].count > 0 && explore_is_dependent(&mine, &other)) {
            add_set(&history->now, &uses->past[i]);
        }
    }
}

/* A lock is released: whoever takes it next comes after everything done so far. */
void causes_release(const Process *holder, const void *lock) {
    if (causes.race != NULL && holder != NULL) {
        add_set(&uses_of(lock)->past[EXPLORE_CLAIM], &history_of(holder)->now);
    }
}

void causes_happen(const GateEvent *event, const ExploreEvent *described, uint32_t step) {
    if (causes.race == NULL) {
        return;
    }
    (void)changing(event->op->process);
    note_uses(event->op, described, step);
    if (event->partner != NULL) {
        add_step(&changing(event->partner->process)->now, step);
        note_uses(event->partner, described, step);
    }
    History *history = changing(event->op->process);
    if (event->object != NULL) {
        follow(history, event->object, described->kind);
    }
    add_step(&history->now, step);
    if (event->object != NULL) {
        add_set(&uses_of(event->object)->past[described->kind], &history->now);
    }
    if (event->kind == EXPLORE_CLOSE) {
        find_missed_close(&history->now, event->op->object);
    }
    causes.step = step + 1;
}

void causes_time(uint32_t step) {
    causes.floor = step;
}
