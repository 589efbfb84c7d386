/* dependency -- see the header. */
#define _GNU_SOURCE

#include "dependency.h"

#include "child_pool.h"
#include "digest.h"
#include "driver.h"
#include "driver_file.h"
#include "file.h"
#include "folder.h"
#include "manifest.h"
#include "text_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMIT_LENGTH = 40 };

/* ---- other programs ---- */

typedef struct Program {
    const char *words[12]; /* the last is NULL */
    ChildResult result;
} Program;

static int run_child(void *context, size_t index) {
    const Program *program = context;
    (void)index;
    setenv("GIT_TERMINAL_PROMPT", "0", 1);
    execvp(program->words[0], (char *const *)(uintptr_t)program->words);
    fatal("cannot run '%s':", program->words[0]);
}

static void program_ended(void *context, size_t index, const ChildResult *result) {
    Program *program = context;
    (void)index;
    program->result = *result;
}

static bool run(Arena *arena, Program *program) {
    ChildWork work = {1, 1, 0, program, run_child, program_ended};
    child_pool_run(arena, &work);
    return program->result.status == 0;
}

static bool report(const Program *program, const GitPackage *package, const char *what) {
    driver_error("cannot %s '%s'", what, package->url);
    fputs(program->result.text, stderr);
    return false;
}

/* ---- the lock ---- */

static const char *lock_path(Arena *arena, const char *root) {
    return arena_format(arena, "%s" LOCK_NAME, root);
}

static const char *text_at(const TomlValue *table, const char *key) {
    const TomlValue *value = toml_find(table, key);
    return value && value->kind == TOML_TEXT ? value->text : "";
}

static bool is_commit(const char *text) {
    return strlen(text) == COMMIT_LENGTH && strspn(text, "0123456789abcdef") == COMMIT_LENGTH;
}

/* The list of packages; NULL: there is none. *is_good: it could be read. */
static const TomlValue *read_lock(Arena *arena, const char *root, bool *is_good) {
    const char *path = lock_path(arena, root);
    *is_good = true;
    if (access(path, F_OK) != 0) {
        return NULL;
    }
    const TomlValue *lock = toml_read(arena, path);
    *is_good = lock != NULL;
    const TomlValue *list = toml_find(lock, "package");
    for (size_t i = 0; list && i < list->parts.count; i++) {
        if (!is_commit(text_at(list->parts.items[i], "commit"))) {
            toml_error(path, list->parts.items[i]->line, 1, "delete this entry to look it up again",
                       "'commit' is no commit");
            *is_good = false;
        }
    }
    return list;
}

/* NULL: the lock has no entry for it. */
static const char *locked_commit(const TomlValue *list, const GitPackage *package) {
    for (size_t i = 0; list && i < list->parts.count; i++) {
        const TomlValue *entry = list->parts.items[i];
        if (strcmp(text_at(entry, "git"), package->url) == 0 &&
            strcmp(text_at(entry, "rev"), package->revision ? package->revision : "") == 0) {
            return text_at(entry, "commit");
        }
    }
    return NULL;
}

bool dependency_lock(Arena *arena, const char *root, const GitPackage *package,
                     const char *commit) {
    bool is_good;
    if (locked_commit(read_lock(arena, root, &is_good), package) || !is_good) {
        return is_good;
    }
    const char *path = lock_path(arena, root);
    FileText before = {.bytes = NULL};
    bool is_there = access(path, F_OK) == 0 && file_read(arena, path, &before);
    TextBuilder text = {.arena = arena};
    text_add(&text, "%s",
             is_there ? before.bytes
                      : "# Written by occc: the exact commit of each package. Keep it "
                        "with the sources.\n");
    text_add(&text, "\n[[package]]\nname = \"%s\"\ngit = \"%s\"\n", package->name, package->url);
    if (package->revision) {
        text_add(&text, "rev = \"%s\"\n", package->revision);
    }
    text_add(&text, "commit = \"%s\"\n", commit);
    return file_publish(arena, path, text.items, text.count);
}

/* ---- getting a commit ---- */

