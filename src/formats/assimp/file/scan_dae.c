/* formats/assimp/file/scan_dae.c - a scan of a COLLADA or other XML before assimp reads it. It
 * finds elements that assimp drops without a message or that end the process, and deep nesting. */
#include "base/report.h"
#include "base/table.h"
#include "formats/assimp/file/arrays_dae.h"
#include "formats/assimp/file/effects_dae.h"
#include "formats/assimp/file/links.h"
#include "formats/assimp/file/materials_dae.h"
#include "formats/assimp/file/morphs_dae.h"
#include "formats/assimp/file/nodes_dae.h"
#include "formats/assimp/file/params_dae.h"
#include "formats/assimp/file/ranges_dae.h"
#include "formats/assimp/file/scan.h"
#include "formats/assimp/file/scan_3mf.h"
#include "formats/assimp/file/scan_x3d.h"
#include "formats/assimp/file/shapes_x3d.h"
#include "formats/assimp/file/texcoords_dae.h"
#include "formats/assimp/file/weights_dae.h"

#include <stdlib.h>
#include <string.h>

/* -- Elements ----------------------------------------------------------- */

typedef facet_xml_part text;

/* Findings, each reported once with the line of its first occurrence. */
enum {
    MORPH,
    WRAP,
    FILTER,
    PARALLEL,
    AMBIENT,
    FALLOFF,
    SET,
    KEYS,
    PARAM,
    BIND_SHAPE,
    INVERTED,
    SURFACE,
    HIDDEN,
    FINDING_COUNT
};

static const struct {
    const char *rule, *sentence;
} findings[FINDING_COUNT] = {
    {"LOSS-MORPHS", "a <morph> is not read: its mesh keeps its shape at rest"},
    {"LOSS-TEXTURES",
     "the border of a sampler (BORDER or NONE) is not read: its texture is clamped"},
    {"LOSS-TEXTURES", "the filter of a sampler is not read: its texture is smooth"},
    {"LOSS-CAMERA", "an <orthographic> camera without a positive <xmag> or <ymag> is read as a "
                    "perspective one"},
    {"LOSS-CAMERA", "an <ambient> light is read as a directional one"},
    {"LOSS-CAMERA", "the <falloff_exponent> of a light is not read"},
    {"LOSS-TEXTURES", "the texture coordinate set of a <bind_vertex_input> is not used: "
                      "assimp has 8, and one per effect"},
    {"LOSS-ANIMATIONS", "keys with steps or curves between them are read as straight lines"},
    {"LOSS-MATERIALS", "a <param> of an effect has no value of its type, or a <setparam> is not "
                       "used because several materials have the effect"},
    {"LOSS-SKIN", "weights of the bind shape (joint -1) are left out: the other weights of the "
                  "vertex are scaled"},
    {"LOSS-MATERIALS",
     "a texture of <transparent> that is 0 where the material is opaque (RGB_ZERO, "
     "A_ZERO) is not read: the material is opaque"},
    {"LOSS-MESHES", "a <spline>, <convex_mesh> or <brep> is not read"},
    {"LOSS-NODES", "the <visibility> of a hidden node is not read: the node is visible"},
};

typedef struct dae_scanner {
    const uint8_t *at, *end;
    uint64_t line;
    text open[FACET_ASSIMP_MAX_DEPTH]; /* names of the elements around the current one */
    size_t depth;
    bool is_collada;   /* the element was found; in other XML, only the depth is limited */
    bool has_position; /* of the current <vertices> */
    facet_tally tallies[FINDING_COUNT];
    uint64_t lines[FINDING_COUNT];
    facet_names optics, node_names; /* names of cameras and lights; those of nodes */
    facet_dae_controllers controllers;
    facet_dae_texcoords texcoords;
    facet_dae_effects effects;
    facet_dae_params params;
    facet_dae_weights weights;
    facet_dae_ranges ranges;
    facet_dae_edits edits;
    facet_x3d_findings x3d;
    facet_x3d_shapes shapes;
    facet_dae_nodes nodes;
    facet_dae_arrays arrays;
    facet_3mf model;
    uint64_t object;          /* of a 3MF: number of the current <object> */
    facet_assimp_links links; /* of a 3MF: its objects */
    facet_arena *scratch;
    facet_error *error;
    facet_status status;
} dae_scanner;

