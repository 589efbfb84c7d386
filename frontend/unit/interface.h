/* interface -- what other units may know of a unit, as it travels in its object.
 *
 * Owns:   the form of the section .occ.interface, and the record of one unit.
 * Leaves: finding units to unit.h, their text to interface_text.c, objects to object_section.h.
 * Holds:  the section is text, so that `readelf -p .occ.interface` shows it; one section may hold
 *         several units (`ld -r`, or units that were compiled from source into another's object).
 *
 *   occ-interface 1 <digest of what follows, but for sources and places>
 *   compiler <version>
 *   mode halt|stop                       -fstop-mode
 *   unit <name>
 *   within <name>                        it was compiled from source into that unit's object
 *   source <digest> <path>               the unit's file, then those it includes
 *   use <name> <digest> <object>         units it uses; object "-": in this object, too
 *   define <name> [<value>]              names it leaves defined
 *   text <bytes>
 *   <declarations of occam; bodies that stay in the object are #BODY lines (interface_text.h)>
 *   end
 *
 * The digest changes with anything another unit could notice, and with nothing else. */
#ifndef OCCC_INTERFACE_H
#define OCCC_INTERFACE_H

#include "array.h"
#include "source.h"

#include <stdbool.h>

#define INTERFACE_SECTION       ".occ.interface"
#define INTERFACE_DIGEST_LENGTH 16

typedef struct InterfaceSource {
    const char *digest;
    const char *path;
} InterfaceSource;

typedef struct InterfaceUse {
    const char *name;
    const char *digest;
    const char *object; /* as it was found; NULL: in the same object */
} InterfaceUse;

typedef struct Interface {
    const char *digest;
    const char *compiler;
    const char *name;
    const char *mode;   /* what an error does */
    const char *within; /* NULL: an object of its own */
    ARRAY_OF(InterfaceSource) sources;
    ARRAY_OF(InterfaceUse) uses;
    ARRAY_OF(const char *) defines; /* name, or name and value */
    const char *text;
    size_t text_length;
} Interface;

typedef ARRAY_OF(Interface *) Interfaces;

/* interface_encode -- sets the digest; the record's text. */
const char *interface_encode(Arena *arena, Interface *interface, size_t *length);
/* interface_decode -- add the units of a section; NULL, or what is wrong with it. */
const char *interface_decode(Arena *arena, const char *bytes, size_t size, Interfaces *found);
/* interface_digest -- of any bytes, in the length used here. */
const char *interface_digest(Arena *arena, const void *bytes, size_t size);

#endif
