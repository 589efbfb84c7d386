/* mpi -- the carrier between processes of an MPI job; linked instead of loopback.c by occc --mpi.
 *
 * Owns:   the calls of MPI: no other file has any. This file is compiled for the MPI that is there.
 * Leaves: what messages mean to the other files.
 * Holds:  called by one thread at a time (the world), so MPI_THREAD_SERIALIZED is enough. Messages
 *         to one process are gathered in a frame, sent by MPI_Isend at the next flush or when it is
 *         full; the bytes of a large message follow with a tag of their own. Two receives of frames
 *         are always posted. An idle machine polls for SPIN_NS, then sleeps between polls, each
 *         time twice as long up to SLEEP_MAX_NS: a message may be found that late. All processes
 *         run the same program, byte by byte: an address of its code is the same everywhere. */
#include "carrier.h"
#include "death.h"
#include "ending.h"
#include "frame.h"
#include "machine.h"
#include "os.h"
#include "program_hash.h"
#include "report.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    SPIN_NS = 100000,
    SPIN_BULK_NS = 1000000, /* while something large is under way */
    SPIN_LOOKS = 32,        /* between two looks at the time */
    DEAD_LOOKS = 64,        /* messages between two looks for deaths, while they keep coming */
    SLEEP_MIN_NS = 20000,
    SLEEP_MAX_NS = 1000000,
    LAST_WORDS_NS = 10000000
};
enum { TAG_FRAME, TAG_LARGE, TAG_BULK, TAGS = 32768 }; /* MPI guarantees at least so many tags */
enum { POSTED = 2 };

/* Sent -- a frame, a large message or a bulk under way. */
typedef struct Sent {
    struct Sent *next;
    Frame *frame;
    Message *message;
    Bulk *bulk;
    MPI_Request request;
} Sent;

/* Posted -- a receive, and what it has received. */
typedef struct Posted {
    MPI_Request request;
    Frame frame; /* empty: nothing has come */
    uint32_t from;
    bool is_read; /* to the end: post it again */
} Posted;

static struct {
    Frame **open;     /* for each machine: what is held back, or NULL */
    uint32_t *opened; /* machines that have one */
    uint32_t opened_count;
    Frame *free_frames;
    Sent *sent; /* under way */
    Posted posted[POSTED];
    unsigned turn; /* the receive that is next */
    size_t at;     /* how far its frame has been read */
    int64_t sleep_ns;
    uint32_t looks;
    uint32_t bulk_tag; /* the last one given out */
    bool has_lost;
} carrier;

/* ---- the same program everywhere ---- */

