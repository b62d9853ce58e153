/* formats/gltf/check_document.c - rules between the objects of a document: shared data of a mesh's
 * primitives, meshes of skinned nodes, targets of animations. */
#include "formats/gltf/check.h"

#include "base/arena.h"
#include "base/error.h"

#include "base/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Attributes --------------------------------------------------------- */

/* True for names like "JOINTS_3": the start, then a number without leading zeros. */
static bool is_numbered(const char *name, const char *start)
{
    size_t length = strlen(start);
    if (strncmp(name, start, length) != 0)
        return false;
    size_t digits = strspn(name + length, "0123456789");
    return digits > 0 && name[length + digits] == '\0' && (digits == 1 || name[length] != '0');
}

static bool is_semantic(const char *name)
{
    static const char *const single[] = {"POSITION", "NORMAL", "TANGENT"};
    static const char *const numbered[] = {"TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_"};
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(name, single[i]) == 0)
            return true;
    }
    for (size_t i = 0; i < 4; i++) {
        if (is_numbered(name, numbered[i]))
            return true;
    }
    return name[0] == '_';
}

static bool has_attribute(const facet_gltf_primitive *primitive, const char *name)
{
    return facet_gltf_find_attribute(primitive->attributes, primitive->attribute_count, name) !=
           NULL;
}

/* Component types that an attribute may have; else the types that it should have. */
typedef struct type_rule {
    const char *name; /* without the number of a set */
    bool numbered;
    bool floats, unsigned_fractions, unsigned_integers; /* of 8 and 16 bits */
    bool signed_fractions, any_fractions, any_integers; /* with KHR_mesh_quantization */
    const char *expected;
} type_rule;

/* glTF 2.0, 3.7.2.1, and the tables of KHR_mesh_quantization. */
static const type_rule type_rules[] = {
    {"POSITION", false, true, false, false, true, true, true, "floats"},
    {"NORMAL", false, true, false, false, true, false, false, "floats"},
    {"TANGENT", false, true, false, false, true, false, false, "floats"},
    {"TEXCOORD_", true, true, true, false, true, true, true,
     "floats or normalized unsigned integers of 8 or 16 bits"},
    {"COLOR_", true, true, true, false, false, false, false,
     "floats or normalized unsigned integers of 8 or 16 bits"},
    {"JOINTS_", true, false, false, true, false, false, false, "unsigned integers of 8 or 16 bits"},
    {"WEIGHTS_", true, true, true, false, false, false, false,
     "floats or normalized unsigned integers of 8 or 16 bits"},
};

/* NULL, or the types that the attribute should have. */
static const char *expected_types(const char *name, const facet_gltf_accessor *accessor,
                                  bool quantized)
{
    bool is_unsigned = accessor->type == FACET_GLTF_UINT8 || accessor->type == FACET_GLTF_UINT16;
    bool is_small =
        is_unsigned || accessor->type == FACET_GLTF_INT8 || accessor->type == FACET_GLTF_INT16;
    for (size_t i = 0; i < sizeof type_rules / sizeof *type_rules; i++) {
        const type_rule *rule = &type_rules[i];
        if (rule->numbered ? !is_numbered(name, rule->name) : strcmp(name, rule->name) != 0)
            continue;
        bool fits = (rule->floats && accessor->type == FACET_GLTF_FLOAT) ||
                    (rule->unsigned_fractions && is_unsigned && accessor->normalized) ||
                    (rule->unsigned_integers && is_unsigned && !accessor->normalized) ||
                    (quantized && rule->signed_fractions && is_small && !is_unsigned &&
                     accessor->normalized) ||
                    (quantized && rule->any_fractions && is_small && accessor->normalized) ||
                    (quantized && rule->any_integers && is_small && !accessor->normalized);
        return fits ? NULL : rule->expected;
    }
    return NULL;
}

