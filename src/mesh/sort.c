/* mesh/sort.c - faces in runs of one material.
 *
 * Faces move in the runs that they already form. A run keeps its order, so it is copied as a
 * block. Few meshes have many runs. */
#include <facet/mesh.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/threads.h"
#include "mesh/passes.h"
#include "mesh/streams.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

/* A run of faces with one material, and the new index of its first face. */
typedef struct run {
    uint32_t first_face, face_count;
    uint32_t rank; /* rank of its material, by first appearance */
    uint32_t to;
} run;

typedef struct sorter {
    facet_mesh *mesh;
    const facet_options *options;
    run *runs;
    size_t run_count;
    uint32_t rank_count;
    /* Buffers for the reordered arrays. The old block of each array then becomes the buffer for
     * the next one of the same size. */
    uint32_t *spare_corners, *spare_faces, *offsets;
} sorter;

/* -- Runs --------------------------------------------------------------- */

static size_t count_runs(const facet_mesh *mesh, uint32_t *largest)
{
    size_t runs = 0;
    for (uint32_t face = 0; face < mesh->face_count; runs++) {
        uint32_t material = mesh->face_materials[face];
        if (material != FACET_NONE && material > *largest)
            *largest = material;
        face = facet_mesh_end_of_material(mesh, face);
    }
    return runs;
}

/* Find the runs. `ranks` has an entry for each material, and a last one for faces without a
 * material. */
static void find_runs(sorter *s, uint32_t *ranks, size_t rank_capacity)
{
    memset(ranks, 0xFF, rank_capacity * sizeof *ranks);
    s->run_count = 0;
    for (uint32_t face = 0, end; face < s->mesh->face_count; face = end) {
        uint32_t material = s->mesh->face_materials[face];
        size_t slot = material == FACET_NONE ? rank_capacity - 1 : material;
        end = facet_mesh_end_of_material(s->mesh, face);
        if (ranks[slot] == UINT32_MAX)
            ranks[slot] = s->rank_count++;
        s->runs[s->run_count++] = (run){face, end - face, ranks[slot], 0};
    }
}

/* Place the runs by a counting sort; `starts` has space for every rank. */
static void place_runs(sorter *s, uint32_t *starts)
{
    memset(starts, 0, s->rank_count * sizeof *starts);
    for (size_t i = 0; i < s->run_count; i++)
        starts[s->runs[i].rank] += s->runs[i].face_count;
    uint32_t sum = 0;
    for (uint32_t rank = 0; rank < s->rank_count; rank++) {
        uint32_t count = starts[rank];
        starts[rank] = sum;
        sum += count;
    }
    for (size_t i = 0; i < s->run_count; i++) {
        s->runs[i].to = starts[s->runs[i].rank];
        starts[s->runs[i].rank] += s->runs[i].face_count;
    }
}

/* -- Moving ------------------------------------------------------------- */

/* An array whose runs are moved. */
typedef struct moving {
    const sorter *s;
    const uint32_t *values;
    uint32_t *moved;
} moving;

static void move_faces(void *argument, size_t part, size_t first, size_t end)
{
    const moving *m = argument;
    (void)part;
    for (size_t i = first; i < end; i++) {
        const run *r = &m->s->runs[i];
        memcpy(m->moved + r->to, m->values + r->first_face, r->face_count * sizeof *m->values);
    }
}

/* First corner of a face in the new order. */
static uint32_t new_begin(const sorter *s, uint32_t face)
{
    return s->offsets ? s->offsets[face] : face * 3;
}

static void move_corners(void *argument, size_t part, size_t first, size_t end)
{
    const moving *m = argument;
    const facet_mesh *mesh = m->s->mesh;
    (void)part;
    for (size_t i = first; i < end; i++) {
        const run *r = &m->s->runs[i];
        uint32_t from = facet_face_begin(mesh, r->first_face);
        uint32_t up_to = facet_face_begin(mesh, r->first_face + r->face_count);
        memcpy(m->moved + new_begin(m->s, r->to), m->values + from,
               (up_to - from) * sizeof *m->values);
    }
}

/* Move the sizes of the faces to their new places, and compute the offsets from them. */
static void move_offsets(const sorter *s)
{
    uint32_t face_count = s->mesh->face_count;
    for (size_t i = 0; i < s->run_count; i++) {
        const run *r = &s->runs[i];
        const uint32_t *from = s->mesh->face_offsets + r->first_face;
        for (uint32_t k = 0; k < r->face_count; k++)
            s->offsets[r->to + k] = from[k + 1] - from[k];
    }
    uint32_t sum = 0;
    for (uint32_t face = 0; face < face_count; face++) {
        uint32_t size = s->offsets[face];
        s->offsets[face] = sum;
        sum += size;
    }
    s->offsets[face_count] = sum;
}

static void move_everything(sorter *s)
{
    facet_mesh *mesh = s->mesh;
    if (s->offsets)
        move_offsets(s);
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        if (!facet_stream_leads(mesh, i))
            continue;
        uint32_t *old = mesh->streams[i].indices;
        moving corners = {s, old, s->spare_corners};
        facet_run_parts(s->options, move_corners, &corners, s->run_count, 1);
        facet_mesh_swap_indices(mesh, old, s->spare_corners);
        s->spare_corners = old;
    }
    uint32_t **arrays[2] = {&mesh->face_materials, &mesh->face_smoothing};
    for (int i = 0; i < 2; i++) {
        uint32_t *old = *arrays[i];
        if (!old)
            continue;
        moving faces = {s, old, s->spare_faces};
        facet_run_parts(s->options, move_faces, &faces, s->run_count, 1);
        *arrays[i] = s->spare_faces;
        s->spare_faces = old;
    }
    if (s->offsets) {
        uint32_t *old = mesh->face_offsets;
        mesh->face_offsets = s->offsets;
        s->offsets = old;
    }
}

