/* play -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "play.h"

#include "backend.h"
#include "diag.h"

#include <string.h>
#include <unistd.h>

/* "127.0.0.1:8000", "[::1]:8000", "localhost:8000", ":8000". */
static bool is_own(const char *address) {
    static const char *const places[] = {"127.0.0.1:", "[::1]:", "localhost:", ":"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (strncmp(address, places[i], strlen(places[i])) == 0) {
            return true;
        }
    }
    return false;
}

int play_run(Arena *arena, const Options *options) {
    Installation installation = installation_find(arena);
    const char *address = options->topics.count ? options->topics.items[0] : ":0";
    const char *server = arena_format(arena, "%s/server", installation.play);
    if (!is_own(address)) {
        fatal(
            "'%s' is no address of this machine alone, such as 127.0.0.1:8000; programs of others "
            "are not for everybody to run",
            address);
    }
    if (address[0] == ':') {
        address = arena_format(arena, "127.0.0.1%s", address);
    }
    char *words[] = {(char *)(uintptr_t)server, (char *)(uintptr_t)address,
                     (char *)(uintptr_t)installation.compiler, (char *)(uintptr_t)installation.play,
                     NULL};
    execv(server, words);
    fatal("cannot start '%s':", server);
}
