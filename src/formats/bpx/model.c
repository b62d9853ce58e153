/* formats/bpx/model.c - models: vertex format, vertex arrays, bones, frames. */
#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <string.h>

static facet_status fault(facet_error *error, const char *rule, uint64_t offset, const char *format,
                          ...) FACET_PRINTF(4, 5);

static facet_status fault(facet_error *error, const char *rule, uint64_t offset, const char *format,
                          ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(error, FACET_ERROR_MALFORMED, rule, offset, 0, format, arguments);
    va_end(arguments);
    return FACET_ERROR_MALFORMED;
}

/* -- Vertex format ------------------------------------------------------ */

/* Parse components with one of the two orders of the half-bytes. Returns the broken rule, or
 * NULL. */
static const char *parse_components(const uint8_t *bytes, uint32_t count, uint32_t vertex_size,
                                    bool swapped, facet_bpx_model *model)
{
    uint32_t offset = 0;
    for (uint32_t i = 0; i < count; i++) {
        facet_bpx_component *c = &model->components[i];
        unsigned type = swapped ? bytes[i] >> 4 : bytes[i] & 15;
        c->elements = swapped ? bytes[i] & 15 : bytes[i] >> 4;
        c->type = (facet_bpx_component_type)type;
        c->offset = offset;
        if (type < 1 || type > 3)
            return "BPX-M-VF-TYPE";
        if (c->elements == 0)
            return "BPX-M-VF-ELEMS";
        offset += c->elements * 4;
    }
    return offset == vertex_size ? NULL : "BPX-M-VF-VERTEXSIZE";
}

static bool is(const facet_bpx_component *c, facet_bpx_component_type type, uint32_t elements)
{
    return c->type == type && c->elements == elements;
}

static bool is_integer(const facet_bpx_component *c)
{
    return c->type != FACET_BPX_COMPONENT_FLOAT && (c->elements == 1 || c->elements == 4);
}

/* Assume meanings by order: triples of floats are position, normal, tangent and bitangent; pairs
 * are texture coordinates. One or four integers with as many floats are the skin. Four floats are a
 * tangent, then colors. */
static void assume_meanings(facet_bpx_model *model)
{
    static const facet_bpx_meaning triples[] = {FACET_BPX_POSITION, FACET_BPX_NORMAL,
                                                FACET_BPX_TANGENT, FACET_BPX_BITANGENT};
    uint32_t triple = 0, pairs = 0, skins = 0;
    bool tangent = false;
    for (uint32_t i = 0; i < model->component_count; i++) {
        facet_bpx_component *c = &model->components[i];
        c->assumed = FACET_BPX_CUSTOM;
        c->set = 0;
        if (is(c, FACET_BPX_COMPONENT_FLOAT, 3) && triple < 4) {
            c->assumed = triples[triple++];
        } else if (is(c, FACET_BPX_COMPONENT_FLOAT, 2)) {
            c->assumed = FACET_BPX_TEXCOORD;
            c->set = pairs++;
        } else if (is(c, FACET_BPX_COMPONENT_FLOAT, 4)) {
            c->assumed = tangent ? FACET_BPX_COLOR : FACET_BPX_TANGENT;
        } else if (is_integer(c) && skins == 0 && i + 1 < model->component_count &&
                   is(c + 1, FACET_BPX_COMPONENT_FLOAT, c->elements)) {
            skins++;
            c->assumed = c->meaning = FACET_BPX_JOINTS;
            c++;
            c->assumed = FACET_BPX_WEIGHTS;
            c->set = 0;
            i++;
        }
        c->meaning = c->assumed;
        tangent |= c->assumed == FACET_BPX_TANGENT;
    }
}

/* Number of vertices where `holds` is true for the component. *all is the number of all vertices.
 */
static uint64_t count_vertices(const facet_bpx_model *model, const facet_bpx_component *c,
                               bool (*holds)(const uint8_t *at), uint64_t *all)
{
    uint64_t count = 0;
    *all = 0;
    for (uint32_t a = 0; a < model->array_count; a++) {
        const facet_bpx_vertex_array *array = &model->arrays[a];
        const uint8_t *at = array->vertices + c->offset;
        for (uint32_t v = 0; v < array->vertex_count; v++, at += model->vertex_size)
            count += holds(at);
        *all += array->vertex_count;
    }
    return count;
}

