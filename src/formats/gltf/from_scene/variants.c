/* formats/gltf/from_scene/variants.c - a scene's variants as KHR_materials_variants, per
 * primitive. */
#include "base/arena.h"
#include "formats/gltf/from_scene/writer.h"

#include <stdlib.h>
#include <string.h>

#define NAME "KHR_materials_variants"

void facet_gltf_variants_from_scene(facet_gltf_writer *w)
{
    const facet_scene *scene = w->scene;
    if (scene->variant_count == 0)
        return;
    facet_json *extension = facet_json_object_in(w->arena), *list = facet_json_array_in(w->arena);
    for (uint32_t i = 0; i < scene->variant_count; i++) {
        const char *name = scene->variants[i];
        const char *whole = facet_arena_utf8(w->arena, name, strlen(name));
        facet_json *variant = facet_json_object_in(w->arena);
        facet_gltf_put(w, variant, "name", whole ? facet_json_string_in(w->arena, whole) : NULL);
        facet_gltf_append(w, list, variant);
    }
    facet_gltf_put(w, extension, "variants", list);
    facet_gltf_put(w, facet_gltf_extensions_of(w, w->root), NAME, extension);
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++)
        w->uses_extension[i] |= strcmp(facet_material_extensions[i].key, NAME) == 0;
}

static int by_material(const void *a, const void *b)
{
    const facet_variant_use *x = a, *y = b;
    if (x->material != y->material)
        return x->material < y->material ? -1 : 1;
    return x->variant < y->variant ? -1 : x->variant > y->variant;
}

void facet_gltf_put_variants_of(facet_gltf_writer *w, facet_json *primitive, uint32_t material,
                                uint32_t texcoord_sets)
{
    const facet_material *from = w->scene->materials[material];
    uint32_t count = from->variant_count;
    if (count == 0)
        return;
    facet_variant_use *uses = facet_arena_allocate(w->arena, count, sizeof *uses);
    w->failed |= !uses;
    if (!uses)
        return;
    memcpy(uses, from->variants, count * sizeof *uses);
    qsort(uses, count, sizeof *uses, by_material);
    facet_json *extension = facet_json_object_in(w->arena),
               *mappings = facet_json_array_in(w->arena), *list = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || uses[i].material != uses[i - 1].material) {
            facet_json *mapping = facet_json_object_in(w->arena);
            list = facet_json_array_in(w->arena);
            facet_gltf_put(
                w, mapping, "material",
                facet_json_integer_in(w->arena,
                                      facet_gltf_material_for(w, uses[i].material, texcoord_sets)));
            facet_gltf_put(w, mapping, "variants", list);
            facet_gltf_append(w, mappings, mapping);
        }
        facet_gltf_append(w, list, facet_json_integer_in(w->arena, uses[i].variant));
    }
    facet_arena_release(w->arena, uses, count, sizeof *uses);
    facet_gltf_put(w, extension, "mappings", mappings);
    facet_gltf_put(w, facet_gltf_extensions_of(w, primitive), NAME, extension);
}
