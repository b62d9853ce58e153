/* view/findings.c - the findings of facet check, and their positions in the model. A finding has
 * the index of a mesh, a face or a vertex in its file. Scenes keep that order. */
#include "view/state.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void facet_view_find(facet_viewer *viewer)
{
    facet_viewer *v = viewer;
    facet_view_entry *entry = facet_view_current(v);
    facet_error error;
    if (!entry || !entry->model || entry->findings)
        return;
    if (facet_report_create(NULL, &entry->findings, &error)) {
        facet_view_say(v, "%s", error.message);
        return;
    }
    if (v->host.check(v->host.user, entry->paths[0], &v->options, entry->findings, &error))
        facet_view_say(v, "%s", error.message);
}

/* Find the mesh of an index that counts through all meshes, and the index in that mesh. */
static bool find_mesh(const facet_scene *scene, bool is_face, uint64_t *index, uint32_t *mesh)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *m = scene->meshes[i];
        uint64_t count = is_face ? m->face_count : m->stream_count > 0 ? m->streams[0].count : 0;
        if (*index < count) {
            *mesh = i;
            return true;
        }
        *index -= count;
    }
    return false;
}

/* First triangle with a vertex, or FACET_NONE. */
static uint32_t face_of_vertex(const facet_mesh *mesh, uint64_t vertex)
{
    if (mesh->stream_count == 0)
        return FACET_NONE;
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        if (mesh->streams[0].indices[i] == vertex)
            return i / 3;
    }
    return FACET_NONE;
}

bool facet_view_find_element(const facet_scene *scene, const facet_finding *finding,
                             facet_view_mark *mark)
{
    bool has_face = finding->face != FACET_NO_INDEX, has_vertex = finding->vertex != FACET_NO_INDEX;
    uint64_t index = has_face ? finding->face : finding->vertex;
    *mark = (facet_view_mark){.face = FACET_NONE};
    if (finding->mesh != FACET_NO_INDEX) {
        if (finding->mesh >= scene->mesh_count)
            return false;
        mark->mesh = (uint32_t)finding->mesh;
    } else if (!(has_face || has_vertex) || !find_mesh(scene, has_face, &index, &mark->mesh)) {
        return false;
    }
    const facet_mesh *mesh = scene->meshes[mark->mesh];
    if (has_face && index < mesh->face_count)
        mark->face = (uint32_t)index;
    else if (has_vertex)
        mark->face = face_of_vertex(mesh, index);
    /* A vertex without a triangle has no position; a finding about a mesh marks all of it. */
    return mark->is_set = mark->face != FACET_NONE || !(has_face || has_vertex);
}

/* Bounds of the marked part, as it was drawn. */
static bool box_of(const facet_view_model *model, const facet_view_mark *mark, double low[3],
                   double high[3])
{
    uint32_t begin = mark->face == FACET_NONE ? 0 : mark->face;
    uint32_t end =
        mark->face == FACET_NONE ? model->scene->meshes[mark->mesh]->face_count : mark->face + 1;
    bool any = false;
    for (uint32_t f = begin; f < end; f++) {
        double corners[3][3];
        if (!facet_render_series_triangle(model->series, mark->mesh, f, corners))
            continue;
        for (int i = 0; i < 9; i++) {
            double value = corners[i / 3][i % 3];
            low[i % 3] = any || i >= 3 ? fmin(low[i % 3], value) : value;
            high[i % 3] = any || i >= 3 ? fmax(high[i % 3], value) : value;
        }
        any = true;
    }
    return any;
}

void facet_view_jump(facet_viewer *viewer, size_t finding)
{
    facet_viewer *v = viewer;
    facet_view_entry *entry = facet_view_current(v);
    const facet_view_model *model = entry->model;
    double low[3], high[3], size = 0;
    const facet_finding *found = facet_report_get(entry->findings, finding);
    if (!facet_view_find_element(model->scene, found, &v->mark) ||
        !box_of(model, &v->mark, low, high)) {
        v->mark.is_set = false;
        facet_view_say(v, "this finding has no place in the model");
        return;
    }
    /* Show a triangle with its surroundings. */
    if (v->mark.face != FACET_NONE) {
        for (int i = 0; i < 3; i++)
            size = fmax(size, high[i] - low[i]);
        for (int i = 0; i < 3; i++) {
            low[i] -= size * 2;
            high[i] += size * 2;
        }
    }
    facet_orbit_frame(&v->orbit, low, high);
    facet_view_touch(v);
}
