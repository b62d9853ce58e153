/* gltf/scene.c - a glTF file as a scene. */
#include "base/error.h"
#include "gltf/gltf.h"

facet_status facet_gltf_copy_text(facet_scene *scene, const char *text, const char **copy,
                                  facet_error *error)
{
    if (!text)
        return FACET_OK;
    const char *made = facet_scene_string(scene, text);
    if (!made)
        return facet_fail_memory(error, 0);
    *copy = made;
    return FACET_OK;
}

static facet_status read_all(gltf_file *file, facet_scene *scene, facet_error *error)
{
    /* +Y up, right-handed, meters: glTF's frame is the neutral one but for v. */
    scene->frame.unit = 1;
    scene->frame.uv_origin_top = true;
    facet_status status = facet_gltf_copy_text(scene, file->document.extras, &scene->extras, error);
    if (!status)
        status = facet_gltf_read_images(file, scene, error);
    if (!status)
        status = facet_gltf_read_materials(file, scene, error);
    if (!status)
        status = facet_gltf_read_meshes(file, scene, error);
    if (!status)
        status = facet_gltf_read_nodes(file, scene, error);
    if (!status)
        status = facet_gltf_read_skins(file, scene, error);
    return status ? status : facet_gltf_read_animations(file, scene, error);
}

facet_status facet_gltf_read_scene(gltf_file *file, facet_scene **scene, facet_error *error)
{
    facet_scene *made = NULL;
    facet_status status = facet_scene_create(file->options, &made, error);
    if (status)
        return status;
    status = read_all(file, made, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}

facet_status facet_gltf_read(const facet_source *source, const facet_load_options *load,
                             const facet_options *options, facet_scene **scene, facet_error *error)
{
    gltf_file file;
    facet_status status = facet_gltf_file_open(source, options, &file, error);
    if (status)
        return status;
    facet_scene *made = NULL;
    status = facet_gltf_read_scene(&file, &made, error);
    facet_gltf_file_close(&file);
    if (!status)
        status = facet_gltf_extract_collision(made, load, options, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}
