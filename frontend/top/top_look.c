/* top_look -- see the header. */
#define _GNU_SOURCE

#include "top_look.h"

#include "file.h"
#include "options.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/uio.h>

enum {
#define OCC_MAP(NAME, value) MAP_##NAME,
#include "../../runtime/include/occ/map.def"
#undef OCC_MAP
    MAP_COUNT
};

enum {
#define OCC_STRUCT(Struct, size)
#define OCC_FIELD(Struct, field, from) AT_##Struct##_##field = (from),
#define OCC_CONSTANT(NAME, value)
#include "../../runtime/include/occ/layout.def"
#undef OCC_STRUCT
#undef OCC_FIELD
#undef OCC_CONSTANT
};

enum {
#define RECORD_SIZE(Struct, size)         SIZE_##Struct = (size),
#define RECORD_FIELD(Struct, field, from) AT_##Struct##_##field = (from),
#include "../../runtime/include/occ/record.def"
#undef RECORD_SIZE
#undef RECORD_FIELD
};

typedef enum TopRecord {
#define RECORD(KIND, word) TOP_RECORD_##KIND,
#include "../../runtime/include/occ/record.def"
#undef RECORD
} TopRecord;

enum {
    MAP_VERSION_KNOWN = 1,
    WORKERS_MOST = 56,
    DESCRIPTOR = 64,
    SITE_BYTES = 32,
    TEXT_MOST = 200,
    CHUNKS_MOST = 1 << 20,
    SITE_CHAINS = 4096,
    CHUNK_MOST = 1 << 30,
    TAGS = 7,       /* TAG_MASK of layout.def */
    DEVICE_TAG = 6, /* TAG_DEVICE */
    SITE_CALL = 16
};

typedef enum TopReason {
#define OCC_WAIT(REASON, words) TOP_WAIT_##REASON,
#include "../../runtime/include/occ/wait_reason.def"
#undef OCC_WAIT
    TOP_WAIT_COUNT
} TopReason;

typedef struct SiteNode {
    TopSite site;
    struct SiteNode *next;
} SiteNode;

struct TopProgram {
    Arena *arena;
    pid_t pid;
    const char *name;
    uint64_t root; /* rt_root in it */
    uint64_t map[MAP_COUNT];
    uint64_t recorded[WORKERS_MOST]; /* at the last look */
    bool has_looked;
    SiteNode *sites[SITE_CHAINS];
};

/* ---- its memory ---- */

