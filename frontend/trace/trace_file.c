/* trace_file -- the form of the file: head, rings, places. See trace_file.h. */
#include "trace_file.h"

#include "file.h"
#include "options.h"
#include "trace_replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { VERSION = 2, WORKERS_MOST = 56, RING_MOST = 1 << 30, SITE_CALL = 16 };

enum {
#define RECORD_SIZE(Struct, size)         SIZE_##Struct = (size),
#define RECORD_FIELD(Struct, field, from) AT_##Struct##_##field = (from),
#include "../../runtime/include/occ/record.def"
#undef RECORD_SIZE
#undef RECORD_FIELD
};

static uint64_t word_at(const char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* The parts of the file, all within it. */
typedef struct TraceParts {
    const char *head;
    const char *rings;
    const char *sites;
    const char *texts;
    uint64_t workers;
    uint64_t ring_records;
    uint64_t site_count;
    uint64_t text_bytes;
} TraceParts;

#define HEAD(parts, field) word_at((parts)->head + AT_RecordHead_##field)

/* How many events of the worker the file has. */
static uint64_t held_by(const TraceParts *parts, uint64_t worker) {
    uint64_t recorded = word_at(parts->head + AT_RecordHead_recorded + 8 * worker);
    return recorded < parts->ring_records ? recorded : parts->ring_records;
}

static bool find_parts(TraceParts *parts, const FileText *file) {
    if (file->length < SIZE_RecordHead || memcmp(file->bytes, "occtrace", 8) != 0) {
        return false;
    }
    parts->head = file->bytes;
    parts->workers = HEAD(parts, worker_count);
    parts->ring_records = HEAD(parts, ring_records);
    parts->site_count = HEAD(parts, site_count);
    parts->text_bytes = HEAD(parts, text_bytes);
    uint64_t most = file->length;
    bool is_sound = HEAD(parts, version) == VERSION && parts->workers <= WORKERS_MOST &&
                    parts->ring_records <= RING_MOST && parts->ring_records > 0 &&
                    (parts->ring_records & (parts->ring_records - 1)) == 0 &&
                    parts->site_count <= most && parts->text_bytes <= most;
    if (!is_sound) {
        return false;
    }
    uint64_t rings = 0;
    for (uint64_t i = 0; i < parts->workers; i++) {
        rings += held_by(parts, i) * SIZE_Record;
    }
    uint64_t sites = parts->site_count * SIZE_RecordSite;
    parts->rings = parts->head + SIZE_RecordHead;
    parts->sites = parts->rings + rings;
    parts->texts = parts->sites + sites;
    return SIZE_RecordHead + rings + sites + parts->text_bytes == file->length &&
           (parts->text_bytes == 0 || parts->texts[parts->text_bytes - 1] == '\0');
}

/* ---- places ---- */

static const char *text_of(const TraceParts *parts, uint64_t at) {
    return at > 0 && at < parts->text_bytes ? parts->texts + at : "";
}

static int compare_sites(const void *left, const void *right) {
    uint64_t one = ((const TraceSite *)left)->address;
    uint64_t other = ((const TraceSite *)right)->address;
    return (one > other) - (one < other);
}

static void read_sites(Trace *trace, const TraceParts *parts) {
    for (uint64_t i = 0; i < parts->site_count; i++) {
        const char *at = parts->sites + i * SIZE_RecordSite;
        uint64_t place = word_at(at + AT_RecordSite_place);
        uint64_t kind = word_at(at + AT_RecordSite_kind);
        uint64_t reason = kind & 0xff;
        TraceSite site = {
            .address = word_at(at + AT_RecordSite_address),
            .file = text_of(parts, word_at(at + AT_RecordSite_file)),
            .proc = text_of(parts, word_at(at + AT_RecordSite_proc)),
            .object = text_of(parts, word_at(at + AT_RecordSite_object)),
            .line = (uint32_t)(place >> 32),
            .column = (uint32_t)place,
            .reason = reason < TRACE_REASON_COUNT ? (TraceReason)reason : TRACE_WAIT_STOPPED,
            .is_call = (kind >> 8 & SITE_CALL) != 0,
        };
        array_push(trace->arena, &trace->sites, site);
    }
    if (trace->sites.count) {
        qsort(trace->sites.items, trace->sites.count, sizeof *trace->sites.items, compare_sites);
    }
}

/* ---- events ---- */

/* The events of a worker, from the oldest that its ring still holds. */
typedef struct TraceRing {
    const char *records;
    uint64_t mask;
    uint64_t next;
    uint64_t end;
} TraceRing;

static const char *ring_front(const TraceRing *ring) {
    return ring->next < ring->end ? ring->records + (ring->next & ring->mask) * SIZE_Record : NULL;
}

static void begin_rings(Trace *trace, const TraceParts *parts, TraceRing *rings) {
    const char *records = parts->rings;
    for (uint64_t i = 0; i < parts->workers; i++) {
        uint64_t recorded = word_at(parts->head + AT_RecordHead_recorded + 8 * i);
        uint64_t held = held_by(parts, i);
        rings[i] = (TraceRing){records, parts->ring_records - 1, recorded - held, recorded};
        records += held * SIZE_Record;
        trace->lost += recorded - held;
        trace->events += held;
    }
}

static void replay_rings(Trace *trace, const TraceParts *parts) {
    TraceRing rings[WORKERS_MOST];
    begin_rings(trace, parts, rings);
    uint64_t first = HEAD(parts, start_ticks);
    double ticks = (double)(HEAD(parts, end_ticks) - first);
    double ns = (double)(HEAD(parts, end_ns) - HEAD(parts, start_ns));
    double us_per_tick = ticks > 0 ? ns / ticks / 1000 : 0;
    Replay *replay = replay_begin(trace);
    for (;;) {
        unsigned worker = 0;
        const char *front = NULL;
        for (unsigned i = 0; i < parts->workers; i++) {
            const char *own = ring_front(&rings[i]);
            if (own && (!front || word_at(own) >> 8 < word_at(front) >> 8)) {
                front = own;
                worker = i;
            }
        }
        if (!front) {
            break;
        }
        rings[worker].next++;
        uint64_t what = word_at(front + AT_Record_what);
        TraceEvent event = {(TraceKind)(what & 0xff),
                            worker,
                            (double)(int64_t)((what >> 8) - (first & (UINT64_MAX >> 8))) *
                                us_per_tick,
                            word_at(front + AT_Record_process),
                            word_at(front + AT_Record_object),
                            word_at(front + AT_Record_detail)};
        replay_event(replay, &event);
    }
    trace->length_us = ns / 1000;
    replay_end(replay);
}

Trace *trace_read(Arena *arena, const char *path) {
    FileText file;
    TraceParts parts;
    if (!file_read(arena, path, &file)) {
        driver_error("cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    if (!find_parts(&parts, &file)) {
        driver_error("'%s' is no whole trace: OCC_TRACE=%s ./program writes one when the program "
                     "ends",
                     path, path);
        return NULL;
    }
    Trace *trace = arena_new(arena, Trace);
    trace->arena = arena;
    trace->workers = (unsigned)parts.workers;
    read_sites(trace, &parts);
    replay_rings(trace, &parts);
    return trace;
}

/* ---- words ---- */

const char *trace_process_name(Arena *arena, const TraceProcess *process) {
    const char *proc = process->name ? process->name->proc : "process";
    return process->index == INT64_MIN ? arena_format(arena, "%s #%" PRIu32, proc, process->number)
                                       : arena_format(arena, "%s[%" PRId64 "] #%" PRIu32, proc,
                                                      process->index, process->number);
}

const char *trace_wait_text(Arena *arena, const TraceSite *site) {
    static const char *const words[] = {
#define OCC_WAIT(REASON, text) text,
#include "../../runtime/include/occ/wait_reason.def"
#undef OCC_WAIT
    };
    const char *quote = *site->object && !site->is_call ? "'" : "";
    const char *before = site->is_call ? ", in " : *quote ? " " : "";
    return arena_format(arena, "%s%s%s%s%s (%s:%" PRIu32 ":%" PRIu32 ")", words[site->reason],
                        before, quote, site->object, quote, site->file, site->line, site->column);
}
