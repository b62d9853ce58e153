/* scene/material.c - materials: their defaults, and the classic terms of MTL, FBX and COLLADA. */
#include "scene/material.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "scene/material_extensions.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Adding ------------------------------------------------------------- */

/* The set that maps of all materials from one kind to another use; FACET_NONE without maps or if
 * they differ. */
static uint32_t common_set(const facet_scene *scene, facet_map first, facet_map last)
{
    uint32_t set = FACET_NONE;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        for (int map = first; map <= (int)last; map++) {
            const facet_texture *texture = scene->materials[i]->maps[map];
            if (texture && set != FACET_NONE && texture->uv_set != set)
                return FACET_NONE;
            set = texture ? texture->uv_set : set;
        }
    }
    return set;
}

uint32_t facet_scene_texcoord_set(const facet_scene *scene)
{
    uint32_t set = common_set(scene, 0, FACET_MAP_COUNT - 1);
    if (set == FACET_NONE)
        set = common_set(scene, FACET_MAP_DIFFUSE, FACET_MAP_DIFFUSE);
    return set == FACET_NONE ? 0 : set;
}

bool facet_filter_is_nearest(facet_filter filter)
{
    return filter == FACET_FILTER_NEAREST || filter == FACET_FILTER_NEAREST_MIPMAP_NEAREST ||
           filter == FACET_FILTER_NEAREST_MIPMAP_LINEAR;
}

void facet_material_init(facet_material *material)
{
    memset(material, 0, sizeof *material);
    material->name = "";
    for (int i = 0; i < 4; i++)
        material->base_color[i] = 1;
    material->metallic = material->roughness = 1;
    material->emissive_strength = 1;
    material->alpha_cutoff = 0.5F;
    facet_material_extensions_init(material);
}

void facet_texture_init(facet_texture *texture)
{
    memset(texture, 0, sizeof *texture);
    texture->path = "";
    texture->strength = texture->scale[0] = texture->scale[1] = 1;
}

void facet_classic_init(facet_classic *classic)
{
    memset(classic, 0, sizeof *classic);
    for (int i = 0; i < 3; i++)
        classic->diffuse[i] = 1;
    classic->opacity = classic->refraction_index = classic->roughness = 1;
    classic->illumination = 2;
}

facet_status facet_scene_add_material(facet_scene *scene, const char *name,
                                      facet_material **material, facet_error *error)
{
    facet_material *made = facet_scene_allocate(scene, 1, sizeof *made);
    const char *copy = facet_scene_string(scene, name);
    if (!made || !copy)
        return facet_fail_arena(scene->arena, error);
    facet_material_init(made);
    made->name = copy;
    *material = made;
    return facet_scene_append(scene, &scene->growth.materials, &scene->materials,
                              &scene->material_count, made, error);
}

facet_status facet_scene_add_map(facet_scene *scene, facet_material *material, facet_map map,
                                 facet_texture **texture, facet_error *error)
{
    facet_texture *made = facet_scene_allocate(scene, 1, sizeof *made);
    if (!made)
        return facet_fail_arena(scene->arena, error);
    facet_texture_init(made);
    material->maps[map] = *texture = made;
    return FACET_OK;
}

facet_status facet_scene_add_named_material(facet_scene *scene, const char *name,
                                            facet_material **material, facet_error *error)
{
    TRY(facet_scene_add_material(scene, name, material, error));
    (*material)->metallic = 0;
    (*material)->sides_unknown = true;
    return FACET_OK;
}

/* -- From classic terms ------------------------------------------------- */

static bool states(const facet_classic *classic, uint32_t value)
{
    return (classic->stated & value) != 0;
}

static bool has(const facet_material *material, facet_map map)
{
    return material->maps[map] != NULL;
}

/* A factor that is multiplied with a map. Some programs write 0 although there is a map,
 * which would have no effect. */
static float factor_of(float stated, bool has_map)
{
    return has_map && stated == 0 ? 1 : stated;
}

static float metallic_of(const facet_classic *c, const facet_material *m)
{
    if (states(c, FACET_CLASSIC_METALLIC))
        return factor_of(c->metallic, has(m, FACET_MAP_METALLIC));
    return has(m, FACET_MAP_METALLIC) || has(m, FACET_MAP_METALLIC_ROUGHNESS) ? 1 : 0;
}

static bool same(const float *a, const float *b, int count)
{
    for (int i = 0; i < count; i++) {
        if (a[i] != b[i])
            return false;
    }
    return true;
}

/* True if the highlight is black: then its shininess has no effect. */
static bool has_no_highlight(const facet_classic *c, const facet_material *m)
{
    static const float black[3];
    return states(c, FACET_CLASSIC_SPECULAR) && same(c->specular, black, 3) &&
           !has(m, FACET_MAP_SPECULAR) && metallic_of(c, m) == 0;
}

