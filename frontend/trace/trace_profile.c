/* trace_profile -- a trace as text: how long the processes of each PROC ran and waited, where, and
 * for whom. See trace.h. */
#include "trace.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LINES_SHOWN = 20 };

/* The processes of a PROC. */
typedef struct ProcLine {
    const char *proc;
    size_t processes;
    double ran_us;
    double waited_us;
    uint64_t messages;
} ProcLine;

/* A place where processes waited. */
typedef struct WaitLine {
    const TraceSite *site;
    uint64_t times;
    double waited_us;
    double longest_us;
    const char
        *for_proc; /* who ended most of the waits: by majority vote, so at least half if any */
    uint64_t votes;
} WaitLine;

typedef struct Profile {
    Arena *arena;
    ARRAY_OF(ProcLine) procs;
    ARRAY_OF(WaitLine) waits; /* as the sites of the trace */
} Profile;

static ProcLine *proc_line(Profile *profile, const char *proc) {
    for (size_t i = 0; i < profile->procs.count; i++) {
        if (strcmp(profile->procs.items[i].proc, proc) == 0) {
            return &profile->procs.items[i];
        }
    }
    ProcLine line = {.proc = proc};
    array_push(profile->arena, &profile->procs, line);
    return &profile->procs.items[profile->procs.count - 1];
}

static const char *proc_of(const TraceProcess *process) {
    return process && process->name ? process->name->proc : "(no place)";
}

static void add_processes(Profile *profile, const Trace *trace) {
    for (size_t i = 0; i < trace->processes.count; i++) {
        const TraceProcess *process = trace->processes.items[i];
        ProcLine *line = proc_line(profile, proc_of(process));
        line->processes++;
        line->ran_us += process->ran_us;
        line->waited_us += process->waited_us;
        line->messages += process->messages;
    }
}

static void vote(WaitLine *line, const char *proc) {
    if (line->votes == 0) {
        line->for_proc = proc;
        line->votes = 1;
    } else if (strcmp(line->for_proc, proc) == 0) {
        line->votes++;
    } else {
        line->votes--;
    }
}

static void add_waits(Profile *profile, const Trace *trace) {
    for (size_t i = 0; i < trace->sites.count; i++) {
        WaitLine line = {.site = &trace->sites.items[i]};
        array_push(profile->arena, &profile->waits, line);
    }
    for (size_t i = 0; i < trace->spans.count; i++) {
        const TraceSpan *span = &trace->spans.items[i];
        if (!span->waits) {
            continue;
        }
        WaitLine *line = &profile->waits.items[span->waits - trace->sites.items];
        double length = span->to_us - span->from_us;
        line->times++;
        line->waited_us += length;
        line->longest_us = length > line->longest_us ? length : line->longest_us;
        if (span->waker) {
            vote(line, proc_of(span->waker));
        }
    }
}

static int by_time_run(const void *left, const void *right) {
    double one = ((const ProcLine *)left)->ran_us;
    double other = ((const ProcLine *)right)->ran_us;
    return (one < other) - (one > other);
}

static int by_time_waited(const void *left, const void *right) {
    double one = ((const WaitLine *)left)->waited_us;
    double other = ((const WaitLine *)right)->waited_us;
    return (one < other) - (one > other);
}

static void put_procs(FILE *out, const Profile *profile) {
    fprintf(out, "\n%-28s %9s %12s %12s %12s\n", "PROC", "processes", "ran ms", "waited ms",
            "messages");
    for (size_t i = 0; i < profile->procs.count && i < LINES_SHOWN; i++) {
        const ProcLine *line = &profile->procs.items[i];
        fprintf(out, "%-28s %9zu %12.3f %12.3f %12" PRIu64 "\n", line->proc, line->processes,
                line->ran_us / 1000, line->waited_us / 1000, line->messages);
    }
}

static void put_waits(FILE *out, const Profile *profile) {
    fprintf(out, "\n%12s %10s %12s  %s\n", "waited ms", "times", "longest ms",
            "waiting, and for whom");
    for (size_t i = 0; i < profile->waits.count && i < LINES_SHOWN; i++) {
        const WaitLine *line = &profile->waits.items[i];
        if (line->times == 0) {
            break;
        }
        fprintf(out, "%12.3f %10" PRIu64 " %12.3f  %s: %s", line->waited_us / 1000, line->times,
                line->longest_us / 1000, line->site->proc,
                trace_wait_text(profile->arena, line->site));
        fprintf(out, line->votes ? ", for %s\n" : "\n", line->for_proc);
    }
}

void trace_profile(FILE *out, const Trace *trace) {
    Profile profile = {.arena = trace->arena};
    add_processes(&profile, trace);
    add_waits(&profile, trace);
    if (profile.procs.count) {
        qsort(profile.procs.items, profile.procs.count, sizeof *profile.procs.items, by_time_run);
    }
    if (profile.waits.count) {
        qsort(profile.waits.items, profile.waits.count, sizeof *profile.waits.items,
              by_time_waited);
    }
    fprintf(out, "%.3f ms, %u worker%s, %zu processes, %zu messages, %" PRIu64 " events\n",
            trace->length_us / 1000, trace->workers, trace->workers == 1 ? "" : "s",
            trace->processes.count, trace->messages.count, trace->events);
    if (trace->lost) {
        fprintf(out, "the rings have kept the last events: %" PRIu64 " before them are lost\n",
                trace->lost);
    }
    put_procs(out, &profile);
    put_waits(out, &profile);
}
