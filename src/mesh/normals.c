/* mesh/normals.c - a unit normal for every corner.
 *
 * A counting sort brings the corners around each vertex together. Two faces meet in an edge at
 * the vertex when one leaves along it and the other returns. If the edge is smooth and has no
 * third face, the corners of both faces are united. Each set of united corners is a fan, which
 * gets one normal. */
#include <facet/mesh.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/threads.h"
#include "base/vec.h"
#include "mesh/smoothing.h"
#include "mesh/streams.h"
#include "mesh/vector.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NONE UINT32_MAX
#define MANY (UINT32_MAX - 1)

typedef enum smoothing {
    SMOOTH_NEVER,
    SMOOTH_GROUPS,
    SMOOTH_CREASE,
    SMOOTH_ALWAYS,
    SMOOTH_EDGES,
    SMOOTH_MASKS
} smoothing;

/* The far end of an edge at a vertex, and the two faces there. */
typedef struct neighbor {
    uint32_t owner; /* the vertex for which this entry was last filled in */
    uint32_t vertex;
    uint32_t out, in; /* corners of the faces that leave and return along the edge, counted from the
                         vertex's first one; or NONE or MANY */
} neighbor;

typedef struct fan {
    double sum[3];
    double angle;     /* sum of the angles of all corners */
    uint32_t element; /* index of its normal, or NONE */
    uint32_t spare;   /* corner whose face gives the normal if the sum has no direction; or NONE */
} fan;

typedef struct smoother {
    facet_mesh *mesh;
    smoothing rule;
    double least_cosine;
    const bool *hard;     /* per corner: the edge to the next one is hard; of SMOOTH_EDGES */
    const uint32_t *kept; /* index array of the normals to keep, or NULL */

    float (*face_normals)[3]; /* unit length, or zero if a face has no area */
    uint32_t *corner_faces;   /* face of each corner; only for polygons */
    uint32_t vertex_count;    /* number of positions; equal ones count as the first of them */
    uint32_t *vertices;       /* per position: its vertex */
    uint32_t *starts;         /* per vertex: its first corner in `around` */
    uint32_t *around;         /* corners, grouped by vertex */

    uint32_t most_around; /* largest number of corners around one vertex */
    size_t neighbor_count;
    neighbor *neighbors;
    uint32_t *parents;
    fan *fans;

    uint32_t *indices; /* output arrays */
    float (*normals)[3];
    uint32_t count, capacity;
} smoother;

/* -- Normals that are there --------------------------------------------- */

static double squared_length(const float *v)
{
    return (double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2];
}

/* False for normals of zero or infinite length; they count as missing. */
static bool is_direction(const float *normal)
{
    double squared = squared_length(normal);
    return squared > 1e-24 && squared < INFINITY;
}

#define LEAST_PART ((size_t)32768)

/* Results for each part of the normals and of the corners. */
typedef struct tidying {
    float (*normals)[3];
    const uint32_t *indices;
    bool any_zero;
    facet_tally zero[FACET_MAX_PARTS], scaled[FACET_MAX_PARTS];
    uint32_t missing[FACET_MAX_PARTS];
} tidying;

static void tidy_part(void *argument, size_t part, size_t first, size_t end)
{
    tidying *t = argument;
    facet_tally zero = {0}, scaled = {0};
    for (size_t i = first; i < end; i++) {
        float *normal = t->normals[i];
        double length = sqrt(squared_length(normal));
        if (!is_direction(normal)) {
            facet_tally_hit(&zero, i);
        } else if (fabs(length - 1) > 1e-3) {
            facet_tally_hit(&scaled, i);
            for (int k = 0; k < 3; k++)
                normal[k] = (float)(normal[k] / length);
        }
    }
    t->zero[part] = zero;
    t->scaled[part] = scaled;
}

static void count_missing(void *argument, size_t part, size_t first, size_t end)
{
    tidying *t = argument;
    uint32_t missing = 0;
    for (size_t corner = first; corner < end; corner++)
        missing += t->indices[corner] == FACET_NONE;
    for (size_t corner = first; t->any_zero && corner < end; corner++) {
        uint32_t element = t->indices[corner];
        missing += element != FACET_NONE && !is_direction(t->normals[element]);
    }
    t->missing[part] = missing;
}

/* Scale normals to unit length. Small deviations come from printed digits, so they stay. Returns
 * the number of corners without a usable normal. */
