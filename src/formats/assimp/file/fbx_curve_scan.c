/* formats/assimp/file/fbx_curve_scan.c - finds the animation curves of a binary or text FBX, and
 * reads their arrays. */
#include "formats/assimp/file/fbx_curves.h"

#include "base/bytes.h"
#include "base/size.h"

#include <stdlib.h>
#include <string.h>
#ifdef FACET_HAVE_DEFLATE
#include <libdeflate.h>
#endif

static const char *const names[FACET_FBX_ARRAYS] = {"KeyTime", "KeyValueFloat", "KeyAttrFlags",
                                                    "KeyAttrDataFloat", "KeyAttrRefCount"};

/* A connection of an object to another one; `is_rotation`: to its property Lcl Rotation. */
typedef struct connection {
    int64_t child, parent;
    bool is_rotation;
} connection;

typedef struct scan {
    facet_fbx_curves *curves;
    connection *connections;
    size_t count, space;
    int64_t *layers; /* ids */
    size_t layer_count, layer_space;
} scan;

/* -- Objects ------------------------------------------------------------ */

static facet_fbx_curve_place *add_curve(scan *s, int64_t id, uint64_t where)
{
    facet_fbx_curves *c = s->curves;
    if (c->count == c->space) {
        size_t space = c->space ? c->space * 2 : 64;
        facet_fbx_curve_place *grown =
            facet_arena_resize(c->arena, c->items, c->space, space, sizeof *grown);
        if (!grown) {
            c->failed = true;
            return NULL;
        }
        c->items = grown;
        c->space = space;
    }
    facet_fbx_curve_place *curve = &c->items[c->count++];
    *curve = (facet_fbx_curve_place){.id = id, .where = where, .before = 'C', .after = 'C'};
    return curve;
}

