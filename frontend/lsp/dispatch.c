/* dispatch -- which message asks what, and when it is answered.
 *
 * Holds: a request about a document waits until the survey of its text is there, for at most
 *        WAIT_MOST_MS: then it is answered from what is known. Requests are answered once each, in
 *        any order; a cancelled one is refused. */
#define _POSIX_C_SOURCE 200809L

#include "answer.h"
#include "version.h"

#include <string.h>
#include <time.h>

int64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* ---- documents ---- */

/* The one that changed last is analysed first. */
static void move_last(Documents *documents, const Document *document) {
    for (size_t i = 0; i + 1 < documents->count; i++) {
        if (documents->items[i] == document) {
            Document *next = documents->items[i + 1];
            documents->items[i] = next;
            documents->items[i + 1] = (Document *)document;
        }
    }
}

/* What was found out about texts that include this one is out of date. */
static void spread_change(Server *server, const char *path) {
    for (size_t i = 0; i < server->documents.count; i++) {
        Document *other = server->documents.items[i];
        bool is_itself = strcmp(other->path, path) == 0;
        if (is_itself || document_reads(other, path)) {
            other->is_current = false;
            other->has_failed = false;
            if (server->analysis.document == other) {
                analysis_cancel(&server->analysis);
            }
        }
    }
}

/* There are files now that no text found, or other ones. */
static void forget_all(Server *server) {
    for (size_t i = 0; i < server->documents.count; i++) {
        Document *document = server->documents.items[i];
        document->is_current = document->is_current && document->is_closed;
        document->has_failed = false;
    }
    analysis_cancel(&server->analysis);
}

static const char *uri_of(const json_t *params) {
    return json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

static void did_close(Server *server, const json_t *params) {
    Documents *documents = &server->documents;
    Document *document = documents_find(documents, uri_of(params));
    if (!document) {
        return;
    }
    spread_change(server, document->path);
    sizing_cancel(server, document);
    move_last(documents, document);
    documents->count--;
    diagnose_clear(server, document->uri);
    const char *path = arena_format(server->arena, "%s", document->path);
    document_close(document);
    workspace_show(server, path);
}

static void did_open(Server *server, const json_t *params) {
    const json_t *item = json_object_get(params, "textDocument");
    const json_t *text = json_object_get(item, "text");
    const char *uri = uri_of(params);
    if (!uri || !json_is_string(text)) {
        return;
    }
    if (documents_find(&server->documents, uri)) {
        did_close(server, params);
    }
    workspace_hide(server, uri_path(server->arena, uri));
    Document *document = document_open(uri, json_integer_value(json_object_get(item, "version")),
                                       json_string_value(text), json_string_length(text));
    document->wants_sizes = true;
    array_push(server->arena, &server->documents, document);
    forget_all(server);
}

static void did_change(Server *server, const json_t *params) {
    Document *document = documents_find(&server->documents, uri_of(params));
    if (!document) {
        return;
    }
    size_t index = 0;
    json_t *change = NULL;
    json_array_foreach(json_object_get(params, "contentChanges"), index, change) {
        document_change(document, change);
    }
    document->version =
        json_integer_value(json_object_get(json_object_get(params, "textDocument"), "version"));
    move_last(&server->documents, document);
    spread_change(server, document->path);
}

/* Files on the disk are other ones now, and objects that #USE finds may have been made of them. */
static void files_changed(Server *server, const json_t *params) {
    (void)params;
    workspace_refresh(server);
    forget_all(server);
}

static void did_save(Server *server, const json_t *params) {
    Document *document = documents_find(&server->documents, uri_of(params));
    if (document) {
        document->wants_sizes = true;
    }
    files_changed(server, params);
}

/* ---- the life of the server ---- */

static json_t *capabilities(void) {
    json_t *tokens = json_pack("{s:o, s:b}", "legend", answer_tokens_legend(), "full", 1);
    json_t *value =
        json_pack("{s:s, s:{s:b, s:i, s:{s:b}}}", "positionEncoding", "utf-16", "textDocumentSync",
                  "openClose", 1, "change", 2, "save", "includeText", 0);
    static const char *const providers[] = {
        "hoverProvider",           "definitionProvider",     "typeDefinitionProvider",
        "referencesProvider",      "documentSymbolProvider", "documentHighlightProvider",
        "workspaceSymbolProvider", "foldingRangeProvider",   "documentFormattingProvider",
        "inlayHintProvider",       "callHierarchyProvider"};
    for (size_t i = 0; i < sizeof providers / sizeof *providers; i++) {
        json_object_set_new(value, providers[i], json_true());
    }
    json_object_set_new(value, "renameProvider", json_pack("{s:b}", "prepareProvider", 1));
    json_object_set_new(value, "completionProvider",
                        json_pack("{s:[s, s, s]}", "triggerCharacters", "!", "\"", "["));
    json_object_set_new(value, "signatureHelpProvider",
                        json_pack("{s:[s, s]}", "triggerCharacters", "(", ","));
    json_object_set_new(value, "codeActionProvider",
                        json_pack("{s:[s, s, s]}", "codeActionKinds", "quickfix",
                                  "refactor.extract", "refactor.rewrite"));
    json_object_set_new(value, "codeLensProvider", json_pack("{s:b}", "resolveProvider", 0));
    json_object_set_new(value, "semanticTokensProvider", tokens);
    return value;
}

static const json_t *get_path(const json_t *value, const char *const *keys) {
    for (; *keys; keys++) {
        value = json_object_get(value, *keys);
    }
    return value;
}

static json_t *initialize(Query *query) {
    static const char *const snippets[] = {"capabilities",   "textDocument",   "completion",
                                           "completionItem", "snippetSupport", NULL};
    static const char *const related[] = {"capabilities", "textDocument", "publishDiagnostics",
                                          "relatedInformation", NULL};
    static const char *const lenses[] = {"capabilities", "workspace", "codeLens", "refreshSupport",
                                         NULL};
    Server *server = query->server;
    server->refreshes_lenses = json_is_true(get_path(query->params, lenses));
    server->is_initialized = true;
    server->has_snippets = json_is_true(get_path(query->params, snippets));
    server->has_related = json_is_true(get_path(query->params, related));
    workspace_open(server, query->params);
    return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(), "serverInfo", "name",
                     "occc", "version", OCCC_VERSION);
}

