/* trace_replay -- see the header. */
#include "trace_replay.h"

enum { CHAINS = 1 << 14, DESCRIPTOR_BYTES = 64, NO_INDEX_BELOW = -2147483647 + 64 };

struct Replay {
    Trace *trace;
    TraceProcess *chains[CHAINS]; /* by address; the newest of a block first */
    TraceProcess *runs[64]; /* by worker; NULL: since free_us nobody, or who does the next event */
    double free_us[64];
    uint64_t last_site; /* most events are at few places */
    const TraceSite *last_found;
};

Replay *replay_begin(Trace *trace) {
    Replay *replay = arena_new(trace->arena, Replay);
    replay->trace = trace;
    return replay;
}

/* ---- finding ---- */

static const TraceSite *site_at(Replay *replay, uint64_t address) {
    if (address == replay->last_site) {
        return replay->last_found;
    }
    const TraceSite *sites = replay->trace->sites.items;
    size_t low = 0;
    size_t high = replay->trace->sites.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sites[middle].address < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_there = low < replay->trace->sites.count && sites[low].address == address;
    replay->last_site = address;
    replay->last_found = is_there ? &sites[low] : NULL;
    return replay->last_found;
}

static TraceProcess **chain_of(Replay *replay, uint64_t address) {
    return &replay->chains[(address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 50];
}

static TraceProcess *make_process(Replay *replay, uint64_t address, double at_us) {
    Trace *trace = replay->trace;
    TraceProcess *process = arena_new(trace->arena, TraceProcess);
    process->number = (uint32_t)trace->processes.count;
    process->index = INT64_MIN;
    process->address = address;
    process->since_us = at_us;
    TraceProcess **chain = chain_of(replay, address);
    process->next = *chain;
    *chain = process;
    array_push(trace->arena, &trace->processes, process);
    return process;
}

static TraceProcess *process_at(Replay *replay, uint64_t address, double at_us) {
    for (TraceProcess *at = *chain_of(replay, address); at; at = at->next) {
        if (at->address == address) {
            return at->has_ended ? make_process(replay, address, at_us) : at;
        }
    }
    return make_process(replay, address, at_us);
}

/* The Join of a PAR is in the frame of the process that runs it. */
static TraceProcess *owner_of(Replay *replay, uint64_t address) {
    TraceProcess *owner = NULL;
    for (size_t i = 0; i < replay->trace->processes.count && !owner; i++) {
        TraceProcess *process = replay->trace->processes.items[i];
        bool is_inside = address >= process->low && address < process->high;
        owner = is_inside && !process->has_ended ? process : NULL;
    }
    return owner;
}

/* ---- spans ---- */

/* What the process did until now is over. */
static void end_span(Replay *replay, TraceProcess *process, double at_us) {
    const double shortest_us = 0.001; /* what the forms can show */
    double length = at_us - process->since_us;
    if (length >= shortest_us) {
        TraceSpan span = {process,        process->since_us, at_us,
                          process->waits, process->waker,    process->worker};
        array_push(replay->trace->arena, &replay->trace->spans, span);
    }
    *(process->waits ? &process->waited_us : &process->ran_us) += length > 0 ? length : 0;
    process->since_us = at_us;
}

static void goes_on(Replay *replay, TraceProcess *process, const TraceEvent *event) {
    bool is_known = event->kind == TRACE_RUN || replay->runs[event->worker];
    if (process->waits) {
        end_span(replay, process, is_known ? event->at_us : replay->free_us[event->worker]);
        process->waits = NULL;
        process->waker = NULL;
    }
    process->worker = event->worker;
    replay->runs[event->worker] = process;
}

static void leave(Replay *replay, const TraceEvent *event) {
    replay->runs[event->worker] = NULL;
    replay->free_us[event->worker] = event->at_us;
}

static void begin_wait(Replay *replay, TraceProcess *process, const TraceEvent *event) {
    const TraceSite *site = site_at(replay, event->detail);
    end_span(replay, process, event->at_us);
    process->waits = site;
    process->waker = NULL;
    leave(replay, event);
    process->name = process->name ? process->name : site;
}

static void start(Replay *replay, const TraceEvent *event) {
    enum { PARENTS_LOOKED_FOR = 4096 };
    TraceProcess *process = make_process(replay, event->process, event->at_us);
    uint64_t bytes = event->detail & UINT32_MAX;
    int32_t index = (int32_t)(event->detail >> 32);
    process->high = event->process + DESCRIPTOR_BYTES;
    process->low = process->high - bytes;
    process->index = index < NO_INDEX_BELOW ? INT64_MIN : index;
    if (process->number < PARENTS_LOOKED_FOR) {
        process->parent = owner_of(replay, event->object);
    }
    goes_on(replay, process, event);
}

static void end(Replay *replay, TraceProcess *process, const TraceEvent *event) {
    end_span(replay, process, event->at_us);
    process->has_ended = true;
    leave(replay, event);
}

/* ---- messages ---- */

static bool is_output(const TraceSite *site) {
    return site && site->reason == TRACE_WAIT_OUTPUT;
}

static void meet(Replay *replay, TraceProcess *process, const TraceEvent *event) {
    TraceProcess *partner =
        event->kind == TRACE_MEET ? process_at(replay, event->object, event->at_us) : NULL;
    const TraceSite *own = site_at(replay, event->detail);
    const TraceSite *theirs = partner ? partner->waits : NULL;
    bool outputs = is_output(own);
    TraceMessage message = {event->at_us, outputs ? process : partner, outputs ? partner : process,
                            outputs ? own : theirs, outputs ? theirs : own};
    array_push(replay->trace->arena, &replay->trace->messages, message);
    process->name = process->name ? process->name : own;
    process->messages++;
    if (partner) {
        partner->messages++;
        partner->waker = process;
    }
}

static void end_phase(Replay *replay, const TraceEvent *event) {
    TraceProcess *by = event->process ? process_at(replay, event->process, event->at_us) : NULL;
    TracePhase phase = {event->at_us, event->object, event->detail, by};
    array_push(replay->trace->arena, &replay->trace->phases, phase);
}

void replay_event(Replay *replay, const TraceEvent *event) {
    if (event->kind == TRACE_PHASE) {
        end_phase(replay, event);
        return;
    }
    if (event->kind == TRACE_START) {
        start(replay, event);
        return;
    }
    TraceProcess *process = process_at(replay, event->process, event->at_us);
    goes_on(replay, process, event);
    if (event->kind == TRACE_WAIT) {
        begin_wait(replay, process, event);
    } else if (event->kind == TRACE_MEET || event->kind == TRACE_DEVICE) {
        meet(replay, process, event);
    } else if (event->kind == TRACE_END) {
        end(replay, process, event);
    }
}

void replay_end(Replay *replay) {
    Trace *trace = replay->trace;
    for (size_t i = 0; i < trace->processes.count; i++) {
        TraceProcess *process = trace->processes.items[i];
        if (!process->has_ended) {
            end_span(replay, process, trace->length_us);
        }
    }
}
