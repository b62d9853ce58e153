/* formats/assimp/file/shapes_x3d.c - shapes without an appearance and lists of texts in an X3D. */
#include "formats/assimp/file/shapes_x3d.h"

#include "formats/assimp/file/file.h"

#include <string.h>

/* -- Lists of texts ----------------------------------------------------- */

/* The attribute of an element that is a list of texts for assimp, or NULL. */
static const char *list_of(facet_xml_part name)
{
    static const char *const lists[][2] = {
        {"ImageTexture", "url"}, {"Inline", "url"}, {"MetadataString", "value"}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (facet_xml_is(name, lists[i][0]))
            return lists[i][1];
    }
    return NULL;
}

/* Length of a quote at a position, also as a reference of XML; 0 for other text. */
static size_t quote_at(facet_xml_part list, size_t at)
{
    static const char *const quotes[] = {"\"", "&quot;", "&#34;", "&#x22;"};
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        size_t size = strlen(quotes[i]);
        if (size <= list.size - at && memcmp(list.at + at, quotes[i], size) == 0)
            return size;
    }
    return 0;
}

static void append(uint8_t *to, size_t *used, facet_xml_part part)
{
    if (part.size > 0)
        memcpy(to + *used, part.at, part.size);
    *used += part.size;
}

/* Copy the text between quotes, with these if it has a blank. Returns its end in the list. assimp
 * drops the last blank between quotes, so another one is added. */
static size_t copy_text(facet_xml_part list, size_t at, facet_xml_part quote, uint8_t *to,
                        size_t *used)
{
    size_t end = at;
    bool has_blank = false;
    for (; end < list.size && quote_at(list, end) == 0; end++)
        has_blank |= facet_xml_is_blank(list.at[end]);
    if (has_blank)
        append(to, used, quote);
    append(to, used, (facet_xml_part){list.at + at, end - at});
    if (has_blank) {
        to[(*used)++] = ' ';
        append(to, used, quote);
    }
    to[(*used)++] = ' ';
    return end;
}

/* The list without quotes, except those of texts with blanks, and without commas. */
static size_t copy_list(facet_xml_part list, uint8_t *to)
{
    size_t used = 0, at = 0;
    while (at < list.size) {
        size_t quote = quote_at(list, at);
        if (quote > 0) {
            at = copy_text(list, at + quote, (facet_xml_part){list.at + at, quote}, to, &used);
            at += at < list.size ? quote_at(list, at) : 0;
        } else {
            if (list.at[at] != ',' && !facet_xml_is_blank(list.at[at]))
                to[used++] = list.at[at];
            else if (used > 0 && to[used - 1] != ' ')
                to[used++] = ' ';
            at++;
        }
    }
    while (used > 0 && to[used - 1] == ' ')
        used--;
    return used;
}

static bool has_quote(facet_xml_part list)
{
    for (size_t i = 0; i < list.size; i++) {
        if (quote_at(list, i) > 0)
            return true;
    }
    return false;
}

static facet_status change_list(facet_dae_edits *edits, facet_xml_part list, facet_error *error)
{
    /* Each text has a quote in the list. It gets two blanks, and another quote if it has no end. */
    uint8_t *made = facet_arena_allocate(edits->arena, list.size, 4);
    if (!made)
        return facet_fail_arena(edits->arena, error);
    facet_xml_part new = {made, copy_list(list, made)};
    return facet_dae_add_edit(edits, list, new) ? FACET_OK : facet_fail_arena(edits->arena, error);
}

/* -- Shapes ------------------------------------------------------------- */

facet_status facet_x3d_begin_shape(facet_x3d_shapes *shapes, facet_dae_edits *edits,
                                   facet_xml_part name, facet_xml_part parent, facet_xml_part tag,
                                   facet_xml_part content, facet_error *error)
{
    const char *attribute = list_of(name);
    facet_xml_part list = attribute ? facet_xml_attribute(tag, attribute) : (facet_xml_part){0};
    if (facet_xml_is(name, "Shape"))
        *shapes = (facet_x3d_shapes){.name = name, .inside = {content.at, 0}};
    if (facet_xml_is(name, "Appearance") && shapes->name.size > 0 && parent.at == shapes->name.at)
        shapes->has_appearance = true;
    return list.size > 0 && has_quote(list) ? change_list(edits, list, error) : FACET_OK;
}

bool facet_x3d_end_shape(facet_x3d_shapes *shapes, facet_dae_edits *edits, facet_xml_part name)
{
    static const char appearance[] =
        "<Appearance><ImageTexture url=\"" FACET_ASSIMP_NO_MATERIAL "\"/></Appearance>";
    if (shapes->name.size == 0 || name.at != shapes->name.at)
        return true;
    shapes->name.size = 0;
    return shapes->has_appearance ||
           facet_dae_add_edit(edits, shapes->inside,
                              (facet_xml_part){(const uint8_t *)appearance, strlen(appearance)});
}
