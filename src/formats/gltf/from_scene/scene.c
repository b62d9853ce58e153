/* formats/gltf/from_scene/scene.c - a scene as the JSON tree of a glTF and the plan of its
 * buffer. */
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/report.h"
#include "formats/gltf/from_scene/writer.h"
#include "scene/losses.h"

#include <inttypes.h>

static void put_extensions(facet_gltf_writer *w)
{
    facet_json *used = facet_json_array_in(w->arena), *required = facet_json_array_in(w->arena);
    if (w->uses_pointer)
        facet_gltf_append(w, used, facet_json_string_in(w->arena, "KHR_animation_pointer"));
    if (w->compress) {
        facet_gltf_append(w, used, facet_json_string_in(w->arena, "EXT_meshopt_compression"));
        facet_gltf_append(w, required, facet_json_string_in(w->arena, "EXT_meshopt_compression"));
    }
    if (w->uses_lights)
        facet_gltf_append(w, used, facet_json_string_in(w->arena, "KHR_lights_punctual"));
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        if (w->uses_extension[i])
            facet_gltf_append(w, used,
                              facet_json_string_in(w->arena, facet_material_extensions[i].key));
    }
    for (uint32_t i = 0; i < w->kept.count; i++)
        facet_gltf_append(w, used, facet_json_string_in(w->arena, w->kept.items[i].text));
    if (w->uses_strength)
        facet_gltf_append(w, used,
                          facet_json_string_in(w->arena, "KHR_materials_emissive_strength"));
    if (w->uses_unlit)
        facet_gltf_append(w, used, facet_json_string_in(w->arena, "KHR_materials_unlit"));
    if (w->uses_visibility)
        facet_gltf_append(w, used, facet_json_string_in(w->arena, "KHR_node_visibility"));
    if (w->uses_transform)
        facet_gltf_append(w, used, facet_json_string_in(w->arena, "KHR_texture_transform"));
    if (w->quantize) {
        facet_gltf_append(w, used, facet_json_string_in(w->arena, "KHR_mesh_quantization"));
        facet_gltf_append(w, required, facet_json_string_in(w->arena, "KHR_mesh_quantization"));
    }
    /* A PNG or JPEG fallback is missing. Readers without the extension show no texture. */
    for (size_t i = 0; i < FACET_GLTF_PICTURES; i++) {
        const char *name = facet_gltf_pictures[i].extension;
        if (w->uses_pictures[i]) {
            facet_gltf_append(w, used, facet_json_string_in(w->arena, name));
            facet_gltf_append(w, required, facet_json_string_in(w->arena, name));
        }
    }
    if (w->uses_lods)
        facet_gltf_append(w, used, facet_json_string_in(w->arena, "MSFT_lod"));
    facet_gltf_put_array(w, "extensionsUsed", used);
    facet_gltf_put_array(w, "extensionsRequired", required);
}

static const facet_capacity capacity = {"glTF",
                                        FACET_LACKS_MIP_LEVELS | FACET_LACKS_BILLBOARDS |
                                            FACET_LACKS_HULLS | FACET_LACKS_OCCLUDER |
                                            FACET_LACKS_FACTORS | FACET_LACKS_GROUP_NAMES,
                                        UINT8_MAX,
                                        UINT8_MAX,
                                        UINT8_MAX,
                                        FACET_CLASSIC_UNUSUAL,
                                        0,
                                        false,
                                        false};

facet_status facet_gltf_from_scene(facet_gltf_writer *w, facet_error *error)
{
    facet_json *asset = facet_json_object_in(w->arena);
    facet_gltf_put(w, asset, "version", facet_json_string_in(w->arena, "2.0"));
    facet_gltf_put(w, asset, "generator", facet_json_string_in(w->arena, "Facet"));
    w->kept = facet_names_make(w->arena);
    facet_gltf_put_asset(w, asset, w->scene->asset);
    facet_gltf_put(w, w->root, "asset", asset);
    facet_scene_report_losses(w->scene, &capacity, facet_gltf_writer_report(w));
    facet_gltf_find_animated(w);
    facet_status status = w->failed ? FACET_OK : facet_gltf_images_from_scene(w, error);
    if (!status && !w->failed)
        facet_gltf_materials_from_scene(w);
    if (!status && !w->failed)
        status = facet_gltf_meshes_from_scene(w, error);
    if (!status && !w->failed)
        facet_gltf_nodes_from_scene(w);
    if (!status && !w->failed) {
        facet_gltf_skins_from_scene(w);
        facet_gltf_animations_from_scene(w);
        facet_gltf_cameras_from_scene(w);
        status = w->compress ? facet_gltf_compress(w, error) : FACET_OK;
        facet_gltf_variants_from_scene(w);
        facet_gltf_put_kept(w, w->root, w->scene->extensions);
        put_extensions(w);
        facet_gltf_put_file_extras(w, w->root, w->scene->extras, w->scene->gx_file);
    }
    facet_gltf_put_array(w, "nodes", w->nodes);
    facet_gltf_put_array(w, "meshes", w->meshes);
    facet_gltf_put_array(w, "materials", w->materials);
    facet_gltf_put_array(w, "textures", w->textures);
    facet_gltf_put_array(w, "samplers", w->samplers);
    facet_gltf_put_array(w, "images", w->images);
    facet_gltf_put_array(w, "accessors", w->accessors);
    facet_gltf_put_array(w, "bufferViews", w->views);
    if (status)
        return status;
    facet_gltf_report_custom_names(w);
    return w->failed ? facet_fail_arena(w->arena, error) : FACET_OK;
}
