/* scene/set_axes.c - conversion of a scene to other axes, another unit, another origin of v. */
#include "base/error.h"
#include "scene/axes.h"
#include "scene/scene.h"
#include "scene/transform.h"

#include <math.h>
#include <string.h>

/* A rotation between two sets of axes: a permutation of x, y, z with signs, so that floats stay
 * exact. */
typedef struct axis_turn {
    int from[3]; /* component i of the result is sign[i] * component from[i] */
    float sign[3];
    float handed; /* 1, or -1 if the conversion mirrors */
    bool is_identity;
} axis_turn;

static axis_turn turn_between(const facet_axes *source, const facet_axes *target)
{
    axis_turn turn = {.is_identity = true};
    float here[16], there[16], m[3][3];
    facet_axes_matrix(source, here);
    facet_axes_matrix(target, there);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            m[row][column] = 0; /* the transpose of `there` times `here` */
            for (int k = 0; k < 3; k++)
                m[row][column] += there[row * 4 + k] * here[column * 4 + k];
            if (m[row][column] != 0) {
                turn.from[row] = column;
                turn.sign[row] = m[row][column];
                turn.is_identity &= row == column && m[row][column] > 0;
            }
        }
    }
    turn.handed = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                  m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                  m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return turn;
}

/* -- Values ------------------------------------------------------------- */

static void turn_vector(const axis_turn *t, float *v)
{
    const float from[3] = {v[0], v[1], v[2]};
    for (int i = 0; i < 3; i++)
        v[i] = t->sign[i] * from[t->from[i]];
}

/* A rotation axis is a pseudovector: a mirror also reverses its sign. */
static void turn_quaternion(const axis_turn *t, float *q)
{
    turn_vector(t, q);
    for (int i = 0; i < 3; i++)
        q[i] *= t->handed;
}

static void turn_scale(const axis_turn *t, float *s)
{
    const float from[3] = {s[0], s[1], s[2]};
    for (int i = 0; i < 3; i++)
        s[i] = from[t->from[i]];
}

/* Compute A M A^-1 for a column-major matrix. */
static void turn_matrix(const axis_turn *t, float *m)
{
    float from[16];
    memcpy(from, m, sizeof from);
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            m[column * 4 + row] =
                t->sign[row] * t->sign[column] * from[t->from[column] * 4 + t->from[row]];
    }
    turn_vector(t, m + 12);
}

/* -- Meshes ------------------------------------------------------------- */

static void turn_stream(const axis_turn *t, bool flips_v, const facet_stream *stream)
{
    float *value = stream->data;
    bool is_tangent = stream->semantic == FACET_TANGENT;
    bool is_vector = is_tangent || stream->semantic == FACET_POSITION ||
                     stream->semantic == FACET_NORMAL || stream->semantic == FACET_MORPH_POSITION ||
                     stream->semantic == FACET_MORPH_NORMAL ||
                     stream->semantic == FACET_MORPH_TANGENT;
    bool flips = stream->semantic == FACET_TEXCOORD && flips_v;
    float hand = t->handed * (flips_v ? -1.0F : 1.0F);
    for (uint32_t i = 0; (is_vector || flips) && i < stream->count; i++) {
        if (is_vector)
            turn_vector(t, value);
        else
            value[1] = 1 - value[1];
        if (is_tangent)
            value[3] *= hand;
        value += stream->components;
    }
}

static void turn_mesh(const axis_turn *t, bool flips_v, facet_mesh *mesh)
{
    for (uint32_t s = 0; s < mesh->stream_count; s++)
        turn_stream(t, flips_v, &mesh->streams[s]);
    if (t->handed < 0)
        facet_mesh_reverse_faces(mesh);
}

/* -- Nodes, skins, animations ------------------------------------------- */

static void turn_channel(const axis_turn *t, facet_channel *channel)
{
    size_t count =
        (size_t)channel->key_count * (channel->interpolation == FACET_INTERPOLATION_CUBIC ? 3 : 1);
    for (size_t i = 0; i < count; i++) {
        float *value = channel->values + i * channel->width;
        if (channel->target == FACET_TARGET_TRANSLATION)
            turn_vector(t, value);
        else if (channel->target == FACET_TARGET_ROTATION)
            turn_quaternion(t, value);
        else if (channel->target == FACET_TARGET_SCALE)
            turn_scale(t, value);
    }
}

