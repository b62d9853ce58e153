/* formats/j3d/json/json.h - the complete state of materials, textures, joints and shapes as
 * JSON: in the `extras` of a scene, and as files beside what 'extract' takes
 * out. docs/reference/formats/j3d-materials.md describes the schema. */
#ifndef FACET_J3D_JSON_JSON_H
#define FACET_J3D_JSON_JSON_H

#include "base/table.h"
#include "gx/json/text.h"

#include <facet/j3d.h>

/* -- Extras ------------------------------------------------------------- */

/* What the document says of itself, of a joint and of a shape, in `arena`; NULL without memory. */
facet_gx_file_part *facet_j3d_file_model(const facet_j3d *document, facet_arena *arena);
facet_gx_file_part *facet_j3d_file_joint(const facet_j3d_joint *joint, facet_arena *arena);
facet_gx_file_part *facet_j3d_file_shape(const facet_j3d_shape *shape, facet_arena *arena);
/* Names that come twice get a number, which is found out once for all. */
typedef struct facet_j3d_naming {
    const uint32_t *materials, *textures; /* how many before have the same name */
} facet_j3d_naming;
bool facet_j3d_naming_make(const facet_j3d *document, facet_arena *arena, facet_j3d_naming *naming);
/* What the document says of a material and the textures that it uses, and of the textures that
 * one image shows, in their order; NULL without memory. */
facet_gx_file_material *facet_j3d_file_material(const facet_j3d *document,
                                                const facet_j3d_naming *naming,
                                                const facet_j3d_material *material,
                                                facet_arena *arena);
facet_gx_file_image *facet_j3d_file_image(const facet_j3d *document, const facet_j3d_naming *naming,
                                          const uint32_t *textures, uint32_t count,
                                          facet_arena *arena);

/* The way back: each text of a scene is parsed once. */
typedef struct facet_j3d_extras {
    facet_names texts; /* of the scene */
    facet_json **roots;
    uint32_t space;
    bool failed; /* memory is out, as the arena remembers */
} facet_j3d_extras;
static inline facet_j3d_extras facet_j3d_extras_make(facet_arena *arena)
{
    return (facet_j3d_extras){.texts = facet_names_make(arena)};
}
void facet_j3d_extras_free(facet_j3d_extras *extras);
/* The root of a text, which stays where it is; NULL for NULL, for what is no JSON, and
 * without memory. */
const facet_json *facet_j3d_extras_of(facet_j3d_extras *extras, const char *text);

/* The joint of a file; its parent stays. */
void facet_j3d_joint_from_file(const facet_gx_file_joint *from, facet_j3d_joint *joint);
/* What the extras of a material or an image say: `file` when it was made of the same text, else
 * the text is read. *now is in the arena of `extras`, and NULL when they do not speak of it.
 * Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_file_material_now(facet_j3d_extras *extras, const char *text,
                                         const facet_gx_file_material *file,
                                         const facet_gx_file_material **now, facet_error *error);
facet_status facet_j3d_file_image_now(facet_j3d_extras *extras, const char *text,
                                      const facet_gx_file_image *file,
                                      const facet_gx_file_image **now, facet_error *error);

/* The material, its textures by name those of `textures`. FACET_ERROR_MALFORMED with J3D-JSON
 * for a name that none of them has. */
facet_status facet_j3d_material_from_file(const facet_gx_file_material *file,
                                          const facet_j3d_textures *textures,
                                          facet_j3d_material *material, facet_error *error);

/* -- Files -------------------------------------------------------------- */

/* materials.json, textures.json and hierarchy.json: text in `arena`, NULL without
 * memory. */
const char *facet_j3d_materials_json(const facet_j3d *document, facet_arena *arena);
const char *facet_j3d_textures_json(const facet_j3d *document, facet_arena *arena);
const char *facet_j3d_hierarchy_json(const facet_j3d *document, facet_arena *arena);

/* Do what options->j3d->materials and options->j3d->textures (JSON text, ours or
 * SuperBMD's) say to the materials and textures of the same names; nothing when
 * they are NULL. A texture that changes its format is encoded anew. The
 * document owns an arena; packets are to be baked afterwards when *changed.
 * Errors: FACET_ERROR_ARGUMENT with J3D-JSON-MATERIALS or J3D-JSON-TEXTURES: not
 * JSON, a value that is not allowed, a name that the document does not have. */
facet_status facet_j3d_apply_json(facet_j3d *document, const facet_options *options, bool *changed,
                                  facet_error *error);

/* Texels that no texture shows any more go; false without memory. */
bool facet_j3d_drop_unused_texels(facet_j3d_textures *textures, facet_arena *scratch);

#endif
