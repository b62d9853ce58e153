/* formats/binarymesh/document.c - shared functions for documents, from a file or filled by a
 * caller. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "formats/binarymesh/binarymesh.h"

#include <inttypes.h>
#include <string.h>

/* -- Documents ----------------------------------------------------------- */

facet_status facet_binarymesh_create(bool double_precision, const facet_options *options,
                                     facet_binarymesh **document, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_binarymesh *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (!made) {
        return facet_arena_abandon(arena, error);
    }
    made->arena = arena;
    made->double_precision = double_precision;
    *document = made;
    return FACET_OK;
}

void facet_binarymesh_free(facet_binarymesh *document)
{
    if (document)
        facet_arena_free(document->arena);
}

/* -- Numbers -------------------------------------------------------------- */

size_t facet_binarymesh_first_nonfinite(const facet_binarymesh *document, const void *reals,
                                        size_t count)
{
    return document->double_precision ? facet_find_nonfinite_double(reals, count)
                                      : facet_find_nonfinite_float(reals, count);
}

/* -- Rules --------------------------------------------------------------- */

static facet_status refuse(const facet_binarymesh_object *object, facet_status status,
                           const char *rule, facet_error *error, const char *format, ...)
    FACET_PRINTF(5, 6);

/* Fail with a message "object 'NAME': ...". */
static facet_status refuse(const facet_binarymesh_object *object, facet_status status,
                           const char *rule, facet_error *error, const char *format, ...)
{
    facet_error detail;
    facet_quoted quoted;
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(&detail, status, rule, FACET_NO_OFFSET, 0, format, arguments);
    va_end(arguments);
    return facet_fail(error, status, rule, FACET_NO_OFFSET, "object '%s': %.300s",
                      facet_quote(&quoted, object->name.text, object->name.length), detail.message);
}

static facet_status check_reals(const facet_binarymesh *document,
                                const facet_binarymesh_object *object, const void *reals,
                                size_t count, const char *things, facet_error *error)
{
    if (count > 0 && !reals)
        return refuse(object, FACET_ERROR_ARGUMENT, "BM-DOCUMENT", error, "its %s are missing",
                      things);
    size_t bad = facet_binarymesh_first_nonfinite(document, reals, count);
    return bad == count ? FACET_OK
                        : refuse(object, FACET_ERROR_ARGUMENT, "BM-FLOAT-NONFINITE", error,
                                 "number %zu of its %s is not finite", bad, things);
}

static facet_status check_indices(const facet_binarymesh_object *object, const uint32_t *indices,
                                  uint32_t count, bool optional, const char *rule,
                                  const char *thing, facet_error *error)
{
    uint32_t corners = object->corner_count;
    if (!indices)
        return optional || corners == 0 ? FACET_OK
                                        : refuse(object, FACET_ERROR_ARGUMENT, "BM-DOCUMENT", error,
                                                 "its corners have no positions");
    /* Adding 1 turns "none" into 0, the minimum: one test is enough for both. */
    uint32_t most = 0, added = optional ? 1 : 0;
    uint64_t limit = (uint64_t)count + added;
    for (uint32_t corner = 0; corner < corners; corner++)
        most = indices[corner] + added > most ? indices[corner] + added : most;
    if (corners == 0 || most < limit)
        return FACET_OK;
    uint32_t bad = 0;
    while (indices[bad] + added < limit)
        bad++;
    return refuse(object, FACET_ERROR_ARGUMENT, rule, error,
                  "corner %" PRIu32 " has %s %" PRIu32 " of %" PRIu32, bad, thing, indices[bad],
                  count);
}