static uint32_t tidy_normals(facet_mesh *mesh, facet_stream *stream, const facet_options *options,
                             bool *any_scaled)
{
    facet_report *report = options ? options->report : NULL;
    facet_tally zero = {0}, scaled = {0};
    uint32_t missing = 0;
    tidying t;
    t.normals = stream->data;
    t.indices = stream->indices;
    size_t parts = facet_run_parts(options, tidy_part, &t, stream->count, LEAST_PART);
    for (size_t part = 0; part < parts; part++) {
        facet_tally_add(&zero, &t.zero[part]);
        facet_tally_add(&scaled, &t.scaled[part]);
    }
    t.any_zero = zero.count > 0;
    parts = facet_run_parts(options, count_missing, &t, mesh->corner_count, LEAST_PART);
    for (size_t part = 0; part < parts; part++)
        missing += t.missing[part];
    facet_report_add_tally(report, "MESH-NORMAL-ZERO", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &zero,
                           "normal %" PRIu64 " has no direction: it is computed again", zero.first);
    facet_report_add_tally(report, "MESH-NORMAL-LENGTH", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &scaled, "normal %" PRIu64 " is not of unit length: it is scaled",
                           scaled.first);
    *any_scaled = scaled.count > 0;
    return missing;
}

static bool has_normal(const smoother *s, uint32_t corner)
{
    return s->kept && s->kept[corner] != FACET_NONE && is_direction(s->normals[s->kept[corner]]);
}

/* -- Faces -------------------------------------------------------------- */

static void compute_face_normals(smoother *s)
{
    for (uint32_t face = 0; face < s->mesh->face_count; face++) {
        uint32_t begin = facet_face_begin(s->mesh, face), end = facet_face_end(s->mesh, face);
        double area[3];
        facet_area_vector(s->mesh, begin, end, area);
        double length = sqrt(facet_dot(area, area));
        bool usable = length > 0 && length < INFINITY;
        for (int i = 0; i < 3; i++)
            s->face_normals[face][i] = usable ? (float)(area[i] / length) : 0;
        for (uint32_t corner = begin; s->corner_faces && corner < end; corner++)
            s->corner_faces[corner] = face;
    }
}

static bool has_area(const smoother *s, uint32_t face)
{
    const float *n = s->face_normals[face];
    return n[0] != 0 || n[1] != 0 || n[2] != 0;
}

static uint32_t face_of(const smoother *s, uint32_t corner)
{
    return s->corner_faces ? s->corner_faces[corner] : corner / 3;
}

static uint32_t corner_after(const smoother *s, uint32_t face, uint32_t corner)
{
    return corner + 1 == facet_face_end(s->mesh, face) ? facet_face_begin(s->mesh, face)
                                                       : corner + 1;
}

static uint32_t corner_before(const smoother *s, uint32_t face, uint32_t corner)
{
    return corner == facet_face_begin(s->mesh, face) ? facet_face_end(s->mesh, face) - 1
                                                     : corner - 1;
}

static uint32_t vertex_of(const smoother *s, uint32_t corner)
{
    return s->vertices[s->mesh->streams[0].indices[corner]];
}

/* -- Vertices ----------------------------------------------------------- */

/* The bits of a position as a key. Only 0 and -0 are equal in value but not in bits, and adding
 * 0 makes both 0. */
static void position_key(const float *position, uint32_t key[3])
{
    for (int k = 0; k < 3; k++)
        key[k] = facet_bits_of_float(position[k] + 0.0f);
}

static int compare_positions(const void *user, uint32_t a, uint32_t b)
{
    const float(*positions)[3] = (const float(*)[3])user;
    uint32_t one[3], other[3];
    position_key(positions[a], one);
    position_key(positions[b], other);
    return memcmp(one, other, sizeof one);
}

/* Merge positions of equal value into one vertex: each gets the number of the first. */
static bool find_equal_positions(smoother *s)
{
    const float(*positions)[3] = s->mesh->streams[0].data;
    facet_table table = facet_table_make(s->mesh->arena);
    bool fits = facet_table_reserve(&table, s->vertex_count, compare_positions, positions);
    for (uint32_t i = 0; i < s->vertex_count && fits; i++) {
        uint32_t key[3];
        uint64_t hash = 0;
        position_key(positions[i], key);
        for (int k = 0; k < 3; k++)
            hash = facet_hash_word(hash, key[k]);
        s->vertices[i] =
            facet_table_put(&table, facet_hash_end(hash), i, compare_positions, positions);
        fits = s->vertices[i] != UINT32_MAX;
    }
    facet_table_free(&table);
    return fits;
}

