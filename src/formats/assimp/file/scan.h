/* formats/assimp/file/scan.h - scans of files for data that assimp does not read, or that ends the
 * process in assimp. */
#ifndef FACET_ASSIMP_FILE_SCAN_H
#define FACET_ASSIMP_FILE_SCAN_H

#include "base/arena.h"
#include "base/error.h"
#include "formats/assimp/file/clips_dae.h"
#include "formats/assimp/file/fbx.h"

#include <facet/base.h>

/* Maximum depth of nested elements, scopes and records for assimp, and of nodes that it writes. It
 * reads and writes them by recursion. A COLLADA overflows a stack of 8 MiB between 4,000 and 8,000
 * levels, an FBX between 16,000 and 24,000. */
#define FACET_ASSIMP_MAX_DEPTH 1000
#define FACET_ASSIMP_MAX_DEPTH_TEXT "1,000"

/* Number of objects that assimp may copy because others refer to them, beyond one per reference. */
#define FACET_ASSIMP_MAX_COPIES 40000
#define FACET_ASSIMP_MAX_COPIES_TEXT "40,000"

/* scan.c: examine a file that assimp opens by this name. A COLLADA with morph targets is replaced
 * by a text without them, in `scratch`, and a compressed X file by its contents. The options may be
 * NULL, and `report` overrides theirs. *fbx gets the objects of an FBX. It is NULL for other files.
 * *clips gets the clips of a COLLADA (clips_dae.h); `clips` may be NULL. Linear, except for n log n
 * in the number of controllers. */
facet_status facet_assimp_scan(const uint8_t **data, size_t *size, const char *name,
                               facet_arena *scratch, const facet_options *options,
                               facet_report *report, facet_fbx **fbx, facet_dae_clips **clips,
                               facet_error *error);

/* unpack_x.c: replace a compressed X file by its contents, in `scratch`. Other data stays
 * unchanged. The size is limited by the growth limit of the options, which may be NULL. */
facet_status facet_assimp_unpack_x(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   const facet_options *options, facet_error *error);

/* materials_x.c: add a material for meshes without one to an X file that is not compressed, in
 * `scratch`. Other data stays unchanged. */
facet_status facet_assimp_add_x_material(const uint8_t **data, size_t *size, facet_arena *scratch,
                                         facet_error *error);

/* scan_counts.c: limit the number of nodes in formats whose depth a simple scan cannot find, and
 * which are never that large. Linear. */
facet_status facet_assimp_scan_counts(const uint8_t *data, size_t size, const char *extension,
                                      facet_error *error);

/* scan_links.c: limit the depth and the copies of objects that refer to one another by name or
 * number (ASE, COB, IFC). Linear. */
facet_status facet_assimp_scan_links(const uint8_t *data, size_t size, const char *extension,
                                     facet_arena *scratch, facet_error *error);

/* scan_off.c: report the colors of faces in an OFF. Linear. */
void facet_assimp_scan_off(const uint8_t *data, size_t size, facet_report *report);

/* scan_ac.c: report the two-sided surfaces of an AC3D. Objects whose location assimp misreads get a
 * group around them, in `scratch`. n log n in these. */
facet_status facet_assimp_scan_ac(const uint8_t **data, size_t *size, facet_arena *scratch,
                                  facet_report *report, facet_error *error);

/* kind.c: true if assimp selects the reader of a format for a file. Spaces separate the extensions.
 * Without one of them, the magic text must be near the start; NULL: never. */
bool facet_assimp_is_format(const uint8_t *data, size_t size, const char *extension,
                            const char *extensions, const char *magic);

/* scan_smd.c: limit the joints and textures of SMD, of which assimp compares each with each.
 * Linear. */
facet_status facet_assimp_scan_smd(const uint8_t *data, size_t size, facet_arena *scratch,
                                   facet_error *error);

/* scan_md5.c: limit the joints of MD5. Linear. */
facet_status facet_assimp_scan_md5(const uint8_t *data, size_t size, facet_arena *scratch,
                                   facet_error *error);

/* scan_dae.c: report what assimp drops from a COLLADA, with the line. Elements that assimp asserts
 * against are errors, and elements of any XML that are nested too deeply. Linear. */
facet_status facet_assimp_scan_dae(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   facet_report *report, facet_error *error);

/* scan_fbx.c: report what assimp drops from an FBX, with the line or offset. Versions that assimp
 * does not read are errors, and records and nodes that are nested too deeply. Values that it reads
 * wrongly are replaced, in a copy in `scratch`. *fbx gets the objects, in `scratch`. Linear. */
facet_status facet_assimp_scan_fbx(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   const facet_options *options, facet_report *report,
                                   facet_fbx **fbx, facet_error *error);

#endif
