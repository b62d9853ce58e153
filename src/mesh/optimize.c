/* mesh/optimize.c - triangles and vertices in the order a GPU likes.
 *
 * meshoptimizer does the work, on pieces: it asks for memory as large as the
 * vertex buffer at each call, so a piece comes with indices of its own that
 * count only the vertices it uses. For the vertex cache a long run of faces is
 * cut into pieces that fit the processor's cache, which makes it several times
 * faster and lets threads share it - if the source has its neighbors together.
 * Where it has not, a piece would see few neighbors, and the run stays whole.
 *
 * The order for the vertex cache is Tipsify's (Sander, Nehab, Barczak 2007), for
 * a FIFO of 16: measured on scans, models and grids its average cache miss ratio
 * is that of meshoptimizer's other, scored order (within 3 % for each mesh, less
 * on the average), in a third of the time. */
#include <facet/mesh.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/threads.h"
#include "mesh/meshoptimizer.h"
#include "mesh/streams.h"

#include <stdatomic.h>
#include <string.h>

#define PIECE_FACES 32768
#define CACHE_SIZE 16
/* Vertices that pieces may count twice, beyond those of the whole run. */
#define PIECE_OVERLAP 1.06
#define OVERDRAW_THRESHOLD 1.05f

/* Corners from `begin` up to `end`, and their vertices: a part of the list. */
typedef struct piece {
    uint32_t begin, end;
    uint32_t first_vertex, vertex_count;
} piece;

typedef struct optimizer {
    const facet_meshoptimizer *meshoptimizer;
    facet_mesh *mesh;
    piece *runs; /* faces of one material and one part; their corners */
    uint32_t run_count;
    piece *pieces;
    uint32_t piece_count, piece_capacity;

    uint32_t *locals;   /* per corner: number of its vertex within the piece */
    uint32_t *vertices; /* the list: vertices of each piece by local number */
    uint32_t vertex_count;
    float (*positions)[3]; /* of the list, for the overdraw */
    uint32_t *numbers;     /* per vertex: its number in the piece that was last counted */
    uint32_t *counted_in;  /* and that piece */
    uint32_t counts;       /* pieces counted so far */
    bool changed;          /* a triangle has moved */
    atomic_bool failed;    /* without memory */
} optimizer;

/* -- Runs --------------------------------------------------------------- */

/* Does a run of faces end before `face`? *part is the first that has not ended
 * yet. */
static bool starts_run(const facet_mesh *mesh, uint32_t face, uint32_t *part)
{
    bool starts =
        mesh->face_materials && mesh->face_materials[face] != mesh->face_materials[face - 1];
    while (*part < mesh->part_count) {
        const facet_part *p = &mesh->parts[*part];
        starts |= face == p->first_face || face == p->first_face + p->face_count;
        if (face < p->first_face + p->face_count)
            break;
        ++*part;
    }
    return starts;
}

/* Counts the runs, and lists them where there is space. */
static uint32_t find_runs(const facet_mesh *mesh, piece *runs)
{
    uint32_t count = 0, part = 0;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        if (face == 0 || starts_run(mesh, face, &part))
            count++;
        if (!runs)
            continue;
        piece *run = &runs[count - 1];
        if (run->end == 0)
            run->begin = face * 3;
        run->end = face * 3 + 3;
    }
    return count;
}

/* -- Pieces ------------------------------------------------------------- */

/* Number the vertices of some corners by first use, at the end of the list. */
static piece count_vertices(optimizer *o, uint32_t begin, uint32_t end)
{
    const uint32_t *indices = o->mesh->streams[0].indices;
    uint32_t first = o->vertex_count, count = 0;
    o->counts++;
    for (uint32_t corner = begin; corner < end; corner++) {
        uint32_t vertex = indices[corner];
        if (o->counted_in[vertex] != o->counts) {
            o->counted_in[vertex] = o->counts;
            o->numbers[vertex] = count;
            o->vertices[first + count++] = vertex;
        }
        o->locals[corner] = o->numbers[vertex];
    }
    return (piece){begin, end, first, count};
}

static void add_piece(optimizer *o, piece p)
{
    o->pieces[o->piece_count++] = p;
    o->vertex_count += p.vertex_count;
}

