/* bench/generate_surface.c - a bumpy surface of any size, as OBJ, PLY or STL.
 *
 *   generate_surface ROWS ply|stl|obj FILE
 *
 * The surface has ROWS rows of 2 * ROWS quads, each two triangles. It is a sphere with waves of two
 * lengths. It has a hole at each pole, and so a border. Only two rows are in memory. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static uint32_t rows, columns;

static void point(uint32_t row, uint32_t column, float to[3])
{
    double polar = pi * (0.05 + 0.9 * row / rows), around = 2 * pi * column / columns;
    double radius =
        1 + 0.05 * sin(13 * polar) * sin(17 * around) + 0.01 * sin(60 * polar + 40 * around);
    to[0] = (float)(radius * sin(polar) * cos(around));
    to[1] = (float)(radius * sin(polar) * sin(around));
    to[2] = (float)(radius * cos(polar));
}

/* Corners of triangle `i` of a row, as rows (0 or 1) and columns. */
static void corner(uint32_t i, uint32_t k, uint32_t *row, uint32_t *column)
{
    static const uint32_t place[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}}, {{0, 1}, {1, 0}, {1, 1}}};
    *row = place[i & 1][k][0];
    *column = (i / 2 + place[i & 1][k][1]) % columns;
}

static void write_vertices(FILE *file, int is_text)
{
    for (uint32_t row = 0; row <= rows; row++) {
        for (uint32_t column = 0; column < columns; column++) {
            float p[3];
            point(row, column, p);
            if (is_text) {
                fprintf(file, "v %.7g %.7g %.7g\n", p[0], p[1], p[2]);
            } else {
                const uint8_t color[3] = {(uint8_t)(255.0 * row / rows), 128, 64};
                fwrite(p, sizeof p, 1, file);
                fwrite(color, sizeof color, 1, file);
            }
        }
    }
}

static void write_faces(FILE *file, int is_text)
{
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t i = 0; i < 2 * columns; i++) {
            uint32_t v[3];
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t down, column;
                corner(i, k, &down, &column);
                v[k] = (row + down) * columns + column;
            }
            if (is_text) {
                fprintf(file, "f %u %u %u\n", v[0] + 1, v[1] + 1, v[2] + 1);
            } else {
                fputc(3, file);
                fwrite(v, sizeof v, 1, file);
            }
        }
    }
}

static void write_stl(FILE *file)
{
    const uint32_t count = rows * columns * 2;
    char header[80] = "made by generate_surface";
    fwrite(header, sizeof header, 1, file);
    fwrite(&count, sizeof count, 1, file);
    float(*line[2])[3] = {malloc(columns * sizeof **line), malloc(columns * sizeof **line)};
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns && line[0] && line[1]; column++) {
            point(row, column, line[0][column]);
            point(row + 1, column, line[1][column]);
        }
        for (uint32_t i = 0; i < 2 * columns; i++) {
            uint8_t record[50] = {0};
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t down, column;
                corner(i, k, &down, &column);
                memcpy(record + 12 + k * 12, line[down][column], 12);
            }
            fwrite(record, sizeof record, 1, file);
        }
    }
    free(line[0]);
    free(line[1]);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 4 ? fopen(argv[3], "wb") : NULL;
    rows = argc == 4 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    columns = 2 * rows;
    if (!file || rows == 0) {
        fprintf(stderr, "usage: generate_surface ROWS ply|stl|obj FILE\n");
        return 2;
    }
    if (strcmp(argv[2], "stl") == 0) {
        write_stl(file);
    } else if (strcmp(argv[2], "ply") == 0) {
        fprintf(file,
                "ply\nformat binary_little_endian 1.0\nelement vertex %u\nproperty float x\n"
                "property float y\nproperty float z\nproperty uchar red\nproperty uchar green\n"
                "property uchar blue\nelement face %u\nproperty list uchar int vertex_indices\n"
                "end_header\n",
                (rows + 1) * columns, rows * columns * 2);
        write_vertices(file, 0);
        write_faces(file, 0);
    } else {
        write_vertices(file, 1);
        write_faces(file, 1);
    }
    return fclose(file) ? 3 : 0;
}
