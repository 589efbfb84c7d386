/* lsp -- see the header. */
#include "lsp.h"

#include "server.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

/* Texts that the editor shows go first. */
static void make_way(Server *server) {
    const Document *under_way = server->analysis.document;
    for (size_t i = 0; under_way && under_way->is_closed && i < server->documents.count; i++) {
        const Document *document = server->documents.items[i];
        if (!document->is_closed && !document->is_current && !document->has_failed) {
            analysis_cancel(&server->analysis);
            return;
        }
    }
}

/* The one that was changed last. */
static void start_analysis(Server *server) {
    make_way(server);
    for (size_t i = server->documents.count; i-- > 0 && !server->analysis.document;) {
        Document *document = server->documents.items[i];
        if (!document->is_current && !document->has_failed) {
            analysis_start(server, document);
        }
    }
}

static void handle_messages(Server *server) {
    json_t *message = NULL;
    while (!server->has_exited && (message = transport_next(&server->transport)) != NULL) {
        server_handle(server, message);
    }
}

static int wait_ms(const Server *server) {
    int64_t deadline = server_next_deadline(server);
    int64_t left = deadline < 0 ? -1 : deadline - now_ms();
    return deadline < 0 ? -1 : left < 0 ? 0 : (int)left;
}

/* Until something comes from the editor or from the analysis, or somebody has waited enough. */
static void wait_for_news(Server *server) {
    struct pollfd fds[] = {{server->transport.input, POLLIN, 0}, {-1, POLLIN, 0}, {-1, POLLIN, 0}};
    fds[1].fd = server->analysis.document ? server->analysis.pipe : -1;
    fds[2].fd = server->sizing.document ? server->sizing.pipe : -1;
    if (poll(fds, 3, wait_ms(server)) < 0) {
        if (errno != EINTR) {
            fatal("cannot wait for the editor:");
        }
        return;
    }
    if (fds[1].revents) {
        analysis_read(server);
    }
    if (fds[2].revents) {
        sizing_read(server);
    }
    if (fds[0].revents) {
        transport_read(&server->transport);
    }
}

int lsp_run(Arena *arena, const Options *options) {
    Server server = {.arena = arena, .options = options};
    server.installation = installation_find(arena);
    transport_open(&server.transport, STDIN_FILENO, STDOUT_FILENO);
    for (;;) {
        handle_messages(&server);
        if (server.has_exited || server.transport.has_ended) {
            break;
        }
        server_answer_waiting(&server);
        start_analysis(&server);
        sizing_start(&server);
        wait_for_news(&server);
    }
    analysis_cancel(&server.analysis);
    sizing_cancel(&server, NULL);
    return server.is_shut_down ? EXIT_OK : EXIT_ERRORS;
}
