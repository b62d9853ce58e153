/* batch/names.c - names of outputs from templates, and the shard of an item. */
#include "base/arena.h"
#include "base/sha256.h"
#include "batch/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* -- Temporary files ---------------------------------------------------- */

void cli_temporary_template(char path[FACET_PATH_MAX])
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, FACET_PATH_MAX, "%s/facet-XXXXXX", folder && *folder ? folder : "/tmp");
}

/* -- URLs --------------------------------------------------------------- */

bool cli_batch_is_url(const char *path)
{
    const char *colon = strchr(path, ':');
    if (!colon || strncmp(colon, "://", 3) != 0)
        return false;
    size_t scheme = strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789+-.");
    return scheme > 1 && path + scheme == colon;
}

/* -- Templates ---------------------------------------------------------- */

/* Text that grows, in an arena. */
typedef struct growing {
    facet_arena *arena;
    char *text;
    size_t length, space;
    bool failed;
} growing;

static void append(growing *g, const char *text, size_t length)
{
    if (g->length + length + 1 > g->space) {
        size_t space = 2 * (g->length + length + 32);
        char *grown = facet_arena_resize(g->arena, g->text, g->space, space, 1);
        g->failed |= !grown;
        if (!grown)
            return;
        g->text = grown;
        g->space = space;
    }
    memcpy(g->text + g->length, text, length);
    g->length += length;
}

/* An id is not a path: replace each character that has a meaning in paths by "_". */
static void append_id(growing *g, const char *id)
{
    for (const char *at = id; *at; at++) {
        unsigned char c = (unsigned char)*at;
        bool plain = c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                     (c >= 'a' && c <= 'z') || c == '-' || c == '_' || (c == '.' && at > id);
        append(g, plain ? at : "_", 1);
    }
}

