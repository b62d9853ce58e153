/* formats/ply/ascii.h - what the files that read text share. */
#ifndef FACET_PLY_ASCII_H
#define FACET_PLY_ASCII_H

#include "base/arena.h"
#include "base/block.h"
#include "formats/ply/ply.h"

#include <string.h>

/* What a property becomes. Numbers that are no lists lie in the rows of the records; a list
 * has values of its own, tightly packed. */
typedef struct facet_ply_column {
    facet_ply_property *property;
    size_t size;                    /* of a value */
    size_t offset;                  /* in a row */
    uint8_t *values;                /* of a list */
    uint32_t value_count, capacity; /* of a list's values */
    uint32_t length;                /* of all lists so far, while there are no offsets */
    uint32_t *offsets;              /* of lists of several lengths */
} facet_ply_column;

/* Up to four numbers of a record that stand side by side and are read at once. */
typedef enum facet_ply_four_kind {
    FACET_PLY_FLOATS,  /* float */
    FACET_PLY_WHOLES,  /* of any type that holds whole numbers alone */
    FACET_PLY_INDICES, /* a list of int or uint, of 1 to 4 */
    FACET_PLY_OTHERS   /* none of these */
} facet_ply_four_kind;

typedef struct facet_ply_four {
    facet_ply_four_kind kind;
    uint32_t first, count; /* columns */
} facet_ply_four;

typedef struct facet_ply_text {
    facet_ply_body *body;
    facet_arena *arena;
    facet_ply_element *element;
    facet_ply_column *columns;
    facet_ply_four *fours;
    uint32_t four_count; /* 0: the element has numbers that are none of these */
    uint8_t *rows;
    size_t row_size;
    const uint8_t *at;   /* the byte that ended the last word */
    const uint8_t *mark; /* where the record that is read began */
    const uint8_t *end;  /* of the file */
    uint64_t lines;      /* that ended between the first record and `at` */
    uint32_t record;     /* that comes next */
    facet_block block;   /* of the file */
} facet_ply_text;

/* Store a whole number; true when the type has it. */
static inline bool facet_ply_store_whole(uint8_t *to, facet_ply_type type, int64_t value)
{
    switch (type) {
    case FACET_PLY_INT8:
        *to = (uint8_t)value;
        return value >= INT8_MIN && value <= INT8_MAX;
    case FACET_PLY_UINT8:
        *to = (uint8_t)value;
        return value >= 0 && value <= UINT8_MAX;
    case FACET_PLY_INT16: {
        int16_t number = (int16_t)value;
        memcpy(to, &number, sizeof number);
        return value >= INT16_MIN && value <= INT16_MAX;
    }
    case FACET_PLY_UINT16: {
        uint16_t number = (uint16_t)value;
        memcpy(to, &number, sizeof number);
        return value >= 0 && value <= UINT16_MAX;
    }
    default: {
        uint32_t number = (uint32_t)value;
        memcpy(to, &number, sizeof number);
        return type == FACET_PLY_INT32 ? value >= INT32_MIN && value <= INT32_MAX
                                       : value >= 0 && value <= UINT32_MAX;
    }
    }
}

/* lines.c: group the columns. */
void facet_ply_plan_lines(facet_ply_text *t);
/* lines.c: read records that are a line each in the spelling of nearly every file: those that
 * begin before `limit`, and before the record `last`. `at` is at a line feed, before and
 * after. Stops at a record that is spelled otherwise, has a list of another length than all
 * before it while there are no offsets, or more values than there is space for. */
void facet_ply_run_lines(facet_ply_text *t, uint32_t last, const uint8_t *limit);

/* A part of a file's text, from a line feed to the next piece's, and what was read of it. */
typedef struct facet_ply_piece {
    facet_ply_text text;
    const uint8_t *begin;
    uint32_t first, last; /* records, when every record is a line */
} facet_ply_piece;

/* pieces.c: read the records from t->record on with several threads, on the assumption that
 * each is a line and lists have one length. No pieces: not worth it, or not possible. */
facet_status facet_ply_run_pieces(const facet_ply_text *t, facet_ply_piece **pieces,
                                  uint32_t *count);
/* pieces.c: when reading has come to where a piece begins, and it was right about that, go on
 * where it ended. */
void facet_ply_adopt(facet_ply_text *t, const facet_ply_piece *piece);

#endif
