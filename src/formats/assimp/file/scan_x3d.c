/* formats/assimp/file/scan_x3d.c - elements of an X3D that assimp drops or changes without a
 * message. */
#include "formats/assimp/file/scan_x3d.h"

#include <string.h>

/* -- Elements ----------------------------------------------------------- */

/* The first ones are not elements that are dropped: they have conditions. */
enum {
    SEAM,
    POLYLINE,
    USE,
    HIDDEN,
    SIDES,
    FACE_COLORS,
    CORNER_COLORS,
    NORMALS,
    CREASE,
    CLOCKWISE,
    FIRST_ELEMENT
};

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
    [CORNER_COLORS] = {"", "LOSS-COLORS",
                       "a vertex has several colors (colorIndex); all faces get the last"},
    [NORMALS] = {"", "LOSS-NORMALS",
                 "normals of faces or corners (normalPerVertex='false', normalIndex) are read as "
                 "normals of vertices, of which each has one"},
    [CREASE] = {"", "LOSS-NORMALS",
                "a creaseAngle is not read: the shape has no normals, and a program that requires "
                "them computes them"},
    [CLOCKWISE] = {"", "LOSS-MESHES",
                   "clockwise faces (ccw='false') of a <TriangleSet> or <Extrusion> are read with "
                   "their backs in front"},
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

/* Find a vertex with two texture coordinates, colors or normals. Vertices beyond the length of the
 * list are not compared: they need more bytes than it has. */
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

/* assimp leaves a group after reading it, but does not enter a group that is empty or has USE. So
 * it leaves the group around it, and finally the scene. */
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
static void hide_groups(const facet_x3d_findings *found, const uint8_t *data, uint8_t *copy)
{
    for (uint32_t i = 0; i < found->fatal_count; i++) {
        const facet_xml_part *element = &found->fatal[i]; /* at least the 8 bytes of <Group/> */
        uint8_t *at = copy + (element->at - data);
        memset(at, ' ', element->size);
        memcpy(at, "<!--", 4);
        memcpy(at + element->size - 3, "-->", 3);
    }
}

/* -- Clockwise faces ---------------------------------------------------- */

static bool is_separator(uint8_t byte)
{
    return facet_xml_is_blank(byte) || byte == ',';
}

/* The next number of a list, as its text; empty at the end. */
static facet_xml_part next_number(facet_xml_part *list)
{
    while (list->size > 0 && is_separator(*list->at))
        list->at++, list->size--;
    facet_xml_part number = {list->at, 0};
    while (list->size > 0 && !is_separator(*list->at))
        list->at++, list->size--, number.size++;
    return number;
}

/* Write the numbers of a face in reversed order. They fit, because numbers are separated by at
 * least one byte. */
static void reverse_face(facet_xml_part face, const uint8_t *data, uint8_t *copy)
{
    const uint8_t *end = face.at + face.size;
    uint8_t *to = copy + (face.at - data), *stop = to + face.size;
    while (end > face.at) {
        while (end > face.at && is_separator(end[-1]))
            end--;
        const uint8_t *begin = end;
        while (begin > face.at && !is_separator(begin[-1]))
            begin--;
        memcpy(to, begin, (size_t)(end - begin));
        to += end - begin;
        end = begin;
        if (to < stop)
            *to++ = ' ';
    }
    memset(to, ' ', (size_t)(stop - to));
}

static void reverse_faces(const facet_x3d_findings *found, const uint8_t *data, uint8_t *copy)
{
    for (uint32_t i = 0; i < found->reversed_count; i++) {
        facet_xml_part list = found->reversed[i], number = next_number(&list), face = number;
        for (; number.size > 0; number = next_number(&list)) {
            if (facet_xml_is(number, "-1")) {
                reverse_face(face, data, copy);
                face = (facet_xml_part){list.at, 0};
            } else {
                face.at = face.size > 0 ? face.at : number.at;
                face.size = (size_t)(number.at + number.size - face.at);
            }
        }
        reverse_face(face, data, copy); /* the last -1 can be missing */
    }
}

/* Note the lists of a face set with one index per corner. */
static facet_status note_clockwise(facet_x3d_findings *found, const facet_x3d_element *e)
{
    static const struct {
        const char *list, *per_vertex;
    } lists[] = {{"coordIndex", NULL},
                 {"texCoordIndex", NULL},
                 {"colorIndex", "colorPerVertex"},
                 {"normalIndex", "normalPerVertex"}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        facet_xml_part list = facet_xml_attribute(e->tag, lists[i].list);
        bool per_face = lists[i].per_vertex &&
                        facet_xml_is(facet_xml_attribute(e->tag, lists[i].per_vertex), "false");
        if (list.size == 0 || per_face)
            continue;
        if (!FACET_GROW(found->scratch, found->reversed, found->reversed_count,
                        found->reversed_capacity))
            return facet_fail_arena(found->scratch, found->error);
        found->reversed[found->reversed_count++] = list;
    }
    return FACET_OK;
}

/* -- Numbers with commas ------------------------------------------------ */

/* Note the attributes of a tag that are numbers with commas. */
static facet_status note_commas(facet_x3d_findings *found, facet_xml_part tag)
{
    const uint8_t *at = tag.at, *end = tag.at + tag.size;
    while (at < end) {
        uint8_t quote = *at++;
        if (quote != '"' && quote != '\'')
            continue;
        facet_xml_part value = {at, 0};
        bool has_comma = false, is_number = true;
        for (; at < end && *at != quote; at++, value.size++) {
            has_comma |= *at == ',';
            is_number &= (*at >= '0' && *at <= '9') || is_separator(*at) || *at == '-' ||
                         *at == '+' || *at == '.' || *at == 'e' || *at == 'E';
        }
        at++;
        if (!has_comma || !is_number)
            continue;
        if (!FACET_GROW(found->scratch, found->commas, found->comma_count, found->comma_capacity))
            return facet_fail_arena(found->scratch, found->error);
        found->commas[found->comma_count++] = value;
    }
    return FACET_OK;
}

