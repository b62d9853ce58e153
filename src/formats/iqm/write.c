/* formats/iqm/write.c - a document to bytes. The file is built in memory, and verified like a file
 * that is read, before the first byte is written. So one function defines validity. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/iqm/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- Offsets ----------------------------------------------------------- */

/* A part of the file in one range of bytes. */
typedef struct piece {
    uint64_t size;
    uint32_t align;
    uint64_t old; /* its offset in the original file */
    uint64_t at;  /* its offset in this file */
} piece;

/* The sections, then the vertex arrays, then each extension and its data. */
typedef struct file_plan {
    const facet_iqm *document;
    piece *pieces;
    size_t count;
    uint64_t size;
    uint8_t *bytes;
} file_plan;

static piece *array_piece(const file_plan *plan, uint32_t index)
{
    return plan->pieces + FACET_IQM_SECTION_COUNT + index;
}

static piece *extension_piece(const file_plan *plan, uint32_t index)
{
    return plan->pieces + FACET_IQM_SECTION_COUNT + plan->document->array_count + (size_t)index * 2;
}

static uint64_t section_size(const facet_iqm *d, facet_iqm_section section)
{
    switch (section) {
    case FACET_IQM_TEXT:
        return d->text_size;
    case FACET_IQM_MESHES:
        return (uint64_t)d->mesh_count * FACET_IQM_MESH_SIZE;
    case FACET_IQM_ARRAYS:
        return (uint64_t)d->array_count * FACET_IQM_ARRAY_SIZE;
    case FACET_IQM_TRIANGLES:
        return (uint64_t)d->triangle_count * 12;
    case FACET_IQM_ADJACENCY:
        return d->adjacency ? (uint64_t)d->triangle_count * 12 : 0;
    case FACET_IQM_JOINTS:
        return (uint64_t)d->joint_count * FACET_IQM_JOINT_SIZE;
    case FACET_IQM_POSES:
        return (uint64_t)d->pose_count * FACET_IQM_POSE_SIZE;
    case FACET_IQM_ANIMATIONS:
        return (uint64_t)d->animation_count * FACET_IQM_ANIMATION_SIZE;
    /* Both are below 2^32, so the product is below 2^64; the file limit is tested before the
     * multiplication by 2. */
    case FACET_IQM_FRAMES: {
        uint64_t numbers = (uint64_t)d->frame_count * d->channel_count;
        return numbers > UINT32_MAX ? numbers : numbers * 2;
    }
    case FACET_IQM_BOUNDS:
        return d->bounds ? (uint64_t)d->frame_count * FACET_IQM_BOUNDS_SIZE : 0;
    case FACET_IQM_COMMENT:
        return d->comment_size;
    default:
        return 0;
    }
}

static facet_status list_pieces(file_plan *plan, facet_arena *arena, facet_error *error)
{
    const facet_iqm *d = plan->document;
    plan->count = FACET_IQM_SECTION_COUNT + d->array_count + (size_t)d->extension_count * 2;
    plan->pieces = facet_arena_allocate_zeroed(arena, plan->count, sizeof *plan->pieces);
    if (!plan->pieces)
        return facet_fail_arena(arena, error);
    for (int section = 0; section < FACET_IQM_SECTION_COUNT; section++)
        plan->pieces[section] =
            (piece){section_size(d, (facet_iqm_section)section), 4, d->offset[section], 0};
    for (uint32_t i = 0; i < d->array_count; i++) {
        const facet_iqm_array *array = &d->arrays[i];
        uint32_t component = facet_iqm_component_size(array->format);
        *array_piece(plan, i) = (piece){(uint64_t)d->vertex_count * array->size,
                                        component > 4 ? component : 4, array->offset, 0};
        /* A product beyond 32 bits is rejected later. */
        if (array_piece(plan, i)->size <= UINT32_MAX)
            array_piece(plan, i)->size *= component;
    }
    for (uint32_t i = 0; i < d->extension_count; i++) {
        const facet_iqm_extension *extension = &d->extensions[i];
        piece *pieces = extension_piece(plan, i);
        pieces[0] = (piece){FACET_IQM_EXTENSION_SIZE, 4, extension->offset, 0};
        pieces[1] = (piece){extension->size, 4, extension->data_offset, 0};
    }
    return FACET_OK;
}

static int by_old_offset(const void *a, const void *b)
{
    const piece *l = *(const piece *const *)a, *r = *(const piece *const *)b;
    return l->old < r->old ? -1 : l->old > r->old;
}

