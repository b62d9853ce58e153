/* mesh/deviation.c - attribute differences between points of one surface and the nearest points
 * of another. */
#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "base/vec.h"
#include "mesh/distance.h"
#include "mesh/vector.h"

#include <math.h>
#include <string.h>

enum {
    NORMALS,
    TANGENTS,
    TEXCOORDS,
    COLORS,
    WEIGHTS,
    MATERIALS,
    FRONTS,
    PARTS,
    KINDS,
    TIES = 16,
    MAX_JOINTS = 48
};

/* Differences at a point; negative if one of the two points lacks the attribute. */
typedef struct differences {
    float of[KINDS];
} differences;

typedef struct comparer {
    const facet_surface *from, *to;
    const facet_surface_samples *samples;
    double slack;
    uint32_t sets; /* differences of texture coordinates and colors */
    differences *found;
    facet_surface_effort *effort;
} comparer;

/* -- One point ---------------------------------------------------------- */

static double length_between(const double *a, const double *b, int count)
{
    double squares = 0;
    for (int k = 0; k < count; k++)
        squares += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(squares);
}

/* Angle in degrees between two unit vectors, also precise when they are nearly equal. */
static double angle_between(const double *a, const double *b)
{
    double sum[3], zero[3] = {0};
    for (int k = 0; k < 3; k++)
        sum[k] = a[k] + b[k];
    return 2 * atan2(length_between(a, b, 3), length_between(sum, zero, 3)) * (180 / FACET_PI);
}

static double weights_between(const comparer *c, const facet_surface_location *a,
                              const facet_surface_location *b)
{
    facet_surface_weight here[MAX_JOINTS], there[MAX_JOINTS];
    int here_count = facet_surface_weights(c->from, a, here, MAX_JOINTS);
    int there_count = facet_surface_weights(c->to, b, there, MAX_JOINTS);
    if (here_count == 0 || there_count == 0)
        return -1;
    double sum = 0;
    for (int i = 0; i < here_count; i++) {
        double other = 0;
        for (int k = 0; k < there_count; k++)
            other = there[k].joint == here[i].joint ? there[k].weight : other;
        sum += fmax(here[i].weight - other, 0);
    }
    return sum;
}

/* The greatest difference over all sets of a semantic; -1 if the two points share no set. */
static double values_between(const comparer *c, const facet_surface_location *a,
                             const facet_surface_location *b, facet_semantic semantic,
                             uint32_t sets)
{
    double most = -1;
    for (uint32_t set = 0; set < sets; set++) {
        double here[4], there[4];
        int count = facet_surface_value(c->from, a, semantic, set, here);
        if (count == 0 || facet_surface_value(c->to, b, semantic, set, there) != count)
            continue;
        bool direction = semantic == FACET_NORMAL || semantic == FACET_TANGENT;
        double d = direction ? angle_between(here, there) : length_between(here, there, count);
        if (semantic == FACET_TANGENT && here[3] * there[3] < 0)
            d = 180; /* the bitangent is reversed */
        most = fmax(most, d);
    }
    return most;
}

/* 1 if the fronts face opposite ways, within 60 degrees; -1 if a triangle has no area. The limit is
 * far above 90 degrees, because the nearest point may be on the other side of an edge. */
static double fronts_between(const comparer *c, uint32_t a, uint32_t b)
{
    double here[3], there[3];
    facet_surface_front(c->from, a, here);
    facet_surface_front(c->to, b, there);
    double lengths = sqrt(facet_dot(here, here)) * sqrt(facet_dot(there, there));
    return lengths > 0 ? facet_dot(here, there) < -0.5 * lengths : -1;
}

static differences differences_at(const comparer *c, const facet_surface_location *a,
                                  const facet_surface_location *b)
{
    differences d;
    d.of[NORMALS] = (float)values_between(c, a, b, FACET_NORMAL, 1);
    d.of[TANGENTS] = (float)values_between(c, a, b, FACET_TANGENT, 1);
    d.of[TEXCOORDS] = (float)values_between(c, a, b, FACET_TEXCOORD, c->sets);
    d.of[COLORS] = (float)values_between(c, a, b, FACET_COLOR, c->sets);
    d.of[WEIGHTS] = (float)weights_between(c, a, b);
    d.of[MATERIALS] =
        facet_surface_material(c->from, a->triangle) != facet_surface_material(c->to, b->triangle);
    d.of[FRONTS] = (float)fronts_between(c, a->triangle, b->triangle);
    d.of[PARTS] = c->from->parts && c->to->parts
                      ? c->from->parts[a->triangle] != c->to->parts[b->triangle]
                      : -1;
    return d;
}