/* What a name of files can be made from. */
static const char *short_digest(Arena *arena, const char *text) {
    Digest digest;
    char hex[DIGEST_HEX_LENGTH + 1];
    digest_begin(&digest);
    digest_add_string(&digest, text);
    digest_end(&digest, hex);
    return arena_format(arena, "%.12s", hex);
}

static bool clone(Arena *arena, const GitPackage *package, const char *folder) {
    Program git = {
        .words = {"git", "clone", "--quiet", "--no-checkout", "--", package->url, folder, NULL}};
    return run(arena, &git) || report(&git, package, "clone");
}

/* The commit that the revision is in the repository; NULL after a message. */
static const char *look_up(Arena *arena, const GitPackage *package, const char *folder) {
    const char *revision = package->revision ? package->revision : "HEAD";
    Program git = {.words = {NULL}};
    for (size_t i = 0; i < 2; i++) { /* a branch is what it is there, not here */
        const char *name = i == 0 ? arena_format(arena, "origin/%s^{commit}", revision)
                                  : arena_format(arena, "%s^{commit}", revision);
        git = (Program){.words = {"git", "-C", folder, "rev-parse", "--verify", "--quiet",
                                  "--end-of-options", name, NULL}};
        if (run(arena, &git)) {
            const char *commit = arena_format(arena, "%.*s", COMMIT_LENGTH, git.result.text);
            return is_commit(commit) ? commit : NULL;
        }
    }
    driver_error("there is no revision '%s' in '%s'", revision, package->url);
    return NULL;
}

static bool check_out(Arena *arena, const GitPackage *package, const char *folder,
                      const char *commit) {
    Program git = {.words = {"git", "-C", folder, "checkout", "--quiet", "--detach", commit, NULL}};
    return run(arena, &git) || report(&git, package, "check out a commit of");
}

static void remove_folder(Arena *arena, const char *folder) {
    Program rm = {.words = {"rm", "-rf", "--", folder, NULL}};
    run(arena, &rm);
}

static const char *packages_folder(Arena *arena, const char *root) {
    return arena_format(arena, "%sbuild/packages", root);
}

static const char *folder_of_commit(Arena *arena, const char *root, const GitPackage *package,
                                    const char *commit) {
    return arena_format(arena, "%s/%s-%.12s", packages_folder(arena, root),
                        short_digest(arena, package->url), commit);
}

/* Into a folder of its own first: what is there under its name is whole. */
static const char *fetch(Arena *arena, const char *root, const GitPackage *package,
                         const char **commit) {
    char *beside = arena_format(arena, "%s/new-XXXXXX", packages_folder(arena, root));
    folder_make(arena, packages_folder(arena, root));
    if (!mkdtemp(beside)) {
        fatal("cannot make a folder, '%s':", beside);
    }
    const char *folder = NULL;
    if (clone(arena, package, beside)) {
        *commit = *commit ? *commit : look_up(arena, package, beside);
        if (*commit && check_out(arena, package, beside, *commit)) {
            folder = folder_of_commit(arena, root, package, *commit);
            if (rename(beside, folder) != 0 && access(folder, F_OK) != 0) {
                fatal("cannot rename '%s':", beside);
            }
        }
    }
    remove_folder(arena, beside); /* it is gone when all went well */
    return folder;
}

/* The folder with that commit, got when it is not there; NULL after a message. */
static const char *folder_with(Arena *arena, const char *root, const GitPackage *package,
                               const char **commit) {
    const char *folder = *commit ? folder_of_commit(arena, root, package, *commit) : NULL;
    return folder && access(folder, F_OK) == 0 ? folder : fetch(arena, root, package, commit);
}

/* ---- vendor/ ---- */

static const char *vendor_folder(Arena *arena, const char *root, const char *name) {
    return arena_format(arena, "%svendor/%s", root, name);
}

