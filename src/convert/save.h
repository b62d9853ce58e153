/* convert/save.h - saving for callers that report the contents of the file. */
#ifndef FACET_CONVERT_SAVE_H
#define FACET_CONVERT_SAVE_H

#include "scene/format.h"

#include <facet/convert.h>

/* facet_save, with the faces and vertices of the file in *counts if they differ from the scene's.
 * The caller clears *counts. */
facet_status facet_save_counted(const facet_scene *scene, const facet_format *format,
                                const facet_options *options, facet_output *output,
                                facet_counts *counts, facet_error *error);

#endif
