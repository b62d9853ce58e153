/* formats/assimp/file/fbx_movers.h - the properties that animations of an FBX move, and the
 * blending of their layers. An animation (stack) has layers, a layer nodes of curves, and such a
 * node moves properties of objects. */
#ifndef FACET_ASSIMP_FILE_FBX_MOVERS_H
#define FACET_ASSIMP_FILE_FBX_MOVERS_H

#include "formats/assimp/file/fbx_curves.h"

/* Properties that are read. */
typedef enum facet_fbx_property_kind {
    FACET_FBX_TRANSLATION,
    FACET_FBX_ROTATION,
    FACET_FBX_SCALING,
    FACET_FBX_VISIBILITY,
    FACET_FBX_PERCENT, /* weight of a channel of morph targets */
    FACET_FBX_WEIGHT,  /* of a layer */
    FACET_FBX_KIND_COUNT
} facet_fbx_property_kind;

/* Effect of a layer on the result of those before it. */
typedef enum facet_fbx_blend_mode {
    FACET_FBX_ADDITIVE,
    FACET_FBX_OVERRIDE,
    FACET_FBX_PASS_THROUGH /* override by the weight of the layer */
} facet_fbx_blend_mode;

typedef struct facet_fbx_layer {
    uint32_t stack, object; /* objects */
    uint32_t order;         /* in its stack, from 0 */
    facet_fbx_blend_mode mode;
    double weight;      /* 0 to 1 */
    bool is_off;        /* muted, or another layer is solo */
    bool by_channel;    /* angles are added one by one, instead of rotations */
    bool adds_scales;   /* scales are added, instead of multiplied */
    double start, stop; /* of the stack, in ticks; both 0: not limited */
} facet_fbx_layer;

/* A node of curves that moves a property of an object. */
typedef struct facet_fbx_mover {
    facet_fbx_property_kind kind;
    uint32_t layer;        /* number in facet_fbx_movers.layers */
    uint32_t object, node; /* objects */
    uint32_t link;         /* from the node to the property, in facet_fbx.links */
} facet_fbx_mover;

/* Sorted by stack, object, property, and layer. */
typedef struct facet_fbx_movers {
    facet_fbx_layer *layers;
    uint32_t layer_count, layer_capacity;
    facet_fbx_mover *items;
    uint32_t count, capacity;
} facet_fbx_movers;

/* -- fbx_movers.c ------------------------------------------------------- */

/* The kind of a property; FACET_FBX_KIND_COUNT if it is not read. */
facet_fbx_property_kind facet_fbx_kind_of(facet_fbx_span property);
facet_status facet_fbx_list_movers(const facet_fbx *fbx, facet_fbx_movers *movers,
                                   facet_error *error);
/* Count the movers from number `first` on that move the same property in the same animation. */
uint32_t facet_fbx_count_alike(const facet_fbx_movers *movers, uint32_t first);
/* The first mover of a property in an animation, or FACET_NONE. */
uint32_t facet_fbx_find_mover(const facet_fbx_movers *movers, uint32_t stack, uint32_t object,
                              facet_fbx_property_kind kind);

/* -- fbx_blend.c -------------------------------------------------------- */

/* True unless one mover gives the value of the property by itself. */
bool facet_fbx_needs_blending(const facet_fbx_movers *movers, uint32_t first, uint32_t count);
/* The value of a property as one curve, or one per axis, with the same times. Without keys (count
 * 0) no layer moves it. False if out of memory or of the budget of the file. */
bool facet_fbx_blend(const facet_fbx *fbx, const facet_fbx_movers *movers, uint32_t first,
                     uint32_t count, facet_fbx_keys keys[3]);
/* The curve of an axis of a node of curves, or its only one if `axis` is 3. FACET_NONE: none. */
uint32_t facet_fbx_curve_of(const facet_fbx *fbx, uint32_t node, uint32_t axis);

#endif
