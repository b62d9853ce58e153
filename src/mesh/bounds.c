/* mesh/bounds.c - exact box and smallest enclosing sphere.
 *
 * The sphere is found by pivoting. The current sphere is defined by two to four points. Each
 * pivot adds the point that is farthest outside. Trying all subsets of these few points gives
 * their smallest sphere, which is larger than the last one. About a dozen passes over the points
 * are usual, whatever their number. */
#include <facet/mesh.h>

#include "base/error.h"
#include "base/threads.h"
#include "mesh/vector.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Limit of pivots; after it, the best sphere so far is used. No known set of points needs more
 * than a few dozen. */
#define MAX_PIVOTS 500

/* Stride of the sample that is searched first: every 64th point. */
#define SAMPLE 64

typedef struct cloud {
    const uint8_t *data;
    size_t count, stride;
    const facet_options *options; /* options for the threads; may be NULL */
} cloud;

static inline void load_point(const cloud *points, size_t index, size_t stride, float point[3])
{
    memcpy(point, points->data + index * stride, 3 * sizeof *point);
}

/* -- Box ---------------------------------------------------------------- */

typedef struct box {
    float low[3], high[3];
    float nothing[3]; /* 0 if all coordinates are finite; otherwise NaN */
} box;

static inline void find_box(const cloud *points, size_t stride, box *found)
{
    load_point(points, 0, stride, found->low);
    load_point(points, 0, stride, found->high);
    memset(found->nothing, 0, sizeof found->nothing);
    for (size_t i = 0; i < points->count; i++) {
        float point[3];
        load_point(points, i, stride, point);
        for (int k = 0; k < 3; k++) {
            found->low[k] = point[k] < found->low[k] ? point[k] : found->low[k];
            found->high[k] = point[k] > found->high[k] ? point[k] : found->high[k];
            found->nothing[k] += point[k] * 0;
        }
    }
}

static void unite(box *all, const box *more)
{
    for (int k = 0; k < 3; k++) {
        all->low[k] = more->low[k] < all->low[k] ? more->low[k] : all->low[k];
        all->high[k] = more->high[k] > all->high[k] ? more->high[k] : all->high[k];
        all->nothing[k] += more->nothing[k];
    }
}

/* -- The furthest point ------------------------------------------------- */

static inline double squared_distance(const float point[3], const double center[3])
{
    double x = point[0] - center[0], y = point[1] - center[1], z = point[2] - center[2];
    return x * x + y * y + z * z;
}

/* Find the farthest point in blocks. A first loop without branches computes the distances of a
 * block and the largest of them. Only a new overall maximum needs a second loop for the point. */
static inline size_t find_furthest(const cloud *points, size_t stride, const double center[3],
                                   double *squared)
{
    enum { BLOCK = 128, LANES = 4 };
    double most = -1;
    size_t furthest = 0;
    for (size_t begin = 0; begin < points->count; begin += BLOCK) {
        size_t count = points->count - begin < BLOCK ? points->count - begin : BLOCK;
        double distances[BLOCK], largest[LANES] = {-1, -1, -1, -1};
        for (size_t i = 0; i < count; i++) {
            float point[3];
            load_point(points, begin + i, stride, point);
            distances[i] = squared_distance(point, center);
        }
        for (size_t i = count; i < BLOCK; i++)
            distances[i] = -1;
        for (size_t i = 0; i < BLOCK; i += LANES) {
            for (size_t lane = 0; lane < LANES; lane++)
                largest[lane] =
                    distances[i + lane] > largest[lane] ? distances[i + lane] : largest[lane];
        }
        for (size_t lane = 0; lane < LANES; lane++) {
            if (largest[lane] <= most)
                continue;
            most = largest[lane];
            for (furthest = 0; distances[furthest] != most;)
                furthest++;
            furthest += begin;
        }
    }
    *squared = most;
    return furthest;
}

/* -- Parts, by several threads ------------------------------------------- */

#define LEAST_PART ((size_t)32768)

typedef struct furthest_point {
    double squared;
    size_t index;
} furthest_point;

/* A search over each part of the points: for the box, or for the farthest point. */
typedef struct search {
    const cloud *points;
    const double *center; /* of the sphere; NULL: search for the box */
    furthest_point furthest[FACET_MAX_PARTS];
    box boxes[FACET_MAX_PARTS];
} search;

