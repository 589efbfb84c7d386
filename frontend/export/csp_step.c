/* csp_step -- the steps of a task as one process. See csp_text.h.
 *
 * Holds:  each process that is written stands in brackets, so no operator binds more than it
 *         should. */
#include "csp_text.h"

#include "export_text.h"

#include <inttypes.h>

static const char *prefix(Csp *csp, const char *event, const char *process) {
    return arena_format(csp->arena, "(%s -> %s)", event, process);
}

static const char *send(Csp *csp, const SkeletonStep *step) {
    const char *answer = csp_answer(csp, &step->place, true);
    return prefix(csp, csp_event(csp, &step->place, true, step->tag),
                  answer ? prefix(csp, answer, "SKIP") : "SKIP");
}

/* ---- ALT ---- */

static const char *variant_steps(Csp *csp, const SkeletonGuard *guard,
                                 const SkeletonVariant *variant) {
    const char *answer = csp_answer(csp, &guard->place, guard->is_output);
    const char *after = csp_steps(csp, &variant->after, 0);
    after = answer ? prefix(csp, answer, after) : after;
    return variant->during.count
               ? arena_format(csp->arena, "(%s ; %s)", csp_steps(csp, &variant->during, 0), after)
               : after;
}

static const char *write_variant(Csp *csp, const SkeletonGuard *guard,
                                 const SkeletonVariant *variant) {
    const char *process = variant_steps(csp, guard, variant);
    if (!guard->place.channel) {
        return process;
    }
    int64_t tag = guard->is_output ? guard->tag : variant->tag;
    const char *event = csp_event(csp, &guard->place, guard->is_output, tag);
    process = prefix(csp, event, process);
    return guard->condition ? arena_format(csp->arena, "(if (%s) then %s else STOP)",
                                           csp_value(csp, guard->condition), process)
                            : process;
}

static const char *joined(Csp *csp, const char *left, const char *operator, const char * right) {
    return left ? arena_format(csp->arena, "(%s %s %s)", left, operator, right) : right;
}

/* What is ready at any time may be taken at any time. Of those with a condition each may be there or
 * not, which is one case after the other. */
static const char *with_ready(Csp *csp, const SkeletonStep *step, size_t first, const char *others,
                              const char *ready) {
    for (size_t i = first; i < step->guards.count; i++) {
        const SkeletonGuard *guard = step->guards.items[i];
        if (guard->place.channel) {
            continue;
        }
        const char *more = ready;
        for (size_t k = 0; k < guard->variants.count; k++) {
            more = joined(csp, more, "|~|", write_variant(csp, guard, guard->variants.items[k]));
        }
        if (!guard->condition) {
            ready = more;
            continue;
        }
        return arena_format(csp->arena, "(if (%s) then %s else %s)",
                            csp_value(csp, guard->condition),
                            with_ready(csp, step, i + 1, others, more),
                            with_ready(csp, step, i + 1, others, ready));
    }
    return ready ? arena_format(csp->arena, "(%s [> %s)", others, ready) : others;
}

static const char *alt(Csp *csp, const SkeletonStep *step) {
    const char *others = NULL;
    for (size_t i = 0; i < step->guards.count; i++) {
        const SkeletonGuard *guard = step->guards.items[i];
        for (size_t k = 0; guard->place.channel && k < guard->variants.count; k++) {
            others = joined(csp, others, "[]", write_variant(csp, guard, guard->variants.items[k]));
        }
    }
    return with_ready(csp, step, 0, others ? others : "STOP", NULL);
}

/* ---- choices, loops ---- */

/* When none is true the program ends, which no model shows. */
static const char *choices(Csp *csp, const SkeletonStep *step, size_t first) {
    if (first == step->choices.count) {
        return "SKIP";
    }
    const SkeletonChoice *choice = step->choices.items[first];
    const char *process = csp_steps(csp, &choice->steps, 0);
    if (!choice->condition) {
        return process;
    }
    if (!skeleton_has_any(choice->condition)) {
        return arena_format(csp->arena, "(if (%s) then %s else %s)",
                            csp_value(csp, choice->condition), process,
                            choices(csp, step, first + 1));
    }
    bool is_last = first + 1 == step->choices.count;
    return is_last ? process : joined(csp, process, "|~|", choices(csp, step, first + 1));
}

