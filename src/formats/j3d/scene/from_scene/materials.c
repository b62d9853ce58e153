/* formats/j3d/scene/from_scene/materials.c - the materials of all slots. */
#include "formats/j3d/json/json.h"
#include "formats/j3d/scene/from_scene/builder.h"
#include "formats/j3d/scene/from_scene/original.h"
#include "gx/json/file_state.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_NORMAL = 1, SOURCE_TEXCOORD0 = 4, SOURCE_TEXCOORD7 = 11 };
enum { CULL_FRONT = 1 };
enum { FIRST_TEXTURE_MATRIX = 30, IDENTITY_MATRIX = 60 };

/* -- Extras ------------------------------------------------------------- */

/* Extras refer to textures by name. If several models are in the scene, textures can have equal
 * names: the material's is that of its image. */
static void use_own_texture(const facet_j3d_builder *b, uint32_t material,
                            const facet_gx_file_material *file, facet_j3d_material *state)
{
    uint32_t own = b->texture_of[material];
    if (own == FACET_NONE || !b->label_of)
        return;
    for (unsigned i = 0; i < 8; i++) {
        uint16_t number = file->gx.textures[i];
        if (!(file->given.textures >> i & 1) || number >= file->texture_count)
            continue;
        const char *name = file->textures[number].name;
        if (name && strcmp(name, b->label_of[own]) == 0)
            state->gx.textures[i] = (uint16_t)own;
    }
}

facet_status facet_j3d_read_extras(const facet_j3d_builder *b, uint32_t material,
                                   facet_j3d_extras_data *extras_data)
{
    facet_error why;
    *extras_data = (facet_j3d_extras_data){0};
    if (b->is_edited[material])
        return FACET_OK;
    TRY(facet_j3d_builder_material_file(b, material, &extras_data->file));
    const facet_gx_file_material *file = extras_data->file;
    if (!file || !file->is_known) {
        extras_data->wrong = file ? file->wrong : NULL;
        return FACET_OK;
    }
    facet_j3d_material *state = facet_arena_allocate(b->scratch, 1, sizeof *state);
    if (!state)
        return facet_fail_arena(b->scratch, b->error);
    if (!facet_j3d_material_from_file(file, &b->document->textures, state, &why)) {
        use_own_texture(b, material, file, state);
        extras_data->state = state;
        return FACET_OK;
    }
    facet_arena_release(b->scratch, state, 1, sizeof *state);
    extras_data->wrong = facet_arena_string(b->scratch, why.message, strlen(why.message));
    return extras_data->wrong ? FACET_OK : facet_fail_arena(b->scratch, b->error);
}

/* An edited material uses the texture coordinates that it shows. */
static void count_shown_texcoords(facet_j3d_builder *b, uint32_t material)
{
    const facet_texture *map = b->scene->materials[material]->maps[FACET_MAP_DIFFUSE];
    if (map && map->uv_set < 8 && map->uv_set >= b->own_texcoords)
        b->own_texcoords = map->uv_set + 1;
}

/* Former J3D materials use the texture coordinates of their texgens; higher sets were computed for
 * other programs. If such a material culls front faces, the scene has reversed triangles. */
facet_status facet_j3d_find_own_materials(facet_j3d_builder *b)
{
    if (b->like)
        return b->like->steps->find_own_materials(b);
    b->extras_data = facet_j3d_builder_scratch(b, b->scene->material_count, sizeof *b->extras_data);
    b->is_reversed = facet_j3d_builder_scratch(b, b->scene->material_count, sizeof *b->is_reversed);
    if (!b->extras_data || !b->is_reversed)
        return facet_fail_arena(b->scratch, b->error);
    for (uint32_t m = 0; m < b->scene->material_count; m++) {
        TRY(facet_j3d_read_extras(b, m, &b->extras_data[m]));
        if (b->is_edited[m])
            count_shown_texcoords(b, m);
        const facet_j3d_material *material = b->extras_data[m].state;
        if (!material)
            continue;
        b->is_reversed[m] = material->given.cull_mode && material->gx.cull_mode == CULL_FRONT;
        for (uint32_t i = 0; i < material->gx.texgen_count; i++) {
            uint8_t source = material->gx.texgens[i].source;
            if (source < SOURCE_TEXCOORD0 || source > SOURCE_TEXCOORD7)
                continue;
            uint32_t sets = source - SOURCE_TEXCOORD0 + 1u;
            b->own_texcoords = sets > b->own_texcoords ? sets : b->own_texcoords;
        }
    }
    return FACET_OK;
}

