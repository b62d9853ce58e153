/* formats/assimp/file/scan_x3d.c - elements of an X3D that assimp drops or changes without a
 * message. */
#include "formats/assimp/file/scan_x3d.h"

#include <string.h>

/* -- Elements ----------------------------------------------------------- */

/* The first ones are not elements that are dropped: they have conditions. */
enum { SEAM, POLYLINE, USE, HIDDEN, SIDES, FACE_COLORS, FIRST_ELEMENT };

static const struct {
    const char *element, *rule, *sentence;
} findings[FACET_X3D_FINDINGS] = {
    [SEAM] = {"", "LOSS-TEXCOORDS",
              "a vertex has several texture coordinates (texCoordIndex); all faces get the last"},
    [POLYLINE] = {"", "LOSS-LINES", "a line of three or more vertices is read as a face"},
    [USE] = {"", "LOSS-NODES", "a group that is shown again (USE) is left out"},
    [HIDDEN] = {"", "LOSS-UNREAD",
                "a shape or group inside another element, such as <Anchor> or <LOD>, is not read"},
    [SIDES] = {"", "LOSS-MATERIALS", "the faces of a shape with solid='false' are one-sided"},
    [FACE_COLORS] = {"", "LOSS-COLORS",
                     "colors of faces (colorPerVertex='false') are read as colors of vertices"},
    {"TextureTransform", "LOSS-TEXTURES", "a <TextureTransform> is not read"},
    {"MultiTexture", "LOSS-TEXTURES", "a <MultiTexture> is not read"},
    {"MultiTextureCoordinate", "LOSS-TEXCOORDS", "a <MultiTextureCoordinate> is not read"},
    {"TextureCoordinateGenerator", "LOSS-TEXCOORDS", "a <TextureCoordinateGenerator> is not read"},
    {"TextureCoordinate3D", "LOSS-TEXCOORDS", "a <TextureCoordinate3D> is not read"},
    {"TextureCoordinate4D", "LOSS-TEXCOORDS", "a <TextureCoordinate4D> is not read"},
    {"Viewpoint", "LOSS-CAMERA", "a <Viewpoint> is not read"},
    {"OrthoViewpoint", "LOSS-CAMERA", "an <OrthoViewpoint> is not read"},
    {"ROUTE", "LOSS-ANIMATIONS", "a <ROUTE> of an animation is not read"},
    {"Text", "LOSS-UNREAD", "a <Text> is not read"},
    {"ProtoInstance", "LOSS-UNREAD", "a <ProtoInstance> is not read"},
};

static void hit(facet_x3d_findings *found, int finding, uint64_t line)
{
    if (found->tallies[finding].count == 0)
        found->lines[finding] = line;
    facet_tally_hit(&found->tallies[finding], line);
}

/* -- Lists of indices --------------------------------------------------- */

/* Read the next index of a list; -1 ends a face. False at the end. Indices have at most nine
 * digits, others are read as -1. */
static bool next_index(facet_xml_part *list, int32_t *index)
{
    while (list->size > 0 && *list->at != '-' && !(*list->at >= '0' && *list->at <= '9'))
        list->at++, list->size--;
    if (list->size == 0)
        return false;
    bool is_end = *list->at == '-';
    int digits = 0;
    *index = 0;
    list->at += is_end, list->size -= is_end;
    for (; list->size > 0 && *list->at >= '0' && *list->at <= '9'; list->at++, list->size--) {
        *index = digits < 9 ? *index * 10 + (*list->at - '0') : 0;
        digits++;
    }
    if (is_end || digits > 9)
        *index = -1;
    return true;
}

/* True if a part of a list between two -1 has three or more indices. */
static bool has_polyline(facet_xml_part list)
{
    int32_t index;
    for (int count = 0; count < 3;) {
        if (!next_index(&list, &index))
            return false;
        count = index < 0 ? 0 : count + 1;
    }
    return true;
}

/* True if a list of counts has one of three or more. */
static bool has_long_count(facet_xml_part list)
{
    int32_t count;
    while (next_index(&list, &count)) {
        if (count >= 3)
            return true;
    }
    return false;
}

/* Find a vertex with two texture coordinates. Vertices beyond the length of the list are not
 * compared: they need more bytes than it has. */
static facet_status find_seam(const facet_x3d_findings *f, facet_xml_part vertices,
                              facet_xml_part texcoords, bool *found)
{
    size_t count = vertices.size;
    int32_t *known = facet_arena_allocate(f->scratch, count, sizeof *known);
    int32_t vertex, texcoord;
    if (!known)
        return facet_fail_arena(f->scratch, f->error);
    memset(known, 0xFF, count * sizeof *known);
    *found = false;
    while (!*found && next_index(&vertices, &vertex) && next_index(&texcoords, &texcoord)) {
        if (vertex < 0 || texcoord < 0 || (size_t)vertex >= count)
            continue;
        *found = known[vertex] >= 0 && known[vertex] != texcoord;
        known[vertex] = texcoord;
    }
    facet_arena_release(f->scratch, known, count, sizeof *known);
    return FACET_OK;
}

