/* json_quote -- texts between quotes, as JSON has them. See json.h; this needs no library. */
#include "json.h"

#include <string.h>

static const char digits[] = "0123456789abcdef";

/* What follows the backslash for a byte that does not stand for itself; 0: it does, 'u': its
 * number. */
static char escape_of(uint8_t byte) {
    switch (byte) {
    case '"':
    case '\\': return (char)byte;
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    default: return byte < ' ' ? 'u' : '\0';
    }
}

static uint8_t *put_byte(uint8_t *to, uint8_t byte) {
    char escape = escape_of(byte);
    if (escape == '\0') {
        *to++ = byte;
        return to;
    }
    *to++ = '\\';
    *to++ = (uint8_t)escape;
    if (escape == 'u') {
        memcpy(to, "00", 2);
        to[2] = (uint8_t)digits[byte >> 4];
        to[3] = (uint8_t)digits[byte & 15];
        to += 4;
    }
    return to;
}

void occ_json_quote(const uint8_t *text, int32_t text_size, uint8_t *out, int32_t out_size,
                    int32_t at, int32_t *length) {
    uint8_t *to = out + at;
    (void)out_size;
    *to++ = '"';
    for (int32_t i = 0; i < text_size; i++) {
        to = put_byte(to, text[i]);
    }
    *to++ = '"';
    *length = (int32_t)(to - (out + at));
}
