/* scene/losses.h - what a scene loses in a format: one walk, which a format asks with what it has
 * no place for. What is lost only under conditions of a format stays in its own code. */
#ifndef FACET_SCENE_LOSSES_H
#define FACET_SCENE_LOSSES_H

#include <facet/scene.h>

/* A format has no place for these. Each has one rule. */
enum {
    FACET_LACKS_TANGENTS = 1 << 0,
    FACET_LACKS_SKINS = 1 << 1,
    FACET_LACKS_CUSTOM = 1 << 2, /* streams of other kinds */
    FACET_LACKS_SMOOTHING = 1 << 3,
    FACET_LACKS_LINES = 1 << 4,
    FACET_LACKS_MORPHS = 1 << 5,
    FACET_LACKS_PART_NAMES = 1 << 6,
    FACET_LACKS_MESH_NAMES = 1 << 7,
    FACET_LACKS_HULL_NAMES = 1 << 8,
    FACET_LACKS_FACE_MATERIALS = 1 << 9,
    FACET_LACKS_MATERIAL_VALUES = 1 << 10, /* has their names alone */
    FACET_LACKS_NODES = 1 << 11,
    FACET_LACKS_CAMERAS = 1 << 12, /* and lights */
    FACET_LACKS_HULLS = 1 << 13,
    FACET_LACKS_OCCLUDER = 1 << 14,
    FACET_LACKS_ANIMATIONS = 1 << 15,
    FACET_LACKS_IMAGES = 1 << 16,
    FACET_LACKS_EXTRAS = 1 << 17, /* of meshes, nodes, materials, images and the scene */
    FACET_LACKS_JOINTS = 1 << 18, /* streams of joints and weights */
    FACET_LACKS_POINTS = 1 << 19,
    FACET_LACKS_MORPH_WEIGHTS = 1 << 20, /* at rest, of meshes and nodes */
    FACET_LACKS_NORMALS = 1 << 21,
    FACET_LACKS_LOOKS = 1 << 22, /* of glTF's material extensions, and variants */
    FACET_LACKS_ASSET = 1 << 23, /* copyright, metadata, extensions that are only kept */
    FACET_LACKS_LODS = 1 << 24,  /* levels of detail */
    FACET_LACKS_BILLBOARDS = 1 << 25,
    FACET_LACKS_MIP_LEVELS = 1 << 26 /* that are not made of the largest */
};

typedef struct facet_capacity {
    const char *name; /* in sentences: "BSM", "a J3D model" */
    uint32_t lacks;
    /* How many sets a mesh may have, and components a texture coordinate. */
    uint8_t color_sets, texcoord_sets, texcoord_components;
} facet_capacity;

/* Add a warning per kind of loss to the report, which may be NULL. Linear in the elements of the
 * scene, streams and parts of meshes. */
void facet_scene_report_losses(const facet_scene *scene, const facet_capacity *capacity,
                               facet_report *report);

#endif
