/* formats/bpx/from_scene_model.c - a scene to a model: one vertex array per material with unshared
 * vertices, nodes and skins as bones, animations as frames. */
#include "formats/bpx/from_scene_model.h"
#include "base/error.h"
#include "base/size.h"
#include "scene/axes.h"
#include "scene/material.h"
#include "scene/matrix.h"
#include "scene/rate.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void *allocate(const facet_bpx_writer *w, size_t count, size_t size)
{
    return facet_arena_allocate_zeroed(w->arena, count, size);
}

/* -- Frame -------------------------------------------------------------- */

static void find_turn(facet_bpx_writer *w)
{
    const facet_axes *frame = &w->scene->axes;
    float m[16];
    facet_axes_matrix(frame, m);
    for (int c = 0; c < 3; c++) {
        w->turn[c] = m[c * 4];
        w->turn[3 + c] = m[c * 4 + 2];
        w->turn[6 + c] = m[c * 4 + 1];
    }
    w->unit = (float)facet_axes_unit(frame);
    w->mirrored = frame->left_handed;
    w->flip_v = facet_axes_flips_v(frame, true);
}

static void turn(const facet_bpx_writer *w, const float *v, float *out)
{
    for (int r = 0; r < 3; r++)
        out[r] = w->turn[r * 3] * v[0] + w->turn[r * 3 + 1] * v[1] + w->turn[r * 3 + 2] * v[2];
}

/* Store turn * M * transpose(turn), by rows. */
static void store_matrix(const facet_bpx_writer *w, const float *m, uint8_t *to)
{
    for (int r = 0; r < 3; r++) {
        float row[3], turned[3];
        for (int c = 0; c < 3; c++) {
            row[c] = 0;
            for (int k = 0; k < 3; k++)
                row[c] += w->turn[r * 3 + k] * m[c * 4 + k];
        }
        turn(w, row, turned);
        float place = 0;
        for (int k = 0; k < 3; k++)
            place += w->turn[r * 3 + k] * m[12 + k];
        for (int c = 0; c < 3; c++)
            facet_store_f32le(to + (r * 4 + c) * 4, turned[c]);
        facet_store_f32le(to + (r * 4 + 3) * 4, place * w->unit);
    }
    for (int c = 0; c < 4; c++)
        facet_store_f32le(to + (12 + c) * 4, (float)(c == 3));
}

/* -- Vertex format ------------------------------------------------------ */

static void add_component(facet_bpx_writer *w, uint8_t component)
{
    w->format[4 + w->format[2]++] = component;
    w->vertex_size += (component >> 4) * 4u;
}

static void choose_format(facet_bpx_writer *w)
{
    for (uint32_t i = 0; i < w->instance_count; i++) {
        const facet_mesh *mesh = w->instances[i].mesh;
        w->normals |= facet_mesh_find(mesh, FACET_NORMAL, 0) != NULL;
        w->tangents |= facet_mesh_find(mesh, FACET_TANGENT, 0) != NULL;
        w->colors |= facet_mesh_find(mesh, FACET_COLOR, 0) != NULL;
        for (uint32_t set = 0; set < FACET_BPX_MAX_TEXCOORDS; set++) {
            if (facet_mesh_find(mesh, FACET_TEXCOORD, set) && set >= w->texcoords)
                w->texcoords = set + 1;
        }
    }
    add_component(w, 0x31);
    if (w->normals)
        add_component(w, 0x31);
    for (uint32_t set = 0; set < w->texcoords; set++)
        add_component(w, 0x21);
    if (w->tangents)
        add_component(w, 0x41);
    if (w->colors)
        add_component(w, 0x41);
    if (w->skin) {
        add_component(w, 0x43);
        add_component(w, 0x41);
    }
    facet_store_u16le(w->format, (uint16_t)w->vertex_size);
    w->format_size = 4u + w->format[2];
}

/* -- Vertices ----------------------------------------------------------- */

static uint32_t slot_of(const facet_bpx_writer *w, const facet_mesh *mesh, uint32_t face)
{
    uint32_t material = mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
    return material < w->slot_count - 1 ? material : w->slot_count - 1;
}

