/* formats/gltf/file/maps.c - the paths of a scene material's maps in a glTF material. */
#include "formats/gltf/file/file.h"
#include "scene/material_extensions.h"

const char *facet_gltf_map_path(facet_map map)
{
    switch (map) {
    case FACET_MAP_DIFFUSE:
        return "pbrMetallicRoughness/baseColorTexture";
    case FACET_MAP_METALLIC_ROUGHNESS:
        return "pbrMetallicRoughness/metallicRoughnessTexture";
    case FACET_MAP_NORMAL:
        return "normalTexture";
    case FACET_MAP_OCCLUSION:
        return "occlusionTexture";
    case FACET_MAP_EMISSIVE:
        return "emissiveTexture";
    default:
        break;
    }
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        for (const facet_material_extension_map *each = facet_material_extensions[i].maps;
             each->key; each++) {
            if (each->map == map)
                return each->path;
        }
    }
    return NULL;
}
