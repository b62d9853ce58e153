/* formats/binarymesh/read.c - bytes to a document in one pass: decompressed data are copied
 * directly to their arrays. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/binarymesh/binarymesh.h"

#include <inttypes.h>

typedef struct reader {
    facet_binarymesh_input input;
    facet_binarymesh *document;
    facet_arena *arena;
    uint32_t object_capacity;
    uint64_t most_objects;
    facet_binarymesh_object *object; /* current object */
    facet_status status;
    bool lenient; /* for a check: keep data that break a rule, if the structure is valid */
    facet_error *error;
} reader;

static facet_status malformed(const reader *r, const char *rule, const char *format, ...)
    FACET_PRINTF(3, 4);

static facet_status malformed(const reader *r, const char *rule, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(r->error, FACET_ERROR_MALFORMED, rule, r->object->offset, 0, format, arguments);
    va_end(arguments);
    return FACET_ERROR_MALFORMED;
}

/* -- Names -------------------------------------------------------------- */

static facet_status take_text(reader *r, facet_binarymesh_text *text)
{
    TRY(facet_binarymesh_input_u16(&r->input, &text->length, r->error));
    if (text->length > facet_binarymesh_input_left(&r->input))
        return facet_fail(r->error, FACET_ERROR_MALFORMED, "BM-DATA-TRUNCATED",
                          facet_binarymesh_input_offset(&r->input),
                          "the data ends inside a name: %" PRIu64 " of its %" PRIu32
                          " bytes are left",
                          facet_binarymesh_input_left(&r->input), text->length);
    char *copy = facet_arena_allocate(r->arena, (size_t)text->length + 1, 1);
    if (!copy)
        return facet_fail_arena(r->arena, r->error);
    copy[text->length] = '\0';
    text->text = copy;
    return facet_binarymesh_input_copy(&r->input, copy, text->length, text->length, r->error);
}

/* -- Reals --------------------------------------------------------------- */

/* Convert from the file's byte order to the host's. */
static void swap_reals(void *reals, size_t count, size_t size)
{
    uint8_t *bytes = (uint8_t *)reals;
    for (size_t i = 0; i < count; i++, bytes += size) {
        for (size_t low = 0, high = size - 1; low < high; low++, high--) {
            uint8_t kept = bytes[low];
            bytes[low] = bytes[high];
            bytes[high] = kept;
        }
    }
}

static facet_status take_reals(reader *r, const char *things, uint32_t width, uint32_t *count,
                               void **reals)
{
    size_t size = facet_binarymesh_real_size(r->document), unit = size * width;
    TRY(facet_binarymesh_input_count(&r->input, things, unit, count, r->error));
    size_t total = (size_t)*count * width;
    *reals = facet_arena_allocate(r->arena, *count, unit);
    if (!*reals)
        return facet_fail_arena(r->arena, r->error);
    TRY(facet_binarymesh_input_copy(&r->input, *reals, total * size, unit, r->error));
    if (FACET_HOST_IS_BIG_ENDIAN)
        swap_reals(*reals, total, size);
    if (r->lenient)
        return FACET_OK;
    size_t bad = facet_binarymesh_first_nonfinite(r->document, *reals, total);
    facet_quoted quoted;
    return bad == total
               ? FACET_OK
               : malformed(r, "BM-FLOAT-NONFINITE",
                           "number %zu of element %zu of the %s of object '%s' is not finite",
                           bad % width, bad / width, things,
                           facet_quote(&quoted, r->object->name.text, r->object->name.length));
}

/* -- Slots --------------------------------------------------------------- */

static facet_status take_slots(reader *r)
{
    facet_binarymesh_object *object = r->object;
    uint32_t count = 0;
    TRY(facet_binarymesh_input_u16(&r->input, &count, r->error));
    facet_status status = FACET_OK;
    if (count > facet_binarymesh_input_left(&r->input) / 2)
        return malformed(r, "BM-COUNT-IMPLAUSIBLE",
                         "%" PRIu32 " material slots are declared, %" PRIu64
                         " bytes of data are left for them",
                         count, facet_binarymesh_input_left(&r->input));
    object->slots = facet_arena_allocate(r->arena, count, sizeof *object->slots);
    if (!object->slots)
        return facet_fail_arena(r->arena, r->error);
    while (object->slot_count < count && !status) {
        status = take_text(r, &object->slots[object->slot_count]);
        object->slot_count += !status;
    }
    return status;
}

