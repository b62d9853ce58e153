/* formats/ply/document.c - shared functions for PLY documents, from a file or filled by a
 * caller. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "formats/ply/ply.h"

#include <inttypes.h>
#include <string.h>

/* -- Documents ---------------------------------------------------------- */

facet_status facet_ply_create(const facet_options *options, facet_ply **document,
                              facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_ply *ply = facet_arena_allocate_zeroed(arena, 1, sizeof *ply);
    if (!ply) {
        return facet_arena_abandon(arena, error);
    }
    ply->arena = arena;
    *document = ply;
    return FACET_OK;
}

void facet_ply_free(facet_ply *document)
{
    if (document)
        facet_arena_free(document->arena);
}

/* -- Lookup ------------------------------------------------------------ */

const facet_ply_element *facet_ply_find_element(const facet_ply *ply, const char *name)
{
    for (uint32_t i = 0; i < ply->element_count; i++) {
        if (strcmp(ply->elements[i].name, name) == 0)
            return &ply->elements[i];
    }
    return NULL;
}

const facet_ply_property *facet_ply_find(const facet_ply_element *element, const char *property)
{
    for (uint32_t i = 0; i < element->property_count; i++) {
        if (strcmp(element->properties[i].name, property) == 0)
            return &element->properties[i];
    }
    return NULL;
}

const facet_ply_property *facet_ply_find_indices(const facet_ply_element *element)
{
    const facet_ply_property *p = facet_ply_find(element, "vertex_indices");
    p = p ? p : facet_ply_find(element, "vertex_index");
    return p && p->is_list ? p : NULL;
}

void facet_ply_locate(const facet_ply *ply, const facet_ply_element *element, uint32_t record,
                      uint64_t *offset, uint64_t *line)
{
    *offset = FACET_NO_OFFSET;
    *line = 0;
    if (ply->encoding == FACET_PLY_ASCII) {
        *line = element->line + (element->one_per_line ? record : 0);
        return;
    }
    *offset = element->offset;
    for (uint32_t i = 0; i < element->property_count; i++) {
        const facet_ply_property *p = &element->properties[i];
        if (p->is_list)
            *offset += record * (uint64_t)facet_ply_type_size(p->count_type);
        *offset += facet_ply_list_first(p, record) * facet_ply_type_size(p->type);
    }
}

facet_status facet_ply_too_short(const facet_ply_body *body, const facet_ply_element *element)
{
    facet_quoted quoted;
    bool text = body->line > 0;
    uint64_t offset = text ? FACET_NO_OFFSET : body->position;
    facet_error *error = body->error;
    facet_status status =
        facet_fail(error, FACET_ERROR_MALFORMED, "PLY-SIZE", offset,
                   "the %" PRIu32 " records of element '%s' take more bytes than the file has",
                   element->count, facet_quote(&quoted, element->name, strlen(element->name)));
    if (error && text)
        error->line = body->line;
    return status;
}

/* -- Check ------------------------------------------------------------- */

bool facet_ply_is_word(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)name[i] <= ' ' || name[i] == 0x7F)
            return false;
    }
    return length > 0;
}

static bool is_word(const char *name)
{
    return name && facet_ply_is_word(name, strlen(name));
}

static bool is_line(const char *text)
{
    return text && !strpbrk(text, "\r\n");
}

/* The maximum length that a count type can store. */
static uint64_t most_counted(facet_ply_type type)
{
    static const uint64_t most[] = {INT8_MAX,   UINT8_MAX, INT16_MAX,
                                    UINT16_MAX, INT32_MAX, UINT32_MAX};
    return type <= FACET_PLY_UINT32 ? most[type] : 0;
}

static const char *fault_of_property(const facet_ply_element *element, const facet_ply_property *p)
{
    if (!is_word(p->name))
        return "the name of a property is not a word";
    if ((unsigned)p->type > FACET_PLY_FLOAT64 ||
        (p->is_list && (unsigned)p->count_type > FACET_PLY_UINT32))
        return "a property has an unknown type";
    if (!p->is_list && (p->length != 1 || p->offsets))
        return "a property that is not a list must have one value";
    uint64_t most = p->is_list ? most_counted(p->count_type) : 1;
    if (!p->offsets) {
        if (p->length > most)
            return "a list is longer than its count type can say";
        return element->count > 0 && p->length > 0 && !p->data
                   ? "the data of a property are missing"
                   : NULL;
    }
    if (p->offsets[0] != 0)
        return "the offsets of a list do not begin with 0";
    for (uint32_t i = 0; i < element->count; i++) {
        if (p->offsets[i + 1] < p->offsets[i])
            return "the offsets of a list do not ascend";
        if (p->offsets[i + 1] - p->offsets[i] > most)
            return "a list is longer than its count type can say";
    }
    return p->offsets[element->count] > 0 && !p->data ? "the data of a property are missing" : NULL;
}

static const char *fault_of_element(const facet_ply_element *element)
{
    if (!is_word(element->name))
        return "the name of an element is not a word";
    if (element->property_count > 0 && !element->properties)
        return "the properties of an element are missing";
    const char *fault = NULL;
    for (uint32_t i = 0; i < element->property_count && !fault; i++)
        fault = fault_of_property(element, &element->properties[i]);
    return fault;
}

facet_status facet_ply_check_document(const facet_ply *ply, facet_error *error)
{
    const char *fault = NULL;
    if ((ply->element_count > 0 && !ply->elements) || (ply->comment_count > 0 && !ply->comments) ||
        (ply->info_count > 0 && !ply->infos))
        fault = "an array is missing";
    for (uint32_t i = 0; i < ply->comment_count && !fault; i++)
        fault = is_line(ply->comments[i]) ? NULL : "a comment is not one line";
    for (uint32_t i = 0; i < ply->info_count && !fault; i++)
        fault = is_line(ply->infos[i]) ? NULL : "an obj_info is not one line";
    for (uint32_t i = 0; i < ply->element_count && !fault; i++)
        fault = fault_of_element(&ply->elements[i]);
    return fault ? facet_fail(error, FACET_ERROR_ARGUMENT, "PLY-DOCUMENT", FACET_NO_OFFSET,
                              "invalid PLY document: %s", fault)
                 : FACET_OK;
}
