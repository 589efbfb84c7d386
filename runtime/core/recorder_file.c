/* recorder_file -- the file that is made of the rings. See recorder.h.
 *
 * Holds:  the file is written once, at the end, from what the rings hold; places are static
 *         records of the program, so they are looked up then. A signal handler may do it: nothing
 *         is allocated but by the kernel. */
#define _POSIX_C_SOURCE 200809L

#include "recorder.h"

#include "os.h"
#include "report.h"
#include "setting.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct RecordHead {
    char magic[8];
    uint64_t version;
    uint64_t start_ticks, start_ns;
    uint64_t end_ticks, end_ns;
    uint64_t worker_count, ring_records;
    uint64_t site_count, text_bytes;
    uint64_t reserved[6];
    uint64_t recorded[WORKERS_MAX];
} RecordHead;

typedef struct RecordSite {
    uint64_t address;
    uint64_t file, proc, object;
    uint64_t place;
    uint64_t kind;
} RecordSite;

#define RECORD_SIZE(Struct, size)       _Static_assert(sizeof(Struct) == (size), #Struct);
#define RECORD_FIELD(Struct, field, at) _Static_assert(offsetof(Struct, field) == (at), #Struct);
#include "occ/record.def"
#undef RECORD_SIZE
#undef RECORD_FIELD

enum { RECORD_VERSION = 2, SITES_MAX = 1 << 16, TEXTS_MAX = 1 << 22 };

/* What the places of the events are gathered in. */
typedef struct SiteTable {
    const Site **slots; /* SITES_MAX, by their addresses */
    RecordSite *sites;
    char *texts;
    uint64_t site_count;
    uint64_t text_bytes;
} SiteTable;

static RecordHead head; /* of this run: there is one file */

bool recorder_begin(void) {
    const char *path = getenv("OCC_TRACE");
    bool has_path = path != NULL && *path != '\0';
    rt_root.is_recorded = has_path || setting_is("OCC_TOP", "1");
    if (!rt_root.is_recorded) {
        return true;
    }
    memcpy(head.magic, "occtrace", sizeof head.magic);
    head.version = RECORD_VERSION;
    head.ring_records = RECORD_RING;
    head.start_ticks = arch_ticks();
    head.start_ns = (uint64_t)os_clock_ns();
    rt_root.trace_path = has_path ? path : NULL;
    rt_root.process_start = (void *)(uintptr_t)occ_process_start;
    recorder_add(&rt_root.worker);
    if (rt_root.worker.records != NULL) {
        os_memory_want_large_pages(rt_root.worker.records, RECORD_RING * sizeof(Record));
    }
    return rt_root.worker.records != NULL;
}

/* ---- places ---- */

static uint64_t add_text(SiteTable *table, const char *text) {
    size_t length = text != NULL ? strlen(text) + 1 : 0;
    if (length == 0 || table->text_bytes + length > TEXTS_MAX) {
        return 0;
    }
    memcpy(table->texts + table->text_bytes, text, length);
    table->text_bytes += length;
    return table->text_bytes - length;
}

static void add_site(SiteTable *table, const Site *site) {
    size_t slot = ((uintptr_t)site >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 48;
    while (table->slots[slot] != NULL && table->slots[slot] != site) {
        slot = (slot + 1) % SITES_MAX;
    }
    if (site == NULL || table->slots[slot] == site || table->site_count >= SITES_MAX / 2) {
        return;
    }
    table->slots[slot] = site;
    table->sites[table->site_count++] = (RecordSite){
        .address = (uintptr_t)site,
        .file = add_text(table, site->file),
        .proc = add_text(table, site->proc),
        .object = add_text(table, site->object),
        .place = (uint64_t)site->line << 32 | site->column,
        .kind = site->kind | (uint64_t)site->flags << 8,
    };
}

static void add_sites_of(SiteTable *table, const Worker *worker) {
    uint64_t count = worker->recorded < RECORD_RING ? worker->recorded : RECORD_RING;
    for (uint64_t i = 0; i < count; i++) {
        const Record *record = &worker->records[i];
        RecordKind kind = (RecordKind)(record->what & 0xff);
        if (kind == RECORD_WAIT || kind == RECORD_MEET || kind == RECORD_DEVICE) {
            add_site(table, (const Site *)(uintptr_t)record->detail);
        }
    }
}

static bool begin_sites(SiteTable *table) {
    table->slots = recorder_memory(SITES_MAX * sizeof *table->slots);
    table->sites = recorder_memory(SITES_MAX / 2 * sizeof *table->sites);
    table->texts = recorder_memory(TEXTS_MAX);
    table->text_bytes = 1; /* 0 is no text */
    return table->slots != NULL && table->sites != NULL && table->texts != NULL;
}

/* ---- the file ---- */

static bool write_all(int file, const void *bytes, size_t size) {
    while (size > 0) {
        long written = os_write(file, bytes, size);
        if (written <= 0) {
            return false;
        }
        bytes = (const char *)bytes + written;
        size -= (size_t)written;
    }
    return true;
}

static bool write_file(int file, const SiteTable *table) {
    bool is_written = write_all(file, &head, sizeof head);
    for (unsigned i = 0; i < head.worker_count && is_written; i++) {
        uint64_t held = head.recorded[i] < RECORD_RING ? head.recorded[i] : RECORD_RING;
        is_written = write_all(file, rt_root.workers[i]->records, (size_t)held * sizeof(Record));
    }
    return is_written &&
           write_all(file, table->sites, (size_t)table->site_count * sizeof *table->sites) &&
           write_all(file, table->texts, (size_t)table->text_bytes);
}

/* The workers that have rings are the first ones. */
static void count_workers(SiteTable *table) {
    for (unsigned i = 0; i < rt_root.worker_count; i++) {
        const Worker *worker = atomic_get_acquire(&rt_root.workers[i]);
        if (worker == NULL || worker->records == NULL) {
            break;
        }
        head.recorded[i] = worker->recorded;
        head.worker_count = i + 1;
        add_sites_of(table, worker);
    }
}

/* A name, or "&N", a descriptor that is open already: for a program that may not open any. */
static int open_trace(const char *path) {
    return path[0] == '&' ? atoi(path + 1)
                          : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

void recorder_end(void) {
    const char *path = rt_root.trace_path;
    rt_root.trace_path = NULL; /* once */
    SiteTable table = {.site_count = 0};
    if (path == NULL || !begin_sites(&table)) {
        return;
    }
    head.end_ticks = arch_ticks();
    head.end_ns = (uint64_t)os_clock_ns();
    count_workers(&table);
    head.site_count = table.site_count;
    head.text_bytes = table.text_bytes;
    int file = open_trace(path);
    if (file < 0 || !write_file(file, &table) || close(file) != 0) {
        report_line("occ: cannot write the trace to '%s'\n", path);
    }
}
