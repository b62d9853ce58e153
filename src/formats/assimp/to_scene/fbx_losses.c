/* formats/assimp/to_scene/fbx_losses.c - reports the objects of an FBX that assimp drops without a
 * message. */
#include "base/error.h"
#include "formats/assimp/file/calls.h"
#include "formats/assimp/file/fbx_edits.h"
#include "formats/assimp/to_scene/fbx.h"

#include <string.h>

enum {
    NURBS,
    VERTEX_CACHE,
    SOUND,
    LODS,
    CONSTRAINT,
    DISPLAY_LAYER,
    DUAL_QUATERNION,
    CLUSTER,
    INNER_SHAPE,
    VERTEX_WEIGHTS,
    GEOMETRY,
    UNSHOWN,
    SKINS,
    MATERIALS,
    UNUSED_MATERIALS,
    NORMALS,
    TEXCOORDS,
    COLORS,
    LOSS_COUNT
};

static const struct {
    const char *rule, *sentence;
} losses[LOSS_COUNT] = {
    [NURBS] = {"LOSS-MESHES", "a NURBS curve or surface is not read: convert it to a mesh before "
                              "you export"},
    [VERTEX_CACHE] = {"LOSS-ANIMATIONS", "a vertex cache is not read: its mesh does not move"},
    [SOUND] = {"LOSS-ANIMATIONS", "a sound is not read"},
    [LODS] = {"LOSS-LODS", "levels of detail are read as nodes that are all visible"},
    [CONSTRAINT] = {"LOSS-ANIMATIONS", "a constraint is not read: bake what it moves before you "
                                       "export"},
    [DISPLAY_LAYER] = {"LOSS-NODES", "a hidden display layer is not read: its nodes are visible"},
    [DUAL_QUATERNION] = {"LOSS-SKIN", "a skin with dual quaternions is read as one with matrices, "
                                      "which differs at turned joints"},
    [CLUSTER] = {"LOSS-SKIN", "weights have no bone and are left out"},
    [INNER_SHAPE] = {"LOSS-MORPHS", "morph targets inside a geometry are not read: export the file "
                                    "as FBX 2012 or later"},
    [VERTEX_WEIGHTS] = {"LOSS-MORPHS", "the weights of the vertices of a morph target are not "
                                       "read: all move by the same share"},
    [GEOMETRY] = {"LOSS-MESHES", "assimp cannot read the geometry of a node, which is left out: it "
                                 "is damaged"},
    [UNSHOWN] = {"LOSS-MESHES", "a geometry is not read: no node of the scene shows it"},
    [SKINS] = {"LOSS-SKIN", "a mesh has several skins: assimp reads one"},
    [MATERIALS] = {"LOSS-MATERIALS", "nodes with the same geometry have different materials: those "
                                     "of the first node are read"},
    [UNUSED_MATERIALS] = {"LOSS-MATERIALS", "a material is not read: no face has it"},
    [NORMALS] = {"LOSS-NORMALS", "the normals of a mesh do not match its corners, and are dropped"},
    [TEXCOORDS] = {"LOSS-TEXCOORDS", "the texture coordinates of a mesh do not match its corners, "
                                     "and are dropped"},
    [COLORS] = {"LOSS-COLORS", "the colors of a mesh do not match its corners, and are dropped"},
};

/* True if the object has an array with numbers. */
static bool has_array(const facet_fbx *fbx, const facet_fbx_object *o, const char *name)
{
    facet_fbx_record record;
    if (!facet_fbx_find(fbx, o->list, name, &record))
        return false;
    /* The type, count, encoding and size; or "*0 { a: }". */
    facet_fbx_span values = record.values;
    if (fbx->is_binary)
        return facet_fbx_size(values) > 5 &&
               (values.at[1] | values.at[2] | values.at[3] | values.at[4]) != 0;
    return facet_fbx_size(values) > 0 && !facet_fbx_is(values, "*0");
}

