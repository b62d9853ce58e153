/* formats/bpx/to_scene_model.c - a model to a scene. Swapping y and z converts BPX's left-handed
 * frame with +Z up to the scene's right-handed one with +Y up. This is exact, and keeps the winding
 * and the shape. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/bpx/scene.h"
#include "scene/material.h"
#include "scene/matrix.h"
#include "scene/scene.h"
#include "scene/transform.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Matrices ----------------------------------------------------------- */

/* Convert a matrix: by rows in BPX's frame to by columns in the scene's. */
static void load_matrix(const uint8_t *bytes, float out[16])
{
    static const int exchanged[] = {0, 2, 1, 3};
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++)
            out[c * 4 + r] = facet_load_f32le(bytes + (exchanged[r] * 4 + exchanged[c]) * 4);
    }
}

/* False if the matrix has shear: its axes are not at right angles. */
static bool decompose(const float *m, facet_transform *transform)
{
    return facet_transform_of_matrix(m, FACET_MIRROR_X, transform) < 1e-3;
}

/* -- Streams ------------------------------------------------------------ */

typedef struct reading {
    const facet_bpx_model *model;
    const facet_options *options;
    facet_scene *scene;
    facet_error *error;
    uint32_t *materials; /* one per vertex array */
    facet_tally long_names, sheared;
} reading;

static facet_semantic semantic_of(facet_bpx_meaning meaning)
{
    static const facet_semantic table[] = {FACET_POSITION, FACET_NORMAL,  FACET_TEXCOORD,
                                           FACET_TANGENT,  FACET_CUSTOM,  FACET_COLOR,
                                           FACET_JOINTS,   FACET_WEIGHTS, FACET_CUSTOM};
    return table[meaning];
}

static const uint8_t *value_at(const reading *r, const facet_bpx_vertex_array *array,
                               uint32_t vertex, const facet_bpx_component *c)
{
    return array->vertices + (size_t)vertex * r->model->vertex_size + c->offset;
}

/* Joints are indices of bones; those out of range have no meaning. */
static facet_status copy_joints(const reading *r, const facet_bpx_vertex_array *array,
                                const facet_bpx_component *c, uint16_t *out)
{
    for (uint32_t v = 0; v < array->vertex_count; v++, out += 4) {
        const uint8_t *at = value_at(r, array, v, c);
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t joint = k < c->elements ? facet_load_u32le(at + 4 * k) : 0;
            if (joint >= r->model->bone_count)
                return facet_fail(r->error, FACET_ERROR_MALFORMED, "BPX-M-BONE-INDEX",
                                  FACET_NO_OFFSET, "a vertex names bone %" PRIu32 " of %" PRIu32,
                                  joint, r->model->bone_count);
            out[k] = (uint16_t)joint;
        }
    }
    return FACET_OK;
}

static void copy_weights(const reading *r, const facet_bpx_vertex_array *array,
                         const facet_bpx_component *c, float *out)
{
    for (uint32_t v = 0; v < array->vertex_count; v++, out += 4) {
        for (uint32_t k = 0; k < 4; k++)
            out[k] = k < c->elements ? facet_load_f32le(value_at(r, array, v, c) + 4 * k) : 0;
    }
}

/* Load a direction: swap y and z, since the frames describe the same direction. */
static void load_direction(const uint8_t *at, float *out)
{
    out[0] = facet_load_f32le(at);
    out[1] = facet_load_f32le(at + 8);
    out[2] = facet_load_f32le(at + 4);
}

static const facet_bpx_component *find_component(const facet_bpx_model *model,
                                                 facet_bpx_meaning meaning)
{
    for (uint32_t i = 0; i < model->component_count; i++) {
        if (model->components[i].meaning == meaning)
            return &model->components[i];
    }
    return NULL;
}

/* Handedness is w, or computed from the bitangent, or else +1. The swap of axes mirrors, so a
 * stored one changes its sign. */
