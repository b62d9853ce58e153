/* formats/assimp/file/links.c - depth, loops and copies in a graph of references. */
#include "formats/assimp/file/links.h"
#include "formats/assimp/file/scan.h"

bool facet_assimp_links_begin(facet_assimp_links *links, facet_arena *scratch)
{
    *links = (facet_assimp_links){.keys = facet_names_make(scratch), .scratch = scratch};
    return facet_names_put(&links->keys, "", 0) == 0;
}

bool facet_assimp_links_add(facet_assimp_links *links, const void *from, size_t from_size,
                            const void *to, size_t to_size, uint64_t line)
{
    uint32_t a = facet_names_put_copy(&links->keys, from, from_size);
    uint32_t b = facet_names_put_copy(&links->keys, to, to_size);
    if (a == UINT32_MAX || b == UINT32_MAX ||
        !FACET_GROW(links->scratch, links->items, links->count, links->capacity))
        return false;
    links->items[links->count++] = (facet_assimp_link){a, b, line};
    return true;
}

bool facet_assimp_links_add_numbers(facet_assimp_links *links, uint64_t from, uint64_t to,
                                    uint64_t line)
{
    return facet_assimp_links_add(links, &from, from ? sizeof from : 0, &to, to ? sizeof to : 0,
                                  line);
}

/* An object: its references, and the tree below it. */
typedef struct place {
    uint32_t first, end; /* its references in `order` */
    uint32_t height;     /* levels of the tree, with the object; 0: not visited yet */
    bool is_open;        /* its references are being followed */
    uint64_t copies;     /* objects in the tree */
} place;

typedef struct walk {
    const facet_assimp_links *links;
    place *places;
    const facet_assimp_link **order; /* references by object */
    uint32_t stack[FACET_ASSIMP_MAX_DEPTH + 1];
    uint32_t depth;
    facet_error *error;
} walk;

static facet_status sort_links(walk *w)
{
    const facet_assimp_links *links = w->links;
    uint32_t first = 0;
    w->places = facet_arena_allocate_zeroed(links->scratch, links->keys.count, sizeof *w->places);
    w->order = facet_arena_allocate(links->scratch, links->count, sizeof *w->order);
    if (!w->places || (links->count > 0 && !w->order))
        return facet_fail_arena(links->scratch, w->error);
    for (uint32_t i = 0; i < links->count; i++)
        w->places[links->items[i].from].end++;
    for (uint32_t i = 0; i < links->keys.count; i++) {
        uint32_t count = w->places[i].end;
        w->places[i].first = w->places[i].end = first;
        first += count;
    }
    for (uint32_t i = 0; i < links->count; i++)
        w->order[w->places[links->items[i].from].end++] = &links->items[i];
    return FACET_OK;
}

static facet_status fail(const walk *w, const facet_assimp_link *link, facet_status status,
                         const char *sentence)
{
    return w->links->by_offset
               ? facet_fail(w->error, status, "ASSIMP", link->line, "%s", sentence)
               : facet_fail_line(w->error, status, "ASSIMP", link->line, "%s", sentence);
}

static void enter(walk *w, uint32_t object)
{
    w->places[object].is_open = true;
    w->places[object].height = 1;
    w->places[object].copies = 1;
    w->stack[w->depth++] = object;
}

/* Follow the next reference of the last object of the stack. */
static facet_status follow(walk *w, const facet_assimp_link *link, bool *is_done)
{
    place *from = &w->places[link->from], *to = &w->places[link->to];
    uint64_t max_copies = FACET_ASSIMP_MAX_COPIES + (uint64_t)w->links->count;
    *is_done = to->height > 0;
    if (to->is_open)
        return fail(w, link, FACET_ERROR_UNSUPPORTED, "objects refer to one another in a loop");
    if (w->depth + to->height > FACET_ASSIMP_MAX_DEPTH + 1 || w->depth > FACET_ASSIMP_MAX_DEPTH)
        return fail(w, link, FACET_ERROR_UNSUPPORTED,
                    "objects are nested more than " FACET_ASSIMP_MAX_DEPTH_TEXT " levels deep");
    if (!*is_done) {
        enter(w, link->to);
        return FACET_OK;
    }
    if (from->height <= to->height)
        from->height = to->height + 1;
    if (w->links->is_counted)
        from->copies += to->copies;
    if (from->copies > max_copies)
        return fail(w, link, FACET_ERROR_LIMIT,
                    "the references to objects make more than " FACET_ASSIMP_MAX_COPIES_TEXT
                    " copies of them");
    return FACET_OK;
}

/* Follow all references from an object. */
static facet_status follow_all(walk *w, uint32_t object)
{
    for (enter(w, object); w->depth > 0;) {
        place *last = &w->places[w->stack[w->depth - 1]];
        bool is_done = true;
        if (last->first == last->end) {
            last->is_open = false;
            w->depth--;
            continue;
        }
        TRY(follow(w, w->order[last->first], &is_done));
        last->first += is_done; /* else again, once the tree below is known */
    }
    return FACET_OK;
}

/* Let the root refer to each object that no other refers to. */
static bool add_roots(facet_assimp_links *links)
{
    bool *has_parent = facet_arena_allocate_zeroed(links->scratch, links->keys.count, 1);
    if (!has_parent)
        return false;
    for (uint32_t i = 0; i < links->count; i++)
        has_parent[links->items[i].to] = true;
    for (uint32_t i = 1; i < links->keys.count; i++) {
        if (has_parent[i])
            continue;
        if (!FACET_GROW(links->scratch, links->items, links->count, links->capacity))
            return false;
        links->items[links->count++] = (facet_assimp_link){0, i, 1};
    }
    return true;
}

facet_status facet_assimp_links_check(facet_assimp_links *links, facet_error *error)
{
    walk *w = facet_arena_allocate_zeroed(links->scratch, 1, sizeof *w);
    if (!w || !add_roots(links))
        return facet_fail_arena(links->scratch, error);
    w->links = links;
    w->error = error;
    TRY(sort_links(w));
    TRY(follow_all(w, 0));
    for (uint32_t i = 0; links->has_no_root && i < links->keys.count; i++) {
        if (w->places[i].height == 0) /* in a loop */
            TRY(follow_all(w, i));
    }
    return FACET_OK;
}
