/* reproducer -- see the header.
 *
 * Leaves: noticing a crash, and running the compiler again to come here, to frontend/crash.c.
 * Holds:  only the module's text is used here, since the module may be wrong anywhere. */
#define _POSIX_C_SOURCE 200809L

#include "reproducer.h"

#include "../frontend/base/version.h"
#include "emit_cache.h"
#include "llvm_compat.h"

#include <llvm-c/Analysis.h>

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMAND_BYTES (128 * 1024)

/* ---- the file ---- */

/* A word quoted for the shell. */
static void write_word(FILE *file, const char *word) {
    bool is_plain = word[0] != '\0';
    for (const char *c = word; *c; c++) {
        is_plain = is_plain && (isalnum((unsigned char)*c) || strchr("-_./=+,:@", *c));
    }
    if (is_plain) {
        fprintf(file, " %s", word);
        return;
    }
    fputs(" '", file);
    for (const char *c = word; *c; c++) {
        if (*c == '\'') {
            fputs("'\\''", file);
        } else {
            fputc(*c == '\n' ? ' ' : *c, file); /* in a comment of one line */
        }
    }
    fputc('\'', file);
}

/* /proc/<pid>/cmdline has the words one after the other, each with its NUL. */
static void write_command(Arena *arena, FILE *file, long pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
    FILE *words = fopen(path, "rb");
    char *all = arena_allocate(arena, COMMAND_BYTES);
    size_t size = words != NULL ? fread(all, 1, COMMAND_BYTES - 1, words) : 0;
    all[size] = '\0';
    for (size_t at = 0; at < size; at += strlen(all + at) + 1) {
        write_word(file, all + at);
    }
    if (words != NULL) {
        fclose(words);
    }
    fputc('\n', file);
}

static FILE *create_file(Arena *arena, char **path) {
    const char *folder = getenv("TMPDIR");
    *path = arena_format(arena, "%s/occc-XXXXXX.ll", folder && folder[0] ? folder : "/tmp");
    int descriptor = mkstemps(*path, (int)strlen(".ll"));
    return descriptor < 0 ? NULL : fdopen(descriptor, "w");
}

void reproducer_write(const Emitter *emitter, long pid, const char *note) {
    char *path;
    FILE *file = create_file(emitter->arena, &path);
    if (file == NULL) {
        fprintf(stderr, "No reproducer could be written to '%s'.\n", path);
        return;
    }
    fprintf(file, "; occc %s, LLVM %u: %s\n;", OCCC_VERSION, compat_llvm_version(), note);
    write_command(emitter->arena, file, pid);
    char *text = LLVMPrintModuleToString(emitter->module);
    fputs(text, file);
    LLVMDisposeMessage(text);
    bool is_written = !ferror(file);
    if (fclose(file) == 0 && is_written) {
        fprintf(stderr, "The command and the code are in '%s': please add that file.\n", path);
    }
}

/* ---- unsound modules ---- */

static LLVMValueRef unsound_function(LLVMModuleRef module) {
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function) && LLVMVerifyFunction(function, LLVMReturnStatusAction)) {
            return function;
        }
    }
    return NULL;
}

static const Node *node_of(const Emitter *emitter, LLVMValueRef function) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return name_map_find(&emitter->cache->routines, name, length);
}

/* "the code of 'p' (file.occ:12)" */
static const char *place_of(const Emitter *emitter, LLVMValueRef function) {
    if (function == NULL) {
        return "the code of the unit";
    }
    const char *name = LLVMGetValueName2(function, &(size_t){0});
    const Node *node = node_of(emitter, function);
    const SourceFile *file = node ? source_file(emitter->sources, node->at.file) : NULL;
    if (file == NULL) {
        return arena_format(emitter->arena, "the code of '%s'", name);
    }
    return arena_format(emitter->arena, "the code of '%s' (%s:%u)", name, file->path,
                        node->at.line);
}

void report_unsound(const Emitter *emitter, const char *after, const char *message) {
    const char *place = place_of(emitter, unsound_function(emitter->module));
    const char *pass = after ? arena_format(emitter->arena, " after '%s'", after) : "";
    const char *note = arena_format(emitter->arena, "%s is not sound%s", place, pass);
    reproducer_write(emitter, (long)getpid(), note);
    bug("%s: %s", note, message);
}

/* ---- on purpose ---- */

/* Add a block without a terminator to the last routine of the program. */
static void make_unsound(const Emitter *emitter) {
    LLVMValueRef function = LLVMGetLastFunction(emitter->module);
    while (function != NULL && node_of(emitter, function) == NULL) {
        function = LLVMGetPreviousFunction(function);
    }
    if (function != NULL) {
        LLVMAppendBasicBlockInContext(emitter->context, function, "broken");
    }
}

void fail_on_purpose(const Emitter *emitter) {
    switch (emitter->options->fault) {
    case FAULT_NONE: break;
    case FAULT_UNSOUND: make_unsound(emitter); break;
    case FAULT_GIVES_UP: compat_give_up("on purpose"); break;
    case FAULT_CRASH: raise(SIGSEGV); break;
    }
}
