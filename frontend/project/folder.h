/* folder -- what is in folders, and making them. */
#ifndef OCCC_FOLDER_H
#define OCCC_FOLDER_H

#include "options.h"

/* folder_names -- what is in it, hidden files left out, in the order of names. */
Words folder_names(Arena *arena, const char *path);
/* folder_make -- and those it lies in. Fatal when it cannot be. */
void folder_make(Arena *arena, const char *path);

#endif
