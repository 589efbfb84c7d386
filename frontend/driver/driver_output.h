/* driver_output -- the files that a run writes.
 *
 * Owns:   their names; that none is written twice, and none is one that was read.
 * Leaves: writing them to driver_file.h. */
#ifndef OCCC_DRIVER_OUTPUT_H
#define OCCC_DRIVER_OUTPUT_H

#include "driver.h"

/* output_kind -- what -S, -c and -emit-llvm ask for. */
CodegenOutput output_kind(const Options *options);
/* output_default -- where output of that kind goes when no -o says so. */
const char *output_default(Arena *arena, const char *source, CodegenOutput output);
/* output_of_unit, output_of_program -- where the output goes. */
const char *output_of_unit(Arena *arena, const Options *options, const char *source);
const char *output_of_program(const Options *options);

/* outputs_are_apart -- before anything is read: no output is an input of the command line, or that
 * of another input; false after a message. */
bool outputs_are_apart(Arena *arena, const Options *options);
/* output_is_unread -- when the unit has been read: neither is it a file that it includes or uses;
 * false after a message. */
bool output_is_unread(const Unit *unit, const char *path);

#endif
