/* convert/compare_materials.c - comparison of the materials of two scenes. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/text.h"
#include "convert/compare.h"
#include "scene/axes.h"
#include "scene/material.h"
#include "scene/material_extensions.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* -- Materials ---------------------------------------------------------- */

static const facet_compare_number numbers[] = {
    {"base color", offsetof(facet_material, base_color), 4},
    {"metallic", offsetof(facet_material, metallic), 1},
    {"roughness", offsetof(facet_material, roughness), 1},
    {"emissive", offsetof(facet_material, emissive), 3},
    {"emissive strength", offsetof(facet_material, emissive_strength), 1},
};

/* Values that only classic materials have. */
static const facet_compare_number classic_numbers[] = {
    {"transmission", offsetof(facet_classic, transmission), 3},
    {"sheen", offsetof(facet_classic, sheen), 1},
    {"clearcoat", offsetof(facet_classic, clearcoat), 1},
    {"clearcoat roughness", offsetof(facet_classic, clearcoat_roughness), 1},
    {"anisotropy", offsetof(facet_classic, anisotropy), 1},
    {"anisotropy rotation", offsetof(facet_classic, anisotropy_rotation), 1},
};

/* Values of classic materials that the values above do not determine. */
static const facet_compare_number own_numbers[] = {
    {"ambient", offsetof(facet_classic, ambient), 3},
    {"specular", offsetof(facet_classic, specular), 3},
    {"shininess", offsetof(facet_classic, shininess), 1},
    {"index of refraction", offsetof(facet_classic, refraction_index), 1},
};

/* Likewise for the values in the table of looks. */
static bool looks_differ(const facet_material *a, const facet_material *b, char *text, size_t space)
{
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        for (const facet_material_extension_value *value = facet_material_extensions[i].values;
             value->key; value++) {
            const facet_compare_number row = {value->key, value->offset, (int)value->count};
            if (facet_compare_numbers(&row, 1, a, b, text, space))
                return true;
        }
    }
    return false;
}

static const char *const map_names[FACET_MAP_COUNT] = {"ambient",
                                                       "base color",
                                                       "specular",
                                                       "emissive",
                                                       "shininess",
                                                       "opacity",
                                                       "bump",
                                                       "normal",
                                                       "displacement",
                                                       "decal",
                                                       "reflection",
                                                       "roughness",
                                                       "metallic",
                                                       "sheen",
                                                       "metallic and roughness",
                                                       "occlusion",
                                                       "specular factor",
                                                       "specular color",
                                                       "clearcoat",
                                                       "clearcoat roughness",
                                                       "clearcoat normal",
                                                       "sheen color",
                                                       "sheen roughness",
                                                       "transmission",
                                                       "thickness",
                                                       "iridescence",
                                                       "iridescence thickness",
                                                       "anisotropy",
                                                       "diffuse transmission",
                                                       "diffuse transmission color"};

/* Transform of a texture, with v = 0 at the bottom. */
static void transform_of(const facet_scene *scene, const facet_texture *texture, float out[5])
{
    float offset[2] = {0, 0}, scale[2] = {1, 1}, rotation = 0;
    if (texture->has_transform) {
        memcpy(offset, texture->offset, sizeof offset);
        memcpy(scale, texture->scale, sizeof scale);
        rotation = texture->rotation;
    }
    if (scene->axes.uv_origin_top)
        facet_axes_flip_transform(offset, &rotation, scale);
    const float all[5] = {offset[0], offset[1], rotation, scale[0], scale[1]};
    memcpy(out, all, sizeof all);
}

/* True if two textures name different images. Without an image in the scene, the path counts, and
 * a note says that pixels were not compared. */
