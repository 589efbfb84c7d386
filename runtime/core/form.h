/* form -- what a data type is made of, by the names of its fields: a constant that the compiler makes
 * for a variable that is given to a formal ANY (codegen/mobile/mobile_form.c); that of an array whose
 * size is known at run time is made at the call.
 *
 * Holds:  a field whose type has no name a Form could lead to is none of all_data: it is not here.
 *         Types that contain themselves lead to themselves. */
#ifndef RT_FORM_H
#define RT_FORM_H

#include <stdint.h>

#define FORM_OPEN UINT64_MAX /* elements: the object of the mobile round it knows */

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
