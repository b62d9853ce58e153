/* formats/assimp/file/effects_dae.c - colors of a COLLADA's materials that assimp replaces. */
#include "formats/assimp/file/effects_dae.h"

#include <string.h>

#define BLACK "<diffuse><color>0 0 0 1</color></diffuse>"

static facet_xml_part part_of(const char *text)
{
    return (facet_xml_part){(const uint8_t *)text, strlen(text)};
}

/* True for a name of a shader. *black is its element without other content. */
static bool is_shader(facet_xml_part name, const char **black)
{
    static const char *const names[][2] = {{"constant", "<constant>" BLACK "</constant>"},
                                           {"lambert", "<lambert>" BLACK "</lambert>"},
                                           {"phong", "<phong>" BLACK "</phong>"},
                                           {"blinn", "<blinn>" BLACK "</blinn>"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *black = names[i][1];
        if (facet_xml_is(name, names[i][0]))
            return true;
    }
    return false;
}

bool facet_dae_is_inverted(const facet_dae_effects *all, facet_xml_part name, facet_xml_part parent)
{
    return all->shader.size > 0 && all->is_inverted && facet_xml_is(name, "texture") &&
           facet_xml_is(parent, "transparent");
}

bool facet_dae_begin_effect(facet_dae_effects *all, facet_dae_edits *edits, facet_xml_part name,
                            facet_xml_part parent, facet_xml_part tag, facet_xml_part content,
                            facet_xml_part element)
{
    const char *black;
    if (facet_xml_is(parent, "technique") && is_shader(name, &black)) {
        *all = (facet_dae_effects){.shader = name, .inside = {content.at, 0}};
        if (element.size == 0)
            return true;
        all->has_diffuse = true;
        return facet_dae_add_edit(edits, element, part_of(black));
    }
    if (facet_dae_is_inverted(all, name, parent)) {
        all->transparent = parent;
        return facet_dae_add_edit(edits, facet_xml_attribute(tag, "texture"), part_of(""));
    }
    if (all->shader.size == 0 || parent.at != all->shader.at)
        return true;
    if (facet_xml_is(name, "transparent")) {
        facet_xml_part mode = facet_xml_attribute(tag, "opaque");
        all->is_inverted = facet_xml_is(mode, "RGB_ZERO") || facet_xml_is(mode, "A_ZERO");
    }
    all->has_diffuse |= facet_xml_is(name, "diffuse");
    if (facet_xml_is(name, "emission"))
        all->emission[0] = name;
    return true;
}

bool facet_dae_end_effect(facet_dae_effects *all, facet_dae_edits *edits, facet_xml_part element,
                          facet_xml_part name)
{
    if (all->shader.size == 0)
        return true;
    if (element.at == all->emission[0].at)
        all->emission[1] = name;
    /* assimp reads a texture as white: the color after it replaces that. */
    if (all->transparent.size > 0 && element.at == all->transparent.at) {
        all->transparent.size = 0;
        if (!facet_dae_add_edit(edits, (facet_xml_part){name.at - 2, 0},
                                part_of("<color>0 0 0 0</color>")))
            return false;
    }
    if (element.at != all->shader.at)
        return true;
    bool is_moved = facet_xml_is(all->shader, "constant") && all->emission[1].size > 0;
    all->shader.size = 0;
    if (all->has_diffuse)
        return true;
    if (!is_moved)
        return facet_dae_add_edit(edits, all->inside, part_of(BLACK));
    return facet_dae_add_edit(edits, all->emission[0], part_of("diffuse")) &&
           facet_dae_add_edit(edits, all->emission[1], part_of("diffuse"));
}
