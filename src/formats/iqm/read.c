/* formats/iqm/read.c - bytes to a document: all data are checked, none are changed, except that
 * version 1 becomes version 2. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/iqm/file.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct iqm_reader {
    const facet_iqm_layout *layout;
    facet_arena *arena;
    facet_iqm *document;
    facet_error *error;
} iqm_reader;

/* NULL for no bytes, and if out of memory. */
static void *copy_bytes(const iqm_reader *r, const void *from, size_t size)
{
    void *copy = size > 0 ? facet_arena_allocate(r->arena, size, 1) : NULL;
    if (copy)
        memcpy(copy, from, size);
    return copy;
}

/* `count` numbers of `size` bytes, in host order. */
static void *copy_numbers(const iqm_reader *r, const uint8_t *from, size_t count, size_t size)
{
    uint8_t *copy = copy_bytes(r, from, count * size);
#if FACET_HOST_IS_BIG_ENDIAN
    for (size_t i = 0; copy && size > 1 && i < count; i++) {
        for (size_t k = 0; k < size; k++)
            copy[i * size + k] = from[i * size + size - 1 - k];
    }
#endif
    return copy;
}

static uint32_t count_of(const iqm_reader *r, facet_iqm_section section)
{
    return r->layout->count[section];
}

/* -- Sections ----------------------------------------------------------- */

static void read_bytes(const iqm_reader *r)
{
    const facet_iqm_layout *layout = r->layout;
    facet_iqm *d = r->document;
    d->text_size = count_of(r, FACET_IQM_TEXT);
    d->text = copy_bytes(r, layout->raw[FACET_IQM_TEXT], d->text_size);
    d->comment_size = count_of(r, FACET_IQM_COMMENT);
    d->comment = copy_bytes(r, layout->raw[FACET_IQM_COMMENT], d->comment_size);
    d->triangle_count = count_of(r, FACET_IQM_TRIANGLES);
    d->triangles =
        copy_numbers(r, layout->raw[FACET_IQM_TRIANGLES], (size_t)d->triangle_count * 3, 4);
    d->adjacency = copy_numbers(r, layout->raw[FACET_IQM_ADJACENCY],
                                (size_t)count_of(r, FACET_IQM_ADJACENCY) * 3, 4);
    d->frame_count = count_of(r, FACET_IQM_FRAMES);
    d->channel_count = layout->channel_count;
    d->frames = copy_numbers(r, layout->raw[FACET_IQM_FRAMES],
                             (size_t)d->frame_count * d->channel_count, 2);
}

static facet_status read_arrays(const iqm_reader *r)
{
    uint32_t count = count_of(r, FACET_IQM_ARRAYS);
    uint64_t left = r->layout->size;
    facet_iqm_array *arrays = facet_arena_allocate(r->arena, count, sizeof *arrays);
    r->document->arrays = arrays;
    r->document->array_count = count;
    for (uint32_t i = 0; i < count && arrays; i++) {
        facet_iqm_load_array(r->layout, i, &arrays[i]);
        uint32_t component = facet_iqm_component_size(arrays[i].format);
        size_t numbers = (size_t)r->layout->vertex_count * arrays[i].size;
        if (numbers * component > left)
            return facet_fail(r->error, FACET_ERROR_LIMIT, "IQM-OVERLAP",
                              facet_iqm_record_offset(r->layout, FACET_IQM_ARRAYS, i),
                              "vertex arrays share bytes so often that they exceed the file's "
                              "%" PRIu64 " bytes",
                              (uint64_t)r->layout->size);
        left -= numbers * component;
        arrays[i].data = copy_numbers(r, arrays[i].data, numbers, component);
    }
    return FACET_OK;
}

