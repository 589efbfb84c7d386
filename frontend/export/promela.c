/* promela -- the whole model, values, names. See promela_text.h. */
#include "promela_text.h"

#include "export_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { INDENT = 2 };

void promela_line(Promela *promela, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *line = arena_allocate(promela->arena, (size_t)length + 1);
    va_start(arguments, format);
    (void)vsnprintf(line, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text_add(&promela->text, "%*s%s\n", (int)(INDENT * promela->depth), "", line);
}

/* ---- values ---- */

const char *promela_value(Promela *promela, const SkeletonValue *value) {
    static const ExportWords words = {.both = "&&", .either = "||", .no = "!"};
    return export_value(promela->arena, value, &words);
}

const char *promela_element(Promela *promela, const SkeletonPlace *place, const char *of) {
    return arena_format(promela->arena, "%s%s[%s]",
                        export_channel_name(promela->arena, place->channel), of,
                        promela_value(promela, place->index));
}

/* ---- the whole ---- */

static void declare_channel(Promela *promela, const SkeletonChannel *channel) {
    const char *name = export_channel_name(promela->arena, channel);
    int64_t count = channel->count > 0 ? channel->count : 1; /* Promela has no empty arrays */
    if (channel->is_mutex) {
        promela_line(promela, "bool %s[%" PRId64 "];", name, count);
        return;
    }
    promela_line(promela, "chan %s[%" PRId64 "] = [0] of {short};", name, count);
    if (promela->skeleton->has_extended) {
        promela_line(promela, "chan %s_answer[%" PRId64 "] = [0] of {short};", name, count);
    }
    if (channel->is_shared) {
        promela_line(promela, "bool %s_in[%" PRId64 "];", name, count);
        promela_line(promela, "bool %s_out[%" PRId64 "];", name, count);
    }
}

const char *promela_parameters(Promela *promela, const SkeletonTask *task, const char *type) {
    TextBuilder text = {.arena = promela->arena};
    for (size_t i = 0; i < task->loops.count; i++) {
        text_add(&text, "%s%s%s", i > 0 ? (*type ? "; " : ", ") : "", type,
                 export_variable_name(promela->arena, task->loops.items[i]));
    }
    array_push(promela->arena, &text, '\0');
    return text.items;
}

static void write_task(Promela *promela, const SkeletonTask *task) {
    if (task->number == 0) {
        promela_line(promela, "\ninit { /* %s */", task->proc);
    } else {
        promela_line(promela, "\nproctype process%u (%s) { /* line %u */", task->number,
                     promela_parameters(promela, task, "int "), task->at.line);
    }
    promela->depth++;
    promela_steps(promela, &task->steps);
    promela_line(promela, task->number == 0 ? "skip" : "ended%u++", task->first);
    promela->depth--;
    promela_line(promela, "}");
}

const char *promela_write(Arena *arena, const Skeleton *skeleton, const char *source) {
    Promela promela = {.arena = arena, .skeleton = skeleton, .text = {.arena = arena}};
    text_add(&promela.text,
             "/* What the processes of %s say to each other, by occc export. Data are left out: "
             "where a\n"
             " * choice depends on them, each way is possible. */\n"
             "chan nobody = [0] of {short};\n",
             source);
    for (size_t i = 0; i < skeleton->channels.count; i++) {
        declare_channel(&promela, skeleton->channels.items[i]);
    }
    for (size_t i = 1; i < skeleton->tasks.count; i++) {
        if (skeleton->tasks.items[i]->first == i) {
            promela_line(&promela, "byte ended%zu;", i);
        }
    }
    for (size_t i = skeleton->tasks.count; i > 0; i--) {
        write_task(&promela, skeleton->tasks.items[i - 1]);
    }
    array_push(arena, &promela.text, '\0');
    return promela.text.items;
}
