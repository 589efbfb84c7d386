/* explored_run -- serving `occc explore`. See explored_run.h. */
#define _GNU_SOURCE
#include "explored_run.h"

#include "causes.h"
#include "ending.h"
#include "gate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUN_SECONDS = 10 };

static struct {
    ExploreRegion *region;
    const Site *sites[EXPLORE_SITES]; /* by their numbers, as the first process knows them */
    uint32_t step;
    ExploreEvent *sleepers;
    uint32_t sleeper_count;
} run;

/* ---- races ---- */

/* Each only once, of those that begin after the prefix. */
static void write_race(uint32_t step, uint32_t first) {
    ExploreRegion *region = run.region;
    if (step == CAUSES_NONE || region->race_count == EXPLORE_RACES) {
        region->all_race = 1;
        return;
    }
    for (uint32_t i = region->race_count; i-- > 0;) {
        if (region->races[i].step == step && region->races[i].first == first) {
            return;
        }
    }
    region->races[region->race_count++] = (ExploreRace){step, first};
}

/* ---- the first process ---- */

static void map_region(void) {
    void *memory =
        mmap(NULL, sizeof *run.region, PROT_READ | PROT_WRITE, MAP_SHARED, EXPLORE_REGION_FD, 0);
    run.region = memory != MAP_FAILED ? memory : NULL;
    if (run.region == NULL || run.region->version != EXPLORE_VERSION) {
        rt_fatal("OCC_EXPLORE is for occc explore: there is no record of this version", 0);
    }
}

static bool next_order(void) {
    char order;
    ssize_t count;
    do {
        count = read(EXPLORE_ORDER_FD, &order, 1);
    } while (count < 0 && errno == EINTR);
    return count == 1;
}

static void empty(int fd) {
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
        rt_fatal("exploring: cannot empty the output", errno);
    }
}

static void answer(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            rt_fatal("exploring: cannot wait for a run", errno);
        }
    }
    if (write(EXPLORE_ANSWER_FD, &status, sizeof status) != (ssize_t)sizeof status) {
        _exit(STATUS_WORLD);
    }
}

/* A process that computes without an event is not to hold everything up, nor a crash to leave a
 * core for each run. */
static void set_limits(void) {
    struct rlimit processor = {RUN_SECONDS, RUN_SECONDS + 1};
    struct rlimit core = {0, 0};
    (void)setrlimit(RLIMIT_CPU, &processor);
    (void)setrlimit(RLIMIT_CORE, &core);
}

void explored_run_begin(void) {
    map_region();
    while (next_order()) {
        empty(STDOUT_FILENO);
        empty(STDERR_FILENO);
        (void)lseek(STDIN_FILENO, 0, SEEK_SET);
        ExploreRegion *region = run.region;
        region->end = EXPLORE_RUNS;
        region->limits = 0;
        region->step_count = region->event_count = region->race_count = region->all_race = 0;
        pid_t child = fork();
        if (child == 0) {
            (void)close(EXPLORE_ORDER_FD);
            (void)close(EXPLORE_ANSWER_FD);
            set_limits();
            causes_begin(write_race);
            run.sleepers = region->sleepers;
            run.sleeper_count = region->sleeper_count;
            return;
        }
        if (child < 0) {
            rt_fatal("exploring: cannot start a run", errno);
        }
        answer(child);
    }
    _exit(STATUS_DONE);
}

/* ---- sites ---- */

static void copy_text(char *to, size_t capacity, const char *from) {
    if (from == NULL) {
        from = "";
    }
    size_t length = strnlen(from, capacity - 1);
    memcpy(to, from, length);
    to[length] = '\0';
}

/* Runs begin with the table that the first process has, which is empty: each finds the numbers that
 * earlier runs have given by the text. */
