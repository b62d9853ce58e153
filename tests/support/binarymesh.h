/* tests/support/binarymesh.h - BinaryMesh files byte by byte, independent of the library's
 * writer. */
#ifndef FACET_TESTS_BINARYMESH_H
#define FACET_TESTS_BINARYMESH_H

#include "support/support.h"

#include <facet/binarymesh.h>
#include <lz4.h>
#include <lzo/lzo1x.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct bytes {
    uint8_t *data;
    size_t size, capacity;
} bytes;

static inline void put(bytes *to, const void *data, size_t size)
{
    if (to->size + size > to->capacity) {
        to->capacity = (to->size + size) * 2;
        to->data = realloc(to->data, to->capacity);
        assert_non_null(to->data);
    }
    if (size > 0)
        memcpy(to->data + to->size, data, size);
    to->size += size;
}

static inline void put_number(bytes *to, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)(value >> 8 * i);
        put(to, &byte, 1);
    }
}

static inline void put_u16(bytes *to, uint32_t value)
{
    put_number(to, value, 2);
}

static inline void put_u32(bytes *to, uint32_t value)
{
    put_number(to, value, 4);
}

static inline void put_text(bytes *to, const char *text)
{
    put_u16(to, (uint32_t)strlen(text));
    put(to, text, strlen(text));
}

/* Write a real number in the format of a version. */
static inline void put_real(bytes *to, uint32_t version, double value)
{
    float narrow = (float)value;
    uint64_t wide_bits;
    uint32_t narrow_bits;
    memcpy(&wide_bits, &value, 8);
    memcpy(&narrow_bits, &narrow, 4);
    put_number(to, version < 4 ? wide_bits : narrow_bits, version < 4 ? 8 : 4);
}

static inline void put_reals(bytes *to, uint32_t version, uint32_t count, uint32_t width,
                             const double *reals)
{
    put_u32(to, count);
    for (uint32_t i = 0; i < count * width; i++)
        put_real(to, version, reals[i]);
}

/* A face: `count` corners of three indices. */
static inline void put_face(bytes *to, uint32_t count, const uint32_t *indices, uint32_t slot)
{
    put_u16(to, count);
    for (uint32_t i = 0; i < count * 3; i++)
        put_u32(to, indices[i]);
    put_u16(to, slot);
}

static inline void put_header(bytes *to, uint32_t version)
{
    put(to, "BINARYMESH", 10);
    put_u16(to, version);
}

/* One sub-block, compressed as its version requires. */
static inline void put_block(bytes *to, uint32_t version, const uint8_t *data, size_t size)
{
    lzo_uint compressed_size = size + size / 16 + 64 + 3;
    uint8_t *compressed = malloc(compressed_size);
    assert_non_null(compressed);
    if (version == 2) {
        uint8_t *work = malloc(LZO1X_1_MEM_COMPRESS);
        assert_int_equal(lzo1x_1_compress(data, size, compressed, &compressed_size, work),
                         LZO_E_OK);
        free(work);
    } else {
        int made = LZ4_compress_default((const char *)data, (char *)compressed, (int)size,
                                        (int)compressed_size);
        assert_true(made > 0);
        compressed_size = (lzo_uint)made;
    }
    put_number(to, size, 8);
    put_number(to, compressed_size, 8);
    put(to, compressed, compressed_size);
    free(compressed);
}

/* A file with these data, in blocks of `block` bytes (0: one block). */
static inline bytes pack(uint32_t version, bytes data, size_t block)
{
    bytes file = {0};
    put_header(&file, version);
    if (version == 1) {
        put(&file, data.data, data.size);
        return file;
    }
    for (size_t at = 0; at < data.size;) {
        size_t size = block && block < data.size - at ? block : data.size - at;
        put_block(&file, version, data.data + at, size);
        at += size;
    }
    return file;
}

/* The triangle of the format's worked example: 120 bytes in version 4. */
static inline bytes example_data(uint32_t version)
{
    static const double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, normal[3] = {0, 0, 1};
    static const uint32_t face[9] = {0, 0, FACET_NONE, 1, 0, FACET_NONE, 2, 0, FACET_NONE};
    bytes data = {0};
    put_text(&data, "tri");
    put_reals(&data, version, 3, 3, positions);
    put_reals(&data, version, 1, 3, normal);
    put_u32(&data, 0);
    put_u16(&data, 1);
    put_text(&data, "default");
    put_u32(&data, 1);
    put_face(&data, 3, face, 0);
    return data;
}

/* Two objects. One has a quad, a triangle and a pentagon, all attributes, and two slots. The other
 * is a triangle without name, normals, texture coordinates and slots; its corners have index 0 for
 * them. All numbers are exact in single precision. */
