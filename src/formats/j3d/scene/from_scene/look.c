/* formats/j3d/scene/from_scene/look.c - comparison of two appearances of a material, and edited
 * materials: those that no longer look like their extras. */
#include "formats/j3d/scene/from_scene/look.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/j3d/scene/from_scene/original.h"
#include "formats/j3d/scene/to_scene/material_work.h"
#include "gx/json/file_state.h"
#include "scene/material.h"

#include <math.h>
#include <string.h>

#define VALUE_TOLERANCE 0.004

/* -- Comparison --------------------------------------------------------- */

static bool near(const float *a, const float *b, int count)
{
    for (int i = 0; i < count; i++) {
        if (!(fabs((double)a[i] - (double)b[i]) <= VALUE_TOLERANCE))
            return false;
    }
    return true;
}

/* Compare transforms; that of `known` is for v from the top. */
static bool same_transform(const facet_texture *known, const facet_texture *now, bool flipped)
{
    static const facet_texture none = {.scale = {1, 1}};
    float rows[2][2][3];
    facet_j3d_texture_rows(known->has_transform ? known : &none, false, rows[0]);
    facet_j3d_texture_rows(now->has_transform ? now : &none, flipped, rows[1]);
    return near(rows[0][0], rows[1][0], 6);
}

/* True for a material of MTL, FBX, COLLADA or a similar format. It has only names, colors, an
 * opacity and textures: other values that are defaults are unknown. */
static bool is_plain(const facet_material *now)
{
    return now->sides_unknown;
}

/* Wrap modes and filters are those of the texture. */
static bool same_map(const facet_j3d_looks *looks, const facet_texture *known,
                     const facet_texture *now, bool plain)
{
    if (!known || !now)
        return !known == !now;
    if (known->has_image != now->has_image)
        return false;
    if (!known->has_image)
        return true;
    facet_j3d_same_image same = looks->same_image(looks, known, now);
    if (same != FACET_J3D_IMAGE_SAME)
        return same == FACET_J3D_IMAGE_UNKNOWN;
    return (known->uv_set == now->uv_set || (plain && now->uv_set == 0)) &&
           (same_transform(known, now, looks->builder->flip_v) || (plain && !now->has_transform));
}

/* Transparency in a format that stores only opacity. */
static bool same_opacity(const facet_material *known, const facet_material *now)
{
    float opacity = known->alpha_mode == FACET_ALPHA_OPAQUE ? 1 : known->base_color[3];
    return near(&opacity, &now->base_color[3], 1);
}

/* Transparency in a format that stores how alpha is used. */
static bool same_alpha(const facet_material *known, const facet_material *now)
{
    /* A material that is blended but opaque at rest can become transparent in an animation. */
    bool may_be = known->alpha_mode == FACET_ALPHA_OPAQUE && known->gx &&
                  (now->alpha_mode == FACET_ALPHA_BLEND
                       ? known->gx->blend.type != 0
                       : !facet_j3d_passes_alpha(&known->gx->alpha_compare, 0));
    if (known->alpha_mode == FACET_ALPHA_OPAQUE)
        return now->alpha_mode == FACET_ALPHA_OPAQUE || may_be;
    return (known->alpha_mode == now->alpha_mode) &&
           near(&known->base_color[3], &now->base_color[3], 1) &&
           (known->alpha_mode != FACET_ALPHA_MASK ||
            near(&known->alpha_cutoff, &now->alpha_cutoff, 1));
}

/* Compare the flags and the color. In a plain format a texture replaces the color. */
static bool same_values(const facet_material *known, const facet_material *now)
{
    static const float white[3] = {1, 1, 1};
    bool plain = is_plain(now), replaced = plain && now->maps[FACET_MAP_DIFFUSE];
    return (known->double_sided == now->double_sided || (plain && !now->double_sided)) &&
           (known->unlit == now->unlit || (plain && !now->unlit)) &&
           (plain ? same_opacity(known, now) : same_alpha(known, now)) &&
           (near(known->base_color, now->base_color, 3) ||
            (replaced && near(white, now->base_color, 3)));
}

bool facet_j3d_same_look(const facet_j3d_looks *looks, const facet_material *known,
                         const facet_material *now)
{
    float light[2][3];
    for (int i = 0; i < 3; i++) {
        light[0][i] = known->emissive[i] * known->emissive_strength;
        light[1][i] = now->emissive[i] * now->emissive_strength;
    }
    bool same = same_values(known, now);
    if (same && !known->unlit) /* J3D has neither roughness nor metallic */
        same = near(light[0], light[1], 3);
    for (int i = 0; i < FACET_MAP_COUNT && same; i++)
        same = same_map(looks, known->maps[i], now->maps[i], is_plain(now));
    return same;
}

/* -- Edited materials --------------------------------------------------- */

/* A material, and the appearance that its extras state. */
typedef struct stated {
    facet_j3d_looks looks;
    const facet_gx_file_look *look;
} stated;