static void check_type(const facet_gltf_document *document, const facet_gltf_attribute *each,
                       uint32_t mesh, facet_report *report)
{
    const facet_gltf_accessor *accessor = &document->accessors[each->accessor];
    const char *expected = expected_types(
        each->name, accessor, facet_gltf_uses_extension(document, "KHR_mesh_quantization"));
    facet_quoted quoted;
    if (expected)
        facet_gltf_mesh_fault(report, "GLTF-PRIMITIVE", mesh,
                              "'%s' of mesh %" PRIu32 " has a wrong type, expected %s",
                              facet_quote(&quoted, each->name, strlen(each->name)), mesh, expected);
}

/* Check that sets are numbered from 0 without a gap. */
static void check_sets(const facet_gltf_primitive *primitive, uint32_t mesh, facet_report *report)
{
    static const char *const stems[] = {"TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_"};
    for (size_t s = 0; s < sizeof stems / sizeof *stems; s++) {
        uint32_t count = 0;
        unsigned long last = 0;
        for (uint32_t i = 0; i < primitive->attribute_count; i++) {
            if (!is_numbered(primitive->attributes[i].name, stems[s]))
                continue;
            unsigned long set = strtoul(primitive->attributes[i].name + strlen(stems[s]), NULL, 10);
            last = set > last ? set : last;
            count++;
        }
        if (count > 0 && last >= count)
            facet_gltf_mesh_fault(report, "GLTF-PRIMITIVE", mesh,
                                  "a primitive of mesh %" PRIu32 " has %s%lu and %" PRIu32
                                  " sets of that kind, expected numbers from 0 without a gap",
                                  mesh, stems[s], last, count);
    }
}

static void check_attributes(const facet_gltf_document *document,
                             const facet_gltf_primitive *primitive, uint32_t mesh,
                             facet_report *report)
{
    uint32_t joints = 0, weights = 0;
    facet_quoted quoted;
    for (uint32_t i = 0; i < primitive->attribute_count; i++) {
        const facet_gltf_attribute *each = &primitive->attributes[i];
        joints += is_numbered(each->name, "JOINTS_");
        weights += is_numbered(each->name, "WEIGHTS_");
        if (!is_semantic(each->name))
            facet_gltf_mesh_fault(report, "GLTF-PRIMITIVE", mesh,
                                  "'%s' of mesh %" PRIu32
                                  " is not an attribute of glTF; others begin with _",
                                  facet_quote(&quoted, each->name, strlen(each->name)), mesh);
        if (each->accessor >= document->accessor_count)
            continue;
        const facet_gltf_accessor *accessor = &document->accessors[each->accessor];
        check_type(document, each, mesh, report);
        if (accessor->type == FACET_GLTF_UINT32)
            facet_gltf_mesh_fault(report, "GLTF-PRIMITIVE", mesh,
                                  "'%s' of mesh %" PRIu32
                                  " has integers of 32 bits, which only indices may have",
                                  facet_quote(&quoted, each->name, strlen(each->name)), mesh);
    }
    if (joints != weights)
        facet_gltf_mesh_fault(report, "GLTF-PRIMITIVE", mesh,
                              "a primitive of mesh %" PRIu32 " has %" PRIu32
                              " sets of joints and %" PRIu32 " of weights",
                              mesh, joints, weights);
}

static void check_target(const facet_gltf_document *document, const facet_gltf_primitive *primitive,
                         const facet_gltf_target *target, uint32_t mesh, facet_report *report)
{
    facet_quoted quoted;
    for (uint32_t i = 0; i < target->attribute_count; i++) {
        const facet_gltf_attribute *each = &target->attributes[i];
        if (!has_attribute(primitive, each->name))
            facet_gltf_mesh_fault(report, "GLTF-PRIMITIVE", mesh,
                                  "a morph target of mesh %" PRIu32
                                  " moves '%s', which its primitive does not have",
                                  mesh, facet_quote(&quoted, each->name, strlen(each->name)));
        if (each->accessor < document->accessor_count)
            check_type(document, each, mesh, report);
        if (strcmp(each->name, "POSITION") == 0 && each->accessor < document->accessor_count &&
            !document->accessors[each->accessor].has_bounds)
            facet_gltf_mesh_fault(
                report, "GLTF-BOUNDS", mesh,
                "the positions of a morph target of mesh %" PRIu32 " have no min and max", mesh);
    }
}

