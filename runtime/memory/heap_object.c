/* heap_object -- large arrays. See heap_object.h. */
#include "heap_object.h"

#include "error.h"
#include "stress.h"
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

static size_t with_head(int64_t size_bytes) {
    bool is_too_large = size_bytes < 0 || (uint64_t)size_bytes > SIZE_MAX - sizeof(HeapObject);
    return is_too_large ? SIZE_MAX : sizeof(HeapObject) + (size_t)size_bytes;
}

/* An object of memory that malloc gave, or NULL. */
static void *enter_object(Process *me, HeapObject *object, int64_t size_bytes, const Site *site) {
    _Static_assert(sizeof(HeapObject) % 16 == 0, "objects are 16-aligned");
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

void *rt_heap_allocate(Process *me, int64_t size_bytes, const Site *site) {
    return enter_object(me, malloc(with_head(size_bytes)), size_bytes, site);
}

void *rt_heap_allocate_zero(Process *me, int64_t size_bytes, const Site *site) {
    return enter_object(me, calloc(1, with_head(size_bytes)), size_bytes, site);
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
