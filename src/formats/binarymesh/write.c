/* formats/binarymesh/write.c - a document to bytes: check it against the format's rules
 * (document.c), then write it field by field. */
#include "base/bytes.h"
#include "base/error.h"
#include "base/text.h"
#include "formats/binarymesh/binarymesh.h"

#include <inttypes.h>
#include <math.h>

#define DEFAULT_VERSION 4
#define TRIANGLE ((size_t)40)

/* -- Output ------------------------------------------------------------ */

typedef struct writer {
    facet_binarymesh_sink sink;
    const facet_binarymesh *document;
    const facet_binarymesh_object *object;
    bool double_precision; /* of the written reals */
    uint64_t rounded;      /* number of reals that lost digits */
    facet_error *error;
} writer;

static facet_status put_u16(writer *w, uint32_t value)
{
    facet_store_u16le(facet_binarymesh_sink_capacity(&w->sink), (uint16_t)value);
    return facet_binarymesh_sink_add(&w->sink, 2, w->error);
}

static facet_status put_u32(writer *w, uint32_t value)
{
    facet_store_u32le(facet_binarymesh_sink_capacity(&w->sink), value);
    return facet_binarymesh_sink_add(&w->sink, 4, w->error);
}

static facet_status put_text(writer *w, facet_binarymesh_text text)
{
    TRY(put_u16(w, text.length));
    if (text.length > 0)
        memcpy(facet_binarymesh_sink_capacity(&w->sink), text.text, text.length);
    return facet_binarymesh_sink_add(&w->sink, text.length, w->error);
}

/* Store reals in their precision, in the file's byte order. */
static void store_same(uint8_t *to, const void *from, size_t count, bool double_precision)
{
    size_t size = double_precision ? 8 : 4;
    if (!FACET_HOST_IS_BIG_ENDIAN) {
        memcpy(to, from, count * size);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (double_precision)
            facet_store_f64le(to + i * 8, ((const double *)from)[i]);
        else
            facet_store_f32le(to + i * 4, ((const float *)from)[i]);
    }
}

static facet_status refuse_large(const writer *w, double number)
{
    facet_quoted quoted;
    return facet_fail(w->error, FACET_ERROR_LIMIT, "BM-FLOAT-RANGE", FACET_NO_OFFSET,
                      "object '%s': %g is too large for the single precision of version 4; "
                      "version 3 holds it",
                      facet_quote(&quoted, w->object->name.text, w->object->name.length), number);
}

static facet_status store_narrow(writer *w, uint8_t *to, const double *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float rounded = (float)from[i];
        if (isinf(rounded))
            return refuse_large(w, from[i]);
        w->rounded += (double)rounded != from[i];
        facet_store_f32le(to + i * 4, rounded);
    }
    return FACET_OK;
}

static facet_status store_reals(writer *w, uint8_t *to, const void *reals, size_t first,
                                size_t count)
{
    if (w->document->double_precision && !w->double_precision)
        return store_narrow(w, to, (const double *)reals + first, count);
    if (w->document->double_precision == w->double_precision) {
        size_t size = facet_binarymesh_real_size(w->document);
        store_same(to, (const uint8_t *)reals + first * size, count, w->double_precision);
        return FACET_OK;
    }
    for (size_t i = 0; i < count; i++)
        facet_store_f64le(to + i * 8, (double)((const float *)reals)[first + i]);
    return FACET_OK;
}

/* Write `count` vectors of `width` reals, a block at a time. */
static facet_status put_reals(writer *w, const void *reals, uint32_t count, uint32_t width)
{
    size_t unit = width * (w->double_precision ? sizeof(double) : sizeof(float));
    facet_status status = put_u32(w, count);
    for (uint32_t done = 0; done < count && !status;) {
        size_t some = (FACET_BINARYMESH_BLOCK_SIZE - w->sink.used + unit - 1) / unit;
        if (some > count - done)
            some = count - done;
        status = store_reals(w, facet_binarymesh_sink_capacity(&w->sink), reals,
                             (size_t)done * width, some * width);
        if (!status)
            status = facet_binarymesh_sink_add(&w->sink, some * unit, w->error);
        done += (uint32_t)some;
    }
    return status;
}

static inline uint32_t index_or_none(const uint32_t *indices, uint32_t corner)
{
    return indices ? indices[corner] : FACET_NONE;
}

/* Write a face near the end of a block, field by field. */
static facet_status put_face(writer *w, uint32_t begin, uint32_t end, uint32_t slot)
{
    const facet_binarymesh_object *object = w->object;
    facet_status status = put_u16(w, end - begin);
    for (uint32_t corner = begin; corner < end && !status; corner++) {
        status = put_u32(w, object->position_indices[corner]);
        if (!status)
            status = put_u32(w, index_or_none(object->normal_indices, corner));
        if (!status)
            status = put_u32(w, index_or_none(object->texcoord_indices, corner));
    }
    return status ? status : put_u16(w, slot);
}

/* Write as many of `count` triangles from `face` as fit into the block without its last field.
 * Returns their number. */
