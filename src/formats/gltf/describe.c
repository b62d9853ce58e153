/* formats/gltf/describe.c - the description of a glTF. */
#include "base/error.h"
#include "base/tree.h"
#include "formats/gltf/format.h"
#include "formats/gltf/to_scene/to_scene.h"

#include <facet/gltf.h>
#include <facet/pose.h>
#include <string.h>

static void text_if_given(facet_description *d, facet_tree *parent, const char *key,
                          const char *text)
{
    if (text && *text)
        facet_tree_string(d->arena, parent, key, text);
}

static void list_texts(facet_description *d, const char *key, const char *const *texts,
                       uint32_t count)
{
    facet_tree *list = count > 0 ? facet_tree_array(d->arena, d->detail, key) : NULL;
    for (uint32_t i = 0; i < count; i++)
        facet_tree_string(d->arena, list, NULL, texts[i]);
}

static void list_meshes(facet_description *d, const facet_gltf_file *file, const facet_scene *scene)
{
    facet_tree *list = facet_tree_array(d->arena, d->detail, "meshes");
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        facet_tree *entry = facet_tree_object(d->arena, list, NULL);
        facet_tree_string(d->arena, entry, "name", mesh->name);
        facet_tree_integer(d->arena, entry, "primitives", file->document.meshes[i].primitive_count);
        facet_tree_integer(d->arena, entry, "triangles", mesh->face_count);
        facet_tree_integer(d->arena, entry, "vertices",
                           mesh->stream_count ? mesh->streams[0].count : 0);
        if (mesh->line_count > 0)
            facet_tree_integer(d->arena, entry, "lines", mesh->line_count);
        if (mesh->point_count > 0)
            facet_tree_integer(d->arena, entry, "points", mesh->point_count);
        if (mesh->morph_count > 0)
            facet_tree_integer(d->arena, entry, "morph_targets", mesh->morph_count);
        facet_tree *attributes = facet_tree_array(d->arena, entry, "attributes");
        for (uint32_t p = 0; p < file->document.meshes[i].primitive_count && p < 1; p++) {
            const facet_gltf_primitive *primitive = &file->document.meshes[i].primitives[p];
            for (uint32_t a = 0; a < primitive->attribute_count; a++)
                facet_tree_string(d->arena, attributes, NULL, primitive->attributes[a].name);
        }
    }
}

static void list_materials(facet_description *d, const facet_scene *scene)
{
    facet_tree *list = facet_tree_array(d->arena, d->detail, "materials");
    for (uint32_t i = 0; i < scene->material_count; i++)
        facet_tree_string(d->arena, list, NULL, scene->materials[i]->name);
    facet_tree *images = facet_tree_array(d->arena, d->detail, "images");
    for (uint32_t i = 0; i < scene->image_count; i++) {
        const facet_image *image = scene->images[i];
        facet_tree *entry = facet_tree_object(d->arena, images, NULL);
        facet_tree_string(d->arena, entry, "name", image->name);
        text_if_given(d, entry, "path", image->path);
        text_if_given(d, entry, "media_type", image->media_type);
        facet_tree_integer(d->arena, entry, "bytes", (int64_t)image->size);
    }
}

static void list_motion(facet_description *d, const facet_scene *scene)
{
    facet_tree *skins = facet_tree_array(d->arena, d->detail, "skins");
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        facet_tree *entry = facet_tree_object(d->arena, skins, NULL);
        facet_tree_string(d->arena, entry, "name", scene->skins[i]->name);
        facet_tree_integer(d->arena, entry, "joints", scene->skins[i]->joint_count);
        d->joints += scene->skins[i]->joint_count;
    }
    facet_tree *animations = facet_tree_array(d->arena, d->detail, "animations");
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        facet_tree *entry = facet_tree_object(d->arena, animations, NULL);
        facet_tree_string(d->arena, entry, "name", scene->animations[i]->name);
        facet_tree_integer(d->arena, entry, "channels", scene->animations[i]->channel_count);
        facet_tree_real(d->arena, entry, "seconds", facet_animation_duration(scene->animations[i]));
    }
}

/* Cameras and lights are listed only where there are any. */
static void list_cameras(facet_description *d, const facet_scene *scene)
{
    static const char *const kinds[] = {"directional", "point", "spot"};
    facet_tree *cameras =
        scene->camera_count ? facet_tree_array(d->arena, d->detail, "cameras") : NULL;
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        const facet_camera *camera = scene->cameras[i];
        facet_tree *entry = facet_tree_object(d->arena, cameras, NULL);
        facet_tree_string(d->arena, entry, "name", camera->name);
        facet_tree_string(d->arena, entry, "type",
                          camera->is_orthographic ? "orthographic" : "perspective");
    }
    facet_tree *lights =
        scene->light_count ? facet_tree_array(d->arena, d->detail, "lights") : NULL;
    for (uint32_t i = 0; i < scene->light_count; i++) {
        facet_tree *entry = facet_tree_object(d->arena, lights, NULL);
        facet_tree_string(d->arena, entry, "name", scene->lights[i]->name);
        facet_tree_string(d->arena, entry, "type", kinds[scene->lights[i]->kind]);
        facet_tree_real(d->arena, entry, "intensity", (double)scene->lights[i]->intensity);
    }
}

static facet_status describe(const facet_gltf_file *file, const facet_scene *scene,
                             const facet_options *options, facet_description *d, facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    d->version = "2.0"; /* the reader accepts no other version */
    d->meshes = scene->mesh_count;
    d->materials = scene->material_count;
    d->images = scene->image_count;
    d->animations = scene->animation_count;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        d->vertices += mesh->stream_count ? mesh->streams[0].count : 0;
        d->faces += mesh->face_count;
        d->triangles += mesh->face_count;
    }
    facet_status status =
        facet_scene_bounds(scene, options, d->minimum, d->maximum, &d->has_bounds, error);
    facet_tree_string(d->arena, d->detail, "container", file->binary ? "glb" : "gltf");
    text_if_given(d, d->detail, "generator", document->generator);
    text_if_given(d, d->detail, "copyright", document->copyright);
    list_texts(d, "extensions", document->used, document->used_count);
    list_texts(d, "variants", document->variants, document->variant_count);
    list_texts(d, "extensions_required", document->required, document->required_count);
    facet_tree_integer(d->arena, d->detail, "nodes", document->node_count);
    facet_tree_integer(d->arena, d->detail, "scenes", document->scene_count);
    list_meshes(d, file, scene);
    list_materials(d, scene);
    list_motion(d, scene);
    list_cameras(d, scene);
    return status;
}

facet_status facet_gltf_fill_description(const facet_source *source, const facet_options *options,
                                         facet_description *description, facet_error *error)
{
    facet_gltf_file file;
    TRY(facet_gltf_file_open(source, options, &file, error));
    facet_scene *scene = NULL;
    facet_status status = facet_gltf_to_scene(&file, &scene, error);
    if (!status)
        status = describe(&file, scene, options, description, error);
    facet_scene_free(scene);
    facet_gltf_file_close(&file);
    return status;
}