static facet_status count_vertices(facet_bpx_writer *w)
{
    w->slot_count = w->scene->material_count + 1;
    w->counts = allocate(w, w->slot_count, sizeof *w->counts);
    w->order = allocate(w, w->slot_count, sizeof *w->order);
    w->arrays = allocate(w, w->slot_count, sizeof *w->arrays);
    if (!w->counts || !w->order || !w->arrays)
        return facet_fail_arena(w->arena, w->error);
    for (uint32_t i = 0; i < w->instance_count; i++) {
        const facet_mesh *mesh = w->instances[i].mesh;
        for (uint32_t face = 0; face < mesh->face_count; face++) {
            uint32_t slot = slot_of(w, mesh, face);
            if (w->counts[slot] == 0)
                w->order[w->used++] = slot;
            if (w->counts[slot] > UINT32_MAX / w->vertex_size - 16)
                return facet_fail(w->error, FACET_ERROR_LIMIT, "BPX-M-VA-SIZE", FACET_NO_OFFSET,
                                  "the vertices of one material need more than 4 GiB");
            w->counts[slot] += 3;
        }
    }
    for (uint32_t i = 0; i < w->used; i++) {
        size_t size = 8 + (size_t)w->counts[w->order[i]] * w->vertex_size;
        w->arrays[w->order[i]] = facet_arena_allocate(w->arena, size, 1);
        if (!w->arrays[w->order[i]])
            return facet_fail_arena(w->arena, w->error);
    }
    return FACET_OK;
}

/* The floats of a corner in a stream; `fallback` if it has none. */
static const float *element(const facet_stream *stream, uint32_t corner, const float *fallback)
{
    if (!stream || stream->indices[corner] == FACET_NONE || stream->component != FACET_FLOAT32)
        return fallback;
    return (const float *)stream->data + (size_t)stream->indices[corner] * stream->components;
}

static uint8_t *put(uint8_t *to, const float *values, int count)
{
    for (int i = 0; i < count; i++)
        facet_store_f32le(to + 4 * i, values[i]);
    return to + 4 * count;
}

/* Maximum number of sets of joints and weights, from which the heaviest are chosen. */
#define MAX_SETS 4

/* Streams of one mesh. */
typedef struct source {
    const facet_bpx_instance *at;
    const facet_stream *position, *normal, *tangent, *color, *texcoords[FACET_BPX_MAX_TEXCOORDS];
    const facet_stream *joints[MAX_SETS], *weights[MAX_SETS];
    uint32_t sets; /* number of sets of joints and weights */
    float cofactors[9];
    float sign; /* sign of the determinant of its transform */
} source;

static void direction(const facet_bpx_writer *w, const float *m, const float *v, float length,
                      float *out)
{
    float placed[3];
    for (int r = 0; r < 3; r++)
        placed[r] = m[r] * v[0] + m[3 + r] * v[1] + m[6 + r] * v[2];
    float size = sqrtf(placed[0] * placed[0] + placed[1] * placed[1] + placed[2] * placed[2]);
    for (int r = 0; r < 3 && size > 0; r++)
        placed[r] *= length / size;
    turn(w, placed, out);
}

static uint8_t *put_tangent(const facet_bpx_writer *w, const source *s, uint32_t corner,
                            uint8_t *to)
{
    static const float along[4] = {1, 0, 0, 1};
    const float *m = s->at->place, *t = element(s->tangent, corner, along);
    float axes[9] = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}, out[4];
    if (s->at->placed)
        direction(w, axes, t, 1, out);
    else
        turn(w, t, out);
    /* BPX's frame mirrors a right-handed one; so do a mirrored transform and a flipped v. */
    out[3] = t[3] * (w->mirrored ? 1.0F : -1.0F) * (w->flip_v ? -1.0F : 1.0F) * s->sign;
    return put(to, out, 4);
}

/* Keep the four heaviest weights in descending order. Equal weights keep their order. */
static void keep_heaviest(float weights[4], uint32_t joints[4], float weight, uint32_t joint)
{
    int at = 4;
    while (at > 0 && weight > weights[at - 1])
        at--;
    for (int i = 3; i > at; i--) {
        weights[i] = weights[i - 1];
        joints[i] = joints[i - 1];
    }
    if (at < 4) {
        weights[at] = weight;
        joints[at] = joint;
    }
}

