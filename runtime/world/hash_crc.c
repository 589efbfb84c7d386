/* hash_crc -- CRC-32 as gzip and Ethernet have it (reflected, polynomial 04C11DB7), four bits at a
 * time. See hash.h. */
#include "hash.h"

/* What the lowest four bits add when they are shifted out. */
static const uint32_t steps[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

int32_t occ_hash_crc(int32_t before, const uint8_t *data, int32_t size) {
    uint32_t crc = ~(uint32_t)before;
    for (int32_t i = 0; i < size; i++) {
        crc ^= data[i];
        crc = (crc >> 4) ^ steps[crc & 15];
        crc = (crc >> 4) ^ steps[crc & 15];
    }
    return (int32_t)~crc;
}
