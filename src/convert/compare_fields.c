/* convert/compare_fields.c - comparison of two files of one family, field by field: the output of
 * facet_describe, and the parts that facet_extract writes. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/text.h"
#include "convert/compare.h"
#include "scene/format.h"

#include <facet/convert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DETAILS = 60 };

/* -- Trees -------------------------------------------------------------- */

typedef struct walk {
    const facet_comparing *c;
    char path[200];          /* path of the current field: "sections[2].bytes" */
    uint64_t offset;         /* offset of the innermost object that has one */
    const char *compression; /* facet_format.compression */
    const char *const *sets; /* facet_format.sets */
    uint32_t differing;
    bool failed; /* out of memory */
} walk;

static const char *shown(const facet_tree *node, char *text, size_t space)
{
    facet_quoted quoted;
    switch (node->kind) {
    case FACET_TREE_STRING:
        snprintf(text, space, "\"%s\"", facet_quote(&quoted, node->string, strlen(node->string)));
        break;
    case FACET_TREE_INTEGER:
        snprintf(text, space, "%" PRId64, node->integer);
        break;
    case FACET_TREE_REAL:
        snprintf(text, space, "%.9g", node->real);
        break;
    case FACET_TREE_BOOLEAN:
        snprintf(text, space, "%s", node->integer ? "yes" : "no");
        break;
    case FACET_TREE_OBJECT:
        snprintf(text, space, "an object");
        break;
    case FACET_TREE_ARRAY:
        snprintf(text, space, "a list");
        break;
    }
    return text;
}

/* True in the object that describes how the file is compressed. */
static bool is_compression(const walk *w)
{
    size_t length = w->compression ? strlen(w->compression) : 0;
    return length > 0 && strncmp(w->path, w->compression, length) == 0 &&
           (w->path[length] == '.' || w->path[length] == '\0');
}

static void tell(walk *w, const char *here, const char *there)
{
    if (is_compression(w)) {
        facet_report_add(w->c->report, "COMPARE-FIELD", FACET_SEVERITY_NOTE, w->offset,
                         "compressed differently: %s: %s, in the second file %s", w->path, here,
                         there);
        return;
    }
    const char *dot = strrchr(w->path, '.');
    /* Fields called "name" may differ if names are ignored. */
    bool is_name = dot && strcmp(dot, ".name") == 0 && w->c->ignore & FACET_COMPARE_NAMES;
    facet_compare_part part = is_name ? FACET_COMPARE_NAMES : FACET_COMPARE_DOCUMENT;
    if (w->differing++ < MAX_DETAILS)
        facet_compare_add(w->c, part, "COMPARE-FIELD", w->offset, "%s: %s, in the second file %s",
                          w->path, here, there);
}

static bool same_leaf(const facet_tree *a, const facet_tree *b)
{
    switch (a->kind) {
    case FACET_TREE_STRING:
        return strcmp(a->string, b->string) == 0;
    case FACET_TREE_REAL:
        return a->real == b->real || (isnan(a->real) && isnan(b->real));
    default:
        return a->integer == b->integer;
    }
}

static void compare_trees(walk *w, const facet_tree *a, const facet_tree *b);

/* Compare a child, or report that one side lacks it. */
static void compare_child(walk *w, const facet_tree *a, const facet_tree *b, const char *key,
                          uint64_t index)
{
    size_t used = strlen(w->path);
    char text[140];
    if (key)
        snprintf(w->path + used, sizeof w->path - used, "%s%s", used > 0 ? "." : "", key);
    else
        snprintf(w->path + used, sizeof w->path - used, "[%" PRIu64 "]", index);
    if (a && b)
        compare_trees(w, a, b);
    else if (a)
        tell(w, shown(a, text, sizeof text), "nothing");
    else
        tell(w, "nothing", shown(b, text, sizeof text));
    w->path[used] = '\0';
}

static void compare_objects(walk *w, const facet_tree *a, const facet_tree *b)
{
    uint64_t outer = w->offset;
    const facet_tree *offset = facet_tree_find(a, "offset");
    if (offset && offset->kind == FACET_TREE_INTEGER)
        w->offset = (uint64_t)offset->integer;
    for (const facet_tree *child = a->first; child; child = child->next)
        compare_child(w, child, facet_tree_find(b, child->key), child->key, 0);
    for (const facet_tree *child = b->first; child; child = child->next) {
        if (!facet_tree_find(a, child->key))
            compare_child(w, NULL, child, child->key, 0);
    }
    w->offset = outer;
}