/* The skin weights of a corner: unchanged with up to four joints, else the heaviest four. */
static void find_skin(const source *s, uint32_t corner, float weights[4], uint32_t joints[4])
{
    static const float none[4] = {0, 0, 0, 0};
    for (uint32_t set = 0; set < s->sets; set++) {
        const facet_stream *stream = s->joints[set];
        const float *weight = element(s->weights[set], corner, none);
        if (stream->indices[corner] == FACET_NONE)
            continue;
        const uint16_t *at = (const uint16_t *)stream->data + (size_t)stream->indices[corner] * 4;
        for (int i = 0; i < 4; i++) {
            bool known = at[i] < s->at->bone_count;
            uint32_t joint = known ? s->at->bones[at[i]] : s->at->bones[0];
            if (s->sets > 1) {
                keep_heaviest(weights, joints, known ? weight[i] : 0, joint);
            } else {
                weights[i] = known ? weight[i] : 0;
                joints[i] = joint;
            }
        }
    }
}

static uint8_t *put_skin(const source *s, uint32_t corner, uint8_t *to)
{
    uint32_t joints[4];
    float weights[4] = {0, 0, 0, 0}, sum = 0;
    for (int i = 0; i < 4; i++)
        joints[i] = s->at->bones[0];
    find_skin(s, corner, weights, joints);
    for (int i = 0; i < 4; i++)
        sum += weights[i];
    if (!(sum > 0))
        weights[0] = sum = 1;
    for (int i = 0; i < 4 && fabsf(sum - 1) > 1e-6F; i++)
        weights[i] /= sum;
    for (int i = 0; i < 4; i++)
        facet_store_u32le(to + 4 * i, joints[i]);
    return put(to + 16, weights, 4);
}

/* Readers take four floats whose last is always 1 for a tangent, unless a tangent precedes them.
 * Such an alpha becomes the next smaller float. */
#define BELOW_ONE 0.99999994F

static uint8_t *put_vertex(const facet_bpx_writer *w, const source *s, uint32_t corner, uint8_t *to)
{
    static const float zero[4] = {0, 0, 0, 0}, one[4] = {1, 1, 1, 1}, up[3] = {0, 1, 0};
    bool placed = s->at->placed;
    const float *p = element(s->position, corner, zero);
    float value[4], out[4];
    memcpy(value, p, 3 * sizeof *p);
    if (placed)
        facet_matrix_point(s->at->place, p, value);
    for (int i = 0; i < 3; i++)
        value[i] *= w->unit;
    turn(w, value, out);
    to = put(to, out, 3);
    if (w->normals) {
        const float *n = element(s->normal, corner, up);
        if (placed)
            direction(w, s->cofactors, n, s->sign, out);
        else
            turn(w, n, out);
        to = put(to, out, 3);
    }
    for (uint32_t set = 0; set < w->texcoords; set++) {
        const float *uv = element(s->texcoords[set], corner, zero);
        out[0] = uv[0];
        out[1] = w->flip_v ? 1 - uv[1] : uv[1];
        to = put(to, out, 2);
    }
    if (w->tangents)
        to = put_tangent(w, s, corner, to);
    if (w->colors) {
        const float *c = element(s->color, corner, one);
        memcpy(out, c, 3 * sizeof *c);
        out[3] = s->color && s->color->components == 4 ? c[3] : 1;
        if (!w->tangents && fabsf(out[3]) == 1)
            out[3] *= BELOW_ONE;
        to = put(to, out, 4);
    }
    return w->skin ? put_skin(s, corner, to) : to;
}