static void remove_commas(const facet_x3d_findings *found, const uint8_t *data, uint8_t *copy)
{
    for (uint32_t i = 0; i < found->comma_count; i++) {
        uint8_t *to = copy + (found->commas[i].at - data);
        for (size_t k = 0; k < found->commas[i].size; k++)
            to[k] = to[k] == ',' ? ' ' : to[k];
    }
}

/* -- Scan --------------------------------------------------------------- */

/* Report the finding if a list has several values for a vertex. */
static facet_status check_seam(facet_x3d_findings *found, const char *list, int finding,
                               uint64_t line)
{
    bool seam = false;
    facet_xml_part values = facet_xml_attribute(found->face_set, list);
    if (values.size > 0)
        TRY(find_seam(found, facet_xml_attribute(found->face_set, "coordIndex"), values, &seam));
    if (seam)
        hit(found, finding, line);
    return FACET_OK;
}

static facet_status check_face_set(facet_x3d_findings *found, const facet_x3d_element *e)
{
    found->face_set = e->tag;
    facet_xml_part crease = facet_xml_attribute(e->tag, "creaseAngle");
    for (size_t i = 0; i < crease.size; i++) {
        if (crease.at[i] >= '1' && crease.at[i] <= '9') { /* not 0 */
            hit(found, CREASE, e->line);
            break;
        }
    }
    if (facet_xml_is(facet_xml_attribute(e->tag, "ccw"), "false"))
        TRY(note_clockwise(found, e));
    return check_seam(found, "texCoordIndex", SEAM, e->line);
}

static bool is_false(const facet_x3d_findings *found, const char *attribute)
{
    return facet_xml_is(facet_xml_attribute(found->face_set, attribute), "false");
}

/* Check the colors or normals of a face set. */
static facet_status check_values(facet_x3d_findings *found, const facet_x3d_element *e)
{
    if (facet_xml_is(e->name, "Color") || facet_xml_is(e->name, "ColorRGBA")) {
        if (!is_false(found, "colorPerVertex"))
            return check_seam(found, "colorIndex", CORNER_COLORS, e->line);
        hit(found, FACE_COLORS, e->line);
    }
    if (facet_xml_is(e->name, "Normal")) {
        if (!is_false(found, "normalPerVertex"))
            return check_seam(found, "normalIndex", NORMALS, e->line);
        hit(found, NORMALS, e->line);
    }
    return FACET_OK;
}

facet_status facet_x3d_check_element(facet_x3d_findings *found, const facet_x3d_element *e)
{
    found->is_x3d |= facet_xml_is(e->name, "X3D");
    if (!found->is_x3d)
        return FACET_OK;
    TRY(note_commas(found, e->tag));
    for (int i = FIRST_ELEMENT; i < FACET_X3D_FINDINGS; i++) {
        if (facet_xml_is(e->name, findings[i].element))
            hit(found, i, e->line);
    }
    if ((facet_xml_is(e->name, "IndexedLineSet") &&
         has_polyline(facet_xml_attribute(e->tag, "coordIndex"))) ||
        (facet_xml_is(e->name, "LineSet") &&
         has_long_count(facet_xml_attribute(e->tag, "vertexCount"))))
        hit(found, POLYLINE, e->line);
    if (facet_xml_is(e->name, "IndexedFaceSet"))
        TRY(check_face_set(found, e));
    bool is_in_set = found->face_set.size > 0 && facet_xml_is(e->parent, "IndexedFaceSet");
    if (is_in_set)
        TRY(check_values(found, e));
    if (is_hidden(e))
        hit(found, HIDDEN, e->line);
    if (facet_xml_is(facet_xml_attribute(e->tag, "solid"), "false"))
        hit(found, SIDES, e->line);
    if (facet_xml_is(facet_xml_attribute(e->tag, "ccw"), "false") &&
        (facet_xml_is(e->name, "TriangleSet") || facet_xml_is(e->name, "Extrusion")))
        hit(found, CLOCKWISE, e->line);
    return check_group(found, e);
}

facet_status facet_x3d_finish(const facet_x3d_findings *found, const uint8_t **data, size_t *size,
                              facet_report *report)
{
    for (int i = 0; i < FACET_X3D_FINDINGS; i++) {
        bool is_note = strcmp(findings[i].rule, "LOSS-NORMALS") == 0;
        facet_report_add_tally_line(
            report, findings[i].rule, is_note ? FACET_SEVERITY_NOTE : FACET_SEVERITY_WARNING,
            found->lines[i], &found->tallies[i], "%s", findings[i].sentence);
    }
    if (found->fatal_count == 0 && found->reversed_count == 0 && found->comma_count == 0)
        return FACET_OK;
    uint8_t *copy = facet_arena_allocate(found->scratch, *size, 1);
    if (!copy)
        return facet_fail_arena(found->scratch, found->error);
    memcpy(copy, *data, *size);
    hide_groups(found, *data, copy);
    reverse_faces(found, *data, copy);
    remove_commas(found, *data, copy);
    *data = copy;
    return FACET_OK;
}
