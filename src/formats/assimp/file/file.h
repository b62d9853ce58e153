/* formats/assimp/file/file.h - bytes to assimp's scene and back; conversion of strings and
 * matrices. */
#ifndef FACET_ASSIMP_FILE_FILE_H
#define FACET_ASSIMP_FILE_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/table.h"
#include "formats/assimp/file/clips_dae.h"
#include "formats/assimp/file/fbx.h"

#include <assimp/scene.h>
#include <facet/scene.h>

/* -- Import and export ------------------------------------------------- */

/* library.c: let assimp read the source. `extension` selects the format; if it is NULL, the file's
 * name and assimp determine it. Release *imported with aiReleaseImport. *fbx gets the objects of an
 * FBX, and *clips those of a COLLADA, in `scratch`; they are NULL for other files. */
facet_status facet_assimp_import(const facet_source *source, const char *extension,
                                 const facet_options *options, facet_arena *scratch,
                                 const struct aiScene **imported, facet_fbx **fbx,
                                 facet_dae_clips **clips, facet_error *error);

/* package.c: replace a ZIP archive by one that assimp can read, allocated in the arena. Other
 * sources stay unchanged. */
facet_status facet_assimp_open_package(const facet_source *source, const facet_options *options,
                                       facet_arena *scratch, facet_source *to, facet_error *error);

/* Numbers of bytes that were added to names for assimp, to make them unique. */
typedef struct facet_assimp_bytes {
    const uint8_t *each;
    uint32_t count;
} facet_assimp_bytes;
typedef struct facet_assimp_added {
    facet_assimp_bytes nodes; /* below the root; none if their names are unique anyway */
    facet_assimp_bytes materials, meshes;
    const struct aiString *
        *names; /* of a COLLADA's nodes without names, in the order of the file */
    uint32_t name_count;
    const float *const *bind_shapes; /* per mesh of assimp: the matrix of a COLLADA that places it
                                        before its joints move it, or NULL */
    facet_assimp_bytes double_sided; /* per material: 1, or 0. Only for COLLADA */
    uint32_t time_mode;              /* frame rate of an FBX, as FbxTime::EMode */
} facet_assimp_added;

/* Weight of the vertices of a rigid mesh that is bound to a joint: the float below 1. */
#define FACET_ASSIMP_RIGID_WEIGHT 0.99999994F

/* library.c: let assimp write a scene to the output and its siblings. `id` is assimp's name of the
 * format, `name` the name in messages. *images_refused is true if the output cannot have siblings.
 * Then nothing is written yet, and the caller can retry without images. */
facet_status facet_assimp_export(const struct aiScene *from, const facet_assimp_added *added,
                                 const char *id, const char *name, facet_arena *scratch,
                                 facet_output *output, bool *images_refused, facet_error *error);

/* repair.c: fix errors in assimp's output for a scene, in place or in a new block of the arena.
 * Correct bytes stay unchanged. False if out of memory. */
bool facet_assimp_repair(facet_arena *arena, const struct aiScene *from,
                         const facet_assimp_added *added, uint8_t **data, size_t *size);
/* restore_dae.c: remove the added bytes from names in a COLLADA. Linear. */
void facet_assimp_restore_names(const facet_assimp_added *added, uint8_t *data, size_t *size);
/* restore_dae.c: set the names of nodes in a COLLADA that has none. False if out of memory.
 * Linear. */
bool facet_assimp_set_names(facet_arena *arena, const facet_assimp_added *added, uint8_t **data,
                            size_t *size);
/* restore_dae.c: set the falloff exponents of spot lights in a COLLADA to 0. Linear. */
void facet_assimp_clear_falloff(uint8_t *data, size_t size);
/* shapes_dae.c: set the bind shape matrices of a COLLADA. Linear. False if out of memory. */
bool facet_assimp_set_bind_shapes(facet_arena *arena, const struct aiScene *from,
                                  const float *const *shapes, uint8_t **data, size_t *size);
/* sides_dae.c: mark double-sided materials in a COLLADA. False if out of memory. Linear. */
bool facet_assimp_add_sides(facet_arena *arena, const facet_assimp_added *added, uint8_t **data,
                            size_t *size);