static bool read_memory(const TopProgram *program, uint64_t from, void *into, size_t size) {
    struct iovec local = {into, size};
    struct iovec remote = {(void *)(uintptr_t)from, size};
    return process_vm_readv(program->pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static uint64_t read_word(const TopProgram *program, uint64_t from) {
    uint64_t word = 0;
    return read_memory(program, from, &word, sizeof word) ? word : 0;
}

static uint64_t word_in(const char *bytes, size_t at) {
    uint64_t word;
    memcpy(&word, bytes + at, sizeof word);
    return word;
}

static const char *read_text(const TopProgram *program, uint64_t from) {
    char text[TEXT_MOST + 1] = {0};
    size_t length = 0;
    while (from && length < TEXT_MOST && read_memory(program, from + length, text + length, 1) &&
           text[length]) {
        length++;
    }
    text[length] = '\0';
    return arena_format(program->arena, "%s", text);
}

/* ---- its symbols ---- */

/* The value of a symbol in the file; 0: it has none. */
static uint64_t symbol_in(FileText file, const char *name) {
    Elf64_Ehdr head;
    memcpy(&head, file.bytes, sizeof head);
    for (unsigned i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr table;
        Elf64_Shdr texts;
        uint64_t at = head.e_shoff + i * sizeof table;
        if (at > file.length || file.length - at < sizeof table) {
            return 0;
        }
        memcpy(&table, file.bytes + at, sizeof table);
        uint64_t link = head.e_shoff + table.sh_link * sizeof table;
        if (table.sh_type != SHT_SYMTAB || link > file.length ||
            file.length - link < sizeof texts || table.sh_offset > file.length ||
            table.sh_size > file.length - table.sh_offset) {
            continue;
        }
        memcpy(&texts, file.bytes + link, sizeof texts);
        for (uint64_t k = 0; k + sizeof(Elf64_Sym) <= table.sh_size; k += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol;
            memcpy(&symbol, file.bytes + table.sh_offset + k, sizeof symbol);
            uint64_t text = texts.sh_offset + symbol.st_name;
            if (text < file.length && strcmp(file.bytes + text, name) == 0) {
                return symbol.st_value;
            }
        }
    }
    return 0;
}

/* What is added to the addresses of the file: where its first page lies. */
static uint64_t load_base(const TopProgram *program, FileText file) {
    Elf64_Ehdr head;
    memcpy(&head, file.bytes, sizeof head);
    FILE *maps = head.e_type == ET_DYN
                     ? fopen(arena_format(program->arena, "/proc/%d/maps", (int)program->pid), "r")
                     : NULL;
    uint64_t base = 0;
    if (maps) {
        if (fscanf(maps, "%" SCNx64, &base) != 1) {
            base = 0;
        }
        fclose(maps);
    }
    return base;
}

static bool find_runtime(TopProgram *program) {
    FileText file;
    const char *path = arena_format(program->arena, "/proc/%d/exe", (int)program->pid);
    if (!file_read(program->arena, path, &file)) {
        driver_error("cannot look at process %d: %s", (int)program->pid, strerror(errno));
        return false;
    }
    bool is_elf = file.length > sizeof(Elf64_Ehdr) && memcmp(file.bytes, ELFMAG, SELFMAG) == 0;
    uint64_t root = is_elf ? symbol_in(file, "rt_root") : 0;
    uint64_t map = is_elf ? symbol_in(file, "occ_runtime_map") : 0;
    if (!root || !map) {
        driver_error("process %d is no program of this compiler, or its symbols were stripped",
                     (int)program->pid);
        return false;
    }
    uint64_t base = load_base(program, file);
    program->root = base + root;
    if (!read_memory(program, base + map, program->map, sizeof program->map)) {
        driver_error("cannot read the memory of process %d: %s", (int)program->pid,
                     strerror(errno));
        return false;
    }
    if (program->map[MAP_VERSION] != MAP_VERSION_KNOWN) {
        driver_error("process %d was made by another version of this compiler", (int)program->pid);
        return false;
    }
    return true;
}

TopProgram *top_open(Arena *arena, pid_t pid) {
    TopProgram *program = arena_new(arena, TopProgram);
    program->arena = arena;
    program->pid = pid;
    if (!find_runtime(program)) {
        return NULL;
    }
    FileText name;
    bool has_name = file_read(arena, arena_format(arena, "/proc/%d/comm", (int)pid), &name);
    program->name =
        has_name ? arena_format(arena, "%.*s", (int)strcspn(name.bytes, "\n"), name.bytes) : "";
    return program;
}

const char *top_name(const TopProgram *program) {
    return program->name;
}

/* ---- places ---- */

static const TopSite *site_at(TopProgram *program, uint64_t address) {
    SiteNode **chain = &program->sites[(address >> 3) % SITE_CHAINS];
    for (SiteNode *node = *chain; node; node = node->next) {
        if (node->site.address == address) {
            return &node->site;
        }
    }
    char bytes[SITE_BYTES];
    if (!read_memory(program, address, bytes, sizeof bytes)) {
        return NULL;
    }
    SiteNode *node = arena_new(program->arena, SiteNode);
    node->site = (TopSite){
        .address = address,
        .file = read_text(program, word_in(bytes, AT_Site_file)),
        .proc = read_text(program, word_in(bytes, AT_Site_proc)),
        .object = read_text(program, word_in(bytes, AT_Site_object)),
        .line = (uint32_t)word_in(bytes, AT_Site_line),
        .column = (uint16_t)(word_in(bytes, AT_Site_line) >> 32),
        .reason = (unsigned char)bytes[AT_Site_kind],
        .is_call = (bytes[AT_Site_flags] & SITE_CALL) != 0,
    };
    node->next = *chain;
    *chain = node;
    return &node->site;
}

/* ---- processes ---- */

/* Compiled code leaves the place behind when a process goes on: who waits in a channel is in its
 * word. */
static bool waits(const TopProgram *program, uint64_t process, const char *bytes,
                  const TopSite *site) {
    if (site->reason != TOP_WAIT_INPUT && site->reason != TOP_WAIT_OUTPUT) {
        return true;
    }
    uint64_t word = read_word(program, word_in(bytes, AT_Process_next));
    uint64_t tag = word - process;
    return (word & TAGS) == DEVICE_TAG || tag <= TAGS;
}

static void add_block(TopProgram *program, TopLook *look, uint64_t address, const char *bytes,
                      uint64_t size) {
    uint64_t sp = word_in(bytes, AT_Process_sp);
    unsigned flags = (unsigned char)bytes[AT_Process_flags];
    if (sp == 0 || (flags & program->map[MAP_SEGMENT_FLAG]) != 0) {
        return;
    }
    uint64_t wait = word_in(bytes, AT_Process_wait);
    const TopSite *site = wait ? site_at(program, wait) : NULL;
    TopProcess process = {site && waits(program, address, bytes, site) ? site : NULL, size};
    array_push(look->arena, &look->processes, process);
}

static void look_at_chunk(TopProgram *program, TopLook *look, const char *chunk) {
    uint64_t base = word_in(chunk, program->map[MAP_CHUNK_BASE]);
    uint64_t carved = word_in(chunk, program->map[MAP_CHUNK_CARVED]);
    uint32_t block;
    uint32_t spacing;
    memcpy(&block, chunk + program->map[MAP_CHUNK_BLOCK], sizeof block);
    memcpy(&spacing, chunk + program->map[MAP_CHUNK_SPACING], sizeof spacing);
    if (carved == 0 || carved > CHUNK_MOST || spacing < DESCRIPTOR || block < DESCRIPTOR) {
        return;
    }
    char *bytes = arena_allocate(look->arena, carved);
    if (read_memory(program, base, bytes, carved)) {
        for (uint64_t at = program->map[MAP_FIRST_BLOCK];
             at + block <= carved + spacing && at + block <= carved; at += spacing) {
            uint64_t top = at + block - DESCRIPTOR;
            add_block(program, look, base + top, bytes + top, block);
        }
    }
}

static void look_at_chunks(TopProgram *program, TopLook *look) {
    uint64_t chunks = read_word(program, program->root + program->map[MAP_ROOT_CHUNKS]);
    uint64_t count = read_word(program, program->root + program->map[MAP_ROOT_CHUNK_COUNT]);
    uint64_t size = program->map[MAP_CHUNK_SIZE];
    for (uint64_t i = 0; i < count && i < CHUNKS_MOST && size <= 256; i++) {
        char chunk[256];
        if (read_memory(program, chunks + i * size, chunk, size)) {
            look_at_chunk(program, look, chunk);
        }
    }
}

/* ---- messages ---- */

static void add_message(TopProgram *program, TopLook *look, uint64_t address) {
    for (size_t i = look->counts.count; i-- > 0;) {
        if (look->counts.items[i].site->address == address) {
            look->counts.items[i].messages++;
            return;
        }
    }
    const TopSite *site = site_at(program, address);
    if (site) {
        TopCount count = {site, 1};
        array_push(look->arena, &look->counts, count);
    }
}

/* The events from one number on to another, as far as the ring still has them. */
static void count_events(TopProgram *program, TopLook *look, uint64_t ring, uint64_t from,
                         uint64_t to) {
    enum { AT_ONCE = 4096 };
    uint64_t room = program->map[MAP_RING];
    uint64_t at = to - from > room ? to - room : from;
    char *records = arena_allocate(look->arena, (size_t)AT_ONCE * SIZE_Record);
    while (at < to) {
        uint64_t slot = at & (room - 1);
        uint64_t count = to - at < AT_ONCE ? to - at : AT_ONCE;
        count = count < room - slot ? count : room - slot;
        if (!read_memory(program, ring + slot * SIZE_Record, records, count * SIZE_Record)) {
            break;
        }
        for (uint64_t i = 0; i < count; i++) {
            const char *record = records + i * SIZE_Record;
            TopRecord kind = (TopRecord)(word_in(record, AT_Record_what) & 0xff);
            if (kind == TOP_RECORD_MEET || kind == TOP_RECORD_DEVICE) {
                add_message(program, look, word_in(record, AT_Record_detail));
            }
        }
        at += count;
    }
}

static void look_at_workers(TopProgram *program, TopLook *look) {
    uint64_t count = read_word(program, program->root + program->map[MAP_ROOT_WORKER_COUNT]);
    count = (uint32_t)count <= WORKERS_MOST ? (uint32_t)count : WORKERS_MOST;
    for (unsigned i = 0; i < count; i++) {
        uint64_t worker =
            read_word(program, program->root + program->map[MAP_ROOT_WORKERS] + 8 * (uint64_t)i);
        if (!worker) {
            continue;
        }
        look->workers++;
        uint64_t ring = read_word(program, worker + program->map[MAP_WORKER_RECORDS]);
        uint64_t recorded = read_word(program, worker + program->map[MAP_WORKER_RECORDED]);
        look->is_recorded = look->is_recorded || ring != 0;
        if (ring && program->has_looked && recorded > program->recorded[i]) {
            count_events(program, look, ring, program->recorded[i], recorded);
        }
        program->recorded[i] = recorded;
    }
}

static bool look_at_kernel(const TopProgram *program, TopLook *look) {
    FILE *statm = fopen(arena_format(look->arena, "/proc/%d/statm", (int)program->pid), "r");
    uint64_t resident = 0;
    bool is_there = statm && fscanf(statm, "%*u %" SCNu64, &resident) == 1 && resident > 0;
    if (statm) {
        fclose(statm);
    }
    look->resident_bytes = resident * 4096;
    return is_there;
}

bool top_look(TopProgram *program, TopLook *look) {
    if (!look_at_kernel(program, look)) {
        return false;
    }
    look_at_workers(program, look);
    look_at_chunks(program, look);
    program->has_looked = true;
    return true;
}