static bool is_set(const walk *w)
{
    for (const char *const *key = w->sets; key && *key; key++) {
        if (strcmp(w->path, *key) == 0)
            return true;
    }
    return false;
}

/* Report the texts of a list that the other list lacks. */
static void compare_set(walk *w, const facet_tree *from, const facet_tree *other, bool is_second)
{
    facet_names names = facet_names_make(w->c->arena);
    char text[140];
    for (const facet_tree *each = other->first; each; each = each->next)
        w->failed |= facet_names_put(&names, each->string, strlen(each->string)) == UINT32_MAX;
    for (const facet_tree *each = from->first; each && !w->failed; each = each->next) {
        if (facet_names_find(&names, each->string, strlen(each->string)) != UINT32_MAX)
            continue;
        shown(each, text, sizeof text);
        tell(w, is_second ? "nothing" : text, is_second ? text : "nothing");
    }
    facet_names_free(&names);
}

static void compare_trees(walk *w, const facet_tree *a, const facet_tree *b)
{
    char here[140], there[140];
    if (a->kind != b->kind) {
        tell(w, shown(a, here, sizeof here), shown(b, there, sizeof there));
    } else if (a->kind == FACET_TREE_OBJECT) {
        compare_objects(w, a, b);
    } else if (a->kind == FACET_TREE_ARRAY && is_set(w)) {
        compare_set(w, a, b, false);
        compare_set(w, b, a, true);
    } else if (a->kind == FACET_TREE_ARRAY) {
        const facet_tree *x = a->first, *y = b->first;
        for (uint64_t i = 0; x || y; i++) {
            compare_child(w, x, y, NULL, i);
            x = x ? x->next : NULL;
            y = y ? y->next : NULL;
        }
    } else if (!same_leaf(a, b)) {
        tell(w, shown(a, here, sizeof here), shown(b, there, sizeof there));
    }
}

static facet_status compare_descriptions(const facet_comparing *c, const facet_source *a,
                                         const facet_format *format_a, const facet_source *b,
                                         const facet_format *format_b, facet_error *error)
{
    facet_description *here = NULL, *there = NULL;
    facet_status status = facet_describe(a, format_a, c->options, &here, error);
    if (!status)
        status = facet_describe(b, format_b, c->options, &there, error);
    if (!status) {
        walk w = {.c = c,
                  .offset = FACET_NO_OFFSET,
                  .compression = format_a->compression,
                  .sets = format_a->sets};
        compare_trees(&w, here->detail, there->detail);
        status = w.failed ? facet_fail_arena(c->arena, error) : FACET_OK;
        if (w.differing > MAX_DETAILS)
            facet_compare_add(c, FACET_COMPARE_DOCUMENT, "COMPARE-FIELD", FACET_NO_OFFSET,
                              "%" PRIu32 " more field%s", w.differing - MAX_DETAILS,
                              facet_plural(w.differing - MAX_DETAILS, " differs", "s differ"));
    }
    facet_description_free(there);
    facet_description_free(here);
    return status;
}

/* -- Extracted parts ---------------------------------------------------- */

typedef struct file_piece {
    const char *name;
    const uint8_t *data;
    size_t size;
    struct file_piece *next;
} file_piece;

typedef struct collection {
    facet_arena *arena;
    file_piece *first, **last;
    uint32_t count;
} collection;

static facet_status collect(void *user, const char *name, const void *data, size_t size,
                            facet_error *error)
{
    collection *all = user;
    file_piece *piece = facet_arena_allocate_zeroed(all->arena, 1, sizeof *piece);
    uint8_t *copy = facet_arena_allocate(all->arena, size, 1);
    if (piece)
        piece->name = facet_arena_string(all->arena, name, strlen(name));
    if (!piece || !copy || !piece->name)
        return facet_fail_arena(all->arena, error);
    memcpy(copy, data, size);
    piece->data = copy;
    piece->size = size;
    *all->last = piece;
    all->last = &piece->next;
    all->count++;
    return FACET_OK;
}