static bool has_text(const facet_fbx *fbx, const facet_fbx_object *o, const char *name,
                     const char *text)
{
    facet_fbx_record record;
    facet_fbx_value value;
    return facet_fbx_find(fbx, o->list, name, &record) &&
           facet_fbx_next_value(fbx, &record.values, &value) && facet_fbx_is(value.text, text);
}

/* True if more than one object of this type deforms the object. */
static bool has_several(const facet_fbx *fbx, uint32_t object, const char *type)
{
    uint32_t count = 0;
    for (uint32_t i = 0; (i = facet_fbx_next_link(fbx, object, "Deformer", i)) != FACET_NONE; i++)
        count += facet_fbx_is(fbx->objects[fbx->links[i].from].type, type);
    return count > 1;
}

/* True if a channel of morph targets has weights per vertex that differ from the full weight. Only
 * Blender writes them. False if out of memory, which the arena remembers. */
static bool has_vertex_weights(const facet_fbx *fbx, uint32_t channel)
{
    facet_fbx_record record;
    double *weights;
    size_t count;
    uint32_t shapes = 0;
    bool differs = false;
    if (!facet_fbx_find(fbx, fbx->objects[channel].list, "FullWeights", &record) ||
        !facet_fbx_numbers(fbx, &record, &weights, &count))
        return false;
    for (uint32_t i = 0; (i = facet_fbx_next_link(fbx, channel, "Geometry", i)) != FACET_NONE; i++)
        shapes++;
    for (size_t i = 0; i < count && count != shapes; i++)
        differs |= weights[i] != 100;
    facet_arena_release(fbx->arena, weights, count, sizeof *weights);
    return differs;
}

static void check_deformer(const facet_fbx *fbx, uint32_t i, facet_tally *tallies)
{
    double *weights;
    size_t count;
    const facet_fbx_object *o = &fbx->objects[i];
    if (facet_fbx_is(o->type, "VertexCacheDeformer") && o->from_count > 0 &&
        facet_fbx_number(fbx, i, "Active", 1) != 0)
        facet_tally_hit(&tallies[VERTEX_CACHE], i);
    if (facet_fbx_is(o->type, "Skin") && (has_text(fbx, o, "SkinningType", "DualQuaternion") ||
                                          has_text(fbx, o, "SkinningType", "Blend")))
        facet_tally_hit(&tallies[DUAL_QUATERNION], i);
    if (facet_fbx_is(o->type, "Cluster") && has_array(fbx, o, "Indexes") &&
        facet_fbx_next_link(fbx, i, "Model", 0) == FACET_NONE)
        facet_tally_hit(&tallies[CLUSTER], i);
    if (facet_fbx_is(o->type, "BlendShapeChannel") && has_vertex_weights(fbx, i) &&
        facet_fbx_weighted_shape(fbx, i, &weights, &count) == FACET_NONE)
        facet_tally_hit(&tallies[VERTEX_WEIGHTS], i);
}

static void check_geometry(const facet_fbx *fbx, uint32_t i, facet_tally *tallies)
{
    const facet_fbx_object *o = &fbx->objects[i];
    facet_fbx_record record;
    if (!facet_fbx_is(o->type, "Mesh") && !facet_fbx_is(o->type, "Shape") &&
        !facet_fbx_is(o->type, "Line"))
        facet_tally_hit(&tallies[NURBS], i);
    if (facet_fbx_is(o->type, "Mesh") && facet_fbx_find(fbx, o->list, "Shape", &record))
        facet_tally_hit(&tallies[INNER_SHAPE], i);
    if (has_several(fbx, i, "Skin"))
        facet_tally_hit(&tallies[SKINS], i);
}