/* True if the element `above` levels around the current one has this name. */
static bool is_in(const dae_scanner *s, size_t above, const char *name)
{
    return above <= s->depth && facet_xml_is(s->open[s->depth - above], name);
}

/* Advance to `to` and count lines. */
static void advance(dae_scanner *s, const uint8_t *to)
{
    for (; s->at < to; s->at++)
        s->line += *s->at == '\n';
}

/* -- Content ------------------------------------------------------------ */

/* True if some word of the content is not one of these. */
static bool has_other(text content, const char *a, const char *b)
{
    for (text word = facet_xml_next_word(&content); word.size > 0;
         word = facet_xml_next_word(&content)) {
        if (!facet_xml_is(word, a) && !facet_xml_is(word, b))
            return true;
    }
    return false;
}

static bool begins_with(text content, const char *start)
{
    text word = facet_xml_next_word(&content);
    return word.size >= strlen(start) && memcmp(word.at, start, strlen(start)) == 0;
}

/* -- Rules -------------------------------------------------------------- */

static void hit(dae_scanner *s, int finding)
{
    if (s->tallies[finding].count == 0)
        s->lines[finding] = s->line;
    facet_tally_hit(&s->tallies[finding], s->line);
}

/* Examine an element that assimp cannot read. */
static facet_status check_support(dae_scanner *s, text name, text tag)
{
    if (facet_xml_is(name, "skew") && is_in(s, 1, "node"))
        return facet_fail_line(s->error, FACET_ERROR_UNSUPPORTED, "ASSIMP", s->line,
                               "<skew> is not supported by assimp; use <matrix>");
    if (facet_xml_is(name, "ph") && is_in(s, 1, "polygons"))
        return facet_fail_line(s->error, FACET_ERROR_UNSUPPORTED, "ASSIMP", s->line,
                               "polygons with holes (<ph>) are not supported; export triangles");
    if (facet_xml_is(name, "vertices"))
        s->has_position = false;
    if (!facet_xml_is(name, "input") || !is_in(s, 1, "vertices"))
        return FACET_OK;
    s->has_position |= facet_xml_is(facet_xml_attribute(tag, "semantic"), "POSITION");
    if (!s->has_position)
        return facet_fail_line(s->error, FACET_ERROR_UNSUPPORTED, "ASSIMP", s->line,
                               "<vertices> has another input before POSITION, which assimp does "
                               "not support");
    return FACET_OK;
}

/* Examine an element whose loss is reported. `content` is the text up to the next tag. */
static void check_losses(dae_scanner *s, text name, text content)
{
    bool common = is_in(s, 1, "technique_common");
    if (is_in(s, 1, "sampler2D") &&
        (facet_xml_is(name, "wrap_s") || facet_xml_is(name, "wrap_t")) &&
        (begins_with(content, "BORDER") || begins_with(content, "NONE")))
        hit(s, WRAP);
    else if (is_in(s, 1, "sampler2D") &&
             (facet_xml_is(name, "minfilter") || facet_xml_is(name, "magfilter")) &&
             begins_with(content, "NEAREST"))
        hit(s, FILTER);
    else if (facet_xml_is(name, "orthographic") && common)
        hit(s, PARALLEL);
    else if (facet_xml_is(name, "ambient") && common && is_in(s, 2, "light"))
        hit(s, AMBIENT);
    else if (facet_xml_is(name, "falloff_exponent") && has_other(content, "0", "0.0"))
        hit(s, FALLOFF);
    else if (facet_xml_is(name, "visibility") && is_in(s, 1, "technique") && is_in(s, 3, "node") &&
             (begins_with(content, "0") || begins_with(content, "false")) &&
             !begins_with(content, "0."))
        hit(s, HIDDEN);
    else if (is_in(s, 1, "geometry") &&
             (facet_xml_is(name, "spline") || facet_xml_is(name, "convex_mesh") ||
              facet_xml_is(name, "brep")))
        hit(s, SURFACE);
    else if (facet_xml_is(name, "Name_array") && is_in(s, 2, "animation") &&
             (has_other(content, "LINEAR", "LINEAR")))
        hit(s, KEYS);
}

/* Note the name of a camera, light or node. A node without a name has its id as the name. */
static facet_status note_name(dae_scanner *s, text name, text tag)
{
    bool is_node = facet_xml_is(name, "node");
    text noted = facet_xml_attribute(tag, "name");
    if (is_node && noted.size == 0)
        noted = facet_xml_attribute(tag, "id");
    if (noted.size == 0 ||
        !(is_node || is_in(s, 1, "library_lights") || is_in(s, 1, "library_cameras")))
        return FACET_OK;
    facet_names *names = is_node ? &s->node_names : &s->optics;
    return facet_names_put(names, (const char *)noted.at, noted.size) == UINT32_MAX
               ? facet_fail_arena(s->scratch, s->error)
               : FACET_OK;
}

