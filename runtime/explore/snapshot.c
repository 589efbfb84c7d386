/* snapshot -- pages that have been written. See snapshot.h. */
#define _GNU_SOURCE
#include "snapshot.h"

#include "worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    RANGES = 128,
    SMALL_PAGES = 8,       /* a range of up to so many pages is restored as a whole */
    ENTRIES = 1024,        /* page table entries read at once */
    ASIDE_BYTES = 1 << 17, /* memory kept ready for runs */
    AREA_BYTES = 5 << 16
};

/* As proc(5) has them. */
#define PAGE_PRESENT   (UINT64_C(1) << 63)
#define PAGE_SWAPPED   (UINT64_C(1) << 62)
#define PAGE_EXCLUSIVE (UINT64_C(1) << 56)

typedef enum PageState {
    PAGE_IS_KEPT = 1, /* there is a copy; otherwise it was zero */
    PAGE_IS_CHANGED = 2
} PageState;

typedef struct Range {
    char *start;
    size_t pages;
    char *copy; /* NULL: all zero */
    uint8_t *states;
} Range;

/* Snapshot -- in a shared mapping, which is not restored; nobody else uses it. */
typedef struct Snapshot {
    Range ranges[RANGES];
    size_t count;
    size_t page_bytes;
    int page_table;
    const char *stack; /* the caller's */
    char *heap_end;
    char *area_end; /* the end of the block store's known area */
    uint64_t entries[ENTRIES];
} Snapshot;

static Snapshot *snapshot;
static volatile char *witness; /* a page that was written before the fork */

static void *own_memory(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* ---- the page table ---- */

/* Read the entries of so many pages; returns how many, 0: impossible. */
static size_t read_entries(const volatile char *start, size_t pages) {
    size_t wanted = pages < ENTRIES ? pages : ENTRIES;
    off_t place = (off_t)((uintptr_t)start / snapshot->page_bytes * sizeof(uint64_t));
    ssize_t bytes =
        pread(snapshot->page_table, snapshot->entries, wanted * sizeof(uint64_t), place);
    return bytes > 0 ? (size_t)bytes / sizeof(uint64_t) : 0;
}

/* Visit the pages of the range with their entries. */
static bool each_page(Range *range, void (*visit)(Range *range, size_t page, uint64_t entry)) {
    for (size_t at = 0; at < range->pages;) {
        size_t count = read_entries(range->start + at * snapshot->page_bytes, range->pages - at);
        if (count == 0) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            visit(range, at + i, snapshot->entries[i]);
        }
        at += count;
    }
    return true;
}

/* Do the entries tell pages written since the fork from others? */
static bool tells_written(void) {
    if (witness == NULL || read_entries(witness, 1) != 1 ||
        (snapshot->entries[0] & (PAGE_PRESENT | PAGE_EXCLUSIVE)) != PAGE_PRESENT) {
        return false;
    }
    *witness = 2;
    return read_entries(witness, 1) == 1 && (snapshot->entries[0] & PAGE_EXCLUSIVE) != 0;
}

void snapshot_prepare(void) {
    void *page =
        mmap(NULL, os_page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) {
        witness = page;
        *witness = 1;
    }
}

/* ---- saving ---- */

static void save_page(Range *range, size_t page, uint64_t entry) {
    size_t bytes = snapshot->page_bytes;
    if ((entry & (PAGE_PRESENT | PAGE_SWAPPED)) != 0) {
        memcpy(range->copy + page * bytes, range->start + page * bytes, bytes);
        range->states[page] = PAGE_IS_KEPT;
    }
}

static bool save_all(Range *range) {
    memcpy(range->copy, range->start, range->pages * snapshot->page_bytes);
    memset(range->states, PAGE_IS_KEPT, range->pages);
    return true;
}

static bool add_range(char *start, char *end, bool is_zero) {
    Range *range = &snapshot->ranges[snapshot->count];
    size_t pages = (size_t)(end - start) / snapshot->page_bytes;
    if (snapshot->count == RANGES) {
        return false;
    }
    range->start = start;
    range->pages = pages;
    range->copy = is_zero ? NULL : own_memory(pages * snapshot->page_bytes);
    range->states = own_memory(pages);
    snapshot->count++;
    return range->states != NULL && (is_zero || range->copy != NULL);
}

/* The area begins with the worker's system stack, which is still unused. */
static uintptr_t after_system_stack(uintptr_t start, uintptr_t end) {
    uintptr_t stack = (uintptr_t)rt_root.blocks.area + snapshot->page_bytes;
    uintptr_t top = (uintptr_t)rt_root.worker.os_sp - snapshot->page_bytes;
    return start == stack && top > stack && top < end ? top : start;
}

