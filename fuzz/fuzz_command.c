/* fuzz/fuzz_command.c - harness for whole commands. The first 16 bytes select the command, the
 * formats and a few options from the program's tables; the rest is the input file.
 *
 * All files are in a folder of this process. A command that fails leaves no output. `facet check`
 * runs on each converted file. */
#include "bytes.h"
#include "cli/record.h"
#include "folder.h"

#include <ftw.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD 16 /* "FCMD", then the selectors; same value as in structure.c */
#define MAX_WORDS 24

static const cli_command *const commands[] = {
    &cli_command_info,
    &cli_command_check,
    &cli_command_convert,
    &cli_command_compare,
    &cli_command_render,
    &cli_command_extract,
    &cli_command_pack,
    &cli_command_deps,
    &cli_command_convert, /* listed twice, because it runs most of the code */
    NULL};
#define COMMANDS (sizeof commands / sizeof *commands - 1)

static const char *const kinds[] = {"glb", "obj", "ply",  "stl",   "bsm", "bga", "binarymesh",
                                    "bpx", "bmd", "bdl",  "gltf",  "iqm", "png", "bti",
                                    "arc", "szs", "zip",  "tar",   "bmt", "bck", "btk",
                                    "brk", "btp", "json", "obj.gz"};
#define KINDS (sizeof kinds / sizeof *kinds)

typedef struct line {
    char *words[MAX_WORDS];
    int count;
    char texts[MAX_WORDS][400];
} line;

static void add(line *l, const char *format, const char *a, const char *b)
{
    must(l->count < MAX_WORDS);
    snprintf(l->texts[l->count], sizeof l->texts[0], format, a, b);
    l->words[l->count] = l->texts[l->count];
    l->count++;
}

/* Options that end the process, change its state permanently, or wait. */
static bool is_left_out(const char *name)
{
    static const char *const names[] = {"help",    "time-limit", "memory-limit", "threads",
                                        "timings", "thumbnail",  "size",         NULL};
    for (size_t i = 0; names[i]; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

/* Option number `index` of all sets of the command, modulo their count. */
static const cli_option *option_of(const cli_command *command, unsigned index)
{
    unsigned count = 0;
    for (size_t i = 0; command->sets[i]; i++) {
        for (const cli_option *option = command->sets[i]->options; option->name; option++)
            count++;
    }
    index %= count;
    for (size_t i = 0; command->sets[i]; i++) {
        for (const cli_option *option = command->sets[i]->options; option->name; option++) {
            if (index-- == 0)
                return option;
        }
    }
    return NULL;
}

/* Value of an option of kind text; a path in the folder if the option may name a file. */
static const char *text_for(const cli_option *option, unsigned value)
{
    static const char *const files[] = {"in", "side", "side/a.mtl", "new"};
    static const char *const words[] = {"0", "1", "a", "0.5", "0,0,1", "1,2,3,4,5,6", "*", "all"};
    static const struct {
        const char *name, *values[5];
    } known[] = {{"view", {"front", "top", "iso", "left", "x"}},
                 {"mode", {"normals", "uv", "wireframe", "overdraw", "weights"}},
                 {"clip", {"0", "a", "all", "1", ""}},
                 {"animation", {"0", "a", "all", "1", ""}},
                 {"variant", {"0", "a", "all", "1", ""}},
                 {"background", {"#fff", "none", "red", "0,0,0", ""}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(option->name, known[i].name) == 0)
            return known[i].values[value % 5];
    }
    if (strcmp(option->name, "camera") == 0 || strcmp(option->name, "light") == 0 ||
        strcmp(option->name, "time") == 0 || strcmp(option->name, "ignore") == 0)
        return words[value % 8];
    return own_path(files[value % 4]);
}

static void add_option(line *l, const cli_option *option, unsigned value)
{
    char text[400] = "";
    if (is_left_out(option->name))
        return;
    switch (option->kind) {
    case CLI_FLAG:
        break;
    case CLI_TEXT:
    case CLI_TEXTS:
        snprintf(text, sizeof text, "%s", text_for(option, value));
        break;
    case CLI_FORMAT:
        snprintf(text, sizeof text, "%s", kinds[value % KINDS]);
        break;
    case CLI_WORD: {
        unsigned count = 0;
        while (option->words[count])
            count++;
        snprintf(text, sizeof text, "%s", option->words[value % count]);
        break;
    }
    case CLI_COUNT:
    case CLI_COUNT_OR_ZERO:
    case CLI_COUNT_OR_AUTO:
        snprintf(text, sizeof text, "%u", (option->least ? option->least : 1) + value % 3);
        break;
    case CLI_NUMBER:
    case CLI_NUMBER_OR_ZERO:
        snprintf(text, sizeof text, "%g", (value % 16 + 1) / 16.0 * (value & 16 ? 8 : 1));
        break;
    }
    add(l, "--%s", option->name, NULL);
    if (option->kind != CLI_FLAG)
        add(l, "%s", text, NULL);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind;
    return walk->level > 0 ? remove(path) : 0;
}

static bool is_not_empty;
static int find_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)path, (void)status;
    if (walk->level > 0 && kind == FTW_F)
        is_not_empty = true;
    return 0;
}