static void add_connection(scan *s, connection one)
{
    facet_fbx_curves *c = s->curves;
    if (s->count == s->space) {
        size_t space = s->space ? s->space * 2 : 64;
        connection *grown =
            facet_arena_resize(c->arena, s->connections, s->space, space, sizeof *grown);
        if (!grown) {
            c->failed = true;
            return;
        }
        s->connections = grown;
        s->space = space;
    }
    s->connections[s->count++] = one;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

static int by_child(const void *a, const void *b)
{
    return by_number(&((const connection *)a)->child, &((const connection *)b)->child);
}

/* Mark the curves of nodes that are connected to a rotation. */
static void mark_angles(scan *s)
{
    facet_fbx_curves *c = s->curves;
    int64_t *nodes = facet_arena_allocate(c->arena, s->count, sizeof *nodes);
    connection *angles = facet_arena_allocate(c->arena, s->count, sizeof *angles);
    size_t node_count = 0, angle_count = 0;
    if (!nodes || !angles) {
        c->failed |= s->count > 0;
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        if (s->connections[i].is_rotation)
            nodes[node_count++] = s->connections[i].child;
    }
    qsort(nodes, node_count, sizeof *nodes, by_number);
    for (size_t i = 0; i < s->count; i++) {
        const connection *one = &s->connections[i];
        if (bsearch(&one->parent, nodes, node_count, sizeof *nodes, by_number))
            angles[angle_count++] = *one;
    }
    qsort(angles, angle_count, sizeof *angles, by_child);
    for (size_t i = 0; i < c->count; i++) {
        const connection key = {.child = c->items[i].id},
                         *found = bsearch(&key, angles, angle_count, sizeof *angles, by_child);
        c->items[i].is_angle = found != NULL;
        c->items[i].node = found ? found->parent : 0;
    }
}

static bool is(const uint8_t *text, size_t size, const char *name)
{
    return size == strlen(name) && memcmp(text, name, size) == 0;
}

/* Record an object of this class, if it is an animation or one of its layers. */
static void add_object(scan *s, const uint8_t *name, size_t size, int64_t id)
{
    facet_fbx_curves *c = s->curves;
    c->stacks += is(name, size, "AnimationStack");
    if (!is(name, size, "AnimationLayer"))
        return;
    if (s->layer_count == s->layer_space) {
        size_t space = s->layer_space ? s->layer_space * 2 : 16;
        int64_t *grown =
            facet_arena_resize(c->arena, s->layers, s->layer_space, space, sizeof *grown);
        if (!grown) {
            c->failed = true;
            return;
        }
        s->layers = grown;
        s->layer_space = space;
    }
    s->layers[s->layer_count++] = id;
}

/* Count the layers to which something is connected. */
static void count_layers(scan *s)
{
    int64_t *used = facet_arena_allocate_zeroed(s->curves->arena, s->layer_count, sizeof *used);
    if (!used) {
        s->curves->failed |= s->layer_count > 0;
        return;
    }
    qsort(s->layers, s->layer_count, sizeof *s->layers, by_number);
    for (size_t i = 0; i < s->count; i++) {
        const int64_t *layer = bsearch(&s->connections[i].parent, s->layers, s->layer_count,
                                       sizeof *s->layers, by_number);
        if (layer)
            used[layer - s->layers] = 1;
    }
    for (size_t i = 0; i < s->layer_count; i++)
        s->curves->layers += used[i] != 0;
}

/* Extend the bounds of all animations. */
static void add_bound(facet_fbx_curves *c, bool is_stop, int64_t time)
{
    if (is_stop && time > c->stop)
        c->stop = time;
    else if (!is_stop && time < c->start)
        c->start = time;
}

/* Number of the array that a record of this name holds, or FACET_FBX_ARRAYS. */
static size_t array_of(const uint8_t *name, size_t size)
{
    size_t array = 0;
    while (array < FACET_FBX_ARRAYS && !is(name, size, names[array]))
        array++;
    return array;
}

/* -- Binary ------------------------------------------------------------- */

#define HEADER_SIZE 27

typedef struct record {
    size_t begin, values, values_end, end;
    const uint8_t *name;
    size_t name_size;
} record;

/* Read the head of the record at `at`. False if it is damaged, or ends a list (then end is 0). */
static bool read_record(const facet_fbx_curves *c, size_t at, record *r)
{
    size_t word = c->is_wide ? 8 : 4, head = 3 * word + 1;
    r->end = 0;
    if (c->size - at < head)
        return false;
    const uint8_t *data = c->data + at;
    uint64_t end = c->is_wide ? facet_load_u64le(data) : facet_load_u32le(data);
    uint64_t bytes =
        c->is_wide ? facet_load_u64le(data + 2 * word) : facet_load_u32le(data + 2 * word);
    r->begin = at;
    r->name = data + head;
    r->name_size = data[head - 1];
    r->values = at + head + r->name_size;
    if (end == 0 || end > c->size || end < r->values || bytes > end - r->values)
        return false;
    r->end = (size_t)end;
    r->values_end = r->values + (size_t)bytes;
    return true;
}

static bool read_long(const facet_fbx_curves *c, size_t at, size_t end, int64_t *number)
{
    if (end < at || end - at < 9 || c->data[at] != 'L')
        return false;
    *number = (int64_t)facet_load_u64le(c->data + at + 1);
    return true;
}

/* A record C: "OP", child, parent, property. */
static void read_connection(scan *s, const record *r)
{
    const facet_fbx_curves *c = s->curves;
    static const char rotation[] = "S\14\0\0\0Lcl Rotation";
    const size_t rotation_size = sizeof rotation - 1;
    connection one = {0, 0, false};
    size_t at = r->values;
    if (r->values_end - at < 5 || c->data[at] != 'S')
        return;
    uint32_t size = facet_load_u32le(c->data + at + 1);
    if (size > r->values_end - at - 5)
        return;
    at += 5 + (size_t)size;
    if (!read_long(c, at, r->values_end, &one.child) ||
        !read_long(c, at + 9, r->values_end, &one.parent))
        return;
    one.is_rotation = r->values_end - at - 18 >= rotation_size &&
                      memcmp(c->data + at + 18, rotation, rotation_size) == 0;
    add_connection(s, one);
}

/* A property of an animation: P: "LocalStop", three texts, time. */
static void read_bound(facet_fbx_curves *c, const record *r)
{
    static const char start[] = "S\12\0\0\0LocalStart", stop[] = "S\11\0\0\0LocalStop";
    const uint8_t *at = c->data + r->values;
    size_t size = r->values_end - r->values;
    int64_t time;
    bool is_start = size > sizeof start && memcmp(at, start, sizeof start - 1) == 0;
    bool is_stop = size > sizeof stop && memcmp(at, stop, sizeof stop - 1) == 0;
    if ((is_start || is_stop) && read_long(c, r->values_end - 9, r->values_end, &time))
        add_bound(c, is_stop, time);
}

/* A record Type in a record Pre-Extrapolation or Post-Extrapolation: a letter. */
static void read_continuation(const facet_fbx_curves *c, const record *r, char *to)
{
    if (is(r->name, r->name_size, "Type") && r->values_end - r->values >= 2 &&
        strchr("CIY", c->data[r->values]))
        *to = (char)c->data[r->values + 1];
}

static void scan_binary(scan *s)
{
    facet_fbx_curves *c = s->curves;
    facet_fbx_curve_place *curve = NULL;
    size_t at = HEADER_SIZE, word = c->is_wide ? 8 : 4, top = 0, object = 0, part = 0;
    bool is_stack = false;
    char *continues = NULL;
    record r;
    while (at < c->size && !c->failed) {
        if (!read_record(c, at, &r)) {
            if (r.end == 0 && at < top && c->size - at >= 3 * word + 1) { /* the end of a list */
                at += 3 * word + 1;
                continue;
            }
            return;
        }
        int64_t id;
        size_t array = array_of(r.name, r.name_size);
        if (at >= top) {
            top = r.end;
            object = 0;
        } else if (at >= object) { /* an object, or a connection */
            object = r.end;
            curve = NULL;
            continues = NULL;
            if (read_long(c, r.values, r.values_end, &id))
                add_object(s, r.name, r.name_size, id);
            is_stack = is(r.name, r.name_size, "AnimationStack");
            if (is(r.name, r.name_size, "AnimationCurve") &&
                read_long(c, r.values, r.values_end, &id))
                curve = add_curve(s, id, at);
            else if (is(r.name, r.name_size, "C"))
                read_connection(s, &r);
        } else if (curve && array < FACET_FBX_ARRAYS) {
            curve->arrays[array] = (facet_fbx_span){r.begin, r.end};
        } else if (curve && continues && at < part) {
            read_continuation(c, &r, continues);
        } else if (curve) {
            part = r.end;
            continues = is(r.name, r.name_size, "Pre-Extrapolation")    ? &curve->before
                        : is(r.name, r.name_size, "Post-Extrapolation") ? &curve->after
                                                                        : NULL;
        } else if (is_stack) {
            read_bound(c, &r);
        }
        at = r.values_end;
    }
}

/* -- Text --------------------------------------------------------------- */

static bool begins(const uint8_t *at, const uint8_t *end, const char *word)
{
    size_t size = strlen(word);
    return (size_t)(end - at) >= size && memcmp(at, word, size) == 0;
}

/* Read an integer after the character at `at`. */
static const uint8_t *read_id(const uint8_t *at, const uint8_t *end, int64_t *number)
{
    char copy[24];
    size_t used = 0;
    for (at++; at < end && *at == ' ';)
        at++;
    while (at < end && used < sizeof copy - 1 && (*at == '-' || (*at >= '0' && *at <= '9')))
        copy[used++] = (char)*at++;
    copy[used] = '\0';
    *number = strtoll(copy, NULL, 10);
    return at;
}

/* A line C: "OP",child,parent, "property". */
static void read_connected(scan *s, const uint8_t *at, const uint8_t *end)
{
    static const char rotation[] = "\"Lcl Rotation\"";
    connection one = {0, 0, false};
    at = memchr(at, ',', (size_t)(end - at));
    if (!at)
        return;
    at = read_id(at, end, &one.child);
    if (at == end || *at != ',')
        return;
    at = read_id(at, end, &one.parent);
    while (at < end && (*at == ',' || *at == ' '))
        at++;
    one.is_rotation = begins(at, end, rotation);
    add_connection(s, one);
}

/* Record the array that begins in the line from `at` to `end`, up to its brace. */
static void find_array(const facet_fbx_curves *c, facet_fbx_curve_place *curve, const uint8_t *at,
                       const uint8_t *end)
{
    const uint8_t *colon = memchr(at, ':', (size_t)(end - at)), *stop = c->data + c->size;
    size_t array = colon ? array_of(at, (size_t)(colon - at)) : FACET_FBX_ARRAYS;
    const uint8_t *brace = colon ? memchr(colon, '{', (size_t)(end - colon)) : NULL;
    if (!brace || array == FACET_FBX_ARRAYS)
        return;
    brace = memchr(brace, '}', (size_t)(stop - brace));
    if (brace)
        curve->arrays[array] =
            (facet_fbx_span){(size_t)(at - c->data), (size_t)(brace - c->data) + 1};
}

/* A line P: "LocalStop", "KTime", "Time", "",time. */
static void read_text_bound(facet_fbx_curves *c, const uint8_t *at, const uint8_t *end)
{
    static const char start[] = "P: \"LocalStart\"", stop[] = "P: \"LocalStop\"";
    bool is_stop = begins(at, end, stop);
    if (!is_stop && !begins(at, end, start))
        return;
    const uint8_t *comma = end;
    while (comma > at && *comma != ',')
        comma--;
    int64_t time;
    read_id(comma, end, &time);
    add_bound(c, is_stop, time);
}

/* A line at depth 3 of an object. */
static void read_inner(facet_fbx_curves *c, const uint8_t *at, const uint8_t *end, bool is_stack,
                       char *continues)
{
    if (is_stack)
        read_text_bound(c, at, end);
    else if (continues && begins(at, end, "Type: ") && end - at > 6)
        *continues = (char)at[6];
}

static void scan_text(scan *s)
{
    facet_fbx_curves *c = s->curves;
    facet_fbx_curve_place *curve = NULL;
    char *continues = NULL;
    bool is_stack = false;
    const uint8_t *at = c->data, *stop = c->data + c->size;
    size_t depth = 0;
    for (uint64_t line = 1; at < stop && !c->failed; line++) {
        const uint8_t *next = memchr(at, '\n', (size_t)(stop - at)), *end = next ? next : stop;
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        if (begins(at, end, ";")) {
            at = next ? next + 1 : stop;
            continue;
        }
        if (depth == 1) {
            static const char head[] = "AnimationCurve:";
            const uint8_t *colon = memchr(at, ':', (size_t)(end - at));
            int64_t id;
            curve = NULL;
            is_stack = begins(at, end, "AnimationStack:");
            if (colon && end - colon > 1) {
                read_id(colon, end, &id);
                add_object(s, at, (size_t)(colon - at), id);
            }
            if (begins(at, end, "FBXVersion:"))
                read_id(at + 10, end, &c->version);
            else if (begins(at, end, head)) {
                read_id(at + sizeof head - 2, end, &id);
                curve = add_curve(s, id, line);
            } else if (begins(at, end, "C:")) {
                read_connected(s, at, end);
            }
        } else if (depth == 2 && curve) {
            find_array(c, curve, at, end);
            continues = begins(at, end, "Pre-Extrapolation:")    ? &curve->before
                        : begins(at, end, "Post-Extrapolation:") ? &curve->after
                                                                 : NULL;
        } else if (depth == 3) {
            read_inner(c, at, end, is_stack, curve ? continues : NULL);
        }
        bool quoted = false;
        for (; at < end; at++) {
            quoted ^= *at == '"';
            if (!quoted && *at == '{')
                depth++;
            else if (!quoted && *at == '}' && depth > 0)
                depth--;
        }
        at = next ? next + 1 : stop;
    }
}

void facet_fbx_find_curves(facet_fbx_curves *c)
{
    static const char magic[] = "Kaydara FBX Binary";
    scan s = {.curves = c};
    c->is_binary = c->size >= HEADER_SIZE && memcmp(c->data, magic, sizeof magic - 1) == 0;
    c->is_wide = c->is_binary && facet_load_u32le(c->data + HEADER_SIZE - 4) >= 7500;
    if (c->is_binary)
        scan_binary(&s);
    else
        scan_text(&s);
    if (c->count > 0)
        mark_angles(&s);
    count_layers(&s);
}

/* -- Arrays of a binary file -------------------------------------------- */

/* Bytes of an array, inflated if they are compressed. NULL if it is damaged or too large. */
static const uint8_t *array_bytes(const facet_fbx_curves *c, facet_fbx_span span,
                                  facet_budget *budget, char *type, size_t *count)
{
    record r;
    *count = 0;
    if (span.end == 0 || !read_record(c, span.begin, &r) || r.values_end - r.values < 13)
        return NULL;
    const uint8_t *at = c->data + r.values;
    *type = (char)*at;
    size_t size = *type == 'l' || *type == 'd' ? 8 : 4, bytes, stored = facet_load_u32le(at + 9);
    uint32_t items = facet_load_u32le(at + 1), encoding = facet_load_u32le(at + 5);
    if (stored > r.values_end - r.values - 13 || !facet_size_multiply(items, size, &bytes) ||
        !strchr("lifd", *type))
        return NULL;
    if (encoding == 0) {
        *count = bytes <= stored ? items : 0;
        return *count > 0 ? at + 13 : NULL;
    }
#ifdef FACET_HAVE_DEFLATE
    uint8_t *to = facet_budget_spend(budget, bytes, "keys", NULL) == FACET_OK
                      ? facet_arena_allocate(c->arena, bytes, 1)
                      : NULL;
    struct libdeflate_decompressor *inflater = to ? libdeflate_alloc_decompressor() : NULL;
    if (!inflater)
        return NULL;
    enum libdeflate_result result =
        libdeflate_zlib_decompress(inflater, at + 13, stored, to, bytes, NULL);
    libdeflate_free_decompressor(inflater);
    *count = result == LIBDEFLATE_SUCCESS ? items : 0;
    return *count > 0 ? to : NULL;
#else
    (void)budget;
    return NULL;
#endif
}

static int64_t integer_at(const uint8_t *bytes, char type, size_t i)
{
    if (type == 'l')
        return (int64_t)facet_load_u64le(bytes + i * 8);
    return (int32_t)facet_load_u32le(bytes + i * 4);
}

static double number_at(const uint8_t *bytes, char type, size_t i)
{
    double number;
    float narrow;
    if (type == 'd') {
        uint64_t bits = facet_load_u64le(bytes + i * 8);
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    uint32_t bits = facet_load_u32le(bytes + i * 4);
    memcpy(&narrow, &bits, sizeof narrow);
    return (double)narrow;
}

/* -- Arrays of a text --------------------------------------------------- */

/* Text of the numbers of an array, and an upper bound of their count; NULL: none. */
static char *array_text(const facet_fbx_curves *c, facet_fbx_span span, facet_budget *budget,
                        size_t *count)
{
    size_t size = span.end - span.begin;
    *count = 0;
    if (size == 0 || facet_budget_spend(budget, (uint64_t)size * 9, "keys", NULL) != FACET_OK)
        return NULL;
    char *copy = facet_arena_string(c->arena, (const char *)c->data + span.begin, size);
    char *at = copy ? strchr(copy, '{') : NULL;
    at = at ? strstr(at, "a:") : NULL;
    if (!at)
        return NULL;
    at += 2;
    *count = 1;
    for (const char *comma = at; *comma; comma++)
        *count += *comma == ',';
    return at;
}

int64_t *facet_fbx_read_integers(const facet_fbx_curves *c, facet_fbx_span span,
                                 facet_budget *budget, size_t *count)
{
    char type = 0;
    const uint8_t *bytes = c->is_binary ? array_bytes(c, span, budget, &type, count) : NULL;
    char *text = c->is_binary ? NULL : array_text(c, span, budget, count);
    int64_t *to = bytes || text ? facet_arena_allocate(c->arena, *count, sizeof *to) : NULL;
    if (!to || (bytes && type == 'd')) {
        *count = 0;
        return NULL;
    }
    for (size_t i = 0; i < *count; i++) {
        char *end = text;
        to[i] = bytes ? integer_at(bytes, type, i) : strtoll(text, &end, 10);
        if (text && end == text) { /* not a number */
            *count = 0;
            return NULL;
        }
        text = text ? end + strspn(end, ", \t\r\n") : NULL;
    }
    return to;
}

double *facet_fbx_read_numbers(const facet_fbx_curves *c, facet_fbx_span span, facet_budget *budget,
                               size_t *count)
{
    char type = 0;
    const uint8_t *bytes = c->is_binary ? array_bytes(c, span, budget, &type, count) : NULL;
    char *text = c->is_binary ? NULL : array_text(c, span, budget, count);
    double *to = bytes || text ? facet_arena_allocate(c->arena, *count, sizeof *to) : NULL;
    if (!to || (bytes && (type == 'l' || type == 'i'))) {
        *count = 0;
        return NULL;
    }
    for (size_t i = 0; i < *count; i++) {
        char *end = text;
        to[i] = bytes ? number_at(bytes, type, i) : strtod(text, &end);
        if (text && end == text) {
            *count = 0;
            return NULL;
        }
        text = text ? end + strspn(end, ", \t\r\n") : NULL;
    }
    return to;
}

int64_t *facet_fbx_read_attributes(const facet_fbx_curves *c, facet_fbx_span span,
                                   facet_budget *budget, size_t *count)
{
    if (c->is_binary || c->version >= 7200) /* a text has the bits as integers */
        return facet_fbx_read_integers(c, span, budget, count);
    double *numbers = facet_fbx_read_numbers(c, span, budget, count);
    int64_t *to = numbers ? facet_arena_allocate(c->arena, *count, sizeof *to) : NULL;
    for (size_t i = 0; i < *count && to; i++) {
        float narrow = (float)numbers[i];
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        to[i] = bits;
    }
    *count = to ? *count : 0;
    return to;
}
