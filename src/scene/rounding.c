/* scene/rounding.c - positions that floats can only hold rounded: of text files, and of meshes that
 * nodes move far away. */
#include "base/arena.h"
#include "base/numbers.h"
#include "base/report.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Rounding matters from this fraction of the mean size of a face on. */
#define MAX_FRACTION 1e-3

/* Largest magnitude of the coordinates of a mesh, and an estimate of the mean size of its faces.
 * The estimate divides the diagonal of the mesh by the root of the number of faces. */
typedef struct extent {
    double largest, face;
} extent;

static extent extent_of(const facet_mesh *mesh)
{
    const facet_stream *stream = facet_mesh_find(mesh, FACET_POSITION, 0);
    const float *at = stream && stream->component == FACET_FLOAT32 ? stream->data : NULL;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; at && i < stream->count; i++) {
        for (int k = 0; k < 3; k++) {
            float value = at[(size_t)i * 3 + (size_t)k];
            low[k] = value < low[k] ? value : low[k];
            high[k] = value > high[k] ? value : high[k];
        }
    }
    double square = 0;
    extent found = {0};
    for (int k = 0; k < 3 && low[k] <= high[k]; k++) {
        double size = (double)high[k] - (double)low[k];
        square += size * size;
        found.largest = fmax(found.largest, fmax(fabs((double)low[k]), fabs((double)high[k])));
    }
    found.face = sqrt(square / (mesh->face_count > 0 ? mesh->face_count : 1));
    return found;
}

/* Distance between neighboring floats at a value. */
static double step_at(double value)
{
    int exponent;
    frexp(value, &exponent);
    return ldexp(1, exponent - 24);
}

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* True if a text has a number of at least half of `largest` that is not exactly a float. */
static bool has_rounded(const facet_source *source, double largest)
{
    const uint8_t *at = source->data, *end = at + source->size;
    while (at < end) {
        double value;
        const uint8_t *next = facet_number_parse_double(at, end, &value);
        if (next && next > at) {
            if (fabs(value) * 2 >= largest && value != (double)(float)value)
                return true;
            at = next;
        } else { /* skip all digits of a number that is too large: they can be many */
            const uint8_t *begin = at++;
            while (is_digit(*begin) && at < end && is_digit(*at))
                at++;
        }
    }
    return false;
}

static bool is_text(const facet_source *source)
{
    size_t size = source->size < 512 ? source->size : 512;
    return size > 0 && !memchr(source->data, 0, size);
}

void facet_scene_report_rounding(const facet_scene *scene, const facet_source *source,
                                 const facet_options *options)
{
    if (!options || !options->report || (source && !is_text(source)))
        return;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        extent found = extent_of(scene->meshes[i]);
        double step = found.largest > 0 ? step_at(found.largest) : 0;
        if (step / 2 <= found.face * MAX_FRACTION ||
            (source && !has_rounded(source, found.largest)))
            continue;
        facet_report_add(options->report, "LOSS-PRECISION", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "coordinates of mesh %" PRIu32 " are rounded to steps of %g, because they "
                         "are up to %.9g: subtract an offset from them in the file",
                         i, step, found.largest);
    }
}

/* Largest column of the linear part of a matrix: the factor of lengths. */
static double factor_of(const float *m)
{
    double most = 0;
    for (int c = 0; c < 3; c++) {
        double x = (double)m[c * 4], y = (double)m[c * 4 + 1], z = (double)m[c * 4 + 2];
        most = fmax(most, x * x + y * y + z * z);
    }
    return sqrt(most);
}

/* True if a matrix moves exact positions to where they are rounded. *reach becomes the largest
 * coordinate there. */
static bool is_moved_far(const extent *mesh, const float *m, double *reach)
{
    double factor = factor_of(m), moved = 0;
    for (int c = 0; c < 3; c++)
        moved = fmax(moved, fabs((double)m[12 + c]));
    *reach = mesh->largest * factor + moved;
    return mesh->face > 0 && step_at(mesh->largest) / 2 <= mesh->face * MAX_FRACTION &&
           step_at(*reach) / 2 > mesh->face * factor * MAX_FRACTION;
}

void facet_scene_report_moved(const facet_scene *scene, const facet_pose *pose,
                              facet_report *report)
{
    extent *extents =
        report ? facet_arena_allocate(pose->arena, scene->mesh_count, sizeof *extents) : NULL;
    facet_tally far = {0, 0};
    double reach, first = 0;
    if (!extents)
        return;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        extents[i] = extent_of(scene->meshes[i]);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        bool is_still = node->mesh == FACET_NONE || node->skin != FACET_NONE || !pose->seen[i];
        if (is_still || !is_moved_far(&extents[node->mesh], pose->global + (size_t)i * 16, &reach))
            continue;
        first = far.count == 0 ? reach : first;
        facet_tally_hit(&far, i);
    }
    facet_report_add_tally(report, "LOSS-PRECISION", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &far,
                           "node %" PRIu64 " moves a mesh to coordinates of up to %.9g, where they "
                           "are rounded to steps of %g: move the model to the origin",
                           far.first, first, step_at(first));
    facet_arena_release(pose->arena, extents, scene->mesh_count, sizeof *extents);
}
