/* formats/j3d/animation/animation.h - shared declarations for animation files. */
#ifndef FACET_J3D_ANIMATION_ANIMATION_H
#define FACET_J3D_ANIMATION_ANIMATION_H

#include "formats/j3d/animation/kinds.h"

#include <facet/format.h>

/* -- Bytes (image.c) ---------------------------------------------------- */

/* A document as the bytes of a file. */
typedef struct facet_j3d_animation_image {
    facet_arena *arena; /* owns the bytes */
    uint8_t *bytes;
    size_t size;
    /* Offsets of the blocks in the file, in the order of the format, then the offset of the
     * sounds. */
    uint32_t offsets[FACET_J3D_ANIMATION_BLOCKS], sizes[FACET_J3D_ANIMATION_BLOCKS];
} facet_j3d_animation_image;

/* Write a valid document. Use its layout if all blocks have the sizes of the layout, else that of
 * exporters. Errors: FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_image_make(const facet_j3d_animation *document,
                                            const facet_options *options,
                                            facet_j3d_animation_image *image, facet_error *error);
void facet_j3d_animation_image_free(facet_j3d_animation_image *image);

/* -- Documents (document.c) --------------------------------------------- */

/* Create an empty document of a kind. The name is copied (NULL: no name). */
facet_status facet_j3d_animation_create(facet_j3d_animation_kind kind, const char *name,
                                        const facet_options *options,
                                        facet_j3d_animation **document, facet_error *error);
/* Set a stored name with its hash from UTF-8. False if out of memory. */
bool facet_j3d_animation_set_name(facet_j3d_animation *document, facet_j3d_name *name,
                                  const char *text);

/* Update the pointers of names and layout after their bytes were copied. */
void facet_j3d_animation_move_bytes(facet_j3d_animation *document, const uint8_t *from,
                                    const uint8_t *to);
/* Set *pointer_to_array to a copy of `count` items, or NULL for NULL. False if out of memory. */
bool facet_j3d_copy_array(facet_arena *arena, const void *from, size_t count, size_t size,
                          void *pointer_to_array);
/* Check the work of reading all tracks separately. Errors: FACET_ERROR_LIMIT with J3D-LIMIT if
 * tracks share so many elements, or a small file announces so many frames, that it would take too
 * long. */
facet_status facet_j3d_animation_check_sharing(const facet_j3d_animation *document,
                                               facet_error *error);

/* Adopt the stored form of the same animation, so that unchanged parts are written with the same
 * bytes. These are arrays whose tracks are all equal, names, sounds and the layout. A part of
 * another kind or size is not adopted. Bytes of names and layout must outlive the document; all
 * other data is copied. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_adopt(facet_j3d_animation *document,
                                       const facet_j3d_animation *stored, facet_error *error);

/* -- Values (evaluate.c) ------------------------------------------------ */

/* facet_j3d_animation_curve just before a frame: at a step the earlier value, at a key the incoming
 * slope. `slope` must not be NULL. */
double facet_j3d_animation_curve_before(const facet_j3d_animation *document, uint32_t set,
                                        uint32_t track, double frame, double *slope);

/* -- Models (fit_model.c) ----------------------------------------------- */

/* Find the material slot of a model for each of these names: slots[i], or FACET_J3D_NONE. Errors:
 * FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_bind(const facet_j3d_names *names, const facet_j3d *model,
                                      facet_arena *arena, uint16_t *slots, facet_error *error);

/* -- Describe (describe.c) ---------------------------------------------- */

/* Check a file against the rules JA01 to JA33 and add findings to `report`. A file with findings
 * also returns FACET_OK. `options` can be NULL. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_check(const facet_source *source, const facet_options *options,
                                       facet_report *report, facet_error *error);

/* Add the description of a file to an existing one. */
facet_status facet_j3d_animation_fill_description(const facet_source *source,
                                                  const facet_options *options,
                                                  facet_description *description,
                                                  facet_error *error);

/* -- Extract (json.c) --------------------------------------------------- */

/* Extract animation.json. */
facet_status facet_j3d_animation_extract(const facet_source *source, const facet_options *options,
                                         const facet_extractor *extractor, facet_error *error);

#endif
