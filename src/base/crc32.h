/* base/crc32.h - the checksum of ISO 3309, as in zlib and PNG. */
#ifndef FACET_BASE_CRC32_H
#define FACET_BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Continue a checksum. The initial value is 0. */
#ifdef FACET_HAVE_DEFLATE_CRC32
#include <libdeflate.h>
#define facet_crc32 libdeflate_crc32
#else
uint32_t facet_crc32(uint32_t crc, const void *data, size_t size);
#endif

#endif
