/* formats/assimp/file/cameras_dae.h - fields of view and sizes of a COLLADA's cameras. */
#ifndef FACET_ASSIMP_FILE_CAMERAS_DAE_H
#define FACET_ASSIMP_FILE_CAMERAS_DAE_H

#include "base/arena.h"
#include "base/report.h"

/* Change perspective cameras without an <aspect_ratio>, which assimp misreads. Two fields of view
 * get their ratio. A <yfov> becomes an <xfov>, which is then the vertical field of view. Report an
 * <xfov> without a <yfov>. An orthographic camera becomes a perspective one whose horizontal field
 * of view is half of its height in degrees, negative, and whose aspect ratio is half of its width.
 * No other camera has a negative field of view then. The lines keep their numbers. The new text is
 * in `scratch`. Linear, except for n log n in the changes. */
facet_status facet_dae_set_fields_of_view(const uint8_t **data, size_t *size, facet_arena *scratch,
                                          facet_report *report, facet_error *error);

#endif