/* Convert a collection to arrays of names and parts. */
static bool list(const collection *all, const char ***names, const file_piece ***pieces)
{
    *names = facet_arena_allocate(all->arena, all->count, sizeof **names);
    *pieces = facet_arena_allocate(all->arena, all->count, sizeof **pieces);
    uint32_t i = 0;
    for (const file_piece *p = all->first; p && *names && *pieces; p = p->next) {
        (*names)[i] = p->name;
        (*pieces)[i++] = p;
    }
    return *names && *pieces;
}

/* The line that contains byte `at`, without leading spaces. */
static facet_quoted line_at(const file_piece *p, size_t at)
{
    facet_quoted quoted;
    size_t begin = at < p->size ? at : p->size, end = begin;
    while (begin > 0 && p->data[begin - 1] != '\n')
        begin--;
    while (begin < end && p->data[begin] == ' ')
        begin++;
    while (end < p->size && p->data[end] != '\n')
        end++;
    facet_quote(&quoted, (const char *)p->data + begin, end - begin);
    return quoted;
}

static void compare_pieces(const facet_comparing *c, const file_piece *a, const file_piece *b)
{
    size_t least = a->size < b->size ? a->size : b->size, at = 0, line = 1;
    facet_quoted name;
    while (at < least && a->data[at] == b->data[at])
        line += a->data[at++] == '\n';
    if (at == least && a->size == b->size)
        return;
    facet_quote(&name, a->name, strlen(a->name));
    const char *dot = strrchr(a->name, '.');
    if (dot && strcmp(dot, ".json") == 0) {
        facet_quoted here = line_at(a, at), there = line_at(b, at);
        facet_compare_add(c, FACET_COMPARE_DOCUMENT, "COMPARE-PIECE", FACET_NO_OFFSET,
                          "'%s' differs first at line %zu: %s, in the second file %s", name.text,
                          line, here.text, there.text);
    } else {
        facet_compare_add(c, FACET_COMPARE_DOCUMENT, "COMPARE-PIECE", FACET_NO_OFFSET,
                          "'%s' differs first at its byte %zu, of %zu bytes and %zu in the second "
                          "file",
                          name.text, at, a->size, b->size);
    }
}

static facet_status compare_extracts(const facet_comparing *c, const facet_source *a,
                                     const facet_format *format_a, const facet_source *b,
                                     const facet_format *format_b, facet_error *error)
{
    collection here = {.arena = c->arena, .last = &here.first};
    collection there = {.arena = c->arena, .last = &there.first};
    facet_extractor into = {collect, &here};
    facet_options quiet = *c->options;
    quiet.report = NULL;
    facet_status status = facet_extract(a, format_a, &quiet, &into, error);
    into.user = &there;
    if (!status)
        status = facet_extract(b, format_b, &quiet, &into, error);
    if (status)
        return status;
    const char **names, **other_names;
    const file_piece **pieces, **others;
    uint32_t *pairs = facet_arena_allocate(c->arena, here.count, sizeof *pairs);
    if (!list(&here, &names, &pieces) || !list(&there, &other_names, &others) || !pairs)
        return facet_fail_arena(c->arena, error);
    facet_comparing by_document = *c;
    if (c->ignore & FACET_COMPARE_DOCUMENT)
        by_document.ignore |= FACET_COMPARE_NAMES;
    status = facet_compare_names(&by_document, "pieces", names, here.count, other_names,
                                 there.count, pairs, error);
    for (uint32_t i = 0; i < here.count && !status; i++) {
        if (pairs[i] != FACET_NONE)
            compare_pieces(c, pieces[i], others[pairs[i]]);
    }
    return status;
}

facet_status facet_compare_fields(const facet_comparing *c, const facet_source *a,
                                  const facet_format *format_a, const facet_source *b,
                                  const facet_format *format_b, facet_error *error)
{
    facet_status status = FACET_OK;
    if (format_a->describe && format_b->describe)
        status = compare_descriptions(c, a, format_a, b, format_b, error);
    if (!status && format_a->extract && format_b->extract)
        status = compare_extracts(c, a, format_a, b, format_b, error);
    return status;
}
