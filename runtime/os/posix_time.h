/* posix_time -- nanoseconds as system calls want them, for the files of posix_*.c. */
#ifndef RT_POSIX_TIME_H
#define RT_POSIX_TIME_H

#include <stdint.h>
#include <time.h>

enum { NS_PER_SECOND = 1000000000 };

static inline struct timespec timespec_of(int64_t ns) {
    return (struct timespec){(time_t)(ns / NS_PER_SECOND), (long)(ns % NS_PER_SECOND)};
}

static inline int64_t ns_of(struct timespec time) {
    return (int64_t)time.tv_sec * NS_PER_SECOND + time.tv_nsec;
}

#endif
