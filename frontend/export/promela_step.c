/* promela_step -- the steps of a task. See promela_text.h.
 *
 * Holds:  a PAR waits until its branches have counted themselves. A guard with a condition is on or
 *         off: off, it is one of a channel that nobody uses. */
#include "promela_text.h"

#include "export_text.h"

#include <inttypes.h>

static void inner_steps(Promela *promela, const SkeletonSteps *steps) {
    promela->depth++;
    promela_steps(promela, steps);
    promela_line(promela, "skip");
    promela->depth--;
}

/* ---- communication ---- */

static void wait_for_answer(Promela *promela, const SkeletonPlace *place) {
    if (promela->skeleton->has_extended && place->channel) {
        promela_line(promela, "%s ? _;", promela_element(promela, place, "_answer"));
    }
}

static void send(Promela *promela, const SkeletonStep *step) {
    promela_line(promela, "%s ! %" PRId64 "; /* line %u */",
                 promela_element(promela, &step->place, ""), step->tag, step->at.line);
    wait_for_answer(promela, &step->place);
}

static void answer(Promela *promela, const SkeletonPlace *place) {
    if (promela->skeleton->has_extended && place->channel) {
        promela_line(promela, "%s ! 0;", promela_element(promela, place, "_answer"));
    }
}

/* What stands behind the message: the steps of an input before it is answered, and after. */
static void variant_steps(Promela *promela, const SkeletonGuard *guard,
                          const SkeletonVariant *variant) {
    promela_steps(promela, &variant->during);
    if (guard->is_output) {
        wait_for_answer(promela, &guard->place);
    } else {
        answer(promela, &guard->place);
    }
    promela_steps(promela, &variant->after);
}

/* ---- ALT ---- */

static void write_variant(Promela *promela, const SkeletonGuard *guard, const char *channel,
                          const SkeletonVariant *variant) {
    unsigned line = variant->at.line;
    if (!guard->place.channel) {
        promela_line(promela, ":: %s ->",
                     guard->condition ? promela_value(promela, guard->condition) : "true");
    } else if (guard->is_output) {
        promela_line(promela, ":: %s ! %" PRId64 " -> /* line %u */", channel, guard->tag, line);
    } else if (variant->tag > 0) {
        promela_line(promela, ":: %s ? %" PRId64 " -> /* line %u */", channel, variant->tag, line);
    } else {
        promela_line(promela, ":: %s ? _ -> /* line %u */", channel, line);
    }
    promela->depth++;
    variant_steps(promela, guard, variant);
    promela_line(promela, "skip");
    promela->depth--;
}

/* The channel as it is written in the guard; NULL: of the world outside. */
static const char *channel_of(Promela *promela, const SkeletonGuard *guard) {
    if (!guard->place.channel) {
        return NULL;
    }
    const char *channel = promela_element(promela, &guard->place, "");
    if (!guard->condition) {
        return channel;
    }
    const char *name = arena_format(promela->arena, "guard%u", ++promela->names);
    promela_line(promela, "chan %s;", name);
    promela_line(promela, "if :: %s -> %s = %s :: else -> %s = nobody fi;",
                 promela_value(promela, guard->condition), name, channel, name);
    return name;
}

static void alt(Promela *promela, const SkeletonStep *step) {
    ARRAY_OF(const char *) channels = {0};
    for (size_t i = 0; i < step->guards.count; i++) {
        const char *channel = channel_of(promela, step->guards.items[i]);
        array_push(promela->arena, &channels, channel);
    }
    promela_line(promela, "if");
    promela_line(promela, ":: false"); /* of an ALT without guards all there is */
    for (size_t i = 0; i < step->guards.count; i++) {
        const SkeletonGuard *guard = step->guards.items[i];
        for (size_t k = 0; k < guard->variants.count; k++) {
            write_variant(promela, guard, channels.items[i], guard->variants.items[k]);
        }
    }
    promela_line(promela, "fi;");
}

static void receive(Promela *promela, const SkeletonStep *step) {
    const SkeletonGuard *guard = step->guards.items[0];
    const SkeletonVariant *first = guard->variants.items[0];
    if (guard->variants.count != 1 || first->tag > 0) {
        alt(promela, step);
        return;
    }
    if (guard->place.channel) {
        promela_line(promela, "%s ? _; /* line %u */", promela_element(promela, &guard->place, ""),
                     step->at.line);
    }
    variant_steps(promela, guard, first);
}

/* ---- choices, loops ---- */

