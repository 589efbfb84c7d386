/* circle -- see the header. */
#include "circle.h"

#include <stdio.h>

enum { NOBODY = -1 };

typedef struct Circle {
    const Machine *machine;
    Word *state;
    const SourceMap *sources;
    int *waits_for; /* of each task */
} Circle;

const char *circle_place(Arena *arena, const SourceMap *sources, Location at) {
    return arena_format(arena, "%s:%u:%u", source_file(sources, at.file)->path, at.line, at.column);
}

/* ---- who waits for whom ---- */

static bool is_same_element(const SkeletonPlace *one, const SkeletonPlace *other) {
    bool are_numbers = one->index->kind == VALUE_NUMBER && other->index->kind == VALUE_NUMBER;
    return one->channel == other->channel &&
           (!are_numbers || one->index->number == other->index->number);
}

/* A task that could take what is output there, or output it; one that has ended only when no
 * other is there. */
static int partner_at(const Circle *circle, int task, const SkeletonPlace *place, bool is_output) {
    int found = NOBODY;
    for (size_t i = 0; i < circle->machine->uses.count; i++) {
        const MachineUse *use = &circle->machine->uses.items[i];
        bool is_one = use->is_output != is_output && (int)use->task != task &&
                      is_same_element(&use->place, place);
        if (is_one && (found == NOBODY || circle->state[found] == 0)) {
            found = (int)use->task;
        }
    }
    return found;
}

static int child_that_waits(const Circle *circle, const Instruction *at) {
    for (size_t i = 0; i < at->step->tasks.count; i++) {
        if (circle->state[at->step->tasks.items[i]->number] != 0) {
            return (int)at->step->tasks.items[i]->number;
        }
    }
    return NOBODY;
}

static int partner_of(const Circle *circle, int task) {
    const Instruction *at = machine_at(circle->machine, circle->state, (unsigned)task);
    Word *lock = machine_lock(circle->machine, circle->state, (unsigned)task);
    switch (at->op) {
    case OP_SEND: return partner_at(circle, task, &at->place, true);
    case OP_AWAIT: return partner_at(circle, task, &at->place, true);
    case OP_LOCK: return lock ? *lock - 1 : NOBODY;
    case OP_JOIN: return child_that_waits(circle, at);
    default: break;
    }
    int found = NOBODY;
    for (size_t i = 0; at->op == OP_RECEIVE && i < at->options.count; i++) {
        const SkeletonGuard *guard = at->options.items[i].guard;
        int partner = guard->place.channel
                          ? partner_at(circle, task, &guard->place, guard->is_output)
                          : NOBODY;
        found = found == NOBODY || circle->state[found] == 0 ? partner : found;
    }
    return found;
}

/* ---- text ---- */

static void print_circle(const Circle *circle) {
    size_t count = circle->machine->skeleton->tasks.count;
    for (size_t first = 0; first < count; first++) {
        int at = circle->state[first] ? circle->waits_for[first] : NOBODY;
        for (size_t steps = 0; at >= 0 && at != (int)first && steps < count; steps++) {
            at = circle->state[at] ? circle->waits_for[at] : NOBODY;
        }
        if (at != (int)first) {
            continue;
        }
        printf("  cycle: #%zu", first);
        do {
            at = circle->waits_for[at];
            printf(" -> #%d", at);
        } while (at != (int)first);
        printf("\n");
        return;
    }
}

static const char *what(const Instruction *at) {
    switch (at->op) {
    case OP_SEND: return "output on";
    case OP_AWAIT: return "answer to output on";
    case OP_LOCK: return "CLAIM of";
    case OP_JOIN: return "end of PAR";
    default: return at->step->kind == STEP_ALT ? "ALT" : "input from";
    }
}

static void print_name(const Circle *circle, const SkeletonPlace *place) {
    int64_t index;
    if (!place->channel) {
        return;
    }
    printf(" '%s", place->channel->name);
    if (place->channel->count > 1 &&
        machine_value(circle->machine, circle->state, place->index, &index)) {
        printf("[%d]", (int)index);
    }
    printf("'");
}

static void print_task(const Circle *circle, Arena *arena, int task) {
    const Instruction *at = machine_at(circle->machine, circle->state, (unsigned)task);
    printf("  #%d  %s  %s  %s", task, at->step->proc,
           circle_place(arena, circle->sources, at->step->at), what(at));
    if (at->op == OP_RECEIVE) {
        for (size_t i = 0; i < at->step->guards.count; i++) {
            print_name(circle, &at->step->guards.items[i]->place);
        }
    } else {
        print_name(circle, &at->place);
    }
    int partner = circle->waits_for[task];
    if (partner == NOBODY) {
        printf("  for which there is nobody\n");
    } else if (circle->state[partner] == 0) {
        printf("  for #%d, which has ended or is not there (%s)\n", partner,
               circle_place(arena, circle->sources,
                            circle->machine->skeleton->tasks.items[partner]->at));
    } else {
        printf("  %s #%d\n", at->op == OP_LOCK ? "held by" : "for", partner);
    }
}

void circle_print(const Machine *machine, const Word *state, const SourceMap *sources) {
    size_t count = machine->skeleton->tasks.count;
    Circle circle = {machine, arena_new_array(machine->arena, Word, machine->words), sources,
                     arena_new_array(machine->arena, int, count)};
    memcpy(circle.state, state, machine->words * sizeof *state);
    for (size_t i = 0; i < count; i++) {
        circle.waits_for[i] = partner_of(&circle, (int)i);
    }
    print_circle(&circle);
    for (size_t i = 0; i < count; i++) {
        if (circle.state[i] != 0) {
            print_task(&circle, machine->arena, (int)i);
        }
    }
}
