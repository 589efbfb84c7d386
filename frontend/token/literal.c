/* literal -- numbers and escapes. */
#include "literal.h"

bool literal_decimal(const char *digits, size_t length, uint64_t *value) {
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        uint64_t digit = (uint64_t)(digits[i] - '0');
        if (sum > (UINT64_MAX - digit) / 10) {
            return false;
        }
        sum = sum * 10 + digit;
    }
    *value = sum;
    return true;
}

/* -1 when the character is no hexadecimal digit of either case. */
static int hex_digit(char character) {
    if (character >= '0' && character <= '9') {
        return character - '0';
    }
    if (character >= 'A' && character <= 'F') {
        return character - 'A' + 10;
    }
    if (character >= 'a' && character <= 'f') {
        return character - 'a' + 10;
    }
    return -1;
}

bool literal_hex(const char *digits, size_t length, uint64_t *value) {
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        if (sum >> 60) {
            return false;
        }
        sum = (sum << 4) | (uint64_t)hex_digit(digits[i]);
    }
    *value = sum;
    return true;
}

static int escaped_character(char letter) {
    switch (letter) {
    case 'c':
    case 'C': return '\r';
    case 'n':
    case 'N': return '\n';
    case 't':
    case 'T': return '\t';
    case 's':
    case 'S': return ' ';
    case '\'':
    case '"':
    case '*': return letter;
    default: return -1;
    }
}

static void append_byte(StringBuilder *bytes, int value) {
    char byte = (char)value;
    string_append(bytes, &byte, 1);
}

/* raw[0] is the # of *#hh; the number of characters taken after it goes to *taken. */
static LiteralFault decode_hex(const char *raw, size_t length, StringBuilder *bytes,
                               size_t *taken) {
    int high = length > 1 ? hex_digit(raw[1]) : -1;
    int low = length > 2 ? hex_digit(raw[2]) : -1;
    if (high < 0 || low < 0) {
        *taken = high < 0 ? 0 : 1;
        return LITERAL_INCOMPLETE_HEX;
    }
    *taken = 2;
    append_byte(bytes, high * 16 + low);
    return raw[1] >= 'a' || raw[2] >= 'a' ? LITERAL_LOWER_CASE_HEX : LITERAL_GOOD;
}

static void note_fault(LiteralFault *first, size_t *where, LiteralFault fault, size_t offset) {
    if (*first == LITERAL_GOOD && fault != LITERAL_GOOD) {
        *first = fault;
        *where = offset;
    }
}

LiteralFault literal_decode(const char *raw, size_t length, bool is_string, StringBuilder *bytes,
                            size_t *where) {
    LiteralFault fault = LITERAL_GOOD;
    bool has_length_byte = false;
    for (size_t i = 0; i < length; i++) {
        if (raw[i] != '*' || i + 1 == length) {
            append_byte(bytes, raw[i]);
            continue;
        }
        size_t escape = i++;
        if (raw[i] == '#') {
            size_t taken = 0;
            note_fault(&fault, where, decode_hex(raw + i, length - i, bytes, &taken), escape);
            i += taken;
        } else if ((raw[i] == 'l' || raw[i] == 'L') && is_string) {
            has_length_byte = has_length_byte || escape == 0;
            if (escape != 0) {
                note_fault(&fault, where, LITERAL_MISPLACED_LENGTH, escape);
            }
            append_byte(bytes, 0);
        } else if (escaped_character(raw[i]) >= 0) {
            append_byte(bytes, escaped_character(raw[i]));
        } else {
            note_fault(&fault, where, LITERAL_UNKNOWN_ESCAPE, escape);
        }
    }
    if (has_length_byte) {
        bytes->bytes[0] = (char)(bytes->length - 1);
    }
    return fault;
}