bool facet_bpx_is_unit(const uint8_t *at)
{
    float x = facet_load_f32le(at), y = facet_load_f32le(at + 4), z = facet_load_f32le(at + 8);
    float square = x * x + y * y + z * z;
    return square > 0.9801F && square < 1.0201F;
}

static bool is_handed(const uint8_t *at)
{
    float w = facet_load_f32le(at + 12);
    return w == 1 || w == -1;
}

/* Correct assumptions that the values contradict: directions rarely of unit length, and four floats
 * whose last is not always +1 or -1. */
static void correct_meanings(facet_bpx_model *model)
{
    uint32_t colors = 0;
    bool tangent = false;
    uint64_t all;
    for (uint32_t i = 0; i < model->component_count; i++) {
        facet_bpx_component *c = &model->components[i];
        bool triple = c->type == FACET_BPX_COMPONENT_FLOAT && c->elements == 3;
        if (c->meaning == FACET_BPX_POSITION || c->meaning == FACET_BPX_CUSTOM)
            continue;
        if (triple && 2 * count_vertices(model, c, facet_bpx_is_unit, &all) < all)
            c->meaning = FACET_BPX_CUSTOM;
        if (c->meaning == FACET_BPX_COLOR && !tangent)
            c->meaning = FACET_BPX_TANGENT;
        if (c->meaning == FACET_BPX_TANGENT && !triple &&
            (tangent || count_vertices(model, c, is_handed, &all) < all))
            c->meaning = FACET_BPX_COLOR;
        if (c->meaning == FACET_BPX_COLOR)
            c->set = colors++;
        tangent |= c->meaning == FACET_BPX_TANGENT;
    }
}

static facet_status parse_format(const facet_bpx *document, facet_bpx_model *model,
                                 facet_error *error)
{
    uint32_t index = 0;
    if (facet_bpx_count(document, FACET_BPX_VERTEX_FORMAT, &index) == 0)
        return fault(error, "BPX-SECTION-MISSING", FACET_NO_OFFSET,
                     "the model has no section VertexFormat");
    const facet_bpx_contents *c = &document->sections[index];
    uint64_t at = document->sections[index].offset;
    if (!c->data || c->size < 4 || c->size - 4 < c->data[2])
        return fault(error, "BPX-M-VF-SIZE", at,
                     "the vertex format has %zu bytes, expected 4 and one per component", c->size);
    model->vertex_size = facet_load_u16le(c->data);
    model->component_count = c->data[2];
    if (model->component_count == 0)
        return fault(error, "BPX-M-VF-COUNT", at + 2, "the vertex format has no components");
    const char *rule =
        parse_components(c->data + 4, model->component_count, model->vertex_size, false, model);
    model->swapped = rule != NULL;
    if (rule &&
        parse_components(c->data + 4, model->component_count, model->vertex_size, true, model)) {
        return fault(error, rule, at, "%s",
                     strcmp(rule, "BPX-M-VF-TYPE") == 0    ? "a component has a type other than "
                                                             "1 to 3"
                     : strcmp(rule, "BPX-M-VF-ELEMS") == 0 ? "a component has no elements"
                                                           : "the vertex size is not the sum of "
                                                             "its components");
    }
    assume_meanings(model);
    return FACET_OK;
}

/* -- Vertex arrays ------------------------------------------------------ */

static facet_status parse_array(const facet_bpx *document, uint32_t index, facet_bpx_model *model,
                                facet_error *error)
{
    const facet_bpx_contents *c = &document->sections[index];
    uint64_t at = document->sections[index].offset;
    uint32_t count = c->data && c->size >= 8 ? facet_load_u32le(c->data + 4) : 0;
    if (!c->data || c->size < 8 || !facet_range_fits(8, count, model->vertex_size, c->size))
        return fault(error, "BPX-M-VA-SIZE", at,
                     "%" PRIu32 " vertices of %" PRIu32 " bytes do not fit into the %zu bytes of "
                     "section %" PRIu32,
                     count, model->vertex_size, c->size, index + 1);
    facet_bpx_vertex_array *array = &model->arrays[model->array_count++];
    array->section = index;
    array->material = facet_load_u32le(c->data);
    array->vertex_count = count - count % 3;
    array->vertices = c->data + 8;
    return FACET_OK;
}

