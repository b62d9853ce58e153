/* tests/support/bsm.h - a small BSM, byte by byte from the specification. */
#ifndef FACET_TESTS_BSM_H
#define FACET_TESTS_BSM_H

#include <stdint.h>
#include <string.h>

static inline void bsm_put(uint8_t *at, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

static inline void bsm_put_words(uint8_t *at, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bsm_put(at + 4 * i, words[i]);
}

#define BSM_ONE 0x3F800000  /* 1.0 */
#define BSM_HALF 0x3F000000 /* 0.5 */

#define BSM_TRIANGLE_SIZE 552
/* One triangle (0,0,0) (1,0,0) (0,1,0), normals +Z, tangents +X, "red.tga". */
static inline void bsm_build_triangle(uint8_t *file)
{
    static const uint32_t header[] = {
        1,        0,                                      /* version, extension */
        BSM_HALF, BSM_HALF, 0,    0x3F3504F3,             /* sphere: 0.5 0.5 0, radius 0.70710677 */
        0,        0,        0,    BSM_ONE,    BSM_ONE, 0, /* box */
        3,        0x84,     0xA8, 0xC0,       0xE4,       /* vertices */
        1,        0x114,                                  /* triangles */
        1,        0x120,                                  /* meshes */
    };
    static const uint32_t arrays[] =
        {
            0,       0, 0,       BSM_ONE, 0,       0,       0, BSM_ONE, 0, /* positions */
            0,       0, BSM_ONE, 0,       0,       BSM_ONE,                /* texture coordinates */
            0,       0, BSM_ONE, 0,       0,       BSM_ONE, 0, 0,       BSM_ONE,
            BSM_ONE, 0, 0,       BSM_ONE, BSM_ONE, 0,       0, BSM_ONE, BSM_ONE,
            0,       0, BSM_ONE, 0,       1,       2, /* triangle */
            0,       1,                               /* mesh: first, count, name */
        };
    memset(file, 0, BSM_TRIANGLE_SIZE);
    memcpy(file, "BINARYSTATICMESH", 16);
    bsm_put_words(file + 0x10, header, sizeof header / 4);
    bsm_put_words(file + 0x84, arrays, sizeof arrays / 4);
    memcpy(file + 0x128, "red.tga", 7);
}

#define BSM_FULL_SIZE 0x290
/* The same with a tetrahedron as hull and a smaller triangle as occluder, so that no array is
 * empty. */
static inline void bsm_build_full(uint8_t *file)
{
    static const uint32_t header[] = {4, 0x228, 1, 0x258, 3, 0x260, 1, 0x284};
    static const uint32_t arrays[] = {
        0,          0,          0, BSM_ONE, 0, 0, 0, BSM_ONE, 0, 0, 0, BSM_ONE, /* hull points */
        0,          4,             /* hull: first, count */
        0x3DCCCCCD, 0x3DCCCCCD, 0, /* 0.1 0.1 0 */
        0x3E99999A, 0x3DCCCCCD, 0, /* 0.3 0.1 0 */
        0x3DCCCCCD, 0x3E99999A, 0, /* 0.1 0.3 0 */
        0,          1,          2, /* occluder triangle */
    };
    bsm_build_triangle(file);
    memset(file + BSM_TRIANGLE_SIZE, 0, BSM_FULL_SIZE - BSM_TRIANGLE_SIZE);
    bsm_put_words(file + 0x64, header, sizeof header / 4);
    bsm_put_words(file + 0x228, arrays, sizeof arrays / 4);
}

#endif
