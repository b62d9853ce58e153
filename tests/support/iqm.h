/* tests/support/iqm.h - a small IQM, byte by byte from the specification: a square of two triangles
 * whose right side follows a moving arm. */
#ifndef FACET_TESTS_IQM_H
#define FACET_TESTS_IQM_H

#include <facet/iqm.h>
#include <stdint.h>
#include <string.h>

#include "support/support.h"

/* Offsets of the sections. */
enum {
    IQM_TEXT = 124,
    IQM_MESH = 164,
    IQM_ARRAYS = 188,
    IQM_POSITIONS = 348,
    IQM_TEXCOORDS = 396,
    IQM_NORMALS = 428,
    IQM_TANGENTS = 476,
    IQM_INDEXES = 540,
    IQM_WEIGHTS = 556,
    IQM_COLORS = 572,
    IQM_GLOW = 588,
    IQM_TRIANGLES = 604,
    IQM_ADJACENCY = 628,
    IQM_JOINTS = 652,
    IQM_POSES = 748,
    IQM_ANIMATION = 924,
    IQM_FRAMES = 944,
    IQM_BOUNDS = 956,
    IQM_COMMENT = 1020,
    IQM_EXTENSION = 1028,
    IQM_DATA = 1044,
    IQM_SIZE = 1052
};

