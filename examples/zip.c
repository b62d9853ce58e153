/* Load an OBJ with its MTL and pictures from a ZIP archive, without writing them to disk. The
 * callbacks of facet_source read the archive; an engine can do the same with its own archives.
 *
 *   zip ARCHIVE.zip MEMBER.obj OUT.glb */
#include <facet/facet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

/* Read a member into memory; NULL if it is missing or larger than 1 GiB. */
static uint8_t *read_member(zip_t *archive, const char *name, size_t *size)
{
    zip_stat_t known;
    if (zip_stat(archive, name, 0, &known) != 0 || known.size > (zip_uint64_t)1 << 30)
        return NULL;
    zip_file_t *member = zip_fopen(archive, name, 0);
    uint8_t *data = malloc(known.size + 1);
    if (member && data && zip_fread(member, data, known.size) == (zip_int64_t)known.size) {
        *size = (size_t)known.size;
    } else {
        free(data);
        data = NULL;
    }
    if (member)
        zip_fclose(member);
    return data;
}

static void close_member(facet_source *source)
{
    free((void *)(uintptr_t)source->data);
    free((void *)(uintptr_t)source->name);
}

/* Names are relative to the folder of the file that contains them. */
static facet_status open_beside(const facet_source *source, const char *name, facet_source *sibling,
                                facet_error *error)
{
    const char *slash = strrchr(source->name, '/');
    size_t folder = slash ? (size_t)(slash - source->name) + 1 : 0;
    char *path = malloc(folder + strlen(name) + 1);
    (void)error;
    if (!path)
        return FACET_ERROR_MEMORY;
    memcpy(path, source->name, folder);
    memcpy(path + folder, name, strlen(name) + 1);
    uint8_t *data = read_member(source->user, path, &sibling->size);
    if (!data) {
        free(path);
        return FACET_ERROR_IO;
    }
    sibling->data = data;
    sibling->name = path;
    sibling->user = source->user;
    sibling->open_sibling = open_beside;
    sibling->close = close_member;
    return FACET_OK;
}

static facet_status convert(zip_t *archive, const char *member, const char *out, facet_error *error)
{
    facet_source source = {.name = member, .open_sibling = open_beside, .user = archive};
    facet_load_options load = {.images = true};
    const facet_format *format = facet_format_from_path(out);
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    uint8_t *data = read_member(archive, member, &source.size);
    source.data = data;
    facet_status status =
        data ? facet_load(&source, NULL, &load, NULL, &scene, error) : FACET_ERROR_IO;
    if (!status)
        status = facet_prepare(scene, format, NULL, NULL, NULL, error);
    if (!status)
        status = facet_output_open(out, &output, error);
    if (!status)
        status = facet_save(scene, format, NULL, output, error);
    if (!status)
        status = facet_output_commit(output, error);
    facet_output_free(output);
    facet_scene_free(scene);
    free(data);
    return status;
}

int main(int count, char **words)
{
    if (count != 4 || !facet_format_from_path(words[3])) {
        fprintf(stderr, "usage: zip ARCHIVE.zip MEMBER OUT\n");
        return 2;
    }
    zip_t *archive = zip_open(words[1], ZIP_RDONLY, NULL);
    facet_error error = {.message = "the archive has no such member"};
    if (!archive) {
        fprintf(stderr, "%s: no ZIP archive\n", words[1]);
        return 1;
    }
    facet_status status = convert(archive, words[2], words[3], &error);
    if (status)
        fprintf(stderr, "%s: %s\n", words[2], error.message);
    zip_close(archive);
    return status ? 1 : 0;
}
