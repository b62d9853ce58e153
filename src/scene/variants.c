/* scene/variants.c - application of one variant of a scene. */
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "scene/scene.h"

#include <string.h>

/* Get the replacement of each material; NULL if out of memory. */
static uint32_t *find_shown(const facet_scene *scene, uint32_t variant)
{
    uint32_t *shown = facet_arena_allocate(scene->arena, scene->material_count, sizeof *shown);
    for (uint32_t i = 0; shown && i < scene->material_count; i++) {
        const facet_material *material = scene->materials[i];
        shown[i] = i;
        for (uint32_t k = 0; k < material->variant_count; k++) {
            if (material->variants[k].variant == variant)
                shown[i] = material->variants[k].material;
        }
    }
    return shown;
}

static void replace(facet_material_uses uses, const uint32_t *shown)
{
    for (uint32_t i = 0; uses.indices && i < uses.count; i++) {
        if (uses.indices[i] != FACET_NONE)
            uses.indices[i] = shown[uses.indices[i]];
    }
}

facet_status facet_scene_choose_variant(facet_scene *scene, const char *name, facet_error *error)
{
    uint32_t variant = 0;
    facet_quoted quoted;
    while (variant < scene->variant_count && strcmp(scene->variants[variant], name) != 0)
        variant++;
    if (variant == scene->variant_count)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "SCENE-VARIANT", FACET_NO_OFFSET,
                          "no variant is named '%s'; the scene has %u variant%s",
                          facet_quote(&quoted, name, strlen(name)), scene->variant_count,
                          facet_plural(scene->variant_count, "", "s"));
    uint32_t *shown = find_shown(scene, variant);
    if (!shown)
        return facet_fail_arena(scene->arena, error);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        for (int kind = 0; kind < FACET_USE_KINDS; kind++)
            replace(facet_mesh_material_uses(scene->meshes[i], kind), shown);
    }
    facet_arena_release(scene->arena, shown, scene->material_count, sizeof *shown);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        scene->materials[i]->variants = NULL;
        scene->materials[i]->variant_count = 0;
    }
    scene->variants = NULL;
    scene->variant_count = 0;
    return FACET_OK;
}