static const char *loop(Csp *csp, const SkeletonStep *step, bool may_end) {
    unsigned name = ++csp->names;
    return arena_format(csp->arena, "(let LOOP%u = (%s%s ; LOOP%u)%s within LOOP%u)", name,
                        may_end ? "(" : "", csp_steps(csp, &step->steps, 0), name,
                        may_end ? " |~| SKIP)" : "", name);
}

static const char *turns(Csp *csp, const SkeletonStep *step) {
    if (skeleton_has_any(step->count)) {
        return loop(csp, step, true);
    }
    unsigned name = ++csp->names;
    const char *variable = export_variable_name(csp->arena, step->variable);
    return arena_format(csp->arena,
                        "(let LOOP%u(%s) = (if (%s < %s) then (%s ; LOOP%u((%s + 1))) else SKIP) "
                        "within LOOP%u(0))",
                        name, variable, variable, csp_value(csp, step->count),
                        csp_steps(csp, &step->steps, 0), name, variable, name);
}

/* ---- PAR, CLAIM ---- */

static const char *par(Csp *csp, const SkeletonStep *step) {
    const char *process = step->tasks.count ? NULL : "SKIP";
    for (size_t i = step->tasks.count; i > 0; i--) {
        const char *call = csp_task_call(csp, step->tasks.items[i - 1]);
        const char *events = process ? csp_interface(csp, step, i - 1) : "";
        process = *events
                      ? arena_format(csp->arena, "(%s [| {| %s |} |] %s)", call, events, process)
                      : joined(csp, process, "|||", call);
    }
    return process;
}

static const char *claim(Csp *csp, const SkeletonStep *step) {
    return arena_format(csp->arena, "(%s -> (%s ; (%s -> SKIP)))", csp_lock(csp, step, "claim"),
                        csp_steps(csp, &step->steps, 0), csp_lock(csp, step, "release"));
}

/* ---- all of them ---- */

static const char *write_step(Csp *csp, const SkeletonStep *step) {
    switch (step->kind) {
    case STEP_SEND: return send(csp, step);
    case STEP_RECEIVE:
    case STEP_ALT: return alt(csp, step);
    case STEP_CHOICE: return choices(csp, step, 0);
    case STEP_LOOP: return loop(csp, step, step->condition->kind != VALUE_NUMBER);
    case STEP_TURNS: return turns(csp, step);
    case STEP_PAR: return par(csp, step);
    case STEP_CLAIM: return claim(csp, step);
    case STEP_LEAVE: /* refused */
    case STEP_FORK:
    case STEP_JOIN:
    case STEP_CLOCK:
    case STEP_ELECT:
    case STEP_UNTIL:
    case STEP_STOP: return "STOP";
    default: return NULL; /* STEP_SET: data */
    }
}

/* A choice is known to all that stands behind it. */
static const char *pick(Csp *csp, const SkeletonSteps *steps, size_t at) {
    const SkeletonStep *step = steps->items[at];
    return arena_format(csp->arena, "(|~| %s : {0..%" PRId64 "} @ %s)",
                        export_variable_name(csp->arena, step->variable), step->count->number - 1,
                        csp_steps(csp, steps, at + 1));
}

const char *csp_steps(Csp *csp, const SkeletonSteps *steps, size_t first) {
    const char *before = NULL;
    for (size_t i = first; i < steps->count; i++) {
        if (steps->items[i]->kind == STEP_PICK) {
            return joined(csp, before, ";", pick(csp, steps, i));
        }
        const char *process = write_step(csp, steps->items[i]);
        before = process ? joined(csp, before, ";", process) : before;
    }
    return before ? before : "SKIP";
}
