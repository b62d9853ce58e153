/* fuzz/structure.h - functions shared by the structure-aware mutators. */
#ifndef FACET_FUZZ_STRUCTURE_H
#define FACET_FUZZ_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next random number, 24 bits. */
uint32_t structure_next(uint32_t *random);

/* Change some of `size` bytes in place; `size` is at least 1. Tables of offsets stay valid, because
 * nothing moves. */
void structure_change_window(uint8_t *data, size_t size, uint32_t *random);

/* IQM (structure_iqm.c): add, remove and change records, and correct offsets. Returns the new size,
 * or 0 if the file cannot be changed this way. */
bool structure_is_iqm(const uint8_t *data, size_t size);
size_t structure_change_iqm(uint8_t *data, size_t size, size_t most, uint32_t *random);

#endif
