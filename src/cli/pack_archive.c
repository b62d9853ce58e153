/* cli/pack_archive.c - a folder to an archive: restored by its archive.json, or new in the layout
 * of the official tools. */
#include "archive/archive.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/folder.h"
#include "base/grow.h"
#include "base/json.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/cli.h"
#include "scene/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MAX_PATH = 4096, MAX_ALIGNMENT = 65536 };

/* State of one archive. */
typedef struct packing {
    cli_record *record;
    const char *directory;
    facet_archive *archive;
    facet_file **files; /* data of the members */
    size_t file_count, file_space;
    facet_json *listed;  /* member numbers by file path */
    facet_json *folders; /* by folder path; later archive paths */
    facet_error error;
} packing;

static bool fail(packing *p, facet_status status, const char *what, const char *name)
{
    if (p->error.status == FACET_OK) {
        p->error = (facet_error){.status = status, .offset = FACET_NO_OFFSET};
        snprintf(p->error.message, sizeof p->error.message, "%s '%.300s'", what, name);
    }
    return false;
}

/* -- Files -------------------------------------------------------------- */

/* Reject links. In a directory from a stranger, they could lead to private files. */
static bool fail_link(packing *p, const char *path)
{
    return fail(p, FACET_ERROR_UNSUPPORTED, "links, pipes and devices are not packed:", path);
}

