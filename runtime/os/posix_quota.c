/* posix_quota -- how many CPUs the control groups of the process let it keep busy. See os.h. Linux,
 * both versions of control groups: /proc/self/cgroup has a line "number:controllers:group" for each
 * hierarchy, and "0::group" for that of version 2. */
#define _GNU_SOURCE
#include "os.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096, PATH_BYTES = TEXT_BYTES + 64 };

static bool read_text(const char *path, char *text) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t length = read(fd, text, TEXT_BYTES - 1);
    (void)close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static int cpus_for(long quota, long period) {
    return quota <= 0 || period <= 0 ? INT_MAX : (int)((quota + period - 1) / period);
}

/* cpu.max: "max 100000" or "150000 100000". */
static int quota_of_two(const char *folder) {
    char path[PATH_BYTES];
    char text[TEXT_BYTES];
    long quota = 0;
    long period = 0;
    (void)snprintf(path, sizeof path, "%s/cpu.max", folder);
    bool is_limited = read_text(path, text) && sscanf(text, "%ld %ld", &quota, &period) == 2;
    return is_limited ? cpus_for(quota, period) : INT_MAX;
}

/* Version 1 has the two numbers in files of their own; a quota of -1 is none. */
static long number_in(const char *folder, const char *name) {
    char path[PATH_BYTES];
    char text[TEXT_BYTES];
    long number = 0;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return read_text(path, text) && sscanf(text, "%ld", &number) == 1 ? number : 0;
}

static int quota_of_one(const char *folder) {
    return cpus_for(number_in(folder, "cpu.cfs_quota_us"), number_in(folder, "cpu.cfs_period_us"));
}

/* The smallest on the way from the group to the root. In a container the group may have the host's
 * name for it, and only the root be there. */
static int smallest_quota(const char *root, char *group, int quota_of(const char *folder)) {
    char folder[PATH_BYTES];
    int smallest = quota_of(root);
    while (strrchr(group, '/') != NULL) {
        (void)snprintf(folder, sizeof folder, "%s%s", root, group);
        int here = quota_of(folder);
        smallest = here < smallest ? here : smallest;
        *strrchr(group, '/') = '\0';
    }
    return smallest;
}

static bool has_cpu(const char *controllers) {
    return strncmp(controllers, "cpu,", 4) == 0 || strcmp(controllers, "cpu") == 0 ||
           strstr(controllers, ",cpu,") != NULL ||
           (strlen(controllers) > 4 && strcmp(controllers + strlen(controllers) - 4, ",cpu") == 0);
}

/* The quota for one line. */
static int quota_in(char *line) {
    char *controllers = strchr(line, ':');
    char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (group == NULL) {
        return INT_MAX;
    }
    *group++ = '\0';
    controllers++;
    if (controllers[0] == '\0') {
        return smallest_quota("/sys/fs/cgroup", group, quota_of_two);
    }
    return has_cpu(controllers) ? smallest_quota("/sys/fs/cgroup/cpu", group, quota_of_one)
                                : INT_MAX;
}

int os_cpu_quota(void) {
    char text[TEXT_BYTES];
    int smallest = INT_MAX;
    char *rest = NULL;
    if (!read_text("/proc/self/cgroup", text)) {
        return INT_MAX;
    }
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        int here = quota_in(line);
        smallest = here < smallest ? here : smallest;
    }
    return smallest;
}