/* The folder, when there is one: NULL with *is_good false when it is of another commit. */
static const char *find_vendored(Arena *arena, const char *root, const GitPackage *package,
                                 const char *commit, bool *is_good) {
    const char *folder = vendor_folder(arena, root, package->name);
    FileText text;
    if (access(folder, F_OK) != 0) {
        return NULL;
    }
    bool has_commit = file_read(arena, arena_format(arena, "%s/.commit", folder), &text);
    *is_good = has_commit && commit && strncmp(text.bytes, commit, COMMIT_LENGTH) == 0;
    if (!*is_good) {
        driver_error("'%s' is not of the commit in " LOCK_NAME "; 'occc add --vendor' copies that",
                     folder);
        return NULL;
    }
    return arena_format(arena, "%s/", folder);
}

/* ---- from outside ---- */

const char *dependency_folder(Arena *arena, const char *root, const GitPackage *package) {
    bool is_good;
    const TomlValue *lock = read_lock(arena, root, &is_good);
    if (!is_good) {
        return NULL;
    }
    const char *commit = locked_commit(lock, package);
    const char *vendored = find_vendored(arena, root, package, commit, &is_good);
    if (vendored || !is_good) {
        return vendored;
    }
    const char *folder = folder_with(arena, root, package, &commit);
    if (!folder || !dependency_lock(arena, root, package, commit)) {
        return NULL;
    }
    return arena_format(arena, "%s/", folder);
}

const char *dependency_look(Arena *arena, const char *root, GitPackage *package) {
    bool is_good;
    const char *commit = locked_commit(read_lock(arena, root, &is_good), package);
    const char *folder = is_good ? folder_with(arena, root, package, &commit) : NULL;
    if (!folder) {
        return NULL;
    }
    const char *path = arena_format(arena, "%s/" MANIFEST_NAME, folder);
    if (access(path, R_OK) != 0) {
        driver_error("there is no " MANIFEST_NAME " in '%s'", package->url);
        return NULL;
    }
    const TomlValue *manifest = toml_read(arena, path);
    package->name = text_at(toml_find(manifest, "package"), "name");
    if (!*package->name) {
        driver_error("the package in '%s' has no name", package->url);
        return NULL;
    }
    return commit;
}

static bool vendor_one(Arena *arena, const char *root, const GitPackage *package) {
    bool is_good;
    const char *commit = locked_commit(read_lock(arena, root, &is_good), package);
    const char *from = folder_with(arena, root, package, &commit);
    if (!is_good || !from) {
        return false;
    }
    const char *to = vendor_folder(arena, root, package->name);
    folder_make(arena, arena_format(arena, "%svendor", root));
    remove_folder(arena, to);
    Program copy = {.words = {"cp", "-R", "--", from, to, NULL}};
    if (!run(arena, &copy)) {
        return report(&copy, package, "copy");
    }
    remove_folder(arena, arena_format(arena, "%s/.git", to));
    const char *line = arena_format(arena, "%s\n", commit);
    const char *path = arena_format(arena, "%s/.commit", to);
    if (!file_write(path, line, strlen(line))) {
        fatal("cannot write '%s':", path);
    }
    printf("%s: commit %.12s\n", to, commit);
    return true;
}

bool dependency_vendor(Arena *arena, const char *root, const GitPackages *packages) {
    for (size_t i = 0; i < packages->count; i++) {
        if (!vendor_one(arena, root, &packages->items[i])) {
            return false;
        }
    }
    return true;
}

static const char *vendor_aside(Arena *arena, const char *root) {
    return arena_format(arena, "%s/vendor-before", packages_folder(arena, root));
}

static void move_if_there(const char *from, const char *to) {
    if (access(from, F_OK) == 0 && rename(from, to) != 0) {
        fatal("cannot rename '%s':", from);
    }
}

void dependency_vendor_begin(Arena *arena, const char *root) {
    folder_make(arena, packages_folder(arena, root));
    remove_folder(arena, vendor_aside(arena, root));
    move_if_there(arena_format(arena, "%svendor", root), vendor_aside(arena, root));
}

bool dependency_vendor_end(Arena *arena, const char *root, bool is_good) {
    if (is_good) {
        remove_folder(arena, vendor_aside(arena, root));
    } else {
        const char *vendor = arena_format(arena, "%svendor", root);
        remove_folder(arena, vendor);
        move_if_there(vendor_aside(arena, root), vendor);
    }
    return is_good;
}
