/* scene/scale.c - scaling of a scene. */
#include "scene/scene.h"

static void scale_floats(float *values, size_t count, double factor)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((double)values[i] * factor);
}

static void scale_mesh(facet_mesh *mesh, double factor)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (stream->semantic == FACET_POSITION || stream->semantic == FACET_MORPH_POSITION)
            scale_floats(stream->data, (size_t)stream->count * 3, factor);
    }
}

/* Scale the positions of nodes and joints; their rotation and scale do not change. */
static void scale_nodes(facet_scene *scene, double factor)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        scale_floats(scene->nodes[i]->transform.translation, 3, factor);
        scale_floats(scene->nodes[i]->matrix + 12, 3, factor);
    }
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        const facet_skin *skin = scene->skins[i];
        for (uint32_t joint = 0; skin->inverse_bind && joint < skin->joint_count; joint++)
            scale_floats(skin->inverse_bind + (size_t)joint * 16 + 12, 3, factor);
    }
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        for (uint32_t c = 0; c < animation->channel_count; c++) {
            const facet_channel *channel = &animation->channels[c];
            size_t per_key = channel->interpolation == FACET_INTERPOLATION_CUBIC ? 9 : 3;
            if (channel->target == FACET_TARGET_TRANSLATION)
                scale_floats(channel->values, channel->key_count * per_key, factor);
        }
    }
}

void facet_scene_scale(facet_scene *scene, double factor)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        scale_mesh(scene->meshes[i], factor);
    if (scene->occluder)
        scale_mesh(scene->occluder, factor);
    for (uint32_t i = 0; i < scene->hull_count; i++)
        scale_floats(scene->hulls[i]->points, (size_t)scene->hulls[i]->point_count * 3, factor);
    scale_nodes(scene, factor);
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        facet_camera *camera = scene->cameras[i];
        float *const distances[] = {&camera->width, &camera->height, &camera->near_distance,
                                    &camera->far_distance};
        for (size_t k = 0; k < sizeof distances / sizeof *distances; k++)
            scale_floats(distances[k], 1, factor);
    }
    for (uint32_t i = 0; i < scene->material_count; i++) {
        scale_floats(&scene->materials[i]->thickness, 1, factor);
        scale_floats(&scene->materials[i]->attenuation_distance, 1, factor);
    }
    for (uint32_t i = 0; i < scene->light_count; i++)
        scale_floats(&scene->lights[i]->range, 1, factor);
}
