/* interface -- see the header. */
#include "interface.h"

#include "digest.h"
#include "text.h"

#include <stdlib.h>

#define MAGIC "occ-interface 1 "

/* ---- writing ---- */

const char *interface_digest(Arena *arena, const void *bytes, size_t size) {
    Digest digest;
    char hex[DIGEST_HEX_LENGTH + 1];
    digest_begin(&digest);
    digest_add(&digest, bytes, size);
    digest_end(&digest, hex);
    return arena_format(arena, "%.*s", INTERFACE_DIGEST_LENGTH, hex);
}

/* What counts for the digest: not where objects lie, nor the text they were made from. */
static const char *digest_of(Arena *arena, const Interface *interface) {
    StringBuilder builder = {.arena = arena};
    string_append_format(&builder, "unit %s\n", interface->name);
    for (size_t i = 0; i < interface->uses.count; i++) {
        const InterfaceUse *use = &interface->uses.items[i];
        string_append_format(&builder, "use %s %s\n", use->name, use->digest);
    }
    for (size_t i = 0; i < interface->defines.count; i++) {
        string_append_format(&builder, "define %s\n", interface->defines.items[i]);
    }
    string_append(&builder, interface->text, interface->text_length);
    return interface_digest(arena, builder.bytes, builder.length);
}

const char *interface_encode(Arena *arena, Interface *interface, size_t *length) {
    StringBuilder builder = {.arena = arena};
    interface->digest = digest_of(arena, interface);
    string_append_format(&builder, MAGIC "%s\ncompiler %s\nmode %s\nunit %s\n", interface->digest,
                         interface->compiler, interface->mode, interface->name);
    if (interface->within) {
        string_append_format(&builder, "within %s\n", interface->within);
    }
    for (size_t i = 0; i < interface->sources.count; i++) {
        const InterfaceSource *source = &interface->sources.items[i];
        string_append_format(&builder, "source %s %s\n", source->digest, source->path);
    }
    for (size_t i = 0; i < interface->uses.count; i++) {
        const InterfaceUse *use = &interface->uses.items[i];
        string_append_format(&builder, "use %s %s %s\n", use->name, use->digest,
                             use->object ? use->object : "-");
    }
    for (size_t i = 0; i < interface->defines.count; i++) {
        string_append_format(&builder, "define %s\n", interface->defines.items[i]);
    }
    string_append_format(&builder, "text %zu\n", interface->text_length);
    string_append(&builder, interface->text, interface->text_length);
    string_append(&builder, "end\n", 4);
    *length = builder.length;
    return builder.bytes;
}

/* ---- reading ---- */

typedef struct Reader {
    Arena *arena;
    const char *at;
    const char *end;
} Reader;

/* The next line without its newline; NULL at the end or when it is cut. */
static const char *next_line(Reader *reader) {
    const char *newline = reader->at < reader->end
                              ? memchr(reader->at, '\n', (size_t)(reader->end - reader->at))
                              : NULL;
    if (!newline) {
        return NULL;
    }
    const char *line = arena_format(reader->arena, "%.*s", (int)(newline - reader->at), reader->at);
    reader->at = newline + 1;
    return line;
}

/* What follows the word and one blank; NULL when the line begins otherwise. */
static const char *after(const char *line, const char *word) {
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

/* Cut the first word off; NULL when there is none, or nothing behind it. */
static const char *take_word(Arena *arena, const char **rest) {
    const char *blank = strchr(*rest, ' ');
    if (!blank || blank == *rest || !blank[1]) {
        return NULL;
    }
    const char *word = arena_format(arena, "%.*s", (int)(blank - *rest), *rest);
    *rest = blank + 1;
    return word;
}

static bool take_text(Reader *reader, Interface *interface, const char *count) {
    char *stop = NULL;
    unsigned long length = strtoul(count, &stop, 10);
    if (*stop || length > (size_t)(reader->end - reader->at)) {
        return false;
    }
    interface->text = reader->at;
    interface->text_length = length;
    reader->at += length;
    const char *line = next_line(reader);
    return line && strcmp(line, "end") == 0;
}

/* One line of a record's head; false when it is wrong. */
static bool take_head_line(Reader *reader, Interface *interface, const char *line) {
    Arena *arena = reader->arena;
    const char *rest = NULL;
    if ((rest = after(line, "compiler"))) {
        interface->compiler = rest;
    } else if ((rest = after(line, "mode"))) {
        interface->mode = rest;
    } else if ((rest = after(line, "unit"))) {
        interface->name = rest;
    } else if ((rest = after(line, "within"))) {
        interface->within = rest;
    } else if ((rest = after(line, "source"))) {
        InterfaceSource source = {take_word(arena, &rest), rest};
        array_push(arena, &interface->sources, source);
        return source.digest != NULL;
    } else if ((rest = after(line, "use"))) {
        InterfaceUse use = {.name = take_word(arena, &rest)};
        use.digest = use.name ? take_word(arena, &rest) : NULL;
        use.object = strcmp(rest, "-") == 0 ? NULL : rest;
        array_push(arena, &interface->uses, use);
        return use.digest != NULL;
    } else if ((rest = after(line, "define"))) {
        array_push(arena, &interface->defines, rest);
    } else {
        return false;
    }
    return true;
}

static Interface *take_record(Reader *reader, const char *line) {
    Interface *interface = arena_new(reader->arena, Interface);
    interface->digest = line + strlen(MAGIC);
    while ((line = next_line(reader))) {
        const char *count = after(line, "text");
        if (count) {
            bool is_whole = interface->name && interface->compiler && interface->mode &&
                            take_text(reader, interface, count) &&
                            strcmp(digest_of(reader->arena, interface), interface->digest) == 0;
            return is_whole ? interface : NULL;
        }
        if (!take_head_line(reader, interface, line)) {
            return NULL;
        }
    }
    return NULL;
}

const char *interface_decode(Arena *arena, const char *bytes, size_t size, Interfaces *found) {
    Reader reader = {arena, bytes, bytes + size};
    const char *line = NULL;
    while (reader.at < reader.end) {
        line = next_line(&reader);
        if (!line || strncmp(line, "occ-interface ", strlen("occ-interface ")) != 0) {
            return "its interface is damaged";
        }
        if (strncmp(line, MAGIC, strlen(MAGIC)) != 0) {
            return "it was made by another version of occc";
        }
        Interface *interface = take_record(&reader, line);
        if (!interface) {
            return "its interface is damaged";
        }
        array_push(arena, found, interface);
    }
    return NULL;
}