/* -- Copies ------------------------------------------------------------- */

/* Properties that identify copies of a material. */
typedef struct candidate {
    const char *name;
    const facet_gx_file_material *file;
    bool is_bare; /* has no maps */
    uint32_t material;
} candidate;

/* Sort by name and file data; materials with maps come before those without. */
static int compare_candidates(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    if (!order)
        order = facet_gx_file_material_compare(a->file, b->file);
    if (!order)
        order = a->is_bare - b->is_bare;
    return order ? order : (a->material > b->material) - (a->material < b->material);
}

bool facet_j3d_is_bare(const facet_material *material)
{
    for (int i = 0; i < FACET_MAP_COUNT; i++) {
        if (material->maps[i])
            return false;
    }
    return true;
}

/* Find copies without maps. In glTF, a material with maps requires texture coordinates, so meshes
 * without any have a copy without maps. J3D does not need it: the n-th copy uses the n-th material
 * with maps and the same name and state. */
facet_status facet_j3d_find_copies(facet_j3d_builder *b)
{
    uint32_t all = b->scene->material_count, count = 0;
    candidate *candidates = facet_arena_allocate(b->scratch, all, sizeof *candidates);
    b->original_of = facet_j3d_builder_scratch(b, all, sizeof *b->original_of);
    if (!candidates || !b->original_of)
        return facet_fail_arena(b->scratch, b->error);
    for (uint32_t m = 0; m < all; m++) {
        const facet_material *material = b->scene->materials[m];
        b->original_of[m] = m;
        if (b->extras_data[m].state)
            candidates[count++] =
                (candidate){material->name, b->extras_data[m].file, facet_j3d_is_bare(material), m};
    }
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    for (uint32_t i = 0, first = 0, mapped = 0, bare = 0; i < count; i++) {
        const candidate *group = &candidates[first], *item = &candidates[i];
        if (strcmp(group->name, item->name) != 0 ||
            facet_gx_file_material_compare(group->file, item->file) != 0) {
            first = i;
            mapped = bare = 0;
        }
        if (!item->is_bare)
            mapped++;
        else if (mapped > 0)
            b->original_of[item->material] = candidates[first + bare++ % mapped].material;
    }
    facet_arena_release(b->scratch, candidates, all, sizeof *candidates);
    return FACET_OK;
}

/* -- Merging ------------------------------------------------------------ */

/* All properties of a material that J3D stores, except its name. */
typedef struct look {
    facet_texture map; /* without path and options */
    float base_color[4], cutoff;
    uint32_t alpha_mode, is_two_sided, is_unlit;
    const char *extras;
    const facet_gx_file_material *file;
    uint32_t material;
} look;

static int compare_looks(const void *left, const void *right)
{
    const look *a = left, *b = right;
    int order = memcmp(a, b, offsetof(look, extras));
    if (!order)
        order = strcmp(a->extras, b->extras);
    if (order || a->file == b->file)
        return order;
    return a->file && b->file ? facet_gx_file_material_compare(a->file, b->file)
                              : !b->file - !a->file;
}

static int compare_looks_in_order(const void *left, const void *right)
{
    const look *a = left, *b = right;
    int order = compare_looks(left, right);
    return order ? order : (a->material > b->material) - (a->material < b->material);
}

static void look_at(const facet_j3d_builder *b, uint32_t m, look *out)
{
    const facet_material *material = b->scene->materials[m];
    const facet_texture *map = material->maps[FACET_MAP_DIFFUSE];
    memset(out, 0, sizeof *out);
    out->map.has_image = map && map->has_image;
    if (out->map.has_image) {
        out->map.image = map->image;
        out->map.uv_set = map->uv_set;
        out->map.has_transform = map->has_transform;
        memcpy(out->map.offset, map->offset, sizeof map->offset);
        memcpy(out->map.scale, map->scale, sizeof map->scale);
        out->map.rotation = map->rotation;
        out->map.wrap_u = map->wrap_u;
        out->map.wrap_v = map->wrap_v;
        out->map.minify = map->minify;
        out->map.magnify = map->magnify;
    }
    memcpy(out->base_color, material->base_color, sizeof out->base_color);
    out->alpha_mode = material->alpha_mode;
    out->cutoff = material->alpha_mode == FACET_ALPHA_MASK ? material->alpha_cutoff : 0;
    out->is_two_sided = material->double_sided;
    out->is_unlit = material->unlit;
    out->extras = material->extras ? material->extras : "";
    out->file = material->extras ? NULL : material->gx_file;
    out->material = m;
}

