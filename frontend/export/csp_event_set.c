/* csp_event_set -- in which events branches of a PAR meet. See csp_text.h.
 *
 * Holds:  an element that is chosen, or depends on several variables, may be any of its channel. */
#include "csp_text.h"

#include "export_text.h"

#include <inttypes.h>

/* ---- what a task uses ---- */

typedef void StepVisitor(void *context, const SkeletonTask *task, const SkeletonStep *step);

static void visit_steps(const SkeletonTask *task, const SkeletonSteps *steps, StepVisitor *visit,
                        void *context) {
    for (size_t i = 0; i < steps->count; i++) {
        const SkeletonStep *step = steps->items[i];
        visit(context, task, step);
        visit_steps(task, &step->steps, visit, context);
        for (size_t k = 0; k < step->choices.count; k++) {
            visit_steps(task, &step->choices.items[k]->steps, visit, context);
        }
        for (size_t k = 0; k < step->guards.count; k++) {
            for (size_t v = 0; v < step->guards.items[k]->variants.count; v++) {
                const SkeletonVariant *variant = step->guards.items[k]->variants.items[v];
                visit_steps(task, &variant->during, visit, context);
                visit_steps(task, &variant->after, visit, context);
            }
        }
        for (size_t k = 0; k < step->tasks.count; k++) {
            visit_steps(step->tasks.items[k], &step->tasks.items[k]->steps, visit, context);
        }
    }
}

typedef struct Collecting {
    Arena *arena;
    CspUses uses;
    int64_t *turns;
} Collecting;

static void add_use(Collecting *collecting, const SkeletonTask *task, const SkeletonPlace *place,
                    bool is_output) {
    if (place->channel) {
        CspUse use = {task->number, place, is_output};
        array_push(collecting->arena, &collecting->uses, use);
    }
}

static void collect_uses(void *context, const SkeletonTask *task, const SkeletonStep *step) {
    if (step->kind == STEP_SEND) {
        add_use(context, task, &step->place, true);
    }
    for (size_t i = 0; i < step->guards.count; i++) {
        add_use(context, task, &step->guards.items[i]->place, step->guards.items[i]->is_output);
    }
}

static void count_turns(void *context, const SkeletonTask *task, const SkeletonStep *step) {
    Collecting *collecting = context;
    (void)task;
    if (step->variable && step->count->kind == VALUE_NUMBER) {
        collecting->turns[step->variable->number] = step->count->number;
    }
}

void csp_collect(Csp *csp) {
    const Skeleton *skeleton = csp->skeleton;
    Collecting collecting = {
        .arena = csp->arena,
        .turns = arena_new_array(csp->arena, int64_t, skeleton->variables.count + 1)};
    visit_steps(skeleton->root, &skeleton->root->steps, count_turns, &collecting);
    visit_steps(skeleton->root, &skeleton->root->steps, collect_uses, &collecting);
    csp->turns = collecting.turns;
    csp->uses = collecting.uses;
}

const char *csp_partners(Csp *csp, const SkeletonChannel *channel, bool of_output) {
    TextBuilder text = {.arena = csp->arena};
    bool *are_there = arena_new_array(csp->arena, bool, csp->skeleton->tasks.count);
    for (size_t i = 0; i < csp->uses.count; i++) {
        const CspUse *use = &csp->uses.items[i];
        if (use->place->channel == channel && use->is_output != of_output &&
            !are_there[use->task]) {
            are_there[use->task] = true;
            text_add(&text, "%s%u", text.count ? ", " : "", use->task);
        }
    }
    array_push(csp->arena, &text, '\0');
    return text.items;
}

/* ---- which elements ---- */

/* false: the value is not that of one variable alone. */
static bool value_with(const SkeletonValue *value, const SkeletonVariable **variable, int64_t turn,
                       int64_t *number) {
    int64_t left;
    int64_t right;
    switch (value->kind) {
    case VALUE_ANY: return false;
    case VALUE_NUMBER: *number = value->number; return true;
    case VALUE_VARIABLE:
        *variable = *variable ? *variable : value->variable;
        *number = turn;
        return *variable == value->variable;
    default:
        return value_with(value->left, variable, turn, &left) &&
               value_with(value->right, variable, turn, &right) &&
               skeleton_apply(left, value->op, right, value->type, number);
    }
}