static facet_status check_faces(const facet_binarymesh_object *object, facet_error *error)
{
    const uint32_t *offsets = object->face_offsets;
    if (!offsets)
        return (uint64_t)object->face_count * 3 == object->corner_count
                   ? FACET_OK
                   : refuse(object, FACET_ERROR_ARGUMENT, "BM-DOCUMENT", error,
                            "%" PRIu32 " triangles with %" PRIu32 " corners", object->face_count,
                            object->corner_count);
    if (offsets[0] != 0 || offsets[object->face_count] != object->corner_count)
        return refuse(object, FACET_ERROR_ARGUMENT, "BM-DOCUMENT", error,
                      "face offsets do not run from 0 to the %" PRIu32 " corners",
                      object->corner_count);
    for (uint32_t face = 0; face < object->face_count; face++) {
        if (offsets[face + 1] < offsets[face] || offsets[face + 1] - offsets[face] < 3)
            return refuse(object, FACET_ERROR_ARGUMENT, "BM-FACE-CORNERS", error,
                          "face %" PRIu32 " has fewer than 3 corners", face);
        if (offsets[face + 1] - offsets[face] > UINT16_MAX)
            return refuse(object, FACET_ERROR_LIMIT, "BM-FACE-CORNERS", error,
                          "face %" PRIu32 " has %" PRIu32
                          " corners, the format has space for 65,535",
                          face, offsets[face + 1] - offsets[face]);
    }
    return FACET_OK;
}

static bool is_whole(facet_binarymesh_text text)
{
    return text.text || text.length == 0;
}

static facet_status check_texts(const facet_binarymesh_object *object, facet_error *error)
{
    static const facet_binarymesh_object unnamed;
    if (!is_whole(object->name))
        return refuse(&unnamed, FACET_ERROR_ARGUMENT, "BM-DOCUMENT", error, "its name is missing");
    if (object->slot_count > 0 && !object->slots)
        return refuse(object, FACET_ERROR_ARGUMENT, "BM-DOCUMENT", error, "its slots are missing");
    bool fits = object->name.length <= UINT16_MAX && object->slot_count <= UINT16_MAX;
    for (uint32_t i = 0; fits && i < object->slot_count; i++) {
        fits = object->slots[i].length <= UINT16_MAX;
        if (!is_whole(object->slots[i]))
            return refuse(object, FACET_ERROR_ARGUMENT, "BM-DOCUMENT", error,
                          "the name of slot %" PRIu32 " is missing", i);
    }
    return fits ? FACET_OK
                : refuse(object, FACET_ERROR_LIMIT, "BM-LIMIT", error,
                         "it has %" PRIu32 " slots or a longer name than the format holds: 65,535 "
                         "slots, names of 65,535 bytes",
                         object->slot_count);
}

static facet_status check_object(const facet_binarymesh *document,
                                 const facet_binarymesh_object *object, facet_error *error)
{
    TRY(check_texts(object, error));
    TRY(check_reals(document, object, object->positions, (size_t)object->position_count * 3,
                    "positions", error));
    TRY(check_reals(document, object, object->normals, (size_t)object->normal_count * 3, "normals",
                    error));
    TRY(check_reals(document, object, object->texcoords, (size_t)object->texcoord_count * 2,
                    "texture coordinates", error));
    TRY(check_faces(object, error));
    TRY(check_indices(object, object->position_indices, object->position_count, false,
                      "BM-FACE-VERTEX-RANGE", "position", error));
    TRY(check_indices(object, object->normal_indices, object->normal_count, true,
                      "BM-FACE-NORMAL-RANGE", "normal", error));
    return check_indices(object, object->texcoord_indices, object->texcoord_count, true,
                         "BM-FACE-UV-RANGE", "texture coordinate", error);
}

facet_status facet_binarymesh_check_document(const facet_binarymesh *document, facet_error *error)
{
    facet_status status = FACET_OK;
    if (document->object_count > 0 && !document->objects)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "BM-DOCUMENT", FACET_NO_OFFSET,
                          "the %" PRIu32 " objects are missing", document->object_count);
    for (uint32_t i = 0; i < document->object_count && !status; i++)
        status = check_object(document, &document->objects[i], error);
    return status;
}
