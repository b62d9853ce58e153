/* formats/j3d/scene/from_channels/file.h - animations whose files a scene keeps. */
#ifndef FACET_J3D_FROM_CHANNELS_FILE_H
#define FACET_J3D_FROM_CHANNELS_FILE_H

#include "formats/j3d/animation/animation.h"

#include <facet/gx_material.h>
#include <facet/scene.h>

/* What an animation keeps of the file that it was. */
typedef struct facet_j3d_stored {
    facet_j3d_animation *file; /* NULL: there is none of the kind, or somebody has edited it */
    double rate;               /* 0: not said */
    int loop;                  /* -1: not said */
} facet_j3d_stored;

/* Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_animation_read_stored(const facet_animation *animation,
                                             facet_j3d_animation_kind kind,
                                             const facet_options *options, facet_j3d_stored *stored,
                                             facet_error *error);

/* The file of a kind: the only one, or that called options->j3d->clip. Errors: those
 * of facet_j3d_animation_from_scene. */
facet_status facet_j3d_animation_take_file(const facet_scene *scene, facet_j3d_animation_kind kind,
                                           const facet_options *options,
                                           facet_j3d_animation **document, facet_error *error);

/* The document of the file, which owns its bytes. Errors: FACET_ERROR_MALFORMED with J3D-JSON
 * and those of facet_j3d_animation_read. */
facet_status facet_j3d_animation_unpack_file(const facet_gx_file_animation *file,
                                             const facet_options *options,
                                             facet_j3d_animation **document, facet_error *error);

#endif
