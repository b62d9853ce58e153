/* convert/compare.c - comparison of two files, from bytes to fields. */
#include "convert/compare.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "convert/choose.h"
#include "convert/decoded_source.h"
#include "mesh/distance.h"
#include "scene/axes.h"
#include "scene/format.h"
#include "scene/scene.h"

#include <facet/convert.h>
#include <facet/mesh.h>
#include <facet/pose.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define DEFAULT_SAMPLES 20000
#define MAX_SAMPLES 10000000
#define DEFAULT_TOLERANCE 1e-6 /* of the diagonal: above the rounding of floats */

const char *facet_compare_part_name(facet_compare_part part)
{
    static const char *const names[] = {"positions",  "normals", "tangents", "texcoords", "colors",
                                        "weights",    "counts",  "names",    "materials", "nodes",
                                        "animations", "images",  "document"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if ((unsigned)part == 1U << i)
            return names[i];
    }
    return NULL;
}

/* -- Preparation -------------------------------------------------------- */

/* True if an earlier node that shows the same mesh has added the streams. */
static bool has_names(const facet_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        if (mesh->streams[i].semantic == FACET_CUSTOM &&
            strcmp(mesh->streams[i].name, FACET_SURFACE_JOINTS) == 0)
            return true;
    }
    return false;
}

/* Store weights with indices of the scene's nodes, in streams that outlive the skins. A node of b
 * gets the number of its partner in a, or a new one. */
static facet_status name_joints(facet_scene *scene, const uint32_t *numbers, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t n = 0; n < scene->node_count && !status; n++) {
        const facet_node *node = scene->nodes[n];
        if (node->mesh == FACET_NONE || node->skin == FACET_NONE)
            continue;
        facet_mesh *mesh = scene->meshes[node->mesh];
        const facet_skin *skin = scene->skins[node->skin];
        if (has_names(mesh))
            continue;
        for (uint32_t set = 0; set < 2 && !status; set++) {
            facet_stream *joints = facet_mesh_find(mesh, FACET_JOINTS, set);
            facet_stream *weights = facet_mesh_find(mesh, FACET_WEIGHTS, set);
            if (!joints || !weights)
                break;
            size_t count = 4 * (size_t)joints->count;
            uint32_t *named = facet_arena_allocate(scene->arena, count, sizeof *named);
            if (!named)
                return facet_fail_arena(scene->arena, error);
            for (size_t i = 0; i < count; i++) {
                uint16_t joint = ((const uint16_t *)joints->data)[i];
                named[i] = joint < skin->joint_count ? numbers[skin->joints[joint]] : FACET_NONE;
            }
            uint32_t joint_count = joints->count;
            const uint32_t *joint_indices = joints->indices;
            facet_stream copy = *weights;
            status = facet_mesh_add_stream_copy(mesh, FACET_CUSTOM, 0, FACET_SURFACE_JOINTS,
                                                FACET_UINT32, 4, joint_count, named, joint_indices,
                                                NULL, error);
            if (!status)
                status = facet_mesh_add_stream_copy(mesh, FACET_CUSTOM, 0, FACET_SURFACE_WEIGHTS,
                                                    FACET_FLOAT32, 4, copy.count, copy.data,
                                                    copy.indices, NULL, error);
            facet_arena_release(scene->arena, named, count, sizeof *named);
        }
    }
    return status;
}

static facet_status number_joints(const facet_comparing *c, facet_scene *a, facet_scene *b,
                                  facet_error *error)
{
    size_t count = (size_t)a->node_count + b->node_count;
    uint32_t *numbers = facet_arena_allocate(c->arena, count, sizeof *numbers);
    uint32_t *pairs = facet_arena_allocate(c->arena, b->node_count, sizeof *pairs);
    const char **names = facet_arena_allocate(c->arena, count, sizeof *names);
    if (!numbers || !pairs || !names)
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = 0; i < a->node_count; i++) {
        numbers[i] = i;
        names[b->node_count + i] = a->nodes[i]->name;
    }
    for (uint32_t i = 0; i < b->node_count; i++)
        names[i] = b->nodes[i]->name;
    facet_comparing silent = *c;
    silent.report = NULL; /* compare_structure reports names */
    facet_status status = facet_compare_names(&silent, "nodes", names, b->node_count,
                                              names + b->node_count, a->node_count, pairs, error);
    if (!status)
        status = facet_compare_pair_rest(&silent, NULL, b->node_count, NULL, a->node_count, pairs,
                                         error);
    for (uint32_t i = 0; i < b->node_count && !status; i++)
        numbers[a->node_count + i] = pairs[i] != FACET_NONE ? pairs[i] : a->node_count + i;
    if (!status)
        status = name_joints(a, numbers, error);
    return status ? status : name_joints(b, numbers + a->node_count, error);
}

