/* recorder -- the ring of a worker. See recorder.h. */
#include "recorder.h"

#include "os.h"

enum { RING_BYTES = RECORD_RING * (int)sizeof(Record) };

void *recorder_memory(size_t bytes) {
    void *memory = os_memory_reserve(bytes);
    return memory != NULL && os_memory_commit(memory, bytes) ? memory : NULL;
}

/* A worker without memory for a ring leaves no trace. */
void recorder_add(Worker *worker) {
    if (rt_root.is_recorded) {
        worker->records = recorder_memory(RING_BYTES);
    }
    if (worker->records != NULL) {
        mode_set(worker, MODE_TRACED);
    }
}
