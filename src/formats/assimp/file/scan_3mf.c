/* formats/assimp/file/scan_3mf.c - materials and the unit of a 3MF. */
#include "formats/assimp/file/scan_3mf.h"

#include "formats/assimp/file/file.h"

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

bool facet_3mf_note_element(facet_dae_edits *edits, facet_xml_part name, facet_xml_part parent,
                            facet_xml_part tag, facet_xml_part content, facet_xml_part *unit)
{
    if (facet_xml_is(name, "model"))
        *unit = facet_xml_attribute(tag, "unit");
    if (facet_xml_is(name, "resources") && facet_xml_is(parent, "model"))
        return add_no_material(edits, content, *unit);
    bool is_base = facet_xml_is(name, "base");
    if (!is_base && !facet_xml_is(name, "m:color"))
        return true;
    facet_xml_part color = facet_xml_attribute(tag, is_base ? "displaycolor" : "color");
    facet_xml_part end = {color.at + color.size, 0};
    return color.size != strlen("#RRGGBB") || facet_dae_add_edit(edits, end, part_of("FF"));
}
