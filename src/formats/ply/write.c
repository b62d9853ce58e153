/* formats/ply/write.c - a PLY document to bytes. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/text_output.h"
#include "formats/ply/ply.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Records between two progress calls. */
#define STRIDE 65536
#define BUFFER 65536

typedef struct writer {
    const facet_ply *ply;
    const facet_options *options;
    facet_ply_encoding encoding;
    facet_output *output;
    facet_error *error;
    facet_text_output text;
    uint8_t bytes[BUFFER];
    size_t used;
} writer;

/* -- Header ------------------------------------------------------------- */

static void put_line(writer *w, const char *word, const char *text)
{
    facet_put_text(&w->text, word);
    facet_put_text(&w->text, *text ? " " : "");
    facet_put_text(&w->text, text);
    facet_put_text(&w->text, "\n");
}

static void write_header(writer *w)
{
    static const char *const encodings[] = {"binary_little_endian 1.0", "binary_big_endian 1.0",
                                            "ascii 1.0"};
    const facet_ply *ply = w->ply;
    put_line(w, "ply", "");
    put_line(w, "format", encodings[w->encoding]);
    for (uint32_t i = 0; i < ply->comment_count; i++)
        put_line(w, "comment", ply->comments[i]);
    for (uint32_t i = 0; i < ply->info_count; i++)
        put_line(w, "obj_info", ply->infos[i]);
    for (uint32_t i = 0; i < ply->element_count; i++) {
        const facet_ply_element *element = &ply->elements[i];
        facet_put_text(&w->text, "element ");
        facet_put_text(&w->text, element->name);
        facet_put_text(&w->text, " ");
        facet_put_integer(&w->text, element->count);
        facet_put_text(&w->text, "\n");
        for (uint32_t k = 0; k < element->property_count; k++) {
            const facet_ply_property *p = &element->properties[k];
            facet_put_text(&w->text, p->is_list ? "property list " : "property ");
            if (p->is_list) {
                facet_put_text(&w->text, facet_ply_type_name(p->count_type));
                facet_put_text(&w->text, " ");
            }
            put_line(w, facet_ply_type_name(p->type), p->name);
        }
    }
    put_line(w, "end_header", "");
}

/* -- Binary ------------------------------------------------------------- */

static void flush(writer *w)
{
    facet_output_write(w->output, w->bytes, w->used);
    w->used = 0;
}

/* Write `count` numbers of `size` bytes, with reversed bytes if necessary. */
static void put_numbers(writer *w, const uint8_t *at, uint64_t count, size_t size, bool swap)
{
    while (count > 0) {
        if (BUFFER - w->used < size)
            flush(w);
        size_t fit = (BUFFER - w->used) / size;
        size_t now = count < fit ? (size_t)count : fit;
        uint8_t *to = w->bytes + w->used;
        if (!swap) {
            memcpy(to, at, now * size);
        } else {
            for (size_t i = 0; i < now * size; i += size) {
                for (size_t k = 0; k < size; k++)
                    to[i + k] = at[i + size - 1 - k];
            }
        }
        w->used += now * size;
        at += now * size;
        count -= now;
    }
}

/* Write the length of a list in the file's byte order. */
static void put_count(writer *w, facet_ply_type type, uint32_t count)
{
    uint8_t bytes[4];
    size_t size = facet_ply_type_size(type);
    bool big = w->encoding == FACET_PLY_BIG_ENDIAN;
    for (size_t i = 0; i < size; i++)
        bytes[big ? size - 1 - i : i] = (uint8_t)(count >> 8 * i);
    put_numbers(w, bytes, size, 1, false);
}

/* Address of a record's numbers, which are adjacent. */
static const uint8_t *numbers_of(const facet_ply_property *p, uint32_t record)
{
    return p->offsets ? p->data + p->offsets[record] * facet_ply_type_size(p->type)
                      : p->data + record * p->stride;
}

static void write_binary_record(writer *w, const facet_ply_element *element, uint32_t record,
                                bool host_order)
{
    for (uint32_t i = 0; i < element->property_count; i++) {
        const facet_ply_property *p = &element->properties[i];
        uint32_t length = facet_ply_list_length(p, record);
        if (p->is_list)
            put_count(w, p->count_type, length);
        if (length > 0)
            put_numbers(w, numbers_of(p, record), length, facet_ply_type_size(p->type),
                        p->swapped == host_order);
    }
}

/* -- Text --------------------------------------------------------------- */

