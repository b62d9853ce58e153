"""From a scene of the library to objects of Blender."""

import bpy
import numpy as np

from . import compat, library
from . import declarations as d

NONE = 2**32 - 1
DTYPES = {d.FACET_FLOAT32: np.float32, d.FACET_FLOAT64: np.float64, d.FACET_INT8: np.int8,
          d.FACET_UINT8: np.uint8, d.FACET_INT16: np.int16, d.FACET_UINT16: np.uint16,
          d.FACET_INT32: np.int32, d.FACET_UINT32: np.uint32}
ATTRIBUTES = {1: "FLOAT", 2: "FLOAT2", 3: "FLOAT_VECTOR", 4: "FLOAT_COLOR"}


def text(value):
    return value.decode("utf-8", "replace") if value else ""


# -- Axes ------------------------------------------------------------------

def to_blender(frame):
    """A matrix for rows: v @ matrix turns the scene's axes into +Z up, right-handed. It is the
    turn that all writers of the library share (to +Y up), and then that of +Y to +Z."""
    matrix = {
        d.FACET_AXIS_Y: [[1, 0, 0], [0, 0, 1], [0, -1, 0]],  # x, y, z become x, -z, y
        d.FACET_AXIS_Z: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        d.FACET_AXIS_X: [[0, 0, 1], [-1, 0, 0], [0, -1, 0]],  # -y, -z, x
    }[frame.up]
    matrix = np.array(matrix, np.float32)
    if frame.left_handed:  # mirrored from front to back, which is y here
        matrix = matrix @ np.diag([1, -1, 1]).astype(np.float32)
    return matrix


class Turn:
    """How numbers of the scene become Blender's."""

    def __init__(self, frame):
        self.directions = to_blender(frame)
        self.positions = self.directions * np.float32(frame.unit or 1)
        self.mirrors = bool(frame.left_handed)
        self.flips_v = bool(frame.uv_origin_top)


# -- Meshes ----------------------------------------------------------------

class Corners:
    """The streams of a mesh, and its values corner by corner."""

    def __init__(self, mesh):
        self.mesh = mesh

    def streams(self):
        return [self.mesh.streams[i] for i in range(self.mesh.stream_count)]

    def find(self, semantic, layer=0):
        return next((one for one in self.streams()
                     if one.semantic == semantic and one.set == layer), None)

    def data(self, stream):
        return library.array(stream.data, stream.count, stream.components,
                             DTYPES[stream.component])

    def index(self, stream):
        return library.array(stream.indices, self.mesh.corner_count, 1, np.uint32)[:, 0]

    def values(self, stream):
        """Zeros where a corner has none."""
        data, index = self.data(stream), self.index(stream)
        found = np.zeros((len(index), data.shape[1]), data.dtype)
        there = index != NONE
        found[there] = data[index[there]]
        return found


def offsets_of(mesh):
    if not mesh.face_offsets:
        return np.arange(0, 3 * mesh.face_count + 1, 3, dtype=np.uint32)
    return library.array(mesh.face_offsets, mesh.face_count + 1, 1, np.uint32)[:, 0]


def reversed_faces(offsets):
    """The corners in such an order that every face runs the other way round."""
    sizes = np.diff(offsets)
    begin, end = np.repeat(offsets[:-1], sizes), np.repeat(offsets[1:], sizes)
    return begin + (end - 1) - np.arange(offsets[-1], dtype=offsets.dtype)


def build_mesh(mesh, name, turn, materials, custom_normals):
    """One mesh: n-gons stay n-gons."""
    corners, offsets = Corners(mesh), offsets_of(mesh)
    position = corners.find(d.FACET_POSITION)
    made = bpy.data.meshes.new(name)
    if position is None:
        return made
    order = reversed_faces(offsets) if turn.mirrors else slice(None)
    points = corners.data(position) @ turn.positions
    made.vertices.add(len(points))
    made.vertices.foreach_set("co", np.ascontiguousarray(points, np.float32).reshape(-1))
    if mesh.face_count:
        made.loops.add(mesh.corner_count)
        made.polygons.add(mesh.face_count)
        index = corners.index(position)[order]
        made.loops.foreach_set("vertex_index", index.astype(compat.INDEX))
        made.polygons.foreach_set("loop_start", offsets[:-1].astype(compat.INDEX))
        made.polygons.foreach_set("loop_total", np.diff(offsets).astype(compat.INDEX))
        made.polygons.foreach_set("use_smooth", np.ones(mesh.face_count, bool))
    add_materials(made, mesh, materials)
    add_layers(made, corners, order, turn)
    # Indices were checked by the reader; edges are Blender's to find. What has a face twice, or a
    # corner twice in a face, is mended and said by validate.
    made.update(calc_edges=True)
    before = len(made.polygons)
    if made.validate(clean_customdata=False) and len(made.polygons) < before:
        print(f"facet: {name}: {before - len(made.polygons)} faces were left out: they stand there "
              "twice, or have no area that Blender could show")
    normal = corners.find(d.FACET_NORMAL)
    if custom_normals and normal is not None and len(made.loops) == mesh.corner_count:
        values = corners.values(normal)[order] @ turn.directions
        compat.set_custom_normals(made, np.ascontiguousarray(values, np.float32))
    return made