/* Total difference of two points, used to choose between triangles at the same distance. */
static double unlike(const differences *d)
{
    return fmax(d->of[NORMALS], 0) / 180 + fmax(d->of[TEXCOORDS], 0) + fmax(d->of[COLORS], 0) +
           fmax(d->of[WEIGHTS], 0) + fmax(d->of[TANGENTS], 0) / 1800 + d->of[MATERIALS] +
           fmax(d->of[FRONTS], 0) + fmax(d->of[PARTS], 0);
}

static void compare_at(const comparer *c, size_t index, uint64_t *left)
{
    facet_surface_hit hits[TIES];
    const facet_surface_location *here = &c->samples->places[index];
    double point[3], least = INFINITY;
    bool exact;
    facet_surface_point(c->from, here, point);
    int count =
        facet_surface_near(&c->to->tree, point, c->slack, hits, TIES, c->effort, left, &exact);
    for (int i = 0; i < count; i++) {
        facet_surface_location there;
        facet_surface_locate(c->to, hits[i].triangle, hits[i].nearest, &there);
        differences d = differences_at(c, here, &there);
        if (unlike(&d) < least) {
            least = unlike(&d);
            c->found[index] = d;
        }
    }
}

enum { BLOCK = 256 };

static void compare_block(void *argument, size_t block)
{
    const comparer *c = argument;
    size_t end = (block + 1) * BLOCK;
    uint64_t left = BLOCK * c->effort->visits;
    for (size_t i = block * BLOCK; i < end && i < c->samples->count; i++)
        compare_at(c, i, &left);
}

/* -- All of them -------------------------------------------------------- */

static void sum_up(const comparer *c, int kind, double allowed, facet_deviation *result)
{
    facet_deviation sum = {.allowed = allowed};
    for (uint32_t i = 0; i < c->samples->count; i++) {
        double d = c->found[i].of[kind];
        if (d < 0)
            continue;
        sum.samples++;
        sum.beyond += d > allowed;
        sum.mean += d;
        sum.greatest = fmax(sum.greatest, d);
    }
    sum.mean = sum.samples > 0 ? sum.mean / (double)sum.samples : 0;
    *result = sum;
}

static uint32_t count_sets(const facet_scene *scene)
{
    uint32_t sets = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        for (uint32_t s = 0; s < scene->meshes[i]->stream_count; s++) {
            const facet_stream *stream = &scene->meshes[i]->streams[s];
            bool counted = stream->semantic == FACET_TEXCOORD || stream->semantic == FACET_COLOR;
            if (counted && stream->set < FACET_SURFACE_SETS && stream->set >= sets)
                sets = stream->set + 1;
        }
    }
    return sets;
}

facet_status facet_surface_deviate(const facet_surface *from, const facet_surface *to,
                                   const facet_surface_samples *samples, double slack,
                                   facet_surface_effort *effort, const facet_options *options,
                                   const double range[2], facet_arena *arena,
                                   const facet_surface_deviations *results, facet_error *error)
{
    comparer c = {from, to, samples, slack, count_sets(from->scene), NULL, effort};
    c.found = facet_arena_allocate(arena, samples->count, sizeof *c.found);
    if (!c.found)
        return facet_fail_arena(arena, error);
    facet_status status =
        facet_run_steps(options, compare_block, &c, ((size_t)samples->count + BLOCK - 1) / BLOCK,
                        "compare", range, error);
    if (status) {
        facet_arena_release(arena, c.found, samples->count, sizeof *c.found);
        return status;
    }
    /* Thresholds for rounding: half a step of an 8-bit color, half a degree, and a tenth of a
     * texel of a texture of 1,024. */
    sum_up(&c, NORMALS, 0.5, results->normals);
    sum_up(&c, TANGENTS, 2, results->tangents);
    sum_up(&c, TEXCOORDS, 0.0001, results->texcoords);
    sum_up(&c, COLORS, 0.002, results->colors);
    sum_up(&c, WEIGHTS, 0.005, results->weights);
    sum_up(&c, MATERIALS, 0, results->materials);
    sum_up(&c, FRONTS, 0, results->fronts);
    sum_up(&c, PARTS, 0, results->parts);
    facet_arena_release(arena, c.found, samples->count, sizeof *c.found);
    return facet_step(options, "compare", range[1], error);
}