static void fill_instance(const facet_bpx_writer *w, const facet_bpx_instance *i, uint32_t *done)
{
    const facet_mesh *mesh = i->mesh;
    source s = {.at = i};
    s.position = facet_mesh_find(mesh, FACET_POSITION, 0);
    s.normal = facet_mesh_find(mesh, FACET_NORMAL, 0);
    s.tangent = facet_mesh_find(mesh, FACET_TANGENT, 0);
    s.color = facet_mesh_find(mesh, FACET_COLOR, 0);
    for (uint32_t set = 0; i->skinned && set < MAX_SETS && s.sets == set; set++) {
        s.joints[set] = facet_mesh_find(mesh, FACET_JOINTS, set);
        s.weights[set] = facet_mesh_find(mesh, FACET_WEIGHTS, set);
        s.sets += s.joints[set] && s.weights[set];
    }
    for (uint32_t set = 0; set < FACET_BPX_MAX_TEXCOORDS; set++)
        s.texcoords[set] = facet_mesh_find(mesh, FACET_TEXCOORD, set);
    facet_matrix_cofactors(i->place, s.cofactors);
    s.sign = facet_matrix_determinant(i->place) < 0 ? -1.0F : 1.0F;
    bool turned = w->mirrored != (s.sign < 0);
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t slot = slot_of(w, mesh, face), corner = face * 3;
        uint8_t *to = w->arrays[slot] + 8 + (size_t)done[slot] * w->vertex_size;
        to = put_vertex(w, &s, corner, to);
        to = put_vertex(w, &s, corner + (turned ? 2 : 1), to);
        put_vertex(w, &s, corner + (turned ? 1 : 2), to);
        done[slot] += 3;
    }
}

/* -- Strings ------------------------------------------------------------ */

/* Store the offset of a new name. */
static bool store_offset(facet_bpx_writer *w, uint32_t number, uint32_t offset)
{
    if (number == w->offset_capacity) {
        uint32_t space = w->offset_capacity * 2 + 16;
        uint32_t *grown =
            facet_arena_resize(w->arena, w->offsets, w->offset_capacity, space, sizeof *grown);
        if (!grown)
            return false;
        w->offsets = grown;
        w->offset_capacity = space;
    }
    w->offsets[number] = offset;
    return true;
}

/* Offset of a string, which is added if it is new. */
static facet_status intern(facet_bpx_writer *w, const char *text, uint32_t *offset)
{
    size_t length = strlen(text) + 1;
    uint32_t known = w->names.count;
    if (known == 0)
        w->names = facet_names_make(w->arena);
    uint32_t number = facet_names_put_copy(&w->names, text, length - 1);
    if (number == UINT32_MAX)
        return facet_fail_arena(w->arena, w->error);
    if (number < known) {
        *offset = w->offsets[number];
        return FACET_OK;
    }
    if (!store_offset(w, number, (uint32_t)w->string_size))
        return facet_fail_arena(w->arena, w->error);
    if (w->string_capacity - w->string_size < length) {
        size_t space = w->string_capacity * 2 + length + 256;
        uint8_t *grown = facet_arena_resize(w->arena, w->strings, w->string_capacity, space, 1);
        if (!grown)
            return facet_fail_arena(w->arena, w->error);
        w->strings = grown;
        w->string_capacity = space;
    }
    memcpy(w->strings + w->string_size, text, length);
    *offset = (uint32_t)w->string_size;
    w->string_size += length;
    return FACET_OK;
}

/* -- Sections ----------------------------------------------------------- */

static facet_status add_arrays(facet_bpx_writer *w)
{
    uint32_t *done = allocate(w, w->slot_count, sizeof *done);
    facet_status status = done ? FACET_OK : facet_fail_arena(w->arena, w->error);
    if (!status)
        status = facet_scene_report_material_names(
            w->scene, true, w->arena, w->options ? w->options->report : NULL, w->error);
    for (uint32_t i = 0; i < w->instance_count && !status; i++)
        fill_instance(w, &w->instances[i], done);
    for (uint32_t i = 0; i < w->used && !status; i++) {
        uint32_t slot = w->order[i], name = 0;
        if (slot < w->scene->material_count)
            status = intern(w, w->scene->materials[slot]->name, &name);
        facet_store_u32le(w->arrays[slot], name);
        facet_store_u32le(w->arrays[slot] + 4, w->counts[slot]);
        facet_bpx_add_section(w->document, FACET_BPX_VERTEX_ARRAY, false, w->arrays[slot],
                              8 + (size_t)w->counts[slot] * w->vertex_size);
    }
    return status;
}

