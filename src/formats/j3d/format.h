/* formats/j3d/format.h - what the files of this folder give to its lines in the format table. */
#ifndef FACET_J3D_FORMAT_H
#define FACET_J3D_FORMAT_H

#include <facet/format.h>

/* What a scene must be to become a model. */
#define FACET_J3D_NEEDS                                                                          \
    (FACET_NEED_TRIANGLES | FACET_NEED_FACES | FACET_NEED_SINGLE_INDEX | FACET_NEED_NORMALS |    \
     FACET_NEED_SORTED | FACET_NEED_IMAGES | FACET_NEED_ALPHA)

/* Apply every rule of the format and add what is found to `report`. Carries on
 * after an error wherever what follows still has a meaning. FACET_OK also for a
 * file full of errors. */
facet_status facet_j3d_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_j3d_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);
/* extract.c: textures, materials and hierarchy as files. */
facet_status facet_j3d_extract(const facet_source *source, const facet_options *options,
                               const facet_extractor *extractor, facet_error *error);

#endif