static void check_mesh(const facet_gltf_document *document, uint32_t index, facet_report *report)
{
    const facet_gltf_mesh *mesh = &document->meshes[index];
    uint32_t targets = mesh->primitive_count ? mesh->primitives[0].target_count : 0;
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        const facet_gltf_primitive *primitive = &mesh->primitives[i];
        check_attributes(document, primitive, index, report);
        check_sets(primitive, index, report);
        if (primitive->indices < document->accessor_count &&
            document->accessors[primitive->indices].normalized)
            facet_gltf_mesh_fault(report, "GLTF-PRIMITIVE", index,
                                  "the indices of a primitive of mesh %" PRIu32
                                  " are normalized, expected integers",
                                  index);
        for (uint32_t t = 0; t < primitive->target_count; t++)
            check_target(document, primitive, &primitive->targets[t], index, report);
        if (primitive->target_count != targets)
            facet_gltf_mesh_fault(report, "GLTF-PRIMITIVE", index,
                                  "primitives of mesh %" PRIu32 " have %" PRIu32 " and %" PRIu32
                                  " morph targets",
                                  index, targets, primitive->target_count);
    }
    if (mesh->weights && mesh->weight_count != targets)
        facet_gltf_mesh_fault(report, "GLTF-PRIMITIVE", index,
                              "mesh %" PRIu32 " has %" PRIu32 " weights for %" PRIu32
                              " morph targets",
                              index, mesh->weight_count, targets);
}

/* -- Bytes of attributes and indices ------------------------------------ */

/* The accessors of a file, and which of them the check has seen. */
typedef struct looked {
    facet_gltf_file *file;
    facet_report *report;
    bool *colors, *indices;
} looked;

static bool is_new(const looked *l, bool *seen, uint32_t accessor)
{
    bool fresh = accessor < l->file->document.accessor_count && !seen[accessor];
    if (fresh)
        seen[accessor] = true;
    return fresh && l->file->document.accessors[accessor].count > 0;
}

static facet_status check_colors(const looked *l, uint32_t index, facet_error *error)
{
    const facet_gltf_accessor *accessor = &l->file->document.accessors[index];
    uint32_t components = accessor->components;
    if (accessor->type != FACET_GLTF_FLOAT || accessor->matrix)
        return FACET_OK;
    size_t count = (size_t)accessor->count * components;
    TRY(facet_gltf_spend(l->file, count, sizeof(float), error));
    float *values = facet_arena_allocate(l->file->arena, count, sizeof *values);
    if (!values)
        return facet_fail_arena(l->file->arena, error);
    facet_gltf_read_floats(l->file, accessor, components, 0, values);
    facet_tally wrong = {0};
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] >= 0 && values[i] <= 1))
            facet_tally_hit(&wrong, i / components);
    }
    facet_report_add_tally(l->report, "GLTF-PRIMITIVE", FACET_SEVERITY_ERROR, FACET_NO_OFFSET,
                           &wrong, "color %" PRIu64 " of accessor %" PRIu32 " is not from 0 to 1",
                           wrong.first, index);
    facet_arena_release(l->file->arena, values, count, sizeof *values);
    return FACET_OK;
}

/* The largest number of an index type would end a strip. */
static facet_status check_indices(const looked *l, uint32_t index, facet_error *error)
{
    const facet_gltf_accessor *accessor = &l->file->document.accessors[index];
    uint32_t most = accessor->type == FACET_GLTF_UINT8    ? UINT8_MAX
                    : accessor->type == FACET_GLTF_UINT16 ? UINT16_MAX
                                                          : UINT32_MAX;
    size_t count = (size_t)accessor->count;
    if (accessor->components != 1)
        return FACET_OK;
    TRY(facet_gltf_spend(l->file, count, sizeof(uint32_t), error));
    uint32_t *values = facet_arena_allocate(l->file->arena, count, sizeof *values);
    if (!values)
        return facet_fail_arena(l->file->arena, error);
    if (facet_gltf_read_integers(l->file, accessor, values) == most)
        facet_gltf_fault(l->report, "GLTF-INDEX",
                         "accessor %" PRIu32 " has the index %" PRIu32 ", the largest of its type",
                         index, most);
    facet_arena_release(l->file->arena, values, count, sizeof *values);
    return FACET_OK;
}

