/* digest -- SHA-256 (FIPS 180-4) of what goes into a cache key. */
#ifndef OCCC_DIGEST_H
#define OCCC_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_HEX_LENGTH 64

typedef struct Digest {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    uint8_t block[64];
} Digest;

void digest_begin(Digest *digest);
void digest_add(Digest *digest, const void *bytes, size_t size);
/* digest_add_string -- with its length, so that neighbours cannot flow together; NULL is a value
 * of its own. */
void digest_add_string(Digest *digest, const char *string);
void digest_add_number(Digest *digest, uint64_t number);
/* digest_add_strings -- and how many there are. */
void digest_add_strings(Digest *digest, const char *const *strings, size_t count);
/* digest_add_file -- what tells that a file has changed: its size and when it was written. */
void digest_add_file(Digest *digest, const char *path);
/* digest_end -- as hexadecimal digits. */
void digest_end(Digest *digest, char hex[DIGEST_HEX_LENGTH + 1]);

#endif
