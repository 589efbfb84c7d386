/* ends -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "ends.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { STATUS_ERROR = 1, STATUS_DEADLOCK = 2, STATUS_WORLD = 3 };

/* ---- kinds ---- */

static EndKind kind_of(const ExploreEnd *found) {
    if (found->how == EXPLORE_DEEP) {
        return END_DEEP;
    }
    if (WIFSIGNALED(found->status)) {
        return WTERMSIG(found->status) == SIGXCPU ? END_ENDLESS : END_CRASH;
    }
    switch (WEXITSTATUS(found->status)) {
    case 0: return END_FINISHED;
    case STATUS_ERROR: return END_ERROR;
    case STATUS_DEADLOCK: return END_DEADLOCK;
    case STATUS_WORLD: return END_WORLD;
    default: return END_CRASH;
    }
}

bool end_is_bad(const End *end) {
    return end->kind != END_FINISHED && end->kind != END_DEEP;
}

const char *end_words(const End *end) {
    static const char *const words[] = {
        [END_FINISHED] = "finished", [END_DEADLOCK] = "deadlock",
        [END_ERROR] = "error",       [END_WORLD] = "the world failed",
        [END_CRASH] = "crash",       [END_ENDLESS] = "computes without end",
        [END_DEEP] = "cut off",
    };
    return words[end->kind];
}

/* ---- collecting ---- */

static const void *at_place(const ExploreRegion *region, uint64_t place) {
    return (const char *)region + place;
}

/* Which one is seen first depends on the runners. */
static int compare(const void *one, const void *other) {
    const End *left = one;
    const End *right = other;
    if (left->kind != right->kind) {
        return left->kind < right->kind ? -1 : 1;
    }
    if (left->found->steps != right->found->steps) {
        return left->found->steps < right->found->steps ? -1 : 1;
    }
    return strcmp(left->text, right->text);
}

static End shown_end(const ExploreRegion *region, uint64_t place) {
    const ExploreEnd *found = at_place(region, place);
    return (End){.kind = kind_of(found),
                 .found = found,
                 .text = at_place(region, found->text),
                 .way = found,
                 .region = region};
}

size_t ends_count(const Ends *ends, EndKind kind) {
    size_t count = 0;
    for (size_t i = 0; i < ends->items.count; i++) {
        count += ends->items.items[i].kind == kind;
    }
    return count;
}

bool ends_find(const ExploreRegion *region, End *end) {
    if (region->until_end == 0) {
        return false;
    }
    *end = shown_end(region, region->until_end);
    return true;
}

void ends_collect(Ends *ends, Arena *arena, const ExploreRegion *region) {
    uint64_t place = region->first_end;
    while (place != 0) {
        End end = shown_end(region, place);
        array_push(arena, &ends->items, end);
        place = end.found->next;
    }
    if (ends->items.count > 0) {
        qsort(ends->items.items, ends->items.count, sizeof(End), compare);
    }
}

/* ---- the file ---- */

static void write_site(FILE *file, const ExploreSite *site) {
    fprintf(file, "%s:%u:%u", site->file, site->line, site->column);
    if (site->proc[0]) {
        fprintf(file, " in PROC %s", site->proc);
    }
}

static void write_event(FILE *file, const ExploreRegion *region, const ExploreEvent *event) {
    static const char *const words[] = {
#define EXPLORE_KIND(ID, text) text,
#include "occ/explore_kind.def"
#undef EXPLORE_KIND
    };
    const ExploreSite *site = &region->sites[event->site];
    bool is_alt = event->kind <= EXPLORE_NEXT;
    write_site(file, site);
    if (is_alt) {
        fprintf(file, ": alternative %u, %s", event->alternative + 1u, words[event->kind]);
    } else {
        fprintf(file, ": %s '%s'", words[event->kind], site->object);
    }
    if (event->partner_site != 0) {
        fprintf(file, " ");
        write_site(file, &region->sites[event->partner_site]);
    }
    if (event->partner != 0) {
        fprintf(file, ", its alternative %u", event->partner_alternative + 1u);
    }
    fprintf(file, "\n");
}

static void write_choices(const End *end, FILE *file, uint32_t first, uint32_t last) {
    const ExploreChoice *choices = at_place(end->region, end->way->choices);
    for (uint32_t i = first; i < last; i++) {
        fprintf(file, "%u/%u  ", choices[i].chosen + 1, choices[i].count);
        write_event(file, end->region, &choices[i].event);
    }
}

uint32_t end_write_choices(const End *end, FILE *file, uint32_t most) {
    uint32_t count = end->way->choice_count;
    write_choices(end, file, 0, count < most ? count : most);
    return count;
}

static FILE *open_list(const char *path, const char *program, const char *what) {
    FILE *file = fopen(path, "we");
    if (file) {
        fprintf(file, "occ-choices 1\n# %s: %s\n", program, what);
    }
    return file;
}

static bool close_list(FILE *file) {
    bool is_written = !ferror(file);
    return fclose(file) == 0 && is_written;
}

bool end_write(const End *end, const char *path, const char *program) {
    char what[64];
    (void)snprintf(what, sizeof what, "%s, after %u steps", end_words(end), end->way->steps);
    FILE *file = open_list(path, program, what);
    if (!file) {
        return false;
    }
    write_choices(end, file, 0, end->way->choice_count);
    return close_list(file);
}

bool end_write_round(const End *end, uint32_t first, uint32_t last, const char *path,
                     const char *program, const char *what) {
    FILE *file = open_list(path, program, what);
    if (!file) {
        return false;
    }
    write_choices(end, file, 0, first);
    fprintf(file, "again\n");
    write_choices(end, file, first, last);
    return close_list(file);
}