/* True if this is a file in the directory, and no part of its path is a link. */
static bool is_plain_file(const packing *p, const char *path)
{
    char whole[MAX_PATH];
    facet_file_info place;
    size_t start = strlen(p->directory) + 1;
    if ((size_t)snprintf(whole, sizeof whole, "%s/%s", p->directory, path) >= sizeof whole)
        return false;
    for (char *slash = strchr(whole + start, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool is_folder = facet_system_get_link_info(whole, &place) && place.is_folder;
        *slash = '/';
        if (!is_folder)
            return false;
    }
    return facet_system_get_link_info(whole, &place) && place.is_file;
}

/* Open a file safely, even if it is replaced by a link at the same time. */
static facet_status open_below(const char *directory, const char *path, const char *whole,
                               facet_file **file, facet_error *error)
{
    char folder[MAX_PATH], copy[MAX_PATH];
    snprintf(folder, sizeof folder, "%s/", directory);
    snprintf(copy, sizeof copy, "%s", path);
    int descriptor = facet_system_open_named(folder, copy);
    if (descriptor < 0)
        return facet_fail_system(error, errno, "open", whole);
    facet_status status = facet_file_open_descriptor(descriptor, whole, NULL, file, error);
    close(descriptor);
    return status;
}

/* Read a file in the directory. */
static bool open_file(packing *p, const char *path, const uint8_t **data, size_t *size)
{
    char whole[MAX_PATH];
    facet_file *file = NULL;
    if ((size_t)snprintf(whole, sizeof whole, "%s/%s", p->directory, path) >= sizeof whole)
        return fail(p, FACET_ERROR_LIMIT, "this path is too long:", path);
    if (!FACET_GROW_HEAP(p->files, p->file_count + 1, p->file_space))
        return fail(p, FACET_ERROR_MEMORY, "out of memory for", path);
    if (!is_plain_file(p, path))
        return fail_link(p, path);
    if (open_below(p->directory, path, whole, &file, &p->error))
        return false;
    p->files[p->file_count++] = file;
    const facet_source source = facet_file_source(file);
    *size = source.size;
    *data = source.size > 0 ? source.data : (const uint8_t *)"";
    return true;
}

/* True if something exists at the path, including links. */
static bool is_there(const packing *p, const char *path)
{
    char whole[MAX_PATH];
    facet_file_info place;
    return (size_t)snprintf(whole, sizeof whole, "%s/%s", p->directory, path) < sizeof whole &&
           facet_system_get_link_info(whole, &place) && !place.is_folder;
}

/* -- Restored from archive.json ----------------------------------------- */

/* A name in extract's notation. The archive's arena owns the result. */
static const char *name_of(packing *p, const facet_json *object, const char *key,
                           const char *otherwise)
{
    char hex_key[32];
    snprintf(hex_key, sizeof hex_key, "%s_hex", key);
    const char *text = facet_json_string_value(facet_json_object_get(object, key));
    const char *hex = facet_json_string_value(facet_json_object_get(object, hex_key));
    if (!hex)
        return text ? text : otherwise;
    size_t length = strlen(hex) / 2;
    char *name = facet_arena_allocate(p->archive->arena, length + 1, 1);
    for (size_t i = 0; name && i < length; i++) {
        unsigned byte = 0;
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            byte = '_';
        name[i] = (char)byte;
    }
    if (name)
        name[length] = '\0';
    return name ? name : otherwise;
}

/* The folder of a path in the directory. */
static bool folder_of(packing *p, const char *path, uint32_t *folder)
{
    const char *slash = strrchr(path, '/');
    *folder = FACET_NONE;
    if (!slash)
        return true;
    char parent[MAX_PATH];
    snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
    const facet_json *found = facet_json_object_get(p->folders, parent);
    if (!found)
        return fail(p, FACET_ERROR_MALFORMED, CLI_ARCHIVE_JSON " names no folder for", path);
    *folder = (uint32_t)facet_json_integer_value(found);
    return true;
}

/* Share the data of another member, if the files are still equal. */
static void share(packing *p, uint32_t member, const facet_json *object, const facet_json *numbers)
{
    const facet_json *shares = facet_json_object_get(object, "shares");
    const facet_json *number =
        shares ? facet_json_array_get(numbers, (size_t)facet_json_integer_value(shares)) : NULL;
    uint32_t other = number ? (uint32_t)facet_json_integer_value(number) : FACET_NONE;
    if (other >= member)
        return;
    facet_archive_member *m = &p->archive->members[member];
    const facet_archive_member *o = &p->archive->members[other];
    if (m->size == o->size && m->data && o->data && memcmp(m->data, o->data, m->size) == 0)
        m->data = o->data;
}

/* True for paths that stay below the directory, with any system's separator. */
static bool is_below(const char *path)
{
    if (*path == '/' || *path == '\\' || (*path && path[1] == ':'))
        return false;
    for (const char *part = path; *part;) {
        size_t length = strcspn(part, "/\\");
        if (length == 2 && strncmp(part, "..", 2) == 0)
            return false;
        part += length + (part[length] != '\0');
    }
    return true;
}

/* Add a member of the list. Its number is appended to `numbers`; FACET_NONE if the file no longer
 * exists. */
static bool add_listed(packing *p, const facet_json *object, facet_json *numbers)
{
    const char *file = facet_json_string_value(facet_json_object_get(object, "file"));
    const char *path = facet_json_string_value(facet_json_object_get(object, "folder"));
    bool is_file = file != NULL;
    path = is_file ? file : path;
    if (!path || strlen(path) >= MAX_PATH || !is_below(path))
        return fail(p, FACET_ERROR_MALFORMED, CLI_ARCHIVE_JSON " has a member without a path below",
                    p->directory);
    if (is_file && !is_there(p, path)) {
        cli_remark(p->record, "%s: left out, because it is missing", path);
        facet_json_append(numbers, facet_json_integer(FACET_NONE));
        return true;
    }
    const uint8_t *data = NULL;
    size_t size = 0;
    uint32_t folder, member;
    const char *slash = strrchr(path, '/');
    const char *name = name_of(p, object, "name", slash ? slash + 1 : path);
    if (!folder_of(p, path, &folder) || (is_file && !open_file(p, path, &data, &size)) ||
        facet_archive_append(p->archive, folder, name, data, size, &member, &p->error))
        return false;
    const facet_json *flags = facet_json_object_get(object, "flags"),
                     *stated = facet_json_object_get(object, "compression_flags"),
                     *id = facet_json_object_get(object, "id");
    facet_archive_member *m = &p->archive->members[member];
    uint8_t compression = m->flags & FACET_ARCHIVE_COMPRESSION;
    if (stated)
        compression = (uint8_t)(facet_json_integer_value(stated) & FACET_ARCHIVE_COMPRESSION);
    if (flags)
        m->flags = (uint8_t)((facet_json_integer_value(flags) & ~FACET_ARCHIVE_FOLDER) |
                             (is_file ? 0 : FACET_ARCHIVE_FOLDER));
    m->flags = (uint8_t)(m->flags & ~FACET_ARCHIVE_COMPRESSION) | compression;
    if (id)
        m->id = (uint16_t)facet_json_integer_value(id);
    facet_json_set(is_file ? p->listed : p->folders, path, facet_json_integer((int64_t)member));
    facet_json_append(numbers, facet_json_integer((int64_t)member));
    if (is_file)
        share(p, member, object, numbers);
    return true;
}

static bool add_all_listed(packing *p, const facet_json *root)
{
    const facet_json *members = facet_json_object_get(root, "members");
    facet_json *numbers = facet_json_array();
    bool ok = true;
    for (size_t i = 0; i < facet_json_array_size(members) && ok; i++)
        ok = add_listed(p, facet_json_array_get(members, i), numbers);
    facet_json_free(numbers);
    const facet_json *reserved = facet_json_object_get(root, "reserved");
    for (size_t i = 0; i < sizeof p->archive->reserved; i++)
        p->archive->reserved[i] =
            (uint8_t)facet_json_integer_value(facet_json_array_get(reserved, i));
    const facet_json *synced = facet_json_object_get(root, "synced");
    p->archive->synced = !synced || facet_json_is_true(synced);
    p->archive->next_id =
        (uint16_t)facet_json_integer_value(facet_json_object_get(root, "next_id"));
    p->archive->name = facet_arena_string(p->archive->arena, name_of(p, root, "root", ""),
                                          strlen(name_of(p, root, "root", "")));
    if (!p->archive->name)
        return fail(p, FACET_ERROR_MEMORY, "out of memory for", p->directory);
    return ok;
}

/* -- Unlisted files ---------------------------------------------------- */

/* In upper case, so that _ is sorted after letters. */
typedef struct names {
    char **items;
    size_t count, space;
} names;

static bool keep(names *n, const char *name)
{
    if (!FACET_GROW_HEAP(n->items, n->count + 1, n->space))
        return false;
    n->items[n->count] = strdup(name);
    return n->items[n->count++] != NULL;
}

static void let_go(names *n)
{
    for (size_t i = 0; i < n->count; i++)
        free(n->items[i]);
    free(n->items);
}

static int compare_ignoring_case(const void *a, const void *b)
{
    return strcasecmp(*(char *const *)a, *(char *const *)b);
}

/* Check that no two names of a folder become one in lower case. */
static bool check_case(packing *p, const char *folder, const names *files, const names *folders)
{
    size_t count = files->count + folders->count;
    bool ok = true;
    if (p->archive->kind != FACET_ARCHIVE_RARC || count < 2)
        return true;
    char **all = malloc(count * sizeof *all), pair[MAX_PATH + 600];
    if (!all)
        return fail(p, FACET_ERROR_MEMORY, "out of memory for", folder);
    for (size_t i = 0; i < count; i++)
        all[i] = i < files->count ? files->items[i] : folders->items[i - files->count];
    qsort(all, count, sizeof *all, compare_ignoring_case);
    for (size_t i = 1; i < count && ok; i++) {
        if (strcasecmp(all[i - 1], all[i]) != 0)
            continue;
        snprintf(pair, sizeof pair, "%s' and '%s", all[i - 1], all[i]);
        ok = fail(p, FACET_ERROR_UNSUPPORTED,
                  "a RARC stores these as one name in lower case:", pair);
    }
    free(all);
    return ok;
}

/* List the files and folders of a folder, sorted. */
static bool list(packing *p, const char *path, names *files, names *folders)
{
    char whole[MAX_PATH], each[MAX_PATH + 256];
    snprintf(whole, sizeof whole, "%s%s%s", p->directory, *path ? "/" : "", path);
    facet_folder listed;
    const char *linked = NULL;
    bool ok = facet_folder_list(whole, &listed);
    int code = errno;
    for (size_t i = 0; i < listed.count && ok; i++) {
        facet_file_info place;
        const char *name = listed.names[i];
        snprintf(each, sizeof each, "%s/%s", whole, name);
        if (!*path && strcmp(name, CLI_ARCHIVE_JSON) == 0)
            continue;
        if (!facet_system_get_link_info(each, &place))
            continue; /* deleted meanwhile */
        if (place.is_folder)
            ok = keep(folders, name);
        else if (place.is_file)
            ok = keep(files, name);
        else
            linked = name;
        code = ENOMEM; /* of keep */
    }
    if (linked && ok) {
        snprintf(each, sizeof each, "%s/%s", whole, linked);
        facet_folder_free(&listed);
        return fail_link(p, each);
    }
    facet_folder_free(&listed);
    if (!ok) {
        facet_fail_system(&p->error, code, "read the folder", whole);
        return false;
    }
    return check_case(p, whole, files, folders);
}

/* Convert the name of a new member to lower case, as games look it up. Report that for `path`. */
static bool lower(packing *p, const char *path, char *name)
{
    bool is_changed = false;
    if (facet_archive_leads_away(name))
        return fail(p, FACET_ERROR_UNSUPPORTED,
                    "no archive stores a name with \\ or a drive:", path);
    for (char *at = name; p->archive->kind == FACET_ARCHIVE_RARC && *at; at++) {
        is_changed |= *at >= 'A' && *at <= 'Z';
        *at = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    }
    if (is_changed)
        cli_remark(p->record, "%s: stored as '%s', because games look for lower case", path, name);
    return true;
}

/* Join a path of two parts; the first can be empty. False if it is too long. */
static bool join(packing *p, char *path, const char *folder, const char *name)
{
    if ((size_t)snprintf(path, MAX_PATH, "%s%s%s", folder, *folder ? "/" : "", name) < MAX_PATH)
        return true;
    return fail(p, FACET_ERROR_LIMIT, "this path is too long:", folder);
}

static bool add_new_file(packing *p, const char *path, uint32_t folder, char *name)
{
    const uint8_t *data = NULL;
    size_t size = 0;
    return lower(p, path, name) && open_file(p, path, &data, &size) &&
           !facet_archive_append(p->archive, folder, name, data, size, NULL, &p->error);
}

/* Add a whole folder, to the maximum depth of archives: files, then folders. */
static bool add_new_folder(packing *p, const char *path, uint32_t folder, unsigned depth)
{
    names files = {0}, folders = {0};
    char inner[MAX_PATH];
    bool ok = depth <= FACET_ARCHIVE_MAX_DEPTH
                  ? list(p, path, &files, &folders)
                  : fail(p, FACET_ERROR_LIMIT, "folders are nested too deeply:", path);
    for (size_t i = 0; i < files.count && ok; i++)
        ok = join(p, inner, path, files.items[i]) && add_new_file(p, inner, folder, files.items[i]);
    for (size_t i = 0; i < folders.count && ok; i++) {
        uint32_t next;
        ok = join(p, inner, path, folders.items[i]) && lower(p, inner, folders.items[i]) &&
             !facet_archive_append(p->archive, folder, folders.items[i], NULL, 0, &next,
                                   &p->error) &&
             add_new_folder(p, inner, next, depth + 1);
    }
    let_go(&files);
    let_go(&folders);
    return ok;
}

static bool add_unlisted_file(packing *p, const char *path, const char *folder, char *name)
{
    const uint8_t *data = NULL;
    size_t size = 0;
    char inner[MAX_PATH];
    if (facet_json_object_get(p->listed, path))
        return true;
    cli_remark(p->record, "%s: added", path);
    return lower(p, path, name) && join(p, inner, folder, name) &&
           open_file(p, path, &data, &size) &&
           !facet_archive_add(p->archive, inner, data, size, NULL, &p->error);
}

/* Add files that are not listed. `folder` is the archive's path of `path`, which can have another
 * name there. */
static bool add_unlisted(packing *p, const char *path, const char *folder, unsigned depth)
{
    names files = {0}, folders = {0};
    char inner[MAX_PATH], there[MAX_PATH];
    bool ok = depth <= FACET_ARCHIVE_MAX_DEPTH
                  ? list(p, path, &files, &folders)
                  : fail(p, FACET_ERROR_LIMIT, "folders are nested too deeply:", path);
    for (size_t i = 0; i < files.count && ok; i++)
        ok = join(p, inner, path, files.items[i]) &&
             add_unlisted_file(p, inner, folder, files.items[i]);
    for (size_t i = 0; i < folders.count && ok; i++) {
        ok = join(p, inner, path, folders.items[i]);
        const char *listed =
            ok ? facet_json_string_value(facet_json_object_get(p->folders, inner)) : NULL;
        ok = ok && (listed || lower(p, inner, folders.items[i])) &&
             join(p, there, listed ? "" : folder, listed ? listed : folders.items[i]) &&
             add_unlisted(p, inner, there, depth + 1);
    }
    let_go(&files);
    let_go(&folders);
    return ok;
}

/* Name folders by their paths in the archive, because members move from here on. */
static bool name_folders(packing *p)
{
    char path[MAX_PATH];
    for (size_t i = 0; i < facet_json_object_size(p->folders); i++) {
        const char *key = facet_json_object_key(p->folders, i);
        uint32_t member =
            (uint32_t)facet_json_integer_value(facet_json_object_value(p->folders, i));
        if (facet_archive_path(p->archive, member, path, sizeof path) >= sizeof path)
            return fail(p, FACET_ERROR_LIMIT, "this path is too long:", key);
        facet_json_set(p->folders, key, facet_json_bytes(path, strlen(path)));
    }
    return true;
}

/* -- The archive -------------------------------------------------------- */

/* Name of the root: that of the directory. */
static char *root_name(const char *directory)
{
    size_t end = strlen(directory);
    while (end > 0 && directory[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && directory[start - 1] != '/')
        start--;
    bool named = end > start && directory[start] != '.';
    char *name = strdup(named ? directory + start : "archive");
    if (name && named)
        name[end - start] = '\0';
    for (char *at = name; at && *at; at++)
        *at = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    return name;
}

static bool fill(packing *p, const facet_json *root, uint32_t kind, const facet_options *options)
{
    const char *said = facet_json_string_value(facet_json_object_get(root, "archive"));
    const facet_format *format = facet_format_named(said);
    if (kind == FACET_NONE)
        kind = format && format->pack == FACET_PACK_ARCHIVE ? (uint32_t)format->kind
                                                            : FACET_ARCHIVE_RARC;
    char *name = root_name(p->directory);
    if (!name)
        return fail(p, FACET_ERROR_MEMORY, "out of memory for", p->directory);
    facet_status status =
        facet_archive_create((facet_archive_kind)kind, name, options, &p->archive, &p->error);
    free(name);
    if (status)
        return false;
    if (!root)
        return add_new_folder(p, "", FACET_NONE, 0);
    if (!add_all_listed(p, root) || !name_folders(p))
        return false;
    /* Else listed members would be added twice. */
    if (!facet_json_is_complete(p->listed) || !facet_json_is_complete(p->folders))
        return fail(p, FACET_ERROR_MEMORY, "out of memory for", p->directory);
    return add_unlisted(p, "", "", 0);
}

/* Options for compression: from the command line, else archive.json, else the name. */
static facet_archive_output_options output_options(const cli_arguments *arguments, const char *path,
                                                   const facet_json *root)
{
    facet_archive_output_options how = cli_archive_output(arguments);
    const facet_json *was = facet_json_object_get(root, "compression");
    const char *format = facet_json_string_value(facet_json_object_get(was, "format"));
    const char *effort = facet_json_string_value(facet_json_object_get(was, "effort"));
    const char *dot = strrchr(path, '.');
    if (how.compression != FACET_COMPRESS_AS_IT_WAS &&
        !(format && how.compression == FACET_COMPRESS_ALWAYS))
        return how;
    bool asked = how.compression == FACET_COMPRESS_ALWAYS;
    if (was)
        how.compression = !format                       ? FACET_COMPRESS_NEVER
                          : strcmp(format, "Yay0") == 0 ? FACET_COMPRESS_YAY0
                                                        : FACET_COMPRESS_YAZ0;
    else if (dot && strcmp(dot, ".szs") == 0)
        how.compression = FACET_COMPRESS_YAZ0;
    else if (dot && strcmp(dot, ".szp") == 0)
        how.compression = FACET_COMPRESS_YAY0;
    int64_t alignment = facet_json_integer_value(facet_json_object_get(was, "alignment"));
    how.alignment = alignment >= 0 && alignment <= MAX_ALIGNMENT ? (uint32_t)alignment : UINT32_MAX;
    if (effort && !asked)
        how.effort = strcmp(effort, "best") == 0   ? FACET_COMPRESSION_BEST
                     : strcmp(effort, "fast") == 0 ? FACET_COMPRESSION_FAST
                                                   : FACET_COMPRESSION_OFFICIAL;
    return how;
}

static bool write_out(packing *p, const char *path, const facet_archive_output_options *how,
                      const facet_options *options)
{
    if (how->alignment > MAX_ALIGNMENT) /* would write endless zeros */
        return fail(p, FACET_ERROR_LIMIT,
                    "an alignment above 65,536 is requested by " CLI_ARCHIVE_JSON " in",
                    p->directory);
    facet_output *output = NULL;
    facet_status status = facet_archive_open_output(path, how, options, &output, &p->error);
    if (!status)
        status = facet_archive_write(p->archive, options, output, &p->error);
    if (!status)
        status = facet_output_commit(output, &p->error);
    if (!status)
        cli_remark(
            p->record, "%s: %u member%s, %llu bytes%s", path, (unsigned)p->archive->member_count,
            facet_plural(p->archive->member_count, "", "s"),
            (unsigned long long)facet_output_size(output),
            how->compression == FACET_COMPRESS_YAZ0 || how->compression == FACET_COMPRESS_YAY0
                ? " before compression"
                : "");
    facet_output_free(output);
    return status == FACET_OK;
}

/* Read archive.json; NULL if it does not exist. */
static bool load_json(packing *p, facet_json **root)
{
    const uint8_t *text = NULL;
    size_t size = 0;
    facet_json_fault fault = {0};
    *root = NULL;
    if (!is_there(p, CLI_ARCHIVE_JSON))
        return true;
    if (!open_file(p, CLI_ARCHIVE_JSON, &text, &size))
        return false;
    *root = facet_json_read((const char *)text, size, 0, &fault);
    if (fault.memory)
        return fail(p, FACET_ERROR_MEMORY, "out of memory for", p->directory);
    return facet_json_is_object(*root)
               ? true
               : fail(p, FACET_ERROR_MALFORMED,
                      "this is not the JSON of an archive: " CLI_ARCHIVE_JSON " in", p->directory);
}

int cli_pack_archive(const cli_arguments *arguments, const char *path, const char *directory,
                     uint32_t kind, const facet_options *options)
{
    packing p = {.record = arguments->record,
                 .directory = directory,
                 .listed = facet_json_object(),
                 .folders = facet_json_object()};
    facet_json *root = NULL;
    bool ok = load_json(&p, &root) && fill(&p, root, kind, options);
    if (ok) {
        facet_archive_output_options how = output_options(arguments, path, root);
        ok = write_out(&p, path, &how, options);
    }
    int result =
        ok ? EXIT_DONE : cli_complain_error(arguments->record, cli_output_name(path), &p.error);
    facet_archive_free(p.archive);
    for (size_t i = 0; i < p.file_count; i++)
        facet_file_close(p.files[i]);
    free(p.files);
    facet_json_free(root);
    facet_json_free(p.listed);
    facet_json_free(p.folders);
    return result;
}