static inline bytes mixed_data(uint32_t version)
{
    static const double positions[21] = {0, 0, 0,   1, 0,   0,   1,    1,    0,    0,    1,
                                         0, 2, 0.5, 0, 1.5, 1.5, 0.25, -0.5, 1.25, 0.125};
    static const double normals[6] = {0, 0, 1, 0, 1, 0};
    static const double texcoords[8] = {0, 0, 1, 0, 1, 1, 0.5, -0.25};
    static const uint32_t quad[12] = {0, 0, 0, 1, 0, 1, 2, 0, 2, 3, 1, 3};
    static const uint32_t triangle[9] = {1, FACET_NONE, 0, 4, FACET_NONE, 1, 2, FACET_NONE, 3};
    static const uint32_t pentagon[15] = {0, 0, FACET_NONE, 1, 0, FACET_NONE, 4, 1, FACET_NONE,
                                          5, 1, FACET_NONE, 6, 0, FACET_NONE};
    static const uint32_t bare[9] = {0, 0, 0, 2, 0, 0, 1, 0, 0};
    bytes data = {0};
    put_text(&data, "mixed");
    put_reals(&data, version, 7, 3, positions);
    put_reals(&data, version, 2, 3, normals);
    put_reals(&data, version, 4, 2, texcoords);
    put_u16(&data, 2);
    put_text(&data, "red");
    put_text(&data, "blau \xC3\xBC");
    put_u32(&data, 3);
    put_face(&data, 4, quad, 1);
    put_face(&data, 3, triangle, 0);
    put_face(&data, 5, pentagon, 1);
    put_text(&data, "");
    put_reals(&data, version, 3, 3, positions);
    put_u32(&data, 0);
    put_u32(&data, 0);
    put_u16(&data, 0);
    put_u32(&data, 1);
    put_face(&data, 3, bare, 0);
    return data;
}

static inline void assert_text(facet_binarymesh_text text, const char *expected)
{
    assert_int_equal(text.length, strlen(expected));
    assert_string_equal(text.text, expected);
}

static inline void assert_indices(const uint32_t *a, const uint32_t *b, size_t count)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a)
        assert_memory_equal(a, b, count * sizeof *a);
}

static inline void assert_reals(const facet_binarymesh *a, const void *of_a,
                                const facet_binarymesh *b, const void *of_b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(facet_binarymesh_real(a, of_a, i) == facet_binarymesh_real(b, of_b, i));
}

static inline void assert_object(const facet_binarymesh *a, const facet_binarymesh *b,
                                 uint32_t index)
{
    const facet_binarymesh_object *x = &a->objects[index], *y = &b->objects[index];
    assert_int_equal(x->name.length, y->name.length);
    assert_memory_equal(x->name.text, y->name.text, x->name.length);
    assert_int_equal(x->position_count, y->position_count);
    assert_int_equal(x->normal_count, y->normal_count);
    assert_int_equal(x->texcoord_count, y->texcoord_count);
    assert_reals(a, x->positions, b, y->positions, (size_t)x->position_count * 3);
    assert_reals(a, x->normals, b, y->normals, (size_t)x->normal_count * 3);
    assert_reals(a, x->texcoords, b, y->texcoords, (size_t)x->texcoord_count * 2);
    assert_int_equal(x->slot_count, y->slot_count);
    for (uint32_t i = 0; i < x->slot_count; i++)
        assert_text(x->slots[i], y->slots[i].text);
    assert_int_equal(x->face_count, y->face_count);
    assert_int_equal(x->corner_count, y->corner_count);
    assert_indices(x->face_offsets, y->face_offsets, (size_t)x->face_count + 1);
    for (uint32_t face = 0; face < x->face_count; face++)
        assert_int_equal(x->face_slots ? x->face_slots[face] : 0,
                         y->face_slots ? y->face_slots[face] : 0);
    assert_indices(x->position_indices, y->position_indices, x->corner_count);
    assert_indices(x->normal_indices, y->normal_indices, x->corner_count);
    assert_indices(x->texcoord_indices, y->texcoord_indices, x->corner_count);
}

/* Check that two documents have the same content, for any versions. */
static inline void assert_documents(const facet_binarymesh *a, const facet_binarymesh *b)
{
    assert_int_equal(a->object_count, b->object_count);
    for (uint32_t i = 0; i < a->object_count; i++)
        assert_object(a, b, i);
}

static inline facet_binarymesh *read_document(const uint8_t *data, size_t size,
                                              const facet_options *options)
{
    facet_error error;
    facet_binarymesh *document = NULL;
    TEST_OK(facet_binarymesh_read(TEST_SOURCE(data, size), options, &document, &error), &error);
    return document;
}

/* Write to memory and commit. Free with facet_output_free. */
static inline facet_output *write_document(const facet_binarymesh *document, uint32_t version,
                                           const facet_options *options)
{
    facet_error error;
    facet_output *output = NULL;
    facet_options write = options ? *options : (facet_options){0};
    write.format_version = version;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_binarymesh_write(document, &write, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static inline facet_binarymesh *read_output(const facet_output *output)
{
    return read_document(facet_output_data(output), (size_t)facet_output_size(output), NULL);
}

/* Open a file of the corpus. */
static inline facet_file *open_corpus(const char *name)
{
    char relative[200];
    facet_error error;
    facet_file *file = NULL;
    snprintf(relative, sizeof relative, "binarymesh/%s.binarymesh", name);
    TEST_OK(facet_file_open(test_corpus(relative), NULL, &file, &error), &error);
    return file;
}

static inline facet_binarymesh *read_corpus(const char *name)
{
    facet_file *file = open_corpus(name);
    facet_binarymesh *document =
        read_document(facet_file_source(file).data, facet_file_source(file).size, NULL);
    facet_file_close(file);
    return document;
}

#endif
