/* j3d/extract.h - what is in a file, as files. */
#ifndef FACET_J3D_EXTRACT_H
#define FACET_J3D_EXTRACT_H

#include <facet/format.h>

/* Textures, materials and hierarchy as files. */
facet_status facet_j3d_extract(const facet_source *source, const facet_options *options,
                               const facet_extractor *extractor, facet_error *error);

#endif
