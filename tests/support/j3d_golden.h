/* tests/support/j3d_golden.h - a complete minimal BDL4, built field by field from the description
 * of the format. It has one joint "root", one triangle with normals, colors and texcoords, one
 * material "mat0", and one 8x8 I4 texture "tex0". */
#ifndef FACET_TESTS_J3D_GOLDEN_H
#define FACET_TESTS_J3D_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

#define TEST_J3D_GOLDEN_SIZE 2656
/* Offsets of its sections. */
#define TEST_J3D_GOLDEN_INF1 0x20
#define TEST_J3D_GOLDEN_VTX1 0x60
#define TEST_J3D_GOLDEN_EVP1 0x1A0
#define TEST_J3D_GOLDEN_DRW1 0x1C0
#define TEST_J3D_GOLDEN_JNT1 0x1E0
#define TEST_J3D_GOLDEN_SHP1 0x260
#define TEST_J3D_GOLDEN_MAT3 0x340
#define TEST_J3D_GOLDEN_MDL3 0x780
#define TEST_J3D_GOLDEN_TEX1 0x9E0

void test_j3d_golden(uint8_t bytes[TEST_J3D_GOLDEN_SIZE]);
/* The same as BMD3, without MDL3. Returns its size, 2048 bytes. */
size_t test_j3d_golden_bmd(uint8_t bytes[TEST_J3D_GOLDEN_SIZE]);

#endif