static inline void iqm_put(uint8_t *at, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

static inline void iqm_put_float(uint8_t *at, float number)
{
    uint32_t word;
    memcpy(&word, &number, 4);
    iqm_put(at, word);
}

static inline void iqm_put_floats(uint8_t *at, const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        iqm_put_float(at + 4 * i, numbers[i]);
}

static inline void iqm_put_words(uint8_t *at, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        iqm_put(at + 4 * i, words[i]);
}

static inline void iqm_build_header(uint8_t *file)
{
    static const uint32_t header[] = {2,
                                      IQM_SIZE,
                                      0, /* version, size, flags */
                                      40,
                                      IQM_TEXT,
                                      1,
                                      IQM_MESH, /* text, meshes */
                                      8,
                                      4,
                                      IQM_ARRAYS, /* vertex arrays, vertices */
                                      2,
                                      IQM_TRIANGLES,
                                      IQM_ADJACENCY, /* triangles */
                                      2,
                                      IQM_JOINTS,
                                      2,
                                      IQM_POSES, /* joints, poses */
                                      1,
                                      IQM_ANIMATION,
                                      2,
                                      3,
                                      IQM_FRAMES,
                                      IQM_BOUNDS, /* animations, frames of 3 numbers */
                                      8,
                                      IQM_COMMENT,
                                      1,
                                      IQM_EXTENSION};
    memcpy(file, "INTERQUAKEMODEL", 16);
    iqm_put_words(file + 16, header, sizeof header / 4);
    memcpy(file + IQM_TEXT, "\0body\0skin.tga\0root\0arm\0wave\0glow\0ext\0\0", 40);
    memcpy(file + IQM_COMMENT, "hello\0\0", 8);
}

/* Names by their offsets in the text. */
enum {
    IQM_BODY = 1,
    IQM_SKIN = 6,
    IQM_ROOT = 15,
    IQM_ARM = 20,
    IQM_WAVE = 24,
    IQM_GLOW_NAME = 29,
    IQM_EXT = 34
};

/* (0,0) to (1,1), seen from +Z; v is 0 at the top. w * cross(+Z, +X) is +Y, which is up in the
 * texture. */
static inline void iqm_build_vertices(uint8_t *file)
{
    static const uint32_t mesh[] = {IQM_BODY, IQM_SKIN, 0, 4, 0, 2};
    static const uint32_t arrays[] = {0,
                                      0,
                                      7,
                                      3,
                                      IQM_POSITIONS,
                                      1,
                                      0,
                                      7,
                                      2,
                                      IQM_TEXCOORDS,
                                      2,
                                      0,
                                      7,
                                      3,
                                      IQM_NORMALS,
                                      3,
                                      0,
                                      7,
                                      4,
                                      IQM_TANGENTS,
                                      4,
                                      0,
                                      1,
                                      4,
                                      IQM_INDEXES,
                                      5,
                                      0,
                                      1,
                                      4,
                                      IQM_WEIGHTS,
                                      6,
                                      0,
                                      1,
                                      4,
                                      IQM_COLORS,
                                      16 + IQM_GLOW_NAME,
                                      0,
                                      7,
                                      1,
                                      IQM_GLOW};
    static const float values[] = {
        0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0,            /* positions */
        0, 1, 1, 1, 1, 0, 0, 0,                        /* texture coordinates */
        0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1,            /* normals */
        1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1 /* tangents */
    };
    static const uint8_t bytes[] = {
        0,   0, 0, 0,   1,   0,   0,   0,   1,   0,   0, 0, 0,   0,   0,   0,  /* blend indexes */
        255, 0, 0, 0,   255, 0,   0,   0,   128, 127, 0, 0, 255, 0,   0,   0,  /* blend weights */
        255, 0, 0, 255, 188, 188, 188, 255, 0,   0,   0, 0, 255, 255, 255, 255 /* colors */
    };
    static const float glow[] = {0.5F, 1.5F, 2.5F, 3.5F};
    /* Clockwise; 1 and 0 are neighbors across the edge from 2 to 0. */
    static const uint32_t triangles[] = {0, 2,          1,          0,          3,          2,
                                         1, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0};
    iqm_put_words(file + IQM_MESH, mesh, 6);
    iqm_put_words(file + IQM_ARRAYS, arrays, 40);
    iqm_put_floats(file + IQM_POSITIONS, values, sizeof values / 4);
    memcpy(file + IQM_INDEXES, bytes, sizeof bytes);
    iqm_put_floats(file + IQM_GLOW, glow, 4);
    iqm_put_words(file + IQM_TRIANGLES, triangles, 12);
}

/* The arm is at x = 1. In frame 1 it is at x = 2, rotated by 180 degrees about z: channels 0, 5, 6
 * are animated. */
static inline void iqm_build_motion(uint8_t *file)
{
    static const float still[] = {0, 0, 0, 0, 0, 0, -1, 1, 1, 1};
    static const uint16_t frames[] = {0, 0, 0, 65535, 65535, 65535};
    /* In frame 1, (1,0) moves to (2,0). (1,1), of which half stays, moves to (1 + 128/255,
     * -1/255). */
    static const float bounds[] = {0, 0,           0, 1, 1, 0, 1.41421356F, 1.41421356F,
                                   0, -1 / 255.0F, 0, 2, 1, 0, 2,           2};
    for (int j = 0; j < 2; j++) {
        uint8_t *joint = file + IQM_JOINTS + j * 48, *pose = file + IQM_POSES + j * 88;
        iqm_put(joint, j ? IQM_ARM : IQM_ROOT);
        iqm_put(joint + 4, j ? 0 : 0xFFFFFFFF);
        iqm_put_floats(joint + 8, still, 10);
        iqm_put_float(joint + 8, (float)j);
        iqm_put(pose, j ? 0 : 0xFFFFFFFF);
        iqm_put(pose + 4, j ? 0x61 : 0);
        iqm_put_floats(pose + 8, still, 10);
        iqm_put_float(pose + 8, (float)j);
        for (int c = 0; j && c < 7; c++)
            iqm_put_float(pose + 48 + 4 * c, c == 0 || c > 4 ? 1 / 65535.0F : 0);
    }
    iqm_put_words(file + IQM_ANIMATION, (const uint32_t[]){IQM_WAVE, 0, 2}, 3);
    iqm_put_float(file + IQM_ANIMATION + 12, 10);
    iqm_put(file + IQM_ANIMATION + 16, 1);
    for (int i = 0; i < 6; i++) {
        file[IQM_FRAMES + 2 * i] = (uint8_t)frames[i];
        file[IQM_FRAMES + 2 * i + 1] = (uint8_t)(frames[i] >> 8);
    }
    iqm_put_floats(file + IQM_BOUNDS, bounds, 16);
}

static inline void iqm_build(uint8_t *file)
{
    memset(file, 0, IQM_SIZE);
    iqm_build_header(file);
    iqm_build_vertices(file);
    iqm_build_motion(file);
    iqm_put_words(file + IQM_EXTENSION, (const uint32_t[]){IQM_EXT, 8, IQM_DATA, 0}, 4);
    memcpy(file + IQM_DATA, "12345678", 8);
}

/* -- Documents ----------------------------------------------------------- */

static inline facet_iqm *test_read_iqm(const uint8_t *bytes, size_t size)
{
    facet_iqm *document = NULL;
    facet_error error;
    TEST_OK(facet_iqm_read(TEST_SOURCE(bytes, size), NULL, &document, &error), &error);
    return document;
}

static inline facet_output *test_write_iqm(const facet_iqm *document)
{
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_iqm_write(document, NULL, output, &error), &error);
    return output;
}

#endif