static void sort_corners_by_vertex(smoother *s)
{
    memset(s->starts, 0, ((size_t)s->vertex_count + 1) * sizeof *s->starts);
    uint32_t corner_count = s->mesh->corner_count;
    for (uint32_t corner = 0; corner < corner_count; corner++)
        s->starts[vertex_of(s, corner)]++;
    /* Store the ends of the lists; filling them in backwards turns ends into starts. */
    uint32_t sum = 0;
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        s->most_around = s->starts[i] > s->most_around ? s->starts[i] : s->most_around;
        sum += s->starts[i];
        s->starts[i] = sum;
    }
    s->starts[s->vertex_count] = sum;
    for (uint32_t corner = corner_count; corner-- > 0;)
        s->around[--s->starts[vertex_of(s, corner)]] = corner;
}

/* -- Fans --------------------------------------------------------------- */

/* True if the edge between two faces is smooth. It begins at `corner` of the first one, and ends at
 * `end` of the other. */
static bool is_smooth(const smoother *s, uint32_t corner, uint32_t end)
{
    uint32_t face = face_of(s, corner), other = face_of(s, end);
    if (face == other || s->rule == SMOOTH_ALWAYS)
        return true;
    if (s->rule == SMOOTH_GROUPS) {
        const uint32_t *groups = s->mesh->face_smoothing;
        return groups[face] != 0 && groups[face] == groups[other];
    }
    if (s->rule == SMOOTH_EDGES)
        return !s->hard[corner] && !s->hard[corner_before(s, other, end)];
    if (s->rule == SMOOTH_MASKS)
        return (s->mesh->face_smoothing[face] & s->mesh->face_smoothing[other]) != 0;
    if (!has_area(s, face) || !has_area(s, other))
        return true;
    const float *a = s->face_normals[face], *b = s->face_normals[other];
    return (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2] >= s->least_cosine;
}

static neighbor *find_neighbor(smoother *s, size_t mask, uint32_t owner, uint32_t vertex)
{
    uint64_t hash = vertex * UINT64_C(0x9E3779B97F4A7C15);
    for (size_t slot = (size_t)(hash >> 32) & mask;; slot = (slot + 1) & mask) {
        neighbor *n = &s->neighbors[slot];
        if (n->owner != owner) {
            *n = (neighbor){owner, vertex, NONE, NONE};
            return n;
        }
        if (n->vertex == vertex)
            return n;
    }
}

static uint32_t root_of(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

/* Unite the corners around a vertex across the smooth edges between them. */
static void unite_fans(smoother *s, uint32_t vertex, const uint32_t *around, uint32_t count)
{
    size_t mask = 3;
    while (mask + 1 < (size_t)count * 4)
        mask = mask * 2 + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t face = face_of(s, around[i]);
        uint32_t to = vertex_of(s, corner_after(s, face, around[i]));
        uint32_t from = vertex_of(s, corner_before(s, face, around[i]));
        neighbor *n = find_neighbor(s, mask, vertex, to);
        n->out = n->out == NONE ? i : MANY;
        n = find_neighbor(s, mask, vertex, from);
        n->in = n->in == NONE ? i : MANY;
        s->parents[i] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t face = face_of(s, around[i]);
        uint32_t to = vertex_of(s, corner_after(s, face, around[i]));
        const neighbor *n = find_neighbor(s, mask, vertex, to);
        if (to != vertex && n->out == i && n->in < MANY && is_smooth(s, around[i], around[n->in]))
            s->parents[root_of(s->parents, i)] = root_of(s->parents, n->in);
    }
}

/* The angle of a face at a corner; 0 if one of the edges has no length. */
static double corner_angle(const smoother *s, uint32_t face, uint32_t corner)
{
    const float *at = facet_corner_position(s->mesh, corner);
    double to[3], from[3], cross[3];
    facet_edge(at, facet_corner_position(s->mesh, corner_after(s, face, corner)), to);
    facet_edge(at, facet_corner_position(s->mesh, corner_before(s, face, corner)), from);
    facet_cross(to, from, cross);
    double sine = sqrt(facet_dot(cross, cross)), cosine = facet_dot(to, from);
    return facet_angle(sine, cosine);
}

