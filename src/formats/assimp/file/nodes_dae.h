/* formats/assimp/file/nodes_dae.h - the nodes of a COLLADA and their instances. */
#ifndef FACET_ASSIMP_FILE_NODES_DAE_H
#define FACET_ASSIMP_FILE_NODES_DAE_H

#include "base/arena.h"
#include "base/error.h"
#include "formats/assimp/file/morphs_dae.h"
#include "formats/assimp/file/scan.h"

typedef struct facet_dae_node {
    facet_xml_part id, name;
    uint32_t parent; /* number of the node around it; 0: none */
    uint64_t line;
} facet_dae_node;

typedef struct facet_dae_instance {
    facet_xml_part target; /* without '#' */
    uint32_t node;         /* number of the node around it; 0: none */
    uint64_t line;
} facet_dae_instance;

typedef struct facet_dae_nodes {
    facet_arena *arena;
    facet_dae_node *nodes; /* the node with number 1 is first */
    facet_dae_instance *instances;
    uint32_t count, capacity, instance_count, instance_capacity;
    uint32_t open[FACET_ASSIMP_MAX_DEPTH + 1]; /* numbers of the nodes around the current one */
    uint32_t depth;
} facet_dae_nodes;

/* Begin and end a <node>. Note an <instance_node>. False if out of memory. */
bool facet_dae_begin_node(facet_dae_nodes *all, facet_xml_part id, facet_xml_part name,
                          uint64_t line);
void facet_dae_end_node(facet_dae_nodes *all);
bool facet_dae_note_instance(facet_dae_nodes *all, facet_xml_part url, uint64_t line);

/* Limit the copies that assimp makes for the instances. A loop is an error. Linear. */
facet_status facet_dae_check_nodes(const facet_dae_nodes *all, facet_error *error);

#endif