/* Joints and poses of version 2 need more space than those of version 1 had. */
static void read_records(const iqm_reader *r)
{
    facet_iqm *d = r->document;
    d->mesh_count = count_of(r, FACET_IQM_MESHES);
    d->joint_count = count_of(r, FACET_IQM_JOINTS);
    d->pose_count = count_of(r, FACET_IQM_POSES);
    d->animation_count = count_of(r, FACET_IQM_ANIMATIONS);
    facet_iqm_mesh *meshes = facet_arena_allocate(r->arena, d->mesh_count, sizeof *meshes);
    facet_iqm_joint *joints = facet_arena_allocate(r->arena, d->joint_count, sizeof *joints);
    facet_iqm_pose *poses = facet_arena_allocate(r->arena, d->pose_count, sizeof *poses);
    facet_iqm_animation *animations =
        facet_arena_allocate(r->arena, d->animation_count, sizeof *animations);
    for (uint32_t i = 0; meshes && i < d->mesh_count; i++)
        facet_iqm_load_mesh(r->layout, i, &meshes[i]);
    for (uint32_t i = 0; joints && i < d->joint_count; i++)
        facet_iqm_load_joint(r->layout, i, &joints[i]);
    for (uint32_t i = 0; poses && i < d->pose_count; i++)
        facet_iqm_load_pose(r->layout, i, &poses[i]);
    for (uint32_t i = 0; animations && i < d->animation_count; i++)
        facet_iqm_load_animation(r->layout, i, &animations[i]);
    d->meshes = meshes;
    d->joints = joints;
    d->poses = poses;
    d->animations = animations;
}

static void read_bounds(const iqm_reader *r)
{
    uint32_t count = count_of(r, FACET_IQM_BOUNDS);
    facet_iqm_bounds *bounds =
        count > 0 ? facet_arena_allocate(r->arena, count, sizeof *bounds) : NULL;
    for (uint32_t i = 0; bounds && i < count; i++)
        facet_iqm_load_bounds(r->layout, i, &bounds[i]);
    r->document->bounds = bounds;
}

static void read_extensions(const iqm_reader *r)
{
    uint32_t count = count_of(r, FACET_IQM_EXTENSIONS);
    uint32_t offset = r->layout->offset[FACET_IQM_EXTENSIONS];
    facet_iqm_extension *extensions = facet_arena_allocate(r->arena, count, sizeof *extensions);
    for (uint32_t i = 0; extensions && i < count; i++) {
        facet_iqm_next_extension(r->layout, &offset, &extensions[i]);
        extensions[i].data = copy_bytes(r, extensions[i].data, extensions[i].size);
    }
    r->document->extensions = extensions;
    r->document->extension_count = count;
}

/* -- Version 1 ---------------------------------------------------------- */

/* Decode numbers of a frame before those of a pose. */
static float decode(const facet_iqm_pose *pose, int channel, const uint16_t **frame)
{
    if (!(pose->mask >> channel & 1))
        return pose->offset[channel];
    return pose->offset[channel] + pose->scale[channel] * (float)*(*frame)++;
}

/* w of a joint's rotation in a frame, if any part of the rotation is animated. */
static float frame_rotation_w(const facet_iqm_pose *pose, const uint16_t *frame)
{
    float xyz[3];
    for (int channel = 0; channel < 3; channel++)
        decode(pose, channel, &frame);
    for (int axis = 0; axis < 3; axis++)
        xyz[axis] = decode(pose, 3 + axis, &frame);
    return facet_iqm_rotation_w(xyz);
}

static void find_range(facet_iqm_pose *pose, const uint16_t *frames, uint32_t count, size_t stride)
{
    float least = INFINITY, most = -INFINITY;
    for (uint32_t f = 0; f < count; f++) {
        float w = frame_rotation_w(pose, frames + f * stride);
        least = fminf(least, w);
        most = fmaxf(most, w);
    }
    pose->offset[6] = least;
    if (most > least) {
        pose->scale[6] = (most - least) / 65535;
        pose->mask |= 1 << 6;
    }
}