static void sum_fans(smoother *s, const uint32_t *around, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        s->fans[i] = (fan){{0, 0, 0}, 0, NONE, NONE};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t face = face_of(s, around[i]);
        fan *f = &s->fans[root_of(s->parents, i)];
        double angle = corner_angle(s, face, around[i]);
        for (int k = 0; k < 3; k++)
            f->sum[k] += angle * s->face_normals[face][k];
        f->angle += angle;
    }
}

/* -- What comes out ----------------------------------------------------- */

static bool add_normal(smoother *s, const float *normal, uint32_t *element)
{
    if (s->count == s->capacity) {
        uint64_t wanted = (uint64_t)s->capacity + s->capacity / 2 + 16;
        uint32_t capacity = wanted < MANY ? (uint32_t)wanted : MANY;
        void *grown = capacity == s->capacity
                          ? NULL
                          : facet_arena_resize(s->mesh->arena, s->normals, s->capacity, capacity,
                                               sizeof *s->normals);
        if (!grown)
            return false;
        s->normals = grown;
        s->capacity = capacity;
    }
    memcpy(s->normals[s->count], normal, sizeof *s->normals);
    *element = s->count++;
    return true;
}

/* Choose for each fan the corner whose face gives the normal if the sum of the fan has no
 * direction. It is the last corner of the fan that is not after the last corner with area. If
 * its face has no area, the last corner with area is used. Returns that last corner with area,
 * or NONE. One call per vertex serves all its fans. */
static uint32_t find_spares(smoother *s, const uint32_t *around, uint32_t count)
{
    uint32_t last = count;
    while (last > 0 && !has_area(s, face_of(s, around[last - 1])))
        last--;
    for (uint32_t i = last; i-- > 0;) {
        fan *f = &s->fans[root_of(s->parents, i)];
        if (f->spare == NONE)
            f->spare = has_area(s, face_of(s, around[i])) ? i : last - 1;
    }
    return last > 0 ? last - 1 : NONE;
}

/* False if the sum of a fan has no direction: a sum near zero is only rounding. */
static bool sum_normal(const fan *f, float normal[3])
{
    double length = sqrt(facet_dot(f->sum, f->sum));
    if (!(length > 1e-6 * f->angle))
        return false;
    for (int k = 0; k < 3; k++)
        normal[k] = (float)(f->sum[k] / length);
    return true;
}

static bool smooth_vertex(smoother *s, uint32_t vertex)
{
    const uint32_t *around = s->around + s->starts[vertex];
    uint32_t count = s->starts[vertex + 1] - s->starts[vertex];
    uint32_t missing = 0;
    for (uint32_t i = 0; i < count; i++)
        missing += !has_normal(s, around[i]);
    if (missing == 0)
        return true;
    static const float up[3] = {0, 0, 1};
    bool has_spares = false;
    uint32_t any_spare = NONE;
    unite_fans(s, vertex, around, count);
    sum_fans(s, around, count);
    for (uint32_t i = 0; i < count; i++) {
        if (has_normal(s, around[i]))
            continue;
        fan *f = &s->fans[root_of(s->parents, i)];
        if (f->element == NONE) {
            float normal[3];
            bool has_own = sum_normal(f, normal);
            if (!has_own && !has_spares) {
                any_spare = find_spares(s, around, count);
                has_spares = true;
            }
            uint32_t spare = f->spare != NONE ? f->spare : any_spare;
            const float *lent = spare != NONE ? s->face_normals[face_of(s, around[spare])] : up;
            if (!add_normal(s, has_own ? normal : lent, &f->element))
                return false;
        }
        s->indices[around[i]] = f->element;
    }
    return true;
}

static bool flatten_face(smoother *s, uint32_t face)
{
    static const float up[3] = {0, 0, 1};
    uint32_t element = NONE, end = facet_face_end(s->mesh, face);
    for (uint32_t corner = facet_face_begin(s->mesh, face); corner < end; corner++) {
        if (has_normal(s, corner))
            continue;
        if (element == NONE &&
            !add_normal(s, has_area(s, face) ? s->face_normals[face] : up, &element))
            return false;
        s->indices[corner] = element;
    }
    return true;
}

/* -- Memory ------------------------------------------------------------- */