static uint32_t put_triangles(writer *w, uint32_t face, uint32_t count)
{
    const facet_binarymesh_object *object = w->object;
    size_t space = (FACET_BINARYMESH_BLOCK_SIZE - 1 - w->sink.used) / TRIANGLE;
    if (count > space)
        count = (uint32_t)space;
    uint8_t *at = facet_binarymesh_sink_capacity(&w->sink);
    for (uint32_t done = 0; done < count; done++, at += TRIANGLE) {
        uint32_t corner = (face + done) * 3;
        facet_store_u16le(at, 3);
        for (uint32_t i = 0; i < 3; i++) {
            facet_store_u32le(at + 2 + i * 12, object->position_indices[corner + i]);
            facet_store_u32le(at + 6 + i * 12, index_or_none(object->normal_indices, corner + i));
            facet_store_u32le(at + 10 + i * 12,
                              index_or_none(object->texcoord_indices, corner + i));
        }
        facet_store_u16le(at + 38, object->face_slots ? object->face_slots[face + done] : 0);
    }
    w->sink.used += count * TRIANGLE;
    return count;
}

static facet_status put_faces(writer *w)
{
    const facet_binarymesh_object *object = w->object;
    facet_status status = put_u32(w, object->face_count);
    for (uint32_t face = 0; face < object->face_count && !status; face++) {
        if (!object->face_offsets)
            face += put_triangles(w, face, object->face_count - face);
        if (face == object->face_count)
            break;
        status = put_face(w, facet_binarymesh_face_begin(object, face),
                          facet_binarymesh_face_end(object, face),
                          object->face_slots ? object->face_slots[face] : 0);
    }
    return status;
}

static facet_status put_object(writer *w)
{
    const facet_binarymesh_object *object = w->object;
    facet_status status = put_text(w, object->name);
    if (!status)
        status = put_reals(w, object->positions, object->position_count, 3);
    if (!status)
        status = put_reals(w, object->normals, object->normal_count, 3);
    if (!status)
        status = put_reals(w, object->texcoords, object->texcoord_count, 2);
    if (!status)
        status = put_u16(w, object->slot_count);
    for (uint32_t i = 0; i < object->slot_count && !status; i++)
        status = put_text(w, object->slots[i]);
    return status ? status : put_faces(w);
}

/* -- Writing ------------------------------------------------------------- */

static facet_status choose_version(const facet_options *options, uint32_t *version,
                                   facet_error *error)
{
    *version = options && options->format_version ? options->format_version : DEFAULT_VERSION;
    if (*version == 2)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BM-VERSION-2", FACET_NO_OFFSET,
                          "version 2 is deprecated and not written (valid: 1, 3, 4)");
    if (*version < 1 || *version > 4)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BM-VERSION-UNKNOWN", FACET_NO_OFFSET,
                          "unknown version %" PRIu32 " (valid: 1, 3, 4)", *version);
    return FACET_OK;
}

/* Bytes of an object's numbers and faces; its names are short. */
static uint64_t size_of(const writer *w, const facet_binarymesh_object *object)
{
    uint64_t numbers = (uint64_t)object->position_count * 3 + (uint64_t)object->normal_count * 3 +
                       (uint64_t)object->texcoord_count * 2;
    return numbers * (w->double_precision ? sizeof(double) : sizeof(float)) +
           (uint64_t)object->face_count * 4 + (uint64_t)object->corner_count * 12;
}

static facet_status put_document(writer *w)
{
    const facet_binarymesh *document = w->document;
    uint8_t header[FACET_BINARYMESH_HEADER_SIZE];
    memcpy(header, FACET_BINARYMESH_SIGNATURE, FACET_BINARYMESH_SIGNATURE_SIZE);
    facet_store_u16le(header + FACET_BINARYMESH_SIGNATURE_SIZE, (uint16_t)w->sink.version);
    facet_output_write(w->sink.output, header, sizeof header);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < document->object_count; i++)
        w->sink.expected += size_of(w, &document->objects[i]);
    for (uint32_t i = 0; i < document->object_count && !status; i++) {
        w->object = &document->objects[i];
        status = put_object(w);
    }
    return status ? status : facet_binarymesh_sink_flush(&w->sink, w->error);
}

facet_status facet_binarymesh_write(const facet_binarymesh *document, const facet_options *options,
                                    facet_output *output, facet_error *error)
{
    writer w = {.document = document, .error = error};
    uint32_t version;
    facet_status status = choose_version(options, &version, error);
    if (!status)
        status = facet_binarymesh_check_document(document, error);
    if (!status)
        status = facet_step(options, "write", 0, error);
    if (!status)
        status = facet_binarymesh_sink_open(&w.sink, version, output, options, error);
    if (status)
        return status;
    w.double_precision = version < 4;
    status = put_document(&w);
    facet_binarymesh_sink_close(&w.sink);
    if (!status && w.rounded > 0)
        facet_report_add(options ? options->report : NULL, "LOSS-PRECISION", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "%" PRIu64 " number%s rounded to the single precision of version 4",
                         w.rounded, facet_plural(w.rounded, " is", "s are"));
    return status;
}
