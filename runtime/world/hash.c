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

int64_t occ_hash_begin(int32_t kind) {
    const EVP_MD *made_by = digest_of(kind);
    EVP_MD_CTX *context = made_by == NULL ? NULL : EVP_MD_CTX_new();
    if (context != NULL && EVP_DigestInit_ex(context, made_by, NULL) != 1) {
        EVP_MD_CTX_free(context);
        context = NULL;
    }
    ERR_clear_error();
    return (int64_t)(intptr_t)context;
}

void occ_hash_add(int64_t state, const uint8_t *data, int32_t size) {
    EVP_MD_CTX *context = (EVP_MD_CTX *)(intptr_t)state;
    if (context != NULL) {
        (void)EVP_DigestUpdate(context, data, (size_t)size);
    }
}

void occ_hash_end(int64_t state, uint8_t *digest, int32_t capacity, int32_t *length) {
    EVP_MD_CTX *context = (EVP_MD_CTX *)(intptr_t)state;
    unsigned int count = 0;
    if (context != NULL && EVP_MD_CTX_get_size(context) <= capacity &&
        EVP_DigestFinal_ex(context, digest, &count) != 1) {
        count = 0;
    }
    EVP_MD_CTX_free(context);
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
