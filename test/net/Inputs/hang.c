/* A resolver that hangs: every name takes two seconds, and is not found. For LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <time.h>

typedef int Resolver(const char *, const char *, const struct addrinfo *, struct addrinfo **);

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
    struct timespec two = {.tv_sec = 2};
    if (hints != NULL && (hints->ai_flags & AI_NUMERICHOST) != 0) { /* no name: the real one */
        void *symbol = dlsym(RTLD_NEXT, "getaddrinfo");
        Resolver *real;
        memcpy(&real, &symbol, sizeof real);
        return real(name, service, hints, found);
    }
    *found = NULL;
    (void)nanosleep(&two, NULL);
    return EAI_AGAIN;
}
