/* formats/j3d/format.h - what the files of this folder give to its lines in the format table. */
#ifndef FACET_J3D_FORMAT_H
#define FACET_J3D_FORMAT_H

#include <facet/format.h>

/* describe.c: the hook behind facet_j3d_describe. */
facet_status facet_j3d_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);
/* extract.c: textures, materials and hierarchy as files. */
facet_status facet_j3d_extract(const facet_source *source, const facet_options *options,
                               const facet_extractor *extractor, facet_error *error);

#endif