/* Report the names of cameras and lights that are not those of nodes: assimp names them like their
 * nodes. */
static void report_names(const dae_scanner *s, facet_report *report)
{
    facet_tally renamed = {0, 0};
    facet_quoted quoted;
    for (uint32_t i = 0; i < s->optics.count; i++) {
        const facet_name *name = &s->optics.items[i];
        if (facet_names_find(&s->node_names, name->text, name->length) == UINT32_MAX)
            facet_tally_hit(&renamed, i);
    }
    if (renamed.count == 0)
        return;
    const facet_name *first = &s->optics.items[renamed.first];
    facet_report_add_tally(report, "LOSS-NAMES", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &renamed,
                           "the camera or light '%s' is read with the name of its node",
                           facet_quote(&quoted, first->text, first->length));
}

/* -- Controllers -------------------------------------------------------- */

/* The value of an attribute after its '#'; empty if missing. */
static text target_of(text tag, const char *name)
{
    text value = facet_xml_attribute(tag, name);
    return value.size > 0 && *value.at == '#' ? (text){value.at + 1, value.size - 1}
                                              : (text){value.at, 0};
}

static facet_status add_reference(dae_scanner *s, text target, text name)
{
    facet_dae_controllers *all = &s->controllers;
    if (!FACET_GROW(all->arena, all->references, all->reference_count, all->reference_capacity))
        return facet_fail_arena(all->arena, s->error);
    all->references[all->reference_count++] = (facet_dae_reference){target, {name, {name.at, 0}}};
    return FACET_OK;
}

/* Note a controller, what it changes, and where it is used. */
static facet_status note_controller(dae_scanner *s, text name, text tag)
{
    facet_dae_controllers *all = &s->controllers;
    facet_dae_controller *last = all->count > 0 ? &all->items[all->count - 1] : NULL;
    bool is_inside = last && last->element.size == 0 && is_in(s, 1, "controller");
    if (facet_xml_is(name, "controller") && is_in(s, 1, "library_controllers")) {
        if (!FACET_GROW(all->arena, all->items, all->count, all->capacity))
            return facet_fail_arena(all->arena, s->error);
        text none = {tag.at, 0};
        all->items[all->count++] =
            (facet_dae_controller){facet_xml_attribute(tag, "id"), none, {tag.at - 1, 0}, false};
    } else if (facet_xml_is(name, "morph") && is_inside) {
        last->is_morph = true;
        last->source = target_of(tag, "source");
        hit(s, MORPH);
    } else if (facet_xml_is(name, "skin") && is_inside) {
        return add_reference(s, target_of(tag, "source"), (text){tag.at, 0});
    } else if (facet_xml_is(name, "instance_controller")) {
        return add_reference(s, target_of(tag, "url"), name);
    }
    return FACET_OK;
}

/* Note the end of a controller or of its use. `name` begins the closing tag; `end` is its last
 * byte. */
static void end_controller(dae_scanner *s, text name, const uint8_t *end)
{
    facet_dae_controllers *all = &s->controllers;
    if (is_in(s, 1, "controller") && is_in(s, 2, "library_controllers") && all->count > 0) {
        facet_dae_controller *last = &all->items[all->count - 1];
        last->element.size = (size_t)(end + 1 - last->element.at);
    } else if (is_in(s, 1, "instance_controller") && all->reference_count > 0 &&
               name.size >= s->open[s->depth - 1].size) {
        name.size = s->open[s->depth - 1].size;
        all->references[all->reference_count - 1].names[1] = name;
    }
}

/* -- Objects of a 3MF --------------------------------------------------- */

/* Read a number like pugixml, which assimp uses: with a sign, decimal or hexadecimal. The key of a
 * number is never 0. */
