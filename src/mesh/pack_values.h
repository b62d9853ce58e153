/* mesh/pack_values.h - numbers in the formats of vertex buffers. */
#ifndef FACET_MESH_PACK_VALUES_H
#define FACET_MESH_PACK_VALUES_H

#include <facet/pack.h>

/* Bytes of one component: 1, 2 or 4; 0 for an unknown format. */
size_t facet_pack_format_size(facet_pack_format format);
bool facet_pack_is_octahedral(facet_pack_format format);
/* The value of 1.0 in a normalized format, whose range is -most (signed) or 0 up to most. 0 for
 * other formats. */
int32_t facet_pack_max_value(facet_pack_format format);
bool facet_pack_is_signed(facet_pack_format format);

/* Load one component of a stream. */
double facet_pack_load(const facet_stream *stream, size_t index);
/* Store one number; false if it is out of the format's range. Not for octahedral formats, except
 * their third and fourth numbers, which are SNORM. */
bool facet_pack_store(facet_pack_format format, double value, uint8_t *to);
/* Store the two numbers of a direction. */
void facet_pack_store_direction(facet_pack_format format, const double direction[3], uint8_t *to);

#endif
