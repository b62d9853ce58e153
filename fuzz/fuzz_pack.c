/* fuzz/fuzz_pack.c - harness for the archive.json of a folder. The text is rejected, or the archive
 * is written and can be read. */
#include "cli/cli.h"
#include "folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* Create the members that archive.json can name. */
static void fill_folder(void)
{
    static bool done;
    const uint8_t *bytes = (const uint8_t *)"some bytes";
    if (done)
        return;
    require(mkdir(own_path("in"), 0700) == 0);
    require(mkdir(own_path("in/c"), 0700) == 0);
    put_own_file("in/a", bytes, 10);
    put_own_file("in/b", bytes, 10);
    put_own_file("in/c/a", bytes, 4);
    put_own_file("in/c/d", bytes, 0);
    done = true;
}

static void read_back(const char *path)
{
    facet_archive *archive = NULL;
    facet_source source;
    facet_input *input = NULL;
    require(facet_input_open(path, NULL, &input, NULL) == FACET_OK);
    require(facet_input_decompress(input, &source, NULL) == FACET_OK);
    require(facet_archive_read(&source, NULL, &archive, NULL) == FACET_OK);
    facet_archive_free(archive);
    facet_input_close(input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"out.arc", "out.u8", "out.szs", "out.szp"};
    char out[400], in[400];
    cli_arguments arguments;
    if (size < 1)
        return 0;
    fill_folder();
    put_own_file("in/archive.json", data + 1, size - 1);
    snprintf(out, sizeof out, "%s", own_path(names[data[0] % 4]));
    snprintf(in, sizeof in, "%s", own_path("in"));
    char *words[] = {out, in};
    require(cli_parse(NULL, &cli_command_pack, 2, words, &arguments) == EXIT_DONE);
    facet_options options = {.memory_limit = (uint64_t)64 << 20};
    int result = cli_pack_archive(&arguments, out, in, FACET_NONE, &options);
    if (result == EXIT_DONE)
        read_back(out);
    else
        require(access(out, F_OK) != 0);
    unlink(out);
    cli_arguments_free(&arguments);
    return 0;
}
