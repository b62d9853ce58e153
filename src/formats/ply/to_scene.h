/* formats/ply/to_scene.h - shared functions of the two files that convert a document to a scene. */
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
    uint32_t *corners;      /* position index of each corner */
    uint32_t *face_records; /* per face: its record in `faces`, FACET_NONE for faces of strips.
                             * NULL: equal numbers, or records without values */
    bool face_values;
    bool drops_texcoords, drops_colors; /* of faces, because vertices have some */
} facet_ply_making;

/* to_scene_faces.c: add corners, faces and lines to the mesh. */
facet_status facet_ply_faces_to_scene(facet_ply_making *m);
/* to_scene_faces.c: add the texture coordinates, colors and materials of faces. */
facet_status facet_ply_face_values_to_scene(facet_ply_making *m);

#endif
