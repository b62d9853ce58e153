/* formats/assimp/file/fbx_old_textures.c - textures that an FBX of version 6 connects to a node.
 * Its geometry has a layer per purpose, with the number of a texture for each face. In version 7,
 * textures belong to materials: each goes to the material of the first face that shows it. */
#include "formats/assimp/file/fbx_old.h"

#include <string.h>

/* Textures with higher numbers are those of the first material's color. */
enum { MAX_TEXTURES = 64 };

struct facet_fbx_old_map {
    const char *property; /* of the material; NULL: unknown */
    uint32_t slot;        /* number of the material */
};

static const char *property_of(facet_fbx_span layer)
{
    static const struct {
        const char *layer, *property;
    } layers[] = {{"LayerElementTexture", "DiffuseColor"},
                  {"LayerElementEmissive_Textures", "EmissiveColor"},
                  {"LayerElementEmissiveTextures", "EmissiveColor"},
                  {"LayerElementBumpTextures", "Bump"},
                  {"LayerElementNormalMapTextures", "NormalMap"},
                  {"LayerElementSpecularTextures", "SpecularColor"},
                  {"LayerElementShininessTextures", "ShininessExponent"},
                  {"LayerElementTransparentTextures", "TransparentColor"},
                  {"LayerElementReflectionTextures", "ReflectionColor"}};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        if (facet_fbx_is(layer, layers[i].layer))
            return layers[i].property;
    }
    return NULL;
}

/* Note the textures of a layer. `materials` has the material of each face, or that of all. */
static void read_layer(const facet_fbx *fbx, const facet_fbx_record *layer,
                       facet_fbx_span materials, facet_fbx_old_map *maps)
{
    const char *property = property_of(layer->name);
    facet_fbx_record ids;
    facet_fbx_value id, material = {.number = 0};
    if (!property || !facet_fbx_find(fbx, layer->list, "TextureId", &ids))
        return;
    while (facet_fbx_next_value(fbx, &ids.values, &id)) {
        facet_fbx_value own;
        if (facet_fbx_next_value(fbx, &materials, &own))
            material = own;
        if (!(id.number >= 0 && id.number < MAX_TEXTURES) || maps[(size_t)id.number].property)
            continue;
        maps[(size_t)id.number].property = property;
        if (material.number >= 0 && material.number < UINT32_MAX)
            maps[(size_t)id.number].slot = (uint32_t)material.number;
    }
}

static facet_fbx_old_map *read_maps(facet_fbx_old *o, const facet_fbx_named *node)
{
    facet_fbx_old_map *maps = facet_arena_allocate_zeroed(o->arena, MAX_TEXTURES, sizeof *maps);
    facet_fbx_span list = node->record.list, materials = {list.end, list.end};
    facet_fbx_record record, layer;
    o->failed |= !maps;
    if (facet_fbx_find(o->fbx, list, "LayerElementMaterial", &layer) &&
        facet_fbx_find(o->fbx, layer.list, "Materials", &record))
        materials = record.values;
    while (maps && facet_fbx_next(o->fbx, &list, &record))
        read_layer(o->fbx, &record, materials, maps);
    return maps;
}

void facet_fbx_old_put_texture(facet_fbx_old *o, const facet_fbx_named *texture,
                               facet_fbx_named *node)
{
    uint32_t number = node->texture_count++;
    if (!node->maps)
        node->maps = read_maps(o, node);
    if (!node->maps || node->material_count == 0)
        return;
    const char *property = "DiffuseColor";
    uint32_t slot = 0;
    if (number < MAX_TEXTURES && node->maps[number].property) {
        property = node->maps[number].property;
        slot = node->maps[number].slot;
    }
    slot = slot < node->material_count ? slot : 0;
    facet_fbx_old_link(o, texture->id, node->materials[slot], property);
}