def add_materials(made, mesh, materials):
    if not mesh.face_materials:
        return
    faces = library.array(mesh.face_materials, mesh.face_count, 1, np.uint32)[:, 0]
    used, slots = np.unique(faces, return_inverse=True)
    for one in used:
        made.materials.append(materials[one] if one != NONE else None)
    made.polygons.foreach_set("material_index", slots.astype(np.int32))


def add_layers(made, corners, order, turn):
    for stream in corners.streams():
        number = str(stream.set) if stream.set else ""
        if stream.semantic == d.FACET_TEXCOORD:
            values = corners.values(stream)[order][:, :2].astype(np.float32)
            if turn.flips_v:
                values[:, 1] = 1 - values[:, 1]
            layer = made.uv_layers.new(name=f"UVMap{number}")
            layer.data.foreach_set("uv", np.ascontiguousarray(values).reshape(-1))
        elif stream.semantic == d.FACET_COLOR:
            values = corners.values(stream)[order]
            opaque = np.ones((len(values), 4), np.float32)
            opaque[:, :values.shape[1]] = values
            compat.add_color(made, f"Color{number}", opaque)
        elif stream.semantic == d.FACET_TANGENT:
            add_attribute(made, "tangent", corners.values(stream)[order])
        elif stream.semantic == d.FACET_CUSTOM:
            add_attribute(made, text(stream.name), corners.values(stream)[order])


def add_attribute(made, name, values):
    """Numbers of corners under a name. More than four to a corner become several attributes."""
    for first in range(0, values.shape[1], 4):
        part = values[:, first:first + 4].astype(np.float32)
        layer = made.attributes.new(name if first == 0 else f"{name}.{first}",
                                    ATTRIBUTES[part.shape[1]], "CORNER")
        member = {1: "value", 4: "color"}.get(part.shape[1], "vector")
        layer.data.foreach_set(member, np.ascontiguousarray(part).reshape(-1))


# -- Materials -------------------------------------------------------------

def build_material(material):
    made = bpy.data.materials.new(text(material.name) or "Material")
    made["facet_name"] = text(material.name)
    if material.given:
        made.diffuse_color = (*material.base_color[:3], material.base_color[3])
        made.roughness, made.metallic = material.roughness, material.metallic
        made.use_nodes = True
        node = made.node_tree.nodes.get("Principled BSDF")
        if node:
            node.inputs["Base Color"].default_value = tuple(material.base_color)
            node.inputs["Roughness"].default_value = material.roughness
            node.inputs["Metallic"].default_value = material.metallic
    return made


# -- Scenes ----------------------------------------------------------------

def link(collection, name, mesh):
    made = bpy.data.objects.new(name, mesh)
    collection.objects.link(made)
    return made


def build_collision(collection, scene, stem, turn):
    """Hulls and occluder, in a collection of their own that is not rendered."""
    inner = bpy.data.collections.new(f"{stem} collision")
    inner.hide_render = True
    collection.children.link(inner)
    made = []
    for i in range(scene.hull_count):
        hull = scene.hulls[i]
        name = text(hull.name) or f"{stem} hull {i}"
        points = library.array(hull.points, hull.point_count, 3, np.float32) @ turn.positions
        triangles = library.hull_triangles(points)
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(points.tolist(), [], triangles.tolist())
        made.append(link(inner, name, mesh))
    if scene.occluder:
        mesh = build_mesh(scene.occluder.contents, f"{stem} occluder", turn, [], False)
        made.append(link(inner, mesh.name, mesh))
    for one in made:
        one.display_type = "WIRE"
    return made


def build_scene(context, scene, stem, *, custom_normals=True, collision=True):
    """All of a scene that has no nodes: the objects that were made."""
    turn = Turn(scene.frame)
    for i in range(scene.material_count):
        library.facet().facet_material_complete(scene.materials[i])
    materials = [build_material(scene.materials[i]) for i in range(scene.material_count)]
    made = []
    for i in range(scene.mesh_count):
        mesh = scene.meshes[i].contents
        name = text(mesh.name) or stem
        made.append(link(context.collection, name,
                         build_mesh(mesh, name, turn, materials, custom_normals)))
    if collision and (scene.hull_count or scene.occluder):
        made += build_collision(context.collection, scene, stem, turn)
    for one in made:
        one.select_set(True)
    if made:
        context.view_layer.objects.active = made[0]
    return made