/* repair_fbx.c: fix the records of a binary FBX. False if out of memory. */
bool facet_assimp_repair_records(facet_arena *arena, const struct aiScene *from, uint8_t **data,
                                 size_t *size);
/* fbx_binds.c: set the bind pose of each skin, by the matrices of its bones. False if out of
 * memory. */
bool facet_assimp_set_binds(facet_arena *arena, const struct aiScene *from, uint8_t **data,
                            size_t *size);

/* -- Names and text ----------------------------------------------------- */

/* Capacity of assimp's strings in bytes, including the terminating NUL. */
#define FACET_ASSIMP_TEXT_CAPACITY sizeof(((struct aiString *)0)->data)

/* The tool that a COLLADA of Facet names if the scene has a unit. */
#define FACET_ASSIMP_TOOL "Facet"

/* Part of the names of nodes that assimp creates for an FBX (to_scene/pivots.h). */
#define FACET_ASSIMP_MARK "_$AssimpFbx$"

/* The names below begin with U+0001, which no XML can contain (XML 1.0, 2.2). So no name of a file
 * is one of them. marks_dae.c removes that character from an invalid COLLADA. */

/* Name of a material that is added to files before assimp reads them. assimp gives it to faces
 * without a material, instead of the first material of the file. */
#define FACET_ASSIMP_NO_MATERIAL "\1FacetNoMaterial$"

/* End of the names of nodes that are numbered before assimp reads them, before the number
 * (names_dae.h). */
#define FACET_ASSIMP_NUMBERED "\1FacetNumber$"

/* Part of the ids of geometries and skins, and of the names of nodes, that replace a morph of a
 * COLLADA, before its number (targets_dae.h). */
#define FACET_ASSIMP_MORPH "\1FacetMorph$"

/* An index from names to numbers, for many lookups. */
typedef struct facet_assimp_names {
    const char *const *names;
    facet_names known;
    uint32_t *first; /* per distinct name: the smallest number with it */
} facet_assimp_names;

/* Index `count` names, which must outlive the index. False if out of memory. */
bool facet_assimp_names_make(facet_assimp_names *index, facet_arena *arena,
                             const char *const *names, uint32_t count);
/* The smallest number with this name, or FACET_NONE. */
uint32_t facet_assimp_names_find(facet_assimp_names *index, const char *name);

/* Copy one of assimp's strings as UTF-8; invalid UTF-8 is read as Latin-1. NULL if out of
 * memory. */
const char *facet_assimp_text(facet_arena *arena, const struct aiString *text);

/* Set one of assimp's strings. Truncates at 1,023 bytes, their maximum. */
void facet_assimp_set_text(struct aiString *to, const char *text);

/* Create a JSON number in an arena. Whole numbers become integers, floats get nine digits, numbers
 * that are not finite become null. */
facet_json *facet_assimp_json_number(facet_arena *arena, double value);
/* Print an object as extras, in an arena; NULL if out of memory. */
const char *facet_assimp_print_json(facet_arena *arena, const facet_json *object);

/* -- Transforms --------------------------------------------------------- */

void facet_assimp_get_matrix(const struct aiMatrix4x4 *from, float *to);
void facet_assimp_set_matrix(struct aiMatrix4x4 *to, const float *from);
/* a = a * b. */
void facet_assimp_multiply(struct aiMatrix4x4 *a, const struct aiMatrix4x4 *b);
/* Decompose a matrix into scale, rotation and translation. False if they do not reproduce the
 * matrix. A mirror becomes a negative scale of one axis. */
bool facet_assimp_decompose(const float *m, facet_transform *transform);

/* -- Angles ------------------------------------------------------------- */

/* Euler angles of a unit quaternion in radians, in the ranges of assimp's exporter: y is at most a
 * quarter turn. */
void facet_assimp_angles_of(const float q[4], double angles[3]);
void facet_assimp_quaternion_of_angles(const double angles[3], double q[4]);
/* Change angles to those of the same rotation that are nearest to others. */
void facet_assimp_nearest_angles(const double from[3], double angles[3]);

/* -- Errors ------------------------------------------------------------- */

static inline facet_status facet_assimp_no_memory(facet_error *error, uint64_t count, size_t size)
{
    bool fits = size == 0 || count <= SIZE_MAX / size;
    return facet_fail_memory(error, fits ? (size_t)count * size : SIZE_MAX);
}

#endif