/* True if neither scene has normals, and smoothing groups of one decide what it looks like. */
static bool needs_normals(const facet_scene *a, const facet_scene *b)
{
    const facet_scene *scenes[2] = {a, b};
    bool groups = false;
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < scenes[s]->mesh_count; i++) {
            const facet_mesh *mesh = scenes[s]->meshes[i];
            if (facet_mesh_find(mesh, FACET_NORMAL, 0))
                return false;
            for (uint32_t f = 0; f < mesh->face_count && mesh->face_smoothing && !groups; f++)
                groups = mesh->face_smoothing[f] != 0;
        }
    }
    return groups;
}

/* Convert a scene to meshes of triangles at their final positions, with normals if asked. */
static facet_status settle(facet_scene *scene, bool normals, const facet_options *options,
                           facet_error *error)
{
    facet_options quiet = *options;
    quiet.report = NULL;
    facet_status status = facet_scene_flatten(scene, NULL, &quiet, error);
    for (uint32_t i = 0; i < scene->mesh_count && !status && normals; i++)
        status = facet_mesh_normals(scene->meshes[i], NULL, &quiet, NULL, error);
    for (uint32_t i = 0; i < scene->mesh_count && !status; i++)
        status = facet_mesh_triangulate(scene->meshes[i], &quiet, NULL, error);
    return status;
}

/* -- Equal triangles ------------------------------------------------------ */

/* A sum of hashes, one per triangle. It does not depend on the order of triangles, nor on the first
 * corner. */
typedef struct fingerprint {
    uint64_t low, high;
} fingerprint;

static uint64_t hash_corner(const facet_surface *surface, uint32_t triangle, int corner)
{
    static const struct {
        facet_semantic semantic;
        uint32_t sets;
    } kinds[] = {{FACET_NORMAL, 1},
                 {FACET_TANGENT, 1},
                 {FACET_TEXCOORD, FACET_SURFACE_SETS},
                 {FACET_COLOR, FACET_SURFACE_SETS}};
    facet_surface_location place = {.triangle = triangle};
    place.share[corner] = 1;
    double value[4];
    uint64_t hash = 0, word;
    facet_surface_point(surface, &place, value);
    for (int count = 3, kind = -1, set = 0;;) {
        for (int k = 0; k < count; k++) {
            double positive = value[k] + 0.0; /* -0 becomes 0 */
            memcpy(&word, &positive, sizeof word);
            hash = facet_hash_word(hash, word);
        }
        hash = facet_hash_word(hash, (uint64_t)count);
        if (kind < 0 || ++set >= (int)kinds[kind].sets) {
            set = 0;
            if (++kind >= (int)(sizeof kinds / sizeof *kinds))
                break;
        }
        count = facet_surface_value(surface, &place, kinds[kind].semantic, (uint32_t)set, value);
    }
    facet_surface_weight weights[16];
    int count = facet_surface_weights(surface, &place, weights, 16);
    uint64_t sum = 0; /* order of joints does not matter */
    for (int i = 0; i < count; i++) {
        memcpy(&word, &weights[i].weight, sizeof word);
        sum += facet_hash_word(facet_hash_word(0, weights[i].joint), word);
    }
    return facet_hash_word(hash, sum);
}

/* Number of triangles between two calls of the progress callback. */
#define AT_ONCE 32768

