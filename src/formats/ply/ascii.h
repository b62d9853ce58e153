/* formats/ply/ascii.h - shared functions of the files that read text. */
#ifndef FACET_PLY_ASCII_H
#define FACET_PLY_ASCII_H

#include "base/arena.h"
#include "base/block.h"
#include "formats/ply/ply.h"

#include <string.h>

/* The values of a property. Scalars are in the rows of the records; each list has a separate,
 * tightly packed array. */
typedef struct facet_ply_column {
    facet_ply_property *property;
    size_t size;                    /* bytes of a value */
    size_t offset;                  /* offset in a row */
    uint8_t *values;                /* values of a list */
    uint32_t value_count, capacity; /* for a list */
    uint32_t length;                /* length of all lists so far, if offsets is NULL */
    uint32_t *offsets;              /* start of each list, if lengths differ; else NULL */
} facet_ply_column;

/* Kinds of up to four adjacent numbers of a record, which are read together. */
typedef enum facet_ply_four_kind {
    FACET_PLY_FLOATS,  /* float */
    FACET_PLY_WHOLES,  /* any integer types */
    FACET_PLY_INDICES, /* a list of 1 to 4 int or uint */
    FACET_PLY_OTHERS   /* anything else */
} facet_ply_four_kind;

typedef struct facet_ply_four {
    facet_ply_four_kind kind;
    uint32_t first, count; /* range of columns */
} facet_ply_four;

typedef struct facet_ply_text {
    facet_ply_body *body;
    facet_arena *arena;
    facet_ply_element *element;
    facet_ply_column *columns;
    facet_ply_four *fours;
    uint32_t four_count; /* 0: the element has other numbers */
    uint8_t *rows;
    size_t row_size;
    const uint8_t *at;   /* the byte that ended the last word */
    const uint8_t *mark; /* start of the current record */
    const uint8_t *end;  /* end of the file */
    uint64_t lines;      /* number of lines that ended between the first record and `at` */
    uint32_t record;     /* next record */
    facet_block block;   /* buffer for a part of the file */
} facet_ply_text;

/* Store an integer; true if it fits the type. */
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

/* lines.c: group the columns by fours. */
void facet_ply_plan_lines(facet_ply_text *t);
/* lines.c: read records of one line each in the common spelling, up to the first that begins at
 * `limit` or is number `last`. `at` is at a line feed, before and after. Stops at records with
 * another spelling or too many values for the space. Without offsets, it also stops at lists of
 * another length than the earlier ones. */
void facet_ply_run_lines(facet_ply_text *t, uint32_t last, const uint8_t *limit);

/* A part of the text, from a line feed to the next piece, and the data read from it. */
typedef struct facet_ply_piece {
    facet_ply_text text;
    const uint8_t *begin;
    uint32_t first, last; /* range of records, if every record is a line */
} facet_ply_piece;

/* pieces.c: read the records from t->record on several threads. Assumes that each record is a line,
 * and that all lists have one length. Returns no pieces if threads are impossible or have no
 * benefit. */
facet_status facet_ply_run_pieces(const facet_ply_text *t, facet_ply_piece **pieces,
                                  uint32_t *count);
/* pieces.c: when reading reaches the start of a piece, continue at its end, if the piece's record
 * number is correct. */
void facet_ply_adopt(facet_ply_text *t, const facet_ply_piece *piece);

#endif
