/* bpx_minimal FILE.bpx - print the sections of a BPX container, and its texture or model, with only
 * the single header:
 *
 *     make single-headers
 *     cc -I dist examples/bpx_minimal.c -o bpx_minimal
 *
 * With -DBPX_ZLIB and -lz, it also reads compressed sections. */
#ifdef BPX_ZLIB
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

/* 0: done, 1: `to` is too small, 2: damaged. */
static int inflate_section(const uint8_t *from, size_t size, size_t *used, uint8_t *to,
                           size_t space, size_t *written)
{
    uLong in = (uLong)size;
    uLongf out = (uLongf)space;
    int result = uncompress2(to, &out, from, &in);
    *used = in;
    *written = out;
    return result == Z_OK ? 0 : result == Z_BUF_ERROR ? 1 : 2;
}
#define FACET_BPX_INFLATE inflate_section
#endif
#define FACET_BPX_IMPLEMENTATION
#include "facet_bpx.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    long length;
    if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 &&
        fseek(file, 0, SEEK_SET) == 0 && (data = (uint8_t *)malloc((size_t)length + 1)) != NULL)
        *size = fread(data, 1, (size_t)length, file);
    if (file)
        fclose(file);
    return data;
}

static int show_texture(const facet_bpx *document, facet_error *error)
{
    facet_bpx_texture texture;
    if (facet_bpx_get_texture(document, &texture, NULL, error) != FACET_OK)
        return 0;
    printf("texture: %u of %u x %u pixels, %u bytes each, first byte %u\n",
           (unsigned)texture.image_count, (unsigned)texture.width, (unsigned)texture.height,
           (unsigned)texture.bytes_per_pixel, texture.pixels[0]);
    return 1;
}

static int show_model(const facet_bpx *document, facet_error *error)
{
    static facet_bpx_model model;
    uint32_t i;
    if (facet_bpx_get_model(document, &model, error) != FACET_OK)
        return 0;
    printf("model: %u bytes per vertex, %u bones, %u frames\n", (unsigned)model.vertex_size,
           (unsigned)model.bone_count, (unsigned)model.frame_count);
    for (i = 0; i < model.component_count; i++)
        printf("component of meaning %u: %u elements at byte %u\n",
               (unsigned)model.components[i].meaning, (unsigned)model.components[i].elements,
               (unsigned)model.components[i].offset);
    /* An engine passes array.vertices to the GPU. */
    for (i = 0; i < model.array_count; i++)
        printf("material at %u of the strings: %u vertices\n", (unsigned)model.arrays[i].material,
               (unsigned)model.arrays[i].vertex_count);
    return 1;
}

int main(int count, char **arguments)
{
    static const char *const compressions[] = {"plain", "zlib", "xz"};
    facet_bpx_layout layout;
    facet_bpx *document = NULL;
    facet_source source;
    facet_error error;
    size_t size = 0;
    uint32_t i;
    int ok;
    uint8_t *data = count == 2 ? read_file(arguments[1], &size) : NULL;
    if (!data) {
        fprintf(stderr, count == 2 ? "cannot read '%s'\n" : "usage: bpx_minimal FILE.bpx\n",
                arguments[1]);
        return 1;
    }
    ok = facet_bpx_view(data, size, &layout, &error) == FACET_OK;
    for (i = 0; ok && i < layout.section_count; i++) {
        facet_bpx_section section = facet_bpx_section_at(&layout, i);
        printf("section %u: type %u, %s, %lu bytes\n", (unsigned)i, section.type,
               compressions[section.compression], (unsigned long)section.available);
    }
    memset(&source, 0, sizeof source);
    source.data = data;
    source.size = size;
    ok = ok && facet_bpx_read(&source, NULL, &document, &error) == FACET_OK;
    if (ok && layout.type == 'T')
        ok = show_texture(document, &error);
    if (ok && layout.type == 'M')
        ok = show_model(document, &error);
    if (!ok)
        fprintf(stderr, "%s: %s\n", error.rule, error.message);
    facet_bpx_free(document);
    free(data);
    return !ok;
}
