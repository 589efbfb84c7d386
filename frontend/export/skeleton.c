/* skeleton -- the whole model. See skeleton.h. */
#include "skeleton.h"

static bool is_extended(const Node *node) {
    return node->kind == NODE_EXTENDED_INPUT;
}

/* What the program is given is the world outside, which is always ready. */
static void bind_outside(Skeleton *skeleton, const Node *proc) {
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        const Symbol *formal = node_formal(&proc->proc.formals, i);
        if (formal && skeleton_is_channel(formal->type)) {
            SkeletonRef *ref = arena_new(skeleton->arena, SkeletonRef);
            ref->type = formal->type;
            ref->length = -1;
            skeleton_bind(skeleton, formal, ref);
        }
    }
}

/* What the unit declares before its last PROC. */
static void add_unit(Skeleton *skeleton, const Node *unit) {
    for (size_t i = 0; i < unit->unit.specs.count; i++) {
        skeleton_spec(skeleton, unit->unit.specs.items[i]);
    }
}

const char *skeleton_write(Arena *arena, Diag *diag, const Node *unit, const Node *proc,
                           const char *source) {
    TextBuilder body = {.arena = arena};
    Skeleton skeleton = {.arena = arena,
                         .diag = diag,
                         .globals = {.arena = arena},
                         .finished = {.arena = arena},
                         .text = &body,
                         .depth = 1,
                         .has_extended = node_any(unit, is_extended)};
    add_unit(&skeleton, unit);
    bind_outside(&skeleton, proc);
    skeleton_process(&skeleton, proc->proc.body);
    TextBuilder text = {.arena = arena};
    text_add(&text,
             "/* What the processes of %s say to each other, by occc export. Data are left out: "
             "where a\n"
             " * choice depends on them, each way is possible. */\n"
             "chan nobody = [0] of {short};\n",
             source);
    text_add(&text, "%.*s%.*s\ninit { /* %s */\n%.*s  skip\n}\n", (int)skeleton.globals.count,
             skeleton.globals.count ? skeleton.globals.items : "", (int)skeleton.finished.count,
             skeleton.finished.count ? skeleton.finished.items : "",
             proc->proc.def->def.name->bytes, (int)body.count, body.count ? body.items : "");
    array_push(arena, &text, '\0');
    return text.items;
}
