/* fuzz/structure.h - what the files of structure-aware mutation share. */
#ifndef FACET_FUZZ_STRUCTURE_H
#define FACET_FUZZ_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next number of 24 bits. */
uint32_t structure_next(uint32_t *random);

/* Change some of `size` bytes, at least 1, in their place. Tables of offsets stay valid when
 * nothing moves. */
void structure_change_window(uint8_t *data, size_t size, uint32_t *random);

/* IQM (structure_iqm.c): records are added, removed and changed, and offsets are corrected. Returns
 * the new size, 0 when the file could not be changed in this way. */
bool structure_is_iqm(const uint8_t *data, size_t size);
size_t structure_change_iqm(uint8_t *data, size_t size, size_t most, uint32_t *random);

#endif
