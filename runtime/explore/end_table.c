/* end_table -- ends, found by their text. See end_table.h. */
#include "end_table.h"

#include "ending.h"

#include <string.h>
#include <sys/wait.h>

enum { CAPACITY_AT_FIRST = 256 };

typedef struct Slot {
    uint64_t digest;
    ExploreEnd *end; /* NULL: free */
} Slot;

/* In common memory, except for the pointer to it. */
typedef struct EndTable {
    ExploreRegion *region;
    ExploreEnd *last;
    Slot *slots;
    size_t capacity;
} EndTable;

static EndTable *table;

void end_table_begin(ExploreRegion *region) {
    table = common_memory_take(sizeof *table);
    table->region = region;
    table->capacity = CAPACITY_AT_FIRST;
    table->slots = common_memory_take(table->capacity * sizeof *table->slots);
}

bool end_is_cut_short(const SearchRun *run, int status) {
    bool is_over = WIFEXITED(status) &&
                   (WEXITSTATUS(status) == STATUS_DONE || WEXITSTATUS(status) == STATUS_DEADLOCK);
    return run->end == EXPLORE_RUNS && !is_over;
}

/* ---- finding ---- */

static size_t kept_bytes(size_t text_bytes) {
    return text_bytes < EXPLORE_TEXT_BYTES ? text_bytes : EXPLORE_TEXT_BYTES;
}

static void *at_place(uint64_t place) {
    return (char *)table->region + place;
}

/* FNV-1a, by words as far as possible. */
static uint64_t digest_of(const ExploreEnd *seen, const char *text) {
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t digest = UINT64_C(0xcbf29ce484222325) ^ seen->how;
    digest = (digest ^ (uint32_t)seen->status) * prime;
    digest = (digest ^ seen->text_bytes) * prime;
    for (size_t i = 0; i < kept_bytes(seen->text_bytes); i++) {
        digest = (digest ^ (unsigned char)text[i]) * prime;
    }
    return digest ^ digest >> 32;
}

static bool is_same(const ExploreEnd *end, const ExploreEnd *seen, const char *text) {
    return end->how == seen->how && end->status == seen->status &&
           end->text_bytes == seen->text_bytes &&
           memcmp(at_place(end->text), text, kept_bytes(seen->text_bytes)) == 0;
}

static Slot *slot_of(uint64_t digest, const ExploreEnd *seen, const char *text) {
    size_t at = digest & (table->capacity - 1);
    while (table->slots[at].end != NULL &&
           (table->slots[at].digest != digest ||
            (seen != NULL && !is_same(table->slots[at].end, seen, text)))) {
        at = (at + 1) & (table->capacity - 1);
    }
    return &table->slots[at];
}

static void grow(void) {
    EndTable old = *table;
    table->capacity = 2 * old.capacity;
    table->slots = common_memory_take(table->capacity * sizeof *table->slots);
    for (size_t i = 0; i < old.capacity; i++) {
        size_t at = old.slots[i].digest & (table->capacity - 1);
        while (old.slots[i].end != NULL && table->slots[at].end != NULL) {
            at = (at + 1) & (table->capacity - 1);
        }
        if (old.slots[i].end != NULL) {
            table->slots[at] = old.slots[i];
        }
    }
    common_memory_give_back(old.slots, old.capacity * sizeof *old.slots);
}

static ExploreEnd *new_end(const ExploreEnd *seen, const char *text) {
    ExploreEnd *end = common_memory_take(sizeof *end);
    size_t bytes = kept_bytes(seen->text_bytes);
    char *copy = common_memory_take(bytes + 1);
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    *end = *seen;
    end->steps = UINT32_MAX;
    end->text = common_memory_place(table->region, copy);
    return end;
}

static ExploreEnd *add_end(const ExploreEnd *seen, const char *text) {
    ExploreEnd *end = new_end(seen, text);
    uint64_t place = common_memory_place(table->region, end);
    *(table->last != NULL ? &table->last->next : &table->region->first_end) = place;
    table->last = end;
    table->region->end_count++;
    return end;
}

static ExploreEnd *find_or_add(const ExploreEnd *seen, const char *text) {
    if (2 * (table->region->end_count + 1) > table->capacity) {
        grow();
    }
    uint64_t digest = digest_of(seen, text);
    Slot *slot = slot_of(digest, seen, text);
    if (slot->end == NULL) {
        *slot = (Slot){digest, add_end(seen, text)};
    }
    return slot->end;
}

/* ---- schedules ---- */

static void keep_choices(ExploreEnd *end, const SearchRun *run) {
    ExploreChoice choice;
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->step_count; i++) {
        (void)search_chosen(run, i, &choice.chosen, &choice.count);
        count += choice.count > 1;
    }
    if (end->choices != 0) {
        common_memory_give_back(at_place(end->choices), (end->choice_count + 1) * sizeof choice);
    }
    ExploreChoice *choices = common_memory_take((count + 1) * sizeof choice);
    end->choices = common_memory_place(table->region, choices);
    end->choice_count = 0;
    end->steps = run->step_count;
    for (uint32_t i = 0; i < run->step_count; i++) {
        choice.event = *search_chosen(run, i, &choice.chosen, &choice.count);
        if (choice.count > 1) {
            choices[end->choice_count++] = choice;
        }
    }
}

static ExploreEnd seen_end(const SearchRun *run, int status, size_t text_bytes) {
    bool is_known = run->end != EXPLORE_DEEP;
    return (ExploreEnd){
        .status = is_known ? status : 0, .how = run->end, .text_bytes = is_known ? text_bytes : 0};
}

void end_table_find(const SearchRun *run, int status, const char *text, size_t text_bytes) {
    ExploreEnd seen = seen_end(run, status, text_bytes);
    ExploreEnd *end = new_end(&seen, text);
    keep_choices(end, run);
    table->region->until_end = common_memory_place(table->region, end);
}

ExploreEnd *end_table_add(const SearchRun *run, int status, const char *text, size_t text_bytes) {
    ExploreEnd seen = seen_end(run, status, text_bytes);
    ExploreEnd *end = find_or_add(&seen, text);
    end->count++;
    if (run->step_count < end->steps) {
        keep_choices(end, run);
    }
    return end;
}
