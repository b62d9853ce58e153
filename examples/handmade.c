/* Create a mesh in code, a torus of triangles, and write it in every format.
 *
 *   handmade FOLDER */
#include <facet/facet.h>
#include <math.h>
#include <stdio.h>

enum { AROUND = 48, ACROSS = 24 };

/* Create positions, normals and texture coordinates of a torus. Vertices at the seams are doubled,
 * because texture coordinates are discontinuous there. */
static facet_status make_torus(facet_scene *scene, facet_error *error)
{
    const double turn = 2 * acos(-1);
    const uint32_t vertices = (AROUND + 1) * (ACROSS + 1), corners = AROUND * ACROSS * 6;
    facet_mesh *mesh = NULL;
    facet_stream *stream[3] = {0};
    facet_status status = facet_scene_add_mesh(scene, &mesh, error);
    static const facet_semantic semantics[3] = {FACET_POSITION, FACET_NORMAL, FACET_TEXCOORD};
    for (int i = 0; i < 3 && !status; i++)
        status = facet_mesh_add_stream(mesh, semantics[i], 0, NULL, FACET_FLOAT32, i == 2 ? 2 : 3,
                                       vertices, &stream[i], error);
    uint32_t *indices = status ? NULL : facet_scene_allocate(scene, corners, sizeof *indices);
    if (!indices)
        return status ? status : FACET_ERROR_MEMORY;
    for (int i = 0; i < 3; i++) { /* adding a stream may move the others */
        stream[i] = facet_mesh_find(mesh, semantics[i], 0);
        stream[i]->indices = indices;
    }
    float *position = stream[0]->data, *normal = stream[1]->data, *texcoord = stream[2]->data;
    for (uint32_t a = 0; a <= AROUND; a++) {
        for (uint32_t c = 0; c <= ACROSS; c++) {
            double u = turn * a / AROUND, v = turn * c / ACROSS;
            *normal++ = (float)(cos(v) * cos(u));
            *normal++ = (float)sin(v);
            *normal++ = (float)(-cos(v) * sin(u));
            *position++ = (float)((2 + cos(v)) * cos(u));
            *position++ = (float)sin(v);
            *position++ = (float)(-(2 + cos(v)) * sin(u));
            *texcoord++ = (float)a / AROUND;
            *texcoord++ = (float)c / ACROSS;
        }
    }
    for (uint32_t a = 0; a < AROUND; a++) {
        for (uint32_t c = 0; c < ACROSS; c++) {
            uint32_t here = a * (ACROSS + 1) + c, next = here + ACROSS + 1;
            const uint32_t quad[6] = {here, next, next + 1, here, next + 1, here + 1};
            for (int i = 0; i < 6; i++)
                *indices++ = quad[i];
        }
    }
    mesh->face_count = corners / 3; /* NULL face_offsets: every face is a triangle */
    mesh->corner_count = corners;
    return facet_scene_check(scene, NULL, error);
}

/* facet_prepare modifies the scene, so each format needs a new one. */
static facet_status write_as(const facet_format *format, const char *path, facet_error *error)
{
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_status status = facet_scene_create(NULL, &scene, error);
    if (!status)
        status = make_torus(scene, error);
    if (!status)
        status = facet_prepare(scene, format, NULL, NULL, NULL, error);
    if (!status)
        status = facet_output_open(path, &output, error);
    if (!status)
        status = facet_save(scene, format, NULL, output, error);
    if (!status)
        status = facet_output_commit(output, error);
    facet_output_free(output);
    facet_scene_free(scene);
    return status;
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: handmade FOLDER\n");
        return 2;
    }
    for (size_t i = 0; i < facet_format_count(); i++) {
        const facet_format *format = facet_format_get(i);
        char path[1000];
        facet_error error = {0};
        if (!facet_format_can_write(format))
            continue;
        snprintf(path, sizeof path, "%s/torus%s", words[1], facet_format_extensions(format)[0]);
        facet_status status = write_as(format, path, &error);
        if (status == FACET_ERROR_UNSUPPORTED) { /* an image format cannot store a mesh */
            fprintf(stderr, "%s: %s\n", facet_format_name(format), error.message);
        } else if (status) {
            fprintf(stderr, "%s: %s\n", path, error.message);
            return 1;
        } else {
            puts(path);
        }
    }
    return 0;
}
