/* tests/support/dae.h - parts of a COLLADA, as string literals. */
#ifndef FACET_TESTS_DAE_H
#define FACET_TESTS_DAE_H

#define DAE_BEGIN \
    "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"

/* The nodes of the visual scene, and the end of the file. */
#define DAE_NODES "<library_visual_scenes><visual_scene id=\"s\">"
#define DAE_END                                                                                 \
    "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene>" \
    "</COLLADA>"

/* A source, and its array. The count of the source is in elements, that of the array in numbers. */
#define DAE_SOURCE(id, array, count, stride, params)                           \
    "<source id=\"" id "\">" array "<technique_common><accessor source=\"#" id \
    "a\" count=\"" count "\" stride=\"" stride "\">" params                    \
    "</accessor></technique_common></source>"
#define DAE_FLOATS(id, count, numbers) \
    "<float_array id=\"" id "a\" count=\"" count "\">" numbers "</float_array>"
#define DAE_PARAM(name, type) "<param name=\"" name "\" type=\"" type "\"/>"
#define DAE_XYZ DAE_PARAM("X", "float") DAE_PARAM("Y", "float") DAE_PARAM("Z", "float")

/* The <vertices> v of a triangle, and its face. */
#define DAE_VERTICES                                                              \
    DAE_SOURCE("p", DAE_FLOATS("p", "9", "0 0 0 1 0 0 0 1 0"), "3", "3", DAE_XYZ) \
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
#define DAE_VERTEX "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
#define DAE_FACE "<triangles count=\"1\">" DAE_VERTEX "<p>0 1 2</p></triangles>"
#define DAE_FACE_OF(symbol) \
    "<triangles material=\"" symbol "\" count=\"1\">" DAE_VERTEX "<p>0 1 2</p></triangles>"

/* A library with the geometry g. */
#define DAE_GEOMETRY(content)                                                    \
    "<library_geometries><geometry id=\"g\"><mesh>" content "</mesh></geometry>" \
    "</library_geometries>"

/* Materials and their effects. */
#define DAE_EFFECT(id, content)                                                          \
    "<effect id=\"" id "\"><profile_COMMON><technique sid=\"t\">" content "</technique>" \
    "</profile_COMMON></effect>"
#define DAE_DIFFUSE(color) "<lambert><diffuse><color>" color "</color></diffuse></lambert>"
#define DAE_MATERIAL(id, effect) \
    "<material id=\"" id "\" name=\"" id "\"><instance_effect url=\"#" effect "\"/></material>"
#define DAE_BIND(symbol, material)                                         \
    "<bind_material><technique_common><instance_material symbol=\"" symbol \
    "\" target=\"#" material "\"/></technique_common></bind_material>"

/* The bind matrix of a joint. */
#define DAE_IDENTITY "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"

#endif
