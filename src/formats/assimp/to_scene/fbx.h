/* formats/assimp/to_scene/fbx.h - data of an FBX that assimp does not return, or not correctly. */
#ifndef FACET_ASSIMP_TO_SCENE_FBX_H
#define FACET_ASSIMP_TO_SCENE_FBX_H

#include "formats/assimp/file/fbx_movers.h"
#include "formats/assimp/to_scene/to_scene.h"

/* -- fbx_morphs.c ------------------------------------------------------- */

/* A shape of a channel, which is a morph target of the mesh. */
typedef struct facet_fbx_shape {
    uint32_t target;
    double full; /* weight of the channel in percent at which only this shape has an effect */
} facet_fbx_shape;

/* A channel of a mesh: its weight selects between its shapes. */
typedef struct facet_fbx_channel {
    uint32_t object;
    double percent;          /* weight at rest */
    facet_fbx_shape *shapes; /* by ascending `full` */
    uint32_t shape_count;
} facet_fbx_channel;

/* The channels of a mesh of the scene; none if they do not match its morph targets. */
struct facet_fbx_morphs {
    facet_fbx_channel *channels;
    uint32_t channel_count;
};

/* Add the weights of the shapes of a channel to those of the targets. */
void facet_fbx_add_weights(const facet_fbx_channel *channel, double percent, float *weights);

/* -- fbx_curves.c ------------------------------------------------------- */

/* Keys of a curve. Times are in ticks of the file. */
typedef struct facet_fbx_curve {
    double *times, *values;
    bool *holds; /* per key: it keeps its value up to the next key */
    size_t count;
    bool is_straight; /* set if the curve has straight lines instead of the additional keys, which
                         would be too many */
} facet_fbx_curve;

/* Read the curve of a property with one axis in the range of its animation: that of the mover with
 * number `first`, blended with those of other layers. It gets more keys where it is not straight. A
 * damaged one is empty; fbx_resample.c reports it. False if out of memory. */
bool facet_fbx_read_curve(const facet_fbx *fbx, const facet_fbx_movers *movers, uint32_t first,
                          facet_fbx_curve *curve);
/* Lower *start to the time of the first key, in ticks. False if out of memory. */
bool facet_fbx_curve_start(const facet_fbx *fbx, uint32_t object, double *start);
/* The value at a time; `at` is the number of a key that is not after it, and advances. */
double facet_fbx_curve_value(const facet_fbx_curve *curve, double time, size_t *at);

#endif
