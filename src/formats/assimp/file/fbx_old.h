/* formats/assimp/file/fbx_old.h - conversion of an FBX of version 6 to a text of version 7.4, which
 * assimp reads.
 *
 * In version 6, objects are named instead of numbered. A node of a mesh contains its geometry and
 * shapes, that of a light or camera its attributes, and animations contain their curves. */
#ifndef FACET_ASSIMP_FILE_FBX_OLD_H
#define FACET_ASSIMP_FILE_FBX_OLD_H

#include "base/report.h"
#include "formats/assimp/file/fbx.h"

typedef struct facet_fbx_old_map facet_fbx_old_map;

/* An object with a name. */
typedef struct facet_fbx_named {
    facet_fbx_record record;
    facet_fbx_span key, type; /* first and second value */
    uint64_t id;
    uint64_t geometry;   /* id of what a node contains; 0: nothing */
    bool is_linked;      /* to another object, or to the scene */
    uint64_t *materials; /* ids of those that are connected to a node, in their order */
    uint32_t material_count, material_capacity;
    uint32_t texture_count;  /* that were connected to a node */
    facet_fbx_old_map *maps; /* per texture; NULL: not read yet */
} facet_fbx_named;

typedef struct facet_fbx_old {
    const facet_fbx *fbx;
    facet_arena *arena;
    char *text; /* new text */
    size_t used, capacity;
    char *links; /* new connections */
    size_t links_used, links_capacity;
    bool failed;         /* out of memory */
    facet_tally damaged; /* curves */
    facet_tally others;  /* animated properties that are not read */
    facet_names keys;
    facet_fbx_named *objects;
    uint32_t object_count, object_capacity;
    facet_names shapes; /* the id of a node, and the name of a shape */
    uint64_t *channels; /* per shape: id of its channel */
    uint32_t channel_count, channel_capacity;
    uint64_t next_id;
} facet_fbx_old;

/* -- fbx_old.c ---------------------------------------------------------- */

/* Convert a file of version 6. Others stay unchanged. */
facet_status facet_fbx_convert_old(const uint8_t **data, size_t *size, facet_arena *arena,
                                   facet_report *report, bool *is_converted, facet_error *error);
/* -- fbx_old_text.c ----------------------------------------------------- */

/* Append text, formatted with at most 200 bytes, or as it is. */
void facet_fbx_old_print(facet_fbx_old *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void facet_fbx_old_put(facet_fbx_old *o, const void *bytes, size_t size);
void facet_fbx_old_double(facet_fbx_old *o, double number);
/* Append a text in quotes. */
void facet_fbx_old_quote(facet_fbx_old *o, facet_fbx_span text);
/* Copy a record of the file as one of version 7.4. */
void facet_fbx_old_copy(facet_fbx_old *o, const facet_fbx_record *record, int depth);
/* Connect two objects, or an object to a property. */
void facet_fbx_old_link(facet_fbx_old *o, uint64_t from, uint64_t to, const char *property);
/* The object with a name, or NULL. */
facet_fbx_named *facet_fbx_old_find(facet_fbx_old *o, facet_fbx_span key);
/* The first value of a record as text; empty if it is missing. */
facet_fbx_span facet_fbx_old_text_of(const facet_fbx *fbx, const facet_fbx_record *record);

/* -- fbx_old_objects.c -------------------------------------------------- */

void facet_fbx_old_put_object(facet_fbx_old *o, facet_fbx_named *object);

/* -- fbx_old_textures.c ------------------------------------------------- */

/* Connect the next texture of a node to one of its materials. */
void facet_fbx_old_put_texture(facet_fbx_old *o, const facet_fbx_named *texture,
                               facet_fbx_named *node);

/* -- fbx_old_takes.c ---------------------------------------------------- */

/* Append the animations. */
void facet_fbx_old_put_takes(facet_fbx_old *o);

#endif
