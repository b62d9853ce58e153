/* formats/gltf/check_influences.c - rules for joints and weights of skinned vertices (glTF 2.0,
 * 3.7.3.3). */
#include "formats/gltf/check.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Maximum number of checked sets of four influences. Renderers do not use more, and the check
 * compares each influence of a vertex with all earlier ones. */
#define MAX_SETS 8

/* Tolerance for the sum of a vertex's weights, per weight that is not 0. */
#define SUM_TOLERANCE 2e-7

/* The influences of some vertices of a primitive. */
typedef struct influences {
    uint32_t *joints[MAX_SETS];
    float *weights[MAX_SETS];
    uint32_t set_count;
    uint32_t first, tile; /* first vertex in memory, and maximum number at a time */
    uint32_t joint_count; /* number of joints of the skin */
} influences;

typedef struct faults {
    facet_tally outside, repeated, negative, sum;
} faults;

/* -- Vertices ----------------------------------------------------------- */

/* True if a vertex with one set is valid. A fast test for the usual case. */
static bool is_plain(const influences *from, uint32_t vertex)
{
    const uint32_t *j = from->joints[0] + (size_t)vertex * 4;
    const float *w = from->weights[0] + (size_t)vertex * 4;
    bool inside = true, distinct = true;
    for (int i = 0; i < 4; i++) {
        inside &= (j[i] < from->joint_count) & (w[i] >= 0);
        for (int k = 0; k < i; k++)
            distinct &= (j[i] != j[k]) | (w[i] == 0) | (w[k] == 0);
    }
    return from->set_count == 1 && inside && distinct &&
           fabs((double)(w[0] + w[1] + w[2] + w[3]) - 1) <= SUM_TOLERANCE;
}

static void check_vertex(const influences *from, uint32_t vertex, faults *found)
{
    uint32_t used[MAX_SETS * 4], used_count = 0;
    bool outside = false, repeated = false, negative = false;
    float sum = 0;
    for (uint32_t i = 0; i < from->set_count * 4; i++) {
        size_t at = (size_t)vertex * 4 + i % 4;
        uint32_t joint = from->joints[i / 4][at];
        float weight = from->weights[i / 4][at];
        outside |= joint >= from->joint_count;
        if (weight == 0)
            continue;
        negative |= weight < 0;
        sum += weight > 0 ? weight : 0;
        for (uint32_t k = 0; k < used_count; k++)
            repeated |= used[k] == joint;
        used[used_count++] = joint;
    }
    if (outside)
        facet_tally_hit(&found->outside, from->first + vertex);
    if (repeated)
        facet_tally_hit(&found->repeated, from->first + vertex);
    if (negative)
        facet_tally_hit(&found->negative, from->first + vertex);
    if (!(fabs((double)sum - 1) <= SUM_TOLERANCE * used_count))
        facet_tally_hit(&found->sum, from->first + vertex);
}

static void report_faults(facet_report *report, const faults *found, uint32_t mesh,
                          uint32_t primitive, uint32_t joint_count)
{
    char where[80];
    const facet_where at = facet_where_mesh(FACET_NO_OFFSET, mesh);
    snprintf(where, sizeof where, "of primitive %" PRIu32 " of mesh %" PRIu32, primitive, mesh);
    facet_report_add_tally_where(report, "GLTF-JOINT", FACET_SEVERITY_ERROR, at, &found->outside,
                                 "vertex %" PRIu64
                                 " %s names a joint outside its skin, expected a number "
                                 "below %" PRIu32,
                                 found->outside.first, where, joint_count);
    facet_report_add_tally_where(report, "GLTF-JOINT", FACET_SEVERITY_ERROR, at, &found->repeated,
                                 "vertex %" PRIu64 " %s is bound to a joint twice",
                                 found->repeated.first, where);
    facet_report_add_tally_where(report, "GLTF-WEIGHT", FACET_SEVERITY_ERROR, at, &found->negative,
                                 "vertex %" PRIu64 " %s has a negative weight",
                                 found->negative.first, where);
    facet_report_add_tally_where(report, "GLTF-WEIGHT", FACET_SEVERITY_ERROR, at, &found->sum,
                                 "the weights of vertex %" PRIu64 " %s do not sum to 1",
                                 found->sum.first, where);
}

