/* form -- what a data type is made of, with the names of its fields: a constant made by the
 * compiler for a variable given to a formal ANY (codegen/mobile/mobile_form.c), or made at the call
 * for an array whose size is known only at run time.
 *
 * Holds:  fields whose types cannot be described by a Form are left out. Types that contain
 *         themselves lead to themselves. */
#ifndef RT_FORM_H
#define RT_FORM_H

#include <stdint.h>

#define FORM_OPEN UINT64_MAX /* elements: the count is in the surrounding mobile object */

struct Form;

typedef struct FormField {
    const char *name;
    const struct Form *form;
    uint64_t offset;
} FormField;

typedef struct Form {
    uint32_t kind;           /* FORM_... of layout.def */
    uint32_t header;         /* MOBILE: bytes of the object before its contents */
    uint64_t bytes;          /* of a variable; open: 0 */
    uint64_t count;          /* of elements, of fields */
    const struct Form *part; /* of an element, of the contents */
    FormField fields[];
} Form;

/* Any -- what a formal ANY is given. */
typedef struct Any {
    void *at;
    const Form *form;
} Any;

#endif
