/* bpx_minimal FILE.bpx - print the sections of a BPX container, and the size of a texture, with
 * only the single header:
 *
 *     make single-headers
 *     cc -I dist examples/bpx_minimal.c -o bpx_minimal */
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

/* Print an uncompressed texture. An engine with zlib decompresses other sections into `contents`
 * before. */
static int show_texture(const facet_bpx_layout *layout, const facet_bpx_section *section,
                        facet_error *error)
{
    facet_bpx document;
    facet_bpx_contents contents;
    facet_bpx_texture texture;
    memset(&document, 0, sizeof document);
    memset(&contents, 0, sizeof contents);
    contents.data = section->stored;
    contents.size = section->available;
    document.revision = layout->revision;
    document.type = layout->type;
    memcpy(document.extension, layout->extension, sizeof document.extension);
    document.section_count = 1;
    document.sections = &contents;
    if (facet_bpx_get_texture(&document, &texture, NULL, error) != FACET_OK)
        return 0;
    printf("texture: %u of %u x %u pixels, %u bytes each, first byte %u\n",
           (unsigned)texture.image_count, (unsigned)texture.width, (unsigned)texture.height,
           (unsigned)texture.bytes_per_pixel, texture.pixels[0]);
    return 1;
}

int main(int count, char **arguments)
{
    static const char *const compressions[] = {"plain", "zlib", "xz"};
    facet_bpx_layout layout;
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
        if (layout.type == 'T' && section.compression == FACET_BPX_PLAIN)
            ok = show_texture(&layout, &section, &error);
    }
    if (!ok)
        fprintf(stderr, "%s: %s\n", error.rule, error.message);
    free(data);
    return !ok;
}
