/* heap_object -- arrays that are too large for a block, or whose size is known at run time only.
 *
 * Owns:   occ_heap_allocate, its zeroed twin and occ_heap_free.
 * Leaves: mobiles to mobile.h.
 * Holds:  an object is 16-aligned and listed in its worker, so that a report can look for channels
 *         in it; a free object is not. Allocation that fails is the error NO_MEMORY. */
#ifndef RT_HEAP_OBJECT_H
#define RT_HEAP_OBJECT_H

#include "layout.h"
#include "list.h"

typedef struct HeapObject {
    ListLink link;
    Process *owner;
    size_t size_bytes;
    /* the object's bytes follow */
} HeapObject;

/* abi.def */
void *rt_heap_allocate(Process *me, int64_t size_bytes, const Site *site);
void *rt_heap_allocate_zero(Process *me, int64_t size_bytes, const Site *site);
void rt_heap_free(Process *me, void *object);

static inline void *heap_object_bytes(HeapObject *object) {
    return object + 1;
}

#endif
