/* formats/assimp/file/split_3mf.c - a mesh of a 3MF with several materials as several meshes. */
#include "formats/assimp/file/split_3mf.h"

#include <stdlib.h>
#include <string.h>

/* Maximum size of a number in the tag of a triangle. */
#define MAX_NUMBER 16

static const char next[] = "</triangles></mesh><mesh>", open[] = "<triangles>";

static int by_property(const void *a, const void *b)
{
    const facet_3mf_triangle *l = a, *r = b;
    if (l->property != r->property)
        return l->property < r->property ? -1 : 1;
    return (l->tag.at > r->tag.at) - (l->tag.at < r->tag.at);
}

static void append(facet_xml_part *to, uint8_t *data, const void *from, size_t size)
{
    memcpy(data + to->size, from, size);
    to->size += size;
}

static void append_attribute(facet_xml_part *to, uint8_t *data, const char *name,
                             facet_xml_part value)
{
    append(to, data, name, strlen(name));
    append(to, data, "=\"", 2);
    append(to, data, value.at, value.size);
    append(to, data, "\" ", 2);
}

static bool is_usual(const facet_3mf_triangle *triangle, facet_xml_part corners[3])
{
    static const char *const names[3] = {"v1", "v2", "v3"};
    bool usual = triangle->pid.size <= MAX_NUMBER && triangle->index.size <= MAX_NUMBER;
    for (int i = 0; i < 3; i++) {
        corners[i] = facet_xml_attribute(triangle->tag, names[i]);
        usual &= corners[i].size > 0 && corners[i].size <= MAX_NUMBER;
    }
    return usual;
}

static void append_triangle(facet_xml_part *to, uint8_t *data, const facet_3mf_triangle *triangle,
                            const facet_xml_part corners[3])
{
    append(to, data, "<triangle ", 10);
    append_attribute(to, data, "v1", corners[0]);
    append_attribute(to, data, "v2", corners[1]);
    append_attribute(to, data, "v3", corners[2]);
    if (triangle->property != 0) {
        append_attribute(to, data, "pid", triangle->pid);
        append_attribute(to, data, "p1", triangle->index);
    }
    append(to, data, "/>", 2);
}

bool facet_3mf_split(facet_3mf_mesh *mesh, facet_dae_edits *edits, const uint8_t *end,
                     size_t *budget, bool *split)
{
    /* The tag with five attributes: each has a name of at most 3 bytes, and 4 bytes more. */
    const size_t largest = 12 + 5 * (MAX_NUMBER + 7);
    size_t copies = 0;
    *split = false;
    if (mesh->count == 0 || mesh->vertices.size == 0)
        return true;
    qsort(mesh->triangles, mesh->count, sizeof *mesh->triangles, by_property);
    for (uint32_t i = 1; i < mesh->count; i++)
        copies += mesh->triangles[i].property != mesh->triangles[i - 1].property;
    size_t one = mesh->vertices.size + sizeof next + sizeof open;
    if (copies > *budget / one)
        return true;
    *budget -= copies * one;
    uint8_t *data = facet_arena_allocate(edits->arena, copies * one + mesh->count * largest, 1);
    facet_xml_part made = {data, 0};
    if (!data)
        return false;
    for (uint32_t i = 0; i < mesh->count; i++) {
        const facet_3mf_triangle *triangle = &mesh->triangles[i];
        facet_xml_part corners[3];
        if (!is_usual(triangle, corners))
            return true;
        if (i > 0 && triangle->property != triangle[-1].property) {
            append(&made, data, next, sizeof next - 1);
            append(&made, data, mesh->vertices.at, mesh->vertices.size);
            append(&made, data, open, sizeof open - 1);
        }
        append_triangle(&made, data, triangle, corners);
    }
    facet_xml_part old = {mesh->inside.at, (size_t)(end - mesh->inside.at)};
    *split = true;
    return facet_dae_add_edit(edits, old, made);
}