/* "start-end perms offset device inode path": add ranges that are writable and private. */
static bool add_line(const char *line) {
    uintptr_t start;
    uintptr_t end;
    char perms[5];
    unsigned long inode;
    if (sscanf(line, "%zx-%zx %4s %*s %*s %lu", &start, &end, perms, &inode) != 4) {
        return false;
    }
    if (perms[1] != 'w' || perms[3] != 'p' || (uintptr_t)snapshot->stack == start) {
        return true;
    }
    start = after_system_stack(start, end);
    if (!add_range((char *)start, (char *)end, false)) { // NOLINT(performance-no-int-to-ptr)
        return false;
    }
    Range *range = &snapshot->ranges[snapshot->count - 1];
    return inode != 0 || range->pages <= SMALL_PAGES ? save_all(range)
                                                     : each_page(range, save_page);
}

/* Line by line without malloc, which would change the memory being saved. */
static bool add_all(void) {
    enum { TEXT_BYTES = 1 << 16 };
    char *text = own_memory(TEXT_BYTES);
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t count = 1;
    while (text != NULL && count > 0 && length < TEXT_BYTES - 1) {
        count = read(file, text + length, TEXT_BYTES - 1 - length);
        length += count > 0 ? (size_t)count : 0;
    }
    bool is_read = text != NULL && count == 0;
    (void)close(file);
    for (char *line = text; is_read && *line != '\0';) {
        char *end = strchr(line, '\n');
        *end = '\0';
        is_read = add_line(line);
        line = end + 1;
    }
    if (text != NULL) {
        (void)munmap(text, TEXT_BYTES);
    }
    return is_read;
}

/* Allocate memory now, so that runs need not ask the system for it each time. */
static void make_ready(void) {
    BlockStore *blocks = &rt_root.blocks;
    char *end = blocks->area + blocks->area_used;
    snapshot->area_end = end;
    if (blocks->area_bytes - blocks->area_used >= AREA_BYTES && os_memory_commit(end, AREA_BYTES)) {
        snapshot->area_end = end + AREA_BYTES;
    }
    os_memory_set_aside(ASIDE_BYTES);
    snapshot->heap_end = (char *)syscall(SYS_brk, 0); // NOLINT(performance-no-int-to-ptr)
}

bool snapshot_save(const char *stack) {
    Snapshot *memory = own_memory(sizeof *memory);
    if (memory == NULL) {
        return false;
    }
    snapshot = memory;
    snapshot->stack = stack;
    snapshot->page_bytes = os_page_bytes();
    snapshot->page_table = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (snapshot->page_table < 0 || !tells_written()) {
        return false;
    }
    make_ready();
    return add_all();
}

/* ---- going back ---- */

static void put_back(const Range *range, size_t page) {
    size_t bytes = snapshot->page_bytes;
    char *to = range->start + page * bytes;
    if ((range->states[page] & PAGE_IS_KEPT) != 0) {
        memcpy(to, range->copy + page * bytes, bytes);
    } else {
        memset(to, 0, bytes);
    }
}

static void put_back_changed(Range *range, size_t page, uint64_t entry) {
    if ((entry & (PAGE_EXCLUSIVE | PAGE_SWAPPED)) != 0) {
        range->states[page] |= PAGE_IS_CHANGED;
    }
    if ((range->states[page] & PAGE_IS_CHANGED) != 0) {
        put_back(range, page);
    }
}

static void put_back_all(const Range *range) {
    for (size_t page = 0; page < range->pages; page++) {
        put_back(range, page);
    }
}

/* Restore the end of the heap; what the block store has taken since was zero. */
static bool go_back_in_size(void) {
    char *area_end = rt_root.blocks.area + rt_root.blocks.area_used;
    if ((char *)syscall(SYS_brk, 0) != snapshot->heap_end) { // NOLINT(performance-no-int-to-ptr)
        (void)syscall(SYS_brk, snapshot->heap_end);
    }
    if (area_end > snapshot->area_end) {
        char *start = snapshot->area_end;
        snapshot->area_end = area_end;
        return add_range(start, area_end, true);
    }
    return true;
}

bool snapshot_restore(void) {
    if (!go_back_in_size()) {
        return false;
    }
    Snapshot *kept = snapshot; /* the pointer is restored too, to this value */
    for (size_t i = 0; i < kept->count; i++) {
        Range *range = &kept->ranges[i];
        if (range->copy != NULL && range->pages <= SMALL_PAGES) {
            put_back_all(range);
        } else if (!each_page(range, put_back_changed)) {
            return false;
        }
    }
    return true;
}
