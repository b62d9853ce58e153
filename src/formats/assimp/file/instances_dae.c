/* formats/assimp/file/instances_dae.c - copies of a COLLADA's shapes for instances with other
 * materials or another skeleton. assimp keeps a mesh per primitive element and material. If an
 * instance has a mesh already, assimp does not count its vertices, and reads the next one of the
 * shape from there. It binds a mesh once, to the joints of one skeleton. */
#include "formats/assimp/file/instances_dae.h"

#include "base/table.h"
#include "formats/assimp/file/edits_dae.h"
#include "formats/assimp/file/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes of all copies: a multiple of the file, and more for small ones. */
#define MAX_GROWTH 4
#define MAX_SMALL ((size_t)1 << 20)

#define NONE UINT32_MAX

/* A <geometry> or <controller>. */
typedef struct shape {
    facet_xml_part id, element;
    uint32_t skeleton; /* of its first instance: number of a text; NONE: not known yet */
} shape;

/* An <instance_geometry> or <instance_controller>, and its materials in `bindings`. */
typedef struct instance {
    facet_xml_part url; /* without '#' */
    uint32_t first, count;
    uint32_t skeleton; /* the first <skeleton>: number of a text, or NONE */
} instance;

typedef struct binding {
    uint32_t symbol, material; /* numbers of texts */
} binding;

typedef struct copier {
    facet_arena *arena;
    shape *shapes;
    instance *instances;
    binding *bindings;
    uint32_t shape_count, shape_capacity, instance_count, instance_capacity, binding_count,
        binding_capacity;
    bool in_shape;
    facet_names texts, ids;
    facet_names lists;   /* of bindings, after the number of the shape */
    facet_names seen;    /* shape, symbol and material of instances of the shape itself */
    const char **copies; /* per list: id of the copy; NULL: the shape itself */
    uint32_t copy_count, copy_capacity, next;
    facet_dae_edits edits;
    size_t left; /* bytes that copies may still have */
} copier;

/* -- Elements ----------------------------------------------------------- */

static bool is_shape(facet_xml_part name)
{
    return facet_xml_is(name, "geometry") || facet_xml_is(name, "controller");
}

static uint32_t put(facet_names *names, facet_xml_part text)
{
    return facet_names_put(names, (const char *)text.at, text.size);
}

static bool note_binding(copier *c, facet_xml_part tag)
{
    binding made = {put(&c->texts, facet_xml_attribute(tag, "symbol")),
                    put(&c->texts, facet_xml_attribute(tag, "target"))};
    if (c->instance_count == 0)
        return true;
    if (made.symbol == UINT32_MAX || made.material == UINT32_MAX ||
        !FACET_GROW(c->arena, c->bindings, c->binding_count, c->binding_capacity))
        return false;
    c->bindings[c->binding_count++] = made;
    c->instances[c->instance_count - 1].count++;
    return true;
}

/* Note an opening tag. False if out of memory. */
static bool note_opening(copier *c, const facet_xml_tag *t)
{
    facet_xml_part name = t->name, tag = t->tag, content = t->content;
    if (is_shape(name) && !c->in_shape) {
        facet_xml_part id = facet_xml_attribute(tag, "id");
        if (!FACET_GROW(c->arena, c->shapes, c->shape_count, c->shape_capacity))
            return false;
        c->shapes[c->shape_count++] = (shape){id, {t->begin, 0}, NONE};
        c->in_shape = true;
    } else if (facet_xml_is(name, "instance_geometry") ||
               facet_xml_is(name, "instance_controller")) {
        facet_xml_part url = facet_xml_attribute(tag, "url");
        if (!FACET_GROW(c->arena, c->instances, c->instance_count, c->instance_capacity))
            return false;
        if (url.size > 0)
            url = (facet_xml_part){url.at + 1, url.size - 1};
        c->instances[c->instance_count++] = (instance){url, c->binding_count, 0, NONE};
    } else if (facet_xml_is(name, "instance_material")) {
        return note_binding(c, tag);
    } else if (facet_xml_is(name, "skeleton") && c->instance_count > 0) {
        instance *last = &c->instances[c->instance_count - 1];
        if (last->skeleton == NONE)
            last->skeleton = put(&c->texts, facet_xml_next_word(&content));
        return last->skeleton != NONE;
    }
    return true;
}

static bool note_tag(void *user, const facet_xml_tag *t)
{
    copier *c = user;
    if (!t->closes && !note_opening(c, t))
        return false;
    if (c->in_shape && is_shape(t->name) && (t->closes || t->is_empty)) {
        shape *last = &c->shapes[c->shape_count - 1];
        last->element.size = (size_t)(t->end - last->element.at);
        c->in_shape = false;
    }
    return true;
}

/* -- Copies ------------------------------------------------------------- */

/* A free id for a copy. The reader removes the number from the name of the mesh. NULL if out of
 * memory. */
static const char *free_id(copier *c, facet_xml_part id)
{
    size_t size = id.size + sizeof FACET_ASSIMP_NUMBERED + 10;
    char *made = facet_arena_allocate(c->arena, size, 1);
    if (!made)
        return NULL;
    memcpy(made, id.at, id.size);
    do {
        snprintf(made + id.size, size - id.size, FACET_ASSIMP_NUMBERED "%" PRIu32, c->next++);
    } while (facet_names_find(&c->ids, made, strlen(made)) != UINT32_MAX);
    return made;
}

