/* formats/assimp/file/shown_dae.h - geometries of a COLLADA that no node of its scene shows. assimp
 * does not read them. */
#ifndef FACET_ASSIMP_FILE_SHOWN_DAE_H
#define FACET_ASSIMP_FILE_SHOWN_DAE_H

#include "base/arena.h"
#include "base/report.h"

/* Report the geometries that <scene> does not show. Report the instances of missing objects, and
 * those of nodes inside a node of a library. Linear. */
facet_status facet_dae_report_unshown(const uint8_t *data, size_t size, facet_arena *scratch,
                                      facet_report *report, facet_error *error);

#endif
