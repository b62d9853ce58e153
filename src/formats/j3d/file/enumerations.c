/* formats/j3d/file/enumerations.c - the names of numbers that J3D alone knows. */
#include "formats/j3d/file/enumerations.h"

static const facet_gx_value_name kinds[] = {
    {2, "BMD2", NULL}, {3, "BMD3", NULL}, {4, "BDL4", NULL}, {5, "BMT3", NULL}};
const facet_gx_enumeration facet_j3d_kinds = FACET_GX_ENUMERATION("file kind", kinds);

static const facet_gx_value_name scalings[] = {
    {0, "BASIC", NULL}, {1, "SOFTIMAGE", NULL}, {2, "MAYA", NULL}};
const facet_gx_enumeration facet_j3d_scalings = FACET_GX_ENUMERATION("scaling", scalings);

static const facet_gx_value_name node_types[] = {{0, "END", NULL},       {1, "OPEN", NULL},
                                                 {2, "CLOSE", NULL},     {16, "JOINT", NULL},
                                                 {17, "MATERIAL", NULL}, {18, "SHAPE", NULL}};
const facet_gx_enumeration facet_j3d_node_types = FACET_GX_ENUMERATION("node type", node_types);

static const facet_gx_value_name joint_kinds[] = {
    {0, "SHAPES", NULL}, {1, "SKELETON", NULL}, {2, "GROUP", NULL}};
const facet_gx_enumeration facet_j3d_joint_kinds = FACET_GX_ENUMERATION("joint kind", joint_kinds);

static const facet_gx_value_name shape_types[] = {
    {0, "SINGLE", NULL}, {1, "BILLBOARD", NULL}, {2, "Y_BILLBOARD", NULL}, {3, "MULTI", NULL}};
const facet_gx_enumeration facet_j3d_shape_types = FACET_GX_ENUMERATION("shape type", shape_types);
