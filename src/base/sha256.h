/* base/sha256.h - SHA-256 of FIPS 180-4. */
#ifndef FACET_BASE_SHA256_H
#define FACET_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct facet_sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes so far */
    uint8_t block[64];
} facet_sha256;

void facet_sha256_begin(facet_sha256 *hash);
void facet_sha256_add(facet_sha256 *hash, const void *bytes, size_t size);
void facet_sha256_end(facet_sha256 *hash, uint8_t digest[32]);

/* Write the digest of one run of bytes as 64 hexadecimal digits and a NUL. */
void facet_sha256_text(const void *bytes, size_t size, char text[65]);
/* Write the digest of a started hash likewise. */
void facet_sha256_end_text(facet_sha256 *hash, char text[65]);

#endif
