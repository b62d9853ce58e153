/* batch/worker.c - facet worker: it reads requests, and writes a line of JSON for each. */
#include "base/error.h"
#include "base/json.h"
#include "base/system.h"
#include "batch/batch.h"
#include "batch/request.h"
#include "cli/restrict.h"
#include "cli/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

typedef struct settings {
    bool persistent, bound, unsynced, tar;
    unsigned memory;
    cli_texts also, filters;
} settings;
static const cli_option_set own;

/* -- Limits ------------------------------------------------------------- */

/* Bytes of address space in use; 0: unknown. */
static uint64_t address_space(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%llu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void limit(const settings *s)
{
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (s->memory > 0) {
        uint64_t bytes = address_space() + ((uint64_t)s->memory << 20);
        struct rlimit most = {(rlim_t)bytes, (rlim_t)bytes};
        setrlimit(RLIMIT_AS, &most);
    }
    if (!s->bound)
        return;
    /* Ignore signals: the parent handles them, and its end also ends this process. */
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    sigset_t blocked = cli_batch_stopping_signals(); /* blocked by the parent */
    sigprocmask(SIG_UNBLOCK, &blocked, NULL);
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

/* Restrict the process, because it reads untrusted files. Output paths are in later requests, so it
 * may write everywhere, or nowhere if the parent writes the outputs into a tar. */
static void give_up_rights(bool only_reads)
{
    const cli_allowed everywhere = {.all = true}, nowhere = {.all = false};
    cli_restrict(&everywhere, only_reads ? &nowhere : &everywhere);
}

/* -- Native requests ----------------------------------------------------- */

static facet_json *refuse(const facet_json *request, const char *sentence)
{
    const char *id = facet_json_string_value(facet_json_object_get(request, "id"));
    const char *in = facet_json_string_value(facet_json_object_get(request, "in"));
    cli_batch_item item = {.id = id   ? id
                                 : in ? in
                                      : "",
                           .in = in ? in : "",
                           .attempt = 1,
                           .run = 1};
    return cli_batch_line(&item, "failed", "REQUEST", false, sentence);
}

/* Another attempt may find enough memory. */
static facet_json *lack_memory(const cli_batch_item *item)
{
    return cli_batch_line(item, "memory", "out of memory", true, "out of memory");
}

/* Bytes of a name; NULL if it is missing, or cannot be a path. */
static const char *name_in(const facet_json *request, const char *key, char name[FACET_PATH_MAX])
{
    const char *text = facet_json_string_value(facet_json_object_get(request, key));
    if (!text || strlen(text) >= FACET_PATH_MAX)
        return NULL;
    cli_decode_name(strcpy(name, text));
    return name;
}

static unsigned number_in(const facet_json *request, const char *key)
{
    int64_t number = facet_json_integer_value(facet_json_object_get(request, key));
    return number > 0 && number < 1000000 ? (unsigned)number : 1;
}

/* Strings of an array, decoded as names; the caller frees them and the array. NULL if they are not
 * strings, or if out of memory. */
static char **copy_names(const facet_json *array)
{
    size_t count = facet_json_array_size(array);
    char **copy = calloc(count + 1, sizeof *copy);
    bool right = copy && (!array || facet_json_is_array(array));
    for (size_t i = 0; i < count && right; i++) {
        const char *word = facet_json_string_value(facet_json_array_get(array, i));
        copy[i] = word ? strdup(word) : NULL;
        right = copy[i] != NULL;
        if (right)
            cli_decode_name(copy[i]);
    }
    for (size_t i = 0; i < count && copy && !right; i++)
        free(copy[i]);
    if (!right)
        free(copy);
    return right ? copy : NULL;
}

/* Also true without an array. */
static bool are_texts(const facet_json *array)
{
    bool right = !array || facet_json_is_array(array);
    for (size_t i = 0; i < facet_json_array_size(array) && right; i++)
        right = facet_json_is_string(facet_json_array_get(array, i));
    return right;
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count && names; i++)
        free(names[i]);
    free(names);
}

/* Error in the further outputs of a request, or NULL. */
static const char *fault_of_also(const cli_batch_job *job, char *const *names, size_t count)
{
    if (!names || count != job->also_count)
        return "\"also\" is an array of an output for each --also";
    for (size_t i = 0; i < count; i++) {
        if (!*names[i] || strcmp(names[i], "-") == 0 || cli_batch_is_url(names[i]))
            return "an output is a file";
    }
    return NULL;
}

/* True if an output of the item is the file that it reads, or the archive of that. */
static bool replaces_input(const cli_batch_item *item)
{
    char archive[FACET_PATH_MAX];
    const cli_batch_more *more = item->more;
    snprintf(archive, sizeof archive, "%.*s", (int)item->in_archive, item->in);
    for (size_t i = 0; i <= more->also_count; i++) {
        const char *out = i < more->also_count ? more->also[i] : item->out;
        if (out && (cli_is_same_file(item->in, out) || cli_is_same_file(archive, out)))
            return true;
    }
    return false;
}

static facet_json *answer_item(const cli_batch_job *job, const facet_json *request,
                               cli_record *record)
{
    char in[FACET_PATH_MAX], out[FACET_PATH_MAX];
    cli_batch_item item = {.in = name_in(request, "in", in),
                           .out = name_in(request, "out", out),
                           .id = facet_json_string_value(facet_json_object_get(request, "id")),
                           .attempt = number_in(request, "attempt"),
                           .run = number_in(request, "run"),
                           .changed =
                               facet_json_integer_value(facet_json_object_get(request, "in_ns"))};
    const facet_json *words = facet_json_object_get(request, "args");
    const facet_json *also = facet_json_object_get(request, "also");
    const facet_json *columns = facet_json_object_get(request, "columns");
    if (!item.in || !*item.in || strcmp(item.in, "-") == 0)
        return refuse(request, "a request is an object with the name of a file, \"in\"");
    if (cli_batch_is_url(item.in) || (item.out && cli_batch_is_url(item.out)))
        return refuse(request, "\"in\" and \"out\" are files, not URLs");
    if (!item.out && job->command->items == CLI_ITEMS_IN_OUT)
        return refuse(request, "the command needs an output, \"out\"");
    if (item.out && (!*item.out || strcmp(item.out, "-") == 0))
        return refuse(request, "an output is a file");
    if (!item.id)
        item.id = facet_json_string_value(facet_json_object_get(request, "in"));
    item.in_archive = (uint32_t)cli_kept_in_memory(record->kept, item.in);
    if (item.in_archive == 0)
        item.in_archive = (uint32_t)facet_archive_in_path(item.in);
    char *columns_text = facet_json_is_object(columns) ? cli_json_line(columns) : NULL;
    char **copy = copy_names(words), **outs = copy_names(also);
    const cli_batch_more more = {
        .sha256 = facet_json_string_value(facet_json_object_get(request, "sha256")),
        .columns = columns_text,
        .words = copy,
        .word_count = (int)facet_json_array_size(words),
        .also = outs,
        .also_count = facet_json_array_size(also)};
    item.more = &more;
    bool lacks = (!copy && are_texts(words)) || (!outs && are_texts(also)) ||
                 (facet_json_is_object(columns) && !columns_text);
    const char *fault =
        copy ? fault_of_also(job, outs, more.also_count) : "\"args\" is an array of strings";
    if (!lacks && !fault && !record->packs && replaces_input(&item))
        fault = "the output would replace the input; nothing is written";
    facet_json *line = lacks   ? NULL
                       : fault ? refuse(request, fault)
                               : cli_batch_run_item(job, &item, record);
    free_names(copy, facet_json_array_size(words));
    free_names(outs, more.also_count);
    free(columns_text);
    return line ? line : lack_memory(&item);
}

/* -- Requests of Bazel --------------------------------------------------- */

/* Print "a.obj:12: ", as commands do. */
static void print_place(FILE *to, const facet_json *finding, const char *in)
{
    const char *file = facet_json_string_value(facet_json_object_get(finding, "file"));
    const facet_json *line = facet_json_object_get(finding, "line");
    const facet_json *offset = facet_json_object_get(finding, "offset");
    if (file || in)
        cli_put(to, file ? file : in);
    if (facet_json_is_integer(line))
        fprintf(to, ":%lld", (long long)facet_json_integer_value(line));
    else if (facet_json_is_integer(offset))
        fprintf(to, ":0x%llX", (unsigned long long)facet_json_integer_value(offset));
    fputs(file || in ? ": " : "", to);
}

/* Messages of a command, as it would have printed them; `in` is its input, or NULL. */
static facet_json *text_of(const cli_record *record, const char *in)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return facet_json_string("");
    for (size_t i = 0; i < facet_json_array_size(record->findings); i++) {
        const facet_json *finding = facet_json_array_get(record->findings, i);
        fputs("facet: ", to);
        print_place(to, finding, in);
        cli_print_line(to, "%s [%s]: %s",
                       facet_json_string_value(facet_json_object_get(finding, "severity")),
                       facet_json_string_value(facet_json_object_get(finding, "rule")),
                       facet_json_string_value(facet_json_object_get(finding, "message")));
    }
    char *line = record->result ? cli_json_line(record->result) : NULL;
    fputs(line ? line : "", to);
    fclose(to);
    facet_json *string = facet_json_string(text);
    free(line);
    free(text);
    return string;
}

