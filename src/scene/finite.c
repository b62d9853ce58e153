/* scene/finite.c - search for numbers of a scene that are not finite. Used by facet_scene_check,
 * and after the readers of formats that store floats directly. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "scene/material_extensions.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool are_finite(const float *values, size_t count)
{
    return facet_find_nonfinite_float(values, count) == count;
}

/* Index of the first number of a stream that is not finite; SIZE_MAX if all are. */
static size_t find_in_stream(const facet_stream *stream)
{
    size_t count = (size_t)stream->count * stream->components, found = count;
    if (stream->component == FACET_FLOAT32)
        found = facet_find_nonfinite_float(stream->data, count);
    else if (stream->component == FACET_FLOAT64)
        found = facet_find_nonfinite_double(stream->data, count);
    return found < count ? found : SIZE_MAX;
}

/* -- Errors ------------------------------------------------------------- */

static bool is_finite_mesh(const facet_mesh *mesh, char *what, size_t size)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        size_t at = find_in_stream(stream);
        if (at < SIZE_MAX) {
            snprintf(what, size, "element %zu of stream %" PRIu32 " (%s)", at / stream->components,
                     i, facet_semantic_name(stream->semantic));
            return false;
        }
    }
    for (uint32_t i = 0; i < mesh->morph_count; i++) {
        if (!isfinite(mesh->morphs[i].weight)) {
            snprintf(what, size, "the weight of morph target %" PRIu32, i);
            return false;
        }
    }
    return true;
}

static bool is_finite_classic(const facet_classic *c)
{
    const float values[] = {
        c->shininess, c->opacity,   c->refraction_index,    c->roughness,  c->metallic,
        c->sheen,     c->clearcoat, c->clearcoat_roughness, c->anisotropy, c->anisotropy_rotation};
    return are_finite(c->ambient, 3) && are_finite(c->diffuse, 3) && are_finite(c->specular, 3) &&
           are_finite(c->emissive, 3) && are_finite(c->transmission, 3) &&
           are_finite(values, sizeof values / sizeof *values);
}

static bool is_finite_material(const facet_material *m)
{
    const float values[] = {m->roughness, m->metallic, m->alpha_cutoff, m->emissive_strength};
    bool all = are_finite(m->base_color, 4) && are_finite(m->emissive, 3) &&
               are_finite(values, sizeof values / sizeof *values) &&
               (!m->classic || is_finite_classic(m->classic));
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT && all; i++) {
        for (const facet_material_extension_value *value = facet_material_extensions[i].values;
             value->key; value++)
            all &= are_finite(facet_material_extension_const_floats(value, m), value->count);
    }
    for (int map = 0; map < FACET_MAP_COUNT && all; map++) {
        const facet_texture *texture = m->maps[map];
        if (!texture)
            continue;
        all = are_finite(texture->offset, 2) && are_finite(&texture->rotation, 1) &&
              are_finite(texture->scale, 2) && are_finite(&texture->strength, 1);
    }
    return all;
}

static bool is_finite_node(const facet_scene *scene, const facet_node *node)
{
    const facet_transform *t = &node->transform;
    if (node->weights && !are_finite(node->weights, scene->meshes[node->mesh]->morph_count))
        return false;
    return node->has_matrix ? are_finite(node->matrix, 16)
                            : are_finite(t->translation, 3) && are_finite(t->rotation, 4) &&
                                  are_finite(t->scale, 3);
}

static bool is_finite_channel(const facet_channel *channel)
{
    size_t per_key = channel->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1;
    return are_finite(channel->times, channel->key_count) &&
           are_finite(channel->values, channel->key_count * per_key * channel->width);
}

