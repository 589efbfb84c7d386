/* deadlock -- the command. See the header. */
#include "deadlock.h"

#include "circle.h"
#include "driver_file.h"
#include "file.h"

/* Where something is, as messages have it. */
static int say_refusals(Unit *unit, const char *path, const Skeleton *skeleton) {
    for (size_t i = 0; i < skeleton->refusals.count; i++) {
        const SkeletonRefusal *refusal = &skeleton->refusals.items[i];
        printf("%s: not proved: %s: not supported: %s\n", path,
               circle_place(unit->arena, unit->compiler.sources, refusal->at), refusal->what);
    }
    return EXIT_NOT_PROVED;
}

static void say_proof(const char *path, const SearchResult *result, bool with_data) {
    if (!result->has_choices) {
        printf("%s: free of deadlock: no process chooses, and the one order there is ends or "
               "comes round\n",
               path);
        return;
    }
    printf("%s: free of deadlock: all orders of what its processes say to each other%s, %zu "
           "states\n",
           path, with_data ? ", with their data" : "", result->states);
}

static const char *reason(const SearchResult *result) {
    switch (result->end) {
    case SEARCH_TOO_MANY: return "there are too many orders";
    case SEARCH_TOO_MANY_FORKED: return "more FORKed processes may be there than are followed";
    default: return "processes may wait for each other";
    }
}

static void show(Unit *unit, const SearchResult *result, const Machine *machine) {
    const char *path = unit->options->explore.dot;
    Circle circle = circle_make(machine, result->deadlock, unit->compiler.sources);
    circle_print(&circle);
    if (path) {
        const char *text = circle_dot(&circle);
        (void)file_publish(unit->arena, path, text, strlen(text));
    }
}

static int say_result(Unit *unit, const char *path, const SearchResult *result,
                      const Machine *machine, bool with_data) {
    if (result->end == SEARCH_SAFE) {
        say_proof(path, result, with_data);
        return EXIT_OK;
    }
    printf("%s: not proved: %s%s\n", path, reason(result),
           with_data ? "" : ", unless data forbid it");
    if (result->end == SEARCH_DEADLOCK) {
        show(unit, result, machine);
    }
    return EXIT_NOT_PROVED;
}

/* Without data there are fewer states; with data fewer that the program does not have. What is found
 * without is said when there are too many with. */
static int check(Unit *unit, const char *path, const Node *proc) {
    Skeleton *skeleton = skeleton_make(unit->arena, unit->tree, proc, false);
    if (skeleton->refusals.count > 0) {
        return say_refusals(unit, path, skeleton);
    }
    Machine *machine = machine_make(unit->arena, skeleton);
    SearchResult result = search_deadlock(machine);
    if (result.end == SEARCH_SAFE) {
        return say_result(unit, path, &result, machine, false);
    }
    skeleton = skeleton_make(unit->arena, unit->tree, proc, true);
    if (skeleton->refusals.count > 0) {
        return say_result(unit, path, &result, machine, false);
    }
    Machine *closer = machine_make(unit->arena, skeleton);
    SearchResult with_data = search_deadlock(closer);
    bool is_closer = with_data.end == SEARCH_SAFE || with_data.end == SEARCH_DEADLOCK;
    return is_closer ? say_result(unit, path, &with_data, closer, true)
                     : say_result(unit, path, &result, machine, false);
}

int deadlock_check(Unit *unit, const char *path) {
    const Node *proc = node_last_proc(unit->tree);
    if (!proc) {
        printf("%s: not proved: it has no PROC\n", path);
        return EXIT_NOT_PROVED;
    }
    if (unit->options->stop_mode) {
        printf("%s: not proved: with -fstop-mode an error stops one process, and others may wait "
               "for it\n",
               path);
        return EXIT_NOT_PROVED;
    }
    return check(unit, path, proc);
}
