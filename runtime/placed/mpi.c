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
#include <stdlib.h>
#include <unistd.h>

enum {
    SPIN_NS = 100000,
    SLEEP_MIN_NS = 20000,
    SLEEP_MAX_NS = 1000000,
    LAST_WORDS_NS = 10000000,
    WATCH_NS = 5000000
};

typedef struct Sent {
    struct Sent *next;
    Message *message;
    MPI_Request request;
} Sent;

static struct {
    Sent *sent; /* under way */
    int64_t sleep_ns;
    int *watches; /* of each process on this node; negative: none */
    int64_t next_watch_ns;
    uint32_t dead; /* 1 more than its number: it has been found, and is to be told */
    bool has_lost;
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

/* ---- who dies ---- */

/* The processes of this node watch each other: MPI 3 does not say who is lost, and Open MPI 4.1 goes
 * on sending to it. */
static void watch_node(int count, int rank) {
    MPI_Comm node;
    int near = 0;
    (void)MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    (void)MPI_Comm_size(node, &near);
    int64_t own[2] = {rank, getpid()};
    int64_t(*all)[2] = machine_memory((size_t)near * sizeof own);
    (void)MPI_Allgather(own, 2, MPI_INT64_T, all, 2, MPI_INT64_T, node);
    (void)MPI_Comm_free(&node);
    carrier.watches = machine_memory((size_t)count * sizeof *carrier.watches);
    for (int i = 0; i < count; i++) {
        carrier.watches[i] = -1;
    }
    for (int i = 0; i < near; i++) {
        if (all[i][0] != rank) {
            carrier.watches[all[i][0]] = os_process_watch((long)all[i][1]);
        }
    }
    machine_free(all);
}

static bool has_died(uint32_t machine) {
    return carrier.watches[machine] >= 0 && os_is_ready(carrier.watches[machine], OS_READABLE, 0);
}

/* Told here, and to the other nodes. */
static Message *loss_of(uint32_t lost) {
    const Machine *here = &rt_machines.machines[0];
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (uint32_t i = 0; i < rt_machines.count; i++) {
        if (carrier.watches[i] < 0 && i != here->number && i != lost) {
            Message *message = message_make(MESSAGE_LOST, 0, 0);
            message->number = lost;
            message_send(here, i, message);
        }
    }
    Message *message = message_make(MESSAGE_LOST, 0, 0);
    message->from = message->to = here->number;
    message->number = lost;
    return message;
}

/* One that has not been told; NULL: none. What it had sent has been received. */
static Message *look_for_dead(void) {
    int64_t now_ns = os_clock_coarse_ns();
    if (now_ns < carrier.next_watch_ns) {
        return NULL;
    }
    if (carrier.dead != 0) { /* since then nothing has come */
        uint32_t lost = carrier.dead;
        carrier.dead = 0;
        return loss_of(lost - 1);
    }
    for (uint32_t i = 0; i < rt_machines.count && carrier.dead == 0; i++) {
        carrier.dead = !rt_machines.lost[i] && has_died(i) ? i + 1 : 0;
    }
    carrier.next_watch_ns = carrier.dead != 0 ? 0 : now_ns + WATCH_NS;
    return NULL;
}

static void mpi_lose(uint32_t machine) {
    (void)machine;
    carrier.has_lost = true;
}

/* With --enable-recovery mpirun lets the others go on. */
static bool mpi_can_leave(void) {
    const char *recovers = getenv("OMPI_MCA_orte_enable_recovery");
    return recovers != NULL && recovers[0] == '1';
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
    watch_node(size, rank);
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

/* False: who sends it has died over it. A large message is fetched from there; its memory stays with
 * MPI. */
static bool has_come(Message *message, int count, MPI_Message *handle, uint32_t from) {
    MPI_Request request;
    int is_done = 0;
    (void)MPI_Imrecv(&message->kind, count, MPI_BYTE, handle, &request);
    (void)MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    while (!is_done && !has_died(from)) {
        (void)MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    }
    return is_done != 0;
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
        return look_for_dead();
    }
    int count = 0;
    (void)MPI_Get_count(&status, MPI_BYTE, &count);
    Message *message = message_make(MESSAGE_BYE, 0, (size_t)count - MESSAGE_HEAD);
    carrier.sleep_ns = 0;
    return has_come(message, count, &handle, (uint32_t)status.MPI_SOURCE) ? message : NULL;
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
    bool leaves = rt_machines.survives && rt_machines.number != 0 && mpi_can_leave();
    if (status != STATUS_DONE && !leaves) {
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    bool finishes = !leaves && !carrier.has_lost;
    while (carrier.sent != NULL && (finishes || os_clock_ns() < until_ns)) {
        reap();
    }
    if (finishes) {
        (void)MPI_Finalize(); /* it waits for all */
    }
}

const Carrier placed_carrier = {.begin = mpi_begin,
                                .is_virtual = false,
                                .send = mpi_send,
                                .receive = mpi_receive,
                                .lose = mpi_lose,
                                .can_leave = mpi_can_leave,
                                .idle = mpi_idle,
                                .end = mpi_end};