static bool is_finite_scene(const facet_scene *scene, char *what, size_t size)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (!is_finite_mesh(scene->meshes[i], what, size))
            return false;
    }
    if (scene->occluder && !is_finite_mesh(scene->occluder, what, size))
        return false;
    for (uint32_t i = 0; i < scene->hull_count; i++) {
        snprintf(what, size, "a point of hull %" PRIu32, i);
        if (!are_finite(scene->hulls[i]->points, (size_t)scene->hulls[i]->point_count * 3))
            return false;
    }
    for (uint32_t i = 0; i < scene->material_count; i++) {
        snprintf(what, size, "a number of material %" PRIu32, i);
        if (!is_finite_material(scene->materials[i]))
            return false;
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        snprintf(what, size, "the transform or a weight of node %" PRIu32, i);
        if (!is_finite_node(scene, scene->nodes[i]))
            return false;
    }
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        const facet_camera *c = scene->cameras[i];
        const float values[] = {c->field_of_view, c->aspect_ratio,  c->width,
                                c->height,        c->near_distance, c->far_distance};
        snprintf(what, size, "a number of camera %" PRIu32, i);
        if (!are_finite(values, sizeof values / sizeof *values))
            return false;
    }
    for (uint32_t i = 0; i < scene->light_count; i++) {
        const facet_light *l = scene->lights[i];
        const float values[] = {l->intensity, l->range, l->inner_cone_angle, l->outer_cone_angle};
        snprintf(what, size, "a number of light %" PRIu32, i);
        if (!are_finite(l->color, 3) || !are_finite(values, sizeof values / sizeof *values))
            return false;
    }
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        const facet_skin *skin = scene->skins[i];
        snprintf(what, size, "an inverse bind matrix of skin %" PRIu32, i);
        if (skin->inverse_bind && !are_finite(skin->inverse_bind, (size_t)skin->joint_count * 16))
            return false;
    }
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        for (uint32_t k = 0; k < animation->channel_count; k++) {
            snprintf(what, size, "a time or value of channel %" PRIu32 " of animation %" PRIu32, k,
                     i);
            if (!is_finite_channel(&animation->channels[k]))
                return false;
        }
    }
    return true;
}

facet_status facet_scene_expect_finite(const facet_scene *scene, facet_status failure,
                                       facet_error *error)
{
    char what[96];
    if (is_finite_scene(scene, what, sizeof what))
        return FACET_OK;
    return facet_fail(error, failure, "SCENE-NONFINITE", FACET_NO_OFFSET,
                      "%s is infinite or not a number", what);
}

/* -- Replacing ---------------------------------------------------------- */

/* Replace each number of a stream that is not finite by 0. The data may be the source's own bytes,
 * so it is copied first. */
static facet_status replace_in_stream(facet_scene *scene, facet_stream *stream, size_t first,
                                      uint64_t *replaced, facet_error *error)
{
    size_t count = (size_t)stream->count * stream->components;
    size_t each = stream->component == FACET_FLOAT32 ? sizeof(float) : sizeof(double);
    uint8_t *copy = facet_arena_allocate(scene->arena, count, each);
    if (!copy)
        return facet_fail_arena(scene->arena, error);
    memcpy(copy, stream->data, count * each);
    for (size_t i = first; i < count; i++) {
        size_t found = each == sizeof(float) ? facet_find_nonfinite_float(copy + i * each, 1)
                                             : facet_find_nonfinite_double(copy + i * each, 1);
        if (found == 0) {
            memset(copy + i * each, 0, each);
            (*replaced)++;
        }
    }
    stream->data = (void *)copy;
    return FACET_OK;
}

static facet_status settle_mesh(facet_scene *scene, facet_mesh *mesh, facet_report *report,
                                facet_error *error)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        facet_stream *stream = &mesh->streams[i];
        size_t first = stream->semantic == FACET_POSITION ? SIZE_MAX : find_in_stream(stream);
        if (first == SIZE_MAX)
            continue;
        uint64_t replaced = 0;
        TRY(replace_in_stream(scene, stream, first, &replaced, error));
        facet_report_add(report, "SCENE-NONFINITE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "element %zu of stream %" PRIu32
                         " (%s) is infinite or not a number; replaced by 0 (%" PRIu64 " number%s)",
                         first / stream->components, i, facet_semantic_name(stream->semantic),
                         replaced, facet_plural(replaced, "", "s"));
    }
    return FACET_OK;
}

facet_status facet_scene_replace_nonfinite(facet_scene *scene, const facet_options *options,
                                           facet_error *error)
{
    facet_report *report = options ? options->report : NULL;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->mesh_count && !status; i++)
        status = settle_mesh(scene, scene->meshes[i], report, error);
    return status ? status : facet_scene_expect_finite(scene, FACET_ERROR_MALFORMED, error);
}
