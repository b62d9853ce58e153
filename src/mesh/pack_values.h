/* mesh/pack_values.h - numbers in the formats of vertex buffers. */
#ifndef FACET_MESH_PACK_VALUES_H
#define FACET_MESH_PACK_VALUES_H

#include <facet/pack.h>

bool facet_pack_is_octahedral(facet_pack_format format);
/* What a normalized format stands for, from -most (signed) or 0 to most; 0 for others. */
int32_t facet_pack_most(facet_pack_format format);
bool facet_pack_is_signed(facet_pack_format format);

/* A component of a stream. */
double facet_pack_load(const facet_stream *stream, size_t index);
/* Put one number; false when it is beyond the format's range. Not octahedral ones, whose
 * third and fourth numbers are those of SNORM. */
bool facet_pack_store(facet_pack_format format, double value, uint8_t *to);
/* Put the two numbers of a direction. */
void facet_pack_store_direction(facet_pack_format format, const double direction[3], uint8_t *to);

#endif