static facet_status check_primitive_bytes(const looked *l, const facet_gltf_primitive *primitive,
                                          facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < primitive->attribute_count && !status; i++) {
        const facet_gltf_attribute *each = &primitive->attributes[i];
        if (is_numbered(each->name, "COLOR_") && is_new(l, l->colors, each->accessor))
            status = check_colors(l, each->accessor, error);
    }
    if (!status && is_new(l, l->indices, primitive->indices))
        status = check_indices(l, primitive->indices, error);
    return status;
}

static facet_status check_bytes(facet_gltf_file *file, facet_report *report, facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    size_t count = document->accessor_count;
    looked l = {file, report, facet_arena_allocate_zeroed(file->arena, count, sizeof(bool)),
                facet_arena_allocate_zeroed(file->arena, count, sizeof(bool))};
    facet_status status = l.colors && l.indices ? FACET_OK : facet_fail_arena(file->arena, error);
    for (uint32_t m = 0; m < document->mesh_count && !status; m++) {
        for (uint32_t i = 0; i < document->meshes[m].primitive_count && !status; i++)
            status = check_primitive_bytes(&l, &document->meshes[m].primitives[i], error);
    }
    return status;
}

/* -- Nodes -------------------------------------------------------------- */

static bool is_skinned(const facet_gltf_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        if (!has_attribute(&mesh->primitives[i], "JOINTS_0") ||
            !has_attribute(&mesh->primitives[i], "WEIGHTS_0"))
            return false;
    }
    return true;
}

/* Root above each node. */
static uint32_t *find_roots(facet_gltf_file *file)
{
    const facet_gltf_document *document = &file->document;
    uint32_t count = document->node_count;
    uint32_t *roots = facet_arena_allocate(file->arena, count, sizeof *roots);
    for (uint32_t i = 0; roots && i < count; i++)
        roots[i] = i;
    for (uint32_t i = 0; roots && i < count; i++) {
        for (uint32_t k = 0; k < document->nodes[i].child_count; k++) {
            uint32_t child = document->nodes[i].children[k];
            if (child < count)
                roots[child] = i;
        }
    }
    /* Parents so far. Each lookup halves the length of a chain. */
    for (uint32_t i = 0; roots && i < count; i++) {
        uint32_t at = i;
        while (roots[at] != at) {
            roots[at] = roots[roots[at]];
            at = roots[at];
        }
        roots[i] = at;
    }
    return roots;
}

/* The product of scenes and skinned nodes can be large: the search stops after this many
 * lookups. */
#define MAX_LOOKS 1000000

static facet_status check_scenes(facet_gltf_file *file, facet_report *report, facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    uint32_t *roots = find_roots(file), looks = 0;
    uint32_t *stamps =
        facet_arena_allocate_zeroed(file->arena, document->node_count, sizeof *stamps);
    if (!roots || !stamps)
        return facet_fail_arena(file->arena, error);
    for (uint32_t s = 0; s < document->scene_count; s++) {
        const facet_gltf_scene *scene = &document->scenes[s];
        for (uint32_t i = 0; i < scene->root_count; i++) {
            if (scene->roots[i] < document->node_count)
                stamps[scene->roots[i]] = s + 1;
        }
        for (uint32_t i = 0; i < document->node_count && looks < MAX_LOOKS; i++, looks++) {
            const facet_gltf_node *node = &document->nodes[i];
            if (node->skin >= document->skin_count || stamps[roots[i]] != s + 1)
                continue;
            const facet_gltf_skin *skin = &document->skins[node->skin];
            if (skin->joint_count > 0 && skin->joints[0] < document->node_count &&
                stamps[roots[skin->joints[0]]] != s + 1)
                facet_gltf_fault(report, "GLTF-SKIN",
                                 "the joints of skin %" PRIu32 " are not in scene %" PRIu32
                                 ", in which node %" PRIu32 " is",
                                 node->skin, s, i);
        }
    }
    return FACET_OK;
}

