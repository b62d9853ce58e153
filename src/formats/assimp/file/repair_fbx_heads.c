/* formats/assimp/file/repair_fbx_heads.c - corrections to names in the heads of records.
 *
 * assimp has four errors here. It calls shapes "Blendshape", where Blender requires "Geometry". It
 * connects the curves of a scale to "Lcl Scale" instead of the property "Lcl Scaling", so no
 * program finds them. It does not name meshes. A texture of an embedded image refers to it as "*0",
 * but the image has another name. */
#include "base/bytes.h"
#include "formats/assimp/file/repair_fbx.h"

#include <string.h>

/* -- Objects ------------------------------------------------------------ */

/* The name of an object: "name\0\1class". Its properties are 'L' and its number, 'S' and the
 * text. */
typedef struct object {
    size_t text, size;   /* offset and size of the name in the head, including its class */
    size_t name_size;    /* size without the class */
    const uint8_t *kind; /* the class, up to the end of the text */
} object;

static bool find_object(const facet_fbx_repair *r, size_t head, object *found)
{
    const uint8_t *at = r->from + r->at;
    size_t name = FACET_FBX_EMPTY_RECORD + (size_t)at[24] + 9;
    if (head < name + 5 || at[name - 9] != 'L' || at[name] != 'S')
        return false;
    found->text = name + 5;
    found->size = facet_load_u32le(at + name + 1);
    if (found->size > head - name - 5)
        return false;
    for (size_t i = 0; i + 1 < found->size; i++) {
        if (at[found->text + i] == 0 && at[found->text + i + 1] == 1) {
            found->name_size = i;
            found->kind = at + found->text + i + 2;
            return true;
        }
    }
    return false;
}

static bool is_kind(const object *o, const char *kind)
{
    size_t size = o->size - o->name_size - 2;
    return size == strlen(kind) && memcmp(o->kind, kind, size) == 0;
}

/* Copy the head of an object, with another name and class. */
static void copy_object(facet_fbx_repair *r, size_t head, const object *o, const char *name,
                        size_t name_size, const char *kind)
{
    const uint8_t *at = r->from + r->at;
    size_t begin = r->used, size = name_size + 2 + strlen(kind);
    uint8_t length[4];
    facet_store_u32le(length, (uint32_t)size);
    facet_fbx_put(r, at, o->text - 4);
    facet_fbx_put(r, length, sizeof length);
    facet_fbx_put(r, name, name_size);
    facet_fbx_put(r, "\0\1", 2);
    facet_fbx_put(r, kind, strlen(kind));
    facet_fbx_put(r, at + o->text + o->size, head - o->text - o->size);
    facet_fbx_set(r, begin + 16, facet_load_u64le(at + 16) - o->size + size);
    r->at += head;
}

/* -- Images ------------------------------------------------------------- */

/* The text of a record with one property; false if that is not a text. */
static bool text_of(const facet_fbx_repair *r, size_t at, size_t head, const char **text,
                    size_t *size)
{
    const uint8_t *record = r->from + at;
    size_t property = FACET_FBX_EMPTY_RECORD + (size_t)record[24];
    if (head < property + 5 || record[property] != 'S')
        return false;
    *size = facet_load_u32le(record + property + 1);
    *text = (const char *)record + property + 5;
    return *size == head - property - 5;
}

/* Replace "*3" by the name of the fourth image in the file. */
static void resolve(const facet_fbx_repair *r, const char **path, size_t *size)
{
    uint64_t number = 0;
    if (*size < 2 || *size > 10 || **path != '*')
        return;
    for (size_t i = 1; i < *size; i++) {
        if ((*path)[i] < '0' || (*path)[i] > '9')
            return;
        number = number * 10 + (uint64_t)((*path)[i] - '0');
    }
    if (number < r->scene->mNumTextures) {
        *path = r->scene->mTextures[number]->mFilename.data;
        *size = r->scene->mTextures[number]->mFilename.length;
    }
}

/* Name of the image of the texture or image record at r->at, without folder and extension. Empty if
 * the record does not have it. */
