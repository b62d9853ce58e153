/* formats/stl/from_scene.c - a scene to an STL document. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/stl/stl.h"
#include "scene/axes.h"
#include "scene/losses.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Triangles between two progress calls. */
#define STRIDE 65536

typedef struct making {
    const facet_scene *scene;
    const facet_options *options;
    uint64_t triangle_count;
    facet_report *report;
    facet_error *error;
    facet_stl *stl;
    uint8_t *next; /* position of the next triangle */
    uint32_t solid_capacity;
} making;

/* -- Triangles ---------------------------------------------------------- */

static void find_normal(facet_stl_triangle *t)
{
    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = (double)t->corners[1][i] - (double)t->corners[0][i];
        b[i] = (double)t->corners[2][i] - (double)t->corners[0][i];
    }
    double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3; i++)
        t->normal[i] = length > 0 ? (float)(n[i] / length) : 0;
}

static void add_triangle(making *m, const facet_mesh *mesh, uint32_t face)
{
    const facet_stream *positions = &mesh->streams[0];
    facet_stl_triangle t = {0};
    for (uint32_t i = 0; i < 3; i++) {
        /* A mirrored triangle needs the opposite winding: 0 2 1. */
        uint32_t corner = face * 3 + (m->scene->axes.left_handed ? (3 - i) % 3 : i);
        memcpy(t.corners[i],
               (const float *)positions->data + (size_t)positions->indices[corner] * 3,
               sizeof t.corners[i]);
        facet_axes_turn(&m->scene->axes, t.corners[i]);
    }
    find_normal(&t);
    facet_stl_put(m->next, &t);
    m->next += FACET_STL_RECORD_SIZE;
}

/* -- Solids ------------------------------------------------------------- */

static facet_status add_solid(making *m, const facet_mesh *mesh, const char *name, uint32_t first,
                              uint32_t count)
{
    facet_stl *stl = m->stl;
    if (count == 0)
        return FACET_OK;
    if (stl->solid_count == m->solid_capacity) {
        uint32_t more = m->solid_capacity / 2 + 4;
        facet_stl_solid *grown =
            facet_arena_resize(stl->arena, stl->solids, m->solid_capacity,
                               (size_t)m->solid_capacity + more, sizeof *grown);
        if (!grown)
            return facet_fail_arena(stl->arena, m->error);
        stl->solids = grown;
        m->solid_capacity += more;
    }
    char *copy = facet_arena_string(stl->arena, name, strlen(name));
    if (!copy)
        return facet_fail_arena(stl->arena, m->error);
    stl->solids[stl->solid_count++] = (facet_stl_solid){copy, stl->triangle_count, count};
    static const double range[2] = {0, 1};
    for (uint32_t face = first; face < first + count; face++) {
        facet_status status =
            (face - first) % STRIDE == 0
                ? facet_step_within(m->options, "write meshes", range,
                                    stl->triangle_count + face - first, m->triangle_count, m->error)
                : FACET_OK;
        if (status)
            return status;
        add_triangle(m, mesh, face);
    }
    stl->triangle_count += count;
    return FACET_OK;
}

/* Add the parts of a mesh, and the faces between them. */
static facet_status add_mesh(making *m, const facet_mesh *mesh)
{
    facet_status status = FACET_OK;
    uint32_t end = 0;
    for (uint32_t i = 0; i < mesh->part_count && !status; i++) {
        const facet_part *part = &mesh->parts[i];
        status = add_solid(m, mesh, "", end, part->first_face - end);
        if (!status)
            status = add_solid(m, mesh, *part->name ? part->name : part->group, part->first_face,
                               part->face_count);
        end = part->first_face + part->face_count;
    }
    return status ? status
                  : add_solid(m, mesh, mesh->part_count > 0 ? "" : mesh->name, end,
                              mesh->face_count - end);
}

/* -- Losses ------------------------------------------------------------- */

static const facet_capacity capacity = {
    "STL",
    FACET_LACKS_BILLBOARDS | FACET_LACKS_ASSET | FACET_LACKS_NORMALS | FACET_LACKS_TANGENTS |
        FACET_LACKS_MESH_NAMES | FACET_LACKS_SKINS | FACET_LACKS_JOINTS | FACET_LACKS_CUSTOM |
        FACET_LACKS_SMOOTHING | FACET_LACKS_LINES | FACET_LACKS_POINTS | FACET_LACKS_MORPHS |
        FACET_LACKS_FACE_MATERIALS | FACET_LACKS_CAMERAS | FACET_LACKS_HULLS |
        FACET_LACKS_OCCLUDER | FACET_LACKS_ANIMATIONS | FACET_LACKS_IMAGES | FACET_LACKS_EXTRAS |
        FACET_LACKS_GROUP_NAMES,
    0,
    0,
    0,
    0,
    0,
    false,
    true};

/* -- The conversion ---------------------------------------------------- */

static facet_status make(making *m)
{
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
        const facet_mesh *mesh = m->scene->meshes[i];
        if (!facet_mesh_is_triangles(mesh))
            return facet_fail(m->error, FACET_ERROR_ARGUMENT, "STL-NEEDS", FACET_NO_OFFSET,
                              "STL holds triangles only, but mesh %" PRIu32 " has other faces", i);
        triangles += mesh->face_count;
    }
    if (triangles > UINT32_MAX)
        return facet_fail(m->error, FACET_ERROR_LIMIT, "STL-LIMIT", FACET_NO_OFFSET,
                          "%" PRIu64 " triangles are more than STL can count", triangles);
    uint8_t *records =
        facet_arena_allocate(m->stl->arena, (size_t)triangles, FACET_STL_RECORD_SIZE);
    if (!records)
        return facet_fail_arena(m->stl->arena, m->error);
    m->stl->triangles = m->next = records;
    m->triangle_count = triangles;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < m->scene->mesh_count && !status; i++)
        status = add_mesh(m, m->scene->meshes[i]);
    facet_scene_report_losses(m->scene, &capacity, m->report);
    return status;
}

facet_status facet_stl_from_scene(const facet_scene *scene, const facet_options *options,
                                  facet_stl **document, facet_error *error)
{
    making m = {.scene = scene,
                .options = options,
                .report = options ? options->report : NULL,
                .error = error};
    TRY(facet_stl_create(options, &m.stl, error));
    facet_status status = make(&m);
    if (status) {
        facet_stl_free(m.stl);
        return status;
    }
    *document = m.stl;
    return FACET_OK;
}