/* Append a path below the output folder: without a root, without "..". */
static void append_folder(growing *g, const char *folder, size_t length)
{
    bool first = true;
    for (size_t at = 0; at < length;) {
        size_t part = 0;
        while (at + part < length && folder[at + part] != '/')
            part++;
        bool skipped = part == 0 || (part == 1 && folder[at] == '.') ||
                       (part == 2 && folder[at] == '.' && folder[at + 1] == '.');
        if (!skipped) {
            if (!first)
                append(g, "/", 1);
            append(g, folder + at, part);
            first = false;
        }
        at += part + 1;
    }
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The number in "{id:2}", for `with` "{id:"; 0: another name, or a number outside 1 to 64. */
static size_t count_in(const char *at, const char *with)
{
    char *end;
    if (!begins(at, with) || at[strlen(with)] < '1' || at[strlen(with)] > '9')
        return 0;
    unsigned long count = strtoul(at + strlen(with), &end, 10);
    return *end == '}' && count <= 64 ? count : 0;
}

/* Shorten the text that begins at `first` to `count` characters. */
static void cut(growing *g, size_t first, size_t count)
{
    size_t at = first;
    for (; at < g->length && count > 0; count--) {
        for (at++; at < g->length && ((unsigned char)g->text[at] & 0xC0) == 0x80;)
            at++;
    }
    g->length = at;
}

/* The first hexadecimal digits of the SHA-256 of the id: they give folders of about equal size. */
static void append_sum(growing *g, const char *id, size_t count)
{
    char text[65];
    facet_sha256_text(id, strlen(id), text);
    append(g, text, count);
}

char *cli_batch_expand(facet_arena *arena, const char *template, const char *id, const char *in,
                       size_t below)
{
    growing g = {.arena = arena};
    const char *slash = strrchr(in, '/'), *name = slash ? slash + 1 : in;
    const char *dot = strrchr(name, '.'), *end = in + strlen(in);
    dot = dot && dot > name ? dot : end;
    const char *folder = slash && (size_t)(slash - in) >= below ? in + below : in;
    size_t folder_length = slash && slash > folder ? (size_t)(slash - folder) : 0;
    for (const char *at = template; *at;) {
        const char *close = *at == '{' ? strchr(at, '}') : NULL;
        if (!close) {
            append(&g, at++, 1);
            continue;
        }
        size_t before = g.length;
        if (begins(at, "{id}"))
            append_id(&g, id);
        else if (count_in(at, "{sha:"))
            append_sum(&g, id, count_in(at, "{sha:"));
        else if (count_in(at, "{id:")) {
            append_id(&g, id);
            cut(&g, before, count_in(at, "{id:"));
        } else if (begins(at, "{name}"))
            append(&g, name, (size_t)(end - name));
        else if (begins(at, "{stem}"))
            append(&g, name, (size_t)(dot - name));
        else if (begins(at, "{ext}"))
            append(&g, dot + (*dot == '.'), strlen(dot + (*dot == '.')));
        else if (at == template && slash == in)
            append(&g, "/", 1); /* next to the inputs, which are in the root folder */
        else if (at == template)
            append(&g, in, slash ? (size_t)(slash - in) : 0); /* next to the inputs */
        else
            append_folder(&g, folder, folder_length);
        bool is_folder = begins(at, "{dir}");
        at = close + 1;
        if (is_folder && g.length == before && *at == '/')
            at++;
    }
    append(&g, "", 1);
    if (g.failed)
        return NULL;
    /* Keep only the needed bytes of each name: a batch can have a million names. */
    char *kept = facet_arena_string(arena, g.text, g.length - 1);
    facet_arena_release(arena, g.text, g.space, 1);
    return kept;
}

bool cli_batch_template_suits(const char *option, const char *template)
{
    static const char *const names[] = {"{id}", "{dir}", "{name}", "{stem}", "{ext}"};
    for (const char *at = strchr(template, '{'); at; at = strchr(at + 1, '{')) {
        bool known = false;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            known |= begins(at, names[i]);
        if (!known && !count_in(at, "{id:") && !count_in(at, "{sha:")) {
            cli_complain(NULL,
                         "--%s takes {id}, {dir}, {name}, {stem}, {ext}, {id:N} and {sha:N}, not "
                         "'%s'",
                         option, at);
            return false;
        }
    }
    return true;
}

/* -- Shards ------------------------------------------------------------- */

/* Environment variables of a task: its index, the first index, the step, the number of tasks, and
 * the last index. `base` is 1 for engines whose arrays cannot begin at 0. A scheduler's job may run
 * tasks of MPI, so variables of arrays come first. */
static const struct engine {
    const char *index, *first, *step, *count, *last;
    unsigned base;
} engines[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP",
     "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MAX", 0},
    {"AWS_BATCH_JOB_ARRAY_INDEX", NULL, NULL, "AWS_BATCH_JOB_ARRAY_SIZE", NULL, 0},
    {"JOB_COMPLETION_INDEX", NULL, NULL, NULL, NULL, 0},
    {"BATCH_TASK_INDEX", NULL, NULL, "BATCH_TASK_COUNT", NULL, 0},
    {"CLOUD_RUN_TASK_INDEX", NULL, NULL, "CLOUD_RUN_TASK_COUNT", NULL, 0},
    {"HQ_TASK_ID", NULL, NULL, NULL, NULL, 0},
    {"PBS_ARRAY_INDEX", NULL, NULL, NULL, NULL, 0},
    {"PBS_ARRAYID", NULL, NULL, NULL, NULL, 0},
    {"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_STEPSIZE", NULL, "SGE_TASK_LAST", 1},
    {"LSB_JOBINDEX", NULL, NULL, NULL, NULL, 1},
    {"TEST_SHARD_INDEX", NULL, NULL, "TEST_TOTAL_SHARDS", NULL, 0},
    {"OMPI_COMM_WORLD_RANK", NULL, NULL, "OMPI_COMM_WORLD_SIZE", NULL, 0},
    {"PMI_RANK", NULL, NULL, "PMI_SIZE", NULL, 0},
    {"SLURM_PROCID", NULL, NULL, "SLURM_NTASKS", NULL, 0},
};

static bool parse_number(const char *text, char end, uint64_t *number, const char **rest)
{
    char *after;
    errno = 0;
    unsigned long long value = strtoull(text, &after, 10);
    if (*text < '0' || *text > '9' || errno || *after != end)
        return false;
    *number = value;
    if (rest)
        *rest = after;
    return true;
}

static bool variable(const char *name, uint64_t *number)
{
    const char *text = name ? getenv(name) : NULL;
    return text && parse_number(text, '\0', number, NULL);
}

