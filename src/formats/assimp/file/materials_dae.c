/* formats/assimp/file/materials_dae.c - faces without a material in a COLLADA. */
#include "formats/assimp/file/materials_dae.h"

#include "formats/assimp/file/file.h"

#include <string.h>

/* Identifiers of XML begin with a letter or '_', which sort after '!'. */
#define MATERIAL                                                                             \
    "<library_effects><effect id=\"!\"><profile_COMMON><technique sid=\"!\"><lambert>"       \
    "</lambert></technique></profile_COMMON></effect></library_effects><library_materials>"  \
    "<material id=\"!\" name=\"" FACET_ASSIMP_NO_MATERIAL "\"><instance_effect url=\"#!\"/>" \
    "</material></library_materials>"
#define BINDING "<instance_material symbol=\"\" target=\"#!\"/>"

static bool insert(facet_dae_edits *edits, facet_xml_part content, const char *text)
{
    return facet_dae_add_edit(edits, (facet_xml_part){content.at, 0},
                              (facet_xml_part){(const uint8_t *)text, strlen(text)});
}

bool facet_dae_add_no_material(facet_dae_edits *edits, facet_xml_part name, facet_xml_part parent,
                               facet_xml_part content)
{
    if (facet_xml_is(name, "COLLADA") && parent.size == 0)
        return insert(edits, content, MATERIAL);
    if (facet_xml_is(name, "technique_common") && facet_xml_is(parent, "bind_material"))
        return insert(edits, content, BINDING);
    return true;
}