/* -- Objects ------------------------------------------------------------- */

/* Number of objects for which any file is accepted. More objects need more stored bytes each: many
 * empty ones would turn little data into a huge scene. */
#define OBJECTS_OF_ANY_FILE 4096
#define STORED_BYTES_PER_OBJECT 4

/* Name, four counts and the number of slots, if all are 0. */
#define SMALLEST_OBJECT 20

static facet_status add_object(reader *r)
{
    facet_binarymesh *document = r->document;
    if (!FACET_GROW(r->arena, document->objects, document->object_count, r->object_capacity))
        return facet_fail_arena(r->arena, r->error);
    r->object = &document->objects[document->object_count++];
    memset(r->object, 0, sizeof *r->object);
    r->object->offset = facet_binarymesh_input_offset(&r->input);
    return FACET_OK;
}

static facet_status take_object(reader *r)
{
    uint64_t left = facet_binarymesh_input_left(&r->input);
    if (left < SMALLEST_OBJECT && r->document->object_count > 0)
        return facet_fail(r->error, FACET_ERROR_MALFORMED, "BM-DATA-TRAILING",
                          facet_binarymesh_input_offset(&r->input),
                          "%" PRIu64 " bytes follow the last object, too few for another", left);
    if (r->document->object_count >= r->most_objects)
        return facet_fail(r->error, FACET_ERROR_LIMIT, "BM-LIMIT",
                          facet_binarymesh_input_offset(&r->input),
                          "more than %" PRIu64 " objects, most of them empty, in a file this small",
                          r->most_objects);
    facet_status status = add_object(r);
    facet_binarymesh_object *object = r->object;
    if (!status)
        status = take_text(r, &object->name);
    if (!status)
        status = take_reals(r, "positions", 3, &object->position_count, &object->positions);
    if (!status)
        status = take_reals(r, "normals", 3, &object->normal_count, &object->normals);
    if (!status)
        status =
            take_reals(r, "texture coordinates", 2, &object->texcoord_count, &object->texcoords);
    if (!status)
        status = take_slots(r);
    if (!status)
        status = facet_binarymesh_read_faces(&r->input, r->arena, object, r->lenient, r->error);
    if (status)
        r->document->object_count--; /* a check continues with the complete objects */
    return status;
}

static void take_objects(void *argument)
{
    reader *r = (reader *)argument;
    while (!r->status && facet_binarymesh_input_left(&r->input) > 0)
        r->status = take_object(r);
}

facet_status facet_binarymesh_read_into(facet_arena *arena, const uint8_t *file, size_t size,
                                        const facet_options *options, facet_binarymesh_notes *notes,
                                        facet_binarymesh **document, facet_error *error)
{
    facet_binarymesh *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (!made)
        return facet_fail_arena(arena, error);
    made->arena = arena;
    TRY(facet_binarymesh_scan(file, size, made, error));
    reader r = {0};
    r.document = made;
    r.arena = arena;
    r.lenient = notes != NULL;
    r.error = error;
    r.most_objects = OBJECTS_OF_ANY_FILE + size / STORED_BYTES_PER_OBJECT;
    facet_binarymesh_input_open(&r.input, file, size, made, options);
    if (notes)
        r.input.straddles = &notes->straddles;
    facet_binarymesh_read_ahead(&r.input, take_objects, &r);
    facet_binarymesh_input_close(&r.input);
    if (!r.status || notes)
        *document = made;
    return r.status;
}

facet_status facet_binarymesh_read(const facet_source *source, const facet_options *options,
                                   facet_binarymesh **document, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_status status = FACET_OK;
    facet_binarymesh *made = NULL;
    status =
        facet_binarymesh_read_into(arena, source->data, source->size, options, NULL, &made, error);
    if (status)
        facet_arena_free(arena);
    else
        *document = made;
    return status;
}
