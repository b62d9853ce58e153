/* Compressed files: Facet's decompression beside the command line of the same codec, in user
 * time.
 *
 *   bench_codecs FOLDER
 *
 * The file is a GLB of a character. A codec whose program or library is absent is left out. */
#include "support/bench.h"
#include "support/character.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 7, TRIANGLES = 1000000 };

static long decompress(void *user)
{
    const char *path = user;
    facet_input *input;
    facet_source source;
    facet_error error;
    bench_start();
    facet_status status = facet_input_open(path, NULL, &input, &error);
    if (!status)
        status = facet_input_decompress(input, &source, &error);
    bench_stop();
    return status ? -1 : (long)(source.data[source.size / 2]);
}

static void write_plain(const facet_output *bytes, const char *path)
{
    size_t size = (size_t)facet_output_size(bytes);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(facet_output_data(bytes), 1, size, file) != size || fclose(file))
        exit(1);
}

int main(int argc, char **argv)
{
    static const char *const codecs[][2] = {
        {"gzip", "gz"}, {"bzip2", "bz2"}, {"xz", "xz"}, {"zstd", "zst"}, {"lz4", "lz4"}};
    if (argc < 2)
        return 0;
    facet_scene *scene = bench_make_character(TRIANGLES);
    facet_output *glb = bench_save(scene, "glb");
    char plain[4096], packed[4200], command[9000];
    double size = (double)facet_output_size(glb);
    snprintf(plain, sizeof plain, "%s/codecs.glb", argv[1]);
    write_plain(glb, plain);
    facet_output_free(glb);
    facet_scene_free(scene);
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        snprintf(packed, sizeof packed, "%s.%s", plain, codecs[i][1]);
        snprintf(command, sizeof command, "%s -c '%s' >'%s' 2>/dev/null", codecs[i][0], plain,
                 packed);
        if (system(command) != 0)
            continue;
        const char *const unpack[] = {codecs[i][0], "-dc", packed, NULL};
        char title[64];
        snprintf(title, sizeof title, "%s, decompressed, user time", codecs[i][0]);
        bench_job jobs[] = {
            {.name = "facet_input_decompress", .run = decompress, .user = packed, .user_time = 1},
            {.name = "its program", .command = unpack, .user_time = 1}};
        bench_compare(title, jobs, 2, ROUNDS, size);
        remove(packed);
    }
    remove(plain);
    return 0;
}