static facet_status add_bones(facet_bpx_writer *w)
{
    size_t size = 2 + (size_t)w->bone_count * FACET_BPX_BONE_SIZE;
    uint8_t *bytes = allocate(w, size, 1);
    facet_status status = bytes ? FACET_OK : facet_fail_arena(w->arena, w->error);
    for (uint32_t i = 0; i < w->bone_count && !status; i++) {
        uint8_t *to = bytes + 2 + (size_t)i * FACET_BPX_BONE_SIZE;
        const char *name = w->scene->nodes[w->bones[i].node]->name;
        char made[32];
        uint32_t offset = 0;
        snprintf(made, sizeof made, "bone-%" PRIu32, i);
        status = intern(w, *name ? name : made, &offset);
        store_matrix(w, w->bones[i].bind, to);
        facet_store_u32le(to + 64, offset);
    }
    if (!status) {
        facet_store_u16le(bytes, (uint16_t)w->bone_count);
        facet_bpx_add_section(w->document, FACET_BPX_BONES, false, bytes, size);
    }
    return status;
}

static double frames_of(const facet_animation *animation, double rate)
{
    return fmax(ceil(facet_animation_duration(animation) * rate - 1e-4) + 1, 1);
}

/* Frame rate for sampling the animations: the file stores whole frames per second. */
static double frame_rate(const facet_bpx_writer *w)
{
    facet_report *report = w->options ? w->options->report : NULL;
    const facet_bpx_options *how = w->options ? w->options->bpx : NULL;
    double asked = how && how->frame_rate > 0 ? how->frame_rate : 30;
    double rate = fmin(fmax(floor(asked + 0.5), 1), 65535);
    if (rate != asked)
        facet_report_add(report, "LOSS-PRECISION", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%g frames a second become %g: BPX holds whole numbers up to 65,535",
                         asked, rate);
    return rate;
}

static facet_status add_animation(facet_bpx_writer *w, uint32_t index, double rate, uint32_t first,
                                  uint8_t **to)
{
    facet_report *report = w->options ? w->options->report : NULL;
    const facet_animation *animation = w->scene->animations[index];
    uint32_t count = (uint32_t)frames_of(animation, rate);
    facet_status status =
        facet_step(w->options, "frames", (double)index / w->scene->animation_count, w->error);
    for (uint32_t f = 0; f < count && !status; f++) {
        status = facet_scene_pose(w->scene, index, f / rate, w->options, &w->pose, w->error);
        for (uint32_t b = 0; b < w->bone_count && !status; b++, *to += FACET_BPX_MATRIX_SIZE)
            store_matrix(w, w->pose.global + (size_t)w->bones[b].node * 16, *to);
    }
    facet_quoted quoted;
    if (!facet_animation_is_on_frames(animation, rate) || !facet_animation_is_linear(animation))
        facet_report_add(report, "BPX-SAMPLED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "animation '%s' is sampled %g times a second",
                         facet_quote(&quoted, animation->name, strlen(animation->name)), rate);
    /* The file does not store this: the player of the animation must know it. */
    if (*animation->name || w->scene->animation_count > 1)
        facet_report_add(report, "LOSS-NAMES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "animation '%s' becomes frames %" PRIu32 " to %" PRIu32
                         "; a BPX model stores neither its name nor its end",
                         facet_quote(&quoted, animation->name, strlen(animation->name)), first + 1,
                         first + count);
    return status;
}

#define MAX_FRAMES 256 /* MiB */