static int shard_of_engine(const char *text, cli_batch_shard *shard)
{
    const struct engine *e = NULL;
    for (size_t i = 0; i < sizeof engines / sizeof *engines && !e; i++)
        e = variable(engines[i].index, &shard->index) && shard->index >= engines[i].base
                ? &engines[i] /* no array: LSF sets 0, SGE not a number */
                : NULL;
    if (!e) {
        cli_complain(NULL,
                     "--shard %s: no engine sets the number of this task (SLURM_ARRAY_TASK_ID, "
                     "AWS_BATCH_JOB_ARRAY_INDEX, JOB_COMPLETION_INDEX and others are not set; "
                     "docs/reference/batch.md lists them)",
                     text);
        return EXIT_USAGE;
    }
    if (shard->count > 0) { /* keep the task's own number, so that single tasks can be run again */
        shard->index -= e->base;
        return EXIT_DONE;
    }
    uint64_t first = 0, step = 1, last = 0;
    variable(e->first, &first);
    if (!variable(e->step, &step) || step == 0)
        step = 1;
    bool known = variable(e->last, &last) && last >= first;
    if (!e->count && known)
        shard->count = (last - first) / step + 1;
    else if (!variable(e->count, &shard->count) || shard->count == 0) {
        cli_complain(NULL, "%s is set, but the number of tasks is unknown; give --shard auto/N",
                     e->index);
        return EXIT_USAGE;
    }
    if (known && (last - first) / step + 1 != shard->count) {
        cli_complain(NULL, "this array of tasks has gaps, so that the shards of a complete one are "
                           "unknown; give --shard auto/N");
        return EXIT_USAGE;
    }
    if (shard->index < first) {
        cli_complain(NULL, "%s is %llu, expected %s or more, which is %llu", e->index,
                     (unsigned long long)shard->index, e->first, (unsigned long long)first);
        return EXIT_USAGE;
    }
    shard->index = (shard->index - first) / step;
    return EXIT_DONE;
}

int cli_batch_shard_parse(const char *text, cli_batch_shard *shard)
{
    const char *slash = strchr(text, '/');
    *shard = (cli_batch_shard){0, 0};
    bool automatic = begins(text, "auto") && (!text[4] || text[4] == '/');
    bool right = automatic ? !slash || (parse_number(slash + 1, '\0', &shard->count, NULL) &&
                                        shard->count > 0)
                           : slash && parse_number(text, '/', &shard->index, &slash) &&
                                 parse_number(slash + 1, '\0', &shard->count, NULL);
    if (!right) {
        cli_complain(NULL, "--shard takes I/N, auto or auto/N, not '%s'", text);
        return EXIT_USAGE;
    }
    int result = automatic ? shard_of_engine(text, shard) : EXIT_DONE;
    if (result == EXIT_DONE && shard->index >= shard->count) {
        cli_complain(NULL, "--shard %s: shard %llu of %llu, expected 0 to below %llu", text,
                     (unsigned long long)shard->index, (unsigned long long)shard->count,
                     (unsigned long long)shard->count);
        return EXIT_USAGE;
    }
    return result;
}

uint64_t cli_batch_number_of(const char *id)
{
    facet_sha256 hash;
    uint8_t digest[32];
    uint64_t number = 0;
    facet_sha256_begin(&hash);
    facet_sha256_add(&hash, id, strlen(id));
    facet_sha256_end(&hash, digest);
    for (int i = 0; i < 8; i++)
        number = number << 8 | digest[i];
    return number;
}

/* The rule is simple enough to compute in any language. */
bool cli_batch_shard_has(const cli_batch_shard *shard, const char *id)
{
    return shard->count <= 1 || cli_batch_number_of(id) % shard->count == shard->index;
}

/* -- Shards that are files ---------------------------------------------- */

bool cli_batch_lacks_shard(const char *template, bool needed)
{
    bool file = template && strcmp(template, "-") != 0;
    return file ? !strstr(template, "{shard}") : needed;
}

bool cli_batch_name_file(const char *template, const char *shard, char *path, size_t space)
{
    size_t used = 0;
    for (const char *mark; (mark = strstr(template, "{shard}")) && used < space;
         template = mark + strlen("{shard}"))
        used += (size_t)snprintf(path + used, space - used, "%.*s%s", (int)(mark - template),
                                 template, shard);
    if (used < space)
        used += (size_t)snprintf(path + used, space - used, "%s", template);
    return used < space;
}

facet_name cli_batch_name_of_shard(const char *path)
{
    const char *name = facet_path_name(path);
    return (facet_name){name, strcspn(name, ".")};
}

int cli_batch_check_shard_names(char *const *paths, int count)
{
    facet_arena *arena = NULL;
    int result = EXIT_DONE;
    if (facet_arena_create(NULL, &arena, NULL)) {
        cli_complain_memory(NULL);
        return EXIT_SYSTEM;
    }
    facet_names names = facet_names_make(arena);
    for (int i = 0; i < count && result == EXIT_DONE; i++) {
        facet_name name = cli_batch_name_of_shard(paths[i]);
        uint32_t known = facet_names_put(&names, name.text, name.length);
        if (known == UINT32_MAX) {
            cli_complain_memory(NULL);
            result = EXIT_SYSTEM;
        } else if (known != (uint32_t)i) {
            cli_complain(NULL,
                         "'%s' and '%s' are shards with the same {shard}; expected names that "
                         "differ before their first dot",
                         paths[known], paths[i]);
            result = EXIT_USAGE;
        }
    }
    facet_arena_free(arena);
    return result;
}