/* -- Groups ------------------------------------------------------------- */

static bool is_group(facet_xml_part name)
{
    return facet_xml_is(name, "Group") || facet_xml_is(name, "StaticGroup") ||
           facet_xml_is(name, "Switch") || facet_xml_is(name, "Transform");
}

/* True for a shape or group that assimp skips with the element around it. Prototypes are only shown
 * by a <ProtoInstance>. */
static bool is_hidden(const facet_x3d_element *e)
{
    return (is_group(e->name) || facet_xml_is(e->name, "Shape")) && !is_group(e->parent) &&
           !facet_xml_is(e->parent, "Scene") && !facet_xml_is(e->parent, "ProtoBody");
}

/* assimp leaves a group after reading it, but does not enter a group that is empty or has USE. So it
 * leaves the group around it, and finally the scene. */
static facet_status check_group(facet_x3d_findings *found, const facet_x3d_element *e)
{
    bool is_used = facet_xml_attribute(e->tag, "USE").size > 0;
    if (!is_group(e->name) || (!is_used && e->empty.size == 0))
        return FACET_OK;
    if (e->empty.size == 0)
        return facet_fail_line(found->error, FACET_ERROR_UNSUPPORTED, "ASSIMP", e->line,
                               "a group with USE and content is not supported by assimp");
    if (is_used)
        hit(found, USE, e->line);
    if (!FACET_GROW(found->scratch, found->fatal, found->fatal_count, found->fatal_capacity))
        return facet_fail_arena(found->scratch, found->error);
    found->fatal[found->fatal_count++] = e->empty;
    return FACET_OK;
}

/* Replace elements by comments. A group around them would be empty without these. */
static facet_status hide_groups(const facet_x3d_findings *found, const uint8_t **data, size_t *size)
{
    uint8_t *copy = facet_arena_allocate(found->scratch, *size, 1);
    if (!copy)
        return facet_fail_arena(found->scratch, found->error);
    memcpy(copy, *data, *size);
    for (uint32_t i = 0; i < found->fatal_count; i++) {
        const facet_xml_part *element = &found->fatal[i]; /* at least the 8 bytes of <Group/> */
        uint8_t *at = copy + (element->at - *data);
        memset(at, ' ', element->size);
        memcpy(at, "<!--", 4);
        memcpy(at + element->size - 3, "-->", 3);
    }
    *data = copy;
    return FACET_OK;
}

/* -- Scan --------------------------------------------------------------- */

facet_status facet_x3d_check_element(facet_x3d_findings *found, const facet_x3d_element *e)
{
    bool seam = false;
    found->is_x3d |= facet_xml_is(e->name, "X3D");
    if (!found->is_x3d)
        return FACET_OK;
    for (int i = FIRST_ELEMENT; i < FACET_X3D_FINDINGS; i++) {
        if (facet_xml_is(e->name, findings[i].element))
            hit(found, i, e->line);
    }
    if ((facet_xml_is(e->name, "IndexedLineSet") &&
         has_polyline(facet_xml_attribute(e->tag, "coordIndex"))) ||
        (facet_xml_is(e->name, "LineSet") &&
         has_long_count(facet_xml_attribute(e->tag, "vertexCount"))))
        hit(found, POLYLINE, e->line);
    facet_xml_part texcoords = facet_xml_attribute(e->tag, "texCoordIndex");
    if (texcoords.size > 0 && facet_xml_is(e->name, "IndexedFaceSet"))
        TRY(find_seam(found, facet_xml_attribute(e->tag, "coordIndex"), texcoords, &seam));
    if (seam)
        hit(found, SEAM, e->line);
    if (is_hidden(e))
        hit(found, HIDDEN, e->line);
    if (facet_xml_is(facet_xml_attribute(e->tag, "solid"), "false"))
        hit(found, SIDES, e->line);
    if (facet_xml_is(e->name, "IndexedFaceSet"))
        found->has_face_colors =
            facet_xml_is(facet_xml_attribute(e->tag, "colorPerVertex"), "false");
    if (found->has_face_colors && facet_xml_is(e->parent, "IndexedFaceSet") &&
        (facet_xml_is(e->name, "Color") || facet_xml_is(e->name, "ColorRGBA")))
        hit(found, FACE_COLORS, e->line);
    return check_group(found, e);
}

facet_status facet_x3d_finish(const facet_x3d_findings *found, const uint8_t **data, size_t *size,
                              facet_report *report)
{
    for (int i = 0; i < FACET_X3D_FINDINGS; i++)
        facet_report_add_tally_line(report, findings[i].rule, FACET_SEVERITY_WARNING,
                                    found->lines[i], &found->tallies[i], "%s",
                                    findings[i].sentence);
    return found->fatal_count > 0 ? hide_groups(found, data, size) : FACET_OK;
}
