/* mpi -- the carrier between processes of an MPI job; linked instead of loopback.c by occc --mpi.
 *
 * Owns:   the calls of MPI: no other file knows it. Any MPI will do: this file is compiled anew.
 * Leaves: what messages mean to the others.
 * Holds:  called by one thread at a time (the world), so MPI_THREAD_SERIALIZED is enough. Messages to
 *         one process are gathered in a frame, which is sent by MPI_Isend at the next flush or when
 *         it is full; the bytes of a large one follow it with a tag of their own. Two receives of
 *         frames are always posted. An idle machine looks for messages without a pause for SPIN_NS,
 *         then sleeps, each time twice as long, at most SLEEP_MAX_NS, which is how late a message may
 *         then be found. All processes run the same program, byte by byte: an address of its code is
 *         the same everywhere. */
#include "carrier.h"
#include "ending.h"
#include "frame.h"
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
    SPIN_LOOKS = 32, /* between two looks at the time */
    DEAD_LOOKS = 64, /* while messages come all the time, between two looks for who has died */
    SLEEP_MIN_NS = 20000,
    SLEEP_MAX_NS = 1000000,
    LAST_WORDS_NS = 10000000,
    WATCH_NS = 5000000
};
enum { TAG_FRAME, TAG_LARGE };
enum { POSTED = 2 };

/* Sent -- a frame, or a large message, under way. */
typedef struct Sent {
    struct Sent *next;
    Frame *frame;
    Message *message;
    MPI_Request request;
} Sent;

/* Posted -- a receive, and what it has received. */
typedef struct Posted {
    MPI_Request request;
    Frame frame; /* empty: it has not come */
    uint32_t from;
    bool is_read; /* to the end: to be posted anew */
} Posted;