/* *in: the first file among the words, or NULL. */
static int run_words(const cli_arguments *own_arguments, const facet_json *given,
                     cli_record *record, const char **in)
{
    size_t count = facet_json_array_size(given);
    const char *name = facet_json_string_value(facet_json_array_get(given, 0));
    const cli_command *command = name ? cli_batch_find_command(own_arguments, name) : NULL;
    char **words = calloc(count + 2, sizeof *words), json[] = "--json";
    if (!words)
        return EXIT_SYSTEM;
    cli_record_free(record);
    int result = EXIT_DONE, used = 0;
    if (command && command->items == CLI_ITEMS_IN)
        words[used++] = json;
    for (size_t i = 1; i < count && result == EXIT_DONE; i++) {
        words[used++] = (char *)facet_json_string_value(facet_json_array_get(given, i));
        if (!words[used - 1] || strcmp(words[used - 1], "-") == 0)
            result = EXIT_USAGE;
    }
    if (!command || result != EXIT_DONE) {
        cli_complain(record,
                     "expected the words of a command for files, such as 'convert a.obj a.bsm'");
        free(words);
        return EXIT_USAGE;
    }
    cli_arguments arguments;
    result = cli_parse(record, command, used, words, &arguments);
    *in = arguments.count > 0 ? arguments.words[0] : NULL;
    bool fits = arguments.count >= command->least &&
                (command->most < 0 || arguments.count <= command->most);
    if (result == EXIT_DONE && !fits) {
        cli_complain(record, "usage: facet %s [options] %s", command->name, command->arguments);
        result = EXIT_USAGE;
    }
    if (result == EXIT_DONE)
        result = cli_run_command(&arguments);
    cli_arguments_free(&arguments);
    free(words);
    return result;
}

