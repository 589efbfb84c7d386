/* circle -- see the header. */
#include "circle.h"

#include "text_builder.h"

#include <stdio.h>

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

/* Somebody who has not arrived. */
static int member_that_is_late(const Circle *circle, const SkeletonClock *clock) {
    for (size_t i = 0; i < circle->machine->members.count; i++) {
        const MachineMember *one = &circle->machine->members.items[i];
        Word member = *machine_member(circle->machine, circle->state, one->member);
        if (one->member->clock == clock && (member == MEMBER_ACTIVE || member == MEMBER_OVER)) {
            return (int)one->task;
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
    case OP_ELECT:
    case OP_UNTIL:
        return at->step->member ? member_that_is_late(circle, at->step->member->clock) : NOBODY;
    default: break;
    }
    if (at->place.channel && at->place.channel->first) {
        return partner_at(circle, task, &at->place, false);
    }
    int found = NOBODY;
    for (size_t i = 0; at->op == OP_RECEIVE && i < at->options.count; i++) {
        const SkeletonGuard *guard = at->options.items[i].guard;
        int partner = guard->place.channel
                          ? partner_at(circle, task, &guard->place, guard->is_output)
                          : NOBODY;
        bool is_better = found == NOBODY || circle->state[found] == 0;
        found = is_better && partner != NOBODY ? partner : found;
    }
    return found;
}

/* ---- text ---- */

static void mark_circle(const Circle *circle) {
    size_t count = circle->machine->skeleton->tasks.count;
    for (size_t first = 0; first < count; first++) {
        int at = circle->state[first] ? circle->waits_for[first] : NOBODY;
        for (size_t steps = 0; at >= 0 && at != (int)first && steps < count; steps++) {
            at = circle->state[at] ? circle->waits_for[at] : NOBODY;
        }
        if (at != (int)first) {
            continue;
        }
        do {
            circle->is_inside[at] = true;
            at = circle->waits_for[at];
        } while (at != (int)first);
        return;
    }
}

static void print_circle(const Circle *circle) {
    int first = 0;
    int count = (int)circle->machine->skeleton->tasks.count;
    while (first < count && !circle->is_inside[first]) {
        first++;
    }
    if (first == count) {
        return;
    }
    int at = first;
    printf("  cycle: #%d", first);
    do {
        at = circle->waits_for[at];
        printf(" -> #%d", at);
    } while (at != first);
    printf("\n");
}

static const char *what(const Instruction *at) {
    if (at->step->event) {
        return at->step->event;
    }
    switch (at->op) {
    case OP_SEND: return "output on";
    case OP_AWAIT: return "answer to output on";
    case OP_LOCK: return "CLAIM of";
    case OP_JOIN: return "end of PAR";
    case OP_ELECT:
    case OP_UNTIL: return "NEXT on";
    default: return at->step->kind == STEP_ALT ? "ALT" : "input from";
    }
}

static void add_name(const Circle *circle, TextBuilder *text, const SkeletonPlace *place) {
    int64_t index;
    if (!place->channel) {
        return;
    }
    text_add(text, " '%s", place->channel->name);
    if (place->channel->count > 1 &&
        machine_value(circle->machine, circle->state, place->index, &index)) {
        text_add(text, "[%d]", (int)index);
    }
    text_add(text, "'");
}

const char *circle_what(const Circle *circle, int task) {
    const Instruction *at = machine_at(circle->machine, circle->state, (unsigned)task);
    TextBuilder text = {.arena = circle->machine->arena};
    text_add(&text, "%s", what(at));
    if (at->step->event) {
        add_name(circle, &text, &at->step->place);
    } else if (at->step->member) {
        text_add(&text, " '%s'", at->step->member->clock->name);
    } else if (at->op == OP_RECEIVE) {
        for (size_t i = 0; i < at->step->guards.count; i++) {
            add_name(circle, &text, &at->step->guards.items[i]->place);
        }
    } else {
        add_name(circle, &text, &at->place);
    }
    array_push(circle->machine->arena, &text, '\0');
    return text.items;
}

static void print_task(const Circle *circle, int task) {
    const Instruction *at = machine_at(circle->machine, circle->state, (unsigned)task);
    Arena *arena = circle->machine->arena;
    int partner = circle->waits_for[task];
    printf("  #%d  %s  %s  %s", task, at->step->proc,
           circle_place(arena, circle->sources, at->step->at), circle_what(circle, task));
    if (partner == NOBODY && at->step->event) {
        printf("\n");
    } else if (partner == NOBODY) {
        printf("  for which there is nobody\n");
    } else if (circle->state[partner] == 0) {
        const SkeletonTask *other = circle->machine->skeleton->tasks.items[partner];
        printf("  for #%d, which has ended or is not there (%s)\n", partner,
               circle_place(arena, circle->sources, other->at));
    } else {
        printf("  %s #%d\n", at->op == OP_LOCK ? "held by" : "for", partner);
    }
}

Circle circle_make(const Machine *machine, const Word *state, const SourceMap *sources) {
    size_t count = machine->skeleton->tasks.count;
    Circle circle = {machine, arena_new_array(machine->arena, Word, machine->words), sources,
                     arena_new_array(machine->arena, int, count),
                     arena_new_array(machine->arena, bool, count)};
    memcpy(circle.state, state, machine->words * sizeof *state);
    for (size_t i = 0; i < count; i++) {
        circle.waits_for[i] = partner_of(&circle, (int)i);
    }
    mark_circle(&circle);
    return circle;
}

void circle_print(const Circle *circle) {
    print_circle(circle);
    for (size_t i = 0; i < circle->machine->skeleton->tasks.count; i++) {
        if (circle->state[i] != 0) {
            print_task(circle, (int)i);
        }
    }
}

const char *circle_dot(const Circle *circle) {
    TextBuilder text = {.arena = circle->machine->arena};
    text_add(&text, "digraph circle {\n  node [shape=box];\n");
    for (size_t i = 0; i < circle->machine->skeleton->tasks.count; i++) {
        const Instruction *at = machine_at(circle->machine, circle->state, (unsigned)i);
        int partner = circle->waits_for[i];
        if (circle->state[i] == 0) {
            continue;
        }
        const char *colour = circle->is_inside[i] ? " color=red" : "";
        text_add(&text, "  p%zu [label=\"#%zu %s\\nline %u: %s\"%s];\n", i, i, at->step->proc,
                 at->step->at.line, circle_what(circle, (int)i), colour);
        if (partner != NOBODY && circle->state[partner] != 0) {
            text_add(&text, "  p%zu -> p%d [%s];\n", i, partner, colour);
        }
    }
    text_add(&text, "}\n");
    array_push(text.arena, &text, '\0');
    return text.items;
}