static facet_status take_fingerprint(const facet_comparing *c, const facet_surface *surface,
                                     const double range[2], fingerprint *print, facet_error *error)
{
    fingerprint sum = {0};
    for (uint32_t t = 0; t < surface->triangle_count; t++) {
        facet_status status = t % AT_ONCE == 0 ? facet_step_within(c->options, "compare", range, t,
                                                                   surface->triangle_count, error)
                                               : FACET_OK;
        if (status)
            return status;
        uint64_t corners[3];
        for (int i = 0; i < 3; i++) {
            bool mirrored = surface->scene->axes.left_handed; /* reverses the winding */
            corners[mirrored ? 2 - i : i] = hash_corner(surface, t, i);
        }
        int first = corners[1] < corners[0];
        first = corners[2] < corners[first] ? 2 : first;
        uint64_t hash = facet_hash_word(0, facet_surface_material(surface, t));
        for (int i = 0; i < 3; i++)
            hash = facet_hash_word(hash, corners[(first + i) % 3]);
        sum.low += hash;
        sum.high += facet_hash_word(1, hash);
    }
    *print = sum;
    return FACET_OK;
}

/* -- Surfaces ----------------------------------------------------------- */

static void report_distance(const facet_comparing *c, const char *from, const char *to,
                            const facet_distance *d, double diagonal)
{
    if (d->greatest > c->tolerance)
        facet_compare_add(c, FACET_COMPARE_POSITIONS, "COMPARE-DISTANCE", FACET_NO_OFFSET,
                          "the surface of the %s file is up to %.6g away from that of the %s "
                          "(%.4g %% of the diagonal), %.6g are allowed",
                          from, d->greatest, to, diagonal > 0 ? 100 * d->greatest / diagonal : 0,
                          c->tolerance);
}

static void report_deviation(const facet_comparing *c, facet_compare_part part, const char *what,
                             const char *unit, const facet_deviation *d)
{
    if (d->beyond * 1000 > d->samples)
        facet_compare_add(
            c, part, "COMPARE-ATTRIBUTE", FACET_NO_OFFSET,
            "%s differ by more than %g%s at %.3g %% of the samples, at most by %.4g%s", what,
            d->allowed, unit, 100.0 * (double)d->beyond / (double)d->samples, d->greatest, unit);
}

/* Report a property that is equal or not. */
static void report_flags(const facet_comparing *c, facet_compare_part part, const char *rule,
                         const char *what, const facet_deviation *d)
{
    if (d->beyond * 1000 > d->samples)
        facet_compare_add(c, part, rule, FACET_NO_OFFSET, "%s at %.3g %% of the samples", what,
                          100.0 * (double)d->beyond / (double)d->samples);
}

/* Report searches for the nearest triangle that gave up. A warning if the surfaces may differ. */
static void report_effort(const facet_comparing *c, facet_surface_effort *effort,
                          const facet_comparison *result)
{
    uint64_t given_up = atomic_load(&effort->given_up);
    double greatest = fmax(result->forward.greatest, result->backward.greatest),
           bound = fmax(result->forward.greatest_bound, result->backward.greatest_bound);
    bool is_open = greatest <= c->tolerance && bound > c->tolerance;
    if (given_up > 0)
        facet_report_add(c->report, "COMPARE-LIMIT",
                         is_open && !(c->ignore & FACET_COMPARE_POSITIONS) ? FACET_SEVERITY_WARNING
                                                                           : FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET,
                         "%" PRIu64 " searches for the nearest triangle stop at the limit of their "
                         "work: the greatest distance is between %.6g and %.6g",
                         given_up, greatest, bound);
}