static float roughness_of(const facet_classic *c, const facet_material *m)
{
    if (states(c, FACET_CLASSIC_ROUGHNESS))
        return factor_of(c->roughness, has(m, FACET_MAP_ROUGHNESS));
    if (!states(c, FACET_CLASSIC_SHININESS) || has(m, FACET_MAP_ROUGHNESS) ||
        has_no_highlight(c, m))
        return 1;
    float shininess = c->shininess < 0 ? 0 : c->shininess > 1000 ? 1000 : c->shininess;
    return 1 - sqrtf(shininess / 1000);
}

/* Default of glTF. Programs write 1 for materials that refract nothing. */
#define DEFAULT_IOR 1.5F

/* Sheen, coat and anisotropy of the MTL of physically based renderers, whose shader is Disney's.
 * Values without effect stay defaults. MTL has no roughness of the sheen: it is that of Blender,
 * and a full turn of the anisotropy is 1. */
#define SHEEN_ROUGHNESS 0.5F
#define TURN 6.283185307179586

static void derive_looks(const facet_classic *c, facet_material *m)
{
    bool shines = states(c, FACET_CLASSIC_SHEEN) && c->sheen != 0;
    bool coated = states(c, FACET_CLASSIC_CLEARCOAT) && c->clearcoat != 0;
    bool stretched = states(c, FACET_CLASSIC_ANISOTROPY) && c->anisotropy != 0;
    for (int i = 0; i < 3; i++)
        m->sheen_color[i] = shines ? c->sheen : 0;
    m->sheen_roughness = shines ? SHEEN_ROUGHNESS : 0;
    m->clearcoat = coated ? c->clearcoat : 0;
    m->clearcoat_roughness = coated ? c->clearcoat_roughness : 0;
    m->anisotropy = stretched ? c->anisotropy : 0;
    double turns = (double)c->anisotropy_rotation;
    turns = fabs(turns) > 1 ? fmod(turns, 1) : turns; /* many turns would exceed a float */
    m->anisotropy_rotation = stretched && isfinite(turns) ? (float)(turns * TURN) : 0;
    bool refracts = states(c, FACET_CLASSIC_REFRACTION) && c->refraction_index > 1;
    m->ior = refracts ? c->refraction_index : DEFAULT_IOR;
}

/* "Color on and Ambient off": the constant color Kd. */
static bool is_constant(const facet_classic *c)
{
    return states(c, FACET_CLASSIC_ILLUMINATION) && c->illumination == 0;
}

static void derive(const facet_classic *c, facet_material *m)
{
    static const float black[3];
    memcpy(m->base_color, c->diffuse, sizeof c->diffuse);
    m->base_color[3] = c->opacity;
    m->alpha_mode =
        c->opacity < 1 || has(m, FACET_MAP_OPACITY) ? FACET_ALPHA_BLEND : FACET_ALPHA_OPAQUE;
    memcpy(m->emissive, c->emissive, sizeof c->emissive);
    if (has(m, FACET_MAP_EMISSIVE) && same(m->emissive, black, 3))
        m->emissive[0] = m->emissive[1] = m->emissive[2] = 1; /* the map alone, as programs show */
    m->emissive_strength = 1;
    m->roughness = roughness_of(c, m);
    m->metallic = metallic_of(c, m);
    m->unlit = m->unlit || is_constant(c);
    derive_looks(c, m);
}

facet_status facet_scene_set_classic(facet_scene *scene, facet_material *material,
                                     const facet_classic *classic, facet_error *error)
{
    facet_classic *copy = facet_scene_allocate(scene, 1, sizeof *copy);
    if (!copy)
        return facet_fail_arena(scene->arena, error);
    *copy = *classic;
    material->classic = copy;
    derive(copy, material);
    return FACET_OK;
}

/* -- To classic terms --------------------------------------------------- */

static void compute_color(const facet_material *m, facet_classic *c)
{
    memcpy(c->diffuse, m->base_color, sizeof c->diffuse);
    c->stated |= FACET_CLASSIC_DIFFUSE;
}

static void compute_specular(const facet_material *m, facet_classic *c)
{
    for (int i = 0; i < 3; i++)
        c->specular[i] = (float)(0.04 + ((double)m->base_color[i] - 0.04) * (double)m->metallic);
    c->stated |= FACET_CLASSIC_SPECULAR;
}

static void compute_opacity(const facet_material *m, facet_classic *c)
{
    c->opacity = m->alpha_mode == FACET_ALPHA_OPAQUE ? 1 : m->base_color[3];
    if (c->opacity != 1)
        c->stated |= FACET_CLASSIC_OPACITY;
}

