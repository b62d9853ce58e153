/* gx/json/file_part.h - GameCube and Wii data of nodes, meshes, animations and scenes, as extras
 * and back. An example is {"j3d": {"joint": {...}}}; docs/reference/formats/j3d-materials.md
 * describes the schema. */
#ifndef FACET_GX_JSON_FILE_PART_H
#define FACET_GX_JSON_FILE_PART_H

#include "base/json.h"

#include <facet/gx_material.h>

/* -- To JSON ------------------------------------------------------------ */

/* The objects of a file hierarchy.json and of the extras. NULL if out of memory. */
facet_json *facet_gx_file_joint_json(const facet_gx_file_joint *joint);
facet_json *facet_gx_file_shape_json(const facet_gx_file_shape *shape);
/* "BASIC", or a number if it has no name. */
facet_json *facet_gx_scaling_json(uint16_t flags);

/* Write all of it under "j3d" of `root`, over existing keys. False if out of memory. Animation
 * files become base64 text in `arena`. */
bool facet_gx_file_part_put(const facet_gx_file_part *file, facet_json *root, facet_arena *arena);
/* The same as new extras. NULL if out of memory. */
facet_json *facet_gx_file_part_json(const facet_gx_file_part *file, facet_arena *arena);

/* -- From JSON ---------------------------------------------------------- */

/* Return `file` if it was read from the same text. Else read the text into `arena`. *now is NULL
 * for NULL, for text that is not JSON, and for other extras. Errors in the text are recorded in the
 * result. Errors: FACET_ERROR_MEMORY, FACET_ERROR_LIMIT. */
facet_status facet_gx_file_part_now(const char *text, facet_gx_file_part *file, facet_arena *arena,
                                    facet_gx_file_part **now, facet_error *error);

#endif
