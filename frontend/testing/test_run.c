/* test_run -- see the header. */
#define _GNU_SOURCE

#include "test_run.h"

#include "seconds.h"
#include "test_explore.h"

#include <fnmatch.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

typedef struct Session {
    Arena *arena;
    const Options *options;
    TestOutcomes outcomes;
    Coverage *coverage;
    TestExplored *explored; /* NULL: tests are run */
    size_t runs_each;
    size_t told; /* outcomes that were told */
    void (*ended)(const Options *options, const TestOutcome *outcome);
} Session;

/* ---- which ---- */

bool test_is_wanted(const Options *options, const TestCase *test) {
    const Words *patterns = &options->test.patterns;
    bool is_wanted = patterns->count == 0;
    for (size_t i = 0; i < patterns->count; i++) {
        bool is_glob = strpbrk(patterns->items[i], "*?[") != NULL;
        is_wanted = is_wanted || (is_glob ? fnmatch(patterns->items[i], test->name, 0) == 0
                                          : strstr(test->name, patterns->items[i]) != NULL);
    }
    return is_wanted;
}

static bool is_to_run(const TestFile *file) {
    return file->is_made && !file->is_settled;
}

static size_t count_wanted(const Options *options, const TestFiles *files) {
    size_t count = 0;
    for (size_t i = 0; i < files->count; i++) {
        for (size_t k = 0; is_to_run(&files->items[i]) && k < files->items[i].tests.count; k++) {
            count += test_is_wanted(options, &files->items[i].tests.items[k]);
        }
    }
    return count;
}

/* Every test with every number of workers and every seed. */
static void plan_runs(Session *session, TestOutcome *outcome) {
    const TestOptions *test = &session->options->test;
    outcome->runs = arena_new_array(session->arena, TestRun, session->runs_each);
    outcome->run_count = session->runs_each;
    size_t next = 0;
    for (size_t i = 0; i < test->workers.count; i++) {
        for (uint64_t seed = test->first_seed; seed <= test->last_seed; seed++) {
            outcome->runs[next++] = (TestRun){.seed = seed, .workers = test->workers.items[i]};
        }
    }
}

static void plan(Session *session, const TestFiles *files) {
    const TestOptions *test = &session->options->test;
    size_t count = count_wanted(session->options, files);
    session->runs_each = test->workers.count * (size_t)(test->last_seed - test->first_seed + 1);
    session->outcomes.items = arena_new_array(session->arena, TestOutcome, count);
    for (size_t i = 0; i < files->count; i++) {
        const TestFile *file = &files->items[i];
        for (size_t k = 0; is_to_run(file) && k < file->tests.count; k++) {
            if (test_is_wanted(session->options, &file->tests.items[k])) {
                TestOutcome *outcome = &session->outcomes.items[session->outcomes.count++];
                *outcome = (TestOutcome){.file = file, .test = &file->tests.items[k]};
                plan_runs(session, outcome);
            }
        }
    }
}

/* Processors that no test is for help the others. */
static void plan_explorations(Session *session) {
    size_t count = session->outcomes.count;
    unsigned jobs = test_jobs(session->options);
    session->explored = test_explored_make(count);
    for (size_t i = 0; i < count; i++) {
        session->explored[i].runners = count < jobs ? jobs / (unsigned)count : 1;
    }
}

/* ---- one run ---- */

static void set_number(Arena *arena, const char *name, uint64_t number) {
    setenv(name, arena_format(arena, "%llu", (unsigned long long)number), 1);
}

/* From the folder that comes back; a list of choices is named as it is seen from there. */
static const char *go_to_folder(Arena *arena, const char *path) {
    char *folder = getcwd(NULL, 0);
    const char *choices = getenv("OCC_CHOICES");
    if (!folder || chdir(dirname(arena_format(arena, "%s", path))) != 0) {
        fatal("cannot run the test:");
    }
    if (choices && choices[0] != '/') {
        setenv("OCC_CHOICES", arena_format(arena, "%s/%s", folder, choices), 1);
    }
    return folder;
}