static facet_status compare_surfaces(facet_comparing *c, const facet_compare_options *with,
                                     const facet_surface *a, const facet_surface *b,
                                     facet_comparison *result, facet_error *error)
{
    /* Shares of the progress. */
    static const double shares[3][2] = {{0.1, 0.5}, {0.5, 0.9}, {0.9, 1}},
                        sampling[2][2] = {{0.08, 0.09}, {0.09, 0.1}};
    uint32_t count = with->samples ? with->samples : DEFAULT_SAMPLES;
    facet_surface_samples here, there;
    double precision = c->tolerance / 2;
    facet_surface_effort effort;
    facet_surface_effort_init(&effort, c->options);
    facet_status status =
        facet_surface_sample(a, count, c->options, sampling[0], c->arena, &here, error);
    if (!status)
        status = facet_surface_sample(b, count, c->options, sampling[1], c->arena, &there, error);
    if (!status)
        status = facet_surface_measure(a, b, &here, precision, &effort, c->options, shares[0],
                                       c->arena, &result->forward, error);
    if (!status)
        status = facet_surface_measure(b, a, &there, precision, &effort, c->options, shares[1],
                                       c->arena, &result->backward, error);
    facet_deviation materials = {0}, fronts = {0}, parts = {0};
    facet_surface_deviations deviations = {&result->normals,
                                           &result->tangents,
                                           &result->texcoords,
                                           &result->colors,
                                           &result->weights,
                                           &materials,
                                           &fronts,
                                           &parts};
    if (!status)
        status = facet_surface_deviate(a, b, &here, c->tolerance, &effort, c->options, shares[2],
                                       c->arena, &deviations, error);
    if (status)
        return status;
    report_effort(c, &effort, result);
    report_distance(c, "first", "second", &result->forward, result->diagonal);
    report_distance(c, "second", "first", &result->backward, result->diagonal);
    report_deviation(c, FACET_COMPARE_NORMALS, "normals", " degrees", &result->normals);
    report_deviation(c, FACET_COMPARE_TANGENTS, "tangents", " degrees", &result->tangents);
    report_deviation(c, FACET_COMPARE_TEXCOORDS, "texture coordinates", "", &result->texcoords);
    report_deviation(c, FACET_COMPARE_COLORS, "colors", "", &result->colors);
    report_deviation(c, FACET_COMPARE_WEIGHTS, "weights of joints", "", &result->weights);
    report_flags(c, FACET_COMPARE_MATERIALS, "COMPARE-MATERIAL",
                 "the second file has another material", &materials);
    report_flags(c, FACET_COMPARE_POSITIONS, "COMPARE-ATTRIBUTE",
                 "the front of the second file faces the other way", &fronts);
    report_flags(c, FACET_COMPARE_NAMES, "COMPARE-ATTRIBUTE",
                 "the second file has another object, group or mesh name", &parts);
    return FACET_OK;
}

/* -- Scenes ------------------------------------------------------------- */

static facet_status check_with(const facet_compare_options *with, facet_error *error)
{
    facet_status status =
        facet_check_struct_size(with->struct_size, sizeof *with, "facet_compare_options", error);
    if (!status && (!(with->tolerance >= 0) || !isfinite(with->tolerance)))
        status = facet_fail(error, FACET_ERROR_ARGUMENT, "COMPARE-TOLERANCE", FACET_NO_OFFSET,
                            "the tolerance is %g; it is 0 or above", with->tolerance);
    if (!status && with->samples > MAX_SAMPLES)
        status = facet_fail(error, FACET_ERROR_ARGUMENT, "COMPARE-SAMPLES", FACET_NO_OFFSET,
                            "%" PRIu32 " samples, expected at most %d", with->samples, MAX_SAMPLES);
    return status;
}