/* Answer a Bazel WorkRequest with a WorkResponse. */
static facet_json *answer_bazel(const cli_arguments *arguments, const facet_json *request,
                                cli_record *record)
{
    facet_json *response = facet_json_object();
    const char *in = NULL;
    int result = run_words(arguments, facet_json_object_get(request, "arguments"), record, &in);
    const facet_json *number = facet_json_object_get(request, "requestId");
    facet_json_set(response, "exitCode", facet_json_integer(result));
    facet_json_set(response, "output", text_of(record, in));
    facet_json_set(response, "requestId", facet_json_integer(facet_json_integer_value(number)));
    return response;
}

/* -- The command -------------------------------------------------------- */

/* `packed`: the outputs that follow a line that lists them. False if the answer was not written;
 * *no_memory is set if it could not be created. */
static bool write_answer(FILE *to, facet_json *answer, const cli_tar_bytes *packed, bool *no_memory)
{
    char *line = cli_json_line(answer);
    *no_memory |= !line;
    size_t size = facet_json_object_get(answer, "tar_bytes") ? packed->size : 0;
    errno = 0;
    bool written = line && fputs(line, to) >= 0 &&
                   (size == 0 || fwrite(packed->data, 1, size, to) == size) && fflush(to) == 0;
    *no_memory |= !written && errno == ENOMEM; /* the stream lacks memory for its buffer */
    facet_json_free(answer);
    free(line);
    return written;
}

/* Read the archive that contains a request's input: the bytes after the request, or the archive of
 * the previous request. An error message, or NULL. If `lost`, the following bytes may be a sample,
 * and are not parsed as requests. */
static const char *take_sample(cli_requests *requests, const facet_json *request,
                               cli_kept_archive *kept, bool *lost)
{
    char path[FACET_PATH_MAX];
    const void *bytes;
    const facet_json *size = facet_json_object_get(request, "archive_bytes");
    bool is_named = name_in(request, "archive", path) != NULL;
    if (!size && is_named)
        return kept->in_memory && strcmp(kept->path, path) == 0
                   ? NULL
                   : "the previous request sent no such archive";
    if (kept->in_memory)
        cli_kept_close(kept);
    if (!size)
        return NULL;
    *lost = true;
    if (facet_json_integer_value(size) <= 0 || !is_named)
        return "\"archive_bytes\" is the size of the \"archive\" that follows the request";
    void *block = cli_requests_bytes(requests, (size_t)facet_json_integer_value(size), &bytes);
    if (!block)
        return "the archive does not follow the request, after a line feed";
    *lost = false;
    if (!cli_kept_sample(kept, path, bytes, (size_t)facet_json_integer_value(size))) {
        free(block);
        return "the bytes after the request are not an archive";
    }
    kept->block = block;
    return NULL;
}

