/* formats/assimp/file/repair_fbx.h - a binary FBX of assimp 5.2 while it is copied with
 * corrections.
 *
 * A record (version 7.5) has the offset of its end (u64), the count and bytes of its properties
 * (u64 each), and its name (u8 length, characters). Then follow the properties, and a list of
 * records that ends with an empty one of 25 zero bytes. After the top list follow 16 bytes, zeros
 * up to a multiple of 16 (at least one), and 144 bytes. */
#ifndef FACET_ASSIMP_FILE_MEND_FBX_H
#define FACET_ASSIMP_FILE_MEND_FBX_H

#include "formats/assimp/file/file.h"

#define FACET_FBX_EMPTY_RECORD 25 /* every record has as many bytes before its name */
#define FACET_FBX_DEEPEST 32      /* assimp's records have six levels */

typedef struct facet_fbx_level {
    size_t end;                  /* end of the record in assimp's bytes */
    size_t begin;                /* start of the record in the copy */
    bool is_material, is_values; /* is_material: a material; is_values: its list of values */
    bool is_texture;             /* a texture, or its image */
} facet_fbx_level;

typedef struct facet_fbx_repair {
    const uint8_t *from;
    size_t size, at;
    facet_arena *arena;
    uint8_t *to;
    size_t used, space;
    bool failed; /* out of memory */
    facet_fbx_level levels[FACET_FBX_DEEPEST];
    size_t depth;
    const struct aiScene *scene;
    uint32_t material, mesh; /* number of the next material and mesh */
} facet_fbx_repair;

/* repair_fbx_record.c */
void facet_fbx_put(facet_fbx_repair *r, const void *bytes, size_t count);
void facet_fbx_put_zeros(facet_fbx_repair *r, size_t count);
/* Copy `count` bytes from r->at, and advance. */
void facet_fbx_copy(facet_fbx_repair *r, size_t count);
/* Overwrite eight bytes that were already written with a number. */
void facet_fbx_set(facet_fbx_repair *r, size_t at, uint64_t number);
bool facet_fbx_is_called(const uint8_t *record, const char *name);
/* Bytes of the record at `at` before its nested records; 0 if no valid record there ends by
 * `end`. */
size_t facet_fbx_head_of(const facet_fbx_repair *r, size_t at, size_t end);

/* repair_fbx_heads.c: copy the head of the record at r->at, with corrections. */
void facet_fbx_copy_head(facet_fbx_repair *r, size_t head);
/* repair_fbx_values.c: write the shading values of the next material. */
void facet_fbx_put_values(facet_fbx_repair *r);

#endif
