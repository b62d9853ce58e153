/* scene/losses.h - data of a scene that a format cannot store. One function compares a scene with
 * the capacity of a format. Losses that depend on conditions of a format are in that format's code.
 */
#ifndef FACET_SCENE_LOSSES_H
#define FACET_SCENE_LOSSES_H

#include <facet/scene.h>

/* Kinds of data that a format cannot store. Each has one rule. */
enum {
    FACET_LACKS_TANGENTS = 1 << 0,
    FACET_LACKS_SKINS = 1 << 1,
    FACET_LACKS_CUSTOM = 1 << 2, /* streams of other semantics */
    FACET_LACKS_SMOOTHING = 1 << 3,
    FACET_LACKS_LINES = 1 << 4,
    FACET_LACKS_MORPHS = 1 << 5,
    FACET_LACKS_PART_NAMES = 1 << 6,
    FACET_LACKS_MESH_NAMES = 1 << 7,
    FACET_LACKS_HULL_NAMES = 1 << 8,
    FACET_LACKS_FACE_MATERIALS = 1 << 9,
    FACET_LACKS_MATERIAL_VALUES = 1 << 10, /* only names of materials are stored */
    FACET_LACKS_NODES = 1 << 11,
    FACET_LACKS_CAMERAS = 1 << 12, /* cameras and lights */
    FACET_LACKS_HULLS = 1 << 13,
    FACET_LACKS_OCCLUDER = 1 << 14,
    FACET_LACKS_ANIMATIONS = 1 << 15,
    FACET_LACKS_IMAGES = 1 << 16,
    FACET_LACKS_EXTRAS = 1 << 17, /* extras of meshes, nodes, materials, images and the scene */
    FACET_LACKS_JOINTS = 1 << 18, /* streams of joints and weights */
    FACET_LACKS_POINTS = 1 << 19,
    FACET_LACKS_MORPH_WEIGHTS = 1 << 20, /* default weights of meshes and nodes */
    FACET_LACKS_NORMALS = 1 << 21,
    FACET_LACKS_LOOKS = 1 << 22, /* glTF's material extensions, and variants */
    FACET_LACKS_ASSET = 1 << 23, /* copyright, metadata, and extensions that are only kept */
    FACET_LACKS_LODS = 1 << 24,  /* levels of detail */
    FACET_LACKS_BILLBOARDS = 1 << 25,
    FACET_LACKS_MIP_LEVELS = 1 << 26,  /* levels that are not computed from the largest */
    FACET_LACKS_FACTORS = 1 << 27,     /* values of materials outside the ranges of glTF */
    FACET_LACKS_OTHER_LOOKS = 1 << 28, /* material extensions that a facet_classic does not hold
                                        * exactly, and variants */
    FACET_LACKS_COLOR_ALPHA = 1 << 29, /* alpha of the vertex colors that the format can store */
    FACET_LACKS_GROUP_NAMES = 1 << 30  /* names of groups of parts that also have an object name */
};

/* With FACET_LACKS_LOOKS: the format holds the index of refraction. */
#define FACET_HOLDS_REFRACTION (1U << 31)

/* Classic values that physically based values do not determine. */
#define FACET_CLASSIC_UNUSUAL                                                      \
    (FACET_CLASSIC_AMBIENT | FACET_CLASSIC_SPECULAR | FACET_CLASSIC_TRANSMISSION | \
     FACET_CLASSIC_REFRACTION | FACET_CLASSIC_ILLUMINATION)

/* Parts of a scene that nothing refers to. */
enum {
    FACET_UNUSED_MESHES = 1,   /* that no node shows, in a scene with nodes */
    FACET_UNUSED_MATERIALS = 2 /* that no face has */
};

typedef struct facet_capacity {
    const char *name; /* for messages: "BSM", "a J3D model" */
    uint32_t lacks;
    /* Maximum sets per mesh, and components of a texture coordinate. */
    uint8_t color_sets, texcoord_sets, texcoord_components;
    uint32_t lacks_classic;   /* facet_classic_value bits of FACET_CLASSIC_UNUSUAL. 0 also for
                               * formats that report values of materials as a whole */
    uint32_t lacks_unused;    /* FACET_UNUSED_ bits: parts that are left out */
    bool lacks_end_materials; /* materials of the lines and points that the format can store */
    bool lacks_unit;          /* numbers are written as they are */
} facet_capacity;

/* Add a warning per kind of loss to the report, which may be NULL. Linear in the elements of the
 * scene, and in streams and parts of meshes; for the alpha of colors and unused materials, in their
 * elements and faces. */
void facet_scene_report_losses(const facet_scene *scene, const facet_capacity *capacity,
                               facet_report *report);

/* Streams that a format cannot store, for one message. Zero-initialize it. */
typedef struct facet_lost_streams {
    char names[160]; /* "tangent, color 1, '_HEAT'"; ends with "..." if there are more */
    uint64_t count;
} facet_lost_streams;

/* Add a stream. A name that is already in the list is only counted. */
void facet_lost_streams_add(facet_lost_streams *lost, const facet_stream *stream);
/* Report the list as one LOSS-CUSTOM, if it is not empty. `target` is the name of the format. */
void facet_lost_streams_report(const facet_lost_streams *lost, const char *target,
                               facet_report *report);

#endif
