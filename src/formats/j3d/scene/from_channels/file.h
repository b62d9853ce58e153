/* formats/j3d/scene/from_channels/file.h - animation files embedded in a scene. */
#ifndef FACET_J3D_FROM_CHANNELS_FILE_H
#define FACET_J3D_FROM_CHANNELS_FILE_H

#include "formats/j3d/animation/animation.h"

#include <facet/gx_material.h>
#include <facet/scene.h>

/* The data of its file that an animation keeps. */
typedef struct facet_j3d_stored {
    facet_j3d_animation *file; /* NULL: no such file, or it was edited */
    double rate;               /* 0: unknown */
    int loop;                  /* -1: unknown */
} facet_j3d_stored;

/* Read the data that an animation keeps. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_read_stored(const facet_animation *animation,
                                             facet_j3d_animation_kind kind,
                                             const facet_options *options, facet_j3d_stored *stored,
                                             facet_error *error);

/* Get the file of a kind: the only one, or the one named options->j3d->clip. Errors: those of
 * facet_j3d_animation_from_scene. */
facet_status facet_j3d_animation_take_file(const facet_scene *scene, facet_j3d_animation_kind kind,
                                           const facet_options *options,
                                           facet_j3d_animation **document, facet_error *error);

/* Read the file to a document, which owns its bytes. Errors: FACET_ERROR_MALFORMED with J3D-JSON,
 * and those of facet_j3d_animation_read. */
facet_status facet_j3d_animation_unpack_file(const facet_gx_file_animation *file,
                                             const facet_options *options,
                                             facet_j3d_animation **document, facet_error *error);

#endif