static facet_status compare_in_arena(facet_comparing *c, const facet_compare_options *with,
                                     facet_scene *a, facet_scene *b, facet_comparison *result,
                                     facet_error *error)
{
    /* Shares of the progress. */
    static const double shares[4][2] = {{0, 0.02}, {0.02, 0.04}, {0.04, 0.06}, {0.06, 0.08}};
    double low[3], high[3], squares = 0;
    bool any = false;
    facet_surface here, there;
    bool smooth = needs_normals(a, b);
    facet_compare_presence(c, a, b);
    TRY(facet_scene_print_extras(a, error));
    TRY(facet_scene_print_extras(b, error));
    facet_status status = facet_scene_bounds(a, c->options, low, high, &any, error);
    for (int k = 0; k < 3 && any; k++)
        squares += (high[k] - low[k]) * (high[k] - low[k]);
    result->diagonal = sqrt(squares);
    c->tolerance = with->tolerance > 0 ? with->tolerance : DEFAULT_TOLERANCE * result->diagonal;
    if (a->axes.unit > 0 && b->axes.unit > 0)
        c->scale = b->axes.unit / a->axes.unit;
    if (!status)
        status = facet_compare_pair_images(c, a, b, error);
    if (!status)
        status = facet_compare_structure(c, a, b, result->diagonal, error);
    if (!status)
        status = facet_compare_images(c, a, b, error);
    if (!status)
        status = facet_compare_collision(c, a, b, error);
    if (!status)
        status = facet_compare_bits(c, a, b, error);
    if (!status)
        status = number_joints(c, a, b, error);
    if (!status)
        status = settle(a, smooth, c->options, error);
    if (!status)
        status = settle(b, smooth, c->options, error);
    if (!status && !smooth) /* otherwise the normals follow from the groups */
        status = facet_compare_smoothing(c, a, b, error);
    if (!status)
        facet_compare_ends(c, a, b);
    if (!status)
        status = facet_surface_gather(a, 1, c->options, shares[0], c->arena, &here, error);
    if (!status)
        status = facet_surface_gather(b, c->scale, c->options, shares[1], c->arena, &there, error);
    if (status || here.triangle_count == 0 || there.triangle_count == 0)
        return status;
    here.materials = c->materials[0];
    there.materials = c->materials[1];
    TRY(facet_compare_number_parts(c, &here, &there, error));
    result->has_surfaces = true;
    if (here.triangle_count == there.triangle_count) {
        fingerprint x, y;
        if ((status = take_fingerprint(c, &here, shares[2], &x, error)) ||
            (status = take_fingerprint(c, &there, shares[3], &y, error)))
            return status;
        result->same_triangles = x.low == y.low && x.high == y.high;
    }
    return compare_surfaces(c, with, &here, &there, result, error);
}

facet_status facet_compare_scenes(facet_scene *a, facet_scene *b,
                                  const facet_compare_options *compare,
                                  const facet_options *options, facet_report *report,
                                  facet_comparison *comparison, facet_error *error)
{
    facet_compare_options defaults = {0};
    facet_options general = options ? *options : (facet_options){0};
    facet_comparison result = {0};
    const facet_compare_options *with = compare ? compare : &defaults;
    facet_comparing c = {.ignore = with->ignore, .scale = 1, .options = &general, .report = report};
    facet_status status = facet_check_options(options, error);
    if (!status)
        status = check_with(with, error);
    if (!status)
        status = facet_arena_create(&general, &c.arena, error);
    if (status)
        return status;
    status = compare_in_arena(&c, with, a, b, &result, error);
    facet_arena_free(c.arena);
    if (!status)
        status = facet_report_status(report, error);
    if (!status && comparison)
        *comparison = result;
    return status;
}

/* -- Files -------------------------------------------------------------- */

static bool of_one_family(const facet_format *a, const facet_format *b)
{
    return a == b || (a->family && b->family && strcmp(a->family, b->family) == 0);
}

static void tell_of_bytes(const facet_comparing *c, const facet_source *a, const facet_source *b)
{
    size_t least = a->size < b->size ? a->size : b->size, at = 0;
    while (at < least && a->data[at] == b->data[at])
        at++;
    if (at == a->size && at == b->size) /* only siblings differ */
        return;
    facet_report_add(c->report, "COMPARE-BYTES", FACET_SEVERITY_NOTE, at,
                     "the files differ from here on: %zu bytes, %zu in the second file", a->size,
                     b->size);
}