static facet_status parse_arrays(const facet_bpx *document, facet_bpx_model *model,
                                 facet_error *error)
{
    uint32_t first = 0, count = facet_bpx_count(document, FACET_BPX_VERTEX_ARRAY, &first);
    facet_status status = FACET_OK;
    if (count == 0)
        return fault(error, "BPX-SECTION-MISSING", FACET_NO_OFFSET,
                     "the model has no section VertexArray");
    model->arrays = facet_arena_allocate(document->arena, count, sizeof *model->arrays);
    if (!model->arrays)
        return facet_fail_arena(document->arena, error);
    for (uint32_t i = first; i < document->section_count && !status; i++) {
        if (document->sections[i].type == FACET_BPX_VERTEX_ARRAY)
            status = parse_array(document, i, model, error);
    }
    return status;
}

/* -- Bones and frames --------------------------------------------------- */

static facet_status parse_bones(const facet_bpx *document, facet_bpx_model *model,
                                facet_error *error)
{
    uint32_t index = 0;
    if (facet_bpx_count(document, FACET_BPX_BONES, &index) == 0)
        return FACET_OK;
    const facet_bpx_contents *c = &document->sections[index];
    uint64_t at = document->sections[index].offset;
    uint32_t count = c->data && c->size >= 2 ? facet_load_u16le(c->data) : 0;
    if (count == 0 || count > FACET_BPX_MAX_BONES)
        return fault(error, "BPX-M-BONE-COUNT", at,
                     "the model has %" PRIu32 " bones, expected 1 to %d", count,
                     FACET_BPX_MAX_BONES);
    size_t head = c->size - (size_t)count * FACET_BPX_BONE_SIZE;
    if (c->size < (size_t)count * FACET_BPX_BONE_SIZE || (head != 2 && head != 4))
        return fault(error, "BPX-M-BONE-SIZE", at,
                     "%" PRIu32 " bones have %zu bytes, expected 2 + 68 each", count, c->size);
    model->bone_count = count;
    model->bones = c->data + head;
    return FACET_OK;
}

/* Parse frames of the private profile. Other frames are kept without parsing. */
static void parse_frames(const facet_bpx *document, facet_bpx_model *model)
{
    uint32_t index = 0;
    if (facet_bpx_count(document, FACET_BPX_FRAMES, &index) == 0)
        return;
    const facet_bpx_contents *c = &document->sections[index];
    if (!c->data || c->size < 8 || model->bone_count == 0)
        return;
    uint32_t count = facet_load_u32le(c->data), bones = facet_load_u16le(c->data + 4);
    if (bones != model->bone_count || (c->size - 8) / 64 / bones != count ||
        (c->size - 8) % ((size_t)64 * bones) != 0)
        return;
    model->frame_count = count;
    model->frame_rate = facet_load_u16le(c->data + 6);
    model->frames = c->data + 8;
}

facet_status facet_bpx_get_model(const facet_bpx *document, facet_bpx_model *model,
                                 facet_error *error)
{
    uint32_t index = 0;
    memset(model, 0, sizeof *model);
    if (!document->arena)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "BPX-DOCUMENT", FACET_NO_OFFSET,
                          "the document has no arena for the vertex arrays");
    if (document->type != 'M' || document->revision != FACET_BPX_0A)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-VERSION-LATER", 3,
                          "the file has type %c of revision %s, expected a model of version 0",
                          document->type, facet_bpx_revision_name(document->revision));
    TRY(parse_format(document, model, error));
    TRY(parse_arrays(document, model, error));
    TRY(parse_bones(document, model, error));
    parse_frames(document, model);
    if (facet_bpx_count(document, FACET_BPX_STRINGS, &index) > 0)
        model->strings = document->sections[index];
    correct_meanings(model);
    return FACET_OK;
}