/* Cut a run into pieces, unless they would count many vertices twice. */
static void add_run(optimizer *o, const piece *run)
{
    piece whole = count_vertices(o, run->begin, run->end);
    if (run->end - run->begin <= PIECE_FACES * 3) {
        add_piece(o, whole);
        return;
    }
    uint32_t pieces_before = o->piece_count, vertices_before = o->vertex_count;
    for (uint32_t begin = run->begin, end; begin < run->end; begin = end) {
        end = run->end - begin > PIECE_FACES * 3 ? begin + PIECE_FACES * 3 : run->end;
        add_piece(o, count_vertices(o, begin, end));
    }
    if (o->vertex_count - vertices_before <= whole.vertex_count * PIECE_OVERLAP)
        return;
    o->piece_count = pieces_before;
    o->vertex_count = vertices_before;
    add_piece(o, count_vertices(o, run->begin, run->end));
}

static void begin_pieces(optimizer *o)
{
    o->piece_count = 0;
    o->vertex_count = 0;
}

/* From numbers within pieces back to vertices. */
static void end_pieces(optimizer *o)
{
    uint32_t *indices = o->mesh->streams[0].indices;
    for (uint32_t i = 0; i < o->piece_count; i++) {
        const uint32_t *vertices = o->vertices + o->pieces[i].first_vertex;
        for (uint32_t corner = o->pieces[i].begin; corner < o->pieces[i].end; corner++) {
            uint32_t vertex = vertices[o->locals[corner]];
            o->changed |= indices[corner] != vertex;
            indices[corner] = vertex;
        }
    }
}

/* -- meshoptimizer ------------------------------------------------------ */

/* Its memory comes from operator new, past the arena: ask the arena for as much
 * first, so that limits hold. */
static bool can_afford(const optimizer *o, const facet_options *options)
{
    size_t largest = 0;
    for (uint32_t i = 0; i < o->piece_count; i++) {
        const piece *p = &o->pieces[i];
        size_t need = (size_t)p->vertex_count * 16 + (size_t)(p->end - p->begin) * 14 + 4096;
        largest = need > largest ? need : largest;
    }
    unsigned at_once = facet_thread_count(options);
    if (at_once > o->piece_count)
        at_once = o->piece_count;
    void *block = facet_arena_allocate(o->mesh->arena, largest, at_once);
    facet_arena_release(o->mesh->arena, block, largest, at_once);
    return block != NULL;
}

static void order_for_cache(void *argument, size_t index)
{
    optimizer *o = argument;
    const piece *p = &o->pieces[index];
    uint32_t *locals = o->locals + p->begin;
    if (!o->meshoptimizer->cache(locals, locals, p->end - p->begin, p->vertex_count, CACHE_SIZE))
        atomic_store(&o->failed, true);
}

static void order_for_overdraw(void *argument, size_t index)
{
    optimizer *o = argument;
    const piece *p = &o->pieces[index];
    uint32_t *locals = o->locals + p->begin;
    const float *positions = o->mesh->streams[0].data;
    float(*own)[3] = o->positions + p->first_vertex;
    for (uint32_t i = 0; i < p->vertex_count; i++)
        memcpy(own[i], positions + (size_t)o->vertices[p->first_vertex + i] * 3, sizeof *own);
    if (!o->meshoptimizer->overdraw(locals, locals, p->end - p->begin, (const float(*)[3])own,
                                    p->vertex_count, OVERDRAW_THRESHOLD))
        atomic_store(&o->failed, true);
}

/* -- The pass ----------------------------------------------------------- */