/* Give every pose with an animated rotation a channel for w. */
static facet_status add_rotation_w(const iqm_reader *r, facet_iqm_pose *poses)
{
    facet_iqm *d = r->document;
    const uint16_t *from = d->frames;
    uint32_t channels = 0, before = 0;
    for (uint32_t i = 0; i < d->pose_count && from; i++) {
        uint32_t own = facet_iqm_channels_of(poses[i].mask);
        if (poses[i].mask & 0x38)
            find_range(&poses[i], from + before, d->frame_count, d->channel_count);
        before += own;
        channels += facet_iqm_channels_of(poses[i].mask);
    }
    if (!from)
        return FACET_OK;
    uint16_t *frames = facet_arena_allocate(r->arena, d->frame_count, channels * sizeof *frames);
    if (!frames)
        return facet_fail_arena(r->arena, r->error);
    uint16_t *to = frames;
    for (uint32_t f = 0; f < d->frame_count; f++) {
        const uint16_t *at = from + (size_t)f * d->channel_count;
        for (uint32_t i = 0; i < d->pose_count; i++) {
            const facet_iqm_pose *pose = &poses[i];
            facet_iqm_pose old = *pose;
            old.mask &= ~(uint32_t)(1 << 6);
            uint32_t head = facet_iqm_channels_of(old.mask & 0x3F);
            uint32_t all = facet_iqm_channels_of(old.mask);
            memcpy(to, at, head * sizeof *to);
            to += head;
            if (pose->mask >> 6 & 1)
                *to++ = (uint16_t)lrintf(
                    fminf((frame_rotation_w(&old, at) - pose->offset[6]) / pose->scale[6], 65535));
            memcpy(to, at + head, (all - head) * sizeof *to);
            to += all - head;
            at += all;
        }
    }
    d->frames = channels > 0 ? frames : NULL;
    d->channel_count = channels;
    return FACET_OK;
}

/* -- The reader -------------------------------------------------------- */

static facet_status report_gaps(const iqm_reader *r, facet_report *report)
{
    facet_iqm_block *blocks;
    size_t count;
    uint64_t end = FACET_IQM_HEADER_SIZE;
    TRY(facet_iqm_list_blocks(r->layout, r->arena, &blocks, &count, r->error));
    for (size_t i = 0; i <= count; i++) {
        uint64_t begin = i < count ? blocks[i].begin : r->layout->size;
        if (begin > end && facet_iqm_find_nonzero(r->layout->data + end, begin - end) < begin - end)
            facet_report_add(report, "LOSS-UNREAD", FACET_SEVERITY_WARNING, end,
                             "%" PRIu64 " byte%s outside of all sections %s not kept", begin - end,
                             facet_plural(begin - end, "", "s"),
                             facet_plural(begin - end, "is", "are"));
        if (i < count && blocks[i].end > end)
            end = blocks[i].end;
    }
    return FACET_OK;
}

static facet_status read_all(const iqm_reader *r, facet_report *report)
{
    facet_iqm *d = r->document;
    d->flags = r->layout->flags;
    d->vertex_count = r->layout->vertex_count;
    read_bytes(r);
    TRY(read_arrays(r));
    read_records(r);
    read_bounds(r);
    read_extensions(r);
    TRY(facet_arena_status(r->arena, r->error));
    if (r->layout->version == 1) {
        TRY(add_rotation_w(r, (facet_iqm_pose *)d->poses));
    } else {
        memcpy(d->offset, r->layout->offset, sizeof d->offset);
        d->size = r->layout->size <= UINT32_MAX ? (uint32_t)r->layout->size : 0;
    }
    return report_gaps(r, report);
}

facet_status facet_iqm_read(const facet_source *source, const facet_options *options,
                            facet_iqm **document, facet_error *error)
{
    facet_iqm_layout layout;
    facet_report *report = options ? options->report : NULL;
    facet_arena *arena = NULL;
    TRY(facet_iqm_view(source->data, source->size, &layout, error));
    TRY(facet_iqm_verify(&layout, error));
    TRY(facet_arena_create(options, &arena, error));
    facet_iqm *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (!made)
        return facet_arena_abandon(arena, error);
    made->arena = arena;
    iqm_reader r = {&layout, arena, made, error};
    facet_status status = read_all(&r, report);
    if (!status)
        status = facet_report_status(report, error);
    if (status)
        facet_arena_free(arena);
    else
        *document = made;
    return status;
}

void facet_iqm_free(facet_iqm *document)
{
    if (document)
        facet_arena_free(document->arena);
}
