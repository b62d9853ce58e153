/* formats/gltf/to_scene/instances.c - EXT_mesh_gpu_instancing: each instance of a node's mesh
 * becomes a child node. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/gltf/to_scene/to_scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

bool facet_gltf_is_instanced(const facet_gltf_node *node)
{
    /* Instances of skinned meshes are ignored: the joints define their position. */
    return node->instances && node->mesh != FACET_NONE && node->skin == FACET_NONE;
}

/* -- Attributes --------------------------------------------------------- */

/* The values of all attributes, as floats; NULL if missing. */
typedef struct transforms {
    float *translations, *rotations, *scales;
    size_t count;
} transforms;

static facet_status fail_attribute(uint32_t node, const char *name, const char *what,
                                   facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-INSTANCES", FACET_NO_OFFSET,
                      "the instances of node %" PRIu32 " have a %s that %s", node, name, what);
}

/* Check that the accessor exists and has the same number of elements as the others. */
static facet_status count_attribute(const facet_gltf_file *file, uint32_t node, const char *name,
                                    uint32_t index, uint64_t *count, facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    if (index == FACET_NONE)
        return FACET_OK;
    if (index >= document->accessor_count)
        return fail_attribute(node, name, "names an accessor that does not exist", error);
    const facet_gltf_accessor *accessor = &document->accessors[index];
    if (*count != UINT64_MAX && accessor->count != *count)
        return fail_attribute(node, name, "has another count than the attributes before it", error);
    if (accessor->view == FACET_NONE && accessor->count > FACET_GLTF_MAX_ZEROS)
        return fail_attribute(node, name, "has no bytes", error);
    *count = accessor->count;
    return FACET_OK;
}

static facet_status read_attribute(const facet_gltf_file *file, uint32_t node, const char *name,
                                   uint32_t index, uint32_t width, float **values,
                                   facet_error *error)
{
    if (index == FACET_NONE)
        return FACET_OK;
    const facet_gltf_accessor *accessor = &file->document.accessors[index];
    bool is_rotation = width == 4;
    bool is_signed = accessor->type == FACET_GLTF_INT8 || accessor->type == FACET_GLTF_INT16;
    if (accessor->matrix || accessor->components != width ||
        !(accessor->type == FACET_GLTF_FLOAT || (is_rotation && is_signed && accessor->normalized)))
        return fail_attribute(node, name,
                              is_rotation ? "is not of four floats or normalized signed integers"
                                          : "is not of three floats",
                              error);
    *values = facet_arena_allocate(file->arena, (size_t)accessor->count, width * sizeof **values);
    if (!*values)
        return facet_fail_arena(file->arena, error);
    facet_gltf_read_floats(file, accessor, width, 0, *values);
    return FACET_OK;
}

/* -- Nodes -------------------------------------------------------------- */

/* Quantized rotations are only approximately of unit length. */
static void set_rotation(const float from[4], float to[4])
{
    double length = sqrt((double)from[0] * from[0] + (double)from[1] * from[1] +
                         (double)from[2] * from[2] + (double)from[3] * from[3]);
    for (int i = 0; i < 4 && length > 0; i++)
        to[i] = (float)(from[i] / length);
}

static facet_status copy_weights(facet_scene *scene, const facet_node *node, facet_node *instance,
                                 facet_error *error)
{
    uint32_t count = scene->meshes[node->mesh]->morph_count;
    if (!node->weights)
        return FACET_OK;
    instance->weights = facet_arena_allocate(scene->arena, count, sizeof *instance->weights);
    if (!instance->weights)
        return facet_fail_arena(scene->arena, error);
    memcpy(instance->weights, node->weights, count * sizeof *instance->weights);
    return FACET_OK;
}

static facet_status add_instances(facet_scene *scene, uint32_t index, const transforms *t,
                                  facet_error *error)
{
    facet_node *node = scene->nodes[index];
    for (size_t i = 0; i < t->count; i++) {
        facet_node *instance = NULL;
        TRY(facet_scene_add_node(scene, "", &instance, error));
        instance->name = node->name;
        instance->parent = index;
        instance->mesh = node->mesh;
        TRY(copy_weights(scene, node, instance, error));
        facet_transform *to = &instance->transform;
        if (t->translations)
            memcpy(to->translation, t->translations + i * 3, sizeof to->translation);
        if (t->rotations)
            set_rotation(t->rotations + i * 4, to->rotation);
        if (t->scales)
            memcpy(to->scale, t->scales + i * 3, sizeof to->scale);
    }
    node->mesh = FACET_NONE;
    node->weights = NULL;
    return FACET_OK;
}

static facet_status read_instances(facet_gltf_file *file, facet_scene *scene, uint32_t index,
                                   facet_error *error)
{
    const facet_gltf_instances *from = file->document.nodes[index].instances;
    transforms t = {0};
    uint64_t count = UINT64_MAX;
    TRY(count_attribute(file, index, "TRANSLATION", from->translation, &count, error));
    TRY(count_attribute(file, index, "ROTATION", from->rotation, &count, error));
    TRY(count_attribute(file, index, "SCALE", from->scale, &count, error));
    TRY(count_attribute(file, index, "custom attribute", from->other, &count, error));
    if (count == UINT64_MAX)
        return fail_attribute(index, "list of attributes", "is empty", error);
    /* Nodes can share accessors: the memory of their instances must be bounded also. */
    size_t each = sizeof(facet_node) + sizeof(facet_node *) + sizeof(facet_transform);
    if (scene->nodes[index]->weights)
        each += scene->meshes[scene->nodes[index]->mesh]->morph_count * sizeof(float);
    TRY(facet_gltf_spend(file, count, each, error));
    t.count = (size_t)count;
    TRY(read_attribute(file, index, "TRANSLATION", from->translation, 3, &t.translations, error));
    TRY(read_attribute(file, index, "ROTATION", from->rotation, 4, &t.rotations, error));
    TRY(read_attribute(file, index, "SCALE", from->scale, 3, &t.scales, error));
    return add_instances(scene, index, &t, error);
}

/* -- All ---------------------------------------------------------------- */

static void report_losses(const facet_gltf_file *file, uint32_t others, uint32_t skinned)
{
    facet_report *report = file->options ? file->options->report : NULL;
    if (others > 0)
        facet_report_add(report, "GLTF-INSTANCES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "custom attributes of the instances of %" PRIu32 " node%s are dropped",
                         others, facet_plural(others, "", "s"));
    if (skinned > 0)
        facet_report_add(report, "GLTF-INSTANCES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the instances of %" PRIu32 " node%s with a skin are dropped", skinned,
                         facet_plural(skinned, "", "s"));
}

facet_status facet_gltf_instances_to_scene(facet_gltf_file *file, facet_scene *scene,
                                           facet_error *error)
{
    uint32_t others = 0, skinned = 0;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < file->document.node_count && !status; i++) {
        const facet_gltf_node *node = &file->document.nodes[i];
        skinned += node->instances && node->mesh != FACET_NONE && node->skin != FACET_NONE;
        if (!facet_gltf_is_instanced(node))
            continue;
        others += node->instances->other != FACET_NONE;
        status = read_instances(file, scene, i, error);
    }
    if (!status)
        report_losses(file, others, skinned);
    return status;
}
