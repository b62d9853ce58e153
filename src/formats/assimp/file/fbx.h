/* formats/assimp/file/fbx.h - records, objects and connections of a binary or text FBX from version
 * 7.0 on. assimp does not return all of them. */
#ifndef FACET_ASSIMP_FILE_FBX_H
#define FACET_ASSIMP_FILE_FBX_H

#include "base/arena.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/table.h"

#include <facet/base.h>

typedef struct facet_fbx_span {
    const uint8_t *at, *end;
} facet_fbx_span;

static inline size_t facet_fbx_size(facet_fbx_span span)
{
    return (size_t)(span.end - span.at);
}

bool facet_fbx_is(facet_fbx_span span, const char *text);

typedef struct facet_fbx_record {
    facet_fbx_span name;
    facet_fbx_span values;
    facet_fbx_span list; /* its records; empty without a list */
    const uint8_t *begin;
} facet_fbx_record;

typedef struct facet_fbx_value {
    bool is_text;
    facet_fbx_span text; /* without quotes; empty for numbers */
    facet_fbx_span raw;  /* the bytes of a number */
    double number;
    uint64_t integer; /* of a number without a fraction */
} facet_fbx_value;

typedef struct facet_fbx_object {
    facet_fbx_span kind;  /* name of its record: "Model" */
    facet_fbx_span type;  /* third value: "Mesh" */
    facet_fbx_span label; /* name, without its class */
    facet_fbx_span list;
    uint64_t id;
    const uint8_t *begin;
    uint32_t first_link, link_count; /* connections to it, in facet_fbx.links */
    uint32_t first_from, from_count; /* connections from it, in facet_fbx.from */
} facet_fbx_object;

typedef struct facet_fbx_link {
    uint32_t from, to;       /* objects */
    facet_fbx_span property; /* of `to`; empty: none */
    const uint8_t *begin;
} facet_fbx_link;

typedef struct facet_fbx {
    const uint8_t *data;
    size_t size;
    bool is_binary, is_wide;   /* is_wide: version 7.5 or later */
    uint32_t version;          /* in thousandths: 7400 is 7.4. 0 if unknown */
    facet_budget *key_budget;  /* of the keys that are added to curves; NULL: none is added */
    facet_fbx_object *objects; /* number 0 is the root */
    uint32_t object_count, object_capacity;
    facet_fbx_link *links; /* by destination, then in the order of the file */
    uint32_t link_count, link_capacity;
    uint32_t *from;            /* numbers of links by source */
    facet_names ids;           /* object numbers by id */
    facet_names kinds;         /* numbers of templates by kind of object */
    facet_fbx_span *templates; /* lists with default properties */
    uint32_t template_count, template_capacity;
    facet_names new_names; /* of nodes, instead of names that an earlier node has (fbx_names.c) */
    uint32_t *renamed;     /* per new name: its object, which keeps its label */
    uint32_t renamed_count, renamed_capacity;
    facet_arena *arena;
} facet_fbx;

/* -- fbx_records.c ------------------------------------------------------ */

/* Set the encoding. False if the bytes are too short for a binary file. */
bool facet_fbx_begin(facet_fbx *fbx, const uint8_t *data, size_t size);
/* All records of the file. */
facet_fbx_span facet_fbx_whole(const facet_fbx *fbx);
/* Read the record at the start of the list, and advance. False at the end, or if it is damaged. */
bool facet_fbx_next(const facet_fbx *fbx, facet_fbx_span *list, facet_fbx_record *record);
/* Read the next record of a binary file, also one in a list, and advance. False at the end. *top is
 * the end of the last record that is outside of all lists. Begin with the start of the file. */
bool facet_fbx_next_nested(const facet_fbx *fbx, facet_fbx_span *records, const uint8_t **top,
                           facet_fbx_record *record);
/* The end of a record, after its list. */
static inline const uint8_t *facet_fbx_end(const facet_fbx *fbx, const facet_fbx_record *record)
{
    if (fbx->is_binary)
        return record->list.end;
    if (record->list.at == record->list.end)
        return record->values.end;
    /* A damaged text lacks the bracket. */
    return record->list.end + (record->list.end < fbx->data + fbx->size);
}
/* Find the first record of this name in a list. */
bool facet_fbx_find(const facet_fbx *fbx, facet_fbx_span list, const char *name,
                    facet_fbx_record *record);
/* Read the next value of a record, and advance. False at the end, or at an array. */
bool facet_fbx_next_value(const facet_fbx *fbx, facet_fbx_span *values, facet_fbx_value *value);
/* Read the numbers of an array. A damaged one is empty. False if out of memory. */
bool facet_fbx_numbers(const facet_fbx *fbx, const facet_fbx_record *record, double **numbers,
                       size_t *count);

/* -- fbx_ends.c --------------------------------------------------------- */

/* Set the ends of binary records that are 0 although the records have a name, in a copy. */
facet_status facet_fbx_set_ends(const uint8_t **data, size_t size, facet_arena *arena,
                                facet_error *error);

/* -- fbx_objects.c ------------------------------------------------------ */

/* The version in thousandths; 0 if unknown. */
uint32_t facet_fbx_version(const facet_fbx *fbx);
/* The name of an object without its class: "Model::cube" in a text, "cube\0\1Model" in a binary
 * file. */
facet_fbx_span facet_fbx_label(const facet_fbx *fbx, facet_fbx_span text);
/* Read the objects and connections. A file that assimp rejects has none. */
facet_status facet_fbx_open(facet_fbx *fbx, const uint8_t *data, size_t size, facet_arena *arena,
                            facet_error *error);
/* Read up to `most` values of a property of an object, from the object or the template of its
 * kind. Returns how many it has; 0 if it is missing. */
uint32_t facet_fbx_property(const facet_fbx *fbx, uint32_t object, const char *name,
                            facet_fbx_value *values, uint32_t most);
/* The first number of a property. */
double facet_fbx_number(const facet_fbx *fbx, uint32_t object, const char *name, double otherwise);
/* Find connection number `i` or the next one to the object: from an object of this kind, without a
 * property. FACET_NONE: no further one. 0 for `i` finds the first one. */
uint32_t facet_fbx_next_link(const facet_fbx *fbx, uint32_t object, const char *kind, uint32_t i);

/* -- fbx_check.c -------------------------------------------------------- */

/* Reject versions that assimp does not read. */
facet_status facet_fbx_check_version(const facet_fbx *fbx, facet_error *error);
/* Reject nodes that are nested too deeply for assimp, in a loop, or copied too often. */
facet_status facet_fbx_check_nodes(const facet_fbx *fbx, facet_error *error);
/* Line in a text file, from 1. */
uint64_t facet_fbx_line(const facet_fbx *fbx, const uint8_t *at);

/* -- fbx_names.c -------------------------------------------------------- */

/* Choose new names for nodes with the name of an earlier node. facet_fbx_patch writes them. Names
 * of one to three bytes can run out, which is reported. report may be NULL. */
facet_status facet_fbx_rename_nodes(facet_fbx *fbx, facet_report *report, facet_error *error);

/* -- fbx_patch.c -------------------------------------------------------- */

/* Replace values and curves that assimp reads wrongly, and add records that it requires, in a copy.
 * Correct data stays unchanged. report may be NULL. */
facet_status facet_fbx_patch(const facet_fbx *fbx, const uint8_t **data, size_t *size,
                             const facet_options *options, facet_report *report,
                             facet_error *error);

#endif