/* -- Parts -------------------------------------------------------------- */

/* Find the new place of a part. False if its faces do not stay together: its runs, the first of
 * which is *at, must be consecutive in the new order. */
static bool follow_part(const sorter *s, const facet_part *part, size_t *at, uint32_t *to)
{
    uint32_t face = part->first_face, end = face + part->face_count;
    while (s->runs[*at].first_face + s->runs[*at].face_count <= face)
        ++*at;
    uint32_t lowest = UINT32_MAX, highest = 0;
    for (size_t i = *at; i < s->run_count && s->runs[i].first_face < end; i++) {
        const run *r = &s->runs[i];
        uint32_t from = r->first_face > face ? r->first_face : face;
        uint32_t up_to = r->first_face + r->face_count < end ? r->first_face + r->face_count : end;
        uint32_t first = r->to + (from - r->first_face), last = first + (up_to - from);
        lowest = first < lowest ? first : lowest;
        highest = last > highest ? last : highest;
    }
    *to = lowest;
    return highest - lowest == part->face_count;
}

/* Move parts with their faces; parts without faces go to the end. `sorted` has space for all
 * parts. The faces have not moved yet, so spare_faces is used as a map from a face to the part
 * that begins there. */
static uint32_t move_parts(sorter *s, facet_part *sorted)
{
    facet_mesh *mesh = s->mesh;
    size_t at = 0;
    uint32_t kept = 0;
    memset(s->spare_faces, 0xFF, mesh->face_count * sizeof *s->spare_faces);
    for (uint32_t i = 0; i < mesh->part_count; i++) {
        uint32_t to;
        if (mesh->parts[i].face_count > 0 && follow_part(s, &mesh->parts[i], &at, &to)) {
            mesh->parts[i].first_face = to;
            s->spare_faces[to] = i;
        }
    }
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        if (s->spare_faces[face] != UINT32_MAX)
            sorted[kept++] = mesh->parts[s->spare_faces[face]];
    }
    for (uint32_t i = 0; i < mesh->part_count; i++) {
        if (mesh->parts[i].face_count > 0)
            continue;
        sorted[kept] = mesh->parts[i];
        sorted[kept++].first_face = mesh->face_count;
    }
    memcpy(mesh->parts, sorted, kept * sizeof *sorted);
    return kept;
}

/* -- The pass ----------------------------------------------------------- */

static facet_status sort_runs(sorter *s, facet_error *error)
{
    facet_report *report = s->options ? s->options->report : NULL;
    facet_mesh *mesh = s->mesh;
    facet_arena *arena = mesh->arena;
    size_t offset_count = (size_t)mesh->face_count + 1, part_capacity = mesh->part_count;
    facet_part *parts = facet_arena_allocate(arena, part_capacity, sizeof *parts);
    s->spare_corners = facet_arena_allocate(arena, mesh->corner_count, sizeof(uint32_t));
    s->spare_faces = facet_arena_allocate(arena, mesh->face_count, sizeof(uint32_t));
    if (mesh->face_offsets)
        s->offsets = facet_arena_allocate(arena, offset_count, sizeof(uint32_t));
    bool have_all =
        parts && s->spare_corners && s->spare_faces && (s->offsets || !mesh->face_offsets);
    if (have_all) {
        uint32_t kept = mesh->part_count > 0 ? move_parts(s, parts) : 0;
        if (kept < mesh->part_count)
            facet_report_add(report, "MESH-PARTS-DROPPED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                             "sorting by material tears %" PRIu32 " of %" PRIu32
                             " parts apart: their names are dropped",
                             mesh->part_count - kept, mesh->part_count);
        mesh->part_count = kept;
        move_everything(s);
    }
    facet_arena_release(arena, s->offsets, offset_count, sizeof(uint32_t));
    facet_arena_release(arena, s->spare_faces, mesh->face_count, sizeof(uint32_t));
    facet_arena_release(arena, s->spare_corners, mesh->corner_count, sizeof(uint32_t));
    facet_arena_release(arena, parts, part_capacity, sizeof *parts);
    return have_all ? FACET_OK : facet_fail_arena(arena, error);
}

facet_status facet_mesh_sort(facet_mesh *mesh, const facet_options *options, bool *changed,
                             facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    facet_status status = facet_step(options, "sort", 0, error);
    if (status)
        return status;
    uint32_t largest = 0;
    size_t run_capacity = 0;
    if (mesh->face_materials)
        run_capacity = count_runs(mesh, &largest);
    if (run_capacity <= 1)
        return facet_pass_done(false, changed);
    bool is_sorted = true;
    sorter s = {0};
    s.mesh = mesh;
    s.options = options;
    size_t rank_capacity = (size_t)largest + 2;
    uint32_t *ranks = facet_arena_allocate(mesh->arena, rank_capacity, sizeof *ranks);
    s.runs = facet_arena_allocate(mesh->arena, run_capacity, sizeof *s.runs);
    if (ranks && s.runs) {
        find_runs(&s, ranks, rank_capacity);
        is_sorted = s.rank_count == s.run_count;
        if (!is_sorted) {
            place_runs(&s, ranks);
            status = sort_runs(&s, error);
        }
    } else {
        status = facet_fail_arena(mesh->arena, error);
    }
    facet_arena_release(mesh->arena, s.runs, run_capacity, sizeof *s.runs);
    facet_arena_release(mesh->arena, ranks, rank_capacity, sizeof *ranks);
    return status ? status : facet_pass_done(!is_sorted, changed);
}
