/* formats/ply/to_scene.h - what the two files that make a scene of a document share. */
#ifndef FACET_PLY_TO_SCENE_H
#define FACET_PLY_TO_SCENE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/ply/ply.h"
#include "scene/scene.h"

typedef struct facet_ply_making {
    const facet_ply *ply;
    const facet_ply_element *vertices, *faces, *strips;
    facet_scene *scene;
    facet_mesh *mesh;
    facet_arena *scratch;
    facet_report *report;
    facet_error *error;
    uint32_t *corners;      /* vertices of the corners: index of the position stream */
    uint32_t *face_records; /* record of `faces` that a face is, FACET_NONE for those of strips;
                               NULL: they are the same, or no record has values of its own */
    bool face_values;
} facet_ply_making;

/* to_scene_faces.c: the corners, faces and lines of the mesh. */
facet_status facet_ply_faces_to_scene(facet_ply_making *m);
/* to_scene_faces.c: texture coordinates, colors and materials that faces have. */
facet_status facet_ply_face_values_to_scene(facet_ply_making *m);

#endif
