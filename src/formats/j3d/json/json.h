/* formats/j3d/json/json.h - the complete state of materials, textures, joints and shapes as JSON.
 * It is in the `extras` of a scene, and in files of 'extract'.
 * docs/reference/formats/j3d-materials.md describes the schema. */
#ifndef FACET_J3D_JSON_JSON_H
#define FACET_J3D_JSON_JSON_H

#include "base/table.h"
#include "gx/json/text.h"

#include <facet/j3d.h>

/* -- Extras ------------------------------------------------------------- */

/* The data of the document, of a joint and of a shape, in `arena`; NULL if out of memory. */
facet_gx_file_part *facet_j3d_file_model(const facet_j3d *document, facet_arena *arena);
facet_gx_file_part *facet_j3d_file_joint(const facet_j3d_joint *joint, facet_arena *arena);
facet_gx_file_part *facet_j3d_file_shape(const facet_j3d_shape *shape, facet_arena *arena);
/* Numbers for duplicate names, computed once. */
typedef struct facet_j3d_naming {
    const uint32_t *materials, *textures; /* number of earlier elements with the same name */
} facet_j3d_naming;
bool facet_j3d_naming_make(const facet_j3d *document, facet_arena *arena, facet_j3d_naming *naming);
/* The data of a material with its textures, and of the textures of one image in their order; NULL
 * if out of memory. */
facet_gx_file_material *facet_j3d_file_material(const facet_j3d *document,
                                                const facet_j3d_naming *naming,
                                                const facet_j3d_material *material,
                                                facet_arena *arena);
facet_gx_file_image *facet_j3d_file_image(const facet_j3d *document, const facet_j3d_naming *naming,
                                          const uint32_t *textures, uint32_t count,
                                          facet_arena *arena);

/* Cache for reading extras: each text of a scene is parsed once. */
typedef struct facet_j3d_extras {
    facet_names texts; /* all texts of the scene */
    facet_json **roots;
    uint32_t space;
    bool failed; /* out of memory, as recorded in the arena */
} facet_j3d_extras;
static inline facet_j3d_extras facet_j3d_extras_make(facet_arena *arena)
{
    return (facet_j3d_extras){.texts = facet_names_make(arena)};
}
void facet_j3d_extras_free(facet_j3d_extras *extras);
/* The root of a text. Its address stays valid. NULL for NULL, for text that is not JSON, and if out
 * of memory. */
const facet_json *facet_j3d_extras_of(facet_j3d_extras *extras, const char *text);

/* Set a joint from the data of a file, except its parent. */
void facet_j3d_joint_from_file(const facet_gx_file_joint *from, facet_j3d_joint *joint);
/* Read the extras of a material or image. Return `file` if it was read from the same text. *now is
 * in the arena of `extras`; NULL if the extras have no such data. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_file_material_now(facet_j3d_extras *extras, const char *text,
                                         const facet_gx_file_material *file,
                                         const facet_gx_file_material **now, facet_error *error);
facet_status facet_j3d_file_image_now(facet_j3d_extras *extras, const char *text,
                                      const facet_gx_file_image *file,
                                      const facet_gx_file_image **now, facet_error *error);

/* Convert to a material whose textures are those of `textures`, by name. Errors:
 * FACET_ERROR_MALFORMED with J3D-JSON for an unknown name. */
facet_status facet_j3d_material_from_file(const facet_gx_file_material *file,
                                          const facet_j3d_textures *textures,
                                          facet_j3d_material *material, facet_error *error);

/* -- Files -------------------------------------------------------------- */

/* materials.json, textures.json and hierarchy.json as text in `arena`; NULL if out of memory. */
const char *facet_j3d_materials_json(const facet_j3d *document, facet_arena *arena);
const char *facet_j3d_textures_json(const facet_j3d *document, facet_arena *arena);
const char *facet_j3d_hierarchy_json(const facet_j3d *document, facet_arena *arena);

/* Apply options->j3d->materials and options->j3d->textures (JSON text, Facet's or SuperBMD's; NULL:
 * nothing) to materials and textures with the same names. A texture with a new format is encoded
 * again. The document must own an arena. If *changed, bake its packets afterwards. Errors:
 * FACET_ERROR_ARGUMENT with J3D-JSON-MATERIALS or J3D-JSON-TEXTURES for invalid JSON, invalid
 * values and unknown names. */
facet_status facet_j3d_apply_json(facet_j3d *document, const facet_options *options, bool *changed,
                                  facet_error *error);

/* Remove texels that no texture uses. False if out of memory. */
bool facet_j3d_drop_unused_texels(facet_j3d_textures *textures, facet_arena *scratch);

#endif
