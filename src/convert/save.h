/* convert/save.h - saving for callers that report the content of the file. */
#ifndef FACET_CONVERT_SAVE_H
#define FACET_CONVERT_SAVE_H

#include "scene/format.h"

#include <facet/convert.h>

/* Like facet_save, and set *counts to the faces and vertices of the file if they differ from the
 * scene's. The caller clears *counts first. */
facet_status facet_save_counted(const facet_scene *scene, const facet_format *format,
                                const facet_options *options, facet_output *output,
                                facet_counts *counts, facet_error *error);

#endif
