/* mpi -- the carrier between processes of an MPI job; linked instead of loopback.c by occc --mpi.
 *
 * Owns:   the calls of MPI: no other file knows it. Any MPI will do: this file is compiled anew.
 * Leaves: what messages mean to the others.
 * Holds:  called by one thread at a time (the world), so MPI_THREAD_SERIALIZED is enough. A
 *         message is sent as one piece, by MPI_Isend, and kept until that is done. An idle machine
 *         looks for messages without a pause for SPIN_NS, then sleeps, each time twice as long, at
 *         most SLEEP_MAX_NS, which is how late a message may then be found. All processes run the
 *         same program, byte by byte: an address of its code is the same everywhere. */
#include "carrier.h"
#include "ending.h"
#include "machine.h"
#include "os.h"
#include "report.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>

enum { SPIN_NS = 100000, SLEEP_MIN_NS = 20000, SLEEP_MAX_NS = 1000000, LAST_WORDS_NS = 10000000 };

typedef struct Sent {
    struct Sent *next;
    Message *message;
    MPI_Request request;
} Sent;

static struct {
    Sent *sent; /* under way */
    int64_t sleep_ns;
} carrier;

/* ---- the same program everywhere ---- */

static uint64_t hash_of_program(void) {
    FILE *file = fopen("/proc/self/exe", "rb");
    uint64_t hash = UINT64_C(14695981039346656037);
    static unsigned char bytes[65536];
    size_t count;
    while (file != NULL && (count = fread(bytes, 1, sizeof bytes, file)) > 0) {
        for (size_t i = 0; i < count; i++) {
            hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return hash;
}

static void check_program(void) {
    uint64_t own = hash_of_program();
    uint64_t first = own;
    (void)MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    int differs = first != own;
    int any = 0;
    (void)MPI_Allreduce(&differs, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (any) {
        if (differs) {
            report_line("occ: this process runs another program than the first of the job\n");
        }
        MPI_Abort(MPI_COMM_WORLD, STATUS_WORLD);
    }
}

/* ---- the carrier ---- */

static bool mpi_begin(uint32_t *count, uint32_t *number) {
    int given = 0;
    int size = 1;
    int rank = 0;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS) {
        rt_fatal("cannot start MPI", 0);
    }
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (size == 1) {
        (void)MPI_Finalize();
        return false;
    }
    if (given < MPI_THREAD_SERIALIZED) {
        rt_fatal("this MPI cannot be called by several threads in turn", 0);
    }
    check_program();
    *count = (uint32_t)size;
    *number = (uint32_t)rank;
    return true;
}

static void reap(void) {
    for (Sent **at = &carrier.sent; *at != NULL;) {
        Sent *sent = *at;
        int is_done = 0;
        (void)MPI_Test(&sent->request, &is_done, MPI_STATUS_IGNORE);
        if (is_done) {
            *at = sent->next;
            message_free(sent->message);
            machine_free(sent);
        } else {
            at = &sent->next;
        }
    }
}

static void mpi_send(Message *message) {
    if (message->size_bytes > INT_MAX - MESSAGE_HEAD) {
        rt_fatal("a message to another machine has at most 2 GB", 0);
    }
    Sent *sent = machine_memory(sizeof *sent);
    sent->message = message;
    sent->next = carrier.sent;
    carrier.sent = sent;
    carrier.sleep_ns = 0;
    (void)MPI_Isend(&message->kind, (int)(MESSAGE_HEAD + message->size_bytes), MPI_BYTE,
                    (int)message->to, 0, MPI_COMM_WORLD, &sent->request);
}

static Message *mpi_receive(bool is_idle) {
    (void)is_idle;
    int is_there = 0;
    MPI_Message handle;
    MPI_Status status;
    if (carrier.sent != NULL) {
        reap();
    }
    (void)MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &handle, &status);
    if (!is_there) {
        return NULL;
    }
    int count = 0;
    (void)MPI_Get_count(&status, MPI_BYTE, &count);
    Message *message = message_make(MESSAGE_BYE, 0, (size_t)count - MESSAGE_HEAD);
    (void)MPI_Mrecv(&message->kind, count, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
    carrier.sleep_ns = 0;
    return message;
}

static bool has_arrived(void) {
    int is_there = 0;
    (void)MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    return is_there != 0;
}

static int64_t mpi_idle(void) {
    int64_t until_ns = os_clock_ns() + SPIN_NS;
    while (carrier.sleep_ns == 0 && os_clock_ns() < until_ns) {
        if (has_arrived()) {
            return 0;
        }
    }
    int64_t sleep_ns = carrier.sleep_ns == 0 ? SLEEP_MIN_NS : 2 * carrier.sleep_ns;
    carrier.sleep_ns = sleep_ns > SLEEP_MAX_NS ? SLEEP_MAX_NS : sleep_ns;
    return has_arrived() ? 0 : carrier.sleep_ns;
}

static void mpi_end(int status) {
    int64_t until_ns = os_clock_ns() + LAST_WORDS_NS;
    while (status != STATUS_DONE && carrier.sent != NULL && os_clock_ns() < until_ns) {
        reap();
    }
    if (status != STATUS_DONE) {
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    while (carrier.sent != NULL) {
        reap();
    }
    (void)MPI_Finalize();
}

const Carrier placed_carrier = {.begin = mpi_begin,
                                .is_virtual = false,
                                .send = mpi_send,
                                .receive = mpi_receive,
                                .idle = mpi_idle,
                                .end = mpi_end};
