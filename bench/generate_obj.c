/* bench/generate_obj.c - the OBJ that the benchmarks read.
 *
 *   generate_obj TRIANGLES OUT.obj
 *
 * It writes OUT.obj and OUT.mtl: a bumpy square grid of about TRIANGLES triangles, with 8 materials
 * in 32 runs, and smoothing groups. Texture coordinates are cut along every 64th column, and
 * normals along every row where the material changes. So v, vt and vn have separate indices. The
 * same arguments give the same bytes. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHART_COLUMNS 64
#define RUNS 32
#define MATERIALS 8

typedef struct grid {
    int columns, rows;     /* number of cells; a cell has two triangles */
    int charts;            /* number of texture charts in a row */
    int run_rows, normals; /* rows per material run; rows of normals */
} grid;

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static void write_positions(FILE *out, const grid *g)
{
    for (int y = 0; y <= g->rows; y++) {
        for (int x = 0; x <= g->columns; x++) {
            double u = x * 0.05, w = y * 0.05;
            double height = sin(u * 1.3) * cos(w * 0.7) + 0.25 * sin(u * 5.1 + w * 3.7);
            fprintf(out, "v %.6f %.6f %.6f\n", u - g->columns * 0.025, height, w - g->rows * 0.025);
        }
    }
}

static void write_texcoords(FILE *out, const grid *g)
{
    for (int chart = 0; chart < g->charts; chart++) {
        int columns = (int)smaller(CHART_COLUMNS, g->columns - chart * CHART_COLUMNS);
        for (int y = 0; y <= g->rows; y++) {
            for (int x = 0; x <= columns; x++)
                fprintf(out, "vt %.6f %.6f\n", (double)x / CHART_COLUMNS, (double)y / g->rows);
        }
    }
}

static void write_normals(FILE *out, const grid *g)
{
    for (int row = 0; row < g->normals; row++) {
        /* The last row of a run has the positions of the first row of the next run. */
        int y = row - row / (g->run_rows + 1);
        for (int x = 0; x <= g->columns; x++) {
            double u = x * 0.05, w = y * 0.05;
            double du = 1.3 * cos(u * 1.3) * cos(w * 0.7) + 1.275 * cos(u * 5.1 + w * 3.7);
            double dw = -0.7 * sin(u * 1.3) * sin(w * 0.7) + 0.925 * cos(u * 5.1 + w * 3.7);
            double length = sqrt(du * du + 1 + dw * dw);
            fprintf(out, "vn %.6f %.6f %.6f\n", -du / length, 1 / length, -dw / length);
        }
    }
}

/* Write "v/vt/vn" of the grid's corner (x, y), for a face in cell (cell_x, cell_y). */
static void write_corner(FILE *out, const grid *g, int x, int y, int cell_x, int cell_y)
{
    int position = y * (g->columns + 1) + x;
    int chart = cell_x / CHART_COLUMNS;
    int chart_columns = (int)smaller(CHART_COLUMNS, g->columns - chart * CHART_COLUMNS);
    int texcoord = chart * (CHART_COLUMNS + 1) * (g->rows + 1) + y * (chart_columns + 1) + x -
                   chart * CHART_COLUMNS;
    int normal = (y + cell_y / g->run_rows) * (g->columns + 1) + x;
    fprintf(out, " %d/%d/%d", position + 1, texcoord + 1, normal + 1);
}

static void write_faces(FILE *out, const grid *g)
{
    for (int y = 0; y < g->rows; y++) {
        if (y % g->run_rows == 0) {
            int run = y / g->run_rows;
            if (run % 4 == 0)
                fprintf(out, "g strip%d\n", run / 4);
            fprintf(out, "usemtl material%d\n", run * 5 % MATERIALS);
            if (run % 8 == 7)
                fputs("s off\n", out);
            else
                fprintf(out, "s %d\n", run % 8 + 1);
        }
        for (int x = 0; x < g->columns; x++) {
            static const int corners[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}},
                                                 {{0, 0}, {1, 1}, {1, 0}}};
            for (int triangle = 0; triangle < 2; triangle++) {
                fputc('f', out);
                for (int i = 0; i < 3; i++)
                    write_corner(out, g, x + corners[triangle][i][0], y + corners[triangle][i][1],
                                 x, y);
                fputc('\n', out);
            }
        }
    }
}

static void write_materials(FILE *out)
{
    for (int i = 0; i < MATERIALS; i++)
        fprintf(out,
                "newmtl material%d\nKd %.3f %.3f %.3f\nKs 0.2 0.2 0.2\nNs 50\nmap_Kd m%d.png\n\n",
                i, i / 8.0, 1 - i / 8.0, 0.5, i);
}

static FILE *open_output(const char *path)
{
    FILE *out = fopen(path, "wb");
    if (!out) {
        fprintf(stderr, "generate_obj: cannot write '%s': %s\n", path, strerror(errno));
        exit(3);
    }
    return out;
}

static void close_output(FILE *out, const char *path)
{
    int failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        fprintf(stderr, "generate_obj: cannot write '%s'\n", path);
        exit(3);
    }
}

int main(int count, char **arguments)
{
    long triangles = count == 3 ? strtol(arguments[1], NULL, 10) : 0;
    size_t length = count == 3 ? strlen(arguments[2]) : 0;
    if (triangles < 2 || triangles > 100000000 || length < 5 || length > 4000 ||
        strcmp(arguments[2] + length - 4, ".obj") != 0) {
        fputs("usage: generate_obj TRIANGLES OUT.obj\n", stderr);
        return 2;
    }
    grid g;
    g.columns = g.rows = (int)(sqrt((double)triangles / 2) + 0.5);
    g.charts = (g.columns + CHART_COLUMNS - 1) / CHART_COLUMNS;
    g.run_rows = (g.rows + RUNS - 1) / RUNS;
    g.normals = g.rows + (g.rows + g.run_rows - 1) / g.run_rows;

    char library[4096];
    snprintf(library, sizeof library, "%.*s.mtl", (int)(length - 4), arguments[2]);
    const char *slash = strrchr(library, '/');

    FILE *out = open_output(arguments[2]);
    fprintf(out, "# generate_obj %ld\nmtllib %s\n", triangles, slash ? slash + 1 : library);
    write_positions(out, &g);
    write_texcoords(out, &g);
    write_normals(out, &g);
    write_faces(out, &g);
    close_output(out, arguments[2]);

    out = open_output(library);
    write_materials(out);
    close_output(out, library);
    return 0;
}
