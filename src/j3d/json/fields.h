/* j3d/json/fields.h - short words for the lines of the tables in json_tables.c
 * and json_superbmd.c. `type` is the struct, `member` its member, `n` a count. */
#ifndef FACET_J3D_JSON_FIELDS_H
#define FACET_J3D_JSON_FIELDS_H

#include "j3d/json/record.h"

#include <stddef.h>

/* clang-format off */
#define MEMBER_SIZE(type, member) sizeof(((type *)0)->member)
#define FIELD(type, name, kind_, member, n) \
    .key = name, .kind = J3D_JSON_##kind_, .offset = offsetof(type, member), .size = (uint8_t)(MEMBER_SIZE(type, member) / (n))

/* One number. */
#define UNSIGNED(type, name, member) {FIELD(type, name, UNSIGNED, member, 1)}
#define SIGNED(type, name, member) {FIELD(type, name, SIGNED, member, 1)}
#define FLAG(type, name, member) {FIELD(type, name, FLAG, member, 1)}
#define FLOAT(type, name, member) {FIELD(type, name, FLOAT, member, 1)}
#define NAME(type, name, member, table) {FIELD(type, name, NAME, member, 1), .names = &facet_gx_##table}
#define SCALED(type, name, member, factor, sign) {FIELD(type, name, SCALED, member, 1), .scale = factor, .is_signed = sign}
/* An array of n numbers. */
#define UNSIGNEDS(type, name, member, n) {FIELD(type, name, UNSIGNED, member, n), .inner = n}
#define SIGNEDS(type, name, member, n) {FIELD(type, name, SIGNED, member, n), .inner = n}
#define FLOATS(type, name, member, n) {FIELD(type, name, FLOAT, member, n), .inner = n}
#define NAMES(type, name, member, n, table) {FIELD(type, name, NAME, member, n), .inner = n, .names = &facet_gx_##table}
#define SCALEDS(type, name, member, n, factor, sign) {FIELD(type, name, SCALED, member, n), .inner = n, .scale = factor, .is_signed = sign}
/* Rows of n floats. */
#define ROWS(type, name, member, rows, n) \
    {FIELD(type, name, FLOAT, member, rows *n), .inner = n, .outer = rows, .stride = n * sizeof(float)}
/* A struct, and a list of n of them. */
#define RECORD(type, name, member, table) {FIELD(type, name, RECORD, member, 1), .record = &table}
#define RECORDS(type, name, member, n, table) \
    {FIELD(type, name, RECORD, member, n), .outer = n, .stride = MEMBER_SIZE(type, member) / (n), .record = &table}
/* Bytes that mean nothing, kept where they are not what they should be. */
#define RESERVED(type, name, member) {FIELD(type, name, UNSIGNED, member, 1), .quiet = true}
#define RESERVEDS(type, name, member, n) {FIELD(type, name, UNSIGNED, member, n), .inner = n, .quiet = true}

/* Members of facet_j3d_material that may be absent, with their mask. */
#define GIVEN(mask) \
    .optional = true, .given = offsetof(facet_j3d_material, given.mask), .given_size = MEMBER_SIZE(facet_j3d_material, given.mask)
#define MAYBE(name, kind_, member) {FIELD(facet_j3d_material, name, kind_, gx.member, 1), GIVEN(member)}
#define MAYBE_NAME(name, member, table) {FIELD(facet_j3d_material, name, NAME, gx.member, 1), GIVEN(member), .names = &facet_gx_##table}
#define MAYBE_RECORD(name, member, table) {FIELD(facet_j3d_material, name, RECORD, gx.member, 1), GIVEN(member), .record = &table}
#define LIST(n, member) .outer = n, .stride = MEMBER_SIZE(facet_j3d_material, gx.member) / (n), GIVEN(member)
#define MAYBE_RECORDS(name, member, n, table) {FIELD(facet_j3d_material, name, RECORD, gx.member, n), LIST(n, member), .record = &table}
/* Colors. */
#define MAYBE_COLORS(name, kind_, member, n) {FIELD(facet_j3d_material, name, kind_, gx.member, (n) * 4), .inner = 4, LIST(n, member)}
#define MAYBE_LETTERS(name, member, n, sign) \
    {FIELD(facet_j3d_material, name, SCALED, gx.member, (n) * 4), .inner = 4, LIST(n, member), .letters = true, .scale = 255, .is_signed = sign}

#define TABLE(name, fields) const j3d_json_record name = {fields, sizeof fields / sizeof fields[0]}
/* clang-format on */

#endif
