/* manifest -- occ.toml: what a package is made of.
 *
 *   [package]
 *   name = "tally"
 *   version = "0.1.0"
 *
 *   [[program]]                      # any number of programs
 *   name = "tally"
 *   main = "src/main.occ"
 *
 *   [library]                        # at most one: build/lib/libNAME.a
 *   name = "tally"
 *
 *   [build]
 *   sources = ["src"]                # folders of units; "src" when it is not said
 *   options = ["-O2"]                # of the compiler
 *   libraries = ["m"]                # of C: -lm
 *
 *   [dependencies]
 *   words = { path = "../words" }
 *   lines = { git = "https://example.org/lines.git", rev = "v1.2" }
 *
 * Owns:   which keys there are, what they may be; packages that packages depend on.
 * Leaves: the form of the file to toml.h.
 * Holds:  paths are given as they are seen from the folder in which the command runs. A key that
 *         is not known is an error: a word that is misspelt must not be silent. */
#ifndef OCCC_MANIFEST_H
#define OCCC_MANIFEST_H

#include "dependency.h"
#include "options.h"
#include "toml.h"

#define MANIFEST_NAME "occ.toml"

typedef struct ManifestProgram {
    const char *name;
    const char *main;
} ManifestProgram;

typedef struct Manifest {
    const char *root;   /* of the package that is built */
    const char *folder; /* "" or ending in a slash */
    const char *path;
    const char *name;
    const char *version;
    ARRAY_OF(ManifestProgram) programs;
    const char *library; /* NULL: none */
    Words sources;
    Words options;
    Words libraries;
    Words dependencies; /* their folders */
    GitPackages repositories;
} Manifest;

/* manifest_find -- the folder of the package that this folder is in, "" or ending in a slash; NULL:
 * there is none. */
const char *manifest_find(Arena *arena);
/* manifest_read -- of the package in a folder; NULL after a message. `root`: the folder of the one
 * that is built. */
Manifest *manifest_read(Arena *arena, const char *root, const char *folder);

typedef ARRAY_OF(Manifest *) Manifests;
/* manifest_read_all -- that, and all that it depends on, each once, the first first. */
bool manifest_read_all(Arena *arena, const char *folder, Manifests *manifests);

#endif