static void look_into_part(void *argument, size_t number, size_t first, size_t end)
{
    search *s = argument;
    size_t stride = s->points->stride;
    const cloud part = {s->points->data + first * stride, end - first, stride, NULL};
    furthest_point *furthest = &s->furthest[number];
    /* Pass the usual stride as a constant, so that the compiler can use it. */
    if (!s->center && stride == 12)
        find_box(&part, 12, &s->boxes[number]);
    else if (!s->center)
        find_box(&part, stride, &s->boxes[number]);
    else if (stride == 12)
        furthest->index = first + find_furthest(&part, 12, s->center, &furthest->squared);
    else
        furthest->index = first + find_furthest(&part, stride, s->center, &furthest->squared);
}

static size_t look_into_parts(search *s)
{
    return facet_run_parts(s->points->options, look_into_part, s, s->points->count, LEAST_PART);
}

/* Compute the box of all points; false if a coordinate is infinite or NaN. */
static bool find_whole_box(const cloud *points, float minimum[3], float maximum[3])
{
    search s = {.points = points};
    size_t parts = look_into_parts(&s);
    box all = s.boxes[0];
    for (size_t i = 1; i < parts; i++)
        unite(&all, &s.boxes[i]);
    for (int k = 0; k < 3; k++) {
        minimum[k] = all.low[k] + 0.0f; /* -0 becomes 0, in whatever order they come */
        maximum[k] = all.high[k] + 0.0f;
    }
    return all.nothing[0] == 0 && all.nothing[1] == 0 && all.nothing[2] == 0;
}

/* The farthest point; the first one if several are equally far. */
static furthest_point find_furthest_of_all(const cloud *points, const double center[3])
{
    search s = {.points = points, .center = center};
    size_t parts = look_into_parts(&s);
    furthest_point most = s.furthest[0];
    for (size_t i = 1; i < parts; i++) {
        if (s.furthest[i].squared > most.squared)
            most = s.furthest[i];
    }
    return most;
}

/* -- Spheres through few points ----------------------------------------- */

/* Compute the center of the smallest sphere through 1 to 4 points. False if they are coplanar,
 * collinear or equal, so that no such sphere exists or fewer points define it. */
static bool center_of(const double (*p)[3], int count, double center[3])
{
    double a[3], b[3], c[3], bc[3], ca[3], ab[3], offset[3] = {0, 0, 0}, divisor = 1;
    for (int k = 0; k < 3; k++) {
        a[k] = count > 1 ? p[1][k] - p[0][k] : 0;
        b[k] = count > 2 ? p[2][k] - p[0][k] : 0;
        c[k] = count > 3 ? p[3][k] - p[0][k] : 0;
    }
    double aa = facet_dot(a, a), bb = facet_dot(b, b), cc = facet_dot(c, c);
    facet_cross(a, b, ab);
    if (count == 2) {
        memcpy(offset, a, sizeof a);
        divisor = 2;
    } else if (count == 3) {
        double weighted[3];
        for (int k = 0; k < 3; k++)
            weighted[k] = aa * b[k] - bb * a[k];
        facet_cross(weighted, ab, offset);
        divisor = 2 * facet_dot(ab, ab);
    } else if (count == 4) {
        facet_cross(b, c, bc);
        facet_cross(c, a, ca);
        for (int k = 0; k < 3; k++)
            offset[k] = aa * bc[k] + bb * ca[k] + cc * ab[k];
        divisor = 2 * facet_dot(c, ab);
    }
    for (int k = 0; k < 3; k++)
        center[k] = p[0][k] + offset[k] / divisor;
    return isfinite(center[0]) && isfinite(center[1]) && isfinite(center[2]);
}

typedef struct support {
    double points[5][3]; /* up to four points on the sphere, and the new one */
    int count;
    double center[3];
    double squared; /* squared radius */
} support;

static double reach(const support *s, const double center[3])
{
    double most = 0;
    for (int i = 0; i < s->count; i++) {
        double d[3] = {s->points[i][0] - center[0], s->points[i][1] - center[1],
                       s->points[i][2] - center[2]};
        double squared = facet_dot(d, d);
        most = squared > most ? squared : most;
    }
    return most;
}