static void check_program(void) {
    uint64_t own = program_hash();
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

/* The processes of this node watch each other: MPI 3 does not tell who is lost, and Open MPI 4.1
 * goes on sending to a lost one. */
static void watch_node(int rank) {
    MPI_Comm node;
    int near = 0;
    (void)MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    (void)MPI_Comm_size(node, &near);
    int64_t own[2] = {rank, getpid()};
    int64_t(*all)[2] = machine_memory((size_t)near * sizeof own);
    (void)MPI_Allgather(own, 2, MPI_INT64_T, all, 2, MPI_INT64_T, node);
    (void)MPI_Comm_free(&node);
    death_begin();
    for (int i = 0; i < near; i++) {
        if (all[i][0] != rank) {
            death_watch((uint32_t)all[i][0], (long)all[i][1]);
        }
    }
    machine_free(all);
}

static Message *look_for_dead(void) {
    Message *lost = death_look();
    if (lost != NULL) {
        (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    return lost;
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
    if (sent->bulk != NULL) {
        bulk_free(sent->bulk);
    }
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

/* Nothing to keep if MPI is done with it already. */
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

static void check_size(uint64_t size_bytes) {
    if (size_bytes > INT_MAX) {
        rt_fatal("a message to another machine has at most 2 GB", 0);
    }
}

/* The receiver fetches them one after the other, all with the same tag. */
static void send_bulks(Message *message, uint32_t to) {
    while (message->bulks != NULL) {
        Sent sent = {.bulk = message->bulks};
        message->bulks = sent.bulk->next;
        check_size(sent.bulk->size_bytes);
        (void)MPI_Isend(sent.bulk->bytes, (int)sent.bulk->size_bytes, MPI_BYTE, (int)to,
                        (int)message->bulk_tag, MPI_COMM_WORLD, &sent.request);
        keep(&sent);
    }
}

static uint32_t next_tag(void) {
    carrier.bulk_tag = carrier.bulk_tag + 1 < TAGS - TAG_BULK ? carrier.bulk_tag + 1 : 0;
    return TAG_BULK + carrier.bulk_tag;
}

static void mpi_send(Message *message) {
    uint32_t to = message->to;
    check_size(message->size_bytes);
    carrier.sleep_ns = 0;
    message->bulk_tag = message->bulk_count > 0 ? next_tag() : 0;
    if (!frame_put(open_frame(to), message)) {
        mpi_flush();
        (void)frame_put(open_frame(to), message);
    }
    if (message->bulk_count > 0) {
        mpi_flush();
        send_bulks(message, to);
        message->bulk_count = 0;
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

/* False: the sender died first; MPI keeps the request, and with it the memory. */
static bool has_come(MPI_Request *request, uint32_t from) {
    int is_done = 0;
    (void)MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
    while (!is_done && !death_is_of(from)) {
        (void)MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
    }
    return is_done != 0;
}

static bool read_from(uint32_t from, uint32_t tag, void *into, size_t size_bytes) {
    MPI_Request request;
    (void)MPI_Irecv(into, (int)size_bytes, MPI_BYTE, (int)from, (int)tag, MPI_COMM_WORLD, &request);
    return has_come(&request, from);
}

static bool mpi_fetch(const Message *message, void *into, size_t size_bytes) {
    return read_from(message->from, message->bulk_tag, into, size_bytes);
}

/* Their sizes are not known here. */
static bool fetch_next(Message *message) {
    int is_there = 0;
    int size = 0;
    MPI_Status status;
    MPI_Message handle;
    MPI_Request request;
    while (!is_there) {
        (void)MPI_Improbe((int)message->from, (int)message->bulk_tag, MPI_COMM_WORLD, &is_there,
                          &handle, &status);
        if (!is_there && death_is_of(message->from)) {
            return false;
        }
    }
    (void)MPI_Get_count(&status, MPI_BYTE, &size);
    void *bytes = machine_memory((size_t)size);
    (void)MPI_Imrecv(bytes, size, MPI_BYTE, &handle, &request);
    message_add_bulk(message, bytes, (size_t)size, NULL);
    return has_come(&request, message->from);
}

static bool mpi_fetch_all(Message *message) {
    uint32_t count = message->bulk_count;
    bool are_here = true;
    message->bulk_count = 0;
    for (uint32_t i = 0; i < count && are_here; i++) {
        are_here = fetch_next(message);
    }
    message->bulk_tag = 0;
    return are_here;
}

/* Under -fplaced-survive a message is read only when all of it is here. False: its sender died. */
static bool is_whole(Message *message, uint32_t from) {
    if (message_is_large(message) &&
        !read_from(from, TAG_LARGE, message->bytes, message->size_bytes)) {
        return false;
    }
    return message->bulk_count == 0 || !rt_machines.survives || mpi_fetch_all(message);
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
    message->from = from;
    message->to = rt_machines.number;
    if (carrier.at == posted->frame.size) {
        posted->frame.size = 0;
        posted->is_read = true;
        carrier.turn = (carrier.turn + 1) % POSTED;
    }
    return is_whole(message, from) ? message : NULL;
}

static bool arrives_soon(void) {
    int64_t until_ns = 0; /* most answers come before the time is worth asking for */
    do {
        for (int i = 0; i < SPIN_LOOKS; i++) {
            if (has_arrived()) {
                return true;
            }
        }
        int64_t spin_ns = carrier.sent != NULL ? SPIN_BULK_NS : SPIN_NS;
        until_ns = until_ns == 0 ? os_clock_ns() + spin_ns : until_ns;
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
    *count = (uint32_t)size;
    *number = (uint32_t)rank;
    watch_node(rank);
    carrier.open = machine_memory((size_t)size * sizeof(Frame *));
    carrier.opened = machine_memory((size_t)size * sizeof *carrier.opened);
    post_all();
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
        (void)MPI_Finalize(); /* waits for all processes */
    }
}

const Carrier placed_carrier = {.begin = mpi_begin,
                                .is_virtual = false,
                                .send = mpi_send,
                                .flush = mpi_flush,
                                .receive = mpi_receive,
                                .has_more = mpi_has_more,
                                .fetch = mpi_fetch,
                                .fetch_all = mpi_fetch_all,
                                .lose = mpi_lose,
                                .can_leave = mpi_can_leave,
                                .idle = mpi_idle,
                                .end = mpi_end};
