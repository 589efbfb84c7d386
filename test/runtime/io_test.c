/* Nothing that was output is lost, whatever the reader does and however the program ends; waiting
 * for a device stops only the process that waits; the terminal is as it was afterwards. */
#define _GNU_SOURCE

#include "io_test.h"
#include "ending.h"
#include "interrupt.h"
#include "io.h"
#include "world.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>

/* ---- a whole program in a child, with its three channels ours ---- */

typedef struct Child {
    pid_t pid;
    int keyboard; /* our ends */
    int screen;
    int error;
} Child;

_Noreturn static void run_program(void *body) {
    Channel *channels[3];
    setenv("OCC_WORKERS", "1", 1);
    expect(rt_begin() && io_begin(channels));
    interrupt_begin();
    ProcessPlan root = {body, WORLD_ROOT_BLOCK, channels, NULL, INDEX_NONE};
    rt_run(&root);
    rt_end(STATUS_DONE);
}

static Child start(void *body) {
    int pipes[3][2];
    for (int i = 0; i < 3; i++) {
        expect(pipe2(pipes[i], O_CLOEXEC) == 0);
    }
    fflush(NULL);
    pid_t pid = fork();
    expect(pid >= 0);
    if (pid == 0) {
        dup2(pipes[0][0], 0);
        dup2(pipes[1][1], 1);
        dup2(pipes[2][1], 2);
        for (int fd = 3; fd < 64; fd++) {
            close(fd);
        }
        /* a shell without job control has them ignored in the background */
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        alarm(20);
        run_program(body);
    }
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][1]);
    return (Child){pid, pipes[0][1], pipes[1][0], pipes[2][0]};
}

static int end_of(const Child *child) {
    int status;
    expect(waitpid(child->pid, &status, 0) == child->pid);
    return status;
}

static size_t read_all(int fd, char *into, size_t size_bytes) {
    size_t length = 0;
    ssize_t got;
    while (length < size_bytes && (got = read(fd, into + length, size_bytes - length)) > 0) {
        length += (size_t)got;
    }
    close(fd);
    return length;
}

static void sleep_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void expect_text(int fd, const char *text) {
    char got[1024];
    size_t length = read_all(fd, got, sizeof got - 1);
    got[length] = '\0';
    if (strcmp(got, text) != 0) {
        fprintf(stderr, "got \"%s\", wanted \"%s\"\n", got, text);
        abort();
    }
}

/* The next bytes, as soon as they are there. */
static void expect_next(int fd, const char *text) {
    char got[256] = {0};
    size_t wanted = strlen(text);
    for (size_t length = 0; length < wanted;) {
        ssize_t more = read(fd, got + length, wanted - length);
        expect(more > 0);
        length += (size_t)more;
    }
    expect(strcmp(got, text) == 0);
}

static void expect_exit(const Child *child, int status) {
    int end = end_of(child);
    if (!WIFEXITED(end) || WEXITSTATUS(end) != status) {
        fprintf(stderr, "ended with %x, wanted exit status %d\n", (unsigned)end, status);
        abort();
    }
}

static void expect_signal(const Child *child, int signal_number) {
    int end = end_of(child);
    if (!WIFSIGNALED(end) || WTERMSIG(end) != signal_number) {
        fprintf(stderr, "ended with %x, wanted signal %d\n", (unsigned)end, signal_number);
        abort();
    }
}

/* ---- screen and error ---- */

static void test_io__every_byte(void) {
    Child child = start(WORLD_BODY(bytes_body));
    unsigned char got[300];
    expect(read_all(child.screen, (char *)got, sizeof got) == 256);
    for (int i = 0; i < 255; i++) {
        expect(got[i] == i);
    }
    expect(got[255] == 'x');
    expect(read_all(child.error, (char *)got, sizeof got) == 1 && got[0] == 255);
    expect_exit(&child, 0);
}

static void test_io__screen_before_error(void) {
    int both[2];
    expect(pipe(both) == 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(both[1], 1);
        dup2(both[1], 2);
        run_program(WORLD_BODY(order_body));
    }
    close(both[1]);
    expect_text(both[0], "one two three four five");
    Child child = {pid, -1, -1, -1};
    expect_exit(&child, 0);
}

static char long_output[LONG_OUTPUT + 1];

static void expect_long_output(int fd) {
    size_t length = read_all(fd, long_output, sizeof long_output);
    expect(length == LONG_OUTPUT);
    for (size_t i = 0; i < length; i++) {
        expect((unsigned char)long_output[i] == i % 251);
    }
}

