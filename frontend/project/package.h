/* package -- `occc build`: the programs and the library of a package.
 *
 * Owns:   the order: manifests, units, objects, programs; what is said of it.
 * Leaves: which objects are good to package_unit.h, compiling and linking to driver.h.
 * Holds:  a unit is compiled by a child process as `occc -c` would do it, units that do not need
 *         each other at once. Objects lie in build/objects/KEY, where KEY is of the compiler and
 *         its options, programs in build/bin, the library in build/lib. Exit status as the
 *         compiler's. */
#ifndef OCCC_PACKAGE_H
#define OCCC_PACKAGE_H

#include "options.h"

int package_build(Arena *arena, const Options *options);

#endif
