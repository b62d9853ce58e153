/* mesh/streams.c - moving the elements of streams. */
#include "mesh/streams.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "scene/scene.h"

#include <string.h>

/* -- Gathering ---------------------------------------------------------- */

/* The element size is a constant in each copy of this loop, so the compiler can inline the copy
 * as a few moves. */
static inline void gather_sized(uint8_t *to, const uint8_t *data, const uint32_t *from,
                                uint32_t count, const uint8_t *missing, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *element = from[i] == FACET_NONE ? missing : data + from[i] * size;
        memcpy(to + i * size, element, size);
    }
}

#define ELEMENTS_PER_TASK 32768

typedef struct gathering {
    uint8_t *to;
    const uint8_t *data;
    const uint32_t *from;
    uint32_t count;
    const uint8_t *missing;
    size_t size;
} gathering;

static void gather(void *argument, size_t task)
{
    const gathering *g = argument;
    uint32_t begin = (uint32_t)task * ELEMENTS_PER_TASK, left = g->count - begin;
    uint32_t count = left < ELEMENTS_PER_TASK ? left : ELEMENTS_PER_TASK;
    uint8_t *to = g->to + begin * g->size;
    const uint32_t *from = g->from + begin;
    switch (g->size) {
    case 4:
        gather_sized(to, g->data, from, count, g->missing, 4);
        break;
    case 8:
        gather_sized(to, g->data, from, count, g->missing, 8);
        break;
    case 12:
        gather_sized(to, g->data, from, count, g->missing, 12);
        break;
    case 16:
        gather_sized(to, g->data, from, count, g->missing, 16);
        break;
    default:
        gather_sized(to, g->data, from, count, g->missing, g->size);
        break;
    }
}

static bool is_identity(const uint32_t *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (from[i] != i)
            return false;
    }
    return true;
}

facet_status facet_stream_gather(facet_mesh *mesh, facet_stream *stream, const uint32_t *from,
                                 uint32_t count, const facet_options *options, facet_error *error)
{
    if (count == stream->count && is_identity(from, count))
        return FACET_OK;
    size_t size = facet_stream_element_size(stream);
    uint8_t *data = facet_arena_allocate(mesh->arena, count, size);
    if (!data)
        return facet_fail_arena(mesh->arena, error);
    /* The widest element has 16 components of 8 bytes. */
    uint8_t missing[128] = {0};
    if (stream->semantic == FACET_COLOR) {
        for (uint32_t i = 0; i < stream->components; i++)
            memcpy(missing + i * sizeof(float), &(float){1}, sizeof(float));
    }
    gathering g = {data, stream->data, from, count, missing, size};
    facet_run(options, gather, &g, ((size_t)count + ELEMENTS_PER_TASK - 1) / ELEMENTS_PER_TASK);
    facet_arena_release(mesh->arena, stream->data, stream->count, size);
    stream->data = data;
    stream->count = count;
    return FACET_OK;
}

/* -- Runs of faces ------------------------------------------------------ */

uint32_t facet_mesh_end_of_run(const facet_mesh *mesh, uint32_t face, uint32_t *part)
{
    uint32_t end = facet_mesh_end_of_material(mesh, face);
    for (; *part < mesh->part_count; ++*part) {
        const facet_part *p = &mesh->parts[*part];
        uint32_t behind = p->first_face + p->face_count;
        uint32_t next = p->first_face > face ? p->first_face : behind;
        if (next > face)
            return next < end ? next : end;
    }
    return end;
}

/* -- Renumbering -------------------------------------------------------- */

/* Renumber indices by first use; from[number] is the old index. */
static uint32_t number_by_first_use(uint32_t *indices, size_t index_count, uint32_t *numbers,
                                    uint32_t *from, uint32_t used)
{
    for (size_t i = 0; i < index_count; i++) {
        uint32_t old = indices[i];
        if (numbers[old] == FACET_NONE) {
            numbers[old] = used;
            from[used++] = old;
        }
        indices[i] = numbers[old];
    }
    return used;
}

static void number_back(uint32_t *indices, size_t index_count, const uint32_t *from)
{
    for (size_t i = 0; i < index_count; i++)
        indices[i] = from[indices[i]];
}

static facet_status gather_all(facet_mesh *mesh, const uint32_t *from, uint32_t used,
                               const facet_options *options, facet_error *error)
{
    facet_status status = facet_stream_gather(mesh, &mesh->streams[0], from, used, options, error);
    if (status) {
        number_back(mesh->streams[0].indices, mesh->corner_count, from);
        facet_mesh_number_ends(mesh, from);
        return status;
    }
    for (uint32_t i = 1; i < mesh->stream_count;) {
        facet_status one = facet_stream_gather(mesh, &mesh->streams[i], from, used, options, error);
        if (one) {
            facet_mesh_remove_stream(mesh, &mesh->streams[i]);
            status = one;
        } else {
            i++;
        }
    }
    return status;
}

facet_status facet_mesh_renumber(facet_mesh *mesh, const facet_options *options, bool *changed,
                                 facet_error *error)
{
    uint32_t count = mesh->streams[0].count;
    size_t uses = mesh->corner_count + (size_t)mesh->line_count * 2 + mesh->point_count;
    uint32_t most = count < uses ? count : (uint32_t)uses;
    uint32_t *numbers = facet_arena_allocate(mesh->arena, count, sizeof *numbers);
    uint32_t *from = facet_arena_allocate(mesh->arena, most, sizeof *from);
    facet_status status;
    if (numbers && from) {
        memset(numbers, 0xFF, count * sizeof *numbers);
        uint32_t used =
            number_by_first_use(mesh->streams[0].indices, mesh->corner_count, numbers, from, 0);
        for (int kind = 0; kind < FACET_END_KINDS; kind++) {
            facet_ends ends = facet_mesh_ends(mesh, kind);
            used = number_by_first_use(ends.indices, ends.count, numbers, from, used);
        }
        if (changed)
            *changed |= used != count || !is_identity(from, used);
        status = gather_all(mesh, from, used, options, error);
    } else {
        status = facet_fail_arena(mesh->arena, error);
    }
    facet_arena_release(mesh->arena, from, most, sizeof *from);
    facet_arena_release(mesh->arena, numbers, count, sizeof *numbers);
    return status;
}
