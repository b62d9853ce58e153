/* formats/j3d/animation/animation.h - what the files of animations share. */
#ifndef FACET_J3D_ANIMATION_ANIMATION_H
#define FACET_J3D_ANIMATION_ANIMATION_H

#include "formats/j3d/animation/kinds.h"

#include <facet/format.h>

/* -- Bytes (image.c) ---------------------------------------------------- */

/* A document as the bytes of a file. */
typedef struct facet_j3d_animation_image {
    facet_arena *arena; /* holds the bytes */
    uint8_t *bytes;
    size_t size;
    /* Places of the blocks in the file, in the order of the format; behind them that
     * of the sounds. */
    uint32_t offsets[FACET_J3D_ANIMATION_BLOCKS], sizes[FACET_J3D_ANIMATION_BLOCKS];
} facet_j3d_animation_image;

/* Lay a valid document out, by its layout where the sizes of all blocks are still
 * those of the layout, else as exporters do. Errors: FACET_ERROR_LIMIT,
 * FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_image_make(const facet_j3d_animation *document,
                                            const facet_options *options,
                                            facet_j3d_animation_image *image, facet_error *error);
void facet_j3d_animation_image_free(facet_j3d_animation_image *image);

/* -- Documents (document.c) --------------------------------------------- */

/* An empty document of a kind, with a name that is copied (NULL: none). */
facet_status facet_j3d_animation_create(facet_j3d_animation_kind kind, const char *name,
                                        const facet_options *options,
                                        facet_j3d_animation **document, facet_error *error);
/* A name as stored, with its hash, of UTF-8; false without memory. */
bool facet_j3d_animation_set_name(facet_j3d_animation *document, facet_j3d_name *name,
                                  const char *text);

/* The bytes that the names and the layout of a document point into have been copied. */
void facet_j3d_animation_move_bytes(facet_j3d_animation *document, const uint8_t *from,
                                    const uint8_t *to);
/* *pointer_to_array = a copy of `count` items, or NULL of NULL; false without memory. */
bool facet_j3d_copy_array(facet_arena *arena, const void *from, size_t count, size_t size,
                          void *pointer_to_array);
/* FACET_ERROR_LIMIT with J3D-LIMIT when tracks share elements, or a file of few bytes
 * announces frames, so much that taking all tracks apart would take forever. */
facet_status facet_j3d_animation_check_sharing(const facet_j3d_animation *document,
                                               facet_error *error);

/* What was stored of the same animation, put below: of arrays whose tracks are all
 * equal, names, sounds and the layout, `document` gets the stored form, so that what
 * is unchanged comes out to the byte. `stored` may be of another kind or size: then
 * nothing happens to that part. Its names and layout point to bytes that outlive the
 * document; all else is copied. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_adopt(facet_j3d_animation *document,
                                       const facet_j3d_animation *stored, facet_error *error);

/* -- Values (evaluate.c) ------------------------------------------------ */

/* facet_j3d_animation_curve just before a frame: at a step the earlier value, at a key
 * the slope that leads to it. `slope` is not NULL. */
double facet_j3d_animation_curve_before(const facet_j3d_animation *document, uint32_t set,
                                        uint32_t track, double frame, double *slope);

/* -- Models (fit_model.c) ----------------------------------------------- */

/* Which material slot of a model each of these names drives: slots[i], or
 * FACET_J3D_NONE. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_bind(const facet_j3d_names *names, const facet_j3d *model,
                                      facet_arena *arena, uint16_t *slots, facet_error *error);

/* -- Describe (describe.c) ---------------------------------------------- */

/* Apply every rule JA01 to JA33 to a file and add what is found to `report`.
 * FACET_OK also for a file full of errors. options may be NULL. Errors:
 * FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_check(const facet_source *source, const facet_options *options,
                                       facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_j3d_animation_fill_description(const facet_source *source,
                                                  const facet_options *options,
                                                  facet_description *description,
                                                  facet_error *error);

/* -- Extract (json.c) --------------------------------------------------- */

/* animation.json. */
facet_status facet_j3d_animation_extract(const facet_source *source, const facet_options *options,
                                         const facet_extractor *extractor, facet_error *error);

#endif
