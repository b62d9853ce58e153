/* formats/gltf/to_scene/corrections.c - invalid values that are read as the nearest valid ones,
 * each with a warning. The check has an error for each, so it gets no warning as well. */
#include "base/report.h"
#include "formats/gltf/to_scene/to_scene.h"
#include "scene/scene.h"
#include "scene/transform.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static facet_report *report_of(const facet_gltf_file *file)
{
    return file->options && !file->is_checked ? file->options->report : NULL;
}

/* -- Nodes -------------------------------------------------------------- */

/* Normalize a rotation; 0 becomes none. False if its length is 1 within the tolerance. */
static bool normalize(float rotation[4], double tolerance, double *length)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)rotation[i] * (double)rotation[i];
    *length = sqrt(sum);
    if (fabs(*length - 1) <= tolerance || !isfinite(*length))
        return false;
    for (int i = 0; i < 4; i++)
        rotation[i] = *length > 0 ? (float)((double)rotation[i] / *length) : i == 3;
    return true;
}

void facet_gltf_correct_node(const facet_gltf_file *file, uint32_t index, facet_node *node)
{
    double length;
    if (node->has_matrix && file->document.nodes[index].has_parts)
        facet_report_add(report_of(file), "GLTF-NODE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "node %" PRIu32 " has a matrix, and translation, rotation or scale: only "
                         "the matrix is read",
                         index);
    if (!node->has_matrix && normalize(node->transform.rotation, FACET_GLTF_NODE_UNIT, &length))
        facet_report_add(report_of(file), "GLTF-NODE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the rotation of node %" PRIu32 " has the length %g, expected 1: it is %s",
                         index, length, length > 0 ? "normalized" : "read as no rotation");
}

/* -- Skins -------------------------------------------------------------- */

void facet_gltf_correct_binds(const facet_gltf_file *file, uint32_t index, facet_skin *skin)
{
    static const float last[4] = {0, 0, 0, 1};
    const float rounding = 1e-5F;
    facet_tally wrong = {0};
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        float *matrix = skin->inverse_bind + (size_t)i * 16;
        bool is_affine = true;
        for (int column = 0; column < 4; column++) {
            is_affine &= fabsf(matrix[4 * column + 3] - last[column]) <= rounding;
            matrix[4 * column + 3] = last[column];
        }
        if (!is_affine)
            facet_tally_hit(&wrong, i);
    }
    facet_report_add_tally(report_of(file), "GLTF-SKIN", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &wrong,
                           "the fourth row of inverse bind matrix %" PRIu64 " of skin %" PRIu32
                           " is not 0 0 0 1; it is read as that",
                           wrong.first, index);
}

static bool has_influences(const facet_mesh *mesh)
{
    return facet_mesh_find(mesh, FACET_JOINTS, 0) && facet_mesh_find(mesh, FACET_WEIGHTS, 0);
}

void facet_gltf_correct_skins(const facet_gltf_file *file, facet_scene *scene)
{
    facet_tally meshless = {0}, loose = {0};
    for (uint32_t i = 0; i < scene->node_count; i++) {
        facet_node *node = scene->nodes[i];
        if (node->skin == FACET_NONE ||
            (i < file->document.node_count && facet_gltf_is_instanced(&file->document.nodes[i])))
            continue;
        if (node->mesh == FACET_NONE)
            facet_tally_hit(&meshless, i);
        else if (!(file->skip & FACET_SKIP_GEOMETRY) && !has_influences(scene->meshes[node->mesh]))
            facet_tally_hit(&loose, i);
        else
            continue;
        node->skin = FACET_NONE;
    }
    facet_report_add_tally(
        report_of(file), "GLTF-NODE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &meshless,
        "node %" PRIu64 " has a skin and no mesh: the skin is not used", meshless.first);
    facet_report_add_tally(report_of(file), "GLTF-NODE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &loose,
                           "node %" PRIu64 " has a skin, and its mesh no joints and weights: the "
                           "skin is not used",
                           loose.first);
}

/* -- Animations --------------------------------------------------------- */

void facet_gltf_correct_rotations(const facet_gltf_file *file, uint32_t animation,
                                  const facet_channel *channel)
{
    bool is_cubic = channel->interpolation == FACET_INTERPOLATION_CUBIC;
    size_t step = is_cubic ? 12 : 4;
    facet_tally wrong = {0};
    if (channel->target != FACET_TARGET_ROTATION)
        return;
    for (uint32_t i = 0; i < channel->key_count; i++) {
        float *key = channel->values + i * step;
        double length;
        if (!normalize(key + (is_cubic ? 4 : 0), FACET_GLTF_KEY_UNIT, &length))
            continue;
        facet_tally_hit(&wrong, i);
        for (int k = 0; is_cubic && length > 0 && k < 4; k++) {
            key[k] = (float)((double)key[k] / length);
            key[8 + k] = (float)((double)key[8 + k] / length);
        }
    }
    facet_report_add_tally(report_of(file), "GLTF-ANIMATION", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &wrong,
                           "rotation %" PRIu64 " of node %" PRIu32 " in animation %" PRIu32
                           " is not of unit length, and is normalized",
                           wrong.first, channel->node, animation);
}

void facet_gltf_correct_place(const facet_gltf_file *file, uint32_t animation, uint32_t index,
                              facet_node *node)
{
    if (!node->has_matrix)
        return;
    facet_transform_of_matrix(node->matrix, FACET_MIRROR_LEAST, &node->transform);
    node->has_matrix = false;
    facet_report_add(report_of(file), "GLTF-ANIMATION", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "animation %" PRIu32 " moves node %" PRIu32
                     ", which has a matrix: it is read as translation, rotation and scale",
                     animation, index);
}

/* -- Textures ----------------------------------------------------------- */

bool facet_gltf_is_wrap(uint32_t number)
{
    return number == 10497 || number == 33071 || number == 33648;
}

bool facet_gltf_is_filter(uint32_t number, bool magnifies)
{
    return number == 9728 || number == 9729 || (!magnifies && number >= 9984 && number <= 9987);
}

void facet_gltf_report_samplers(const facet_gltf_file *file)
{
    const facet_gltf_document *document = &file->document;
    facet_tally wraps = {0}, filters = {0};
    for (uint32_t i = 0; i < document->sampler_count; i++) {
        const facet_gltf_sampler *s = &document->samplers[i];
        if (!facet_gltf_is_wrap(s->wrap_s) || !facet_gltf_is_wrap(s->wrap_t))
            facet_tally_hit(&wraps, i);
        if ((s->minify && !facet_gltf_is_filter(s->minify, false)) ||
            (s->magnify && !facet_gltf_is_filter(s->magnify, true)))
            facet_tally_hit(&filters, i);
    }
    facet_report_add_tally(
        report_of(file), "GLTF-TEXTURE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &wraps,
        "sampler %" PRIu64 " has an unknown wrap mode, which is read as repeat", wraps.first);
    facet_report_add_tally(report_of(file), "GLTF-TEXTURE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &filters, "sampler %" PRIu64 " has an unknown filter, which is not read",
                           filters.first);
}
