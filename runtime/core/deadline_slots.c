/* deadline_slots -- see deadline_slots.h. */
#include "deadline_slots.h"

#include <stdlib.h>

static SlotPart **slot_at(DeadlineSlots *slots, int64_t slot) {
    return &slots->slots[(uint64_t)slot % SLOT_COUNT];
}

static SlotPart *take_part(DeadlineSlots *slots) {
    SlotPart *part = slots->unused;
    if (part == NULL) {
        return malloc(sizeof *part);
    }
    slots->unused = part->next;
    return part;
}

bool deadline_slots_add(DeadlineSlots *slots, int64_t key, void *owner) {
    SlotPart **slot = slot_at(slots, deadline_slot(key));
    if (*slot == NULL || (*slot)->count == PART_ENTRIES) {
        SlotPart *part = take_part(slots);
        if (part == NULL) {
            return false;
        }
        part->next = *slot;
        part->count = 0;
        *slot = part;
    }
    (*slot)->entries[(*slot)->count++] = (HeapEntry){key, (uintptr_t)owner};
    slots->count++;
    return true;
}

void deadline_slots_open_first(DeadlineSlots *slots, Heap *heap) {
    SlotPart **slot = slot_at(slots, slots->first++);
    while (*slot != NULL) {
        SlotPart *part = *slot;
        for (size_t i = 0; i < part->count; i++) {
            const HeapEntry *entry = &part->entries[i];
            rt_check(heap_insert(heap, entry->key, heap_entry_owner(entry)));
        }
        slots->count -= part->count;
        *slot = part->next;
        part->next = slots->unused;
        slots->unused = part;
    }
}

static void free_parts(SlotPart *part) {
    while (part != NULL) {
        SlotPart *next = part->next;
        free(part);
        part = next;
    }
}

void deadline_slots_free(DeadlineSlots *slots) {
    for (size_t i = 0; i < SLOT_COUNT; i++) {
        free_parts(slots->slots[i]);
    }
    free_parts(slots->unused);
    *slots = (DeadlineSlots){0};
}

void deadline_slots_check(const DeadlineSlots *slots) {
    size_t count = 0;
    for (size_t i = 0; i < SLOT_COUNT && slots->count > 0; i++) {
        for (const SlotPart *part = slots->slots[i]; part != NULL; part = part->next) {
            for (size_t k = 0; k < part->count; k++) {
                int64_t key = part->entries[k].key;
                rt_check(deadline_slots_have(slots, key));
                rt_check((uint64_t)deadline_slot(key) % SLOT_COUNT == i);
            }
            count += part->count;
        }
    }
    rt_check(count == slots->count);
}
