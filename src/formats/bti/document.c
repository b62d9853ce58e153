/* formats/bti/document.c - bytes to a document, and back. */
#include <facet/bti.h>

#include "base/arena.h"
#include "base/error.h"
#include "gx/bti_texture.h"

/* -- The texture -------------------------------------------------------- */

/* The bytes at an offset, and the number of bytes left from there. NULL if it is outside of the
 * file. */
static const uint8_t *bytes_at(const facet_bti *document, uint32_t offset, size_t *left)
{
    bool inside = document->data && offset >= FACET_BTI_HEADER_SIZE &&
                  offset - FACET_BTI_HEADER_SIZE < document->size;
    *left = inside ? document->size - (offset - FACET_BTI_HEADER_SIZE) : 0;
    return inside ? document->data + (offset - FACET_BTI_HEADER_SIZE) : NULL;
}

facet_status facet_bti_get_texture(const facet_bti *document, facet_gx_texture *texture,
                                   facet_error *error)
{
    const facet_bti_header *header = &document->header;
    size_t image_left = 0, palette_left = 0;
    const uint8_t *image = bytes_at(document, header->image_offset, &image_left);
    const uint8_t *palette = bytes_at(document, header->palette_offset, &palette_left);
    return facet_bti_texture(header, image, image_left, palette, palette_left, texture, error);
}

/* -- Read --------------------------------------------------------------- */

static facet_status fill(facet_bti *document, const facet_source *source, facet_error *error)
{
    facet_gx_texture texture;
    if (source->size < FACET_BTI_HEADER_SIZE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BTI-HEADER", source->size,
                          "the file has %zu bytes, expected at least %d for its header",
                          source->size, FACET_BTI_HEADER_SIZE);
    facet_bti_header_load(source->data, &document->header);
    document->data = source->data + FACET_BTI_HEADER_SIZE;
    document->size = source->size - FACET_BTI_HEADER_SIZE;
    document->name = facet_arena_stem(document->arena, source->name);
    if (!document->name)
        return facet_fail_arena(document->arena, error);
    return facet_bti_get_texture(document, &texture, error);
}

facet_status facet_bti_read(const facet_source *source, const facet_options *options,
                            facet_bti **document, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_status status = FACET_OK;
    facet_bti *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (made) {
        made->arena = arena;
        status = fill(made, source, error);
    } else {
        status = facet_fail_arena(arena, error);
    }
    if (status)
        facet_arena_free(arena);
    else
        *document = made;
    return status;
}

void facet_bti_free(facet_bti *document)
{
    if (document)
        facet_arena_free(document->arena);
}

/* -- Write -------------------------------------------------------------- */

facet_status facet_bti_write(const facet_bti *document, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    uint8_t header[FACET_BTI_HEADER_SIZE];
    facet_gx_texture texture;
    facet_error fault;
    (void)options;
    if (facet_bti_get_texture(document, &texture, &fault))
        return facet_fail(error, FACET_ERROR_ARGUMENT, fault.rule, FACET_NO_OFFSET, "%s",
                          fault.message);
    facet_bti_header_store(&document->header, header);
    facet_output_write(output, header, sizeof header);
    facet_output_write(output, document->data, document->size);
    return FACET_OK;
}
