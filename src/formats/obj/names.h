/* formats/obj/names.h - names that OBJ can store: one line each, and one object or material per
 * name. */
#ifndef FACET_OBJ_NAMES_H
#define FACET_OBJ_NAMES_H

#include "base/report.h"
#include "base/unique.h"

#include <facet/scene.h>

/* A name that reads back unchanged: control characters, and blanks at its ends, become '_', with a
 * finding OBJ-NAME. The same pointer if nothing changes; NULL if out of memory. */
const char *facet_obj_clean_name(facet_arena *scratch, facet_report *report, const char *name);

/* Unique names for all materials. The first of each name keeps it, so that only others are
 * renamed. */
facet_status facet_obj_name_materials(const facet_scene *scene, facet_arena *scratch,
                                      facet_report *report, const char *const **names,
                                      facet_error *error);

/* The name of an object in the file, for the last mesh that used it. */
typedef struct facet_obj_object {
    uint32_t owner;
    const char *name;
} facet_obj_object;

/* Names of objects. Readers merge neighbors of one name, and a group is all faces of one name. So
 * no two meshes share one. */
typedef struct facet_obj_objects {
    facet_unique names;
    facet_obj_object *uses; /* per name of `names` */
    uint32_t capacity;
    uint32_t owner, last; /* numbers of the current mesh and of the last one */
    facet_report *report;
    facet_tally repeated, unnamed;
    const char *first, *first_used; /* of `repeated` */
    const char *first_unnamed;
} facet_obj_objects;

/* Reserve the names of all meshes and of the occluder, so that no other is renamed to them. */
facet_status facet_obj_objects_init(facet_obj_objects *objects, const facet_scene *scene,
                                    facet_arena *scratch, facet_report *report, facet_error *error);
/* Begin the next mesh, or a part with the names of the one before it. */
void facet_obj_objects_next(facet_obj_objects *objects);
/* Begin the occluder, which keeps its name. */
void facet_obj_objects_occluder(facet_obj_objects *objects);
/* The name in the file for an object of the current mesh. NULL if out of memory. */
const char *facet_obj_objects_name(facet_obj_objects *objects, const char *name);
/* Report the renamed objects as findings OBJ-NAME. */
void facet_obj_objects_report(const facet_obj_objects *objects);

/* The name by which a reader recognizes an occluder, unless it has one. */
static inline const char *facet_obj_occluder_name(const facet_mesh *occluder)
{
    return *occluder->name ? occluder->name : "occlusion_mesh";
}

#endif