static void compute_roughness(const facet_material *m, facet_classic *c)
{
    double smooth = 1 - (double)m->roughness;
    c->shininess = (float)(smooth * smooth * 1000);
    c->roughness = m->roughness;
    c->stated |= FACET_CLASSIC_SHININESS | FACET_CLASSIC_ROUGHNESS;
}

static void compute_emissive(const facet_material *m, facet_classic *c)
{
    static const float black[3];
    for (int i = 0; i < 3; i++)
        c->emissive[i] = m->emissive[i] * m->emissive_strength;
    if (!same(c->emissive, black, 3))
        c->stated |= FACET_CLASSIC_EMISSIVE;
}

static void compute_metallic(const facet_material *m, facet_classic *c)
{
    c->metallic = m->metallic;
    c->stated |= FACET_CLASSIC_METALLIC;
}

static void compute_sheen(const facet_material *m, facet_classic *c)
{
    const float *color = m->sheen_color;
    c->sheen =
        (float)(0.2126 * (double)color[0] + 0.7152 * (double)color[1] + 0.0722 * (double)color[2]);
    if (color[0] == color[1] && color[1] == color[2])
        c->sheen = color[0];
    c->stated |= FACET_CLASSIC_SHEEN;
}

static void compute_coat(const facet_material *m, facet_classic *c)
{
    c->clearcoat = m->clearcoat;
    c->clearcoat_roughness = m->clearcoat_roughness;
    c->stated |= FACET_CLASSIC_CLEARCOAT | FACET_CLASSIC_CLEARCOAT_ROUGHNESS;
}

static void compute_anisotropy(const facet_material *m, facet_classic *c)
{
    c->anisotropy = m->anisotropy;
    c->anisotropy_rotation = (float)((double)m->anisotropy_rotation / TURN);
    c->stated |= FACET_CLASSIC_ANISOTROPY | FACET_CLASSIC_ANISOTROPY_ROTATION;
}

static void compute_refraction(const facet_material *m, facet_classic *c)
{
    c->stated &= ~(uint32_t)FACET_CLASSIC_REFRACTION;
    if (m->ior <= 1)
        return;
    c->refraction_index = m->ior;
    c->stated |= FACET_CLASSIC_REFRACTION;
}

/* Compute those values of the looks that differ from `known`. */
static void compute_looks(const facet_material *m, const facet_material *known, facet_classic *c)
{
    if (!same(known->sheen_color, m->sheen_color, 3))
        compute_sheen(m, c);
    if (known->clearcoat != m->clearcoat ||
        (m->clearcoat != 0 && known->clearcoat_roughness != m->clearcoat_roughness))
        compute_coat(m, c);
    if (known->anisotropy != m->anisotropy ||
        (m->anisotropy != 0 && known->anisotropy_rotation != m->anisotropy_rotation))
        compute_anisotropy(m, c);
    if (known->ior != m->ior)
        compute_refraction(m, c);
}

/* True if a value differs from the defaults, or the source states classic ones. The metallic factor
 * of a material without values is 1 in glTF, and 0 where a source gives only names. */
static bool has_values(const facet_material *m)
{
    static const float white[4] = {1, 1, 1, 1}, black[3];
    return !same(m->base_color, white, 4) || m->roughness != 1 ||
           (m->metallic != 0 && m->metallic != 1) || !same(m->emissive, black, 3) ||
           m->alpha_mode != FACET_ALPHA_OPAQUE || (m->classic && m->classic->stated);
}

void facet_material_get_classic(const facet_material *material, facet_classic *classic)
{
    facet_classic_init(classic);
    facet_material known = *material;
    facet_material_extensions_init(&known);
    if (material->classic) {
        *classic = *material->classic;
        derive(classic, &known);
    }
    bool all = !material->classic;
    bool metal = all || known.metallic != material->metallic;
    bool color = all || !same(known.base_color, material->base_color, 3);
    if (color)
        compute_color(material, classic);
    if (metal)
        compute_metallic(material, classic);
    if (color || metal)
        compute_specular(material, classic);
    if (all || known.alpha_mode != material->alpha_mode ||
        known.base_color[3] != material->base_color[3])
        compute_opacity(material, classic);
    if (all || known.roughness != material->roughness)
        compute_roughness(material, classic);
    if (all || !same(known.emissive, material->emissive, 3) || material->emissive_strength != 1)
        compute_emissive(material, classic);
    if (is_constant(classic) != material->unlit) {
        classic->illumination = material->unlit ? 0 : 2;
        classic->stated |= FACET_CLASSIC_ILLUMINATION;
    }
    compute_looks(material, &known, classic);
    const uint32_t looks = FACET_CLASSIC_SHEEN | FACET_CLASSIC_CLEARCOAT |
                           FACET_CLASSIC_ANISOTROPY | FACET_CLASSIC_REFRACTION;
    if (all && !has_values(material) && material->metallic == 0 && !(classic->stated & looks))
        classic->stated = FACET_CLASSIC_DIFFUSE | (classic->stated & FACET_CLASSIC_ILLUMINATION);
}