static bool may_be(const Csp *csp, const SkeletonPlace *place, int64_t element) {
    const SkeletonVariable *variable = NULL;
    int64_t number;
    if (!value_with(place->index, &variable, 0, &number) && !variable) {
        return true;
    }
    if (!variable) {
        return number == element;
    }
    int64_t turns = csp->turns[variable->number];
    for (int64_t turn = 0; turn < turns; turn++) {
        if (!value_with(place->index, &variable, turn, &number) || number == element) {
            return true;
        }
    }
    return turns == 0;
}

/* ---- the set ---- */

static const char *event_of(const Csp *csp, const CspUse *one, const CspUse *other,
                            int64_t element) {
    const SkeletonChannel *channel = one->place->channel;
    const char *name = export_channel_name(csp->arena, channel);
    const CspUse *output = one->is_output ? one : other;
    const CspUse *input = one->is_output ? other : one;
    return channel->is_shared ? arena_format(csp->arena, "%s.%" PRId64 ".%u.%u", name, element,
                                             output->task, input->task)
                              : arena_format(csp->arena, "%s.%" PRId64, name, element);
}

static bool is_known(const Csp *csp, const char *event) {
    for (size_t i = 0; i < csp->events.count; i++) {
        if (strcmp(csp->events.items[i], event) == 0) {
            return true;
        }
    }
    return false;
}

static void add_event(Csp *csp, TextBuilder *text, const CspUse *one, const CspUse *other,
                      int64_t element) {
    const char *event = event_of(csp, one, other, element);
    text_add(text, "%s%s", text->count ? ", " : "", event);
    if (csp->skeleton->has_extended) {
        text_add(text, ", %s_answer%s", export_channel_name(csp->arena, one->place->channel),
                 strchr(event, '.'));
    }
    array_push(csp->arena, &csp->events, event);
}

static void add_events(Csp *csp, TextBuilder *text, const CspUse *one, const CspUses *others,
                       bool *is_there) {
    const SkeletonChannel *channel = one->place->channel;
    for (int64_t element = 0; element < channel->count; element++) {
        for (size_t i = 0; i < others->count; i++) {
            const CspUse *other = &others->items[i];
            bool meets = other->place->channel == channel && other->is_output != one->is_output &&
                         may_be(csp, one->place, element) && may_be(csp, other->place, element);
            if (meets && (channel->is_shared || !is_there[element])) {
                is_there[element] = true;
                add_event(csp, text, one, other, element);
            }
        }
    }
}

static CspUses uses_of(const Csp *csp, const SkeletonStep *par, size_t first, size_t end) {
    Collecting collecting = {.arena = csp->arena};
    for (size_t i = first; i < end; i++) {
        visit_steps(par->tasks.items[i], &par->tasks.items[i]->steps, collect_uses, &collecting);
    }
    return collecting.uses;
}

/* Of one use, the event with each possible partner. */
static void add_lonely(Csp *csp, TextBuilder *text, const CspUse *one, const CspUse *other) {
    for (int64_t element = 0; element < one->place->channel->count; element++) {
        const char *event = event_of(csp, one, other, element);
        if (!is_known(csp, event)) {
            text_add(text, ", %s", event);
            array_push(csp->arena, &csp->events, event);
        }
    }
}

const char *csp_lonely(Csp *csp) {
    TextBuilder text = {.arena = csp->arena};
    for (size_t i = 0; i < csp->uses.count; i++) {
        const CspUse *one = &csp->uses.items[i];
        if (!one->place->channel->is_shared) {
            add_lonely(csp, &text, one, one);
        }
        for (size_t k = 0; one->place->channel->is_shared && k < csp->uses.count; k++) {
            const CspUse *other = &csp->uses.items[k];
            if (other->place->channel == one->place->channel &&
                other->is_output != one->is_output) {
                add_lonely(csp, &text, one, other);
            }
        }
    }
    array_push(csp->arena, &text, '\0');
    return text.items;
}

const char *csp_interface(Csp *csp, const SkeletonStep *par, size_t first) {
    CspUses one = uses_of(csp, par, first, first + 1);
    CspUses others = uses_of(csp, par, first + 1, par->tasks.count);
    TextBuilder text = {.arena = csp->arena};
    bool **are_there = arena_new_array(csp->arena, bool *, csp->skeleton->channels.count + 1);
    for (size_t i = 0; i < one.count; i++) {
        const SkeletonChannel *channel = one.items[i].place->channel;
        if (!are_there[channel->number]) {
            are_there[channel->number] =
                arena_new_array(csp->arena, bool, (size_t)channel->count + 1);
        }
        add_events(csp, &text, &one.items[i], &others, are_there[channel->number]);
    }
    array_push(csp->arena, &text, '\0');
    return text.items;
}
