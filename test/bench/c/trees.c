/* trees: the twin of trees.occ, with malloc and free. */
#include "bench.h"

#include <stdlib.h>

enum { MAX = 18 };

typedef struct Node {
    struct Node *left, *right;
    int key;
} Node;

static Node *build(int depth) {
    Node *n = malloc(sizeof *n);
    n->key = depth;
    n->left = n->right = NULL;
    if (depth > 0) {
        n->left = build(depth - 1);
        n->right = build(depth - 1);
    }
    return n;
}

static int count(const Node *n) {
    return n ? count(n->left) + count(n->right) + 1 : 0;
}

static void drop(Node *n) {
    if (n) {
        drop(n->left);
        drop(n->right);
        free(n);
    }
}

int main(void) {
    long began = now_us();
    Node *longest = build(MAX);
    int total = 0;
    for (int depth = 4; depth <= MAX; depth += 2) {
        for (int i = 0; i < 1 << (MAX - depth + 2); i++) {
            Node *n = build(depth);
            total += count(n);
            drop(n);
        }
    }
    total += count(longest);
    drop(longest);
    result("trees", now_us() - began, total);
    printf("CHECK %d\n", total);
    return 0;
}