static bool take_output(smoother *s, const facet_stream *kept)
{
    facet_mesh *mesh = s->mesh;
    uint64_t guess = s->rule == SMOOTH_NEVER ? mesh->face_count : s->vertex_count;
    if (guess > mesh->corner_count)
        guess = mesh->corner_count;
    guess += kept ? kept->count : 0;
    s->capacity = guess < MANY ? (uint32_t)guess : MANY;
    s->indices = facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *s->indices);
    s->normals = facet_arena_allocate(mesh->arena, s->capacity, sizeof *s->normals);
    if (!s->indices || !s->normals)
        return false;
    if (kept) {
        s->kept = kept->indices;
        s->count = kept->count;
        if (s->count > 0)
            memcpy(s->normals, kept->data, s->count * sizeof *s->normals);
        if (mesh->corner_count > 0)
            memcpy(s->indices, s->kept, mesh->corner_count * sizeof *s->indices);
    }
    return true;
}

static bool prepare_faces(smoother *s)
{
    facet_mesh *mesh = s->mesh;
    s->face_normals = facet_arena_allocate(mesh->arena, mesh->face_count, sizeof *s->face_normals);
    if (mesh->face_offsets)
        s->corner_faces =
            facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *s->corner_faces);
    if (!s->face_normals || (mesh->face_offsets && !s->corner_faces))
        return false;
    compute_face_normals(s);
    return true;
}

static bool prepare_vertices(smoother *s)
{
    facet_arena *arena = s->mesh->arena;
    s->vertices = facet_arena_allocate(arena, s->vertex_count, sizeof *s->vertices);
    s->starts = facet_arena_allocate(arena, (size_t)s->vertex_count + 1, sizeof *s->starts);
    s->around = facet_arena_allocate(arena, s->mesh->corner_count, sizeof *s->around);
    bool is_topology = s->rule == SMOOTH_EDGES || s->rule == SMOOTH_MASKS;
    if (!s->vertices || !s->starts || !s->around || (!is_topology && !find_equal_positions(s)))
        return false;
    for (uint32_t i = 0; i < s->vertex_count && is_topology; i++)
        s->vertices[i] = i;
    sort_corners_by_vertex(s);
    return true;
}

static bool prepare_fans(smoother *s)
{
    facet_arena *arena = s->mesh->arena;
    s->neighbor_count = 4;
    while (s->neighbor_count < (size_t)s->most_around * 4)
        s->neighbor_count *= 2;
    s->neighbors = facet_arena_allocate(arena, s->neighbor_count, sizeof *s->neighbors);
    s->parents = facet_arena_allocate(arena, s->most_around, sizeof *s->parents);
    s->fans = facet_arena_allocate(arena, s->most_around, sizeof *s->fans);
    if (s->neighbors)
        memset(s->neighbors, 0xFF, s->neighbor_count * sizeof *s->neighbors);
    return s->neighbors && s->parents && s->fans;
}

static void release_work(smoother *s)
{
    facet_arena *arena = s->mesh->arena;
    uint32_t corner_count = s->mesh->corner_count;
    facet_arena_release(arena, s->fans, s->most_around, sizeof *s->fans);
    facet_arena_release(arena, s->parents, s->most_around, sizeof *s->parents);
    facet_arena_release(arena, s->neighbors, s->neighbor_count, sizeof *s->neighbors);
    facet_arena_release(arena, s->around, corner_count, sizeof *s->around);
    facet_arena_release(arena, s->starts, (size_t)s->vertex_count + 1, sizeof *s->starts);
    facet_arena_release(arena, s->vertices, s->vertex_count, sizeof *s->vertices);
    facet_arena_release(arena, s->corner_faces, corner_count, sizeof *s->corner_faces);
    facet_arena_release(arena, s->face_normals, s->mesh->face_count, sizeof *s->face_normals);
}

/* -- The pass ----------------------------------------------------------- */

/* Number of vertices that are smoothed between two calls of the progress callback. */
#define AT_ONCE 65536

/* False on failure. If *status is still FACET_OK, memory ran out. */
static bool compute(smoother *s, const facet_options *options, facet_status *status,
                    facet_error *error)
{
    bool done = prepare_faces(s);
    if (s->rule == SMOOTH_NEVER) {
        for (uint32_t face = 0; done && face < s->mesh->face_count; face++)
            done = flatten_face(s, face);
        return done;
    }
    done = done && prepare_vertices(s) && prepare_fans(s);
    for (uint32_t vertex = 0; done && vertex < s->vertex_count; vertex++) {
        if (vertex % AT_ONCE == 0) {
            double share = (double)vertex / s->vertex_count;
            *status = facet_step(options, "normals", 0.4 + 0.6 * share, error);
        }
        done = !*status && smooth_vertex(s, vertex);
    }
    return done;
}