static bool look_is_same(const facet_material *a, const facet_material *b,
                         const facet_material_extension *extension)
{
    for (const facet_material_extension_value *value = extension->values; value->key; value++) {
        const float *x = facet_material_extension_const_floats(value, a);
        const float *y = facet_material_extension_const_floats(value, b);
        for (uint32_t i = 0; i < value->count; i++) {
            if (fabsf(x[i] - y[i]) > 1e-6F)
                return false;
        }
    }
    for (const facet_material_extension_map *map = extension->maps; map->key; map++) {
        if (has(a, map->map))
            return false;
    }
    return true;
}

facet_classic_look facet_material_classic_look(const facet_material *material,
                                               const facet_material_extension *extension)
{
    size_t first = extension->values[0].offset;
    bool is_exact =
        first == offsetof(facet_material, clearcoat) || first == offsetof(facet_material, ior);
    facet_classic classic;
    facet_material known;
    if (!extension->values[0].key) /* variants */
        return FACET_CLASSIC_LOOK_NONE;
    facet_material_init(&known);
    if (material->classic)
        derive_looks(material->classic, &known);
    if (look_is_same(material, &known, extension))
        return FACET_CLASSIC_LOOK_SAME;
    facet_material_get_classic(material, &classic);
    derive_looks(&classic, &known);
    if (is_exact && look_is_same(material, &known, extension))
        return FACET_CLASSIC_LOOK_SAME;
    return facet_material_extension_is_used(extension, &known) ? FACET_CLASSIC_LOOK_SIMILAR
                                                               : FACET_CLASSIC_LOOK_NONE;
}

bool facet_material_is_plain(const facet_material *m)
{
    bool maps = false, looks = false;
    for (int map = 0; map < FACET_MAP_COUNT; map++)
        maps |= has(m, (facet_map)map);
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++)
        looks |= facet_material_extension_is_used(&facet_material_extensions[i], m);
    return !maps && !looks && !has_values(m) && !m->double_sided && !m->unlit &&
           !facet_material_has_extras(m) && !m->gx;
}

bool facet_image_may_have_alpha(const facet_image *image)
{
    static const uint8_t png[] = {0x89, 'P', 'N', 'G'};
    const uint8_t *data = image->data;
    if (image->pixels || !data)
        return image->channels == 2 || image->channels == 4;
    if (image->size >= 2 && data[0] == 0xFF && data[1] == 0xD8)
        return false; /* a JPEG */
    if (image->size < 33 || memcmp(data, png, sizeof png) != 0)
        return true;
    if (data[25] & 4)
        return true;
    for (size_t at = 33; image->size - at >= 12;) {
        uint32_t length = facet_load_u32be(data + at);
        if (memcmp(data + at + 4, "tRNS", 4) == 0)
            return true;
        if (memcmp(data + at + 4, "IDAT", 4) == 0 || length > image->size - at - 12)
            return false;
        at += 12 + (size_t)length;
    }
    return false;
}

bool facet_material_ignores_alpha(const facet_scene *scene, const facet_material *material)
{
    const facet_texture *color = material->maps[FACET_MAP_DIFFUSE];
    return material->alpha_mode == FACET_ALPHA_OPAQUE && !material->classic && !material->gx &&
           color && color->has_image && facet_image_may_have_alpha(scene->images[color->image]);
}

bool facet_material_hides_emission(const facet_material *m)
{
    static const float black[3];
    return has(m, FACET_MAP_EMISSIVE) && (m->emissive_strength == 0 || same(m->emissive, black, 3));
}

/* -- Names -------------------------------------------------------------- */

static int compare_names(const void *user, uint32_t a, uint32_t b)
{
    facet_material *const *materials = user;
    return strcmp(materials[a]->name, materials[b]->name);
}

facet_status facet_scene_report_material_names(const facet_scene *scene, bool unnamed,
                                               facet_arena *scratch, facet_report *report,
                                               facet_error *error)
{
    facet_tally twice = {0, 0};
    facet_table table = facet_table_make(scratch);
    uint32_t found = 0;
    for (uint32_t i = 0; i < scene->material_count && found != FACET_NONE; i++) {
        const char *name = scene->materials[i]->name;
        if (!*name && !unnamed)
            continue;
        found = facet_table_put(&table, facet_hash_bytes(name, strlen(name)), i, compare_names,
                                scene->materials);
        if (found != i)
            facet_tally_hit(&twice, i);
    }
    facet_table_free(&table);
    if (found == FACET_NONE)
        return facet_fail_arena(scratch, error);
    facet_report_add_tally(report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &twice, "material %" PRIu64 " has the name of another", twice.first);
    return FACET_OK;
}