static struct {
    Frame **open;     /* for each machine: what is held back, or NULL */
    uint32_t *opened; /* those that have one */
    uint32_t opened_count;
    Frame *free_frames;
    Sent *sent; /* under way */
    Posted posted[POSTED];
    unsigned turn; /* of the one that receives next */
    size_t at;     /* how far its frame has been read */
    int64_t sleep_ns;
    uint32_t looks;
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

/* ---- sending ---- */

static Frame *take_frame(void) {
    Frame *frame = carrier.free_frames;
    if (frame == NULL) {
        return machine_memory(sizeof *frame);
    }
    carrier.free_frames = frame->next;
    frame->size = 0;
    return frame;
}

static void forget(Sent *sent) {
    message_free(sent->message);
    if (sent->frame != NULL) {
        sent->frame->next = carrier.free_frames;
        carrier.free_frames = sent->frame;
    }
    machine_free(sent);
}

static void reap(void) {
    for (Sent **at = &carrier.sent; *at != NULL;) {
        Sent *sent = *at;
        int is_done = 0;
        (void)MPI_Test(&sent->request, &is_done, MPI_STATUS_IGNORE);
        if (is_done) {
            *at = sent->next;
            forget(sent);
        } else {
            at = &sent->next;
        }
    }
}

/* MPI may be done with it at once. */
static void keep(const Sent *sent) {
    Sent *kept = machine_memory(sizeof *kept);
    *kept = *sent;
    kept->next = carrier.sent;
    carrier.sent = kept;
}

static void send_frame(uint32_t to) {
    Sent sent = {.frame = carrier.open[to]};
    int is_done = 0;
    carrier.open[to] = NULL;
    (void)MPI_Isend(sent.frame->bytes, (int)sent.frame->size, MPI_BYTE, (int)to, TAG_FRAME,
                    MPI_COMM_WORLD, &sent.request);
    (void)MPI_Test(&sent.request, &is_done, MPI_STATUS_IGNORE);
    if (is_done) {
        sent.frame->next = carrier.free_frames;
        carrier.free_frames = sent.frame;
    } else {
        keep(&sent);
    }
}

static void mpi_flush(void) {
    for (uint32_t i = 0; i < carrier.opened_count; i++) {
        send_frame(carrier.opened[i]);
    }
    carrier.opened_count = 0;
}

static Frame *open_frame(uint32_t to) {
    if (carrier.open[to] == NULL) {
        carrier.open[to] = take_frame();
        carrier.opened[carrier.opened_count++] = to;
    }
    return carrier.open[to];
}

static void mpi_send(Message *message) {
    uint32_t to = message->to;
    if (message->size_bytes > INT_MAX) {
        rt_fatal("a message to another machine has at most 2 GB", 0);
    }
    carrier.sleep_ns = 0;
    if (!frame_put(open_frame(to), message)) {
        mpi_flush();
        (void)frame_put(open_frame(to), message);
    }
    if (!message_is_large(message)) {
        message_free(message);
        return;
    }
    mpi_flush();
    Sent sent = {.message = message};
    (void)MPI_Isend(message->bytes, (int)message->size_bytes, MPI_BYTE, (int)to, TAG_LARGE,
                    MPI_COMM_WORLD, &sent.request);
    keep(&sent);
}

/* ---- receiving ---- */

static void post_all(void) {
    for (int i = 0; i < POSTED; i++) {
        Posted *posted = &carrier.posted[i];
        (void)MPI_Recv_init(posted->frame.bytes, FRAME_BYTES, MPI_BYTE, MPI_ANY_SOURCE, TAG_FRAME,
                            MPI_COMM_WORLD, &posted->request);
        (void)MPI_Start(&posted->request);
    }
}

static void post_again(Posted *posted) {
    if (posted->is_read) {
        posted->is_read = false;
        (void)MPI_Start(&posted->request);
    }
}

static bool mpi_has_more(void) {
    return carrier.posted[carrier.turn].frame.size > 0;
}

/* Is there something to read? */
static bool has_arrived(void) {
    if (mpi_has_more()) {
        return true;
    }
    Posted *posted = &carrier.posted[carrier.turn];
    post_again(&carrier.posted[(carrier.turn + 1) % POSTED]);
    int is_done = 0;
    int size = 0;
    MPI_Status status;
    (void)MPI_Test(&posted->request, &is_done, &status);
    if (!is_done) {
        return false;
    }
    (void)MPI_Get_count(&status, MPI_BYTE, &size);
    posted->frame.size = (size_t)size;
    posted->from = (uint32_t)status.MPI_SOURCE;
    carrier.at = 0;
    return size > 0;
}

/* False: who sends it has died over it. A large message is fetched from there; its memory stays with
 * MPI. */
static bool has_come(Message *message, uint32_t from) {
    MPI_Request request;
    int is_done = 0;
    (void)MPI_Irecv(message->bytes, (int)message->size_bytes, MPI_BYTE, (int)from, TAG_LARGE,
                    MPI_COMM_WORLD, &request);
    (void)MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    while (!is_done && !has_died(from)) {
        (void)MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    }
    return is_done != 0;
}

static Message *mpi_receive(bool is_idle) {
    if (carrier.sent != NULL) {
        reap();
    }
    if (!has_arrived()) {
        bool is_brisk = is_idle && carrier.sleep_ns == 0 && ++carrier.looks % DEAD_LOOKS != 0;
        return is_brisk ? NULL : look_for_dead();
    }
    Posted *posted = &carrier.posted[carrier.turn];
    uint32_t from = posted->from;
    carrier.sleep_ns = 0;
    Message *message = frame_get(&posted->frame, &carrier.at);
    if (carrier.at == posted->frame.size) {
        posted->frame.size = 0;
        posted->is_read = true;
        carrier.turn = (carrier.turn + 1) % POSTED;
    }
    return !message_is_large(message) || has_come(message, from) ? message : NULL;
}

static bool arrives_soon(void) {
    int64_t until_ns = 0; /* most answers come before it is worth asking for the time */
    do {
        for (int i = 0; i < SPIN_LOOKS; i++) {
            if (has_arrived()) {
                return true;
            }
        }
        until_ns = until_ns == 0 ? os_clock_ns() + SPIN_NS : until_ns;
    } while (os_clock_ns() < until_ns);
    return false;
}

static int64_t mpi_idle(void) {
    if (carrier.sleep_ns == 0 && arrives_soon()) {
        return 0;
    }
    int64_t sleep_ns = carrier.sleep_ns == 0 ? SLEEP_MIN_NS : 2 * carrier.sleep_ns;
    carrier.sleep_ns = sleep_ns > SLEEP_MAX_NS ? SLEEP_MAX_NS : sleep_ns;
    return has_arrived() ? 0 : carrier.sleep_ns;
}

/* ---- from the beginning to the end ---- */

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
    carrier.open = machine_memory((size_t)size * sizeof(Frame *));
    carrier.opened = machine_memory((size_t)size * sizeof *carrier.opened);
    post_all();
    *count = (uint32_t)size;
    *number = (uint32_t)rank;
    return true;
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
        for (int i = 0; i < POSTED; i++) {
            Posted *posted = &carrier.posted[i];
            if (!posted->is_read) {
                (void)MPI_Cancel(&posted->request);
                (void)MPI_Wait(&posted->request, MPI_STATUS_IGNORE);
            }
            (void)MPI_Request_free(&posted->request);
        }
        (void)MPI_Finalize(); /* it waits for all */
    }
}

const Carrier placed_carrier = {.begin = mpi_begin,
                                .is_virtual = false,
                                .send = mpi_send,
                                .flush = mpi_flush,
                                .receive = mpi_receive,
                                .has_more = mpi_has_more,
                                .lose = mpi_lose,
                                .can_leave = mpi_can_leave,
                                .idle = mpi_idle,
                                .end = mpi_end};
