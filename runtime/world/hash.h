/* hash -- what module hash asks: C functions that its units name with #PRAGMA EXTERNAL.
 *
 * Owns:   digests, over OpenSSL's libcrypto; CRC-32 is hash_crc.c's, which needs no library.
 * Holds:  nothing waits. Conventions: decision 0011. */
#ifndef RT_HASH_H
#define RT_HASH_H

#include <stdint.h>

enum { HASH_SHA256, HASH_SHA1, HASH_MD5 };

/* *length: the size of the digest in bytes; 0: this libcrypto refuses it. */
void occ_hash_digest(int32_t kind, const uint8_t *data, int32_t size, uint8_t *digest,
                     int32_t capacity, int32_t *length);
/* The same for bytes that come in pieces: `state` is valid from begin to end; 0: none. */
int64_t occ_hash_begin(int32_t kind);
void occ_hash_add(int64_t state, const uint8_t *data, int32_t size);
void occ_hash_end(int64_t state, uint8_t *digest, int32_t capacity, int32_t *length);
/* The same with a key (HMAC). */
void occ_hash_keyed(int32_t kind, const uint8_t *key, int32_t key_size, const uint8_t *data,
                    int32_t size, uint8_t *digest, int32_t capacity, int32_t *length);
/* before: the result for the bytes before these; 0 at first. */
int32_t occ_hash_crc(int32_t before, const uint8_t *data, int32_t size);

#endif
