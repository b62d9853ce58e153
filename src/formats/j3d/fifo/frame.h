/* formats/j3d/fifo/frame.h - a model as one frame of commands: what the library of the console's
 * games would send to the graphics chip for it. */
#ifndef FACET_J3D_FIFO_FRAME_H
#define FACET_J3D_FIFO_FRAME_H

#include "formats/j3d/fifo/log.h"
#include "formats/j3d/gpu/skeleton.h"

#include <facet/j3d.h>

/* The size of the picture unless options give another; both are multiples of 16. */
enum {
    FACET_J3D_FIFO_WIDTH = 640,
    FACET_J3D_FIFO_HEIGHT = 480,
    FACET_J3D_FIFO_MAX_HEIGHT = 528 /* of the chip's frame buffer */
};

/* -- Poses: pose.c ------------------------------------------------------ */

/* A model with its joints, materials and shapes as they are at one frame of animations. */
typedef struct facet_j3d_posed {
    facet_j3d document;            /* joints are its own, all else is the model's */
    facet_j3d_material *materials; /* one for each slot */
    bool *is_moved;                /* of each slot: its packet is not that of the model */
    bool *is_hidden;               /* of each shape */
} facet_j3d_posed;

/* Without animations, at rest. All memory is the arena's. Errors: FACET_ERROR_LIMIT with J3D-LIMIT
 * for tracks that share too much, those of facet_j3d_animation_read, FACET_ERROR_MEMORY. */
facet_status facet_j3d_pose(const facet_j3d *document, const facet_options *options,
                            facet_arena *arena, facet_j3d_posed *posed, facet_error *error);

/* -- Views: view.c ------------------------------------------------------ */

/* The camera, as a 3x4 matrix from the model to its axes (right, up, toward the viewer), and the
 * words of the projection. */
typedef struct facet_j3d_view {
    double matrix[12];
    float projection[6];
    bool is_orthographic;
    uint32_t width, height;
} facet_j3d_view;

/* The camera of the options, or one that sees all of the model, with planes around it. Errors:
 * FACET_ERROR_ARGUMENT with J3D-FIFO-CAMERA; FACET_ERROR_MEMORY. */
facet_status facet_j3d_view_make(const facet_j3d_posed *posed, const facet_j3d_skeleton *skeleton,
                                 const facet_j3d_options *options, facet_arena *arena,
                                 facet_j3d_view *view, facet_error *error);

/* -- Materials: materials.c --------------------------------------------- */

/* Where the console has vertex arrays, textures and palettes. */
typedef struct facet_j3d_addresses {
    uint32_t arrays[FACET_J3D_ARRAY_COUNT];
    uint32_t *images, *palettes; /* one for each texture */
} facet_j3d_addresses;

/* The state of the chip for a material: its packet, with addresses of textures, the matrices of
 * texture coordinates, and lights. `world` is the place of what is drawn. */
void facet_j3d_put_material(facet_j3d_stream *stream, const facet_j3d_posed *posed, uint32_t slot,
                            const facet_j3d_addresses *addresses, const facet_j3d_view *view,
                            const double world[12], bool has_ramps);
/* Whether the model is painted by ramps, which need a light of another color. */
bool facet_j3d_has_ramps(const facet_j3d_posed *posed);

/* -- Shapes: shapes.c --------------------------------------------------- */

/* True when a shape is drawn with the matrices of envelopes. */
bool facet_j3d_shape_is_skinned(const facet_j3d *document, const facet_j3d_shape *shape);
/* The formats of its vertices, its matrices and its display lists. */
void facet_j3d_put_shape(facet_j3d_stream *stream, const facet_j3d *document,
                         const facet_j3d_skeleton *skeleton, const facet_j3d_shape *shape,
                         const facet_j3d_addresses *addresses, const facet_j3d_view *view);

/* -- All: frame.c ------------------------------------------------------- */

/* Write a FIFO log of a model, which keeps what facet_j3d_read promises, in the pose and from the
 * camera of options->j3d. The caller commits. Errors: FACET_ERROR_UNSUPPORTED with J3D-KIND for a
 * BMT; FACET_ERROR_ARGUMENT with J3D-FIFO-SIZE; those of facet_j3d_pose, facet_j3d_view_make and
 * facet_j3d_log_place. */
facet_status facet_j3d_write_log(const facet_j3d *document, const facet_options *options,
                                 facet_output *output, facet_error *error);

#endif
