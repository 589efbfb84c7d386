/* digest -- the test values of FIPS 180-4. */
#include "digest.h"

#include <assert.h>
#include <string.h>

static void check(const char *text, size_t times, const char *expected) {
    Digest digest;
    digest_begin(&digest);
    for (size_t i = 0; i < times; i++) {
        digest_add(&digest, text, strlen(text));
    }
    char hex[DIGEST_HEX_LENGTH + 1];
    digest_end(&digest, hex);
    assert(strcmp(hex, expected) == 0);
}

static void test_digest__has_the_standard_values(void) {
    check("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check("aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void test_digest__keeps_neighbours_apart(void) {
    char hex[3][DIGEST_HEX_LENGTH + 1];
    const char *pairs[3][2] = {{"ab", "c"}, {"a", "bc"}, {"abc", NULL}};
    for (int i = 0; i < 3; i++) {
        Digest digest;
        digest_begin(&digest);
        digest_add_string(&digest, pairs[i][0]);
        digest_add_string(&digest, pairs[i][1]);
        digest_end(&digest, hex[i]);
    }
    assert(strcmp(hex[0], hex[1]) != 0 && strcmp(hex[1], hex[2]) != 0);
}

int main(void) {
    test_digest__has_the_standard_values();
    test_digest__keeps_neighbours_apart();
    return 0;
}
