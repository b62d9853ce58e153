/* formats/j3d/fifo/frame.h - a model as one frame of commands: those that the library of the
 * console's games would send to the graphics chip. */
#ifndef FACET_J3D_FIFO_FRAME_H
#define FACET_J3D_FIFO_FRAME_H

#include "formats/j3d/fifo/log.h"
#include "formats/j3d/gpu/skeleton.h"

#include <facet/j3d.h>

/* Default size of the picture; both sides are multiples of 16. */
enum {
    FACET_J3D_FIFO_WIDTH = 640,
    FACET_J3D_FIFO_HEIGHT = 480,
    FACET_J3D_FIFO_MAX_HEIGHT = 528 /* height of the chip's frame buffer */
};

/* -- Poses (pose.c) ----------------------------------------------------- */

/* A model with its joints, materials and shapes at one frame of animations. */
typedef struct facet_j3d_posed {
    facet_j3d document;            /* its joints are separate copies, all other data is the
                                      model's */
    facet_j3d_material *materials; /* one per slot */
    bool *is_moved;                /* per slot: its packet differs from the model's */
    bool *is_hidden;               /* per shape */
} facet_j3d_posed;

/* Pose a model; without animations, at rest. The arena owns all memory. Errors: FACET_ERROR_LIMIT
 * with J3D-LIMIT if tables share too much data; those of facet_j3d_animation_read;
 * FACET_ERROR_MEMORY. */
facet_status facet_j3d_pose(const facet_j3d *document, const facet_options *options,
                            facet_arena *arena, facet_j3d_posed *posed, facet_error *error);

/* -- Views (view.c) ----------------------------------------------------- */

/* The camera as a 3x4 matrix from the model to its axes (right, up, toward the viewer), and the
 * words of the projection. */
typedef struct facet_j3d_view {
    double matrix[12];
    float projection[6];
    bool is_orthographic;
    uint32_t width, height;
} facet_j3d_view;

/* Get the camera of the options, or one that shows the whole model, with near and far planes around
 * it. Errors: FACET_ERROR_ARGUMENT with J3D-FIFO-CAMERA; FACET_ERROR_MEMORY. */
facet_status facet_j3d_view_make(const facet_j3d_posed *posed, const facet_j3d_skeleton *skeleton,
                                 const facet_j3d_options *options, facet_arena *arena,
                                 facet_j3d_view *view, facet_error *error);

/* -- Materials (materials.c) -------------------------------------------- */

/* Addresses of vertex arrays, textures and palettes in the console's memory. */
typedef struct facet_j3d_addresses {
    uint32_t arrays[FACET_J3D_ARRAY_COUNT];
    uint32_t *images, *palettes; /* one per texture */
} facet_j3d_addresses;

/* Write the chip's state for a material: its packet with texture addresses, the matrices of texture
 * coordinates, and lights. `world` is the transform of the shape. */
void facet_j3d_put_material(facet_j3d_stream *stream, const facet_j3d_posed *posed, uint32_t slot,
                            const facet_j3d_addresses *addresses, const facet_j3d_view *view,
                            const double world[12], bool has_ramps);
/* True if the model uses ramps, which need a light of another color. */
bool facet_j3d_has_ramps(const facet_j3d_posed *posed);

/* -- Shapes (shapes.c) -------------------------------------------------- */

/* True if a shape uses matrices of envelopes. */
bool facet_j3d_shape_is_skinned(const facet_j3d *document, const facet_j3d_shape *shape);
/* Write the vertex formats, matrices and display lists of a shape. */
void facet_j3d_put_shape(facet_j3d_stream *stream, const facet_j3d *document,
                         const facet_j3d_skeleton *skeleton, const facet_j3d_shape *shape,
                         const facet_j3d_addresses *addresses, const facet_j3d_view *view);

/* -- The log (frame.c) -------------------------------------------------- */

/* Write a FIFO log of a model in the pose and with the camera of options->j3d. The document must
 * have the properties that facet_j3d_read guarantees. The caller commits. Errors:
 * FACET_ERROR_UNSUPPORTED with J3D-KIND for a BMT; FACET_ERROR_ARGUMENT with J3D-FIFO-SIZE; those
 * of facet_j3d_pose, facet_j3d_view_make and facet_j3d_log_add_memory. */
facet_status facet_j3d_write_log(const facet_j3d *document, const facet_options *options,
                                 facet_output *output, facet_error *error);

#endif