static void print_real(facet_text_output *out, double value, facet_ply_type type)
{
    char text[FACET_NUMBER_DOUBLE_LENGTH + 1] = "nan";
    if (isinf(value))
        strcpy(text, value > 0 ? "inf" : "-inf");
    else if (!isnan(value))
        text[type == FACET_PLY_FLOAT32 ? facet_number_print((float)value, text)
                                       : facet_number_print_double(value, text)] = '\0';
    facet_put_text(out, text);
}

static void print_value(writer *w, const facet_ply_property *p, uint64_t number)
{
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
    } value;
    int64_t whole = 0;
    facet_ply_read_values(p, number, 1, p->type, &value);
    switch (p->type) {
    case FACET_PLY_INT8:
        whole = value.i8;
        break;
    case FACET_PLY_UINT8:
        whole = value.u8;
        break;
    case FACET_PLY_INT16:
        whole = value.i16;
        break;
    case FACET_PLY_UINT16:
        whole = value.u16;
        break;
    case FACET_PLY_INT32:
        whole = value.i32;
        break;
    case FACET_PLY_UINT32:
        whole = value.u32;
        break;
    case FACET_PLY_FLOAT32:
        print_real(&w->text, (double)value.f32, p->type);
        return;
    case FACET_PLY_FLOAT64:
        print_real(&w->text, value.f64, p->type);
        return;
    }
    if (whole < 0)
        facet_put_text(&w->text, "-");
    facet_put_integer(&w->text, (uint64_t)(whole < 0 ? -whole : whole));
}

static void write_text_record(writer *w, const facet_ply_element *element, uint32_t record)
{
    const char *before = "";
    for (uint32_t i = 0; i < element->property_count; i++) {
        const facet_ply_property *p = &element->properties[i];
        uint32_t length = facet_ply_list_length(p, record);
        uint64_t first = facet_ply_list_first(p, record);
        if (p->is_list) {
            facet_put_text(&w->text, before);
            facet_put_integer(&w->text, length);
            before = " ";
        }
        for (uint32_t k = 0; k < length; k++) {
            facet_put_text(&w->text, before);
            print_value(w, p, first + k);
            before = " ";
        }
    }
    facet_put_text(&w->text, "\n");
}

/* -- The document ------------------------------------------------------ */

static facet_status write_element(writer *w, const facet_ply_element *element)
{
    bool big = w->encoding == FACET_PLY_BIG_ENDIAN;
    bool host_order = big == (bool)FACET_HOST_IS_BIG_ENDIAN;
    facet_status status = FACET_OK;
    if (element->property_count == 0 && w->encoding != FACET_PLY_ASCII)
        return FACET_OK;
    for (uint32_t record = 0; record < element->count && !status; record++) {
        if (record % STRIDE == 0)
            status = facet_step(w->options, "write", (double)record / element->count, w->error);
        if (w->encoding == FACET_PLY_ASCII)
            write_text_record(w, element, record);
        else
            write_binary_record(w, element, record, host_order);
    }
    return status;
}

static facet_status write_document(writer *w)
{
    facet_status status = FACET_OK;
    write_header(w);
    if (w->encoding != FACET_PLY_ASCII)
        facet_put_flush(&w->text);
    for (uint32_t i = 0; i < w->ply->element_count && !status; i++)
        status = write_element(w, &w->ply->elements[i]);
    facet_put_flush(&w->text);
    flush(w);
    return status;
}

facet_status facet_ply_write(const facet_ply *document, const facet_options *options,
                             facet_output *output, facet_error *error)
{
    facet_arena *scratch = NULL;
    facet_status status = facet_check_options(options, error);
    if (!status)
        status = FACET_CHECK_STRUCT(options ? options->ply : NULL, facet_ply_options, error);
    if (!status)
        status = facet_ply_check_document(document, error);
    if (!status)
        status = facet_arena_create(options, &scratch, error);
    if (status)
        return status;
    writer *w = facet_arena_allocate(scratch, 1, sizeof *w);
    if (w) {
        w->ply = document;
        w->options = options;
        w->encoding = options && options->ply ? options->ply->encoding : FACET_PLY_LITTLE_ENDIAN;
        w->output = w->text.output = output;
        w->error = error;
        w->used = w->text.used = 0;
        status = write_document(w);
    } else {
        status = facet_fail_arena(scratch, error);
    }
    facet_arena_free(scratch);
    return status;
}
