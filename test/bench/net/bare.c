/* bare -- the least that a server of one thread must do: how fast the kernel lets one be.
 *
 * bare http|echo        epoll: one recv and one send for each message
 * bare http|echo ring   io_uring: many receives armed once, sends handed over in batches
 *
 * Nothing is parsed, nothing is set a deadline: what comes is echoed, or answered with one page. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/io_uring.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EVENTS = 256, ENTRIES = 4096, BUFFERS = 1024, BUFFER_BYTES = 2048 };

/* What an entry of the ring was for, in the upper half of its mark; the lower is the descriptor. */
enum { FOR_ACCEPT, FOR_INPUT, FOR_OUTPUT };

static const char page[] =
    "HTTP/1.1 200 OK\r\nContent-Length: 13\r\nContent-Type: text/plain\r\n\r\n"
    "Hello, world!";
static bool echoes;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int listen_somewhere(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, 1024) != 0) {
        fail("listen");
    }
    getsockname(fd, (struct sockaddr *)&address, &length);
    printf("listening on :%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

static void send_at_once(int fd) {
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

/* ---- epoll ---- */

static void watch(int epoll, int fd, uint32_t events) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static void accept_all(int epoll, int listener) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        send_at_once(fd);
        watch(epoll, fd, EPOLLIN | EPOLLET);
    }
}

static void answer(int fd) {
    static char bytes[16384];
    ssize_t count = recv(fd, bytes, sizeof bytes, 0);
    if (count > 0) {
        send(fd, echoes ? bytes : page, echoes ? (size_t)count : sizeof page - 1, MSG_NOSIGNAL);
    } else if (count == 0 || errno != EAGAIN) {
        close(fd);
    }
}

static void serve_epoll(int listener) {
    int epoll = epoll_create1(0);
    watch(epoll, listener, EPOLLIN);
    for (;;) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(epoll, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd == listener) {
                accept_all(epoll, listener);
            } else {
                answer(events[i].data.fd);
            }
        }
    }
}

/* ---- io_uring ---- */

static struct {
    int fd;
    unsigned tail, given; /* entries filled; told to the kernel */
    unsigned *submit_tail, *submit_mask;
    unsigned *done_head, *done_tail, *done_mask;
    struct io_uring_sqe *entries;
    struct io_uring_cqe *done;
    struct io_uring_buf_ring *free_buffers;
    char *buffers;
} ring;

static void *map(size_t bytes, int fd, off_t offset) {
    int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_POPULATE;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, offset);
    if (memory == MAP_FAILED) {
        fail("mmap");
    }
    return memory;
}

static void give_buffer(unsigned number) {
    struct io_uring_buf *buffer = &ring.free_buffers->bufs[ring.free_buffers->tail % BUFFERS];
    buffer->addr = (uint64_t)(ring.buffers + (size_t)number * BUFFER_BYTES);
    buffer->len = BUFFER_BYTES;
    buffer->bid = (uint16_t)number;
    __atomic_store_n(&ring.free_buffers->tail, (uint16_t)(ring.free_buffers->tail + 1),
                     __ATOMIC_RELEASE);
}

static void make_buffers(void) {
    ring.free_buffers = map(BUFFERS * sizeof(struct io_uring_buf), -1, 0);
    ring.buffers = map((size_t)BUFFERS * BUFFER_BYTES, -1, 0);
    struct io_uring_buf_reg as = {.ring_addr = (uint64_t)ring.free_buffers,
                                  .ring_entries = BUFFERS};
    if (syscall(__NR_io_uring_register, ring.fd, IORING_REGISTER_PBUF_RING, &as, 1) < 0) {
        fail("buffers of io_uring");
    }
    for (unsigned i = 0; i < BUFFERS; i++) {
        give_buffer(i);
    }
}