static bool images_differ(const facet_comparing *c, const facet_scene *scenes[2],
                          const facet_texture *x, const facet_texture *y)
{
    if (x->has_image && y->has_image)
        return c->image_pairs[x->image] != y->image;
    const char *names[2] = {x->has_image ? scenes[0]->images[x->image]->name : x->path,
                            y->has_image ? scenes[1]->images[y->image]->name : y->path};
    for (int i = 0; i < 2; i++)
        names[i] = facet_compare_image_stem(c->arena, names[i] ? names[i] : "");
    if (!names[0] || !names[1] || strcmp(names[0], names[1]) != 0)
        return true;
    facet_quoted quoted;
    facet_compare_add_absent(c, FACET_COMPARE_IMAGES, "COMPARE-IMAGE-ABSENT",
                             "image '%s' is in %s: it is not compared",
                             facet_quote(&quoted, names[0], strlen(names[0])),
                             x->has_image || y->has_image ? "one file only" : "neither file");
    return false;
}

/* Name of the first difference of two textures of one map, or NULL. */
static const char *texture_difference(const facet_comparing *c, const facet_scene *scenes[2],
                                      const facet_texture *x, const facet_texture *y)
{
    float here[5], there[5];
    if (images_differ(c, scenes, x, y))
        return "another image";
    if (x->uv_set != y->uv_set)
        return "another set of texture coordinates";
    if (fabsf(x->strength - y->strength) > 1e-5F)
        return "another strength";
    if (x->wrap_u != y->wrap_u || x->wrap_v != y->wrap_v)
        return "another way to wrap";
    if ((x->minify && y->minify && x->minify != y->minify) ||
        (x->magnify && y->magnify && x->magnify != y->magnify))
        return "another filter";
    transform_of(scenes[0], x, here);
    transform_of(scenes[1], y, there);
    for (int i = 0; i < 5; i++) {
        if (fabsf(here[i] - there[i]) > 1e-4F)
            return "another transform";
    }
    return NULL;
}

/* Get classic values; those that the source does not state are 0, as in files without them. */
static void get_stated(const facet_material *material, facet_classic *classic)
{
    static const struct {
        uint32_t bit;
        size_t offset;
        size_t size;
    } values[] = {
        {FACET_CLASSIC_TRANSMISSION, offsetof(facet_classic, transmission), 3 * sizeof(float)},
        {FACET_CLASSIC_SHEEN, offsetof(facet_classic, sheen), sizeof(float)},
        {FACET_CLASSIC_CLEARCOAT, offsetof(facet_classic, clearcoat), sizeof(float)},
        {FACET_CLASSIC_CLEARCOAT_ROUGHNESS, offsetof(facet_classic, clearcoat_roughness),
         sizeof(float)},
        {FACET_CLASSIC_ANISOTROPY, offsetof(facet_classic, anisotropy), sizeof(float)},
        {FACET_CLASSIC_ANISOTROPY_ROTATION, offsetof(facet_classic, anisotropy_rotation),
         sizeof(float)}};
    facet_material_get_classic(material, classic);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (!(classic->stated & values[i].bit))
            memset((char *)classic + values[i].offset, 0, values[i].size);
    }
}

/* Get the values of own_numbers and the illumination model. Those that a classic material does not
 * state are defaults; those of other materials are computed. */
static void get_own(const facet_material *material, facet_classic *own)
{
    facet_classic classic;
    facet_material_get_classic(material, &classic);
    facet_classic_init(own);
    bool computed = !material->classic;
    if (computed || classic.stated & FACET_CLASSIC_AMBIENT)
        memcpy(own->ambient, classic.ambient, sizeof own->ambient);
    if (computed || classic.stated & FACET_CLASSIC_SPECULAR)
        memcpy(own->specular, classic.specular, sizeof own->specular);
    if (computed || classic.stated & FACET_CLASSIC_SHININESS)
        own->shininess = classic.shininess;
    if (computed || classic.stated & FACET_CLASSIC_REFRACTION)
        own->refraction_index = classic.refraction_index;
    if (computed || classic.stated & FACET_CLASSIC_ILLUMINATION)
        own->illumination = classic.illumination;
}

/* Describe the first difference of own_numbers and illumination models, or write "". */
static void own_difference(const facet_material *a, const facet_material *b, char *text,
                           size_t space)
{
    facet_classic here, there;
    text[0] = '\0';
    if (!a->classic && !b->classic)
        return;
    get_own(a, &here);
    get_own(b, &there);
    if (!facet_compare_numbers(own_numbers, sizeof own_numbers / sizeof *own_numbers, &here, &there,
                               text, space) &&
        here.illumination != there.illumination)
        snprintf(text, space, "illumination model %" PRId32 ", in the second file %" PRId32,
                 here.illumination, there.illumination);
}

