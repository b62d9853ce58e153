/* batch/clash.c - outputs that are also inputs, or outputs, of other items. The content that an
 * item reads would depend on the order, and originals would be replaced. Paths are compared by the
 * folder that they lead to, regardless of spelling. */
#include "base/arena.h"
#include "base/grow.h"
#include "base/system.h"
#include "base/table.h"
#include "batch/batch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- Resolving paths ----------------------------------------------------- */

/* Append the parts of a path to an absolute path; resolve "." and ".." in the text only. */
static bool append_parts(char path[PATH_MAX], const char *more)
{
    size_t used = strlen(path);
    while (*more) {
        size_t part = strcspn(more, "/");
        bool up = part == 2 && more[0] == '.' && more[1] == '.';
        if (up) {
            char *slash = strrchr(path, '/');
            used = slash ? (size_t)(slash - path) : 0;
        } else if (part > 0 && !(part == 1 && more[0] == '.')) {
            if (used + part + 2 > PATH_MAX)
                return false;
            path[used++] = '/';
            memcpy(path + used, more, part);
            used += part;
        }
        path[used] = '\0';
        more += part + (more[part] == '/');
    }
    return true;
}

/* Resolve links in a folder's path. Parts that do not exist yet are resolved as text. In *file:
 * length of the start of the result that is a file, an archive with members; 0: none. */
static bool resolve_folder(const char *folder, char whole[PATH_MAX], size_t *file)
{
    char there[PATH_MAX];
    size_t length = strlen(folder);
    *file = 0;
    if (length >= sizeof there)
        return false;
    memcpy(there, folder, length + 1);
    while (!realpath(*there ? there : ".", whole)) {
        if (length == 0) /* the working folder was removed */
            return false;
        while (length > 0 && there[length - 1] == '/')
            length--;
        while (length > 0 && there[length - 1] != '/')
            length--;
        if (length == 0 && folder[0] == '/')
            return false;
        there[length] = '\0';
    }
    struct stat info;
    if (stat(whole, &info) == 0 && !S_ISDIR(info.st_mode))
        *file = strlen(whole);
    if (strcmp(whole, "/") == 0)
        *whole = '\0';
    return append_parts(whole, folder + length);
}

/* Mix two hashes so that every bit of the result depends on every bit of both. Equal keys are
 * treated as equal paths: with less mixing, two of a million numbered names had one key. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
    return hash ^ hash >> 31;
}

static uint64_t hash_on(uint64_t hash, const char *text, size_t length)
{
    for (; length >= 8; length -= 8, text += 8) {
        uint64_t word;
        memcpy(&word, text, sizeof word);
        hash = mix(hash, word);
    }
    uint64_t rest = length;
    memcpy((char *)&rest + 1, text, length);
    return mix(hash, rest);
}

/* The key of a resolved path: the hash of its folder, continued with its name. */
static uint64_t key_of(const char *whole, size_t length)
{
    size_t folder = length;
    while (folder > 0 && whole[folder - 1] != '/')
        folder--;
    uint64_t hash = hash_on(0, whole, folder > 0 ? folder - 1 : 0);
    return hash_on(hash, whole + folder, length - folder);
}

/* Find a folder, and resolve it if it is new. `length` is its length in `path`. NULL if out of
 * memory, or if it is not a path. */
static const cli_batch_folder *find_folder(cli_batch_paths *paths, const char *path, size_t length)
{
    uint32_t known = facet_names_find(&paths->folders, path, length);
    if (known == UINT32_MAX) {
        char whole[PATH_MAX];
        size_t file;
        char *name = facet_arena_string(paths->arena, path, length);
        if (!name || !resolve_folder(name, whole, &file))
            return NULL;
        cli_batch_folder made = {hash_on(0, whole, strlen(whole)), key_of(whole, strlen(whole)),
                                 file > 0 ? key_of(whole, file) : 0,
                                 access(*name ? name : ".", F_OK) == 0};
        known = facet_names_put(&paths->folders, name, length);
        if (known == UINT32_MAX)
            return NULL;
        if (known >= paths->space) {
            size_t space = paths->space ? paths->space * 2 : 64;
            cli_batch_folder *grown = facet_arena_resize(paths->arena, paths->resolved,
                                                         paths->space, space, sizeof *grown);
            if (!grown)
                return NULL;
            paths->resolved = grown;
            paths->space = space;
        }
        paths->resolved[known] = made;
    }
    return &paths->resolved[known];
}

/* -- All paths of a batch ------------------------------------------------- */

/* Key of an entry, without the bit that marks outputs. */
static uint64_t key_in(const cli_batch_entry *entry)
{
    return (uint64_t)entry->high << 32 | (entry->low & ~UINT32_C(1));
}

static bool is_same_key(uint64_t key, const cli_batch_entry *entry)
{
    return (key & ~UINT64_C(1)) == key_in(entry);
}

static bool is_out(const cli_batch_entry *entry)
{
    return (entry->low & 1) == 0;
}