static void test_io__long_output(void) {
    Child child = start(WORLD_BODY(long_output_body));
    sleep_ms(30); /* the pipe is full by now */
    expect_long_output(child.screen);
    expect_exit(&child, 0);
}

static void test_io__to_a_file(void) {
    char name[] = "/tmp/occ-io-test-XXXXXX";
    int fd = mkstemp(name);
    expect(fd >= 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(fd, 1);
        run_program(WORLD_BODY(long_output_body));
    }
    Child child = {pid, -1, -1, -1};
    expect_exit(&child, 0);
    expect(lseek(fd, 0, SEEK_SET) == 0);
    expect_long_output(fd);
    unlink(name);
}

/* The descriptor is non-blocking already: others may have made it so. */
static void test_io__to_a_descriptor_that_does_not_block(void) {
    int fds[2];
    expect(pipe(fds) == 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        fcntl(fds[1], F_SETFL, O_NONBLOCK);
        dup2(fds[1], 1);
        close(fds[0]);
        run_program(WORLD_BODY(long_output_body));
    }
    close(fds[1]);
    sleep_ms(20);
    expect_long_output(fds[0]);
    Child child = {pid, -1, -1, -1};
    expect_exit(&child, 0);
}

static void test_io__slow_reader_stops_only_the_writer(void) {
    Child child = start(WORLD_BODY(slow_reader_body));
    expect_next(child.error, "ticked"); /* while nobody takes what is written to the screen */
    expect_long_output(child.screen);
    expect_exit(&child, 0);
}

static void test_io__output_that_cannot_be_written(void) {
    Child child = start(WORLD_BODY(long_output_body));
    close(child.screen);
    expect_text(child.error, "");
    expect_signal(&child, SIGPIPE);
    /* it fails only at the last flush */
    int full = open("/dev/full", O_WRONLY);
    expect(full >= 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(full, 1);
        dup2(open("/dev/null", O_WRONLY), 2);
        run_program(WORLD_BODY(order_body));
    }
    Child other = {pid, -1, -1, -1};
    expect_exit(&other, 3);
    close(full);
}

/* ---- every kind of end ---- */

static void test_io__error_and_deadlock_lose_nothing(void) {
    Child child = start(WORLD_BODY(hello_then_stop_body));
    expect_text(child.screen, "before");
    expect_exit(&child, 1);
    child = start(WORLD_BODY(hello_then_deadlock_body));
    expect_text(child.screen, "before");
    expect_exit(&child, 2);
}

static void expect_signal_end(void *body, int signal_number, const char *output) {
    Child child = start(body);
    char first;
    expect(read(child.screen, &first, 1) == 1 && first == 'b');
    sleep_ms(100); /* for what it writes after the first byte */
    kill(child.pid, signal_number);
    expect_text(child.screen, output);
    int status = end_of(&child);
    expect(WIFSIGNALED(status) && WTERMSIG(status) == signal_number);
}

static void test_io__signals_lose_nothing(void) {
    (void)signal(SIGHUP, SIG_DFL); /* ignored under nohup */
    expect_signal_end(WORLD_BODY(hello_then_spin_body), SIGINT, "eforemore");
    expect_signal_end(WORLD_BODY(hello_then_spin_body), SIGTERM, "eforemore");
    expect_signal_end(WORLD_BODY(hello_then_sleep_body), SIGINT, "efore");
    expect_signal_end(WORLD_BODY(hello_then_sleep_body), SIGHUP, "efore");
}

__attribute__((unused)) static void test_io__crash_is_an_internal_error(void) {
    Child child = start(WORLD_BODY(hello_then_crash_body));
    expect_text(child.screen, "before");
    expect_text(child.error, "occ: internal error: SIGSEGV in a process\n");
    expect_exit(&child, 70);
}