static int serve(const cli_arguments *arguments, const cli_batch_job *job, cli_record *record,
                 FILE *to)
{
    cli_requests requests = {.descriptor = STDIN_FILENO};
    const char *text;
    size_t length;
    bool written = true, lost = false, no_memory = false;
    while (written && !lost && cli_requests_next(&requests, &text, &length)) {
        facet_json_fault fault;
        facet_json *request = facet_json_read(text, length, 0, &fault);
        const char *wrong = take_sample(&requests, request, record->kept, &lost);
        no_memory = requests.no_memory || (!request && fault.memory);
        if (no_memory)
            lost = true;
        else if (wrong)
            written = write_answer(to, refuse(request, wrong), &record->tar, &no_memory);
        else if (!facet_json_is_object(request))
            written =
                write_answer(to, refuse(NULL, request ? "a request is an object" : fault.text),
                             &record->tar, &no_memory);
        else if (facet_json_object_get(request, "arguments") && record->packs)
            written = write_answer(to, refuse(NULL, "with --tar a request is an item"),
                                   &record->tar, &no_memory);
        else if (facet_json_object_get(request, "arguments"))
            written = write_answer(to, answer_bazel(arguments, request, record), &record->tar,
                                   &no_memory);
        else
            written = write_answer(to, answer_item(job, request, record), &record->tar, &no_memory);
        facet_json_free(request);
    }
    no_memory |= requests.no_memory;
    int fault = requests.fault;
    cli_requests_free(&requests);
    if (no_memory)
        return CLI_BATCH_WORKER_LACKS_MEMORY;
    if (fault) {
        cli_complain(NULL, "standard input: %s", strerror(fault));
        return EXIT_SYSTEM;
    }
    if (!written)
        cli_complain(NULL, "standard output could not be written");
    return written && !lost ? EXIT_DONE : EXIT_SYSTEM;
}

static int run(const cli_arguments *arguments)
{
    const settings *s = cli_settings_of(arguments, &own);
    cli_kept_archive kept = {0};
    cli_record record = {.kept = &kept,
                         .unsynced = s->unsynced,
                         .verifies = true,
                         .packs = s->tar,
                         /* a pipe would delay other requests; a batch sends only inputs that may be
                          * read */
                         .refuses_pipes = !s->bound};
    cli_batch_job job;
    int result = cli_batch_choose_job(arguments, &s->also, &s->filters, &job);
    if (result != EXIT_DONE) {
        cli_batch_job_free(&job);
        return result;
    }
    limit(s);
    cli_stop_for_lost_inputs(CLI_BATCH_WORKER_LOST_INPUT);
    if (s->bound)
        give_up_rights(s->tar);
    if (s->memory == 0) /* the archive in memory would count toward the limit */
        cli_keep_memory();
    /* Only answers go to standard output, even if a library prints. */
    int descriptor = dup(STDOUT_FILENO);
    FILE *to = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!to || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        cli_complain(NULL, "standard output: %s", strerror(errno));
        return EXIT_SYSTEM;
    }
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    result = serve(arguments, &job, &record, to);
    cli_record_free(&record);
    free(record.folder);
    cli_kept_close(&kept);
    cli_batch_job_free(&job);
    fclose(to);
    return result;
}

static const cli_option options[] = {
    {"memory", "MIB", "limit memory to MIB beyond that of the program itself", CLI_COUNT,
     .offset = offsetof(settings, memory)},
    {"unsynced", NULL, "do not wait until outputs are on the disk", CLI_FLAG,
     .offset = offsetof(settings, unsynced)},
    {"tar", NULL,
     "write no files: append the outputs of an item to its line as tar members of tar_bytes",
     CLI_FLAG, .offset = offsetof(settings, tar)},
    {"also", "TEXT",
     "run another command for each item: 'render {id}.png'; a request names its output in \"also\"",
     CLI_TEXTS, .offset = offsetof(settings, also)},
    {"filter", "CONDITION", "skip items that do not meet it: 'triangles<=100000'", CLI_TEXTS,
     .offset = offsetof(settings, filters)},
    {"bound", NULL, "end when the parent process ends, not on SIGTERM", CLI_FLAG,
     .offset = offsetof(settings, bound)},
    {"persistent_worker", NULL, "ignored; Bazel passes it to every worker", CLI_FLAG,
     .offset = offsetof(settings, persistent)},
    {0}};
static void release(void *given)
{
    free(((settings *)given)->also.items);
    free(((settings *)given)->filters.items);
}

static const cli_option_set own = {
    .options = options, .settings_size = sizeof(settings), .release = release};
static const cli_option_set *const sets[] = {&own, NULL};

const cli_command cli_command_worker = {
    "worker",
    "-- COMMAND",
    "answer requests, one per line",
    "Read requests from standard input, one JSON object per line. Write one line of JSON for\n"
    "each to standard output. The worker ends when its input ends. A request has one of two\n"
    "forms. An item of 'facet batch', {\"id\", \"in\", \"out\", \"args\"}, runs COMMAND (default:\n"
    "convert). A WorkRequest of Bazel is {\"arguments\": [\"convert\", \"a.obj\", \"a.bsm\"],\n"
    "\"requestId\"}.",
    sets,
    0,
    0,
    run,
    CLI_ITEMS_NONE,
    true,
    false};
