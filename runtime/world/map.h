/* map -- what module map asks of C: the hash of a key (stdlib/maplib.occ).
 *
 * Holds: keyed, with a secret seed, so that nobody can send keys that all collide. */
#ifndef RT_MAP_H
#define RT_MAP_H

#include <stdint.h>

int64_t occ_map_seed(void);
int32_t occ_map_hash(const uint8_t *key, int32_t size, int64_t seed);

#endif
