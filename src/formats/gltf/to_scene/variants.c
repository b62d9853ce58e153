/* formats/gltf/to_scene/variants.c - KHR_materials_variants: the variants of primitives become
 * properties of materials, so that a face needs only one number. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "formats/gltf/to_scene/to_scene.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The scene has one material for each pair of a material and its variants. */
typedef struct twins {
    facet_gltf_file *file;
    facet_scene *scene;
    facet_names known;   /* the pairs, as bytes */
    uint32_t *materials; /* material of the scene for each pair */
    uint32_t capacity;
    bool *taken; /* per material of the file: true if it is used by a pair */
    facet_tally wrong;
    uint32_t twin_count;
} twins;

static int by_variant(const void *a, const void *b)
{
    const facet_variant_use *x = a, *y = b;
    return x->variant < y->variant ? -1 : x->variant > y->variant;
}

/* Drop invalid entries, sort, and keep one material per variant. */
static void clean(twins *t, facet_gltf_primitive *primitive)
{
    const facet_gltf_document *document = &t->file->document;
    uint32_t count = 0;
    for (uint32_t i = 0; i < primitive->variant_count; i++) {
        facet_variant_use use = primitive->variants[i];
        if (use.variant < document->variant_count && use.material < document->material_count)
            primitive->variants[count++] = use;
        else
            facet_tally_hit(&t->wrong, i);
    }
    if (count > 1)
        qsort(primitive->variants, count, sizeof *primitive->variants, by_variant);
    primitive->variant_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t last = primitive->variant_count;
        if (last > 0 && primitive->variants[last - 1].variant == primitive->variants[i].variant)
            facet_tally_hit(&t->wrong, i);
        else
            primitive->variants[primitive->variant_count++] = primitive->variants[i];
    }
}

static facet_status add_twin(twins *t, uint32_t material, uint32_t *made, facet_error *error)
{
    facet_material *twin = NULL;
    TRY(facet_scene_add_material(t->scene, "", &twin, error));
    if (material != FACET_NONE) {
        *twin = *t->scene->materials[material];
        twin->variants = NULL;
        twin->variant_count = 0;
        t->twin_count++;
    }
    *made = t->scene->material_count - 1;
    return FACET_OK;
}

static facet_status set_variants(twins *t, uint32_t material, const facet_gltf_primitive *primitive,
                                 facet_error *error)
{
    if (primitive->variant_count == 0)
        return FACET_OK;
    facet_material *to = t->scene->materials[material];
    to->variants = facet_scene_allocate(t->scene, primitive->variant_count, sizeof *to->variants);
    if (!to->variants)
        return facet_fail_arena(t->scene->arena, error);
    memcpy(to->variants, primitive->variants, primitive->variant_count * sizeof *to->variants);
    to->variant_count = primitive->variant_count;
    return FACET_OK;
}

/* Find the number of a primitive's pair. A new pair gets the file's material, or a twin of it. */
static facet_status find(twins *t, facet_gltf_primitive *primitive, facet_error *error)
{
    facet_arena *arena = t->file->arena;
    size_t size = primitive->variant_count * sizeof *primitive->variants;
    char *key = facet_arena_allocate(arena, sizeof primitive->material + size, 1);
    if (!key)
        return facet_fail_arena(arena, error);
    memcpy(key, &primitive->material, sizeof primitive->material);
    if (size > 0)
        memcpy(key + sizeof primitive->material, primitive->variants, size);
    uint32_t known = t->known.count;
    uint32_t pair = facet_names_put(&t->known, key, sizeof primitive->material + size);
    if (pair == UINT32_MAX)
        return facet_fail_arena(arena, error);
    if (pair == known) {
        if (!FACET_GROW(arena, t->materials, pair, t->capacity))
            return facet_fail_arena(arena, error);
        uint32_t material = primitive->material;
        bool is_own = material == FACET_NONE ? primitive->variant_count == 0 : !t->taken[material];
        if (!is_own)
            TRY(add_twin(t, primitive->material, &material, error));
        else if (material != FACET_NONE)
            t->taken[material] = true;
        TRY(set_variants(t, material, primitive, error));
        t->materials[pair] = material;
    }
    primitive->shown = t->materials[pair];
    return FACET_OK;
}

static facet_status find_all(twins *t, facet_error *error)
{
    facet_gltf_document *document = &t->file->document;
    for (uint32_t m = 0; m < document->mesh_count; m++) {
        for (uint32_t i = 0; i < document->meshes[m].primitive_count; i++) {
            facet_gltf_primitive *primitive = &document->meshes[m].primitives[i];
            /* An invalid material is reported when the mesh is read. */
            if (primitive->material != FACET_NONE &&
                primitive->material >= document->material_count)
                continue;
            clean(t, primitive);
            TRY(find(t, primitive, error));
        }
    }
    return FACET_OK;
}

/* Report twins of animated materials: animations do not change them. */
static void report_animated(const twins *t)
{
    const facet_gltf_document *document = &t->file->document;
    facet_tally channels = {0};
    for (uint32_t a = 0; a < document->animation_count; a++) {
        for (uint32_t c = 0; c < document->animations[a].channel_count; c++) {
            if (strncmp(document->animations[a].channels[c].pointer, "/materials/", 11) == 0)
                facet_tally_hit(&channels, a);
        }
    }
    facet_report_add_tally(t->file->options ? t->file->options->report : NULL, "GLTF-ANIMATION",
                           FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &channels,
                           "animation %" PRIu64
                           " moves a material, but not its copies for other mappings to variants",
                           channels.first);
}

facet_status facet_gltf_variants_to_scene(facet_gltf_file *file, facet_scene *scene,
                                          facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    twins t = {.file = file, .scene = scene, .known = facet_names_make(file->arena)};
    if (document->variant_count == 0)
        return FACET_OK;
    scene->variants = facet_scene_allocate(scene, document->variant_count, sizeof *scene->variants);
    t.taken = facet_arena_allocate_zeroed(file->arena, document->material_count, sizeof *t.taken);
    if (!scene->variants || !t.taken)
        return facet_fail_arena(scene->variants ? file->arena : scene->arena, error);
    for (uint32_t i = 0; i < document->variant_count; i++)
        TRY(facet_gltf_copy_text(scene, document->variants[i], &scene->variants[i], error));
    scene->variant_count = document->variant_count;
    TRY(find_all(&t, error));
    if (t.twin_count > 0)
        report_animated(&t);
    facet_report_add_tally(file->options ? file->options->report : NULL, "GLTF-MATERIAL",
                           FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &t.wrong,
                           "a mapping to variants names a missing variant or material, or a "
                           "variant twice; it is left out");
    return FACET_OK;
}
