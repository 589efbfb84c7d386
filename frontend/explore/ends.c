/* ends -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "ends.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { STATUS_ERROR = 1, STATUS_DEADLOCK = 2, STATUS_WORLD = 3 };

/* ---- telling them apart ---- */

static EndKind kind_of(const ExploreRegion *region, int status) {
    if (region->end == EXPLORE_DEEP) {
        return END_DEEP;
    }
    if (WIFSIGNALED(status)) {
        return WTERMSIG(status) == SIGXCPU ? END_ENDLESS : END_CRASH;
    }
    switch (WEXITSTATUS(status)) {
    case 0: return END_FINISHED;
    case STATUS_ERROR: return END_ERROR;
    case STATUS_DEADLOCK: return END_DEADLOCK;
    case STATUS_WORLD: return END_WORLD;
    default: return END_CRASH;
    }
}

bool end_is_cut_short(const ExploreRegion *region, int status) {
    EndKind kind = kind_of(region, status);
    return region->end == EXPLORE_RUNS && kind != END_FINISHED && kind != END_DEADLOCK;
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

static bool is_same(const End *end, const End *other) {
    if (end->kind != other->kind || end->kind == END_DEEP) {
        return end->kind == other->kind;
    }
    return end->status == other->status && end->text_bytes == other->text_bytes &&
           strcmp(end->text, other->text) == 0;
}

static End *find(Ends *ends, const End *seen) {
    for (size_t i = 0; i < ends->items.count; i++) {
        if (is_same(&ends->items.items[i], seen)) {
            return &ends->items.items[i];
        }
    }
    End entry = *seen;
    entry.text = arena_format(ends->arena, "%s", seen->text);
    entry.steps = SIZE_MAX;
    array_push(ends->arena, &ends->items, entry);
    return &ends->items.items[ends->items.count - 1];
}

/* ---- schedules ---- */

static void keep_choices(Ends *ends, End *end, const Search *search) {
    size_t count = 0;
    for (size_t i = 0; i < search->steps.count; i++) {
        count += search->steps.items[i].event_count > 1;
    }
    if (end->choices == NULL || count > end->choice_count) {
        end->choices = arena_new_array(ends->arena, EndChoice, count + 1);
    }
    end->steps = search->steps.count;
    end->choice_count = 0;
    for (size_t i = 0; i < search->steps.count; i++) {
        const SearchStep *step = &search->steps.items[i];
        if (step->event_count > 1) {
            end->choices[end->choice_count++] =
                (EndChoice){*search_chosen(search, i), step->chosen, step->event_count};
        }
    }
}

End *ends_add(Ends *ends, const Program *program, const Search *search, int status) {
    End seen = {.kind = kind_of(program->region, status), .status = status};
    bool prints = seen.kind == END_FINISHED;
    seen.text = prints ? program->output : program->errors;
    seen.text_bytes = prints ? program->output_bytes : strlen(program->errors);
    End *end = find(ends, &seen);
    end->count++;
    if (search->steps.count < end->steps) {
        keep_choices(ends, end, search);
    }
    return end;
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

bool end_write(const End *end, const ExploreRegion *region, const char *path, const char *program) {
    FILE *file = fopen(path, "we");
    if (file == NULL) {
        return false;
    }
    fprintf(file, "occ-choices 1\n# %s: %s, after %zu steps\n", program, end_words(end),
            end->steps);
    for (size_t i = 0; i < end->choice_count; i++) {
        const EndChoice *choice = &end->choices[i];
        fprintf(file, "%u/%u  ", choice->chosen + 1, choice->count);
        write_event(file, region, &choice->event);
    }
    bool is_written = !ferror(file);
    return fclose(file) == 0 && is_written;
}