/* Merge materials that differ only in their names or in properties that J3D cannot store. The first
 * one is used. */
facet_status facet_j3d_merge_materials(facet_j3d_builder *b)
{
    uint32_t count = b->scene->material_count;
    const facet_j3d_options *j3d = b->options ? b->options->j3d : NULL;
    if (!j3d || !j3d->merge_materials)
        return FACET_OK;
    look *looks = facet_arena_allocate(b->scratch, count, sizeof *looks);
    uint32_t *first_of = facet_arena_allocate(b->scratch, count, sizeof *first_of);
    facet_tally merged = {0, 0};
    if (!looks || !first_of)
        return facet_fail_arena(b->scratch, b->error);
    for (uint32_t m = 0; m < count; m++)
        look_at(b, m, &looks[m]);
    if (count > 0)
        qsort(looks, count, sizeof *looks, compare_looks_in_order);
    for (uint32_t i = 0, first = 0; i < count; i++) {
        if (compare_looks(&looks[first], &looks[i]) != 0)
            first = i;
        first_of[looks[i].material] = looks[first].material;
    }
    for (uint32_t m = 0; m < count; m++) {
        b->original_of[m] = first_of[b->original_of[m]];
        if (first_of[m] != m)
            facet_tally_hit(&merged, m);
    }
    facet_arena_release(b->scratch, looks, count, sizeof *looks);
    facet_report_add_tally(
        facet_j3d_builder_report(b), "J3D-MERGED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &merged,
        "material %" PRIu64 " is like an earlier one, and drawn with it", merged.first);
    return FACET_OK;
}

/* -- Names -------------------------------------------------------------- */

/* Name a slot. All slots of a material have its name. */
static facet_status name_slot(facet_j3d_builder *b, uint32_t slot, size_t *lost)
{
    uint32_t material = b->slots[slot];
    const char *name =
        material < b->scene->material_count ? b->scene->materials[material]->name : "material";
    if (!*name)
        name = facet_arena_format(b->scratch, "material%" PRIu32, material);
    if (!name)
        return facet_fail_arena(b->scratch, b->error);
    return facet_j3d_builder_name(b, name, &b->materials[slot].name, lost);
}

/* -- Vertices of a slot ------------------------------------------------- */

/* True if a color of the shape is not opaque. */
static bool has_alpha(const facet_j3d_builder *b, const facet_j3d_shape_plan *shape)
{
    const facet_j3d_array *colors = &b->document->vertices.arrays[FACET_J3D_ARRAY_COLOR0];
    for (size_t k = 0; k < (size_t)shape->triangle_count * 3; k++) {
        uint32_t v = shape->vertices[shape->triangles[k]];
        if (colors->bytes[(size_t)b->indices[FACET_J3D_ARRAY_COLOR0][v] * 4 + 3] != 255)
            return true;
    }
    return false;
}

