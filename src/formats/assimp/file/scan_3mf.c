/* formats/assimp/file/scan_3mf.c - materials and the unit of a 3MF. */
#include "formats/assimp/file/scan_3mf.h"

#include "formats/assimp/file/file.h"
#include "formats/assimp/file/sets_dae.h"

#include <string.h>

static facet_xml_part part_of(const char *text)
{
    return (facet_xml_part){(const uint8_t *)text, strlen(text)};
}

/* Insert the material. Ids of resources are positive. */
static bool add_no_material(facet_dae_edits *edits, facet_xml_part content, facet_xml_part unit)
{
    facet_xml_part known = unit.size > 0 && unit.size < 16 ? unit : part_of("millimeter");
    char *made = facet_arena_format(edits->arena,
                                    "<basematerials id=\"-2147483647\"><base name=\"" //
                                    FACET_ASSIMP_NO_MATERIAL "%.*s\"/></basematerials>",
                                    (int)known.size, (const char *)known.at);
    return made && facet_dae_add_edit(edits, (facet_xml_part){content.at, 0}, part_of(made));
}

/* -- Properties --------------------------------------------------------- */

void facet_3mf_begin(facet_3mf *file, facet_arena *arena, size_t size)
{
    *file = (facet_3mf){.base = FACET_NONE, .budget = size < SIZE_MAX / 4 ? size * 4 : size};
    file->bases = facet_names_make(arena);
    file->resources = facet_names_make(arena);
}

/* True if there is such a base material. assimp reads beyond its array for other indices. It takes
 * signs and hexadecimal digits, which 3MF does not. */
static bool is_base(const facet_3mf *file, facet_xml_part id, facet_xml_part index)
{
    for (size_t i = 0; i < index.size; i++) {
        if (index.at[i] < '0' || index.at[i] > '9')
            return false;
    }
    uint32_t number = facet_names_find(&file->bases, (const char *)id.at, id.size);
    return number != UINT32_MAX && facet_dae_first_number(index) < file->base_counts[number];
}

static bool note_bases(facet_3mf *file, facet_dae_edits *edits, facet_xml_part tag)
{
    facet_xml_part id = facet_xml_attribute(tag, "id");
    uint32_t known = file->bases.count;
    uint32_t number = facet_names_put(&file->bases, (const char *)id.at, id.size);
    if (number == UINT32_MAX || (number == known && !FACET_GROW(edits->arena, file->base_counts,
                                                                number, file->base_capacity)))
        return false;
    file->base_counts[number] = 0;
    file->base = number == known ? number : FACET_NONE;
    return true;
}

static void hit(facet_3mf *file, int finding, uint64_t line)
{
    if (file->tallies[finding].count == 0)
        file->lines[finding] = line;
    facet_tally_hit(&file->tallies[finding], line);
}

/* Set *property; 0 if the resource or index is missing. False if out of memory. */
static bool read_property(facet_3mf *file, facet_xml_part pid, facet_xml_part index,
                          uint64_t *property)
{
    *property = 0;
    if (pid.size == 0 || index.size == 0)
        return true;
    uint32_t number = facet_names_put(&file->resources, (const char *)pid.at, pid.size);
    *property = ((uint64_t)number + 1) << 32 | ((uint64_t)facet_dae_first_number(index) + 1);
    return number != UINT32_MAX;
}

static bool note_triangle(facet_3mf *file, facet_dae_edits *edits, facet_xml_part tag,
                          uint64_t line)
{
    facet_xml_part own = facet_xml_attribute(tag, "pid"), first = facet_xml_attribute(tag, "p1");
    facet_xml_part pid = own.size > 0 ? own : file->object_pid;
    uint64_t property = file->object;
    if (first.size > 0 && !read_property(file, pid, first, &property))
        return false;
    facet_xml_part index = first.size > 0 ? first : file->object_index;
    if (property != 0 && !is_base(file, pid, index)) {
        hit(file, FACET_3MF_OTHER, line);
        property = 0;
        /* assimp reads the texture coordinates of one triangle; no resource has this id. */
        if (own.size > 0 && !facet_dae_add_edit(edits, own, part_of("-2147483646")))
            return false;
    }
    if (file->has_mesh && property != file->mesh && file->mixed == 0)
        file->mixed = line;
    file->mesh = file->has_mesh ? file->mesh : property;
    file->has_mesh = true;
    facet_3mf_mesh *mesh = &file->triangles;
    if (!FACET_GROW(edits->arena, mesh->triangles, mesh->count, mesh->capacity))
        return false;
    mesh->triangles[mesh->count++] = (facet_3mf_triangle){property, tag, pid, index};
    return true;
}

