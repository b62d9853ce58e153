/* mesh/bounds.c - exact box and smallest enclosing sphere.
 *
 * The sphere is found by pivoting: the point that lies furthest outside the
 * present sphere joins the two to four points that hold it up, the smallest
 * sphere of these few is found by trying all subsets, and its radius has grown.
 * A dozen passes over the points are usual, whatever their number. */
#include <facet/mesh.h>

#include "base/error.h"
#include "mesh/vector.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Pivots before the best sphere so far will do: no set of points is known that
 * takes more than a few dozen. */
#define MOST_PIVOTS 500

/* Every how many'th point is in the sample that is looked at first. */
#define SAMPLE 64

typedef struct cloud {
    const uint8_t *data;
    size_t count, stride;
} cloud;

static inline void load_point(const cloud *points, size_t index, size_t stride, float point[3])
{
    memcpy(point, points->data + index * stride, 3 * sizeof *point);
}

/* -- Box ---------------------------------------------------------------- */

/* False when a coordinate is not finite. */
static inline bool find_box(const cloud *points, size_t stride, float minimum[3], float maximum[3])
{
    float low[3], high[3], nothing[3] = {0, 0, 0};
    load_point(points, 0, stride, low);
    load_point(points, 0, stride, high);
    for (size_t i = 0; i < points->count; i++) {
        float point[3];
        load_point(points, i, stride, point);
        for (int k = 0; k < 3; k++) {
            low[k] = point[k] < low[k] ? point[k] : low[k];
            high[k] = point[k] > high[k] ? point[k] : high[k];
            nothing[k] += point[k] * 0; /* NaN from infinity and from NaN */
        }
    }
    for (int k = 0; k < 3; k++) {
        minimum[k] = low[k] + 0.0f; /* -0 becomes 0, whichever came first */
        maximum[k] = high[k] + 0.0f;
    }
    return nothing[0] == 0 && nothing[1] == 0 && nothing[2] == 0;
}

/* -- The furthest point ------------------------------------------------- */

static inline double squared_distance(const float point[3], const double center[3])
{
    double x = point[0] - center[0], y = point[1] - center[1], z = point[2] - center[2];
    return x * x + y * y + z * z;
}

/* In blocks: distances and their largest first, which needs no branches, and
 * only where that is a new largest one the point. */
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

/* -- Spheres through few points ----------------------------------------- */

/* The center of the smallest sphere through 1 to 4 points; false when they are
 * coplanar, collinear or equal and there is none, or one of fewer points. */
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
    double points[5][3]; /* up to four hold the sphere; the fifth is the newcomer */
    int count;
    double center[3];
    double squared; /* radius */
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

/* The smallest sphere round the points, the last of which lies on it, and those
 * points alone that hold it. Its center is that of the sphere through some of
 * them; of all these centers it is the one that reaches all points with the
 * smallest radius, so that no test needs a tolerance. */
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

/* Pivot until the sphere of the support holds all points; center becomes that
 * of the sphere that reaches them all with the smallest radius. */
static inline void find_center(const cloud *points, size_t stride, support *s, double center[3])
{
    double best = INFINITY;
    for (int pivots = 0; pivots < MOST_PIVOTS; pivots++) {
        double squared, before = s->squared;
        size_t furthest = find_furthest(points, stride, s->center, &squared);
        if (squared < best) {
            best = squared;
            memcpy(center, s->center, sizeof s->center);
        }
        if (squared <= s->squared * (1 + 1e-15))
            return;
        float point[3];
        load_point(points, furthest, stride, point);
        for (int k = 0; k < 3; k++)
            s->points[s->count][k] = point[k];
        s->count++;
        shrink_support(s);
        if (s->squared <= before)
            return; /* as exact as doubles can tell */
    }
}

static inline double find_sphere(const cloud *points, size_t stride, facet_bounds *bounds)
{
    double center[3], squared;
    support s = {.count = 0, .squared = -1};
    for (int k = 0; k < 3; k++)
        s.center[k] = ((double)bounds->minimum[k] + bounds->maximum[k]) / 2;
    /* The sphere of a sample is nearly that of all, and the first pivots cost
     * next to nothing there. */
    const cloud sample = {points->data, (points->count + SAMPLE - 1) / SAMPLE, stride * SAMPLE};
    find_center(&sample, stride * SAMPLE, &s, center);
    find_center(points, stride, &s, center);
    for (int k = 0; k < 3; k++)
        center[k] = bounds->center[k] = (float)center[k] + 0.0f;
    find_furthest(points, stride, center, &squared);
    return squared;
}

/* The smallest float whose square is not below `squared`. */
static float round_radius_up(double squared)
{
    double radius = sqrt(squared);
    float rounded = (float)radius;
    while (rounded < radius || (double)rounded * rounded < squared)
        rounded = nextafterf(rounded, INFINITY);
    return rounded;
}

facet_status facet_bounds_compute(const float *points, size_t count, size_t stride,
                                  facet_bounds *bounds, facet_error *error)
{
    facet_bounds made = {0};
    const cloud all = {(const uint8_t *)points, count, stride ? stride : 12};
    bool finite = true;
    double squared = 0;
    /* The usual stride as a constant, for the compiler to make use of. */
    if (count > 0 && all.stride == 12) {
        finite = find_box(&all, 12, made.minimum, made.maximum);
        squared = finite ? find_sphere(&all, 12, &made) : 0;
    } else if (count > 0) {
        finite = find_box(&all, all.stride, made.minimum, made.maximum);
        squared = finite ? find_sphere(&all, all.stride, &made) : 0;
    }
    if (!finite)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "MESH-POSITION-FINITE", FACET_NO_OFFSET,
                          "among the points is one that is infinite or not a number");
    if (squared > (double)FLT_MAX * FLT_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, "MESH-POSITION-RANGE", FACET_NO_OFFSET,
                          "the radius of the points' sphere is %g, more than a float can hold",
                          sqrt(squared));
    made.radius = round_radius_up(squared);
    *bounds = made;
    return FACET_OK;
}
