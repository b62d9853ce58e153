/* formats/gltf/from_scene/influences.c - joints and weights as glTF requires them: no negative
 * weights, and each joint at most once per vertex. Weights are normalized later, when they are
 * stored. */
#include "base/arena.h"
#include "base/report.h"
#include "formats/gltf/from_scene/writer.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MAX_SETS 16

/* Tolerance for the sum of weights: the rounding error of 8-bit weights. Larger errors get a
 * warning. */
#define SUM_TOLERANCE 0.01

/* The joint and weight streams of a mesh by set, from 0. */
typedef struct influences {
    facet_stream *joints[MAX_SETS], *weights[MAX_SETS];
    uint32_t set_count, count; /* number of sets; number of vertices */
} influences;

static influences find_influences(facet_mesh *mesh)
{
    influences found = {0};
    for (uint32_t set = 0; set < MAX_SETS; set++) {
        facet_stream *joints = facet_mesh_find(mesh, FACET_JOINTS, set);
        facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, set);
        if (!joints || !weights || joints->count != weights->count ||
            (set > 0 && joints->count != found.count))
            break;
        found.joints[set] = joints;
        found.weights[set] = weights;
        found.count = joints->count;
        found.set_count++;
    }
    return found;
}

static uint16_t *joint_at(const influences *from, uint32_t vertex, uint32_t i)
{
    return (uint16_t *)from->joints[i / 4]->data + (size_t)vertex * 4 + i % 4;
}

static float *weight_at(const influences *from, uint32_t vertex, uint32_t i)
{
    return (float *)from->weights[i / 4]->data + (size_t)vertex * 4 + i % 4;
}

/* True if a vertex with one set needs no change. A fast test for the usual case. */
static bool is_plain(const influences *from, uint32_t vertex)
{
    const uint16_t *j = joint_at(from, vertex, 0);
    const float *w = weight_at(from, vertex, 0);
    bool positive = true, distinct = true;
    for (int i = 0; i < 4; i++) {
        positive &= w[i] >= 0;
        for (int k = 0; k < i; k++)
            distinct &= (j[i] != j[k]) | (w[i] == 0) | (w[k] == 0);
    }
    return from->set_count == 1 && positive && distinct &&
           fabsf(w[0] + w[1] + w[2] + w[3] - 1) <= (float)SUM_TOLERANCE;
}

/* True if joints and weights must change. *is_told: the change is more than rounding, and is
 * reported. */
static bool must_change(const influences *from, uint32_t vertex, bool *is_told)
{
    uint16_t used[MAX_SETS * 4];
    uint32_t used_count = 0;
    bool wrong = false;
    double sum = 0;
    for (uint32_t i = 0; i < from->set_count * 4; i++) {
        float weight = *weight_at(from, vertex, i);
        if (weight == 0)
            continue;
        uint16_t joint = *joint_at(from, vertex, i);
        wrong |= weight < 0;
        for (uint32_t k = 0; k < used_count; k++)
            wrong |= used[k] == joint;
        used[used_count++] = joint;
        sum += (double)weight;
    }
    *is_told = wrong || fabs(sum - 1) > SUM_TOLERANCE;
    return wrong;
}

/* Drop negative weights, and add up the weights of equal joints. */
static void change_vertex(const influences *to, uint32_t vertex)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < to->set_count * 4; i++) {
        uint16_t joint = *joint_at(to, vertex, i);
        float weight = *weight_at(to, vertex, i);
        uint32_t same = 0;
        if (!(weight > 0))
            continue;
        while (same < used && *joint_at(to, vertex, same) != joint)
            same++;
        if (same < used) {
            *weight_at(to, vertex, same) += weight;
            continue;
        }
        *joint_at(to, vertex, used) = joint;
        *weight_at(to, vertex, used++) = weight;
    }
    for (; used < to->set_count * 4; used++) {
        *joint_at(to, vertex, used) = 0;
        *weight_at(to, vertex, used) = 0;
    }
}

/* Copy a mesh, with new streams for joints and weights; NULL if out of memory. */
static facet_mesh *copy_mesh(facet_gltf_writer *w, const facet_mesh *mesh)
{
    facet_mesh *copy = facet_arena_allocate(w->arena, 1, sizeof *copy);
    facet_stream *streams = facet_arena_allocate(w->arena, mesh->stream_count, sizeof *streams);
    if (!copy || !streams)
        return NULL;
    *copy = *mesh;
    memcpy(streams, mesh->streams, mesh->stream_count * sizeof *streams);
    copy->streams = streams;
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        size_t size = facet_component_size(streams[i].component) * streams[i].components;
        if (streams[i].semantic != FACET_JOINTS && streams[i].semantic != FACET_WEIGHTS)
            continue;
        void *data = facet_arena_allocate(w->arena, streams[i].count, size);
        if (!data)
            return NULL;
        memcpy(data, streams[i].data, streams[i].count * size);
        streams[i].data = data;
    }
    return copy;
}

const facet_mesh *facet_gltf_correct_influences(facet_gltf_writer *w, const facet_mesh *mesh,
                                                uint32_t number)
{
    facet_mesh view = *mesh;
    influences from = find_influences(&view);
    facet_tally told = {0}, wrong = {0};
    for (uint32_t i = 0; i < from.count && from.set_count > 0; i++) {
        bool is_told = false;
        if (is_plain(&from, i))
            continue;
        if (must_change(&from, i, &is_told))
            facet_tally_hit(&wrong, i);
        if (is_told)
            facet_tally_hit(&told, i);
    }
    facet_report_add_tally(facet_gltf_writer_report(w), "GLTF-WEIGHT", FACET_SEVERITY_WARNING,
                           FACET_NO_OFFSET, &told,
                           "vertex %" PRIu64 " of mesh %" PRIu32
                           " has negative weights, a joint twice or weights that do not sum to 1, "
                           "and is corrected",
                           told.first, number);
    if (wrong.count == 0)
        return mesh;
    facet_mesh *copy = copy_mesh(w, mesh);
    if (!copy) {
        w->failed = true;
        return mesh;
    }
    const influences to = find_influences(copy);
    for (uint32_t i = (uint32_t)wrong.first; i < to.count; i++) {
        bool is_told = false;
        if (must_change(&to, i, &is_told))
            change_vertex(&to, i);
    }
    return copy;
}
