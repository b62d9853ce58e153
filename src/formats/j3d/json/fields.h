/* formats/j3d/json/fields.h - an additional macro for tables of fields (gx/json/fields.h). */
#ifndef FACET_J3D_JSON_FIELDS_H
#define FACET_J3D_JSON_FIELDS_H

#include "gx/json/fields.h"

#include <facet/j3d_material.h>

/* A member of facet_gx_material that a J3D material can omit. */
#define MAYBE(member)                                        \
    AT(facet_j3d_material, gx.member),                       \
        .given = offsetof(facet_j3d_material, given.member), \
        .given_bytes = sizeof(((facet_j3d_material *)0)->given.member)

#endif