/* Convert the first `node_count` nodes, and all skins and animations. */
static void turn_tree(const axis_turn *t, facet_scene *scene, uint32_t node_count)
{
    for (uint32_t i = 0; i < node_count; i++) {
        facet_node *node = scene->nodes[i];
        turn_vector(t, node->transform.translation);
        turn_quaternion(t, node->transform.rotation);
        turn_scale(t, node->transform.scale);
        turn_matrix(t, node->matrix);
    }
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        const facet_skin *skin = scene->skins[i];
        for (uint32_t joint = 0; skin->inverse_bind && joint < skin->joint_count; joint++)
            turn_matrix(t, skin->inverse_bind + (size_t)joint * 16);
    }
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        for (uint32_t c = 0; c < scene->animations[i]->channel_count; c++)
            turn_channel(t, &scene->animations[i]->channels[c]);
    }
}

/* Cameras and lights look along -z of their node, whose axes the conversion turned. Move them to a
 * child node whose z and y axes have the old directions. */
static facet_status turn_views(const axis_turn *t, facet_scene *scene, facet_error *error)
{
    float z[3] = {0, 0, 1}, y[3] = {0, 1, 0};
    float matrix[16] = {0};
    turn_vector(t, z);
    turn_vector(t, y);
    if (z[2] == 1 && y[1] == 1)
        return FACET_OK;
    for (int i = 0; i < 3; i++) {
        matrix[i] = y[(i + 1) % 3] * z[(i + 2) % 3] - y[(i + 2) % 3] * z[(i + 1) % 3];
        matrix[4 + i] = y[i];
        matrix[8 + i] = z[i];
    }
    matrix[15] = 1;
    facet_transform back;
    facet_transform_of_matrix(matrix, FACET_MIRROR_LEAST, &back);
    uint32_t count = scene->node_count;
    for (uint32_t i = 0; i < count; i++) {
        facet_node *node = scene->nodes[i], *below = NULL;
        if (node->camera == FACET_NONE && node->light == FACET_NONE)
            continue;
        TRY(facet_scene_add_node(scene, node->name, &below, error));
        below->parent = i;
        below->transform = back;
        below->camera = node->camera;
        below->light = node->light;
        node->camera = node->light = FACET_NONE;
    }
    return FACET_OK;
}

/* -- Textures ----------------------------------------------------------- */

static facet_status refuse_moving_textures(const facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        for (uint32_t c = 0; c < animation->channel_count; c++) {
            facet_channel_target target = animation->channels[c].target;
            facet_quoted quoted;
            if (target >= FACET_TARGET_TEXTURE_OFFSET && target <= FACET_TARGET_TEXTURE_SCALE)
                return facet_fail(error, FACET_ERROR_UNSUPPORTED, "SCENE-AXES", FACET_NO_OFFSET,
                                  "animation '%s' moves a texture, whose v cannot be reversed",
                                  facet_quote(&quoted, animation->name, strlen(animation->name)));
        }
    }
    return FACET_OK;
}

static void flip_textures(facet_scene *scene)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            facet_texture *texture = scene->materials[i]->maps[map];
            if (texture && texture->has_transform)
                facet_axes_flip_transform(texture->offset, &texture->rotation, texture->scale);
        }
    }
}

/* -- The whole scene ---------------------------------------------------- */

facet_status facet_scene_set_axes(facet_scene *scene, const facet_axes *axes, facet_error *error)
{
    if (axes->up > FACET_AXIS_X || !(axes->unit >= 0) || !isfinite(axes->unit))
        return facet_fail(error, FACET_ERROR_ARGUMENT, "SCENE-AXES", FACET_NO_OFFSET,
                          "unknown up axis, or a unit of %g m; expected 0 or above", axes->unit);
    axis_turn turn = turn_between(&scene->axes, axes);
    bool flips_v = scene->axes.uv_origin_top != axes->uv_origin_top;
    uint32_t node_count = scene->node_count;
    facet_status status = flips_v ? refuse_moving_textures(scene, error) : FACET_OK;
    if (!status && !turn.is_identity)
        status = turn_views(&turn, scene, error);
    if (status)
        return status;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        turn_mesh(&turn, flips_v, scene->meshes[i]);
    if (scene->occluder)
        turn_mesh(&turn, false, scene->occluder);
    for (uint32_t i = 0; i < scene->hull_count; i++) {
        for (uint32_t k = 0; k < scene->hulls[i]->point_count; k++)
            turn_vector(&turn, scene->hulls[i]->points + (size_t)k * 3);
    }
    turn_tree(&turn, scene, node_count);
    if (flips_v)
        flip_textures(scene);
    double unit = axes->unit > 0 ? axes->unit : scene->axes.unit;
    if (axes->unit > 0 && facet_axes_unit(&scene->axes) != axes->unit)
        facet_scene_scale(scene, facet_axes_unit(&scene->axes) / axes->unit);
    scene->axes = *axes;
    scene->axes.unit = unit;
    return facet_scene_expect_finite(scene, FACET_ERROR_LIMIT, error);
}
