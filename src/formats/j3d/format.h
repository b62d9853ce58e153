/* formats/j3d/format.h - functions of this folder for its lines in the format table. */
#ifndef FACET_J3D_FORMAT_H
#define FACET_J3D_FORMAT_H

#include <facet/format.h>

/* Required properties of a scene for a model. */
#define FACET_J3D_NEEDS                                                                       \
    (FACET_NEED_TRIANGLES | FACET_NEED_FACES | FACET_NEED_SINGLE_INDEX | FACET_NEED_NORMALS | \
     FACET_NEED_SORTED | FACET_NEED_IMAGES | FACET_NEED_ALPHA)

/* Check a file against all rules and add findings to `report`. Continue after an error where
 * possible. A file with findings also returns FACET_OK. */
facet_status facet_j3d_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Add the description of a file to an existing one. */
facet_status facet_j3d_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);
/* Extract textures, materials and hierarchy as files (extract.c). */
facet_status facet_j3d_extract(const facet_source *source, const facet_options *options,
                               const facet_extractor *extractor, facet_error *error);

#endif