static void copy_tangents(const reading *r, const facet_bpx_vertex_array *array,
                          const facet_bpx_component *c, float *out)
{
    const facet_bpx_component *bitangent = find_component(r->model, FACET_BPX_BITANGENT);
    const facet_bpx_component *normal = find_component(r->model, FACET_BPX_NORMAL);
    for (uint32_t v = 0; v < array->vertex_count; v++, out += 4) {
        const uint8_t *at = value_at(r, array, v, c);
        load_direction(at, out);
        out[3] = c->elements == 4 ? -facet_load_f32le(at + 12) : 1;
        if (c->elements == 3 && bitangent && normal) {
            float n[3], b[3];
            load_direction(value_at(r, array, v, normal), n);
            load_direction(value_at(r, array, v, bitangent), b);
            float along = (n[1] * out[2] - n[2] * out[1]) * b[0] +
                          (n[2] * out[0] - n[0] * out[2]) * b[1] +
                          (n[0] * out[1] - n[1] * out[0]) * b[2];
            out[3] = along < 0 ? -1 : 1;
        }
    }
}

/* Copy values bit by bit, without an interpretation. */
static void copy_values(const reading *r, const facet_bpx_vertex_array *array,
                        const facet_bpx_component *c, uint32_t *out)
{
    bool turns = c->meaning == FACET_BPX_POSITION || c->meaning == FACET_BPX_NORMAL;
    for (uint32_t v = 0; v < array->vertex_count; v++, out += c->elements) {
        const uint8_t *at = value_at(r, array, v, c);
        for (uint32_t k = 0; k < c->elements; k++)
            out[k] = facet_load_u32le(at + 4 * k);
        if (turns) {
            uint32_t y = out[1];
            out[1] = out[2];
            out[2] = y;
        }
    }
}

static facet_status add_stream(const reading *r, facet_mesh *mesh, uint32_t index,
                               const facet_bpx_vertex_array *array, uint32_t *indices)
{
    static const facet_component components[] = {FACET_FLOAT32, FACET_FLOAT32, FACET_INT32,
                                                 FACET_UINT32};
    facet_bpx_component c = r->model->components[index];
    char name[32];
    facet_stream *stream;
    snprintf(name, sizeof name, "component-%" PRIu32, index);
    /* A skin without bones has no meaning. */
    if (r->model->bone_count == 0 &&
        (c.meaning == FACET_BPX_JOINTS || c.meaning == FACET_BPX_WEIGHTS))
        c.meaning = FACET_BPX_CUSTOM;
    facet_semantic semantic = semantic_of(c.meaning);
    bool joints = semantic == FACET_JOINTS,
         four = joints || semantic == FACET_WEIGHTS || semantic == FACET_TANGENT;
    TRY(facet_mesh_add_stream(mesh, semantic, c.set, semantic == FACET_CUSTOM ? name : NULL,
                              joints ? FACET_UINT16 : components[c.type], four ? 4 : c.elements,
                              array->vertex_count, &stream, r->error));
    stream->indices = indices;
    if (joints)
        return copy_joints(r, array, &c, stream->data);
    if (semantic == FACET_WEIGHTS)
        copy_weights(r, array, &c, stream->data);
    else if (semantic == FACET_TANGENT)
        copy_tangents(r, array, &c, stream->data);
    else
        copy_values(r, array, &c, stream->data);
    return FACET_OK;
}

/* -- Names and materials ------------------------------------------------ */

/* The string at an offset, in the scene's arena: "" if it does not exist, truncated if it is too
 * long for a name. NULL if out of memory. */
static const char *name_of(reading *r, uint32_t offset)
{
    bool cut;
    size_t length;
    const char *text = facet_bpx_name(&r->model->strings, offset, &length, &cut);
    if (cut)
        facet_tally_hit(&r->long_names, offset);
    return facet_arena_string(r->scene->arena, text, length);
}

typedef struct use {
    uint32_t material, array;
} use;

static int by_material(const void *a, const void *b)
{
    const use *l = a, *r = b;
    return l->material != r->material ? (l->material < r->material ? -1 : 1)
                                      : (l->array < r->array ? -1 : l->array > r->array);
}

