/* formats/bti/describe.c - description of a BTI file. */
#include "formats/bti/describe.h"

#include "base/error.h"
#include "base/tree.h"
#include "gx/enumerations.h"

#include <facet/bti.h>

static void name_value(facet_arena *arena, facet_tree *tree, const char *key,
                       const facet_gx_enumeration *names, uint32_t value)
{
    const char *name = facet_gx_enumeration_name(names, value);
    if (name)
        facet_tree_string(arena, tree, key, name);
    else
        facet_tree_integer(arena, tree, key, value);
}

static void describe_texture(facet_arena *arena, facet_tree *tree, const facet_bti_header *h,
                             const facet_gx_texture *texture)
{
    facet_tree_integer(arena, tree, "width", h->width);
    facet_tree_integer(arena, tree, "height", h->height);
    facet_tree_string(arena, tree, "format", facet_gx_format_name(texture->format));
    facet_tree_integer(arena, tree, "levels", texture->levels);
    facet_tree_integer(arena, tree, "transparency", h->transparency);
    if (facet_gx_palette_limit(texture->format) > 0) {
        facet_tree *palette = facet_tree_object(arena, tree, "palette");
        facet_tree_string(arena, palette, "format",
                          facet_gx_palette_format_name(texture->palette.format));
        facet_tree_integer(arena, palette, "entries", texture->palette.count);
    }
    name_value(arena, tree, "wrap_s", &facet_gx_wraps, h->wrap_s);
    name_value(arena, tree, "wrap_t", &facet_gx_wraps, h->wrap_t);
    name_value(arena, tree, "min_filter", &facet_gx_filters, h->min_filter);
    name_value(arena, tree, "mag_filter", &facet_gx_filters, h->mag_filter);
    name_value(arena, tree, "anisotropy", &facet_gx_anisotropies, h->max_anisotropy);
    facet_tree_real(arena, tree, "min_lod", h->min_lod / 8.0);
    facet_tree_real(arena, tree, "max_lod", h->max_lod / 8.0);
    facet_tree_real(arena, tree, "lod_bias", h->lod_bias / 100.0);
    facet_tree_boolean(arena, tree, "edge_lod", h->edge_lod != 0);
    facet_tree_boolean(arena, tree, "lod_bias_clamp", h->lod_bias_clamp != 0);
}

facet_status facet_bti_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error)
{
    facet_bti *document = NULL;
    facet_gx_texture texture;
    TRY(facet_bti_read(source, options, &document, error));
    facet_status status = facet_bti_get_texture(document, &texture, error);
    if (!status) {
        description->images = 1;
        describe_texture(description->arena, description->detail, &document->header, &texture);
    }
    facet_bti_free(document);
    return status;
}