/* Compare the scenes of two files, and report what their readers left out. */
static facet_status compare_loaded(const facet_comparing *c, const facet_source *a,
                                   const facet_format *format_a, const facet_source *b,
                                   const facet_format *format_b, const facet_compare_options *with,
                                   facet_comparison *result, facet_error *error)
{
    facet_scene *here = NULL, *there = NULL;
    facet_report *reports[2] = {NULL, NULL};
    facet_options options = *c->options;
    facet_status status = facet_report_create(options.allocator, &reports[0], error);
    if (!status)
        status = facet_report_create(options.allocator, &reports[1], error);
    options.report = reports[0];
    if (!status)
        status = facet_compare_load(a, format_a, &options, &here, error);
    options.report = reports[1];
    if (!status)
        status = facet_compare_load(b, format_b, &options, &there, error);
    options.report = NULL;
    if (!status)
        status = facet_compare_scenes(here, there, with, &options, c->report, result, error);
    if (!status)
        status = facet_compare_check_unread(a, format_a, &options, reports[0], error);
    if (!status)
        status = facet_compare_check_unread(b, format_b, &options, reports[1], error);
    if (!status)
        status = facet_compare_unread(c, reports[0], reports[1], of_one_family(format_a, format_b),
                                      error);
    for (int i = 0; i < 2 && !status; i++)
        status = facet_report_status(reports[i], error);
    facet_scene_free(there);
    facet_scene_free(here);
    facet_report_free(reports[1]);
    facet_report_free(reports[0]);
    return status;
}

static facet_status compare_plain(facet_comparing *c, const facet_source *a,
                                  const facet_format *format_a, const facet_source *b,
                                  const facet_format *format_b, const facet_compare_options *with,
                                  facet_comparison *result, facet_error *error)
{
    bool scenes = facet_format_can_read(format_a) && facet_format_can_read(format_b);
    bool family = of_one_family(format_a, format_b);
    if (!scenes && !family)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "COMPARE-KINDS", FACET_NO_OFFSET,
                          "files of %s and of %s have nothing in common to compare",
                          facet_format_name(format_a), facet_format_name(format_b));
    tell_of_bytes(c, a, b);
    facet_status status = FACET_OK;
    if (scenes)
        status = compare_loaded(c, a, format_a, b, format_b, with, result, error);
    if (!status && family)
        status = facet_compare_fields(c, a, format_a, b, format_b, error);
    return status;
}

/* Equal bytes are equal files, unless files that they name differ. */
static facet_status compare_opened(facet_comparing *c, const facet_source *a,
                                   const facet_format *format_a, const facet_source *b,
                                   const facet_format *format_b, const facet_compare_options *with,
                                   facet_comparison *result, facet_error *error)
{
    const facet_format *format = format_a ? format_a : facet_format_probe(a);
    if (result->same_bytes && format && facet_format_can_read(format))
        TRY(facet_compare_siblings(c, a, b, format, &result->same_bytes, error));
    result->same_triangles = result->same_bytes;
    if (result->same_bytes)
        return FACET_OK;
    TRY(facet_choose_format(a, &format_a, error));
    TRY(facet_choose_format(b, &format_b, error));
    return compare_plain(c, a, format_a, b, format_b, with, result, error);
}

facet_status facet_compare(const facet_source *a, const facet_format *format_a,
                           const facet_source *b, const facet_format *format_b,
                           const facet_compare_options *compare, const facet_options *options,
                           facet_report *report, facet_comparison *comparison, facet_error *error)
{
    facet_compare_options defaults = {0};
    facet_options general = options ? *options : (facet_options){0};
    const facet_compare_options *with = compare ? compare : &defaults;
    facet_comparison result = {0};
    facet_plain here, there;
    facet_status status = check_with(with, error);
    if (!status)
        status = facet_plain_open(a, &general, &here, error);
    if (status)
        return status;
    status = facet_plain_open(b, &general, &there, error);
    if (status) {
        facet_plain_close(&here);
        return status;
    }
    facet_comparing c = {.ignore = with->ignore, .scale = 1, .options = &general, .report = report};
    result.same_bytes = a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
    status = facet_arena_create(&general, &c.arena, error);
    if (!status)
        status = compare_opened(&c, &here.source, format_a, &there.source, format_b, with, &result,
                                error);
    facet_arena_free(c.arena);
    facet_plain_close(&there);
    facet_plain_close(&here);
    if (!status)
        status = facet_report_status(report, error);
    if (!status && comparison)
        *comparison = result;
    return status;
}