/* True if every piece fits at its original offset. Offsets of empty pieces stay unchanged. */
static bool fits_old_places(const file_plan *plan, const piece **sorted)
{
    uint64_t end = FACET_IQM_HEADER_SIZE;
    size_t count = 0;
    if (plan->document->size < FACET_IQM_HEADER_SIZE)
        return false;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].size > 0)
            sorted[count++] = &plan->pieces[i];
    }
    qsort(sorted, count, sizeof *sorted, by_old_offset);
    for (size_t i = 0; i < count; i++) {
        if (sorted[i]->old < end || sorted[i]->size > plan->document->size - sorted[i]->old)
            return false;
        end = sorted[i]->old + sorted[i]->size;
        if (end > plan->document->size)
            return false;
    }
    return true;
}

static void place(file_plan *plan, piece *p)
{
    if (p->size == 0)
        return;
    plan->size = (plan->size + p->align - 1) / p->align * p->align;
    p->at = plan->size;
    plan->size += p->size;
}

/* Compute new offsets in the order of iqm.exe and Blender's exporter: vertices come after the
 * vertex arrays. */
static void place_anew(file_plan *plan)
{
    plan->size = FACET_IQM_HEADER_SIZE;
    for (int section = 0; section < FACET_IQM_EXTENSIONS; section++) {
        place(plan, &plan->pieces[section]);
        for (uint32_t i = 0; section == FACET_IQM_ARRAYS && i < plan->document->array_count; i++)
            place(plan, array_piece(plan, i));
    }
    for (uint32_t i = 0; i < plan->document->extension_count; i++) {
        place(plan, extension_piece(plan, i));
        place(plan, extension_piece(plan, i) + 1);
    }
    plan->size = (plan->size + 3) / 4 * 4;
}

static facet_status place_pieces(file_plan *plan, facet_arena *arena, facet_error *error)
{
    const piece **sorted = facet_arena_allocate(arena, plan->count, sizeof *sorted);
    uint64_t total = 0;
    if (!sorted)
        return facet_fail_arena(arena, error);
    for (size_t i = 0; i < plan->count && total <= UINT32_MAX; i++)
        total = plan->pieces[i].size > UINT32_MAX ? plan->pieces[i].size
                                                  : total + plan->pieces[i].size + 8;
    if (total > UINT32_MAX - FACET_IQM_HEADER_SIZE - 8)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the sections need more than the 4 GiB that an IQM can address");
    bool old = fits_old_places(plan, sorted);
    for (size_t i = 0; old && i < plan->count; i++)
        plan->pieces[i].at = plan->pieces[i].old;
    /* Their counts are those of triangles and frames: only the offset shows that they are
     * missing. */
    if (!plan->document->adjacency && plan->document->triangle_count > 0)
        plan->pieces[FACET_IQM_ADJACENCY].at = 0;
    if (!plan->document->bounds && plan->document->frame_count > 0)
        plan->pieces[FACET_IQM_BOUNDS].at = 0;
    if (old)
        plan->size = plan->document->size;
    else
        place_anew(plan);
    return FACET_OK;
}

/* -- Bytes -------------------------------------------------------------- */

static uint8_t *put_u32(uint8_t *to, uint32_t value)
{
    facet_store_u32le(to, value);
    return to + 4;
}

static uint8_t *put_floats(uint8_t *to, const float *values, int count)
{
    for (int i = 0; i < count; i++)
        facet_store_f32le(to + 4 * i, values[i]);
    return to + 4 * count;
}

/* Write `count` numbers of `size` bytes from host order. */
static void put_numbers(uint8_t *to, const void *from, size_t count, size_t size)
{
    if (count == 0)
        return;
#if FACET_HOST_IS_BIG_ENDIAN
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < size; k++)
            to[i * size + k] = ((const uint8_t *)from)[i * size + size - 1 - k];
    }
#else
    memcpy(to, from, count * size);
#endif
}

/* Address of a section. An empty section can have an offset beyond the file. */
static uint8_t *section_at(const file_plan *plan, facet_iqm_section section)
{
    const piece *p = &plan->pieces[section];
    return p->size > 0 ? plan->bytes + p->at : plan->bytes;
}

static void put_meshes(const file_plan *plan)
{
    uint8_t *to = section_at(plan, FACET_IQM_MESHES);
    for (uint32_t i = 0; i < plan->document->mesh_count; i++) {
        const facet_iqm_mesh *mesh = &plan->document->meshes[i];
        to = put_u32(to, mesh->name);
        to = put_u32(to, mesh->material);
        to = put_u32(to, mesh->first_vertex);
        to = put_u32(to, mesh->vertex_count);
        to = put_u32(to, mesh->first_triangle);
        to = put_u32(to, mesh->triangle_count);
    }
}

