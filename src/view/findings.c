/* view/findings.c - the findings of facet check, and where in the model they are. A finding has an
 * offset in its file and a sentence; what the sentence numbers is looked for in the scene. */
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

/* The number after a word, "triangle 12"; false without one. */
static bool number_after(const char *sentence, const char *word, uint64_t *number)
{
    size_t length = strlen(word);
    for (const char *at = strstr(sentence, word); at; at = strstr(at + 1, word)) {
        char *end;
        bool begins = at == sentence || at[-1] == ' ';
        if (!begins || at[length] != ' ' || at[length + 1] < '0' || at[length + 1] > '9')
            continue;
        *number = strtoull(at + length + 1, &end, 10);
        return true;
    }
    return false;
}

bool facet_view_place_of(const facet_scene *scene, const char *sentence, facet_view_mark *mark)
{
    uint64_t triangle = 0, mesh = 0;
    bool has_mesh = number_after(sentence, "mesh", &mesh) && mesh < scene->mesh_count;
    bool has_triangle =
        number_after(sentence, "triangle", &triangle) || number_after(sentence, "face", &triangle);
    mark->is_set = true;
    mark->mesh = has_mesh ? (uint32_t)mesh : 0;
    mark->face = FACET_NONE;
    if (!has_triangle)
        return mark->is_set = has_mesh;
    /* Without a mesh triangles are numbered through all of them. */
    for (uint32_t i = mark->mesh; i < scene->mesh_count; i++) {
        uint32_t faces = scene->meshes[i]->face_count;
        if (triangle < faces) {
            mark->mesh = i;
            mark->face = (uint32_t)triangle;
            return true;
        }
        if (has_mesh)
            break;
        triangle -= faces;
    }
    return mark->is_set = has_mesh;
}

/* The box of what is marked, as it was drawn. */
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
    if (!facet_view_place_of(model->scene, found->message, &v->mark) ||
        !box_of(model, &v->mark, low, high)) {
        v->mark.is_set = false;
        facet_view_say(v, "this finding has no place in the model");
        return;
    }
    /* A triangle is shown with what is around it. */
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