/* Empty the folder, except for files that an input may refer to. */
static void clear_folder(void)
{
    static const char materials[] = "newmtl a\nKd 1 0 0\nmap_Kd a.png\n";
    own_path("");
    nftw(own_folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    must(mkdir(own_path("side"), 0700) == 0 && mkdir(own_path("out"), 0700) == 0);
    put_own_file("side/a.mtl", (const uint8_t *)materials, sizeof materials - 1);
}

/* Discard stdout: writing it would take most of the time. */
static void be_quiet(void)
{
    static bool done;
    if (!done && !getenv("FACET_FUZZ_LOUD"))
        stdout = fopen("/dev/null", "w");
    done = true;
}

static int run(const cli_command *command, line *l)
{
    cli_arguments arguments;
    if (getenv("FACET_FUZZ_LOUD")) {
        fprintf(stderr, "%s", command->name);
        for (int i = 0; i < l->count; i++)
            fprintf(stderr, " %s", l->words[i]);
        fputc('\n', stderr);
    }
    cli_record record = {.aloud = true};
    int result = cli_parse(&record, command, l->count, l->words, &arguments);
    arguments.commands = commands;
    arguments.program = "facet";
    if (result == EXIT_DONE && arguments.count >= command->least &&
        (command->most < 0 || arguments.count <= command->most)) {
        cli_message_setup(&arguments.common);
        /* cli_run_command would limit the memory and time of the whole process. */
        result = command->run(&arguments);
    }
    cli_arguments_free(&arguments);
    cli_record_free(&record);
    must(result >= EXIT_DONE && result <= EXIT_SYSTEM);
    return result;
}

static void check_output(const char *output)
{
    line l = {0};
    add(&l, "%s", output, NULL);
    run(&cli_command_check, &l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD || memcmp(data, "FCMD", 4) != 0)
        return -1;
    bytes head = {data + 4, HEAD - 4};
    line l = {0};
    char input[400], output[400], name[64];
    const cli_command *command = commands[take(&head) % COMMANDS];
    const char *from = kinds[take(&head) % KINDS], *to = kinds[take(&head) % KINDS];

    be_quiet();
    clear_folder();
    snprintf(name, sizeof name, "side/in.%s", from);
    snprintf(input, sizeof input, "%s", put_own_file(name, data + HEAD, size - HEAD));
    put_own_file("in", data + HEAD, size - HEAD);
    snprintf(name, sizeof name, "out/out.%s", command == &cli_command_render ? "png" : to);
    snprintf(output, sizeof output, "%s", own_path(name));
    for (unsigned left = take(&head) % 4; left > 0; left--) {
        unsigned index = take(&head);
        add_option(&l, option_of(command, index), take(&head));
    }
    if (command == &cli_command_render)
        add(&l, "--size", NULL, NULL), add(&l, "24x16", NULL, NULL);
    if (command == &cli_command_pack) {
        add(&l, "%s", output, NULL);
        add(&l, "%s", own_path("side"), NULL);
    } else {
        add(&l, "%s", input, NULL);
    }
    if (command == &cli_command_compare) {
        /* The second file is the first one with one byte changed. */
        uint8_t *other = malloc(size - HEAD + 1);
        must(other != NULL);
        memcpy(other, data + HEAD, size - HEAD);
        if (size > HEAD)
            other[take(&head) * (size_t)257 % (size - HEAD)] ^= take(&head);
        snprintf(name, sizeof name, "other.%s", from);
        add(&l, "%s", put_own_file(name, other, size - HEAD), NULL);
        free(other);
    }
    if (command == &cli_command_convert || command == &cli_command_render)
        add(&l, "%s", output, NULL);
    if (command == &cli_command_extract)
        add(&l, "%s", own_path("out"), NULL);

    int result = run(command, &l);
    is_not_empty = false;
    nftw(own_path("out"), find_one, 8, FTW_PHYS);
    bool is_whole = command == &cli_command_convert || command == &cli_command_render ||
                    command == &cli_command_pack;
    must(!is_whole || result == EXIT_DONE || !is_not_empty);
    if (command == &cli_command_convert && result == EXIT_DONE && access(output, F_OK) == 0)
        check_output(output);
    return 0;
}
