/* explored_run -- recording steps. See explored_run.h. */
#define _POSIX_C_SOURCE 200809L
#include "explored_run.h"

#include "backtrace.h"
#include "causes.h"
#include "ending.h"
#include "sample.h"
#include "state.h"
#include "state_table.h"
#include "worker.h"

#include <string.h>

static struct {
    ExploreRegion *region;
    SearchRun *order;
    uint32_t step;
    uint32_t sleeper_count;
} run;

/* In a program that has PHASE. */
extern const uint8_t occ_asks_phases __attribute__((weak));

/* ---- races ---- */

/* Write each race once, and only those that begin after the prefix. */
static void write_race(uint32_t step, uint32_t first) {
    SearchRun *order = run.order;
    if (step == CAUSES_NONE || order->race_count == EXPLORE_RACES) {
        order->all_race = 1;
        return;
    }
    for (uint32_t i = order->race_count; i-- > 0;) {
        if (order->races[i].step == step && order->races[i].first == first) {
            return;
        }
    }
    order->races[order->race_count++] = (ExploreRace){step, first};
}

void explored_run_begin(ExploreRegion *region, SearchRun *order) {
    run.region = region;
    run.order = order;
    order->end = EXPLORE_RUNS;
    order->step_count = order->event_count = order->race_count = 0;
    order->limits = order->all_race = order->last_state = 0;
    run.sleeper_count = order->sleeper_count;
    memcpy(order->asleep, order->sleepers, order->sleeper_count * sizeof *order->asleep);
    order->processes = 0;
    if (order->sample != 0) {
        sample_begin(region, order->sample, order->sample_steps);
    } else {
        causes_begin(write_race);
    }
    rt_root.phases_return = region->phases_return != 0 && &occ_asks_phases == NULL;
    if (region->recognises_states != 0) {
        time_source_jump(&rt_root.time, (Ticks){STATE_TIME_US});
    }
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

static void write_site(ExploreSite *entry, const Site *site) {
    copy_text(entry->file, sizeof entry->file, site->file);
    copy_text(entry->proc, sizeof entry->proc, site->proc);
    copy_text(entry->object, sizeof entry->object, site->object);
    entry->column = site->column;
    entry->line = site->line;
}

/* A site has the same address in all runners. */
static uint16_t number_of_site(const Site *site) {
    uint64_t address = (uintptr_t)site;
    size_t at = (address >> 3) % (EXPLORE_SITES - 1) + 1;
    for (size_t tries = 0; site != NULL && tries < 8; tries++, at = at % (EXPLORE_SITES - 1) + 1) {
        ExploreSite *entry = &run.region->sites[at];
        uint64_t found = atomic_get_relaxed(&entry->address);
        if (found == 0 && atomic_cas(&entry->address, &found, address)) {
            write_site(entry, site);
            return (uint16_t)at;
        }
        if (found == address) {
            return (uint16_t)at;
        }
    }
    return 0;
}

/* ---- a step ---- */

/* The index of the replicated PAR around the process. */
static uint16_t index_of(const Process *process) {
    for (; process != NULL; process = backtrace_parent(process)) {
        if (process->index >= 0 && process->index < UINT16_MAX) {
            return (uint16_t)(process->index + 1);
        }
    }
    return 0;
}

static uint32_t place_of(const Process *process) {
    return (uint32_t)(((uintptr_t)process - (uintptr_t)rt_root.blocks.area) >> 4);
}

static ExploreEvent describe(const GateEvent *event) {
    const GateOp *partner = event->partner;
    const Process *plain = event->plain_partner;
    const Site *partner_site = partner != NULL ? partner->site : plain != NULL ? plain->wait : NULL;
    return (ExploreEvent){
        .op = event->op->number,
        .partner = partner != NULL ? partner->number : 0,
        .guard = (uint16_t)event->guard,
        .partner_guard = (uint16_t)event->partner_guard,
        .kind = (uint16_t)event->kind,
        .alternative = event->alternative,
        .partner_alternative = event->partner_alternative,
        .site = number_of_site(event->op->site),
        .partner_site = number_of_site(partner_site),
        .index = run.region->node_limit > 0 ? index_of(event->op->process) : 0,
        .object = (uint64_t)(uintptr_t)event->object,
        .process = place_of(event->op->process),
        .partner_process = partner != NULL ? place_of(partner->process) : 0,
    };
}

static void stop(ExploreHow how) {
    run.order->end = how;
    rt_root.leave(STATUS_DONE);
}

static bool sleeps(const ExploreEvent *event) {
    for (uint32_t i = 0; i < run.sleeper_count; i++) {
        if (explore_is_same(&run.order->asleep[i], event)) {
            return true;
        }
    }
    return false;
}

static void wake_dependent(const ExploreEvent *event) {
    ExploreEvent *asleep = run.order->asleep;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run.sleeper_count; i++) {
        if (!explore_is_dependent(&asleep[i], event)) {
            asleep[kept++] = asleep[i];
        }
    }
    run.sleeper_count = kept;
}