static void check_object(const facet_fbx *fbx, uint32_t i, facet_tally *tallies)
{
    const facet_fbx_object *o = &fbx->objects[i];
    if (facet_fbx_is(o->kind, "Deformer"))
        check_deformer(fbx, i, tallies);
    else if (facet_fbx_is(o->kind, "Geometry"))
        check_geometry(fbx, i, tallies);
    else if (facet_fbx_is(o->kind, "Audio"))
        facet_tally_hit(&tallies[SOUND], i);
    else if (facet_fbx_is(o->kind, "NodeAttribute") && facet_fbx_is(o->type, "LodGroup"))
        facet_tally_hit(&tallies[LODS], i);
    else if (facet_fbx_is(o->kind, "Constraint"))
        facet_tally_hit(&tallies[CONSTRAINT], i);
    else if (facet_fbx_is(o->kind, "CollectionExclusive") && o->link_count > 0 &&
             facet_fbx_number(fbx, i, "Show", 1) == 0)
        facet_tally_hit(&tallies[DISPLAY_LAYER], i);
}

/* True if a layer has values that assimp dropped. */
static bool lacks(const facet_assimp_reader *r, uint32_t geometry, const char *layer,
                  const char *values, const void *read)
{
    facet_fbx_record record;
    facet_fbx_object o = {.list = {NULL, NULL}};
    if (read || !facet_fbx_find(r->fbx, r->fbx->objects[geometry].list, layer, &record))
        return false;
    o.list = record.list;
    return has_array(r->fbx, &o, values);
}

static void check_layers(const facet_assimp_reader *r, uint32_t place, uint32_t geometry,
                         facet_tally *tallies)
{
    const struct aiMesh *mesh = r->from->mMeshes[r->places[place].from->mMeshes[0]];
    if (lacks(r, geometry, "LayerElementNormal", "Normals", mesh->mNormals))
        facet_tally_hit(&tallies[NORMALS], place);
    if (lacks(r, geometry, "LayerElementUV", "UV", mesh->mTextureCoords[0]))
        facet_tally_hit(&tallies[TEXCOORDS], place);
    if (lacks(r, geometry, "LayerElementColor", "Colors", mesh->mColors[0]))
        facet_tally_hit(&tallies[COLORS], place);
}

/* True if both nodes have the same materials in the same order. */
static bool has_same_materials(const facet_fbx *fbx, uint32_t a, uint32_t b)
{
    uint32_t i = 0, k = 0;
    for (;; i++, k++) {
        i = facet_fbx_next_link(fbx, a, "Material", i);
        k = facet_fbx_next_link(fbx, b, "Material", k);
        if (i == FACET_NONE || k == FACET_NONE)
            return i == k;
        if (fbx->links[i].from != fbx->links[k].from)
            return false;
    }
}

/* Find nodes whose geometry did not become a mesh, or not with its layers and materials. False if
 * out of memory. */
static bool check_places(const facet_assimp_reader *r, facet_tally *tallies)
{
    const facet_fbx *fbx = r->fbx;
    uint32_t *first = facet_arena_allocate(r->scratch, fbx->object_count, sizeof *first);
    if (!first)
        return false;
    memset(first, 0xFF, fbx->object_count * sizeof *first);
    for (uint32_t i = 1; i < r->place_count; i++) {
        uint32_t geometry = facet_assimp_geometry_of(r, i), object = r->objects[i];
        if (geometry == FACET_NONE || !facet_fbx_is(fbx->objects[geometry].type, "Mesh"))
            continue;
        if (first[geometry] == FACET_NONE) {
            first[geometry] = object;
            if (r->places[i].from->mNumMeshes > 0)
                check_layers(r, i, geometry, tallies);
        }
        if (!has_same_materials(fbx, first[geometry], object))
            facet_tally_hit(&tallies[MATERIALS], i);
        const facet_fbx_object *o = &fbx->objects[geometry];
        if (r->places[i].from->mNumMeshes == 0 && has_array(fbx, o, "Vertices") &&
            has_array(fbx, o, "PolygonVertexIndex"))
            facet_tally_hit(&tallies[GEOMETRY], i);
    }
    return true;
}