static bool note_object(facet_3mf *file, facet_dae_edits *edits, facet_xml_part tag, uint64_t line)
{
    file->object_pid = facet_xml_attribute(tag, "pid");
    file->object_index = facet_xml_attribute(tag, "pindex");
    if (!read_property(file, file->object_pid, file->object_index, &file->object))
        return false;
    bool fits = is_base(file, file->object_pid, file->object_index);
    if (file->object != 0 && !fits) {
        hit(file, FACET_3MF_OTHER, line);
        if (!facet_dae_add_edit(edits, file->object_pid, part_of("-2147483646")))
            return false;
        file->object = 0;
        file->object_pid.size = 0;
    }
    file->has_mesh = file->object != 0;
    file->mesh = file->object;
    return true;
}

bool facet_3mf_note_element(facet_3mf *file, facet_dae_edits *edits, facet_xml_part name,
                            facet_xml_part parent, facet_xml_part tag, facet_xml_part content,
                            uint64_t line)
{
    if (facet_xml_is(name, "model"))
        file->unit = facet_xml_attribute(tag, "unit");
    if (facet_xml_is(name, "resources") && facet_xml_is(parent, "model") && content.at)
        return add_no_material(edits, content, file->unit);
    if (facet_xml_is(name, "basematerials"))
        return note_bases(file, edits, tag);
    if (facet_xml_is(name, "object"))
        return note_object(file, edits, tag, line);
    if (facet_xml_is(name, "vertices"))
        file->triangles.vertices = (facet_xml_part){tag.at - 1, 0};
    if (facet_xml_is(name, "triangles")) {
        file->triangles.inside = (facet_xml_part){content.at, 0};
        file->triangles.count = 0;
        file->mixed = 0;
    }
    if (facet_xml_is(name, "triangle") && facet_xml_is(parent, "triangles"))
        return note_triangle(file, edits, tag, line);
    if (!facet_xml_is(name, "base"))
        return true;
    if (facet_xml_is(parent, "basematerials") && file->base != FACET_NONE)
        file->base_counts[file->base]++;
    facet_xml_part color = facet_xml_attribute(tag, "displaycolor");
    facet_xml_part end = {color.at + color.size, 0};
    return color.size != strlen("#RRGGBB") || facet_dae_add_edit(edits, end, part_of("FF"));
}

bool facet_3mf_note_end(facet_3mf *file, facet_dae_edits *edits, facet_xml_part name,
                        const uint8_t *begin, const uint8_t *end)
{
    facet_3mf_mesh *mesh = &file->triangles;
    bool split;
    if (facet_xml_is(name, "vertices") && mesh->vertices.at == name.at - 1)
        mesh->vertices.size = (size_t)(end - mesh->vertices.at);
    if (!facet_xml_is(name, "triangles") || file->mixed == 0)
        return true;
    if (!facet_3mf_split(mesh, edits, begin, &file->budget, &split))
        return false;
    if (!split)
        hit(file, FACET_3MF_MATERIAL, file->mixed);
    file->mixed = 0;
    /* The material of the object would replace those of the triangles. */
    return !split || file->object_pid.size == 0 ||
           facet_dae_add_edit(edits, file->object_pid, part_of("-2147483646"));
}

void facet_3mf_report(const facet_3mf *file, facet_report *report)
{
    facet_report_add_tally_line(
        report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, file->lines[FACET_3MF_MATERIAL],
        &file->tallies[FACET_3MF_MATERIAL],
        "a triangle has another property than its object, or than the triangles before it; assimp "
        "reads one for each mesh");
    facet_report_add_tally_line(
        report, "LOSS-COLORS", FACET_SEVERITY_WARNING, file->lines[FACET_3MF_OTHER],
        &file->tallies[FACET_3MF_OTHER],
        "a triangle has a color, texture coordinates or another property than a base material, "
        "which is not read");
}
