/* detached -- see the header. */
#include "detached.h"

#include "error.h"
#include "lock.h"
#include "mobile.h"
#include "report.h"
#include "stop.h"

#include <stdlib.h>

enum { FIRST_BUCKETS = 64 };

typedef struct Detached {
    struct Detached *next; /* in its bucket */
    Mobile *array;
    int32_t number;
} Detached;

/* Numbers are consecutive, so that they spread evenly over the buckets. */
typedef struct DetachedTable {
    Lock lock;
    Detached **buckets;
    size_t bucket_count; /* a power of two, or 0 */
    int64_t count;
    int32_t last; /* number given */
} DetachedTable;

static DetachedTable table;

static Detached **bucket_of(int32_t number) {
    return &table.buckets[(uint32_t)number & (table.bucket_count - 1)];
}

/* The link that leads to the entry; NULL: there is none. */
static Detached **find(int32_t number) {
    if (table.bucket_count == 0) {
        return NULL;
    }
    Detached **link = bucket_of(number);
    while (*link != NULL && (*link)->number != number) {
        link = &(*link)->next;
    }
    return *link != NULL ? link : NULL;
}

static void put(Detached *entry) {
    Detached **bucket = bucket_of(entry->number);
    entry->next = *bucket;
    *bucket = entry;
}

/* Room for one more; false: no memory. */
static bool make_room(void) {
    if ((size_t)table.count < table.bucket_count) {
        return true;
    }
    size_t old_count = table.bucket_count;
    Detached **old = table.buckets;
    size_t count = old_count != 0 ? 2 * old_count : FIRST_BUCKETS;
    Detached **buckets = calloc(count, sizeof *buckets);
    if (buckets == NULL) {
        return old_count != 0; /* the chains become longer */
    }
    table.buckets = buckets;
    table.bucket_count = count;
    for (size_t i = 0; i < old_count; i++) {
        for (Detached *entry = old[i], *next; entry != NULL; entry = next) {
            next = entry->next;
            put(entry);
        }
    }
    free(old);
    return true;
}

static int32_t next_number(void) {
    do {
        table.last = table.last < INT32_MAX ? table.last + 1 : 1;
    } while (find(table.last) != NULL);
    return table.last;
}

int64_t rt_mobile_detach(Process *me, void *mobile, const Site *site) {
    if (mobile == NULL) {
        return 0;
    }
    Detached *entry = malloc(sizeof *entry);
    lock_take(&table.lock);
    if (entry == NULL || !make_room()) {
        lock_release(&table.lock);
        rt_error_no_memory(me, site, sizeof *entry);
    }
    entry->array = mobile;
    entry->number = next_number();
    put(entry);
    table.count++;
    uint32_t number = (uint32_t)entry->number; /* it may be attached as soon as the lock is free */
    uint32_t size = (uint32_t)entry->array->counts[0];
    lock_release(&table.lock);
    return (int64_t)((uint64_t)size << 32 | number);
}

/* The entry, out of the table; NULL: none of that size. */
static Detached *take(int32_t number, int32_t size) {
    Detached **link = find(number);
    if (link == NULL || size < 0 || size > (*link)->array->counts[0]) {
        return NULL;
    }
    Detached *entry = *link;
    *link = entry->next;
    table.count--;
    return entry;
}

void *rt_mobile_attach(Process *me, int32_t number, int32_t size, const Site *site) {
    if (number == 0 && size == 0) {
        return NULL;
    }
    lock_take(&table.lock);
    Detached *entry = take(number, size);
    lock_release(&table.lock);
    if (entry == NULL) {
        rt_fail(me, ERROR_NOT_DETACHED, site, number, size, 0);
    }
    Mobile *array = entry->array;
    free(entry);
    array->counts[0] = size;
    return array;
}

void detached_report(void) {
    if (table.count != 0) {
        report_line("occ: %lld arrays are still detached\n", (long long)table.count);
    }
}