static facet_status read_key(const dae_scanner *s, text value, uint64_t *key)
{
    char digits[32] = "";
    while (value.size > 0 && facet_xml_is_blank(*value.at))
        value.at++, value.size--;
    if (value.size >= sizeof digits || memchr(value.at, '&', value.size))
        return facet_fail_line(s->error, FACET_ERROR_UNSUPPORTED, "ASSIMP", s->line,
                               "the number of an object is not a plain number");
    memcpy(digits, value.at, value.size);
    const char *first = digits + (*digits == '-' || *digits == '+');
    bool is_hexadecimal = first[0] == '0' && (first[1] | 0x20) == 'x';
    long long number = strtoll(digits, NULL, is_hexadecimal ? 16 : 10);
    number = number > INT32_MAX ? INT32_MAX : number < INT32_MIN ? INT32_MIN : number;
    *key = (uint64_t)(number - INT32_MIN + 1);
    return FACET_OK;
}

/* Note a reference of a 3MF between objects. */
static facet_status note_object(dae_scanner *s, text name, text tag)
{
    uint64_t key = 0;
    bool is_item = facet_xml_is(name, "item");
    if (facet_xml_is(name, "object")) {
        text id = facet_xml_attribute(tag, "id");
        return id.size > 0 ? read_key(s, id, &s->object) : FACET_OK;
    }
    if (!is_item && !facet_xml_is(name, "component"))
        return FACET_OK;
    text id = facet_xml_attribute(tag, "objectid");
    if (id.size == 0)
        return FACET_OK;
    TRY(read_key(s, id, &key));
    if (!facet_assimp_links_add_numbers(&s->links, is_item ? 0 : s->object, key, s->line))
        return facet_fail_arena(s->scratch, s->error);
    /* assimp copies the list of children for each new child. */
    if (s->links.count > FACET_ASSIMP_MAX_COPIES)
        return facet_fail_line(s->error, FACET_ERROR_LIMIT, "ASSIMP", s->line,
                               "more than " FACET_ASSIMP_MAX_COPIES_TEXT " items and components");
    return FACET_OK;
}

/* -- Tags --------------------------------------------------------------- */

static void close_element(dae_scanner *s)
{
    if (is_in(s, 1, "node"))
        facet_dae_end_node(&s->nodes);
    if (s->depth > 0)
        s->depth--;
}

static facet_status end_effect(dae_scanner *s, text closing)
{
    text element = s->depth > 0 ? s->open[s->depth - 1] : (text){s->at, 0};
    closing.size = closing.size < element.size ? closing.size : element.size;
    return facet_dae_end_effect(&s->effects, &s->edits, element, closing)
               ? FACET_OK
               : facet_fail_arena(s->scratch, s->error);
}

/* Give a node or camera without a name its id as the name. assimp would make a name for the node,
 * and leave out the camera's values. */
static facet_status add_name(dae_scanner *s, text name, text tag)
{
    text id = facet_xml_attribute(tag, "id");
    text after = {name.at + name.size, 0};
    if (id.size == 0 || id.size > 1000 || facet_xml_attribute(tag, "name").size > 0 ||
        memchr(id.at, '"', id.size))
        return FACET_OK;
    char *made =
        facet_arena_format(s->scratch, " name=\"%.*s\"", (int)id.size, (const char *)id.at);
    return made && facet_dae_add_edit(&s->edits, after, (text){(uint8_t *)made, strlen(made)})
               ? FACET_OK
               : facet_fail_arena(s->scratch, s->error);
}

/* Add the image of a sampler or the file of an image of COLLADA 1.5, which assimp looks for in
 * other elements. */
static bool add_image(dae_scanner *s, text name, text parent, text tag, text content)
{
    text at = {parent.at + parent.size, 0};
    char *made = NULL;
    text url = facet_xml_attribute(tag, "url");
    if (facet_xml_is(name, "instance_image") && facet_xml_is(parent, "sampler2D") &&
        url.size < 1000 && !memchr(url.at, '"', url.size)) {
        made = facet_arena_format(s->scratch, " url=\"%.*s\"", (int)url.size, (const char *)url.at);
    } else if (facet_xml_is(name, "ref") && facet_xml_is(parent, "init_from") &&
               is_in(s, 2, "image") && content.size < 10000) {
        at.at = parent.at - 1;
        made = facet_arena_format(s->scratch, "<from><ref>%.*s</ref></from>", (int)content.size,
                                  (const char *)content.at);
    } else {
        return true;
    }
    return made && facet_dae_add_edit(&s->edits, at, (text){(uint8_t *)made, strlen(made)});
}