/* True if an image is a texture with this name (NULL: computed). Programs that drop the extras of
 * images keep the names. */
static facet_j3d_same_image is_stated_image(const facet_j3d_looks *looks,
                                            const facet_texture *known, const facet_texture *now)
{
    const facet_j3d_builder *b = looks->builder;
    const char *name = ((const stated *)looks)->look->texture;
    const facet_image *image = b->scene->images[now->image];
    const facet_gx_file_image *file = NULL;
    (void)known;
    if (!facet_j3d_has_bytes(image))
        return FACET_J3D_IMAGE_UNKNOWN;
    if (facet_j3d_builder_image_file(b, image, &file))
        return FACET_J3D_IMAGE_UNKNOWN; /* out of memory: a later step fails */
    if (!name)
        return !file || file->is_computed ? FACET_J3D_IMAGE_SAME : FACET_J3D_IMAGE_OTHER;
    for (uint32_t i = 0; file && i < file->texture_count; i++) {
        if (file->textures[i].name && strcmp(file->textures[i].name, name) == 0)
            return FACET_J3D_IMAGE_SAME;
    }
    size_t length = facet_bare_length(image->name);
    bool same = !file && strncmp(image->name, name, length) == 0 &&
                (name[length] == '\0' || name[length] == ':');
    return same ? FACET_J3D_IMAGE_SAME : FACET_J3D_IMAGE_OTHER;
}

/* The stated appearance as a material with a map. */
static void known_material(const facet_gx_file_material *file, facet_texture *texture,
                           facet_material *known)
{
    const facet_gx_file_look *look = file->shown;
    facet_material_init(known);
    memcpy(known->base_color, look->base_color, sizeof look->base_color);
    known->alpha_mode = (facet_alpha_mode)look->alpha_mode;
    known->alpha_cutoff = look->alpha_cutoff;
    known->double_sided = look->double_sided;
    known->unlit = look->unlit;
    known->gx = (facet_gx_material *)&file->gx;
    *texture = (facet_texture){.has_image = true, .uv_set = look->uv_set, .has_transform = true};
    memcpy(texture->offset, look->offset, sizeof look->offset);
    memcpy(texture->scale, look->scale, sizeof look->scale);
    texture->rotation = look->rotation;
    known->maps[FACET_MAP_DIFFUSE] = look->has_texture ? texture : NULL;
}

/* True if a material does not look as its extras state. A changed chip state replaces that of the
 * extras, whatever the material looks like. */
static bool is_edited(const facet_j3d_builder *b, const facet_material *now,
                      const facet_gx_file_material *file)
{
    if (!file || !file->is_known || !file->shown)
        return false;
    if (now->gx && !facet_gx_file_material_has(file, now->gx))
        return false;
    stated of = {{b, is_stated_image}, file->shown};
    facet_texture texture;
    facet_material known;
    known_material(file, &texture, &known);
    return !facet_j3d_same_look(&of.looks, &known, now);
}

/* True if a material is a copy without maps of another one: glTF has such copies for meshes without
 * texture coordinates. `mapped` has the names of materials with maps. */
static bool is_bare_copy(facet_names *mapped, const facet_material *material)
{
    return facet_j3d_is_bare(material) &&
           facet_names_find(mapped, material->name, strlen(material->name)) != UINT32_MAX;
}

static void report_edited(const facet_j3d_builder *b, const facet_material *material)
{
    facet_quoted quoted;
    facet_report_add(facet_j3d_builder_report(b), "J3D-MATERIAL-EDITED", FACET_SEVERITY_NOTE,
                     FACET_NO_OFFSET,
                     "material '%s' was edited: it is built from the scene, without the console "
                     "state of its extras",
                     facet_quote(&quoted, material->name, strlen(material->name)));
}

facet_status facet_j3d_find_edited(facet_j3d_builder *b)
{
    const facet_scene *scene = b->scene;
    facet_names mapped = facet_names_make(b->scratch);
    facet_status status = FACET_OK;
    b->is_edited = facet_j3d_builder_scratch(b, scene->material_count, sizeof *b->is_edited);
    if (!b->is_edited)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t m = 0; m < scene->material_count; m++) {
        const facet_material *material = scene->materials[m];
        if (!facet_j3d_is_bare(material) &&
            facet_names_put(&mapped, material->name, strlen(material->name)) == UINT32_MAX)
            return facet_fail_arena(b->scratch, b->error);
    }
    for (uint32_t m = 0; m < scene->material_count && !status; m++) {
        const facet_gx_file_material *file = NULL;
        if (b->like && b->like->slot_of[m] != FACET_NONE)
            continue; /* appearance.c of j3d/patch compares it with its slot */
        status = facet_j3d_builder_material_file(b, m, &file);
        b->is_edited[m] = !status && is_edited(b, scene->materials[m], file) &&
                          !is_bare_copy(&mapped, scene->materials[m]);
        if (b->is_edited[m] && !b->like)
            report_edited(b, scene->materials[m]);
    }
    facet_names_free(&mapped);
    return status;
}