static facet_status check_nodes(facet_gltf_file *file, facet_report *report, facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    for (uint32_t i = 0; i < document->node_count; i++) {
        const facet_gltf_node *node = &document->nodes[i];
        if (node->skin != FACET_NONE && node->mesh < document->mesh_count &&
            !is_skinned(&document->meshes[node->mesh]))
            facet_gltf_mesh_fault(report, "GLTF-NODE", node->mesh,
                                  "node %" PRIu32 " has a skin, and mesh %" PRIu32
                                  " no joints and weights",
                                  i, node->mesh);
    }
    return document->skin_count > 0 ? check_scenes(file, report, error) : FACET_OK;
}

/* -- Animations --------------------------------------------------------- */

/* Check that at most one channel moves a property of a node. */
static facet_status check_targets(facet_gltf_file *file, uint32_t index, facet_report *report,
                                  facet_error *error)
{
    const facet_gltf_animation *animation = &file->document.animations[index];
    facet_names targets = facet_names_make(file->arena);
    facet_tally again = {0};
    uint32_t known = 0;
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_gltf_channel *channel = &animation->channels[i];
        char name[80]; /* no path of glTF is longer */
        int length = snprintf(name, sizeof name, "%" PRIu32 "/%.60s", channel->node, channel->path);
        if (channel->node == FACET_NONE)
            continue;
        if (facet_names_put(&targets, name, (size_t)length) == FACET_NONE)
            return facet_fail_arena(file->arena, error);
        if (targets.count == known)
            facet_tally_hit(&again, i);
        known = targets.count;
    }
    facet_names_free(&targets);
    facet_report_add_tally(report, "GLTF-ANIMATION", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &again,
                           "channel %" PRIu64 " of animation %" PRIu32
                           " moves the same property of a node as an earlier channel",
                           again.first, index);
    return FACET_OK;
}

static void check_channels(const facet_gltf_document *document, uint32_t index,
                           facet_report *report)
{
    const facet_gltf_animation *animation = &document->animations[index];
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        const facet_gltf_channel *channel = &animation->channels[i];
        if (channel->node < document->node_count && document->nodes[channel->node].has_matrix &&
            strcmp(channel->path, "weights") != 0)
            facet_gltf_fault(report, "GLTF-ANIMATION",
                             "animation %" PRIu32 " moves node %" PRIu32 ", which has a matrix",
                             index, channel->node);
    }
    for (uint32_t i = 0; i < animation->sampler_count; i++) {
        const facet_gltf_animation_sampler *sampler = &animation->samplers[i];
        if (sampler->input >= document->accessor_count)
            continue;
        const facet_gltf_accessor *times = &document->accessors[sampler->input];
        if (!times->has_bounds)
            facet_gltf_fault(report, "GLTF-BOUNDS",
                             "the times of sampler %" PRIu32 " of animation %" PRIu32
                             " have no min and max",
                             i, index);
        if (strcmp(sampler->interpolation, "CUBICSPLINE") == 0 && times->count < 2)
            facet_gltf_fault(report, "GLTF-ANIMATION",
                             "sampler %" PRIu32 " of animation %" PRIu32
                             " is a cubic spline of fewer than two keys",
                             i, index);
    }
}

facet_status facet_gltf_check_document(facet_gltf_file *file, facet_report *report,
                                       facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    for (uint32_t i = 0; i < document->mesh_count; i++)
        check_mesh(document, i, report);
    for (uint32_t i = 0; i < document->animation_count; i++) {
        check_channels(document, i, report);
        TRY(check_targets(file, i, report, error));
    }
    TRY(check_nodes(file, report, error));
    return check_bytes(file, report, error);
}
