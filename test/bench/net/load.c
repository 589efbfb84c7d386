/* load -- a client of many connections: echo of 64 bytes on each, or connections one after the
 * other.
 *
 * load echo PORT CONNECTIONS SECONDS   messages a second, how long one takes (p50, p99, in us), how
 * many there were load open PORT CONNECTIONS SECONDS   connections a second: opened, one message,
 * closed; so many at once
 *
 * Holds: one thread, epoll; a message is sent when the one before has come back. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 64, EVENTS = 256, HISTOGRAM_US = 1000000 };

typedef struct Connection {
    int fd;
    int received;
    int64_t sent_ns;
} Connection;

static uint32_t histogram[HISTOGRAM_US + 1];
static int watch;
static struct sockaddr_in server;
static bool opens_each;

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void send_message(Connection *connection) {
    static const char message[MESSAGE_BYTES] = "a message of 64 bytes";
    connection->received = 0;
    connection->sent_ns = now_ns();
    if (send(connection->fd, message, MESSAGE_BYTES, MSG_NOSIGNAL) != MESSAGE_BYTES) {
        fail("send");
    }
}

static void open_connection(Connection *connection) {
    connection->fd = socket(AF_INET, SOCK_STREAM, 0);
    int one = 1;
    struct linger reset = {1, 0}; /* no port waits after a connection */
    if (connection->fd < 0 ||
        connect(connection->fd, (struct sockaddr *)&server, sizeof server) != 0) {
        fail("connect");
    }
    setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (opens_each) {
        setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    }
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    epoll_ctl(watch, EPOLL_CTL_ADD, connection->fd, &event);
}

/* True: the whole message has come back. */
static bool receive(Connection *connection) {
    char bytes[MESSAGE_BYTES];
    ssize_t count = recv(connection->fd, bytes, (size_t)(MESSAGE_BYTES - connection->received), 0);
    if (count <= 0) {
        fail("recv");
    }
    connection->received += (int)count;
    return connection->received == MESSAGE_BYTES;
}

static void count_one(const Connection *connection) {
    int64_t us = (now_ns() - connection->sent_ns) / 1000;
    histogram[us < HISTOGRAM_US ? us : HISTOGRAM_US]++;
}

static uint64_t run(int64_t until_ns) {
    uint64_t count = 0;
    while (now_ns() < until_ns) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(watch, events, EVENTS, 100);
        for (int i = 0; i < ready; i++) {
            Connection *connection = events[i].data.ptr;
            if (!receive(connection)) {
                continue;
            }
            count_one(connection);
            count++;
            if (opens_each) {
                close(connection->fd);
                open_connection(connection);
            }
            send_message(connection);
        }
    }
    return count;
}

static int quantile(uint64_t count, double part) {
    uint64_t below = 0;
    for (int us = 0; us <= HISTOGRAM_US; us++) {
        below += histogram[us];
        if ((double)below >= (double)count * part) {
            return us;
        }
    }
    return HISTOGRAM_US;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "load echo|open PORT CONNECTIONS SECONDS\n");
        return 2;
    }
    opens_each = strcmp(argv[1], "open") == 0;
    int count = atoi(argv[3]);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    server =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
    inet_pton(AF_INET, "127.0.0.1", &server.sin_addr);
    watch = epoll_create1(0);
    Connection *connections = calloc((size_t)count, sizeof *connections);
    for (int i = 0; i < count; i++) {
        open_connection(&connections[i]);
    }
    for (int i = 0; i < count; i++) {
        send_message(&connections[i]);
    }
    uint64_t warm = run(now_ns() + 300000000);
    memset(histogram, 0, sizeof histogram);
    int64_t begin = now_ns();
    uint64_t done = run(begin + (int64_t)(atof(argv[4]) * 1e9));
    printf("%.0f %d %d %llu\n", (double)done * 1e9 / (double)(now_ns() - begin),
           quantile(done, 0.5), quantile(done, 0.99), (unsigned long long)(warm + done));
    return 0;
}
