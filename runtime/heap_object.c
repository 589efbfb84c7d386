/* heap_object -- large arrays. See heap_object.h. */
#include "heap_object.h"

#include "base/stress.h"
#include "error.h"
#include "worker.h"

#include <stdlib.h>
#include <string.h>

enum { POISON_BYTE = 0xDD };

static HeapObject *object_of(void *bytes) {
    return (HeapObject *)bytes - 1;
}

static void lists_enter(const Worker *worker) {
    if (!worker_is_solo(worker)) {
        lock_take(&rt_root.heap_lock);
    }
}

static void lists_leave(const Worker *worker) {
    if (!worker_is_solo(worker)) {
        lock_release(&rt_root.heap_lock);
    }
}

void *rt_heap_allocate(Process *me, int64_t size_bytes, const Site *site) {
    _Static_assert(sizeof(HeapObject) % 16 == 0, "objects are 16-aligned");
    bool is_too_large = size_bytes < 0 || (uint64_t)size_bytes > SIZE_MAX - sizeof(HeapObject);
    HeapObject *object = is_too_large ? NULL : malloc(sizeof(HeapObject) + (size_t)size_bytes);
    if (object == NULL) {
        rt_error_no_memory(me, site, (size_t)size_bytes);
    }
    object->owner = me;
    object->size_bytes = (size_t)size_bytes;
    lists_enter(me->worker);
    list_append(&me->worker->heap_blocks, &object->link);
    lists_leave(me->worker);
    return heap_object_bytes(object);
}

void rt_heap_free(Process *me, void *bytes) {
    if (bytes == NULL) {
        return;
    }
    HeapObject *object = object_of(bytes);
    lists_enter(me->worker); /* it may be in the list of another */
    list_remove(&object->link);
    lists_leave(me->worker);
    if (RT_STRESS_POISON) {
        memset(bytes, POISON_BYTE, object->size_bytes);
    }
    free(object);
}
