/* facet/bti.h - BTI files of GameCube and Wii games: one GX texture, its header
 * (facet/gx_bti.h), palette and texels.
 *
 * The document below is complete: what facet_bti_read takes in, facet_bti_write
 * gives back byte for byte. facet_gx_decode (facet/gx.h) makes pixels of it.
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
    facet_arena *arena;      /* owner of what was allocated; NULL when filled in by hand */
    const char *name;        /* UTF-8; not in the file: the file's, without folder and extension */
    facet_bti_header header; /* as stored: its offsets count from its own first byte */
    const uint8_t *data;     /* what stands behind the header: palette and texels */
    size_t size;
} facet_bti;

/* Read a document from the bytes of a source: what facet_bti_get_texture gives is
 * there. `data` points into the source's bytes, which must outlive the document.
 * options may be NULL. Errors: FACET_ERROR_MALFORMED with BTI-HEADER (fewer bytes
 * than a header), BTI-FORMAT, BTI-SIZE, BTI-PALETTE or BTI-IMAGE;
 * FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_bti_read(const facet_source *source,
                                                   const facet_options *options,
                                                   facet_bti **document, facet_error *error);
/* Free a document that was made by this library. NULL is fine. */
FACET_EXPERIMENTAL_API void facet_bti_free(facet_bti *document);

/* The texture as facet_gx_decode takes it: it points into the document's bytes,
 * and has the levels and palette entries that are there. Errors:
 * FACET_ERROR_MALFORMED with BTI-FORMAT, BTI-SIZE, BTI-PALETTE or BTI-IMAGE, at
 * offsets counted from the header. */
FACET_EXPERIMENTAL_API facet_status facet_bti_get_texture(const facet_bti *document,
                                                          facet_gx_texture *texture,
                                                          facet_error *error);

/* Write a document as it is. The caller commits. options may be NULL. Errors:
 * FACET_ERROR_ARGUMENT with the rule that facet_bti_get_texture would name. */
FACET_EXPERIMENTAL_API facet_status facet_bti_write(const facet_bti *document,
                                                    const facet_options *options,
                                                    facet_output *output, facet_error *error);

/* -- To and from a scene (facet/scene.h) --------------------------------- */

/* Make a scene of one image: the first mip level, and in its extras the header.
 * All is copied. `load` says nothing to BTI, and may be NULL, as options. Mip
 * levels that are left out, or not there, are reported as BTI-LEVELS. Errors:
 * those of facet_bti_get_texture; FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_bti_to_scene(const facet_bti *document,
                                                       const struct facet_load_options *load,
                                                       const facet_options *options,
                                                       struct facet_scene **scene,
                                                       facet_error *error);

/* Encode the only image of a scene without meshes, as options->bti says, and where
 * it says nothing as the image's extras do. Nothing in the document points into
 * the scene. Free it with facet_bti_free. What the format cannot hold is reported
 * as LOSS-*. Errors: FACET_ERROR_UNSUPPORTED with IMAGE-SCENE for another scene;
 * those of facet_image_decode and facet_gx_encode_image; FACET_ERROR_ARGUMENT with
 * GX-FORMAT, FACET_ERROR_MALFORMED with J3D-JSON for extras that are wrong. */
FACET_EXPERIMENTAL_API facet_status facet_bti_from_scene(const struct facet_scene *scene,
                                                         const facet_options *options,
                                                         facet_bti **document, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
