/* fail_heap -- preloaded into a program: its FAIL_HEAP-th allocation fails, and says so. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static long count;

/* Those of the loader and of dlsym itself come before the names are known. */
static int fails(void) {
    static long wanted = -1;
    if (wanted < 0) {
        const char *text = getenv("FAIL_HEAP");
        wanted = text != NULL ? strtol(text, NULL, 10) : 0;
    }
    if (__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) != wanted) {
        return 0;
    }
    static const char words[] = "FAIL_HEAP\n";
    ssize_t wrote = write(STDERR_FILENO, words, sizeof words - 1);
    (void)wrote;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    static void *(*next)(size_t);
    if (next == NULL) {
        *(void **)&next = dlsym(RTLD_NEXT, "malloc");
    }
    return fails() ? NULL : next(size);
}

void *realloc(void *old, size_t size) {
    static void *(*next)(void *, size_t);
    if (next == NULL) {
        *(void **)&next = dlsym(RTLD_NEXT, "realloc");
    }
    return fails() ? NULL : next(old, size);
}

/* dlsym may call it: then there is nothing to give yet, and glibc does without. */
void *calloc(size_t number, size_t size) {
    static void *(*next)(size_t, size_t);
    static int is_looking;
    if (next == NULL && !is_looking) {
        is_looking = 1;
        *(void **)&next = dlsym(RTLD_NEXT, "calloc");
        is_looking = 0;
    }
    return next == NULL || fails() ? NULL : next(number, size);
}