static void put_arrays(const file_plan *plan)
{
    uint8_t *to = section_at(plan, FACET_IQM_ARRAYS);
    for (uint32_t i = 0; i < plan->document->array_count; i++) {
        const facet_iqm_array *array = &plan->document->arrays[i];
        const piece *vertices = array_piece(plan, i);
        to = put_u32(to, array->type);
        to = put_u32(to, array->flags);
        to = put_u32(to, array->format);
        to = put_u32(to, array->size);
        to = put_u32(to, (uint32_t)vertices->at);
        if (vertices->size > 0)
            put_numbers(plan->bytes + vertices->at, array->data,
                        (size_t)plan->document->vertex_count * array->size,
                        facet_iqm_component_size(array->format));
    }
}

static void put_joints(const file_plan *plan)
{
    uint8_t *to = section_at(plan, FACET_IQM_JOINTS);
    for (uint32_t i = 0; i < plan->document->joint_count; i++) {
        const facet_iqm_joint *joint = &plan->document->joints[i];
        to = put_u32(to, joint->name);
        to = put_u32(to, (uint32_t)joint->parent);
        to = put_floats(to, joint->translation, 3);
        to = put_floats(to, joint->rotation, 4);
        to = put_floats(to, joint->scale, 3);
    }
    to = section_at(plan, FACET_IQM_POSES);
    for (uint32_t i = 0; i < plan->document->pose_count; i++) {
        const facet_iqm_pose *pose = &plan->document->poses[i];
        to = put_u32(to, (uint32_t)pose->parent);
        to = put_u32(to, pose->mask);
        to = put_floats(to, pose->offset, FACET_IQM_CHANNELS);
        to = put_floats(to, pose->scale, FACET_IQM_CHANNELS);
    }
}

static void put_animations(const file_plan *plan)
{
    const facet_iqm *d = plan->document;
    uint8_t *to = section_at(plan, FACET_IQM_ANIMATIONS);
    for (uint32_t i = 0; i < d->animation_count; i++) {
        const facet_iqm_animation *animation = &d->animations[i];
        to = put_u32(to, animation->name);
        to = put_u32(to, animation->first_frame);
        to = put_u32(to, animation->frame_count);
        to = put_floats(to, &animation->rate, 1);
        to = put_u32(to, animation->flags);
    }
    to = section_at(plan, FACET_IQM_BOUNDS);
    for (uint32_t i = 0; d->bounds && i < d->frame_count; i++) {
        to = put_floats(to, d->bounds[i].minimum, 3);
        to = put_floats(to, d->bounds[i].maximum, 3);
        to = put_floats(to, &d->bounds[i].xy_radius, 1);
        to = put_floats(to, &d->bounds[i].radius, 1);
    }
}

static void put_extensions(const file_plan *plan)
{
    const facet_iqm *d = plan->document;
    for (uint32_t i = 0; i < d->extension_count; i++) {
        const piece *pieces = extension_piece(plan, i);
        uint8_t *to = plan->bytes + pieces[0].at;
        to = put_u32(to, d->extensions[i].name);
        to = put_u32(to, d->extensions[i].size);
        to = put_u32(to, (uint32_t)pieces[1].at);
        put_u32(to, i + 1 < d->extension_count ? (uint32_t)pieces[2].at : 0);
        if (pieces[1].size > 0)
            put_numbers(plan->bytes + pieces[1].at, d->extensions[i].data, d->extensions[i].size,
                        1);
    }
}

static void put_header(const file_plan *plan)
{
    const facet_iqm *d = plan->document;
    uint8_t *header = plan->bytes;
    const uint32_t counts[FACET_IQM_SECTION_COUNT] = {
        d->text_size,      d->mesh_count,  d->array_count,  d->triangle_count,
        d->triangle_count, d->joint_count, d->pose_count,   d->animation_count,
        d->frame_count,    d->frame_count, d->comment_size, d->extension_count};
    memcpy(header, "INTERQUAKEMODEL", 16);
    facet_store_u32le(header + FACET_IQM_AT_VERSION, 2);
    facet_store_u32le(header + FACET_IQM_AT_FILE_SIZE, (uint32_t)plan->size);
    facet_store_u32le(header + FACET_IQM_AT_FLAGS, d->flags);
    facet_store_u32le(header + FACET_IQM_AT_VERTICES, d->vertex_count);
    facet_store_u32le(header + FACET_IQM_AT_CHANNELS, d->channel_count);
    for (int section = 0; section < FACET_IQM_SECTION_COUNT; section++) {
        const facet_iqm_section_info *info = &facet_iqm_section_infos[section];
        facet_store_u32le(header + info->count_at, counts[section]);
        facet_store_u32le(header + info->offset_at, (uint32_t)plan->pieces[section].at);
    }
    if (d->extension_count > 0)
        facet_store_u32le(header + facet_iqm_section_infos[FACET_IQM_EXTENSIONS].offset_at,
                          (uint32_t)extension_piece(plan, 0)->at);
}

