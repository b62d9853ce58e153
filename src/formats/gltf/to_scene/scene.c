/* formats/gltf/to_scene/scene.c - conversion of an open glTF to a scene. */
#include "scene/scene.h"
#include "formats/gltf/to_scene/to_scene.h"

#include "base/error.h"

static facet_status read_all(facet_gltf_file *file, facet_scene *scene, facet_error *error)
{
    /* glTF's frame (+Y up, right-handed, meters) is the neutral one, except for v. */
    scene->axes.unit = 1;
    scene->axes.uv_origin_top = true;
    TRY(facet_gltf_copy_text(scene, file->document.extras, &scene->extras, error));
    TRY(facet_gltf_copy_text(scene, file->document.generator, &scene->generator, error));
    TRY(facet_gltf_copy_text(scene, file->document.asset, &scene->asset, error));
    TRY(facet_gltf_copy_text(scene, file->document.extensions, &scene->extensions, error));
    TRY(facet_gltf_images_to_scene(file, scene, error));
    TRY(facet_gltf_materials_to_scene(file, scene, error));
    TRY(facet_gltf_variants_to_scene(file, scene, error));
    TRY(facet_gltf_meshes_to_scene(file, scene, error));
    TRY(facet_gltf_nodes_to_scene(file, scene, error));
    TRY(facet_gltf_instances_to_scene(file, scene, error));
    TRY(facet_gltf_skins_to_scene(file, scene, error));
    return facet_gltf_animations_to_scene(file, scene, error);
}

facet_status facet_gltf_to_scene(facet_gltf_file *file, facet_scene **scene, facet_error *error)
{
    facet_scene *made = NULL;
    TRY(facet_scene_create(file->options, &made, error));
    facet_status status = read_all(file, made, error);
    if (!status)
        status = facet_scene_replace_nonfinite(made, file->options, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}