/* Note a node or an instance of one. Empty elements end at once. */
static facet_status note_node(dae_scanner *s, text name, text tag)
{
    bool noted = facet_xml_is(name, "node")
                     ? facet_dae_begin_node(&s->nodes, facet_xml_attribute(tag, "id"),
                                            facet_xml_attribute(tag, "name"), s->line)
                     : facet_dae_note_instance(&s->nodes, facet_xml_attribute(tag, "url"), s->line);
    return noted ? FACET_OK : facet_fail_arena(s->scratch, s->error);
}

/* Examine an element of a COLLADA. */
static facet_status check_element(dae_scanner *s, text name, text tag, text content, text element)
{
    text parent = s->depth > 0 ? s->open[s->depth - 1] : (text){tag.at, 0};
    TRY(check_support(s, name, tag));
    check_losses(s, name, content);
    TRY(note_controller(s, name, tag));
    TRY(note_name(s, name, tag));
    text outer = s->depth > 1 ? s->open[s->depth - 2] : (text){tag.at, 0};
    if (!facet_dae_note_param(&s->params, name, parent, outer, tag, content, s->line))
        return facet_fail_arena(s->scratch, s->error);
    bool removed;
    if (!add_image(s, name, parent, tag, content) ||
        !facet_dae_note_range(&s->ranges, name, parent, tag, content, s->line) ||
        !facet_dae_note_weights(&s->weights, &s->edits, name, parent, content, &removed))
        return facet_fail_arena(s->scratch, s->error);
    if (removed)
        hit(s, BIND_SHAPE);
    if (facet_dae_is_inverted(&s->effects, name, parent))
        hit(s, INVERTED);
    TRY(facet_dae_note_array(&s->arrays, name, tag, s->line, s->error));
    if (!facet_dae_note_texcoord(&s->texcoords, name, tag, s->line) ||
        !facet_dae_begin_effect(&s->effects, &s->edits, name, parent, tag, content, element) ||
        (element.size == 0 && !facet_dae_add_no_material(&s->edits, name, parent, content)))
        return facet_fail_arena(s->scratch, s->error);
    if (facet_xml_is(name, "node") ||
        (facet_xml_is(name, "camera") && facet_xml_is(parent, "library_cameras")))
        TRY(add_name(s, name, tag));
    return facet_xml_is(name, "node") || facet_xml_is(name, "instance_node")
               ? note_node(s, name, tag)
               : FACET_OK;
}

/* The whole element of an opening tag, if it has no content; else a part of size 0. */
static text empty_element(const dae_scanner *s, text name, text tag, text content, bool is_empty)
{
    const uint8_t *close = content.at + content.size, *end = tag.at + tag.size + 1;
    text word = content, none = {tag.at, 0};
    if (is_empty)
        return (text){tag.at - 1, (size_t)(end - tag.at) + 1};
    bool is_closed = (size_t)(s->end - close) > name.size + 2 && close[1] == '/' &&
                     memcmp(close + 2, name.at, name.size) == 0;
    if (!is_closed || facet_xml_next_word(&word).size > 0)
        return none;
    end = memchr(close, '>', (size_t)(s->end - close));
    return end ? (text){tag.at - 1, (size_t)(end - tag.at) + 2} : none;
}

/* Examine an element of an XML other than a COLLADA. */
static facet_status check_other(dae_scanner *s, const facet_xml_tag *t, text content)
{
    TRY(note_object(s, t->name, t->tag));
    const facet_x3d_element element = {
        t->name, s->depth > 0 ? s->open[s->depth - 1] : (text){t->tag.at, 0}, t->tag,
        empty_element(s, t->name, t->tag, content, t->is_empty), s->line};
    TRY(facet_x3d_check_element(&s->x3d, &element));
    text inside = element.empty.size == 0 ? content : (text){NULL, 0};
    if (!facet_3mf_note_element(&s->model, &s->edits, t->name, element.parent, t->tag, inside,
                                s->line))
        return facet_fail_arena(s->scratch, s->error);
    return s->x3d.is_x3d ? facet_x3d_begin_shape(&s->shapes, &s->edits, t->name, element.parent,
                                                 t->tag, content, s->error)
                         : FACET_OK;
}