/* Describe the first difference of two materials, or write "". */
static void difference_of(const facet_comparing *c, const facet_scene *scenes[2],
                          const facet_material *a, const facet_material *b, char *text,
                          size_t space)
{
    static const char *const modes[] = {"opaque", "mask", "blend"};
    facet_classic first, second;
    facet_material scaled = *b;
    scaled.thickness *= (float)c->scale;
    scaled.attenuation_distance *= (float)c->scale;
    b = &scaled;
    get_stated(a, &first);
    get_stated(b, &second);
    text[0] = '\0';
    if (facet_compare_numbers(numbers, sizeof numbers / sizeof *numbers, a, b, text, space) ||
        looks_differ(a, b, text, space) ||
        facet_compare_numbers(classic_numbers, sizeof classic_numbers / sizeof *classic_numbers,
                              &first, &second, text, space))
        return;
    if (a->alpha_mode != b->alpha_mode)
        snprintf(text, space, "alpha mode %s, in the second file %s", modes[a->alpha_mode],
                 modes[b->alpha_mode]);
    else if (a->alpha_mode == FACET_ALPHA_MASK && fabsf(a->alpha_cutoff - b->alpha_cutoff) > 1e-5F)
        snprintf(text, space, "alpha cutoff %g, in the second file %g", (double)a->alpha_cutoff,
                 (double)b->alpha_cutoff);
    else if (a->double_sided != b->double_sided)
        snprintf(text, space, "%s, in the second file not",
                 a->double_sided ? "two sides" : "one side");
    else if (a->unlit != b->unlit)
        snprintf(text, space, "%s, in the second file not", a->unlit ? "unlit" : "lit");
    for (int map = 0; map < FACET_MAP_COUNT && !*text; map++) {
        bool here = a->maps[map] != NULL, there = b->maps[map] != NULL;
        const char *texture =
            here && there ? texture_difference(c, scenes, a->maps[map], b->maps[map]) : NULL;
        if (here != there)
            snprintf(text, space, "%s texture for %s, in the second file %s", here ? "a" : "no",
                     map_names[map], here ? "none" : "one");
        else if (texture)
            snprintf(text, space, "%s for %s in the second file", texture, map_names[map]);
    }
}

/* True if two materials have different replacements in the variants; `pairs` are the materials of
 * the second file. */
static bool variants_differ(const facet_material *a, const facet_material *b, const uint32_t *pairs)
{
    if (a->variant_count != b->variant_count)
        return true;
    for (uint32_t i = 0; i < a->variant_count; i++) {
        const facet_variant_use *x = &a->variants[i], *y = &b->variants[i];
        if (x->variant != y->variant || pairs[x->material] != y->material)
            return true;
    }
    return false;
}

static uint64_t material_content(const void *item)
{
    const facet_material *m = item;
    uint64_t hash = facet_hash_word(m->alpha_mode, m->double_sided + 2 * m->unlit);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        hash = facet_hash_word(hash, facet_hash_bytes((const char *)m + numbers[i].offset,
                                                      numbers[i].count * sizeof(float)));
    for (int i = 0; i < FACET_MAP_COUNT; i++)
        hash = facet_hash_word(hash, m->maps[i] ? m->maps[i]->uv_set + 1 : 0);
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        for (const facet_material_extension_value *value = facet_material_extensions[i].values;
             value->key; value++)
            hash = facet_hash_word(hash,
                                   facet_hash_bytes(facet_material_extension_const_floats(value, m),
                                                    value->count * sizeof(float)));
    }
    return hash;
}

/* Number by content: that of an equal material, or else its own, `fresh`. */
static bool number_content(facet_records *contents, uint32_t *known, const facet_material *m,
                           uint32_t fresh, uint32_t *number)
{
    uint64_t content = material_content(m);
    uint32_t before = contents->count, record = facet_records_put(contents, &content);
    if (record == before)
        known[record] = fresh;
    if (record != UINT32_MAX)
        *number = known[record];
    return record != UINT32_MAX;
}