/* The run ends in a known state. */
static uint32_t look_at_state(void) {
    uint32_t number = 0;
    StateSeen seen = state_table_see(state_digest(), &number);
    if (seen == STATE_KNOWN) {
        run.order->last_state = number;
    }
    if (seen != STATE_NEW) {
        stop(seen == STATE_KNOWN ? EXPLORE_KNOWN : EXPLORE_DEEP);
    }
    return number;
}

/* The event that equals the next one of the prefix; count: there is none. */
static uint32_t take_followed(const ExploreEvent *events, uint32_t count) {
    uint32_t chosen = 0;
    while (chosen < count && !explore_is_like(&events[chosen], &run.region->followed[run.step])) {
        chosen++;
    }
    return chosen;
}

/* Beyond the prefix: record the events, take the first that does not sleep. */
static uint32_t take_new(const GateEvent *events, uint32_t count) {
    SearchRun *order = run.order;
    bool has_states = run.region->recognises_states != 0;
    if (run.step >= run.region->step_limit || order->event_count + count > EXPLORE_EVENTS) {
        stop(EXPLORE_DEEP);
    }
    uint32_t state = has_states ? look_at_state() : 0;
    ExploreEvent *written = &order->events[order->event_count];
    uint32_t chosen = count;
    for (uint32_t i = 0; i < count; i++) {
        written[i] = describe(&events[i]);
        if (chosen == count && order->sample == 0 && !sleeps(&written[i]) &&
            !(has_states && count > 1)) {
            chosen = i;
        }
    }
    if (run.region->followed_count > 0) {
        chosen = take_followed(written, count);
    } else if (order->sample != 0) {
        chosen = sample_take(events, count, run.step);
        order->processes = sample_processes();
    }
    order->steps[run.step] = (ExploreStep){order->event_count, count, chosen, state};
    order->event_count += count;
    order->step_count = run.step + 1;
    if (chosen == count) {
        stop(has_states ? EXPLORE_STATE : EXPLORE_SLEEPS);
    }
    wake_dependent(&written[chosen]);
    causes_happen(&events[chosen], &written[chosen], run.step++);
    return chosen;
}

static uint32_t take(const GateEvent *events, uint32_t count) {
    SearchRun *order = run.order;
    if (run.step >= order->prefix_count) {
        return take_new(events, count);
    }
    uint32_t chosen = order->prefix[run.step];
    if (chosen >= count) { /* the world outside has changed since */
        order->limits |= EXPLORE_LIMIT_OUTSIDE;
        stop(EXPLORE_SLEEPS);
    }
    ExploreEvent described = describe(&events[chosen]);
    causes_happen(&events[chosen], &described, run.step++);
    order->step_count = run.step;
    return chosen;
}

static void time_goes_on(void) {
    causes_time(run.step);
}

static void note_limit(uint32_t limit) {
    run.order->limits |= limit;
    if (limit == EXPLORE_LIMIT_BUNDLE) {
        run.order->all_race = 1; /* guards that see such a CLOSE are not analysed */
    }
}

static void note_end(const Process *process) {
    causes_end(process);
    sample_end(process);
}

static const GateNotes notes = {causes_arrive,  time_goes_on, causes_plain,
                                causes_meeting, note_end,     causes_release};
const GateChooser explored_run_chooser = {take, note_limit, &notes};
