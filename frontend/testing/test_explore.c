/* test_explore -- see the header. */
#define _GNU_SOURCE

#include "test_explore.h"

#include "minimise.h"
#include "summary.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { CHOICES_SHOWN = 20 };

TestExplored *test_explored_make(size_t count) {
    size_t bytes = (count + 1) * sizeof(TestExplored);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fatal("cannot explore:");
    }
    return memory;
}

/* As if one run had ended in that way. */
static ChildResult result_of(const End *end) {
    int status = end->found->status;
    return (ChildResult){.text = end->text,
                         .length = strlen(end->text),
                         .has_timed_out = end->kind == END_ENDLESS,
                         .status =
                             WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                         .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

static bool is_wrong(const TestCase *test, const End *end) {
    ChildResult result = result_of(end);
    return end->kind != END_DEEP && test_verdict(test, &result) != VERDICT_PASSED;
}

static void count_wrong(const TestCase *test, const Ends *ends, TestExplored *explored) {
    for (size_t i = 0; i < ends->items.count; i++) {
        const End *end = &ends->items.items[i];
        explored->wrong += is_wrong(test, end) ? end->found->count : 0;
    }
}

/* Bad ends come first, those nearest to the beginning before others. */
static End *find_told(const TestCase *test, const Ends *ends) {
    for (size_t i = 0; i < ends->items.count; i++) {
        if (is_wrong(test, &ends->items.items[i])) {
            return &ends->items.items[i];
        }
    }
    return ends->items.count > 0 ? &ends->items.items[0] : NULL;
}

/* "queue_test-test.order.choices" in the folder of whoever has called. */
static const char *schedule_name(Arena *arena, const TestOutcome *outcome) {
    const char *name = path_name(outcome->file->path);
    return arena_format(arena, "%.*s-%s.choices", (int)strcspn(name, "."), name,
                        outcome->test->name);
}

static void show_schedule(const End *end) {
    printf("choices, %s\n", end->shortness);
    uint32_t count = end_write_choices(end, stdout, CHOICES_SHOWN);
    if (count > CHOICES_SHOWN) {
        printf("... and %u more\n", count - CHOICES_SHOWN);
    }
}

static void write_schedule(const Exploration *known, const TestOutcome *outcome, const char *folder,
                           TestExplored *explored, const End *end) {
    const char *name = schedule_name(known->arena, outcome);
    const char *path = arena_format(known->arena, "%s/%s", folder, name);
    if (!end_write(end, path, outcome->test->name)) {
        fatal("cannot write '%s':", path);
    }
    (void)snprintf(explored->schedule, sizeof explored->schedule, "%s", name);
    explored->steps = end->way->steps;
}

/* What the parent takes for the result of a run. */
static void tell(const Exploration *known, const TestOutcome *outcome, const char *folder,
                 TestExplored *explored) {
    bool is_all = summary_is_all(known);
    End *end = find_told(outcome->test, &known->ends);
    explored->behaviours = known->region->behaviours;
    explored->is_all = is_all;
    (void)snprintf(explored->bound, sizeof explored->bound, "%s",
                   is_all ? "" : summary_bound(known));
    count_wrong(outcome->test, &known->ends, explored);
    if (end) {
        ChildResult result = result_of(end);
        explored->status = result.status;
        explored->signal = result.signal;
        explored->has_timed_out = result.has_timed_out;
        bool is_a_line = result.length == 0 || result.text[result.length - 1] == '\n';
        printf("%s%s", end->text, is_a_line ? "" : "\n");
    }
    if (explored->wrong > 0) {
        minimise_end(known, is_all, end);
        write_schedule(known, outcome, folder, explored, end);
        show_schedule(end);
    }
    explored->is_over = true;
}

void test_explore(Arena *arena, const Options *options, const TestOutcome *outcome,
                  const char *folder, TestExplored *explored) {
    static char name[] = "test";
    char *words[] = {name, NULL};
    ExploreBounds bounds = options->explore;
    bounds.seconds = options->test.limit_seconds;
    bounds.time_option = "--timeout";
    bounds.runners = explored->runners;
    Exploration known = {.arena = arena,
                         .name = outcome->test->name,
                         .path = outcome->file->program,
                         .words = words,
                         .bounds = &bounds};
    exploration_run(&known);
    tell(&known, outcome, folder, explored);
}