/* Find meshes without a node below the root, which assimp does not read. False if out of memory. */
static bool find_unshown(const facet_assimp_reader *r, facet_tally *unshown)
{
    const facet_fbx *fbx = r->fbx;
    uint32_t *waiting = facet_arena_allocate(r->scratch, fbx->object_count, sizeof *waiting);
    bool *reached = facet_arena_allocate_zeroed(r->scratch, fbx->object_count, sizeof *reached);
    if (!waiting || !reached)
        return false;
    uint32_t count = fbx->object_count > 0;
    waiting[0] = 0; /* the root */
    while (count > 0) {
        uint32_t object = waiting[--count];
        const facet_fbx_object *o = &fbx->objects[object];
        for (uint32_t i = o->first_link; i < o->first_link + o->link_count; i++) {
            uint32_t from = fbx->links[i].from;
            facet_fbx_span kind = fbx->objects[from].kind;
            bool is_shown =
                facet_fbx_is(kind, "Model") || (object != 0 && facet_fbx_is(kind, "Geometry"));
            if (!is_shown || reached[from])
                continue;
            reached[from] = true;
            if (facet_fbx_is(kind, "Model"))
                waiting[count++] = from;
        }
    }
    for (uint32_t i = 1; i < fbx->object_count; i++) {
        const facet_fbx_object *o = &fbx->objects[i];
        if (facet_fbx_is(o->kind, "Geometry") && facet_fbx_is(o->type, "Mesh") && !reached[i] &&
            has_array(fbx, o, "PolygonVertexIndex"))
            facet_tally_hit(unshown, i);
    }
    return true;
}

/* Find the materials that assimp did not read: it reads those of faces. False if out of memory. */
static bool find_unused(const facet_assimp_reader *r, facet_tally *unused)
{
    facet_names read = facet_names_make(r->scratch);
    for (uint32_t i = 0; i < r->from->mNumMaterials; i++) {
        struct aiString *name = facet_arena_allocate_zeroed(r->scratch, 1, sizeof *name);
        if (!name)
            return false;
        aiGetMaterialString(r->from->mMaterials[i], AI_MATKEY_NAME, name);
        if (facet_names_put(&read, name->data, name->length) == UINT32_MAX)
            return false;
    }
    for (uint32_t i = 1; i < r->fbx->object_count; i++) {
        const facet_fbx_object *o = &r->fbx->objects[i];
        /* Faces without a material have this one in the files of assimp. */
        if (facet_fbx_is(o->kind, "Material") &&
            !facet_fbx_is(o->label, AI_DEFAULT_MATERIAL_NAME) &&
            facet_names_find(&read, (const char *)o->label.at, facet_fbx_size(o->label)) ==
                UINT32_MAX)
            facet_tally_hit(unused, i);
    }
    return true;
}

facet_status facet_assimp_report_objects(facet_assimp_reader *r)
{
    facet_tally tallies[LOSS_COUNT] = {{0, 0}};
    if (!r->fbx)
        return FACET_OK;
    for (uint32_t i = 1; i < r->fbx->object_count; i++)
        check_object(r->fbx, i, tallies);
    if (!check_places(r, tallies) || !find_unshown(r, &tallies[UNSHOWN]) ||
        !find_unused(r, &tallies[UNUSED_MATERIALS]))
        return facet_fail_arena(r->scratch, r->error);
    for (int i = 0; i < LOSS_COUNT; i++)
        facet_report_add_tally(r->report, losses[i].rule,
                               i == NORMALS || i == UNUSED_MATERIALS ? FACET_SEVERITY_NOTE
                                                                     : FACET_SEVERITY_WARNING,
                               FACET_NO_OFFSET, &tallies[i], "%s", losses[i].sentence);
    return facet_arena_status(r->fbx->arena, NULL) ? facet_fail_arena(r->fbx->arena, r->error)
                                                   : FACET_OK;
}