static void choice(Promela *promela, const SkeletonStep *step) {
    const char *not_before = "";
    promela_line(promela, "if");
    for (size_t i = 0; i < step->choices.count; i++) {
        const SkeletonChoice *one = step->choices.items[i];
        bool is_tested = one->condition && !skeleton_has_any(one->condition);
        const char *test = is_tested ? promela_value(promela, one->condition) : "true";
        promela_line(promela, ":: %s%s ->", not_before, test);
        inner_steps(promela, &one->steps);
        if (is_tested) {
            not_before = arena_format(promela->arena, "%s!%s && ", not_before, test);
        }
    }
    if (step->choices.count == 0) {
        promela_line(promela, ":: true");
    }
    promela_line(promela, "fi;");
}

/* Also a loop whose condition tells when it ends may end at any time here. */
static void turns_without_number(Promela *promela, const SkeletonStep *step, bool may_end) {
    promela_line(promela, "do");
    promela_line(promela, ":: true ->");
    inner_steps(promela, &step->steps);
    promela_line(promela, may_end ? ":: break" : "");
    promela_line(promela, "od;");
}

static void loop(Promela *promela, const SkeletonStep *step) {
    turns_without_number(promela, step, step->condition->kind != VALUE_NUMBER);
}

static void turns(Promela *promela, const SkeletonStep *step) {
    if (skeleton_has_any(step->count)) {
        turns_without_number(promela, step, true);
        return;
    }
    const char *name = export_variable_name(promela->arena, step->variable);
    promela_line(promela, "int %s = 0;", name);
    promela_line(promela, "%s = 0;", name);
    promela_line(promela, "do");
    promela_line(promela, ":: %s < %s ->", name, promela_value(promela, step->count));
    promela->depth++;
    promela_steps(promela, &step->steps);
    promela_line(promela, "%s++;", name);
    promela->depth--;
    promela_line(promela, ":: else -> break");
    promela_line(promela, "od;");
}

/* ---- PAR, CLAIM ---- */

static void par(Promela *promela, const SkeletonStep *step) {
    if (step->tasks.count == 0) {
        return;
    }
    unsigned first = step->tasks.items[0]->number;
    promela_line(promela, "ended%u = 0; /* PAR, line %u */", first, step->at.line);
    for (size_t i = 0; i < step->tasks.count; i++) {
        const SkeletonTask *task = step->tasks.items[i];
        promela_line(promela, "run process%u (%s);", task->number,
                     promela_parameters(promela, task, ""));
    }
    promela_line(promela, "ended%u == %zu;", first, step->tasks.count);
}

static void claim(Promela *promela, const SkeletonStep *step) {
    const char *side = step->side == DIRECTION_NONE    ? ""
                       : step->side == DIRECTION_INPUT ? "_in"
                                                       : "_out";
    const char *lock = promela_element(promela, &step->place, side);
    promela_line(promela, "atomic { !%s -> %s = true }; /* line %u */", lock, lock, step->at.line);
    promela_steps(promela, &step->steps);
    promela_line(promela, "%s = false;", lock);
}

static void pick(Promela *promela, const SkeletonStep *step) {
    const char *name = export_variable_name(promela->arena, step->variable);
    promela_line(promela, "int %s; select (%s : 0 .. %s);", name, name,
                 promela_value(promela, skeleton_number(promela->arena, step->count->number - 1)));
}

/* ---- all of them ---- */

static void write_step(Promela *promela, const SkeletonStep *step) {
    switch (step->kind) {
    case STEP_SEND: send(promela, step); break;
    case STEP_RECEIVE: receive(promela, step); break;
    case STEP_ALT: alt(promela, step); break;
    case STEP_CHOICE: choice(promela, step); break;
    case STEP_LOOP: loop(promela, step); break;
    case STEP_TURNS: turns(promela, step); break;
    case STEP_PICK: pick(promela, step); break;
    case STEP_LEAVE: /* refused */
    case STEP_FORK:
    case STEP_JOIN:
    case STEP_CLOCK:
    case STEP_ELECT:
    case STEP_UNTIL:
    case STEP_SET: break;
    case STEP_PAR: par(promela, step); break;
    case STEP_CLAIM: claim(promela, step); break;
    case STEP_STOP: promela_line(promela, "false; /* STOP, line %u */", step->at.line); break;
    }
}

void promela_steps(Promela *promela, const SkeletonSteps *steps) {
    for (size_t i = 0; i < steps->count; i++) {
        write_step(promela, steps->items[i]);
    }
}
