/* formats/iqm/from_scene_bounds.c - the bounds of the vertices in every frame. A vertex is between
 * the places that each of its joints gives it, so a block of vertices that follow the same joints
 * is inside the boxes that these joints make of its box. Only blocks whose boxes reach beyond what
 * is found already are computed vertex by vertex: 12 times faster with 50,000 vertices. */
#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "formats/iqm/from_scene.h"
#include "scene/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Blocks ------------------------------------------------------------- */

enum { BLOCK_SIZE = 16, MAX_JOINTS = 4 };

typedef struct skinned_vertex {
    float position[3];
    float weights[MAX_JOINTS];
    uint32_t joints[MAX_JOINTS]; /* of the weights above 0, then FACET_NONE */
    uint32_t vertex;
} skinned_vertex;

/* Vertices that follow the same joints. */
typedef struct vertex_block {
    uint32_t first, count;
    float center[3], half[3]; /* of the box in the base pose */
} vertex_block;

typedef struct bounds_maker {
    const facet_iqm_scene_writer *w;
    const float *values;
    skinned_vertex *vertices;
    vertex_block *blocks;
    uint32_t block_count;
    facet_iqm_bounds *bounds;
    float *matrices; /* per part: two matrices a joint */
    float *reaches;  /* per part: MAX_REACHES a block */
} bounds_maker;

static int by_joints(const void *a, const void *b)
{
    const skinned_vertex *l = a, *r = b;
    for (int k = 0; k < MAX_JOINTS; k++) {
        if (l->joints[k] != r->joints[k])
            return l->joints[k] < r->joints[k] ? -1 : 1;
    }
    return l->vertex < r->vertex ? -1 : l->vertex > r->vertex;
}

static const facet_iqm_array *array_of(const facet_iqm *document, uint32_t type)
{
    uint32_t i = 0;
    while (document->arrays[i].type != type)
        i++;
    return &document->arrays[i];
}

/* As they are written: with weights of 8 bits. */
static void take_vertices(bounds_maker *b)
{
    const facet_iqm *d = b->w->document;
    const facet_iqm_array *indexes = array_of(d, FACET_IQM_BLEND_INDEXES);
    const float *positions = array_of(d, FACET_IQM_POSITION)->data;
    const uint8_t *weights = array_of(d, FACET_IQM_BLEND_WEIGHTS)->data;
    for (uint32_t v = 0; v < d->vertex_count; v++) {
        skinned_vertex *to = &b->vertices[v];
        to->vertex = v;
        memcpy(to->position, positions + (size_t)v * 3, sizeof to->position);
        for (size_t k = 0; k < MAX_JOINTS; k++) {
            size_t at = (size_t)v * MAX_JOINTS + k;
            to->weights[k] = (float)weights[at] / 255;
            to->joints[k] = weights[at] == 0 ? FACET_NONE
                            : indexes->format == FACET_IQM_UINT16
                                ? ((const uint16_t *)indexes->data)[at]
                                : ((const uint8_t *)indexes->data)[at];
        }
    }
    qsort(b->vertices, d->vertex_count, sizeof *b->vertices, by_joints);
}