static void test_io__report_on_request(void) {
    Child child = start(WORLD_BODY(hello_then_sleep_body));
    expect_next(child.screen, "before"); /* the last of it is written when the process sleeps */
    kill(child.pid, SIGQUIT);
    char got[256] = {0};
    for (size_t length = 0; strstr(got, "delay") == NULL;) {
        ssize_t more = read(child.error, got + length, sizeof got - 1 - length);
        expect(more > 0);
        length += (size_t)more;
    }
    expect(strstr(got, "occ: 1 processes: 0 ready, 1 waiting") != NULL);
    kill(child.pid, SIGTERM); /* it went on */
    int status = end_of(&child);
    expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

/* ---- keyboard ---- */

static void test_io__keyboard_to_the_end_and_beyond(void) {
    Child child = start(WORLD_BODY(echo_body));
    expect(write(child.keyboard, "ab", 2) == 2);
    sleep_ms(20);
    expect(write(child.keyboard, "c\n", 2) == 2);
    close(child.keyboard);
    expect_text(child.screen, "abc\n...");
    expect_exit(&child, 0);
}

static void test_io__typist_is_waited_for(void) {
    Child child = start(WORLD_BODY(slow_typist_body));
    expect_next(child.error, "ticked");
    expect(write(child.keyboard, "k", 1) == 1);
    expect_text(child.screen, "k");
    expect_exit(&child, 0);
}

static void test_io__busy_processes_do_not_starve_the_keyboard(void) {
    Child child = start(WORLD_BODY(busy_typist_body));
    sleep_ms(50);
    expect(write(child.keyboard, "k", 1) == 1);
    expect_text(child.screen, "k");
    expect_exit(&child, 0);
}

static void test_io__keyboard_in_an_alt(void) {
    Child child = start(WORLD_BODY(alt_typist_body));
    expect_next(child.screen, "t"); /* one timeout; more may follow at any place */
    expect(write(child.keyboard, "x", 1) == 1);
    close(child.keyboard);
    char got[256] = {0};
    size_t length = read_all(child.screen, got, sizeof got - 1);
    size_t kept = 0;
    for (size_t i = 0; i < length; i++) {
        if (got[i] != 't') {
            got[kept++] = got[i];
        }
    }
    expect(kept == 3 && memcmp(got, "x..", kept) == 0);
    expect_exit(&child, 0);
}

/* ---- the terminal ---- */

static int open_terminal(int *other_end) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    expect(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    *other_end = open(ptsname(master), O_RDWR | O_NOCTTY);
    expect(*other_end >= 0);
    return master;
}

static bool is_raw(int fd) {
    struct termios mode;
    expect(tcgetattr(fd, &mode) == 0);
    return (mode.c_lflag & (tcflag_t)(ICANON | ECHO)) == 0;
}

static void wait_until_raw(int fd) {
    for (int i = 0; i < 1000 && !is_raw(fd); i++) {
        sleep_ms(1);
    }
    expect(is_raw(fd));
}

static Child start_on_terminal(void *body, int fd) {
    int error[2];
    expect(pipe2(error, O_CLOEXEC) == 0);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        setsid();
        dup2(error[1], 2);
        ioctl(fd, TIOCSCTTY, 0);
        dup2(fd, 0);
        dup2(fd, 1);
        /* a shell without job control has them ignored in the background */
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        alarm(20);
        run_program(body);
    }
    close(error[1]);
    return (Child){pid, -1, -1, error[0]};
}

static void expect_restored_after(int signal_number) {
    int fd;
    int master = open_terminal(&fd);
    Child child = start_on_terminal(WORLD_BODY(echo_body), fd);
    wait_until_raw(fd);
    expect(write(master, "q", 1) == 1); /* no end of line: not line mode */
    char echo;
    expect(read(master, &echo, 1) == 1 && echo == 'q'); /* from the program, once */
    kill(child.pid, signal_number);
    (void)end_of(&child);
    expect(!is_raw(fd));
    close(fd);
    close(master);
}

static void test_io__terminal_is_raw_and_restored(void) {
    expect_restored_after(SIGINT);
    expect_restored_after(SIGTERM);
#ifndef RT_SANITIZE
    expect_restored_after(SIGSEGV);
#endif
    int fd;
    int master = open_terminal(&fd);
    Child child = start_on_terminal(WORLD_BODY(slow_typist_body), fd);
    wait_until_raw(fd);
    expect_next(child.error, "ticked");
    expect(write(master, "k", 1) == 1);
    expect_exit(&child, 0);
    expect(!is_raw(fd));
    close(fd);
    close(master);
}

int main(void) {
    setenv("OCC_SEED", "1", 1);
    test_io__every_byte();
    test_io__screen_before_error();
    test_io__long_output();
    test_io__to_a_file();
    test_io__to_a_descriptor_that_does_not_block();
    test_io__slow_reader_stops_only_the_writer();
    test_io__output_that_cannot_be_written();
    test_io__error_and_deadlock_lose_nothing();
    test_io__signals_lose_nothing();
#ifndef RT_SANITIZE /* there a crash is the sanitizer's */
    test_io__crash_is_an_internal_error();
#endif
    test_io__report_on_request();
    test_io__keyboard_to_the_end_and_beyond();
    test_io__typist_is_waited_for();
    test_io__busy_processes_do_not_starve_the_keyboard();
    test_io__keyboard_in_an_alt();
    test_io__terminal_is_raw_and_restored();
    return 0;
}
