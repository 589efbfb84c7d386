/* workspace -- the sources of the folder that the editor has open, also those that it does not
 * show.
 *
 * Owns:   finding them, and documents for them: closed ones, whose text is that of the disk.
 * Leaves: analysing them to lsp.c, which does it when nothing else is to do.
 * Holds:  a closed document is never the one a request is about, publishes no diagnostics and gives
 *         no text to other analyses. A path has one document, open or closed. Closed ones come
 *         first in the list, so they are looked at last. */
#define _POSIX_C_SOURCE 200809L

#include "file.h"
#include "server.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 2000, MOST_DEPTH = 12 };

static bool is_source(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot &&
           (strcmp(dot, ".occ") == 0 || strcmp(dot, ".inc") == 0 || strcmp(dot, ".module") == 0);
}

static void add_first(Server *server, Document *document) {
    Documents *documents = &server->documents;
    array_push(server->arena, documents, document);
    memmove(documents->items + 1, documents->items,
            (documents->count - 1) * sizeof *documents->items);
    documents->items[0] = document;
}

static void add_closed(Server *server, const char *path) {
    Arena *arena = arena_create();
    FileText text;
    if (!documents_at_path(&server->documents, path) && file_read(arena, path, &text)) {
        Document *document = document_open(path_uri(arena, path), 0, text.bytes, text.length);
        document->is_closed = true;
        add_first(server, document);
    }
    arena_destroy(arena);
}

static void look_through(Server *server, const char *folder, int depth) {
    DIR *directory = depth < MOST_DEPTH ? opendir(folder) : NULL;
    const struct dirent *entry = NULL;
    while (directory && (entry = readdir(directory)) && server->documents.count < MOST_FILES) {
        Arena *arena = arena_create();
        const char *path = arena_format(arena, "%s/%s", folder, entry->d_name);
        struct stat status;
        if (entry->d_name[0] == '.' || lstat(path, &status) != 0) {
            /* hidden, or gone */
        } else if (S_ISDIR(status.st_mode)) {
            look_through(server, path, depth + 1);
        } else if (S_ISREG(status.st_mode) && is_source(entry->d_name)) {
            add_closed(server, path);
        }
        arena_destroy(arena);
    }
    if (directory) {
        closedir(directory);
    }
}

static void remove_document(Server *server, size_t index) {
    Documents *documents = &server->documents;
    Document *document = documents->items[index];
    if (server->analysis.document == document) {
        analysis_cancel(&server->analysis);
    }
    memmove(documents->items + index, documents->items + index + 1,
            (documents->count - index - 1) * sizeof *documents->items);
    documents->count--;
    document_close(document);
}

void workspace_open(Server *server, const json_t *params) {
    const json_t *folders = json_object_get(params, "workspaceFolders");
    const char *uri = json_string_value(json_object_get(json_array_get(folders, 0), "uri"));
    uri = uri ? uri : json_string_value(json_object_get(params, "rootUri"));
    const char *path = uri ? uri_path(server->arena, uri) : NULL;
    if (path && path[0] == '/' && path[1]) {
        server->workspace = path;
        look_through(server, path, 0);
    }
}

void workspace_hide(Server *server, const char *path) {
    for (size_t i = 0; i < server->documents.count; i++) {
        Document *document = server->documents.items[i];
        if (document->is_closed && strcmp(document->path, path) == 0) {
            remove_document(server, i);
            return;
        }
    }
}

static bool is_inside(const Server *server, const char *path) {
    size_t length = server->workspace ? strlen(server->workspace) : 0;
    return length && strncmp(path, server->workspace, length) == 0 && path[length] == '/';
}

void workspace_show(Server *server, const char *path) {
    if (is_inside(server, path)) {
        add_closed(server, path);
    }
}

void workspace_refresh(Server *server) {
    for (size_t i = server->documents.count; server->workspace && i-- > 0;) {
        const Document *document = server->documents.items[i];
        Arena *arena = arena_create();
        FileText text;
        bool is_same =
            !document->is_closed ||
            (file_read(arena, document->path, &text) && text.length == document->lines.length &&
             memcmp(text.bytes, document->lines.bytes, text.length) == 0);
        arena_destroy(arena);
        if (!is_same) {
            remove_document(server, i);
        }
    }
    if (server->workspace) {
        look_through(server, server->workspace, 0);
    }
}