static void image_of(const facet_fbx_repair *r, size_t head, const char **name, size_t *size)
{
    size_t end = (size_t)facet_load_u64le(r->from + r->at);
    *name = "";
    *size = 0;
    for (size_t at = r->at + head, inner; at < end; at = (size_t)facet_load_u64le(r->from + at)) {
        inner = facet_fbx_head_of(r, at, end);
        if (inner == 0)
            return;
        if (!facet_fbx_is_called(r->from + at, "RelativeFilename") ||
            !text_of(r, at, inner, name, size))
            continue;
        resolve(r, name, size);
        for (size_t i = *size; i > 0; i--) {
            if ((*name)[i - 1] == '/' || (*name)[i - 1] == '\\') {
                *name += i;
                *size -= i;
                break;
            }
        }
        for (size_t i = *size; i-- > 1;) {
            if ((*name)[i] == '.') {
                *size = i;
                break;
            }
        }
        return;
    }
}

/* Copy the path of a texture or image; false if it is correct. */
static bool copy_path(facet_fbx_repair *r, size_t head)
{
    const char *path;
    size_t size, begin = r->used;
    const uint8_t *at = r->from + r->at;
    if (r->depth < 2 || !r->levels[r->depth - 1].is_texture ||
        !(facet_fbx_is_called(at, "FileName") || facet_fbx_is_called(at, "RelativeFilename")) ||
        !text_of(r, r->at, head, &path, &size))
        return false;
    size_t old = size;
    resolve(r, &path, &size);
    uint8_t length[4];
    facet_store_u32le(length, (uint32_t)size);
    facet_fbx_put(r, at, head - old - 4);
    facet_fbx_put(r, length, sizeof length);
    facet_fbx_put(r, path, size);
    facet_fbx_set(r, begin + 16, facet_load_u64le(at + 16) - old + size);
    r->at += head;
    return true;
}

/* -- Connections -------------------------------------------------------- */

/* Copy the head of a connection, with the right property; false if it is correct. */
static bool copy_connection(facet_fbx_repair *r, size_t head)
{
    static const char wrong[] = "S\11\0\0\0Lcl Scale", right[] = "S\13\0\0\0Lcl Scaling";
    const uint8_t *at = r->from + r->at;
    size_t begin = r->used, old_size = sizeof wrong - 1, new_size = sizeof right - 1;
    if (!facet_fbx_is_called(at, "C") || head < old_size ||
        memcmp(at + head - old_size, wrong, old_size) != 0)
        return false;
    facet_fbx_put(r, at, head - old_size);
    facet_fbx_put(r, right, new_size);
    facet_fbx_set(r, begin + 16, facet_load_u64le(at + 16) - old_size + new_size);
    r->at += head;
    return true;
}

/* -- Heads -------------------------------------------------------------- */

/* Copy the head of an object with a wrong name or class; false for others. */
static bool copy_named(facet_fbx_repair *r, size_t head)
{
    const uint8_t *at = r->from + r->at;
    const char *name;
    size_t size;
    object o;
    if (r->depth != 1 || !find_object(r, head, &o))
        return false;
    const char *own = (const char *)at + o.text;
    if (facet_fbx_is_called(at, "Geometry") && is_kind(&o, "Blendshape")) {
        copy_object(r, head, &o, own, o.name_size, "Geometry");
        return true;
    }
    if (facet_fbx_is_called(at, "Deformer") && is_kind(&o, "Blendshapes")) {
        copy_object(r, head, &o, own, o.name_size, "Deformer");
        return true;
    }
    if (facet_fbx_is_called(at, "Geometry") && o.name_size == 0 && r->mesh < r->scene->mNumMeshes) {
        const struct aiString *mesh = &r->scene->mMeshes[r->mesh++]->mName;
        copy_object(r, head, &o, mesh->data, mesh->length, "Geometry");
        return true;
    }
    if (o.name_size > 0 ||
        !(facet_fbx_is_called(at, "Texture") || facet_fbx_is_called(at, "Video")))
        return false;
    image_of(r, head, &name, &size);
    copy_object(r, head, &o, name, size, is_kind(&o, "Video") ? "Video" : "Texture");
    return true;
}

void facet_fbx_copy_head(facet_fbx_repair *r, size_t head)
{
    if (!copy_connection(r, head) && !copy_named(r, head) && !copy_path(r, head))
        facet_fbx_copy(r, head);
}