static json_t *shut_down(Query *query) {
    query->server->is_shut_down = true;
    return NULL;
}

static void leave(Server *server, const json_t *params) {
    (void)params;
    server->has_exited = true;
}

/* ---- requests ---- */

typedef struct Request {
    const char *method;
    Answer *answer;
    bool is_about_meaning; /* so it waits for the survey */
} Request;

static const Request requests[] = {
    {"initialize", initialize, false},
    {"shutdown", shut_down, false},
    {"workspace/symbol", answer_workspace_symbols, false},
    {"textDocument/foldingRange", answer_folding, false},
    {"textDocument/hover", answer_hover, true},
    {"textDocument/definition", answer_definition, true},
    {"textDocument/typeDefinition", answer_type_definition, true},
    {"textDocument/references", answer_references, true},
    {"textDocument/documentHighlight", answer_highlights, true},
    {"textDocument/prepareRename", answer_prepare_rename, true},
    {"textDocument/rename", answer_rename, true},
    {"textDocument/documentSymbol", answer_symbols, true},
    {"textDocument/completion", answer_completion, true},
    {"textDocument/signatureHelp", answer_signature, true},
    {"textDocument/formatting", answer_formatting, true},
    {"textDocument/semanticTokens/full", answer_tokens, true},
    {"textDocument/inlayHint", answer_hints, true},
    {"textDocument/codeAction", answer_actions, true},
    {"textDocument/codeLens", answer_lenses, true},
    {"textDocument/prepareCallHierarchy", answer_prepare_calls, true},
    {"callHierarchy/incomingCalls", answer_incoming_calls, false},
    {"callHierarchy/outgoingCalls", answer_outgoing_calls, false},
};

static const Request *find_request(const char *method) {
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (strcmp(requests[i].method, method) == 0) {
            return &requests[i];
        }
    }
    return NULL;
}

