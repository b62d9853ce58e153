/* formats/binarymesh/cut.c - runs of faces of an object as separate objects. */
#include "formats/binarymesh/cut.h"

#include "base/arena.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(const facet_binarymesh_cutter *cut, size_t count, size_t size)
{
    return facet_arena_allocate(cut->arena, count, size);
}

/* -- Faces --------------------------------------------------------------- */

/* Copy one stream's indices for the `kept` corners of the remaining faces. */
static facet_status copy_indices(const facet_binarymesh_cutter *cut, const uint32_t *indices,
                                 uint32_t first_face, uint32_t face_count, size_t kept,
                                 uint32_t **copied)
{
    *copied = NULL;
    if (!indices)
        return FACET_OK;
    uint32_t *to = *copied = allocate(cut, kept, sizeof *to);
    if (!to)
        return facet_fail_arena(cut->arena, cut->error);
    for (uint32_t face = first_face; face < first_face + face_count; face++) {
        uint32_t begin = facet_binarymesh_face_begin(cut->whole, face);
        uint32_t end = facet_binarymesh_face_end(cut->whole, face), size = end - begin;
        if (size < 3)
            continue;
        memcpy(to, indices + begin, size * sizeof *to);
        /* Reverse the winding, starting at the same corner. */
        for (uint32_t i = 1; i < size && cut->mirrored; i++)
            to[i] = indices[end - i];
        to += size;
    }
    return FACET_OK;
}

/* Copy the offsets and materials of the remaining faces. */
static facet_status copy_faces(const facet_binarymesh_cutter *cut, uint32_t first_face,
                               uint32_t face_count, facet_binarymesh_object *object,
                               const uint32_t **materials)
{
    uint32_t *offsets = allocate(cut, (size_t)face_count + 1, sizeof *offsets);
    uint32_t *kept_materials = NULL;
    if (!offsets)
        return facet_fail_arena(cut->arena, cut->error);
    if (cut->materials) {
        kept_materials = allocate(cut, face_count, sizeof *kept_materials);
        if (!kept_materials)
            return facet_fail_arena(cut->arena, cut->error);
    }
    bool triangles = true;
    object->face_count = 0;
    object->corner_count = 0;
    for (uint32_t face = first_face; face < first_face + face_count; face++) {
        uint32_t size = facet_binarymesh_face_end(cut->whole, face) -
                        facet_binarymesh_face_begin(cut->whole, face);
        if (size < 3)
            continue;
        triangles = triangles && size == 3;
        offsets[object->face_count] = object->corner_count;
        if (kept_materials)
            kept_materials[object->face_count] = cut->materials[face];
        object->face_count++;
        object->corner_count += size;
    }
    offsets[object->face_count] = object->corner_count;
    object->face_offsets = triangles ? NULL : offsets;
    *materials = kept_materials;
    return FACET_OK;
}

/* -- Elements ------------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* List the elements that the indices use, in ascending order. */
static void list_used(facet_binarymesh_cutter *cut, int stream, const uint32_t *indices,
                      uint32_t corner_count, uint32_t *used, uint32_t *count)
{
    uint32_t *stamps = cut->stamps[stream], lowest = UINT32_MAX, highest = 0;
    *count = 0;
    for (uint32_t corner = 0; corner < corner_count; corner++) {
        uint32_t element = indices[corner];
        if (element == FACET_NONE || stamps[element] == cut->run)
            continue;
        stamps[element] = cut->run;
        used[(*count)++] = element;
        lowest = element < lowest ? element : lowest;
        highest = element > highest ? element : highest;
    }
    if (*count == 0)
        return;
    if (highest - lowest > *count * (uint64_t)8) {
        qsort(used, *count, sizeof *used, ascending);
        return;
    }
    /* The elements are close together: testing all in the range is faster than sorting. */
    *count = 0;
    for (uint64_t element = lowest; element <= highest; element++) {
        if (stamps[element] == cut->run)
            used[(*count)++] = (uint32_t)element;
    }
}

/* Reduce a stream to the elements that the run uses. */
static facet_status compact(facet_binarymesh_cutter *cut, int stream, uint32_t *indices,
                            uint32_t corner_count, uint32_t width, void **reals, uint32_t *count)
{
    if (!indices)
        return FACET_OK;
    uint32_t most = corner_count < *count ? corner_count : *count;
    uint32_t *used = allocate(cut, most, sizeof *used);
    if (!used)
        return facet_fail_arena(cut->arena, cut->error);
    list_used(cut, stream, indices, corner_count, used, count);
    float *kept = allocate(cut, *count, width * sizeof *kept);
    if (!kept)
        return facet_fail_arena(cut->arena, cut->error);
    const float *from = *reals;
    for (uint32_t i = 0; i < *count; i++) {
        cut->places[stream][used[i]] = i;
        memcpy(kept + (size_t)i * width, from + (size_t)used[i] * width, width * sizeof *kept);
    }
    for (uint32_t corner = 0; corner < corner_count; corner++) {
        if (indices[corner] != FACET_NONE)
            indices[corner] = cut->places[stream][indices[corner]];
    }
    facet_arena_release(cut->arena, used, most, sizeof *used);
    *reals = kept;
    return FACET_OK;
}

/* -- Runs ---------------------------------------------------------------- */

facet_status facet_binarymesh_cut_begin(facet_binarymesh_cutter *cut)
{
    const uint32_t counts[3] = {cut->whole->position_count, cut->whole->normal_count,
                                cut->whole->texcoord_count};
    for (int stream = 0; stream < 3 && cut->compact; stream++) {
        cut->stamps[stream] =
            facet_arena_allocate_zeroed(cut->arena, counts[stream], sizeof(uint32_t));
        cut->places[stream] = allocate(cut, counts[stream], sizeof(uint32_t));
        if (!cut->stamps[stream] || !cut->places[stream])
            return facet_fail_arena(cut->arena, cut->error);
    }
    return FACET_OK;
}

facet_status facet_binarymesh_cut(facet_binarymesh_cutter *cut, uint32_t first_face,
                                  uint32_t face_count, facet_binarymesh_object *object,
                                  const uint32_t **materials, uint32_t *dropped)
{
    const facet_binarymesh_object *whole = cut->whole;
    cut->run++;
    TRY(copy_faces(cut, first_face, face_count, object, materials));
    *dropped = face_count - object->face_count;
    uint32_t corners = object->corner_count;
    facet_status status = copy_indices(cut, whole->position_indices, first_face, face_count,
                                       corners, &object->position_indices);
    if (!status)
        status = copy_indices(cut, whole->normal_indices, first_face, face_count, corners,
                              &object->normal_indices);
    if (!status)
        status = copy_indices(cut, whole->texcoord_indices, first_face, face_count, corners,
                              &object->texcoord_indices);
    if (!cut->compact || status)
        return status;
    TRY(compact(cut, 0, object->position_indices, corners, 3, &object->positions,
                &object->position_count));
    TRY(compact(cut, 1, object->normal_indices, corners, 3, &object->normals,
                &object->normal_count));
    return compact(cut, 2, object->texcoord_indices, corners, 2, &object->texcoords,
                   &object->texcoord_count);
}
