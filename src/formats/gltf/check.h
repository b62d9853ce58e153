/* formats/gltf/check.h - what the files of the check share. */
#ifndef FACET_GLTF_CHECK_H
#define FACET_GLTF_CHECK_H

#include "base/json.h"
#include "base/report.h"
#include "formats/gltf/file/file.h"

/* An error that no byte of the file stands for: facet_report_add takes the rest. */
#define facet_gltf_fault(report, rule, ...) \
    facet_report_add(report, rule, FACET_SEVERITY_ERROR, FACET_NO_OFFSET, __VA_ARGS__)
#define facet_gltf_mesh_fault(report, rule, mesh, ...)         \
    facet_report_add_where(report, rule, FACET_SEVERITY_ERROR, \
                           facet_where_mesh(FACET_NO_OFFSET, mesh), __VA_ARGS__)

/* What each property is by itself: GLTF-PROPERTY, GLTF-EMPTY. */
void facet_gltf_check_properties(const facet_json *json, facet_report *report);
/* check_looks.c: the same of material extensions. */
void facet_gltf_check_looks(const facet_json *json, facet_report *report);
/* Rules of the JSON itself, whatever the reader makes of it: those of each property,
 * and of entries that exclude one another or name nothing. With JSON that is none there
 * is nothing to say here. */
facet_status facet_gltf_check_json(const uint8_t *json, size_t size, const facet_options *options,
                                   facet_report *report, facet_error *error);
/* Rules of the JSON's materials: a primitive has the texture coordinates that its material
 * needs. False without memory. */
bool facet_gltf_check_texcoords(const facet_json *json, facet_report *report);

/* The uses of an accessor. The first five exclude one another. */
enum {
    FACET_GLTF_AS_VERTICES = 1,
    FACET_GLTF_AS_INDICES = 2,
    FACET_GLTF_AS_TIMES = 4,
    FACET_GLTF_AS_KEYS = 8,
    FACET_GLTF_AS_BINDS = 16,
    FACET_GLTF_AS_ANY = 31,
    FACET_GLTF_AS_NORMALS = 32, /* with FACET_GLTF_AS_VERTICES */
    FACET_GLTF_AS_TANGENTS = 64
};
/* Rules of what accessors and buffer views are used for: one purpose, and the alignment and
 * stride that it demands. *uses has the bits of each accessor. */
facet_status facet_gltf_check_uses(facet_gltf_file *file, facet_report *report, uint8_t **uses,
                                   facet_error *error);
/* Rules of the joints and weights of vertices that a skin moves. */
facet_status facet_gltf_check_influences(facet_gltf_file *file, facet_report *report,
                                         facet_error *error);
/* Rules between the objects of a file that could be read: what primitives of a mesh
 * share, what a skinned node draws, what an animation moves. */
facet_status facet_gltf_check_document(facet_gltf_file *file, facet_report *report,
                                       facet_error *error);
/* Rules of the bytes behind skins and animations. */
facet_status facet_gltf_check_motion(facet_gltf_file *file, facet_report *report,
                                     facet_error *error);

#endif