static facet_status order_triangles(optimizer *o, const facet_options *options, facet_error *error)
{
    begin_pieces(o);
    for (uint32_t i = 0; i < o->run_count; i++)
        add_run(o, &o->runs[i]);
    if (!can_afford(o, options))
        return facet_fail_memory(error, (size_t)o->mesh->corner_count * 14);
    facet_status status = facet_run_steps(options, order_for_cache, o, o->piece_count, "optimize",
                                          (const double[2]){0.1, 0.5}, error);
    if (status)
        return status;
    if (atomic_load(&o->failed))
        return facet_fail_memory(error, (size_t)o->mesh->corner_count * 14);
    end_pieces(o);

    status = facet_step(options, "optimize", 0.5, error);
    if (status)
        return status;
    begin_pieces(o);
    for (uint32_t i = 0; i < o->run_count; i++)
        add_piece(o, count_vertices(o, o->runs[i].begin, o->runs[i].end));
    size_t count = o->vertex_count;
    o->positions = facet_arena_allocate(o->mesh->arena, count, sizeof *o->positions);
    if (o->positions && can_afford(o, options)) {
        status = facet_run_steps(options, order_for_overdraw, o, o->piece_count, "optimize",
                                 (const double[2]){0.6, 0.9}, error);
        if (!status) /* pieces that were not looked at would keep the numbers of others */
            end_pieces(o);
    } else {
        atomic_store(&o->failed, true);
    }
    if (!status && atomic_load(&o->failed))
        status = facet_fail_memory(error, count * sizeof *o->positions);
    facet_arena_release(o->mesh->arena, o->positions, count, sizeof *o->positions);
    return status;
}

static facet_status optimize(facet_mesh *mesh, const facet_options *options, bool *changed,
                             facet_error *error)
{
    optimizer o = {0};
    facet_status status = facet_meshoptimizer_open(&o.meshoptimizer, error);
    if (status)
        return status;
    facet_arena *arena = mesh->arena;
    size_t corner_count = mesh->corner_count, vertex_count = mesh->streams[0].count;
    o.mesh = mesh;
    o.run_count = find_runs(mesh, NULL);
    o.piece_capacity = o.run_count + mesh->face_count / PIECE_FACES;
    o.runs = facet_arena_allocate_zeroed(arena, o.run_count, sizeof *o.runs);
    o.pieces = facet_arena_allocate(arena, o.piece_capacity, sizeof *o.pieces);
    o.counted_in = facet_arena_allocate_zeroed(arena, vertex_count, sizeof *o.counted_in);
    o.numbers = facet_arena_allocate(arena, vertex_count, sizeof *o.numbers);
    o.vertices = facet_arena_allocate(arena, corner_count, sizeof *o.vertices);
    o.locals = facet_arena_allocate(arena, corner_count, sizeof *o.locals);
    if (o.runs && o.pieces && o.counted_in && o.numbers && o.vertices && o.locals) {
        find_runs(mesh, o.runs);
        status = order_triangles(&o, options, error);
    } else {
        status = facet_fail_memory(error, corner_count * 2 * sizeof *o.locals);
    }
    facet_arena_release(arena, o.locals, corner_count, sizeof *o.locals);
    facet_arena_release(arena, o.vertices, corner_count, sizeof *o.vertices);
    facet_arena_release(arena, o.numbers, vertex_count, sizeof *o.numbers);
    facet_arena_release(arena, o.counted_in, vertex_count, sizeof *o.counted_in);
    facet_arena_release(arena, o.pieces, o.piece_capacity, sizeof *o.pieces);
    facet_arena_release(arena, o.runs, o.run_count, sizeof *o.runs);
    *changed |= o.changed;
    return status;
}

/* Triangles change places and do not say where they went. */
static void drop_smoothing(facet_mesh *mesh, facet_report *report)
{
    if (!mesh->face_smoothing)
        return;
    facet_report_add(report, "MESH-SMOOTHING-DROPPED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                     "optimized triangles have no smoothing groups: their normals remain");
    facet_arena_release(mesh->arena, mesh->face_smoothing, mesh->face_count,
                        sizeof *mesh->face_smoothing);
    mesh->face_smoothing = NULL;
}

facet_status facet_mesh_optimize(facet_mesh *mesh, const facet_options *options, bool *changed,
                                 facet_error *error)
{
    facet_status status = facet_step(options, "optimize", 0, error);
    if (status)
        return status;
    if (mesh->face_count == 0)
        return facet_pass_done(false, changed);
    if (!facet_mesh_is_triangles(mesh) || !facet_mesh_is_welded(mesh))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the mesh has polygons or several index arrays, expected triangles "
                          "with one");
    bool has_changed = mesh->face_smoothing != NULL;
    drop_smoothing(mesh, options ? options->report : NULL);
    status = optimize(mesh, options, &has_changed, error);
    if (!status)
        status = facet_mesh_renumber(mesh, &has_changed, error);
    return status ? status : facet_pass_done(has_changed, changed);
}