/* -- Primitives --------------------------------------------------------- */

/* Accessor of a numbered attribute; FACET_NONE if it is missing. */
static uint32_t find_set(const facet_gltf_primitive *primitive, const char *stem, uint32_t set)
{
    char name[32];
    snprintf(name, sizeof name, "%s%" PRIu32, stem, set);
    for (uint32_t i = 0; i < primitive->attribute_count; i++) {
        if (strcmp(primitive->attributes[i].name, name) == 0)
            return primitive->attributes[i].accessor;
    }
    return FACET_NONE;
}

/* An accessor with four components per vertex and uncompressed bytes, or NULL. Codecs are not
 * exact. */
static const facet_gltf_accessor *plain_accessor(const facet_gltf_file *file, uint32_t index)
{
    const facet_gltf_document *document = &file->document;
    const facet_gltf_accessor *accessor =
        index < document->accessor_count ? &document->accessors[index] : NULL;
    if (!accessor || accessor->data || accessor->matrix || accessor->components != 4 ||
        accessor->count == 0 || (accessor->view == FACET_NONE && !accessor->sparse) ||
        (accessor->view != FACET_NONE && document->views[accessor->view].meshopt))
        return NULL;
    return accessor;
}

/* Number of sets without a gap; 0 if one of them cannot be checked. */
static uint32_t count_sets(const facet_gltf_file *file, const facet_gltf_primitive *primitive)
{
    uint64_t count = 0;
    uint32_t sets = 0;
    for (; sets <= MAX_SETS; sets++) {
        uint32_t joint = find_set(primitive, "JOINTS_", sets);
        uint32_t weight = find_set(primitive, "WEIGHTS_", sets);
        if (joint == FACET_NONE && weight == FACET_NONE)
            return sets;
        const facet_gltf_accessor *joints = plain_accessor(file, joint);
        const facet_gltf_accessor *weights = plain_accessor(file, weight);
        if (!joints || !weights || joints->type == FACET_GLTF_FLOAT ||
            joints->count != weights->count || (sets > 0 && joints->count != count))
            return 0;
        count = joints->count;
    }
    return 0;
}

/* Vertices at a time: they fit into the cache. */
#define TILE 1024

static bool is_sparse(const facet_gltf_file *file, const facet_gltf_primitive *primitive,
                      uint32_t set)
{
    const facet_gltf_accessor *accessors = file->document.accessors;
    return accessors[find_set(primitive, "JOINTS_", set)].sparse ||
           accessors[find_set(primitive, "WEIGHTS_", set)].sparse;
}

/* Choose the vertices at a time. Sparse accessors are read as a whole. */
static uint32_t choose_tile(const facet_gltf_file *file, const facet_gltf_primitive *primitive,
                            uint32_t sets, uint32_t count)
{
    for (uint32_t s = 0; s < sets; s++) {
        if (is_sparse(file, primitive, s))
            return count;
    }
    return count < TILE ? count : TILE;
}

static facet_status allocate_sets(facet_gltf_file *file, influences *to, uint32_t sets,
                                  facet_error *error)
{
    size_t numbers = (size_t)to->tile * 4;
    for (uint32_t s = 0; s < sets; s++) {
        TRY(facet_gltf_spend(file, numbers, 2 * sizeof(float), error));
        to->joints[s] = facet_arena_allocate(file->arena, numbers, sizeof(uint32_t));
        to->weights[s] = facet_arena_allocate(file->arena, numbers, sizeof(float));
        if (!to->joints[s] || !to->weights[s])
            return facet_fail_arena(file->arena, error);
        to->set_count++;
    }
    return FACET_OK;
}

static void release_sets(facet_gltf_file *file, influences *from)
{
    size_t numbers = (size_t)from->tile * 4;
    while (from->set_count > 0) {
        from->set_count--;
        facet_arena_release(file->arena, from->weights[from->set_count], numbers, sizeof(float));
        facet_arena_release(file->arena, from->joints[from->set_count], numbers, sizeof(uint32_t));
    }
}

