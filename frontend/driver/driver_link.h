/* driver_link -- what is linked: the inputs of the command line in their order, and the objects of
 * the units that they and the sources use. */
#ifndef OCCC_DRIVER_LINK_H
#define OCCC_DRIVER_LINK_H

#include "backend.h"
#include "options.h"
#include "unit.h"

typedef struct LinkRequest {
    const Options *options;
    const Installation *installation;
    UnitTable *units;
    const char *made; /* stands for the sources; NULL: there are none */
    const char *output;
    bool has_programs; /* several, of which OCC_TEST names one when it runs */
} LinkRequest;

/* driver_link -- exit status, after a message. */
int driver_link(Arena *arena, const LinkRequest *request);
/* units_of_options -- where #USE looks, by the command line. */
UnitTable *units_of_options(Arena *arena, const Options *options, const Installation *installation);
/* units_has_input -- it is an object or library with units. */
bool units_has_input(UnitTable *units, const Options *options, const Input *input);

#endif
