/* formats/gltf/format.h - what the format table asks of glTF besides the public functions. */
#ifndef FACET_GLTF_FORMAT_H
#define FACET_GLTF_FORMAT_H

#include <facet/format.h>

/* Fills in a description, as facet_gltf_describe returns it. */
facet_status facet_gltf_fill_description(const facet_source *source, const facet_options *options,
                                         facet_description *description, facet_error *error);

#endif