/* Add a copy of a shape after it, with another id. Line ends become blanks. */
static facet_status copy_shape(copier *c, const shape *s, const char *id, facet_error *error)
{
    size_t before = (size_t)(s->id.at - s->element.at), length = strlen(id);
    size_t after = s->element.size - before - s->id.size, size = before + length + after;
    if (size > c->left)
        return facet_fail(
            error, FACET_ERROR_LIMIT, "ASSIMP", FACET_NO_OFFSET,
            "instances with different materials or skeletons need copies of geometry of more "
            "than "
            "%d times the size of the file",
            MAX_GROWTH);
    c->left -= size;
    uint8_t *copy = facet_arena_allocate(c->arena, size, 1);
    if (!copy)
        return facet_fail_arena(c->arena, error);
    memcpy(copy, s->element.at, before);
    memcpy(copy + before, id, length);
    memcpy(copy + before + length, s->id.at + s->id.size, after);
    for (size_t i = 0; i < size; i++)
        copy[i] = copy[i] == '\n' || copy[i] == '\r' ? ' ' : copy[i];
    facet_xml_part at = {s->element.at + s->element.size, 0};
    return facet_dae_add_edit(&c->edits, at, (facet_xml_part){copy, size})
               ? FACET_OK
               : facet_fail_arena(c->arena, error);
}

/* The number of the skeleton and bindings of an instance, with its shape; UINT32_MAX if out of
 * memory. */
static uint32_t list_of(copier *c, uint32_t number, const instance *from)
{
    uint32_t count = from->count * 2 + 2;
    uint32_t *key = facet_arena_allocate(c->arena, count, sizeof *key);
    if (!key)
        return UINT32_MAX;
    key[0] = number;
    key[1] = from->skeleton;
    if (from->count > 0)
        memcpy(key + 2, c->bindings + from->first, from->count * sizeof *c->bindings);
    return facet_names_put(&c->lists, (const char *)key, count * sizeof *key);
}

/* True if an instance of the shape itself has one of the bindings. If not, they are noted. */
static bool is_partly_seen(copier *c, uint32_t number, const instance *from, bool *failed)
{
    for (int note = 0; note < 2; note++) {
        for (uint32_t i = 0; i < from->count; i++) {
            const binding *b = &c->bindings[from->first + i];
            const uint32_t key[3] = {number, b->symbol, b->material};
            if (note)
                *failed |=
                    facet_names_put_copy(&c->seen, (const char *)key, sizeof key) == UINT32_MAX;
            else if (facet_names_find(&c->seen, (const char *)key, sizeof key) != UINT32_MAX)
                return true;
        }
    }
    return false;
}

static facet_status separate(copier *c, const instance *from, facet_error *error)
{
    uint32_t number = facet_names_find(&c->ids, (const char *)from->url.at, from->url.size);
    if (number == UINT32_MAX || from->url.size == 0)
        return FACET_OK;
    shape *s = &c->shapes[number];
    if (s->skeleton == NONE)
        s->skeleton = from->skeleton;
    uint32_t list = list_of(c, number, from);
    if (list == UINT32_MAX)
        return facet_fail_arena(c->arena, error);
    if (list == c->copy_count) {
        bool failed = !FACET_GROW(c->arena, c->copies, list, c->copy_capacity);
        if (!failed)
            c->copies[c->copy_count++] = NULL;
        bool is_other = s->skeleton != from->skeleton && from->skeleton != NONE;
        if (!failed && s->element.size > 0 &&
            (is_other || is_partly_seen(c, number, from, &failed))) {
            c->copies[list] = free_id(c, s->id);
            failed |= !c->copies[list];
            if (!failed)
                TRY(copy_shape(c, s, c->copies[list], error));
        }
        if (failed)
            return facet_fail_arena(c->arena, error);
    }
    const char *id = c->copies[list];
    facet_xml_part name = {(const uint8_t *)id, id ? strlen(id) : 0};
    return !id || facet_dae_add_edit(&c->edits, from->url, name)
               ? FACET_OK
               : facet_fail_arena(c->arena, error);
}

facet_status facet_dae_copy_shapes(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   facet_error *error)
{
    copier *c = facet_arena_allocate_zeroed(scratch, 1, sizeof *c);
    if (!c)
        return facet_fail_arena(scratch, error);
    c->arena = c->edits.arena = scratch;
    c->texts = c->ids = c->lists = c->seen = facet_names_make(scratch);
    c->left = *size > SIZE_MAX / MAX_GROWTH - MAX_SMALL ? SIZE_MAX : *size * MAX_GROWTH + MAX_SMALL;
    if (!facet_xml_each_tag(*data, *size, note_tag, c))
        return facet_fail_arena(scratch, error);
    if (c->instance_count < 2)
        return FACET_OK;
    for (uint32_t i = 0; i < c->shape_count; i++) {
        /* The first of equal ids counts. Then numbers of ids are those of shapes. */
        uint32_t known = c->ids.count, number = put(&c->ids, c->shapes[i].id);
        if (number == UINT32_MAX)
            return facet_fail_arena(scratch, error);
        if (number == known)
            c->shapes[number] = c->shapes[i];
    }
    for (uint32_t i = 0; i < c->instance_count; i++)
        TRY(separate(c, &c->instances[i], error));
    return facet_dae_apply(&c->edits, data, size, error);
}