/* Write the frames of all animations, with every bone in each frame. */
static facet_status add_frames(facet_bpx_writer *w)
{
    const facet_bpx_options *how = w->options ? w->options->bpx : NULL;
    uint32_t most = how && how->frames_limit ? how->frames_limit : MAX_FRAMES;
    double rate = frame_rate(w), frames = 0;
    for (uint32_t a = 0; a < w->scene->animation_count; a++)
        frames += frames_of(w->scene->animations[a], rate);
    size_t per_frame = (size_t)w->bone_count * FACET_BPX_MATRIX_SIZE;
    if (!(frames * (double)per_frame < (double)UINT32_MAX - FACET_BPX_FRAMES_HEAD))
        return facet_fail(w->error, FACET_ERROR_LIMIT, "BPX-M-FRAME-RAW", FACET_NO_OFFSET,
                          "%.0f frames of %" PRIu32
                          " bones need %.0f bytes, more than the 4 GiB of a section",
                          frames, w->bone_count, frames * (double)per_frame);
    if (frames * (double)per_frame > (double)most * 1048576)
        return facet_fail(w->error, FACET_ERROR_LIMIT, "BPX-M-FRAME-RAW", FACET_NO_OFFSET,
                          "%.0f frames of %" PRIu32 " bones take %.0f MiB, but %" PRIu32
                          " are allowed (--frames-limit)",
                          frames, w->bone_count, frames * (double)per_frame / 1048576, most);
    size_t size = FACET_BPX_FRAMES_HEAD + (size_t)frames * per_frame;
    uint8_t *bytes = allocate(w, size, 1), *to = bytes + FACET_BPX_FRAMES_HEAD;
    facet_status status = bytes ? FACET_OK : facet_fail_arena(w->arena, w->error);
    for (uint32_t a = 0, first = 0; a < w->scene->animation_count && !status; a++) {
        status = add_animation(w, a, rate, first, &to);
        first = (uint32_t)((size_t)(to - bytes) / per_frame);
    }
    if (status)
        return status;
    facet_store_u32le(bytes, (uint32_t)frames);
    facet_store_u16le(bytes + 4, (uint16_t)w->bone_count);
    facet_store_u16le(bytes + 6, (uint16_t)rate);
    facet_bpx_add_section(w->document, FACET_BPX_FRAMES, false, bytes, size);
    return FACET_OK;
}

static facet_status build(facet_bpx_writer *w)
{
    TRY(facet_bpx_find_instances(w));
    choose_format(w);
    facet_bpx_report_model_losses(w->scene, w->bone_count > 0, w->options);
    uint32_t empty;
    facet_status status = count_vertices(w);
    if (!status && w->used == 0)
        return facet_fail(w->error, FACET_ERROR_UNSUPPORTED, "BPX-SECTION-MISSING", FACET_NO_OFFSET,
                          "the scene has no visible triangle, which a BPX model needs");
    if (!status)
        w->document->sections = allocate(w, w->used + 4u, sizeof *w->document->sections);
    if (!status && !w->document->sections)
        return facet_fail_arena(w->arena, w->error);
    if (!status)
        status = intern(w, "", &empty);
    if (status)
        return status;
    facet_bpx_add_section(w->document, FACET_BPX_VERTEX_FORMAT, true, w->format, w->format_size);
    status = add_arrays(w);
    if (!status && w->bone_count > 0)
        status = add_bones(w);
    if (!status && w->bone_count > 0 && w->scene->animation_count > 0)
        status = add_frames(w);
    facet_bpx_add_section(w->document, FACET_BPX_STRINGS, false, w->strings, w->string_size);
    return status;
}

facet_status facet_bpx_model_from_scene(const facet_scene *scene, const facet_options *options,
                                        facet_bpx **document, facet_error *error)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (!facet_mesh_is_triangles(scene->meshes[i]))
            return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                              "mesh '%s' is not all triangles", scene->meshes[i]->name);
    }
    facet_bpx *made = NULL;
    TRY(facet_bpx_create('M', 0, options, &made, error));
    facet_bpx_writer *w = facet_arena_allocate_zeroed(made->arena, 1, sizeof *w);
    if (!w) {
        facet_status status = facet_fail_arena(made->arena, error);
        facet_bpx_free(made);
        return status;
    }
    w->arena = made->arena;
    w->document = made;
    w->scene = scene;
    w->options = options;
    w->error = error;
    find_turn(w);
    facet_status status = build(w);
    facet_pose_free(&w->pose);
    if (status)
        facet_bpx_free(made);
    else
        *document = made;
    return status;
}