static facet_status open_element(dae_scanner *s, const facet_xml_tag *t)
{
    text content = {t->end, t->is_empty ? 0 : t->content.size};
    text element = {t->begin, t->is_empty ? (size_t)(t->end - t->begin) : 0};
    s->is_collada |= facet_xml_is(t->name, "COLLADA");
    TRY(s->is_collada ? check_element(s, t->name, t->tag, content, element)
                      : check_other(s, t, content));
    if (s->depth == FACET_ASSIMP_MAX_DEPTH)
        return facet_fail_line(s->error, FACET_ERROR_UNSUPPORTED, "ASSIMP", s->line,
                               "elements are nested more than " FACET_ASSIMP_MAX_DEPTH_TEXT
                               " levels deep");
    s->open[s->depth++] = t->name;
    return FACET_OK;
}

static facet_status end_element(dae_scanner *s, const facet_xml_tag *t)
{
    text closing = {t->tag.at, t->closes ? t->tag.size : 0};
    end_controller(s, closing, t->end - 1);
    TRY(end_effect(s, closing));
    if (!t->is_empty && s->depth > 0 &&
        (!facet_x3d_end_shape(&s->shapes, &s->edits, s->open[s->depth - 1]) ||
         !facet_3mf_note_end(&s->model, &s->edits, s->open[s->depth - 1], t->begin, t->end)))
        return facet_fail_arena(s->scratch, s->error);
    close_element(s);
    return FACET_OK;
}

static bool scan_tag(void *user, const facet_xml_tag *t)
{
    dae_scanner *s = user;
    advance(s, t->begin);
    /* Its declarations can hide elements from this scan; assimp does not use them. */
    if (t->name.size > 0 && *t->name.at == '!')
        s->status = facet_fail_line(s->error, FACET_ERROR_UNSUPPORTED, "ASSIMP", s->line,
                                    "declarations in <!DOCTYPE> are not supported");
    else if (!t->closes)
        s->status = open_element(s, t);
    if (!s->status && (t->closes || t->is_empty))
        s->status = end_element(s, t);
    return !s->status;
}

facet_status facet_assimp_scan_dae(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   facet_report *report, facet_error *error)
{
    dae_scanner *s = facet_arena_allocate_zeroed(scratch, 1, sizeof *s);
    if (!s)
        return facet_fail_arena(scratch, error);
    s->at = *data;
    s->end = *data + *size;
    s->controllers.arena = s->nodes.arena = s->x3d.scratch = s->texcoords.arena =
        s->texcoords.sets.arena = s->edits.arena = scratch;
    s->x3d.error = error;
    s->line = 1;
    s->scratch = scratch;
    s->error = error;
    if (!facet_assimp_links_begin(&s->links, scratch))
        return facet_fail_arena(scratch, error);
    s->links.is_counted = true;
    s->optics = facet_names_make(scratch);
    s->node_names = facet_names_make(scratch);
    facet_dae_begin_params(&s->params, scratch);
    facet_dae_begin_ranges(&s->ranges, scratch);
    facet_3mf_begin(&s->model, scratch, *size);
    s->arrays.arena = scratch;
    s->arrays.ids = facet_names_make(scratch);
    if (!facet_xml_each_tag(*data, *size, scan_tag, s))
        return s->status;
    advance(s, s->end);
    /* assimp reads a part of an X3D as an empty scene. */
    if (s->x3d.is_x3d && s->depth > 0)
        return facet_fail_line(error, FACET_ERROR_MALFORMED, "ASSIMP", s->line,
                               "the file ends inside an element");
    TRY(facet_assimp_links_check(&s->links, error));
    TRY(facet_dae_check_nodes(&s->nodes, error));
    TRY(facet_dae_check_arrays(&s->arrays, error));
    TRY(facet_dae_check_ranges(&s->ranges, error));
    TRY(facet_dae_bind_texcoords(&s->texcoords, &s->edits, &s->tallies[SET], &s->lines[SET],
                                 error));
    TRY(facet_dae_apply_params(&s->params, &s->edits, &s->tallies[PARAM], &s->lines[PARAM], error));
    for (int i = 0; i < FINDING_COUNT; i++)
        facet_report_add_tally_line(report, findings[i].rule, FACET_SEVERITY_WARNING, s->lines[i],
                                    &s->tallies[i], "%s", findings[i].sentence);
    report_names(s, report);
    facet_3mf_report(&s->model, report);
    const uint8_t *before = *data;
    TRY(facet_x3d_finish(&s->x3d, data, size, report));
    facet_dae_move_edits(&s->edits, before, *data);
    if (s->tallies[MORPH].count > 0)
        TRY(facet_dae_remove_morphs(&s->controllers, &s->edits, error));
    return facet_dae_apply(&s->edits, data, size, error);
}
