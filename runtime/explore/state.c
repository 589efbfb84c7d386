/* state -- digests of memory. See state.h. */
#include "state.h"

#include "block.h"
#include "device.h"
#include "gate.h"
#include "heap_object.h"
#include "mobile.h"
#include "worker.h"

#include <string.h>

enum { NEAR_US = 1 << 26 }; /* a minute */

/* Words from here to there are addresses on this machine, not two times. */
#define ADDRESS_LEAST (UINT64_C(0x5000) << 32)
#define ADDRESS_MOST  (UINT64_C(0x8000) << 32)

/* ---- words ---- */

static uint64_t mixed(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return digest ^ digest >> 32;
}

/* Half a word, made relative to now if it is a time. */
static uint64_t since_now(uint32_t half) {
    int64_t distance = (int64_t)(int32_t)(half - (uint32_t)rt_root.time.now_us);
    bool is_time = distance > -NEAR_US && distance < NEAR_US;
    return is_time ? (UINT64_C(1) << 32 | (uint32_t)distance) : half;
}

static uint64_t mixed_data(uint64_t digest, uint64_t word) {
    if (word >= ADDRESS_LEAST && word < ADDRESS_MOST) {
        return mixed(digest, word);
    }
    digest = mixed(digest, since_now((uint32_t)word));
    return mixed(digest, since_now((uint32_t)(word >> 32)));
}

/* Digest of the place and the contents; `bytes` is rounded down to words. */
static uint64_t digest_of(const void *memory, size_t bytes) {
    const char *from = memory;
    uint64_t digest = mixed(bytes, (uintptr_t)memory);
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, from + at, sizeof word);
        digest = mixed_data(digest, word);
    }
    return digest;
}

/* ---- processes ---- */

/* One saved stack pointer leads into each block in use: that of its process, or of the stack
 * segment that was left for another. Below it nothing is in use. */
static uint64_t digest_of_process(const Process *process) {
    const Process *block = block_find(&rt_root.blocks, process->sp);
    uint64_t digest = mixed((uintptr_t)process, (uintptr_t)process->sp);
    digest = mixed(digest, (uintptr_t)process->next);
    digest = mixed(digest, (uintptr_t)process->data);
    digest = mixed(digest, (uintptr_t)process->wait);
    digest = mixed(digest, (uintptr_t)process->join);
    digest = mixed(digest, (uint32_t)process->index | (uint64_t)process->flags << 32);
    rt_check(block != NULL);
    return mixed(digest,
                 digest_of(process->sp, (size_t)((const char *)block - (const char *)process->sp)));
}

/* Independent of their order: which process began first does not matter. */
static uint64_t digest_of_processes(void) {
    uint64_t sum = 0;
    BlockCursor cursor = block_first(&rt_root.blocks);
    for (const Process *each = block_next(&cursor); each != NULL; each = block_next(&cursor)) {
        if (each->sp != NULL) {
            sum += digest_of_process(each);
        }
    }
    return sum;
}

/* ---- what processes have and wait for ---- */

static uint64_t digest_of_arrays(void) {
    uint64_t sum = 0;
    LIST_EACH(link, &rt_root.worker.heap_blocks) {
        HeapObject *object = LIST_ENTRY(link, HeapObject, link);
        sum += digest_of(heap_object_bytes(object), object->size_bytes);
    }
    return sum;
}

static uint64_t digest_of_waiting(void) {
    uint64_t sum = 0;
    for (GateOp *op = gate_first(); op != NULL; op = op->next) {
        Ticks due;
        uint64_t digest = mixed((uintptr_t)op->process, (uintptr_t)op->kind);
        digest = mixed(digest, (uintptr_t)op->object);
        digest = mixed(digest, (uintptr_t)op->record);
        digest = mixed(digest, (uintptr_t)op->site ^ (uint64_t)(uint32_t)op->what << 32);
        if (op->kind->wakes != NULL && op->kind->wakes(op, &due)) {
            digest = mixed(digest, (uint64_t)(due.us - rt_root.time.now_us));
        }
        sum += mixed(digest, 0);
    }
    return sum;
}

static uint64_t digest_of_sleepers(void) {
    const DeadlineQueue *queue = &rt_root.deadlines;
    uint64_t sum = 0;
    for (size_t i = 0; i < queue->heap.count; i++) {
        const HeapEntry *entry = &queue->heap.entries[i];
        int64_t due = queue->base_us + (entry->key >> SEQUENCE_BITS);
        sum += mixed(mixed(entry->what, (uint64_t)(due - rt_root.time.now_us)), 0);
    }
    return sum;
}

static uint64_t digest_of_devices(void) {
    uint64_t sum = 0;
    for (const Device *device = rt_root.devices; device != NULL; device = device->next) {
        sum += mixed(mixed((uintptr_t)device, device->taken), (uintptr_t)device->waiter);
    }
    return sum;
}

/* If some cannot be found, no state counts as seen before. */
static uint64_t digest_of_mobiles(void) {
    uint64_t sum;
    return mobile_sum(digest_of, &sum) ? sum : mixed(sum, (uint64_t)os_clock_ns());
}

uint64_t state_digest(void) {
    uint64_t digest = mixed(digest_of_processes(), digest_of_arrays());
    digest = mixed(digest, digest_of_mobiles());
    digest = mixed(digest, digest_of_waiting());
    digest = mixed(digest, digest_of_sleepers());
    return mixed(digest, digest_of_devices()) | 1;
}
