/* gx/json/texture.h - headers of textures in the extras of images and in files
 * textures.json, as models and texture files have them. docs/reference/formats/j3d-materials.md
 * describes the schema. */
#ifndef FACET_GX_JSON_TEXTURE_H
#define FACET_GX_JSON_TEXTURE_H

#include "base/json.h"
#include <facet/gx_material.h>

/* {"name": ..., the fields of the header}; takes the name over. */
facet_json *facet_gx_json_texture(facet_json *name, const facet_bti_header *header);

/* A file textures.json; takes the list over. */
const char *facet_gx_textures_file(facet_json *list, facet_arena *arena);

/* What the extras of an image say of textures; *count is 0 when they say nothing,
 * and `extras` may be NULL. Errors: FACET_ERROR_MALFORMED with J3D-JSON and the
 * place in the JSON; FACET_ERROR_MEMORY. */
facet_status facet_gx_textures_from_extras(const facet_json *extras, facet_arena *arena,
                                           facet_gx_file_texture **textures, uint32_t *count,
                                           facet_error *error);

#endif