static uint16_t number_of_site(const Site *site) {
    if (site == NULL) {
        return 0;
    }
    ExploreRegion *region = run.region;
    size_t at = ((uintptr_t)site >> 3) % (EXPLORE_SITES - 1) + 1;
    for (size_t tries = 0; tries < 8; tries++, at = at % (EXPLORE_SITES - 1) + 1) {
        if (run.sites[at] == site) {
            return (uint16_t)at;
        }
        ExploreSite *entry = &region->sites[at];
        bool is_new = entry->line == 0;
        if (is_new) {
            copy_text(entry->file, sizeof entry->file, site->file);
            copy_text(entry->proc, sizeof entry->proc, site->proc);
            copy_text(entry->object, sizeof entry->object, site->object);
            entry->column = site->column;
            entry->line = site->line;
        }
        if (is_new || (run.sites[at] == NULL && entry->line == site->line &&
                       entry->column == site->column && strcmp(entry->file, site->file) == 0)) {
            run.sites[at] = site;
            return (uint16_t)at;
        }
    }
    return 0;
}

/* ---- a step ---- */

static ExploreEvent describe(const GateEvent *event) {
    const GateOp *partner = event->partner;
    return (ExploreEvent){
        .op = event->op->number,
        .partner = partner != NULL ? partner->number : 0,
        .guard = (uint16_t)event->guard,
        .partner_guard = (uint16_t)event->partner_guard,
        .kind = (uint16_t)event->kind,
        .alternative = event->alternative,
        .partner_alternative = event->partner_alternative,
        .site = number_of_site(event->op->site),
        .partner_site = number_of_site(partner != NULL ? partner->site : event->partner_site),
        .object = (uint64_t)(uintptr_t)event->object,
    };
}

_Noreturn static void stop(ExploreEnd end) {
    run.region->end = end;
    _exit(STATUS_DONE);
}

static bool sleeps(const ExploreEvent *event) {
    for (uint32_t i = 0; i < run.sleeper_count; i++) {
        if (explore_is_same(&run.sleepers[i], event)) {
            return true;
        }
    }
    return false;
}

static void wake_dependent(const ExploreEvent *event) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run.sleeper_count; i++) {
        if (!explore_is_dependent(&run.sleepers[i], event)) {
            run.sleepers[kept++] = run.sleepers[i];
        }
    }
    run.sleeper_count = kept;
}

/* Beyond the prefix: write the events, take the first that does not sleep. */
static uint32_t take_new(const GateEvent *events, uint32_t count) {
    ExploreRegion *region = run.region;
    if (region->step_count >= region->step_limit || region->event_count + count > EXPLORE_EVENTS) {
        stop(EXPLORE_DEEP);
    }
    ExploreEvent *written = &region->events[region->event_count];
    uint32_t chosen = count;
    for (uint32_t i = 0; i < count; i++) {
        written[i] = describe(&events[i]);
        if (chosen == count && !sleeps(&written[i])) {
            chosen = i;
        }
    }
    region->steps[run.step] = (ExploreStep){region->event_count, count, chosen};
    region->event_count += count;
    region->step_count = run.step + 1;
    if (chosen == count) {
        stop(EXPLORE_SLEEPS);
    }
    wake_dependent(&written[chosen]);
    causes_happen(&events[chosen], &written[chosen], run.step++);
    return chosen;
}

uint32_t explored_run_take(const GateEvent *events, uint32_t count) {
    const ExploreRegion *region = run.region;
    if (run.step >= region->prefix_count) {
        return take_new(events, count);
    }
    uint32_t chosen = region->prefix[run.step];
    rt_check(chosen < count);
    ExploreEvent described = describe(&events[chosen]);
    causes_happen(&events[chosen], &described, run.step++);
    run.region->step_count = run.step;
    return chosen;
}

void explored_run_time(void) {
    causes_time(run.step);
}

void explored_run_note_limit(uint32_t limit) {
    run.region->limits |= limit;
    if (limit == EXPLORE_LIMIT_BUNDLE) {
        run.region->all_race = 1; /* guards that see it are not followed up */
    }
}
