/* convert/compare_ends.c - comparison of lines and points of two scenes. Both scenes are flat. In
 * the same order, positions may differ by the tolerance; in another order, they must be equal to
 * the last bit of a float. Materials are compared, and normals and first colors if they share the
 * vertices of the positions; other attributes are not compared. */
#include "base/table.h"
#include "convert/compare.h"
#include "scene/axes.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Attributes of an end that are visible in a picture of lines and points. `allowed` is the maximum
 * difference, `missing` the value without the attribute. */
enum { NORMAL, COLOR, ATTRIBUTES };
static const struct {
    facet_semantic semantic;
    facet_compare_part part;
    const char *name;
    float allowed, missing;
} kinds[ATTRIBUTES] = {{FACET_NORMAL, FACET_COMPARE_NORMALS, "normals", 0.01F, 0},
                       {FACET_COLOR, FACET_COMPARE_COLORS, "colors", 0.5F / 255, 1}};

typedef struct end {
    double position[3];
    float values[ATTRIBUTES][4];
    uint32_t material; /* of its line or point, as numbered by facet_compare_materials */
} end;

/* Iterator over all ends of lines (kind 0), or all points, of a scene. */
typedef struct walk {
    const facet_scene *scene;
    int kind;
    double scale;
    const uint32_t *materials; /* numbers of the scene's materials; NULL: their indices */
    uint32_t mesh;
    size_t at;
} walk;

static void take_values(const facet_mesh *mesh, uint32_t vertex, end *out)
{
    for (int i = 0; i < ATTRIBUTES; i++) {
        const facet_stream *stream = facet_mesh_find(mesh, kinds[i].semantic, 0);
        for (int k = 0; k < 4; k++)
            out->values[i][k] = kinds[i].missing;
        if (stream && facet_streams_share_vertices(&mesh->streams[0], stream))
            memcpy(out->values[i],
                   (const float *)stream->data + (size_t)vertex * stream->components,
                   stream->components * sizeof(float));
    }
}

static bool next_end(walk *w, end *out)
{
    for (; w->mesh < w->scene->mesh_count; w->mesh++, w->at = 0) {
        const facet_mesh *mesh = w->scene->meshes[w->mesh];
        facet_ends ends = facet_mesh_ends(mesh, w->kind);
        if (w->at == ends.count)
            continue;
        uint32_t stroke = (uint32_t)(w->at / (w->kind == 0 ? 2 : 1));
        uint32_t vertex = ends.indices[w->at++];
        out->material = facet_material_of(facet_mesh_material_uses(mesh, w->kind + 1), stroke);
        if (out->material != FACET_NONE && w->materials)
            out->material = w->materials[out->material];
        float v[3];
        memcpy(v, (const float *)mesh->streams[0].data + (size_t)vertex * 3, sizeof v);
        facet_axes_turn(&w->scene->axes, v);
        for (int k = 0; k < 3; k++)
            out->position[k] = (double)v[k] * w->scale;
        take_values(mesh, vertex, out);
        facet_axes_turn(&w->scene->axes, out->values[NORMAL]);
        return true;
    }
    return false;
}

static uint64_t hash_float(uint64_t hash, float value)
{
    uint32_t bits;
    value += 0.0F; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    return facet_hash_word(hash, bits);
}

/* Contents of a fingerprint, next to the positions. */
enum { WITH_VALUES = 1, WITH_MATERIALS = 2 };

static uint64_t hash_of(const end *e, unsigned with)
{
    uint64_t hash = with & WITH_MATERIALS ? facet_hash_word(0, e->material) : 0;
    for (int k = 0; k < 3; k++)
        hash = hash_float(hash, (float)e->position[k]);
    for (int i = 0; i < ATTRIBUTES * 4 && with & WITH_VALUES; i++)
        hash = hash_float(hash, e->values[i / 4][i % 4]);
    return hash;
}

/* A sum of hashes. It does not depend on the order, nor on the direction of a line. */
static uint64_t fingerprint_of(walk w, unsigned with)
{
    uint64_t sum = 0;
    end e;
    while (next_end(&w, &e)) {
        uint64_t hash = hash_of(&e, with);
        if (w.kind == 0 && next_end(&w, &e))
            hash += hash_of(&e, with);
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

/* True if all are near one another, in order. `differs` has one flag per attribute. */
static bool are_near(walk a, walk b, double tolerance, bool differs[ATTRIBUTES], bool *repainted)
{
    end x, y;
    *repainted = false;
    while (next_end(&a, &x) && next_end(&b, &y)) {
        double squares = 0;
        for (int k = 0; k < 3; k++)
            squares += (x.position[k] - y.position[k]) * (x.position[k] - y.position[k]);
        if (!(sqrt(squares) <= tolerance))
            return false;
        *repainted |= x.material != y.material;
        for (int i = 0; i < ATTRIBUTES * 4; i++)
            differs[i / 4] |=
                !(fabsf(x.values[i / 4][i % 4] - y.values[i / 4][i % 4]) <= kinds[i / 4].allowed);
    }
    return true;
}

static void compare_kind(const facet_comparing *c, const char *name, walk a, walk b)
{
    bool differs[ATTRIBUTES] = {false}, repainted;
    if (!are_near(a, b, c->tolerance, differs, &repainted)) {
        if (fingerprint_of(a, 0) != fingerprint_of(b, 0)) {
            facet_compare_add(c, FACET_COMPARE_POSITIONS, "COMPARE-DISTANCE", FACET_NO_OFFSET,
                              "the %s of the second file are at other positions", name);
            return;
        }
        /* In another order, the differing attribute is unknown. */
        differs[NORMAL] = false;
        differs[COLOR] = fingerprint_of(a, WITH_VALUES) != fingerprint_of(b, WITH_VALUES);
        repainted = fingerprint_of(a, WITH_MATERIALS) != fingerprint_of(b, WITH_MATERIALS);
    }
    if (repainted)
        facet_compare_add(c, FACET_COMPARE_MATERIALS, "COMPARE-MATERIAL", FACET_NO_OFFSET,
                          "the second file has other materials of %s", name);
    for (int i = 0; i < ATTRIBUTES; i++) {
        if (differs[i])
            facet_compare_add(c, kinds[i].part, "COMPARE-ATTRIBUTE", FACET_NO_OFFSET,
                              "the %s of %s differ", kinds[i].name, name);
    }
}

void facet_compare_ends(const facet_comparing *c, const facet_scene *a, const facet_scene *b)
{
    static const char *const names[FACET_END_KINDS] = {"lines", "points"};
    for (int kind = 0; kind < FACET_END_KINDS; kind++) {
        uint64_t here = count_of(a, kind), there = count_of(b, kind);
        if (here == there)
            compare_kind(c, names[kind], (walk){a, kind, 1, c->materials[0], 0, 0},
                         (walk){b, kind, c->scale, c->materials[1], 0, 0});
        else
            facet_compare_add(c, FACET_COMPARE_COUNTS, "COMPARE-COUNT", FACET_NO_OFFSET,
                              "%" PRIu64 " %s, in the second file %" PRIu64, here, names[kind],
                              there);
    }
}