/* A copy of the accessor with `count` elements, starting at `first`. */
static facet_gltf_accessor part_of(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                                   uint32_t first, uint32_t count)
{
    facet_gltf_accessor part = *accessor;
    if (accessor->view != FACET_NONE) {
        uint64_t stride = file->document.views[accessor->view].stride;
        part.offset += first * (stride > 0 ? stride : facet_gltf_element_size(accessor));
    }
    part.count = count;
    return part;
}

static void check_tile(const facet_gltf_file *file, const facet_gltf_primitive *primitive,
                       const influences *all, uint32_t count, faults *found)
{
    const facet_gltf_accessor *accessors = file->document.accessors;
    for (uint32_t s = 0; s < all->set_count; s++) {
        facet_gltf_accessor joints =
            part_of(file, &accessors[find_set(primitive, "JOINTS_", s)], all->first, count);
        facet_gltf_accessor weights =
            part_of(file, &accessors[find_set(primitive, "WEIGHTS_", s)], all->first, count);
        facet_gltf_read_integers(file, &joints, all->joints[s]);
        facet_gltf_read_floats(file, &weights, 4, 0, all->weights[s]);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!is_plain(all, i))
            check_vertex(all, i, found);
    }
}

static facet_status check_primitive(facet_gltf_file *file, uint32_t mesh, uint32_t index,
                                    uint32_t joint_count, facet_report *report, facet_error *error)
{
    const facet_gltf_primitive *primitive = &file->document.meshes[mesh].primitives[index];
    uint32_t sets = count_sets(file, primitive);
    if (sets == 0)
        return FACET_OK;
    uint32_t joints = find_set(primitive, "JOINTS_", 0);
    uint32_t count = (uint32_t)file->document.accessors[joints].count;
    influences all = {.joint_count = joint_count,
                      .tile = choose_tile(file, primitive, sets, count)};
    faults found = {0};
    facet_status status = allocate_sets(file, &all, sets, error);
    for (uint64_t first = 0; first < count && !status; first += all.tile) {
        uint32_t left = count - (uint32_t)first;
        all.first = (uint32_t)first;
        check_tile(file, primitive, &all, left < all.tile ? left : all.tile, &found);
    }
    release_sets(file, &all);
    report_faults(report, &found, mesh, index, joint_count);
    return status;
}

/* -- Meshes ------------------------------------------------------------- */

/* Minimum number of joints over all skins that each mesh is drawn with; 0 without a skin. */
static uint32_t *count_joints(facet_gltf_file *file)
{
    const facet_gltf_document *document = &file->document;
    uint32_t *counts =
        facet_arena_allocate_zeroed(file->arena, document->mesh_count, sizeof *counts);
    for (uint32_t i = 0; counts && i < document->node_count; i++) {
        const facet_gltf_node *node = &document->nodes[i];
        if (node->mesh >= document->mesh_count || node->skin >= document->skin_count)
            continue;
        uint32_t count = document->skins[node->skin].joint_count;
        if (counts[node->mesh] == 0 || count < counts[node->mesh])
            counts[node->mesh] = count;
    }
    return counts;
}

facet_status facet_gltf_check_influences(facet_gltf_file *file, facet_report *report,
                                         facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    facet_status status = FACET_OK;
    uint32_t *counts = count_joints(file);
    bool *seen = facet_arena_allocate_zeroed(file->arena, document->accessor_count, sizeof *seen);
    if (!counts || !seen)
        return facet_fail_arena(file->arena, error);
    for (uint32_t m = 0; m < document->mesh_count; m++) {
        for (uint32_t i = 0; i < document->meshes[m].primitive_count && counts[m] > 0; i++) {
            uint32_t joints = find_set(&document->meshes[m].primitives[i], "JOINTS_", 0);
            /* Primitives share vertices: check each set once. */
            if (joints >= document->accessor_count || seen[joints])
                continue;
            seen[joints] = true;
            status = check_primitive(file, m, i, counts[m], report, error);
            if (status)
                return status;
        }
    }
    return FACET_OK;
}