/* Partners get the index of a. A material without partner gets the number of an equal material, so
 * that duplicates that another program merged, or a default that it wrote, are equal. */
static facet_status number_materials(facet_comparing *c, const facet_scene *a, const facet_scene *b,
                                     const uint32_t *pairs, facet_error *error)
{
    facet_records contents = facet_records_make(c->arena, sizeof(uint64_t));
    size_t count = (size_t)a->material_count + b->material_count;
    uint32_t *all = facet_arena_allocate(c->arena, count, sizeof *all), ignored;
    uint32_t *known = facet_arena_allocate(c->arena, count + 1, sizeof *known);
    if (!all || !known)
        return facet_fail_arena(c->arena, error);
    c->materials[0] = all;
    c->materials[1] = all + a->material_count;
    for (size_t i = 0; i < count; i++)
        all[i] = UINT32_MAX;
    bool ok = true;
    for (uint32_t i = 0; i < a->material_count && ok; i++) {
        if (pairs[i] == FACET_NONE)
            continue;
        all[i] = c->materials[1][pairs[i]] = i;
        ok = number_content(&contents, known, a->materials[i], i, &ignored);
    }
    facet_material plain;
    facet_material_init(&plain);
    ok = ok && number_content(&contents, known, &plain, FACET_NONE, &ignored);
    for (uint32_t i = 0; i < count && ok; i++) {
        const facet_material *m =
            i < a->material_count ? a->materials[i] : b->materials[i - a->material_count];
        if (all[i] == UINT32_MAX)
            ok = number_content(&contents, known, m, i, &all[i]);
    }
    return ok ? FACET_OK : facet_fail_arena(c->arena, error);
}

facet_status facet_compare_materials(facet_comparing *c, const facet_scene *a, const facet_scene *b,
                                     facet_error *error)
{
    uint32_t *pairs = NULL;
    facet_status status = facet_compare_pair(
        c, "materials", a->materials, a->material_count, b->materials, b->material_count,
        offsetof(facet_material, name), material_content, &pairs, error);
    if (!status)
        status = number_materials(c, a, b, pairs, error);
    const facet_scene *scenes[2] = {a, b};
    uint32_t differing = 0, uncertain = 0;
    for (uint32_t i = 0; i < a->material_count && !status; i++) {
        if (pairs[i] == FACET_NONE)
            continue;
        const facet_material *here = a->materials[i], *there = b->materials[pairs[i]];
        char text[160], own[160];
        facet_quoted quoted;
        facet_quote(&quoted, here->name, strlen(here->name));
        difference_of(c, scenes, here, there, text, sizeof text);
        own_difference(here, there, own, sizeof own);
        bool comparable = here->classic && there->classic;
        if (!*text && variants_differ(here, there, pairs))
            snprintf(text, sizeof text, "other materials in variants of the second file");
        if (!*text && facet_compare_texts_differ(here->extensions, there->extensions))
            snprintf(text, sizeof text, "other extensions in the second file");
        const char *difference = *text ? text : comparable ? own : "";
        if (*difference && differing++ < FACET_COMPARE_DETAILS)
            facet_compare_add(c, FACET_COMPARE_MATERIALS, "COMPARE-MATERIAL", FACET_NO_OFFSET,
                              "material '%s' has %s", quoted.text, difference);
        if (*own && !comparable && uncertain++ < FACET_COMPARE_DETAILS)
            facet_compare_add_absent(c, FACET_COMPARE_MATERIALS, "COMPARE-UNREAD",
                                     "not compared, because only the %s file has it: material '%s' "
                                     "has %s",
                                     here->classic ? "first" : "second", quoted.text, own);
    }
    if (differing > FACET_COMPARE_DETAILS)
        facet_compare_add(c, FACET_COMPARE_MATERIALS, "COMPARE-MATERIAL", FACET_NO_OFFSET,
                          "%" PRIu32 " more material%s", differing - FACET_COMPARE_DETAILS,
                          facet_plural(differing - FACET_COMPARE_DETAILS, " differs", "s differ"));
    return status;
}
