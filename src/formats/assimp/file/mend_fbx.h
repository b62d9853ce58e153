/* formats/assimp/file/mend_fbx.h - a binary FBX that assimp 5.2 wrote, while it is written anew.
 *
 * A record (version 7.5): u64 where it ends, u64 count and u64 bytes of its
 * properties, u8 length and characters of its name, the properties, and a list of
 * records, up to an empty one of 25 zero bytes. After the list at the top stand 16
 * bytes, zeros up to a multiple of 16 (at least one), and 144 bytes. */
#ifndef FACET_ASSIMP_FILE_MEND_FBX_H
#define FACET_ASSIMP_FILE_MEND_FBX_H

#include "formats/assimp/file/file.h"

#define FACET_FBX_EMPTY_RECORD 25 /* also what every record has before its name */
#define FACET_FBX_DEEPEST 32      /* assimp's go six deep */

typedef struct facet_fbx_level {
    size_t end;                  /* of the record, as assimp wrote it */
    size_t begin;                /* as it is written here */
    bool is_material, is_values; /* a material, and its list of values */
    bool is_texture;             /* or what a texture shows */
} facet_fbx_level;

typedef struct facet_fbx_repair {
    const uint8_t *from;
    size_t size, at;
    facet_arena *arena;
    uint8_t *to;
    size_t used, space;
    bool failed; /* there was no memory */
    facet_fbx_level levels[FACET_FBX_DEEPEST];
    size_t depth;
    const struct aiScene *scene;
    uint32_t material, mesh; /* the next */
} facet_fbx_repair;

/* mend_fbx_record.c */
void facet_fbx_put(facet_fbx_repair *r, const void *bytes, size_t count);
void facet_fbx_put_zeros(facet_fbx_repair *r, size_t count);
/* Put what is at r->at, and go on behind it. */
void facet_fbx_copy(facet_fbx_repair *r, size_t count);
/* Write a number over eight bytes that were put before. */
void facet_fbx_set(facet_fbx_repair *r, size_t at, uint64_t number);
bool facet_fbx_is_called(const uint8_t *record, const char *name);
/* Bytes of the record at `at` before those within it; 0 when there is none that ends by
 * `end`. */
size_t facet_fbx_head_of(const facet_fbx_repair *r, size_t at, size_t end);

/* mend_fbx_heads.c: copy the head of the record at r->at, mended. */
void facet_fbx_copy_head(facet_fbx_repair *r, size_t head);
/* mend_fbx_values.c: what the next material shines with. */
void facet_fbx_put_values(facet_fbx_repair *r);

#endif