/* `shape` is the shape of the slot, or NULL. */
void facet_j3d_build_one_material(const facet_j3d_builder *b, uint32_t material,
                                  const facet_j3d_shape_plan *shape,
                                  const facet_j3d_extras_data *extras_data, facet_j3d_material *out)
{
    uint32_t arrays = shape ? shape->arrays : 0;
    facet_j3d_material_source from = {.scene = b->scene,
                                      .material = FACET_NONE,
                                      .extras_data = extras_data,
                                      .texture = FACET_J3D_NONE};
    if (material < b->scene->material_count) {
        from.material = material;
        if (b->texture_of[material] != FACET_NONE)
            from.texture = (uint16_t)b->texture_of[material];
        const facet_texture *map = b->scene->materials[material]->maps[FACET_MAP_DIFFUSE];
        from.texcoord = map ? (uint8_t)map->uv_set : 0;
    }
    from.has_normals = (arrays >> FACET_J3D_ARRAY_NORMAL & 1) != 0;
    from.has_color = (arrays >> FACET_J3D_ARRAY_COLOR0 & 1) != 0;
    from.has_alpha = from.has_color && has_alpha(b, shape);
    /* A texture without its coordinates cannot be drawn. */
    if (from.texcoord > 7 || !(arrays >> (FACET_J3D_ARRAY_TEXCOORD0 + from.texcoord) & 1)) {
        from.texture = FACET_J3D_NONE;
        from.texcoord = 0;
    }
    facet_j3d_material_from_scene(&from, b->options, out);
}

/* True if a material has a texture, and its shape lacks the coordinates. */
static bool lacks_texcoords(const facet_j3d_builder *b, uint32_t material,
                            const facet_j3d_shape_plan *shape)
{
    if (!shape || material >= b->scene->material_count || b->texture_of[material] == FACET_NONE ||
        (b->extras_data[material].state && !b->is_edited[material]))
        return false;
    const facet_texture *map = b->scene->materials[material]->maps[FACET_MAP_DIFFUSE];
    return map &&
           (map->uv_set > 7 || !(shape->arrays >> (FACET_J3D_ARRAY_TEXCOORD0 + map->uv_set) & 1));
}

static void build_material(facet_j3d_builder *b, uint32_t slot, const facet_j3d_shape_plan *shape)
{
    static const facet_j3d_extras_data nothing = {0};
    uint32_t material = b->slots[slot];
    facet_j3d_name name = b->materials[slot].name;
    facet_j3d_build_one_material(b, material, shape,
                                 material >= b->scene->material_count ? &nothing
                                 : b->is_edited[material]             ? NULL
                                                                      : &b->extras_data[material],
                                 &b->materials[slot]);
    b->materials[slot].name = name;
}

/* Let vertices of shapes with many matrices choose a texture matrix, like their position matrix, if
 * texture coordinates are computed from normals. */
static void follow_normals(facet_j3d_builder *b)
{
    for (uint32_t i = 0; i < b->shape_count; i++) {
        facet_j3d_shape_plan *shape = &b->shapes[i];
        const facet_j3d_material *material = &b->materials[shape->slot];
        for (int k = 0; k < 8 && k < material->gx.texgen_count; k++) {
            const facet_gx_texgen *texgen = &material->gx.texgens[k];
            if (texgen->source == SOURCE_NORMAL && texgen->matrix >= FIRST_TEXTURE_MATRIX &&
                texgen->matrix < IDENTITY_MATRIX)
                shape->texture_matrices |= (uint8_t)(1 << k);
        }
    }
}

facet_status facet_j3d_build_materials(facet_j3d_builder *b)
{
    size_t lost = 0;
    facet_tally bare = {0, 0};
    facet_status status = FACET_OK; /* a slot has one shape, and the limit of shapes was checked */
    b->materials = facet_j3d_builder_scratch(b, b->slot_count, sizeof *b->materials);
    const facet_j3d_shape_plan **shape_of =
        facet_j3d_builder_scratch(b, b->slot_count, sizeof *shape_of);
    if (!b->materials || !shape_of)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < b->shape_count; i++)
        shape_of[b->shapes[i].slot] = &b->shapes[i];
    for (uint32_t slot = 0; slot < b->slot_count && !status; slot++) {
        status = name_slot(b, slot, &lost);
        if (!status)
            build_material(b, slot, shape_of[slot]);
        if (!status && lacks_texcoords(b, b->slots[slot], shape_of[slot]))
            facet_tally_hit(&bare, b->slots[slot]);
    }
    if (status)
        return status;
    facet_report_add_tally(facet_j3d_builder_report(b), "LOSS-TEXTURES", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &bare,
                           "the texture of material %" PRIu64
                           " is dropped where a mesh lacks its texture coordinates",
                           bare.first);
    facet_j3d_builder_report_names(b, "material", lost);
    follow_normals(b);
    b->document->has_materials = true;
    return facet_j3d_set_materials(b->document, b->materials, b->slot_count, b->error);
}
