/* facet/bti.h - BTI files of GameCube and Wii games: one GX texture, its header (facet/gx_bti.h),
 * palette and texels.
 *
 * The document is complete: facet_bti_write writes a document that facet_bti_read has read as the
 * same bytes. Use facet_gx_decode (facet/gx.h) to decode the pixels.
 * docs/reference/formats/gx-textures.md has the layout and the rules.
 *
 * Stability: experimental. */
#ifndef FACET_BTI_H
#define FACET_BTI_H

#include <facet/gx.h>
#include <facet/gx_bti.h>

#ifdef __cplusplus
extern "C" {
#endif

struct facet_load_options;

/* -- Document ----------------------------------------------------------- */

typedef struct facet_bti {
    facet_arena *arena;      /* owner of allocated memory; NULL: filled in by the caller */
    const char *name;        /* UTF-8; not stored in the file: the file's name without folder and
                                extension */
    facet_bti_header header; /* as stored: its offsets count from its own first byte */
    const uint8_t *data;     /* the bytes after the header: palette and texels */
    size_t size;
} facet_bti;

/* Read a document. The result always has the data that facet_bti_get_texture returns. `data` points
 * into the source's bytes, which must outlive the document. options may be NULL. Errors:
 * FACET_ERROR_MALFORMED with BTI-HEADER (fewer bytes than a header), BTI-FORMAT, BTI-SIZE,
 * BTI-PALETTE or BTI-IMAGE; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_bti_read(const facet_source *source,
                                                   const facet_options *options,
                                                   facet_bti **document, facet_error *error);
/* Free a document created by this library. NULL is allowed. */
FACET_EXPERIMENTAL_API void facet_bti_free(facet_bti *document);

/* Get the texture in the form of facet_gx_decode. It points into the document's bytes, and has the
 * levels and palette entries that exist. Errors: FACET_ERROR_MALFORMED with BTI-FORMAT, BTI-SIZE,
 * BTI-PALETTE or BTI-IMAGE, with offsets counted from the header. */
FACET_EXPERIMENTAL_API facet_status facet_bti_get_texture(const facet_bti *document,
                                                          facet_gx_texture *texture,
                                                          facet_error *error);

/* Write a document unchanged. Call facet_output_commit to finish. options may be NULL. Errors:
 * FACET_ERROR_ARGUMENT with the rule that facet_bti_get_texture would report. */
FACET_EXPERIMENTAL_API facet_status facet_bti_write(const facet_bti *document,
                                                    const facet_options *options,
                                                    facet_output *output, facet_error *error);

/* -- To and from a scene (facet/scene.h) --------------------------------- */

/* Create a scene of one image: the first mip level, with the header in its extras. Everything is
 * copied. `load` is ignored; it and options may be NULL. Mip levels that are left out or missing
 * are reported as BTI-LEVELS. Errors: those of facet_bti_get_texture; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_bti_to_scene(const facet_bti *document,
                                                       const struct facet_load_options *load,
                                                       const facet_options *options,
                                                       struct facet_scene **scene,
                                                       facet_error *error);

/* Encode the only image of a scene without meshes. options->bti sets the parameters; the rest comes
 * from the image's extras. Nothing in the document points into the scene. Free it with
 * facet_bti_free. Data that the format cannot store is reported as LOSS-*. Errors:
 * FACET_ERROR_UNSUPPORTED with IMAGE-SCENE for another scene; those of facet_image_decode and
 * facet_gx_encode_image; FACET_ERROR_ARGUMENT with GX-FORMAT; FACET_ERROR_MALFORMED with J3D-JSON
 * for invalid extras. */
FACET_EXPERIMENTAL_API facet_status facet_bti_from_scene(const struct facet_scene *scene,
                                                         const facet_options *options,
                                                         facet_bti **document, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