static void box_block(const bounds_maker *b, vertex_block *block)
{
    for (int axis = 0; axis < 3; axis++) {
        float least = b->vertices[block->first].position[axis], most = least;
        for (uint32_t i = 1; i < block->count; i++) {
            float value = b->vertices[block->first + i].position[axis];
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        block->center[axis] = least / 2 + most / 2;
        block->half[axis] = most / 2 - least / 2;
    }
}

static void cut_blocks(bounds_maker *b)
{
    uint32_t count = b->w->document->vertex_count;
    for (uint32_t first = 0; first < count;) {
        vertex_block *block = &b->blocks[b->block_count++];
        block->first = first;
        block->count = 1;
        while (first + block->count < count && block->count < BLOCK_SIZE &&
               memcmp(b->vertices[first].joints, b->vertices[first + block->count].joints,
                      sizeof b->vertices->joints) == 0)
            block->count++;
        box_block(b, block);
        first += block->count;
    }
}

/* -- One frame ---------------------------------------------------------- */

/* How far something reaches: along the axes, against them, squared from the z axis, and squared
 * from the origin. */
enum { MAX_REACHES = 8, REACH_XY = 6, REACH_ALL = 7 };

/* The matrices that take vertices from the base pose to a frame. */
static void find_matrices(const bounds_maker *b, size_t frame, float *global, float *skin)
{
    const facet_iqm_skeleton *s = &b->w->skeleton;
    const facet_iqm_joint *joints = b->w->document->joints;
    const float *value = b->values + frame * s->count * FACET_IQM_CHANNELS;
    for (uint32_t j = 0; j < s->count; j++, value += FACET_IQM_CHANNELS) {
        facet_transform transform;
        float local[16];
        memcpy(transform.translation, value, sizeof transform.translation);
        memcpy(transform.rotation, value + 3, sizeof transform.rotation);
        memcpy(transform.scale, value + 7, sizeof transform.scale);
        facet_matrix_of_transform(&transform, local);
        if (joints[j].parent < 0)
            memcpy(global + (size_t)j * 16, local, sizeof local);
        else
            facet_matrix_multiply(global + (size_t)joints[j].parent * 16, local,
                                  global + (size_t)j * 16);
        facet_matrix_multiply(global + (size_t)j * 16, s->undo + (size_t)j * 16,
                              skin + (size_t)j * 16);
    }
}

static void raise(float *reach, float value)
{
    *reach = value > *reach ? value : *reach;
}

/* Rounding must not make the box of a block smaller than what is in it. */
#define SLACK 1e-5F

/* What a block reaches at most. */
static void reach_of_block(const bounds_maker *b, const vertex_block *block, const float *skin,
                           float reach[MAX_REACHES])
{
    const uint32_t *joints = b->vertices[block->first].joints;
    float far[3] = {0, 0, 0};
    for (int i = 0; i < MAX_REACHES; i++)
        reach[i] = -INFINITY;
    for (int k = 0; k < MAX_JOINTS && joints[k] != FACET_NONE; k++) {
        const float *m = skin + (size_t)joints[k] * 16;
        float center[3];
        facet_matrix_point(m, block->center, center);
        for (int axis = 0; axis < 3; axis++) {
            float half = fabsf(m[axis]) * block->half[0] + fabsf(m[4 + axis]) * block->half[1] +
                         fabsf(m[8 + axis]) * block->half[2];
            half += SLACK * (half + fabsf(center[axis]));
            raise(&reach[axis], center[axis] + half);
            raise(&reach[3 + axis], half - center[axis]);
            raise(&far[axis], fabsf(center[axis]) + half);
        }
    }
    reach[REACH_XY] = far[0] * far[0] + far[1] * far[1];
    reach[REACH_ALL] = reach[REACH_XY] + far[2] * far[2];
}

static void add_vertices(const bounds_maker *b, const vertex_block *block, const float *skin,
                         float reach[MAX_REACHES])
{
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const skinned_vertex *v = &b->vertices[i];
        float p[3] = {0, 0, 0};
        for (int k = 0; k < MAX_JOINTS && v->joints[k] != FACET_NONE; k++) {
            float moved[3];
            facet_matrix_point(skin + (size_t)v->joints[k] * 16, v->position, moved);
            for (int axis = 0; axis < 3; axis++)
                p[axis] += v->weights[k] * moved[axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            raise(&reach[axis], p[axis]);
            raise(&reach[3 + axis], -p[axis]);
        }
        float flat = p[0] * p[0] + p[1] * p[1];
        raise(&reach[REACH_XY], flat);
        raise(&reach[REACH_ALL], flat + p[2] * p[2]);
    }
}

static bool reaches_beyond(const float *block, const float *found)
{
    bool beyond = false;
    for (int i = 0; i < MAX_REACHES; i++)
        beyond |= block[i] > found[i];
    return beyond;
}

/* First the blocks that may reach farthest in each way, then those that may reach farther yet. */
static void bound_frame(const bounds_maker *b, const float *skin, float *reaches,
                        facet_iqm_bounds *bounds)
{
    uint32_t farthest[MAX_REACHES] = {0};
    float found[MAX_REACHES];
    for (uint32_t i = 0; i < b->block_count; i++) {
        reach_of_block(b, &b->blocks[i], skin, reaches + (size_t)i * MAX_REACHES);
        for (size_t k = 0; k < MAX_REACHES; k++) {
            if (reaches[(size_t)i * MAX_REACHES + k] >
                reaches[(size_t)farthest[k] * MAX_REACHES + k])
                farthest[k] = i;
        }
    }
    for (int k = 0; k < MAX_REACHES; k++)
        found[k] = -INFINITY;
    for (int k = 0; k < MAX_REACHES; k++)
        add_vertices(b, &b->blocks[farthest[k]], skin, found);
    for (uint32_t i = 0; i < b->block_count; i++) {
        if (reaches_beyond(reaches + (size_t)i * MAX_REACHES, found))
            add_vertices(b, &b->blocks[i], skin, found);
    }
    for (int axis = 0; axis < 3; axis++) {
        bounds->maximum[axis] = found[axis];
        bounds->minimum[axis] = 0 - found[3 + axis]; /* never -0 */
    }
    bounds->xy_radius = sqrtf(found[REACH_XY]);
    bounds->radius = sqrtf(found[REACH_ALL]);
}

/* -- The whole ---------------------------------------------------------- */

static void bound_part(void *argument, size_t part, size_t first, size_t end)
{
    const bounds_maker *b = argument;
    size_t joints = b->w->skeleton.count;
    float *global = b->matrices + part * joints * 32, *skin = global + joints * 16;
    float *reaches = b->reaches + part * b->block_count * MAX_REACHES;
    for (size_t f = first; f < end; f++) {
        find_matrices(b, f, global, skin);
        bound_frame(b, skin, reaches, &b->bounds[f]);
    }
}

facet_status facet_iqm_make_bounds(facet_iqm_scene_writer *w, const float *values,
                                   uint32_t frame_count)
{
    bounds_maker b = {.w = w, .values = values};
    size_t count = w->document->vertex_count, parts = FACET_MAX_PARTS;
    if (count == 0)
        return FACET_OK;
    b.bounds = facet_arena_allocate_zeroed(w->arena, frame_count, sizeof *b.bounds);
    b.vertices = facet_arena_allocate(w->scratch, count, sizeof *b.vertices);
    b.blocks = facet_arena_allocate(w->scratch, count, sizeof *b.blocks);
    b.matrices =
        facet_arena_allocate(w->scratch, w->skeleton.count * parts, 32 * sizeof *b.matrices);
    if (!b.bounds || !b.vertices || !b.blocks || !b.matrices)
        return facet_fail_arenas(w->arena, w->scratch, w->error);
    take_vertices(&b);
    cut_blocks(&b);
    b.reaches =
        facet_arena_allocate(w->scratch, b.block_count * parts, MAX_REACHES * sizeof *b.reaches);
    if (!b.reaches)
        return facet_fail_arena(w->scratch, w->error);
    facet_run_parts(w->options, bound_part, &b, frame_count, 4);
    w->document->bounds = b.bounds;
    return FACET_OK;
}
