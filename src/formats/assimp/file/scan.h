/* formats/assimp/file/scan.h - scans of files for data that assimp does not read. */
#ifndef FACET_ASSIMP_FILE_SCAN_H
#define FACET_ASSIMP_FILE_SCAN_H

#include "base/arena.h"
#include "base/error.h"

#include <facet/base.h>

/* scan_dae.c: report what assimp drops from a COLLADA, with the line. Elements that assimp asserts
 * against are errors. Linear. */
facet_status facet_assimp_scan_dae(const facet_source *source, facet_arena *scratch,
                                   facet_report *report, facet_error *error);

/* scan_fbx.c: report what assimp drops from an FBX, with the line or offset. Linear. */
void facet_assimp_scan_fbx(const facet_source *source, facet_report *report);

#endif
