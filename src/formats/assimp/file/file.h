/* formats/assimp/file/file.h - bytes to a scene of assimp's and back; strings and
 * matrices of assimp as ours and back. */
#ifndef FACET_ASSIMP_FILE_FILE_H
#define FACET_ASSIMP_FILE_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"

#include <assimp/scene.h>
#include <facet/scene.h>

/* -- Bytes in and out --------------------------------------------------- */

/* library.c: hand the source to assimp. `extension` says which format it is, NULL
 * leaves that to its name and to assimp. *imported is to be released with
 * aiReleaseImport. */
facet_status facet_assimp_import(const facet_source *source, const char *extension,
                                 const facet_options *options, facet_arena *scratch,
                                 const struct aiScene **imported, facet_error *error);

/* package.c: of a ZIP archive one that assimp can read, in the arena; other sources as they are. */
facet_status facet_assimp_open_package(const facet_source *source, const facet_options *options,
                                       facet_arena *scratch, facet_source *to, facet_error *error);

/* library.c: let assimp write a scene in the format that it knows by `id`, to the
 * output and siblings of it; messages call the format `name`. *images_refused
 * when the output has no place for the files beside it: nothing is written yet,
 * and without images there are none. */
facet_status facet_assimp_export(const struct aiScene *from, const char *id, const char *name,
                                 facet_arena *scratch, facet_output *output, bool *images_refused,
                                 facet_error *error);

/* mend.c: correct what assimp wrote of a scene, in place or in another block of the
 * arena. Bytes that are right stay as they are. False without memory. */
bool facet_assimp_mend(facet_arena *arena, const struct aiScene *from, uint8_t **data,
                       size_t *size);
/* mend_fbx.c: the same for the records of a binary FBX. */
bool facet_assimp_mend_records(facet_arena *arena, const struct aiScene *from, uint8_t **data,
                               size_t *size);

/* -- Names and text ----------------------------------------------------- */

/* Bytes of a string of assimp's, with the zero at its end. */
#define FACET_ASSIMP_TEXT_CAPACITY sizeof(((struct aiString *)0)->data)

/* Names to numbers, for many look-ups. */
typedef struct facet_assimp_names {
    const char *const *names;
    facet_names known;
    uint32_t *first; /* per different name: the smallest number with it */
} facet_assimp_names;

/* Index `count` names, which must live as long as the index. False without memory. */
bool facet_assimp_names_make(facet_assimp_names *index, facet_arena *arena,
                             const char *const *names, uint32_t count);
/* The smallest number with this name, or FACET_NONE. */
uint32_t facet_assimp_names_find(facet_assimp_names *index, const char *name);

/* A copy of a string of assimp's as UTF-8 (what is not counts as Latin-1), or
 * NULL without memory. */
const char *facet_assimp_text(facet_arena *arena, const struct aiString *text);

/* Cut at the 1,023 bytes that a string of assimp's holds. */
void facet_assimp_set_text(struct aiString *to, const char *text);

/* JSON under construction. */
typedef struct facet_assimp_json {
    facet_arena *arena;
    char *data;
    size_t used, capacity;
    bool failed; /* memory ran out */
} facet_assimp_json;

void facet_assimp_json_raw(facet_assimp_json *json, const char *text);
void facet_assimp_json_string(facet_assimp_json *json, const char *text);
void facet_assimp_json_number(facet_assimp_json *json, double value);
/* "key": with a comma before it unless it is the first in its object. */
void facet_assimp_json_key(facet_assimp_json *json, const char *key);
/* The text, ended, in the arena; NULL without memory. */
const char *facet_assimp_json_end(facet_assimp_json *json);

/* -- Transforms --------------------------------------------------------- */

void facet_assimp_get_matrix(const struct aiMatrix4x4 *from, float *to);
void facet_assimp_set_matrix(struct aiMatrix4x4 *to, const float *from);
/* a = a * b. */
void facet_assimp_multiply(struct aiMatrix4x4 *a, const struct aiMatrix4x4 *b);
/* Scale, rotation and translation of a matrix; false when they do not make this
 * matrix again. A mirror becomes a negative scale of one axis. */
bool facet_assimp_decompose(const float *m, facet_transform *transform);

/* -- Errors ------------------------------------------------------------- */

static inline facet_status facet_assimp_no_memory(facet_error *error, uint64_t count, size_t size)
{
    bool fits = size == 0 || count <= SIZE_MAX / size;
    return facet_fail_memory(error, fits ? (size_t)count * size : SIZE_MAX);
}

#endif