static bool note(cli_batch_paths *paths, uint64_t key, size_t item, bool out)
{
    if (!FACET_GROW_HEAP(paths->entries, paths->count + 1, paths->entry_space))
        return false;
    paths->entries[paths->count++] = (cli_batch_entry){
        (uint32_t)(key >> 32), ((uint32_t)key & ~UINT32_C(1)) | !out, (uint32_t)item};
    return true;
}

/* Length of the folder's path, without trailing slashes. */
static size_t folder_length(const char *path)
{
    size_t length = facet_path_folder_length(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length;
}

/* Key of a path. 0: out of memory, or not a path. */
static uint64_t key_of_path(cli_batch_paths *paths, const char *path, uint64_t *archive)
{
    size_t length = folder_length(path);
    const char *name = facet_path_name(path);
    bool odd = !*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    const cli_batch_folder *folder = find_folder(paths, path, odd ? strlen(path) : length);
    *archive = folder ? folder->archive : 0;
    return !folder ? 0 : odd ? folder->own_key : hash_on(folder->key, name, strlen(name));
}

/* Key of a tar member: only the text of its name counts. */
static uint64_t key_of_member(const char *name)
{
    char plain[PATH_MAX] = "";
    return append_parts(plain, name) ? hash_on(1, plain, strlen(plain)) : 0;
}

bool cli_batch_paths_note(cli_batch_paths *paths, size_t item, const char *in, const char *out,
                          bool packs)
{
    uint64_t archive = 0, none;
    uint64_t read = key_of_path(paths, in, &archive);
    uint64_t written = !out ? 0 : packs ? key_of_member(out) : key_of_path(paths, out, &none);
    bool noted = !read || note(paths, read, item, false);
    if (archive && archive != paths->last_archive)
        noted &= note(paths, archive, item, false);
    paths->last_archive = archive ? archive : paths->last_archive;
    return noted && (!written || note(paths, written, item, true));
}

bool cli_batch_paths_note_out(cli_batch_paths *paths, size_t item, const char *out, bool packs)
{
    uint64_t none, written = packs ? key_of_member(out) : key_of_path(paths, out, &none);
    return !written || note(paths, written, item, true);
}

static int compare_entries(const void *a, const void *b)
{
    const cli_batch_entry *x = a, *y = b;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    if (x->low != y->low) /* among equal keys, outputs are first */
        return x->low < y->low ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

static void sort_group(cli_batch_entry *entries, size_t count)
{
    enum { FEW = 64 };
    if (count > FEW) {
        qsort(entries, count, sizeof *entries, compare_entries);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        cli_batch_entry moved = entries[i];
        size_t to = i;
        for (; to > 0 && compare_entries(&moved, &entries[to - 1]) < 0; to--)
            entries[to] = entries[to - 1];
        entries[to] = moved;
    }
}

enum { BYTES = 256 };

/* Distribute entries in place by 8 bits of their key, a hash, so that those of each value are
 * together. */
static void distribute(cli_batch_entry *entries, size_t count, unsigned shift, size_t ends[BYTES])
{
    size_t next[BYTES] = {0}, used = 0;
    for (size_t i = 0; i < count; i++)
        next[entries[i].high >> shift & 0xFF]++;
    for (unsigned i = 0; i < BYTES; i++) {
        ends[i] = used + next[i];
        next[i] = used;
        used = ends[i];
    }
    for (unsigned i = 0; i < BYTES; i++) {
        while (next[i] < ends[i]) {
            cli_batch_entry moved = entries[next[i]];
            unsigned byte = moved.high >> shift & 0xFF;
            size_t to = next[byte]++;
            entries[i == byte ? to : next[i]] = entries[to];
            entries[to] = moved;
        }
    }
}

/* Sort entries by key. qsort of the C library may allocate as much memory again, and takes longer.
 * So entries are first distributed by the first two bytes of their key; then each group is
 * sorted. */
static void sort_entries(cli_batch_entry *entries, size_t count)
{
    size_t ends[BYTES], inner_ends[BYTES];
    distribute(entries, count, 24, ends);
    for (unsigned i = 0; i < BYTES; i++) {
        size_t first = i > 0 ? ends[i - 1] : 0;
        distribute(entries + first, ends[i] - first, 16, inner_ends);
        for (unsigned k = 0; k < BYTES; k++) {
            size_t inner = k > 0 ? inner_ends[k - 1] : 0;
            sort_group(entries + first + inner, inner_ends[k] - inner);
        }
    }
}

static const cli_batch_entry *find_key(const cli_batch_paths *paths, uint64_t key)
{
    size_t first = 0, end = paths->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (key_in(&paths->entries[middle]) < (key & ~UINT64_C(1)))
            first = middle + 1;
        else
            end = middle;
    }
    return first < paths->count && is_same_key(key, &paths->entries[first]) ? &paths->entries[first]
                                                                            : NULL;
}

static bool have(cli_batch_paths *paths, const char *path, bool outs_only)
{
    uint64_t archive, key = key_of_path(paths, path, &archive);
    const cli_batch_entry *found = key ? find_key(paths, key) : NULL;
    return found && (!outs_only || is_out(found));
}

/* True if `path` is a link to a path that an item reads or writes; `outs_only`: only writes. */
static bool leads_to(cli_batch_paths *paths, const char *path, bool outs_only)
{
    char whole[PATH_MAX];
    return realpath(path, whole) && have(paths, whole, outs_only);
}

bool cli_batch_paths_have(cli_batch_paths *paths, const char *path, bool outs_only)
{
    return have(paths, path, outs_only) || leads_to(paths, path, outs_only);
}

bool cli_batch_paths_are_same(cli_batch_paths *paths, const char *a, const char *b)
{
    char real_a[PATH_MAX], real_b[PATH_MAX];
    uint64_t archive;
    struct stat info_a, info_b; /* hard links */
    if (stat(a, &info_a) == 0 && stat(b, &info_b) == 0 && S_ISREG(info_a.st_mode) &&
        info_a.st_dev == info_b.st_dev && info_a.st_ino == info_b.st_ino)
        return true;
    a = realpath(a, real_a) ? real_a : a;
    b = realpath(b, real_b) ? real_b : b;
    uint64_t key = key_of_path(paths, a, &archive);
    return key && key == key_of_path(paths, b, &archive);
}

static const char *id_of(const cli_batch_items *items, size_t item)
{
    return item == CLI_BATCH_ELSEWHERE ? "(of another shard)" : items->items[item].id;
}

const char *cli_batch_paths_owner(cli_batch_items *items, const char *path, const char *id,
                                  bool packs)
{
    uint64_t none, key = packs ? key_of_member(path) : key_of_path(&items->paths, path, &none);
    const cli_batch_entry *found = key ? find_key(&items->paths, key) : NULL;
    const char *owner = found ? id_of(items, found->item) : NULL;
    return owner && strcmp(owner, id) != 0 ? owner : NULL;
}

/* Output of an item that an entry refers to; its input if the item has no output. */
static const char *path_of(cli_batch_items *items, const cli_batch_entry *entry)
{
    const cli_batch_item *item = &items->items[entry->item];
    uint64_t none;
    for (size_t i = 0; i < cli_batch_more_of(item)->also_count && is_out(entry); i++) {
        if (is_same_key(key_of_member(cli_batch_more_of(item)->also[i]), entry) ||
            is_same_key(key_of_path(&items->paths, cli_batch_more_of(item)->also[i], &none), entry))
            return cli_batch_more_of(item)->also[i];
    }
    return is_out(entry) && item->out ? item->out : item->in;
}

static int refuse(cli_batch_items *items, const cli_batch_entry *a, const cli_batch_entry *b)
{
    const char *path = path_of(items, a->item != CLI_BATCH_ELSEWHERE ? a : b);
    bool template = is_out(b) && b->item != CLI_BATCH_ELSEWHERE && !items->items[b->item].named;
    cli_complain(NULL, "%s: output of item '%s' and %s of item '%s'; nothing is written%s", path,
                 id_of(items, a->item), is_out(b) ? "output" : "input", id_of(items, b->item),
                 template ? "; use {name} or {id} in --out" : "");
    return EXIT_USAGE;
}

/* The entries of a path begin with an output. Entries that are all of other shards are left to
 * those shards. */
int cli_batch_check_conflicts(cli_batch_items *items)
{
    cli_batch_paths *paths = &items->paths;
    const cli_batch_entry *entries = paths->entries;
    sort_entries(paths->entries, paths->count);
    for (size_t i = 0, next; i < paths->count; i = next) {
        for (next = i + 1; next < paths->count && is_same_key(key_in(&entries[i]), &entries[next]);
             next++) {
            bool ours =
                entries[i].item != CLI_BATCH_ELSEWHERE || entries[next].item != CLI_BATCH_ELSEWHERE;
            if (is_out(&entries[i]) && ours)
                return refuse(items, &entries[i], &entries[next]);
        }
    }
    return EXIT_DONE;
}

bool cli_batch_paths_in_file(cli_batch_paths *paths, const char *path)
{
    const cli_batch_folder *folder = find_folder(paths, path, folder_length(path));
    return folder && folder->archive != 0;
}

/* -- Links --------------------------------------------------------------- */

int cli_batch_check_link(cli_batch_items *items, const cli_batch_item *item, bool in_is_link)
{
    struct stat info;
    bool clash = in_is_link && leads_to(&items->paths, item->in, true);
    const char *path = item->in;
    const cli_batch_folder *folder =
        item->out ? find_folder(&items->paths, item->out, folder_length(item->out)) : NULL;
    if (!clash && folder && folder->there && lstat(item->out, &info) == 0 &&
        S_ISLNK(info.st_mode)) {
        path = item->out;
        clash = leads_to(&items->paths, path, false);
    }
    if (!clash)
        return EXIT_DONE;
    cli_complain(NULL, "%s: item '%s' %s another item's file by this link; nothing is written",
                 path, item->id, path == item->in ? "reads" : "writes");
    return EXIT_USAGE;
}

void cli_batch_paths_free(cli_batch_paths *paths)
{
    free(paths->entries);
    paths->entries = NULL;
    paths->count = paths->entry_space = 0;
}