/* In the child: it becomes the program, or explores it. */
static int run_one(void *context, size_t index) {
    const Session *session = context;
    const TestOutcome *outcome = &session->outcomes.items[index / session->runs_each];
    const TestRun *run = &outcome->runs[index % session->runs_each];
    Arena *arena = session->arena;
    setenv("OCC_TEST",
           arena_format(arena, "%u %s", outcome->test->number,
                        unit_name_of(arena, outcome->file->path)),
           1);
    set_number(arena, "OCC_SEED", run->seed);
    set_number(arena, "OCC_WORKERS", run->workers);
    if (session->options->test.has_real_time) {
        unsetenv("OCC_TIME");
    } else {
        setenv("OCC_TIME", "virtual", 1);
    }
    if (session->coverage) {
        setenv("OCC_COVERAGE", coverage_path(session->coverage, index), 1);
    }
    const char *folder = go_to_folder(arena, outcome->file->path);
    if (session->explored) {
        test_explore(arena, session->options, outcome, folder, &session->explored[index]);
        return EXIT_OK;
    }
    char name[] = "test";
    char *words[] = {name, NULL};
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    execve(outcome->file->program, words, environ);
    fatal("cannot run the test:");
}

static Verdict verdict_of(const ChildResult *result) {
    static const Verdict by_status[] = {VERDICT_PASSED, VERDICT_ERROR, VERDICT_DEADLOCK,
                                        VERDICT_WORLD};
    if (result->has_timed_out) {
        return VERDICT_TIMEOUT;
    }
    if (result->signal != 0) {
        return VERDICT_SIGNAL;
    }
    return result->status < 4 ? by_status[result->status] : VERDICT_STATUS;
}

Verdict test_verdict(const TestCase *test, const ChildResult *result) {
    Verdict verdict = verdict_of(result);
    if (!test->expected_end) {
        return verdict;
    }
    Verdict wanted = strcmp(test->expected_end, "deadlock") == 0 ? VERDICT_DEADLOCK : VERDICT_ERROR;
    if (verdict == VERDICT_PASSED) {
        return VERDICT_NO_ERROR;
    }
    if (verdict != wanted) {
        return verdict;
    }
    bool is_said = result->length && strstr(result->text, test->expected_words);
    return is_said || !*test->expected_words ? VERDICT_PASSED : VERDICT_OTHER;
}

const char *test_verdict_words(Arena *arena, const TestRun *run) {
    switch (run->verdict) {
    case VERDICT_PASSED: return "passed";
    case VERDICT_ERROR: return "error";
    case VERDICT_DEADLOCK: return "deadlock";
    case VERDICT_WORLD: return "no means to go on";
    case VERDICT_STATUS: return arena_format(arena, "exit status %d", run->result.status);
    case VERDICT_SIGNAL:
        return arena_format(arena, "ended by SIG%s", sigabbrev_np(run->result.signal));
    case VERDICT_TIMEOUT: return "ran too long";
    case VERDICT_NO_ERROR: return "no error, and it should have ended in one";
    case VERDICT_OTHER: return "another report than it should have had";
    }
    return "";
}

/* The end that is told stands for the run. */
static void take_explored(TestRun *run, const TestExplored *explored) {
    run->explored = explored;
    if (explored->is_over) {
        run->result.status = explored->status;
        run->result.signal = explored->signal;
        run->result.has_timed_out = explored->has_timed_out;
    }
}

/* Outcomes are told in their order, as soon as all before them have ended. */
static void run_ended(void *context, size_t index, const ChildResult *result) {
    Session *session = context;
    TestOutcome *outcome = &session->outcomes.items[index / session->runs_each];
    TestRun *run = &outcome->runs[index % session->runs_each];
    run->result = *result;
    if (session->explored) {
        take_explored(run, &session->explored[index]);
    }
    run->verdict = test_verdict(outcome->test, &run->result);
    if (session->coverage) {
        coverage_take(session->coverage, outcome->file->program, index);
    }
    outcome->ended++;
    outcome->failed += run->verdict != VERDICT_PASSED;
    outcome->seconds += result->seconds;
    while (session->told < session->outcomes.count &&
           session->outcomes.items[session->told].ended == session->runs_each) {
        session->ended(session->options, &session->outcomes.items[session->told++]);
    }
}

TestOutcomes test_run_all(Arena *arena, const Options *options, const TestFiles *files,
                          Coverage *coverage,
                          void (*ended)(const Options *options, const TestOutcome *outcome)) {
    Session session = {.arena = arena, .options = options, .coverage = coverage, .ended = ended};
    plan(&session, files);
    if (options->test.explores) {
        plan_explorations(&session);
    }
    double began = seconds_now();
    ChildWork work = {session.outcomes.count * session.runs_each,
                      test_jobs(options),
                      session.explored ? 0 : options->test.limit_seconds,
                      &session,
                      run_one,
                      run_ended};
    child_pool_run(arena, &work);
    session.outcomes.seconds = seconds_now() - began;
    return session.outcomes;
}