static void make_ring(void) {
    struct io_uring_params made = {.flags =
                                       IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN};
    ring.fd = (int)syscall(__NR_io_uring_setup, ENTRIES, &made);
    if (ring.fd < 0) {
        fail("io_uring");
    }
    char *submit =
        map(made.sq_off.array + made.sq_entries * sizeof(unsigned), ring.fd, IORING_OFF_SQ_RING);
    char *done =
        map(made.cq_off.cqes + made.cq_entries * sizeof *ring.done, ring.fd, IORING_OFF_CQ_RING);
    ring.entries = map(made.sq_entries * sizeof *ring.entries, ring.fd, IORING_OFF_SQES);
    for (unsigned i = 0; i < made.sq_entries; i++) {
        ((unsigned *)(submit + made.sq_off.array))[i] = i;
    }
    ring.submit_tail = (unsigned *)(submit + made.sq_off.tail);
    ring.submit_mask = (unsigned *)(submit + made.sq_off.ring_mask);
    ring.done_head = (unsigned *)(done + made.cq_off.head);
    ring.done_tail = (unsigned *)(done + made.cq_off.tail);
    ring.done_mask = (unsigned *)(done + made.cq_off.ring_mask);
    ring.done = (struct io_uring_cqe *)(done + made.cq_off.cqes);
    make_buffers();
}

static struct io_uring_sqe *next_entry(int fd, unsigned char operation, uint64_t what) {
    struct io_uring_sqe *entry = &ring.entries[ring.tail++ & *ring.submit_mask];
    *entry = (struct io_uring_sqe){
        .opcode = operation, .fd = fd, .user_data = what << 32 | (uint32_t)fd};
    return entry;
}

static void await_input(int fd) {
    struct io_uring_sqe *entry = next_entry(fd, IORING_OP_RECV, FOR_INPUT);
    entry->ioprio = IORING_RECV_MULTISHOT;
    entry->flags = IOSQE_BUFFER_SELECT;
}

/* An echo is sent before its buffer is given back to be filled: no more than a ring of buffers waits. */
static void answer_input(int fd, const struct io_uring_cqe *done) {
    if (done->res <= 0 && done->res != -ENOBUFS) {
        close(fd);
        return;
    }
    if (!(done->flags & IORING_CQE_F_MORE)) {
        await_input(fd);
    }
    if (done->res > 0) {
        unsigned number = done->flags >> IORING_CQE_BUFFER_SHIFT;
        struct io_uring_sqe *entry = next_entry(fd, IORING_OP_SEND, FOR_OUTPUT);
        entry->addr = (uint64_t)(echoes ? ring.buffers + (size_t)number * BUFFER_BYTES : page);
        entry->len = echoes ? (unsigned)done->res : sizeof page - 1;
        entry->msg_flags = MSG_NOSIGNAL;
        entry->flags = IOSQE_CQE_SKIP_SUCCESS;
        give_buffer(number);
    }
}

static void enter(void) {
    __atomic_store_n(ring.submit_tail, ring.tail, __ATOMIC_RELEASE);
    long taken = syscall(__NR_io_uring_enter, ring.fd, ring.tail - ring.given, 1,
                         IORING_ENTER_GETEVENTS, NULL, 0);
    if (taken < 0 && errno != EINTR) {
        fail("io_uring_enter");
    }
    ring.given += taken > 0 ? (unsigned)taken : 0;
}

static void serve_ring(int listener) {
    make_ring();
    next_entry(listener, IORING_OP_ACCEPT, FOR_ACCEPT)->ioprio = IORING_ACCEPT_MULTISHOT;
    for (;;) {
        enter();
        unsigned head = *ring.done_head;
        for (; head != __atomic_load_n(ring.done_tail, __ATOMIC_ACQUIRE); head++) {
            const struct io_uring_cqe *done = &ring.done[head & *ring.done_mask];
            if (done->user_data >> 32 == FOR_INPUT) {
                answer_input((int)(uint32_t)done->user_data, done);
            } else if (done->user_data >> 32 == FOR_ACCEPT && done->res >= 0) {
                send_at_once(done->res);
                await_input(done->res);
            }
        }
        __atomic_store_n(ring.done_head, head, __ATOMIC_RELEASE);
    }
}

int main(int count, char **words) {
    if (count < 2) {
        fputs("bare http|echo [ring]\n", stderr);
        return 2;
    }
    echoes = strcmp(words[1], "echo") == 0;
    (count > 2 ? serve_ring : serve_epoll)(listen_somewhere());
}
