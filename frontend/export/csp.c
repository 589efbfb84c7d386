/* csp -- the whole model, values, events. See csp_text.h. */
#include "csp_text.h"

#include "export_text.h"

#include <inttypes.h>

/* ---- values ---- */

const char *csp_value(Csp *csp, const SkeletonValue *value) {
    static const ExportWords words = {.both = "and", .either = "or", .no = "not "};
    return export_value(csp->arena, value, &words);
}

/* ---- events ---- */

/* What stands behind the element of a shared channel: who outputs, who inputs. */
static const char *parties(Csp *csp, const SkeletonChannel *channel, bool is_output) {
    if (!channel->is_shared) {
        return "";
    }
    unsigned self = csp->task->number;
    const char *partners = csp_partners(csp, channel, is_output);
    return is_output ? arena_format(csp->arena, ".%u?other:{%s}", self, partners)
                     : arena_format(csp->arena, "?other:{%s}!%u", partners, self);
}

const char *csp_event(Csp *csp, const SkeletonPlace *place, bool is_output, int64_t tag) {
    const char *tag_text = "";
    if (place->channel->tags > 0) {
        tag_text = tag > 0 ? arena_format(csp->arena, "!%" PRId64, tag) : "?tag";
    }
    return arena_format(csp->arena, "%s.%s%s%s", export_channel_name(csp->arena, place->channel),
                        csp_value(csp, place->index), parties(csp, place->channel, is_output),
                        tag_text);
}

const char *csp_answer(Csp *csp, const SkeletonPlace *place, bool is_output) {
    if (!csp->skeleton->has_extended || !place->channel) {
        return NULL;
    }
    return arena_format(csp->arena, "%s_answer.%s%s",
                        export_channel_name(csp->arena, place->channel),
                        csp_value(csp, place->index), parties(csp, place->channel, is_output));
}

const char *csp_lock(Csp *csp, const SkeletonStep *claim, const char *what) {
    const char *side = claim->side == DIRECTION_NONE    ? ""
                       : claim->side == DIRECTION_INPUT ? "_in"
                                                        : "_out";
    return arena_format(csp->arena, "%s_%s%s.%s", what,
                        export_channel_name(csp->arena, claim->place.channel), side,
                        csp_value(csp, claim->place.index));
}

/* ---- declarations ---- */

static void declare_channel(Csp *csp, TextBuilder *text, const SkeletonChannel *channel) {
    const char *name = export_channel_name(csp->arena, channel);
    int64_t last = channel->count > 0 ? channel->count - 1 : 0;
    const char *who = channel->is_shared ? arena_format(csp->arena, ".{0..%zu}.{0..%zu}",
                                                        csp->skeleton->tasks.count - 1,
                                                        csp->skeleton->tasks.count - 1)
                                         : "";
    const char *tags =
        channel->tags > 0 ? arena_format(csp->arena, ".{1..%" PRId64 "}", channel->tags) : "";
    text_add(text, "channel %s : {0..%" PRId64 "}%s%s\n", name, last, who, tags);
    if (csp->skeleton->has_extended) {
        text_add(text, "channel %s_answer : {0..%" PRId64 "}%s\n", name, last, who);
    }
}

/* It ends with the program. */
static void declare_lock(Csp *csp, TextBuilder *text, const SkeletonChannel *channel,
                         const char *side) {
    const char *name =
        arena_format(csp->arena, "%s%s", export_channel_name(csp->arena, channel), side);
    text_add(text, "channel claim_%s, release_%s : {0..%" PRId64 "}\n", name, name,
             channel->count > 0 ? channel->count - 1 : 0);
    text_add(text,
             "LOCK_%s(i) = ((claim_%s.i -> (release_%s.i -> LOCK_%s(i))) [] (finished -> SKIP))\n",
             name, name, name, name);
    for (int64_t i = 0; i < channel->count; i++) {
        csp->system = arena_format(csp->arena,
                                   "(%s\n  [| {| finished, claim_%s.%" PRId64
                                   ", release_%s.%" PRId64 " |} |] LOCK_%s(%" PRId64 "))",
                                   csp->system, name, i, name, i, name, i);
    }
}

static void declare_channels(Csp *csp, TextBuilder *text) {
    for (size_t i = 0; i < csp->skeleton->channels.count; i++) {
        const SkeletonChannel *channel = csp->skeleton->channels.items[i];
        if (channel->is_mutex) {
            declare_lock(csp, text, channel, "");
        } else {
            declare_channel(csp, text, channel);
        }
        if (channel->is_shared) {
            declare_lock(csp, text, channel, "_in");
            declare_lock(csp, text, channel, "_out");
        }
    }
}

/* ---- tasks ---- */

const char *csp_task_call(Csp *csp, const SkeletonTask *task) {
    TextBuilder text = {.arena = csp->arena};
    text_add(&text, "TASK%u", task->number);
    for (size_t i = 0; i < task->loops.count; i++) {
        text_add(&text, "%s%s", i > 0 ? ", " : "(",
                 export_variable_name(csp->arena, task->loops.items[i]));
    }
    text_add(&text, "%s", task->loops.count ? ")" : "");
    array_push(csp->arena, &text, '\0');
    return text.items;
}

static void write_tasks(Csp *csp, TextBuilder *text) {
    for (size_t i = csp->skeleton->tasks.count; i > 0; i--) {
        csp->task = csp->skeleton->tasks.items[i - 1];
        text_add(text, "\n-- line %u\n%s = %s\n", csp->task->at.line, csp_task_call(csp, csp->task),
                 csp_steps(csp, &csp->task->steps, 0));
    }
}

const char *csp_write(Arena *arena, const Skeleton *skeleton, const char *source) {
    Csp csp = {.arena = arena, .skeleton = skeleton, .system = "(TASK0 ; (finished -> SKIP))"};
    TextBuilder text = {.arena = arena};
    text_add(&text,
             "-- What the processes of %s say to each other, by occc export. Data are left out: "
             "where a\n"
             "-- choice depends on them, each way is possible.\n"
             "channel finished\n",
             source);
    csp_collect(&csp);
    declare_channels(&csp, &text);
    write_tasks(&csp, &text);
    text_add(
        &text,
        "\n-- what nobody takes part in does not happen\nNOBODY = (finished -> SKIP)\n"
        "SYSTEM = (%s\n  [| {| finished%s |} |] NOBODY)\n\nassert SYSTEM :[deadlock free [F]]\n",
        csp.system, csp_lonely(&csp));
    array_push(arena, &text, '\0');
    return text.items;
}