static void answer_now(Server *server, const json_t *message, const Request *request) {
    Arena *arena = arena_create();
    const json_t *id = json_object_get(message, "id");
    const json_t *params = json_object_get(message, "params");
    Query query = {arena, server, NULL, params, {1, 1}, NULL};
    bool needs_document = strncmp(request->method, "textDocument/", 13) == 0;
    query.document = documents_find(&server->documents, uri_of(params));
    const json_t *position = json_object_get(params, "position");
    if (needs_document && !query.document) {
        transport_refuse(&server->transport, id, RPC_INVALID_PARAMS, "no such document is open");
    } else if (needs_document && position &&
               !position_read(&query.document->lines, position, &query.spot)) {
        transport_refuse(&server->transport, id, RPC_INVALID_PARAMS, "that is no position");
    } else {
        json_t *result = request->answer(&query);
        if (query.refusal) {
            json_decref(result);
            transport_refuse(&server->transport, id, RPC_REQUEST_FAILED, query.refusal);
        } else {
            transport_respond(&server->transport, id, result);
        }
    }
    arena_destroy(arena);
}

static bool must_wait(const Server *server, const json_t *message, const Request *request) {
    const Document *document =
        documents_find(&server->documents, uri_of(json_object_get(message, "params")));
    return request->is_about_meaning && document && !document->is_current && !document->has_failed;
}

static void handle_request(Server *server, json_t *message, const char *method) {
    const json_t *id = json_object_get(message, "id");
    const Request *request = find_request(method);
    if (!request) {
        transport_refuse(&server->transport, id, RPC_METHOD_NOT_FOUND, method);
    } else if (!server->is_initialized && request->answer != initialize) {
        transport_refuse(&server->transport, id, RPC_NOT_INITIALIZED, "initialize comes first");
    } else if (server->is_shut_down) {
        transport_refuse(&server->transport, id, RPC_INVALID_REQUEST, "the server is shut down");
    } else if (must_wait(server, message, request)) {
        Waiting waiting = {json_incref(message), now_ms() + WAIT_MOST_MS};
        array_push(server->arena, &server->waiting, waiting);
    } else {
        answer_now(server, message, request);
    }
}

/* ---- those that wait ---- */

static void remove_waiting(Server *server, size_t index) {
    json_decref(server->waiting.items[index].message);
    memmove(server->waiting.items + index, server->waiting.items + index + 1,
            (server->waiting.count - index - 1) * sizeof *server->waiting.items);
    server->waiting.count--;
}

void server_answer_waiting(Server *server) {
    for (size_t i = 0; i < server->waiting.count;) {
        const Waiting *waiting = &server->waiting.items[i];
        const Request *request =
            find_request(json_string_value(json_object_get(waiting->message, "method")));
        if (must_wait(server, waiting->message, request) && now_ms() < waiting->deadline_ms) {
            i++;
            continue;
        }
        answer_now(server, waiting->message, request);
        remove_waiting(server, i);
    }
}

int64_t server_next_deadline(const Server *server) {
    int64_t next = -1;
    for (size_t i = 0; i < server->waiting.count; i++) {
        int64_t own = server->waiting.items[i].deadline_ms;
        next = next < 0 || own < next ? own : next;
    }
    return next;
}

static void cancel(Server *server, const json_t *params) {
    const json_t *id = json_object_get(params, "id");
    for (size_t i = 0; i < server->waiting.count; i++) {
        if (json_equal(id, json_object_get(server->waiting.items[i].message, "id"))) {
            transport_refuse(&server->transport, id, RPC_REQUEST_CANCELLED, "cancelled");
            remove_waiting(server, i);
            return;
        }
    }
}

/* ---- notifications ---- */

typedef struct Notification {
    const char *method;
    void (*take)(Server *server, const json_t *params);
} Notification;

static const Notification notifications[] = {
    {"exit", leave},
    {"$/cancelRequest", cancel},
    {"textDocument/didOpen", did_open},
    {"textDocument/didChange", did_change},
    {"textDocument/didSave", did_save},
    {"textDocument/didClose", did_close},
    {"workspace/didChangeWatchedFiles", files_changed},
};

void server_handle(Server *server, json_t *message) {
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *id = json_object_get(message, "id");
    if (method && id) {
        handle_request(server, message, method);
    } else if (method) {
        for (size_t i = 0; i < sizeof notifications / sizeof *notifications; i++) {
            if (strcmp(notifications[i].method, method) == 0) {
                notifications[i].take(server, json_object_get(message, "params"));
            }
        }
    } else if (!id) {
        transport_refuse(&server->transport, NULL, RPC_INVALID_REQUEST, "there is no method");
    }
    json_decref(message);
}
