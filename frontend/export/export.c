/* export -- the command. See the header. */
#include "export.h"

#include "csp.h"
#include "driver_file.h"
#include "file.h"
#include "promela.h"

static void report(Unit *unit, const SkeletonRefusals *refusals) {
    for (size_t i = 0; i < refusals->count; i++) {
        diag_report(unit->compiler.diag, DIAG_NOT_SUPPORTED, refusals->items[i].at,
                    refusals->items[i].what);
    }
}

int export_run(Arena *arena, const Options *options, const Installation *installation) {
    Unit *unit = unit_create(arena, options, installation);
    const char *source = options->inputs.items[0].word;
    for (size_t i = 0; i < options->inputs.count; i++) {
        array_push(arena, &unit->paths, options->inputs.items[i].word);
    }
    unit_parse(unit);
    bool is_ready = unit_check(unit);
    if (unit_has_errors(unit) || !is_ready) {
        return EXIT_ERRORS;
    }
    const Node *proc = node_last_proc(unit->tree);
    if (!proc) {
        driver_error("'%s' has no PROC to export", source);
        return EXIT_ERRORS;
    }
    const Skeleton *skeleton = skeleton_make(arena, unit->tree, proc, false);
    report(unit, &skeleton->refusals);
    report(unit, &skeleton->beyond);
    if (unit_has_errors(unit)) {
        return EXIT_ERRORS;
    }
    const char *text = options->exports_csp ? csp_write(arena, skeleton, source)
                                            : promela_write(arena, skeleton, source);
    const char *path = options->output ? options->output : "-";
    return file_publish(arena, path, text, strlen(text)) ? EXIT_OK : EXIT_ERRORS;
}
