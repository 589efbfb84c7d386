/* hash -- digests. See hash.h. */
#include "hash.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

static const EVP_MD *digest_of(int32_t kind) {
    switch (kind) {
    case HASH_SHA256: return EVP_sha256();
    case HASH_SHA1: return EVP_sha1();
    case HASH_MD5: return EVP_md5();
    default: return NULL;
    }
}

void occ_hash_digest(int32_t kind, const uint8_t *data, int32_t size, uint8_t *digest,
                     int32_t capacity, int32_t *length) {
    const EVP_MD *made_by = digest_of(kind);
    unsigned int count = 0;
    if (made_by == NULL || EVP_MD_get_size(made_by) > capacity ||
        EVP_Digest(data, (size_t)size, digest, &count, made_by, NULL) != 1) {
        count = 0;
    }
    ERR_clear_error();
    *length = (int32_t)count;
}

void occ_hash_keyed(int32_t kind, const uint8_t *key, int32_t key_size, const uint8_t *data,
                    int32_t size, uint8_t *digest, int32_t capacity, int32_t *length) {
    const EVP_MD *made_by = digest_of(kind);
    unsigned int count = 0;
    if (made_by == NULL || EVP_MD_get_size(made_by) > capacity ||
        HMAC(made_by, key, key_size, data, (size_t)size, digest, &count) == NULL) {
        count = 0;
    }
    ERR_clear_error();
    *length = (int32_t)count;
}
