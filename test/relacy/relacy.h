/* relacy -- what a protocol of the runtime and its test see of Relacy, which runs both under the
 * memory model of C11: a load may give any value that the orders allow, old ones included.
 *
 * Owns:   words that are atomic, data that is not, threads, the end of a run.
 * Leaves: Relacy itself to relacy.cpp, the operations of base/atomic.h to base/atomic.h here.
 * Holds:  every atomic word is made known (relacy_word) with the value it has in memory before the
 *         threads begin. Data is anything that the protocol hands over without atomics: a read that
 *         no order puts behind the write is an error, as a data race is. */
#ifndef TEST_RELACY_H
#define TEST_RELACY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As base/atomic.h names them; SWAP is acquire and release. */
typedef enum RelacyOrder {
    RELACY_RELAXED,
    RELACY_ACQUIRE,
    RELACY_RELEASE,
    RELACY_SWAP,
    RELACY_SEQ
} RelacyOrder;

uint64_t relacy_get(const void *word, RelacyOrder order);
void relacy_set(void *word, uint64_t value, size_t size, RelacyOrder order);
typedef enum RelacyChange { RELACY_EXCHANGE, RELACY_ADD, RELACY_OR, RELACY_AND } RelacyChange;
uint64_t relacy_change(void *word, uint64_t value, size_t size, RelacyChange change);
bool relacy_cas(void *word, uint64_t *expected, uint64_t value, size_t size, RelacyOrder order);
void relacy_fence(void);

/* The word at that address is used by atomic operations only, and holds what memory holds now. */
void relacy_word(const void *word, size_t size);

void relacy_write(unsigned slot, int value);
int relacy_read(unsigned slot);
/* The control of this name: the test itself leaves out what the protocol needs. */
bool relacy_lacks(const char *what);
/* In a loop that waits for others. */
void relacy_wait(void);
void relacy_expect(bool holds, const char *what);
#define relacy_check(condition) relacy_expect((condition), #condition)

/* One protocol: `before` once for each run, `thread` in each thread, `after` at the end. */
typedef struct RelacyTest {
    const char *name;
    void (*before)(void);
    void (*thread)(unsigned number);
    void (*after)(void);
} RelacyTest;

extern const RelacyTest relacy_test;

#ifdef __cplusplus
}
#endif

#endif
