/* host_name -- texts of the library as C wants them: with a zero byte at the end.
 *
 * Holds: nothing is allocated; a name that does not fit is refused, a text is cut. */
#ifndef RT_HOST_NAME_H
#define RT_HOST_NAME_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { HOST_NAME_BYTES = 4096 };

typedef struct HostName {
    char text[HOST_NAME_BYTES];
} HostName;

/* A name ends at its first zero byte, as programs of the field pad theirs. */
static inline bool host_name_set(HostName *name, const uint8_t *bytes, int32_t size) {
    size_t length = strnlen((const char *)bytes, (size_t)size);
    if (length >= sizeof name->text) {
        return false;
    }
    memcpy(name->text, bytes, length);
    name->text[length] = '\0';
    return true;
}

/* As much of the text as there is room for; its whole length. */
static inline int32_t host_text_give(const char *text, uint8_t *bytes, int32_t size) {
    size_t length = strlen(text);
    size_t room = (size_t)size;
    memcpy(bytes, text, length < room ? length : room);
    return (int32_t)length;
}

#endif
