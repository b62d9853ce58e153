/* formats/gltf/check.h - shared functions of the check. */
#ifndef FACET_GLTF_CHECK_H
#define FACET_GLTF_CHECK_H

#include "base/json.h"
#include "base/report.h"
#include "formats/gltf/file/file.h"

/* Report an error without an offset in the file. The other arguments go to facet_report_add. */
#define facet_gltf_fault(report, rule, ...) \
    facet_report_add(report, rule, FACET_SEVERITY_ERROR, FACET_NO_OFFSET, __VA_ARGS__)
#define facet_gltf_mesh_fault(report, rule, mesh, ...)         \
    facet_report_add_where(report, rule, FACET_SEVERITY_ERROR, \
                           facet_where_mesh(FACET_NO_OFFSET, mesh), __VA_ARGS__)

/* Check each property separately: GLTF-PROPERTY, GLTF-EMPTY. */
void facet_gltf_check_properties(const facet_json *json, facet_report *report);
/* check_material_extensions.c: the same for material extensions. */
void facet_gltf_check_material_extensions(const facet_json *json, facet_report *report);
/* Check the rules of the JSON, whether the reader accepts it or not: single properties, entries
 * that exclude one another, and indices that name nothing. Reports nothing for invalid JSON. */
facet_status facet_gltf_check_json(const uint8_t *json, size_t size, const facet_options *options,
                                   facet_report *report, facet_error *error);
/* Check that each primitive has the texture coordinates that its material needs. False if out of
 * memory. */
bool facet_gltf_check_texcoords(const facet_json *json, facet_report *report);

/* Uses of an accessor. The first five exclude one another. */
enum {
    FACET_GLTF_AS_VERTICES = 1,
    FACET_GLTF_AS_INDICES = 2,
    FACET_GLTF_AS_TIMES = 4,
    FACET_GLTF_AS_KEYS = 8,
    FACET_GLTF_AS_BINDS = 16,
    FACET_GLTF_AS_ANY = 31,
    FACET_GLTF_AS_NORMALS = 32, /* only together with FACET_GLTF_AS_VERTICES */
    FACET_GLTF_AS_TANGENTS = 64
};
/* Check the uses of accessors and buffer views: one purpose each, with the alignment and stride
 * that it requires. Stores the bits of each accessor in *uses. */
facet_status facet_gltf_check_uses(facet_gltf_file *file, facet_report *report, uint8_t **uses,
                                   facet_error *error);
/* Check the joints and weights of skinned vertices. */
facet_status facet_gltf_check_influences(facet_gltf_file *file, facet_report *report,
                                         facet_error *error);
/* Check rules between objects of a file that the reader accepts: shared data of a mesh's
 * primitives, meshes of skinned nodes, targets of animations. */
facet_status facet_gltf_check_document(facet_gltf_file *file, facet_report *report,
                                       facet_error *error);
/* Check the binary data of skins and animations. */
facet_status facet_gltf_check_motion(facet_gltf_file *file, facet_report *report,
                                     facet_error *error);

#endif