static void put_all(const file_plan *plan)
{
    const facet_iqm *d = plan->document;
    put_header(plan);
    put_numbers(section_at(plan, FACET_IQM_TEXT), d->text, d->text_size, 1);
    put_meshes(plan);
    put_arrays(plan);
    put_numbers(section_at(plan, FACET_IQM_TRIANGLES), d->triangles, (size_t)d->triangle_count * 3,
                4);
    put_numbers(section_at(plan, FACET_IQM_ADJACENCY), d->adjacency,
                d->adjacency ? (size_t)d->triangle_count * 3 : 0, 4);
    put_joints(plan);
    put_animations(plan);
    put_numbers(section_at(plan, FACET_IQM_FRAMES), d->frames,
                (size_t)d->frame_count * d->channel_count, 2);
    put_numbers(section_at(plan, FACET_IQM_COMMENT), d->comment, d->comment_size, 1);
    put_extensions(plan);
}

/* -- The writer -------------------------------------------------------- */

static facet_status expect_array(const void *items, uint64_t count, const char *name,
                                 facet_error *error)
{
    if (items || count == 0)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_ARGUMENT, "IQM-DOCUMENT", FACET_NO_OFFSET,
                      "the %s are missing, expected %" PRIu64, name, count);
}

/* Check that the arrays of a document exist. The bytes are verified later. */
static facet_status expect_arrays(const facet_iqm *d, facet_error *error)
{
    TRY(expect_array(d->text, d->text_size, "bytes of the text", error));
    TRY(expect_array(d->meshes, d->mesh_count, "meshes", error));
    TRY(expect_array(d->arrays, d->array_count, "vertex arrays", error));
    TRY(expect_array(d->triangles, d->triangle_count, "triangles", error));
    TRY(expect_array(d->joints, d->joint_count, "joints", error));
    TRY(expect_array(d->poses, d->pose_count, "poses", error));
    TRY(expect_array(d->animations, d->animation_count, "animations", error));
    TRY(expect_array(d->frames, (uint64_t)d->frame_count * d->channel_count, "frames", error));
    TRY(expect_array(d->comment, d->comment_size, "bytes of the comment", error));
    TRY(expect_array(d->extensions, d->extension_count, "extensions", error));
    for (uint32_t i = 0; i < d->array_count; i++)
        TRY(expect_array(d->arrays[i].data, (uint64_t)d->vertex_count * d->arrays[i].size,
                         "values of a vertex array", error));
    for (uint32_t i = 0; i < d->extension_count; i++)
        TRY(expect_array(d->extensions[i].data, d->extensions[i].size, "bytes of an extension",
                         error));
    return FACET_OK;
}

facet_status facet_iqm_serialize(const facet_iqm *document, facet_arena *arena,
                                 facet_iqm_layout *layout, facet_error *error)
{
    file_plan plan = {.document = document};
    TRY(expect_arrays(document, error));
    TRY(list_pieces(&plan, arena, error));
    TRY(place_pieces(&plan, arena, error));
    plan.bytes = facet_arena_allocate_zeroed(arena, (size_t)plan.size, 1);
    if (!plan.bytes)
        return facet_fail_arena(arena, error);
    put_all(&plan);
    facet_error why;
    facet_status status = facet_iqm_view(plan.bytes, (size_t)plan.size, layout, &why);
    if (!status)
        status = facet_iqm_verify(layout, &why);
    if (status)
        return facet_fail(error, FACET_ERROR_ARGUMENT, why.rule, FACET_NO_OFFSET, "%s",
                          why.message);
    return FACET_OK;
}

facet_status facet_iqm_write(const facet_iqm *document, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    facet_arena *scratch = NULL;
    facet_iqm_layout layout;
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status = facet_iqm_serialize(document, scratch, &layout, error);
    if (!status)
        status = facet_step(options, "write", 0, error);
    if (!status)
        facet_output_write(output, layout.data, layout.size);
    facet_arena_free(scratch);
    return status;
}
