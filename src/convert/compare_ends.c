/* convert/compare_ends.c - do two scenes have the same lines and points? Both are flat: meshes lie
 * where they are seen. Those in the same order may be apart by the tolerance; those in another
 * order have to be equal to the last bit of a float. */
#include "base/table.h"
#include "convert/compare.h"
#include "scene/axes.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Walks over all ends of lines, or points, of a scene. */
typedef struct walk {
    const facet_scene *scene;
    int kind;
    double scale;
    uint32_t mesh;
    size_t at;
} walk;

static bool next_end(walk *w, double position[3])
{
    for (; w->mesh < w->scene->mesh_count; w->mesh++, w->at = 0) {
        const facet_mesh *mesh = w->scene->meshes[w->mesh];
        facet_ends ends = facet_mesh_ends(mesh, w->kind);
        if (w->at == ends.count)
            continue;
        float v[3];
        memcpy(v, (const float *)mesh->streams[0].data + (size_t)ends.indices[w->at++] * 3,
               sizeof v);
        facet_axes_turn(&w->scene->axes, v);
        for (int k = 0; k < 3; k++)
            position[k] = (double)v[k] * w->scale;
        return true;
    }
    return false;
}

static uint64_t hash_of(const double position[3])
{
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) {
        float value = (float)position[k] + 0.0F; /* -0 is 0 */
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = facet_hash_word(hash, bits);
    }
    return hash;
}

/* A sum over all of a hash of each: the same in any order, and from either end of a line. */
static uint64_t fingerprint_of(walk w)
{
    uint64_t sum = 0;
    double position[3];
    while (next_end(&w, position)) {
        uint64_t hash = hash_of(position);
        if (w.kind == 0 && next_end(&w, position))
            hash += hash_of(position);
        sum += facet_hash_word(0, hash);
    }
    return sum;
}

static uint64_t count_of(const facet_scene *scene, int kind)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        count += facet_mesh_ends(scene->meshes[i], kind).count;
    return kind == 0 ? count / 2 : count;
}

static bool are_near(walk a, walk b, double tolerance)
{
    double x[3], y[3];
    while (next_end(&a, x) && next_end(&b, y)) {
        double squares = 0;
        for (int k = 0; k < 3; k++)
            squares += (x[k] - y[k]) * (x[k] - y[k]);
        if (!(sqrt(squares) <= tolerance))
            return false;
    }
    return true;
}

void facet_compare_ends(const facet_comparing *c, const facet_scene *a, const facet_scene *b)
{
    static const char *const names[FACET_END_KINDS] = {"lines", "points"};
    for (int kind = 0; kind < FACET_END_KINDS; kind++) {
        uint64_t here = count_of(a, kind), there = count_of(b, kind);
        walk x = {a, kind, 1, 0, 0}, y = {b, kind, c->scale, 0, 0};
        if (here != there)
            facet_compare_add(c, FACET_COMPARE_COUNTS, "COMPARE-COUNT", FACET_NO_OFFSET,
                              "%" PRIu64 " %s, in the second file %" PRIu64, here, names[kind],
                              there);
        else if (!are_near(x, y, c->tolerance) && fingerprint_of(x) != fingerprint_of(y))
            facet_compare_add(c, FACET_COMPARE_POSITIONS, "COMPARE-DISTANCE", FACET_NO_OFFSET,
                              "the %s of the second file are not where those of the first are",
                              names[kind]);
    }
}