/* Move the results into the stream, in blocks of their exact size. */
static bool hand_over(smoother *s, facet_stream *stream)
{
    if (s->count != s->capacity) {
        void *exact = facet_arena_resize(s->mesh->arena, s->normals, s->capacity, s->count,
                                         sizeof *s->normals);
        if (!exact)
            return false;
        s->normals = exact;
        s->capacity = s->count;
    }
    facet_stream_release_indices(s->mesh, stream);
    facet_arena_release(s->mesh->arena, stream->data, stream->count, sizeof *s->normals);
    stream->data = s->normals;
    stream->count = s->count;
    stream->indices = s->indices;
    return true;
}

/* Edges between flat faces of CAD models stay hard. Edges of round shapes with at least 10 sides
 * per turn become smooth. */
#define DEFAULT_CREASE 40.0f

static float crease_of(const facet_normals_options *normals)
{
    return normals && normals->crease_degrees > 0 ? normals->crease_degrees : DEFAULT_CREASE;
}

static smoothing choose_rule(const facet_mesh *mesh, const facet_normals_options *normals)
{
    if (normals && normals->flat)
        return SMOOTH_NEVER;
    if (facet_mesh_has_smoothing(mesh))
        return SMOOTH_GROUPS;
    /* No face is smooth: smooth only if the caller gives an angle. */
    if (mesh->face_smoothing && !(normals && normals->crease_degrees > 0))
        return SMOOTH_NEVER;
    return crease_of(normals) < 180 ? SMOOTH_CREASE : SMOOTH_ALWAYS;
}

/* Compute the normals; those of `stream` that are usable stay, unless it is NULL or `replace`. */
static facet_status run(smoother *s, facet_stream *stream, bool replace,
                        const facet_options *options, facet_error *error)
{
    facet_mesh *mesh = s->mesh;
    facet_status status = FACET_OK;
    bool is_new = !stream;
    if (is_new)
        TRY(facet_mesh_add_stream(mesh, FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, 0, &stream,
                                  error));
    s->vertex_count = mesh->streams[0].count;
    bool done = take_output(s, replace || is_new ? NULL : stream) &&
                compute(s, options, &status, error) && hand_over(s, stream);
    release_work(s);
    if (done)
        return FACET_OK;
    facet_arena_release(mesh->arena, s->normals, s->capacity, sizeof *s->normals);
    facet_arena_release(mesh->arena, s->indices, mesh->corner_count, sizeof *s->indices);
    if (is_new)
        facet_mesh_remove_stream(mesh, stream);
    return status ? status : facet_fail_arena(mesh->arena, error);
}

facet_status facet_mesh_normals(facet_mesh *mesh, const facet_normals_options *normals,
                                const facet_options *options, bool *changed, facet_error *error)
{
    FACET_EXPECT_MESH(mesh);
    facet_status status = facet_step(options, "normals", 0, error);
    if (status)
        return status;
    status = FACET_CHECK_STRUCT(normals, facet_normals_options, error);
    if (status)
        return status;
    if (normals && !(normals->crease_degrees >= 0))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the crease angle is %g, expected 0 to 180 degrees",
                          (double)normals->crease_degrees);
    if (mesh->stream_count == 0)
        return facet_pass_done(false, changed);
    bool keep = !(normals && normals->replace), scaled = false;
    facet_stream *stream = facet_mesh_find(mesh, FACET_NORMAL, 0);
    if (stream && keep && tidy_normals(mesh, stream, options, &scaled) == 0)
        return facet_pass_done(scaled, changed);
    smoother s = {.mesh = mesh, .rule = choose_rule(mesh, normals)};
    if (s.rule == SMOOTH_CREASE) /* an angle that equals the threshold except for rounding is
                                    smooth */
        s.least_cosine = cos(crease_of(normals) * (FACET_PI / 180)) - 1e-6;
    TRY(run(&s, stream, !keep, options, error));
    return facet_pass_done(true, changed);
}

facet_status facet_mesh_smooth(facet_mesh *mesh, const bool *hard_edges,
                               const facet_options *options, facet_error *error)
{
    smoother s = {
        .mesh = mesh, .rule = hard_edges ? SMOOTH_EDGES : SMOOTH_MASKS, .hard = hard_edges};
    return run(&s, NULL, true, options, error);
}