/* Find the smallest sphere around the points, the last of which touches it. Keep only the points
 * that define it. The candidates are the centers of the spheres through some of the points. The
 * chosen center reaches all points with the smallest radius, so no test needs a tolerance. */
static void shrink_support(support *s)
{
    int last = s->count - 1, best_set = 0;
    s->squared = INFINITY;
    for (int set = 0; set < 1 << last; set++) {
        double chosen[5][3], center[3];
        int count = 0;
        memcpy(chosen[count++], s->points[last], sizeof chosen[0]);
        for (int i = 0; i < last; i++) {
            if (set >> i & 1)
                memcpy(chosen[count++], s->points[i], sizeof chosen[0]);
        }
        if (count > 4 || !center_of((const double(*)[3])chosen, count, center))
            continue;
        double squared = reach(s, center);
        if (squared < s->squared) {
            s->squared = squared;
            best_set = set;
            memcpy(s->center, center, sizeof center);
        }
    }
    int kept = 0;
    for (int i = 0; i <= last; i++) {
        if (i == last || best_set >> i & 1)
            memmove(s->points[kept++], s->points[i], sizeof s->points[0]);
    }
    s->count = kept;
}

/* -- The sphere --------------------------------------------------------- */

/* Pivot until the sphere of the support contains all points. `center` becomes the center of the
 * sphere that reaches all points with the smallest radius. */
static void find_center(const cloud *points, support *s, double center[3])
{
    double best = INFINITY;
    for (int pivots = 0; pivots < MAX_PIVOTS; pivots++) {
        double before = s->squared;
        furthest_point furthest = find_furthest_of_all(points, s->center);
        if (furthest.squared < best) {
            best = furthest.squared;
            memcpy(center, s->center, sizeof s->center);
        }
        if (furthest.squared <= s->squared * (1 + 1e-15))
            return;
        float point[3];
        load_point(points, furthest.index, points->stride, point);
        for (int k = 0; k < 3; k++)
            s->points[s->count][k] = point[k];
        s->count++;
        shrink_support(s);
        if (s->squared <= before)
            return; /* doubles are not precise enough to improve it */
    }
}

static double find_sphere(const cloud *points, facet_bounds *bounds)
{
    double center[3];
    support s = {.count = 0, .squared = -1};
    for (int k = 0; k < 3; k++)
        s.center[k] = ((double)bounds->minimum[k] + bounds->maximum[k]) / 2;
    /* The sphere of a sample is close to that of all points, and pivots on a sample cost little. */
    const cloud sample = {points->data, (points->count + SAMPLE - 1) / SAMPLE,
                          points->stride * SAMPLE, NULL};
    find_center(&sample, &s, center);
    find_center(points, &s, center);
    for (int k = 0; k < 3; k++)
        center[k] = bounds->center[k] = (float)center[k] + 0.0f;
    return find_furthest_of_all(points, center).squared;
}

/* The smallest float whose square is at least `squared`. */
static float round_radius_up(double squared)
{
    double radius = sqrt(squared);
    float rounded = (float)radius;
    while (rounded < radius || (double)rounded * rounded < squared)
        rounded = nextafterf(rounded, INFINITY);
    return rounded;
}

facet_status facet_bounds_compute(const float *points, size_t count, size_t stride,
                                  const facet_options *options, facet_bounds *bounds,
                                  facet_error *error)
{
    facet_bounds made = {0};
    const cloud all = {(const uint8_t *)points, count, stride ? stride : 12, options};
    bool finite = count == 0 || find_whole_box(&all, made.minimum, made.maximum);
    double squared = finite && count > 0 ? find_sphere(&all, &made) : 0;
    if (!finite)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "MESH-POSITION-FINITE", FACET_NO_OFFSET,
                          "a point is infinite or NaN");
    if (squared > (double)FLT_MAX * FLT_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, "MESH-POSITION-RANGE", FACET_NO_OFFSET,
                          "the radius of the points' sphere is %g, more than a float can hold",
                          sqrt(squared));
    made.radius = round_radius_up(squared);
    *bounds = made;
    return FACET_OK;
}
