/* dependency -- packages that come from git.
 *
 * Owns:   occ.lock, which says the exact commit of each; getting that commit; copies in vendor/.
 * Leaves: what a package needs to manifest.h.
 * Holds:  a commit that the lock names is what is built, wherever its branch has gone; without an
 *         entry the revision is looked up once, and written there. A package in vendor/NAME goes
 *         before all; it has the commit in its file .commit, which must be that of the lock. What
 *         is fetched lies in build/packages and may be deleted. git itself does all that is about
 *         repositories. */
#ifndef OCCC_DEPENDENCY_H
#define OCCC_DEPENDENCY_H

#include "array.h"

#include <stdbool.h>

#define LOCK_NAME "occ.lock"

typedef struct GitPackage {
    const char *name;
    const char *url;
    const char *revision; /* NULL: what the repository shows first */
} GitPackage;
typedef ARRAY_OF(GitPackage) GitPackages;

/* dependency_folder -- where its files are, ending in a slash; NULL after a message. `root` is the
 * folder of the package that is built. */
const char *dependency_folder(Arena *arena, const char *root, const GitPackage *package);
/* dependency_look -- get a package that occ.toml does not name yet: its commit, and its own name
 * into package->name. NULL after a message. */
const char *dependency_look(Arena *arena, const char *root, GitPackage *package);
/* dependency_lock -- from now on that commit is built, unless the lock has another: false after a
 * message. */
bool dependency_lock(Arena *arena, const char *root, const GitPackage *package, const char *commit);
/* dependency_vendor_begin -- what is in vendor/ is not looked at until dependency_vendor_end, which
 * brings it back when copying has failed. */
void dependency_vendor_begin(Arena *arena, const char *root);
bool dependency_vendor_end(Arena *arena, const char *root, bool is_good);
/* dependency_vendor -- copy these, each as the lock has it, into vendor/: false after a message. */
bool dependency_vendor(Arena *arena, const char *root, const GitPackages *packages);

#endif