/* Vertex arrays with the same string share a material; materials are numbered by first use. */
static facet_status add_materials(reading *r)
{
    const facet_bpx_model *model = r->model;
    uint32_t count = model->array_count;
    use *uses = facet_scene_allocate(r->scene, count, sizeof *uses);
    uint32_t *first = facet_scene_allocate(r->scene, count, sizeof *first);
    r->materials = facet_scene_allocate(r->scene, count, sizeof *r->materials);
    if (!uses || !first || !r->materials)
        return facet_fail_arena(r->scene->arena, r->error);
    for (uint32_t i = 0; i < count; i++) {
        use one = {model->arrays[i].material, i};
        uses[i] = one;
    }
    qsort(uses, count, sizeof *uses, by_material);
    for (uint32_t i = 0; i < count; i++) {
        bool again = i > 0 && uses[i].material == uses[i - 1].material;
        first[uses[i].array] = again ? first[uses[i - 1].array] : uses[i].array;
    }
    for (uint32_t i = 0; i < count; i++) {
        facet_material *made;
        r->materials[i] = r->materials[first[i]];
        if (first[i] != i)
            continue;
        const char *name = name_of(r, model->arrays[i].material);
        facet_status status = name ? facet_scene_add_named_material(r->scene, name, &made, r->error)
                                   : facet_fail_arena(r->scene->arena, r->error);
        if (status)
            return status;
        r->materials[i] = r->scene->material_count - 1;
    }
    return FACET_OK;
}

/* -- Meshes ------------------------------------------------------------- */

static facet_status add_mesh(const reading *r, uint32_t index)
{
    const facet_bpx_vertex_array *array = &r->model->arrays[index];
    facet_mesh *mesh;
    TRY(facet_scene_add_mesh(r->scene, &mesh, r->error));
    facet_status status = FACET_OK;
    uint32_t faces = array->vertex_count / 3;
    uint32_t *indices = facet_scene_allocate(r->scene, array->vertex_count, sizeof *indices);
    uint32_t *materials = facet_scene_allocate(r->scene, faces, sizeof *materials);
    if (!indices || !materials)
        return facet_fail_arena(r->scene->arena, r->error);
    for (uint32_t i = 0; i < array->vertex_count; i++)
        indices[i] = i;
    for (uint32_t i = 0; i < faces; i++)
        materials[i] = r->materials[index];
    mesh->face_count = faces;
    mesh->corner_count = array->vertex_count;
    mesh->face_materials = materials;
    /* In a scene's mesh the position comes first, whatever the file's order. */
    for (uint32_t i = 0; i < r->model->component_count && !status; i++) {
        if (r->model->components[i].meaning == FACET_BPX_POSITION)
            status = add_stream(r, mesh, i, array, indices);
    }
    if (!status && mesh->stream_count == 0)
        return facet_fail(r->error, FACET_ERROR_UNSUPPORTED, "BPX-M-VF-POSITION", FACET_NO_OFFSET,
                          "no component of the vertex format is a position of three floats");
    for (uint32_t i = 0; i < r->model->component_count && !status; i++) {
        status = facet_step(r->options, "read meshes",
                            (index + (double)i / r->model->component_count) / r->model->array_count,
                            r->error);
        if (!status && r->model->components[i].meaning != FACET_BPX_POSITION)
            status = add_stream(r, mesh, i, array, indices);
    }
    return status;
}

/* -- Bones and frames --------------------------------------------------- */

static facet_status add_bones(reading *r)
{
    facet_skin *skin;
    uint32_t count = r->model->bone_count;
    facet_status status = facet_scene_add_skin(r->scene, "", count, &skin, r->error);
    for (uint32_t i = 0; i < count && !status; i++) {
        const uint8_t *bone = r->model->bones + (size_t)i * FACET_BPX_BONE_SIZE;
        const char *name = name_of(r, facet_load_u32le(bone + 64));
        facet_node *node;
        status = name ? facet_scene_add_node(r->scene, name, &node, r->error)
                      : facet_fail_arena(r->scene->arena, r->error);
        if (status)
            return status;
        load_matrix(bone, node->matrix);
        node->has_matrix = true;
        facet_matrix_invert(node->matrix, skin->inverse_bind + (size_t)i * 16);
        if (r->model->frame_count > 0) { /* animated nodes must not have a matrix */
            decompose(node->matrix, &node->transform);
            node->has_matrix = false;
        }
        skin->joints[i] = i;
    }
    for (uint32_t i = 0; i < r->scene->mesh_count && !status; i++) {
        facet_node *node;
        status = facet_scene_add_node(r->scene, r->scene->meshes[i]->name, &node, r->error);
        if (!status) {
            node->mesh = i;
            node->skin = facet_mesh_find(r->scene->meshes[i], FACET_JOINTS, 0) ? 0 : FACET_NONE;
        }
    }
    return status;
}

static facet_status add_frames(reading *r)
{
    static const facet_channel_target paths[] = {FACET_TARGET_TRANSLATION, FACET_TARGET_ROTATION,
                                                 FACET_TARGET_SCALE};
    static const uint32_t widths[] = {3, 4, 3};
    uint32_t frames = r->model->frame_count, bones = r->model->bone_count;
    double rate = r->model->frame_rate ? r->model->frame_rate : 30;
    facet_animation *animation;
    TRY(facet_scene_add_animation(r->scene, "", bones * 3, &animation, r->error));
    float *times = facet_scene_allocate(r->scene, frames, sizeof *times);
    if (!times)
        return facet_fail_arena(r->scene->arena, r->error);
    for (uint32_t f = 0; f < frames; f++)
        times[f] = (float)(f / rate);
    for (uint32_t i = 0; i < bones * 3; i++) {
        float *values = facet_scene_allocate(r->scene, frames, widths[i % 3] * sizeof *values);
        if (!values)
            return facet_fail_arena(r->scene->arena, r->error);
        facet_channel channel = {.node = i / 3,
                                 .target = paths[i % 3],
                                 .width = widths[i % 3],
                                 .key_count = frames,
                                 .times = times,
                                 .values = values};
        animation->channels[i] = channel;
    }
    for (uint32_t f = 0; f < frames; f++) {
        for (uint32_t b = 0; b < bones; b++) {
            float matrix[16];
            facet_transform t;
            facet_channel *c = animation->channels + (size_t)b * 3;
            load_matrix(r->model->frames + ((size_t)f * bones + b) * FACET_BPX_MATRIX_SIZE, matrix);
            if (!decompose(matrix, &t))
                facet_tally_hit(&r->sheared, f);
            memcpy(c[0].values + (size_t)f * 3, t.translation, sizeof t.translation);
            memcpy(c[1].values + (size_t)f * 4, t.rotation, sizeof t.rotation);
            memcpy(c[2].values + (size_t)f * 3, t.scale, sizeof t.scale);
        }
    }
    return FACET_OK;
}

facet_status facet_bpx_model_to_scene(const facet_bpx *document, const facet_options *options,
                                      facet_scene **scene, facet_error *error)
{
    facet_bpx_model model;
    facet_scene *made = NULL;
    uint32_t index = 0;
    TRY(facet_scene_create(options, &made, error));
    facet_bpx lent = *document; /* others may read the document, so the scene's arena is set in a
                                 * copy */
    lent.arena = made->arena;
    facet_status status = facet_bpx_get_model(&lent, &model, error);
    if (status) {
        facet_scene_free(made);
        return status;
    }
    facet_report *report = options ? options->report : NULL;
    reading r = {.model = &model, .options = options, .scene = made, .error = error};
    made->axes.unit = 1;
    made->axes.uv_origin_top = true;
    status = add_materials(&r);
    for (uint32_t i = 0; i < model.array_count && !status; i++)
        status = add_mesh(&r, i);
    if (!status && model.bone_count > 0)
        status = add_bones(&r);
    if (!status && model.frame_count > 0)
        status = add_frames(&r);
    else if (facet_bpx_count(document, FACET_BPX_FRAMES, &index) > 0)
        facet_report_add(report, "BPX-M-FRAME-OPAQUE", FACET_SEVERITY_WARNING,
                         document->sections[index].offset,
                         "the frames are of an unknown layout and left out");
    if (facet_bpx_count(document, FACET_BPX_ANIMATIONS, &index) > 0)
        facet_report_add(report, "BPX-M-ANIM-OPAQUE", FACET_SEVERITY_WARNING,
                         document->sections[index].offset,
                         "the AnimationArray has no defined layout and is left out");
    facet_report_add_tally(report, "LOSS-NAMES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &r.long_names,
                           "the name at %" PRIu64 " of Strings is cut after %d bytes",
                           r.long_names.first, FACET_BPX_MAX_NAME);
    facet_report_add_tally(
        report, "LOSS-NODES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &r.sheared,
        "frame %" PRIu64
        " shears a bone, which an animated node cannot express: its axes are made orthogonal",
        r.sheared.first + 1);
    if (!status)
        status = facet_scene_replace_nonfinite(made, options, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}
