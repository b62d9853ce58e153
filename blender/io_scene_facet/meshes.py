"""Convert a mesh of the library to a mesh of Blender."""

import json

import bpy
import numpy as np

from . import compat, library, normals
from . import declarations as d
from .summary import amount

NONE = 2**32 - 1
DTYPES = {d.FACET_FLOAT32: np.float32, d.FACET_FLOAT64: np.float64, d.FACET_INT8: np.int8,
          d.FACET_UINT8: np.uint8, d.FACET_INT16: np.int16, d.FACET_UINT16: np.uint16,
          d.FACET_INT32: np.int32, d.FACET_UINT32: np.uint32}


class Corners:
    """The streams of a mesh, with values per corner in Blender's order. If the axes are mirrored,
    faces are reversed. Faces that use a vertex twice are dropped."""

    def __init__(self, mesh, turn):
        self.mesh = mesh
        self.offsets = offsets_of(mesh)
        self.order = slice(None)
        self.faces = slice(None)
        self.dropped = 0
        if turn.mirrors:
            self.order = reversed_faces(self.offsets)
        self._drop_flat()

    def _drop_flat(self):
        """Drop faces that use a vertex twice or have less than three: Blender crashes on them."""
        position = self.find(d.FACET_POSITION)
        if position is None or not self.mesh.face_count:
            return
        index = self.index(position)
        if not self.mesh.face_offsets:
            a, b, c = index.reshape(-1, 3).T
            flat = (a == b) | (b == c) | (c == a)
        else:
            flat = np.diff(self.offsets) < 3
            face = np.repeat(np.arange(len(flat), dtype=np.uint64), np.diff(self.offsets))
            pairs = np.sort(face << np.uint64(32) | index)
            flat[pairs[1:][pairs[1:] == pairs[:-1]] >> np.uint64(32)] = True
        if flat.any():
            self.faces = np.flatnonzero(~flat)
            self.dropped = int(flat.sum())
            sizes = np.diff(self.offsets)
            corner = np.arange(len(index), dtype=np.uint32)[self.order]
            self.order = corner[np.repeat(~flat, sizes)]
            self.offsets = np.concatenate([[0], np.cumsum(sizes[~flat])]).astype(np.uint32)

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
        """The values per corner, in Blender's order. Zeros for corners without a value."""
        data, index = self.data(stream), self.index(stream)[self.order]
        if len(index) and int(index.max()) == NONE:
            found = np.zeros((len(index), data.shape[1]), data.dtype)
            there = index != NONE
            found[there] = data[index[there]]
            return found
        if data.itemsize * data.shape[1] == 8:  # twice as fast as row by row
            return data.view(np.uint64)[:, 0].take(index).view(data.dtype).reshape(-1, data.shape[1])
        return data.take(index, axis=0)

    def by_vertex(self, stream):
        """The elements per vertex if the stream shares the index of positions, else None."""
        position = self.find(d.FACET_POSITION)
        if stream.count == position.count and \
                np.array_equal(self.index(stream), self.index(position)):
            return self.data(stream)
        return None


def offsets_of(mesh):
    if not mesh.face_offsets:
        return np.arange(0, 3 * mesh.face_count + 1, 3, dtype=np.uint32)
    return library.array(mesh.face_offsets, mesh.face_count + 1, 1, np.uint32)[:, 0]


def reversed_faces(offsets):
    """An order of corners that reverses every face."""
    sizes = np.diff(offsets)
    begin, end = np.repeat(offsets[:-1], sizes), np.repeat(offsets[1:], sizes)
    return begin + (end - 1) - np.arange(offsets[-1], dtype=offsets.dtype)


# -- Building ----------------------------------------------------------------

def build_mesh(found, name, turn, materials, custom_normals, say):
    """Create a mesh; n-gons are kept. say(severity, sentence) reports what is dropped."""
    corners = Corners(found, turn)
    position = corners.find(d.FACET_POSITION)
    made = bpy.data.meshes.new(name)
    if position is None:
        return made
    points = corners.data(position) @ turn.positions
    made.vertices.add(len(points))
    made.vertices.foreach_set("co", np.ascontiguousarray(points, np.float32).reshape(-1))
    faces = len(corners.offsets) - 1
    if faces:
        made.loops.add(int(corners.offsets[-1]))
        made.polygons.add(faces)
        corner = corners.index(position)[corners.order].astype(compat.INDEX, copy=False)
        made.loops.foreach_set("vertex_index", corner)
        made.polygons.foreach_set("loop_start", corners.offsets[:-1].astype(compat.INDEX))
        made.polygons.foreach_set("loop_total", np.diff(corners.offsets).astype(compat.INDEX))
        made.polygons.foreach_set("use_smooth", np.ones(faces, bool))
    if found.line_count:
        made.edges.add(found.line_count)
        lines = library.array(found.lines, 2 * found.line_count, 1, np.uint32)
        made.edges.foreach_set("vertices", lines.reshape(-1).astype(compat.INDEX))
    if found.line_materials or found.point_materials:
        say("WARNING", f"{name}: the materials of lines and points are left out")
    add_materials(made, found, corners, materials)
    add_layers(made, corners, turn)
    # Indices and faces are already checked. Blender computes the edges.
    made.update(calc_edges=True)
    if corners.dropped:
        say("WARNING", f"{name}: {amount(corners.dropped, 'face')} without area left out")
    normal = corners.find(d.FACET_NORMAL)
    made["facet_normals"] = normal is not None
    if custom_normals and normal is not None and faces:
        values = corners.by_vertex(normal)
        of_vertices = values is not None
        values = (values if of_vertices else corners.values(normal)) @ turn.directions
        normals.set_normals(made, np.ascontiguousarray(values, np.float32), corner, corners.offsets,
                            points, of_vertices)
    return made


def add_materials(made, found, corners, materials):
    if not found.face_materials:
        return
    faces = library.array(found.face_materials, found.face_count, 1, np.uint32)[:, 0]
    used, slots = np.unique(faces[corners.faces], return_inverse=True)
    for one in used:
        made.materials.append(materials[one] if one != NONE else None)
    if len(used) > 1:
        made.polygons.foreach_set("material_index", slots.astype(np.int32))


def add_layers(made, corners, turn):
    kept = {}
    for stream in corners.streams():
        number = str(stream.set) if stream.set else ""
        if stream.semantic == d.FACET_TEXCOORD:
            values = corners.values(stream)[:, :2].astype(np.float32, copy=False)
            if turn.flips_v:
                values[:, 1] = 1 - values[:, 1]
            layer = made.uv_layers.new(name=f"UVMap{number}", do_init=False)
            if layer is not None:  # the maximum is eight layers
                layer.data.foreach_set("uv", np.ascontiguousarray(values).reshape(-1))
        elif stream.semantic == d.FACET_COLOR:
            values = corners.values(stream)
            opaque = np.ones((len(values), 4), np.float32)
            opaque[:, :values.shape[1]] = values
            compat.add_color(made, f"Color{number}", opaque)
        elif stream.semantic == d.FACET_TANGENT:
            kept.update(add_attribute(made, f"tangent{number}", corners, stream))
        elif stream.semantic == d.FACET_CUSTOM:
            kept.update(add_attribute(made, (stream.name or b"custom").decode("utf-8", "replace"),
                                      corners, stream))
    if kept:
        made["facet_streams"] = json.dumps(kept)


# -- Attributes --------------------------------------------------------------

ATTRIBUTES = {1: ("FLOAT", "value"), 2: ("FLOAT2", "vector"), 3: ("FLOAT_VECTOR", "vector"),
              4: ("FLOAT_COLOR", "color")}


def add_attribute(made, name, corners, stream):
    """Store a stream as attributes of vertices or corners: one per four components. Returns data
    that the export needs to restore the stream."""
    values = corners.by_vertex(stream)
    domain = "CORNER" if values is None else "POINT"
    if values is None:
        values = corners.values(stream)
    pieces = []
    for first in range(0, values.shape[1], 4):
        part = values[:, first:first + 4]
        kind, member = ATTRIBUTES[part.shape[1]]
        dtype = np.float32
        if part.shape[1] == 1 and part.dtype.kind in "iu":
            kind, dtype = "INT", np.int32
        layer = made.attributes.new(name if first == 0 else f"{name}.{first}", kind, domain)
        layer.data.foreach_set(member, np.ascontiguousarray(part.astype(dtype)).reshape(-1))
        pieces.append(layer.name)
    if stream.semantic != d.FACET_CUSTOM:
        return {piece: None for piece in pieces}  # do not write it: it is computed again
    return {pieces[0]: {"name": name, "pieces": pieces, "component": stream.component,
                        "components": stream.components}}


# -- Weights -----------------------------------------------------------------

def add_weights(made_object, found, names):
    """Create vertex groups for a skinned mesh. `names` are the bones by joint."""
    position = None
    rows, groups, weights = [], [], []
    streams = [found.streams[i] for i in range(found.stream_count)]
    for stream in streams:
        if stream.semantic == d.FACET_POSITION:
            position = stream
    for stream in streams:
        partner = next((one for one in streams if one.semantic == d.FACET_WEIGHTS
                        and one.set == stream.set), None)
        if stream.semantic != d.FACET_JOINTS or partner is None:
            continue
        count = found.corner_count
        vertex = library.array(position.indices, count, 1, np.uint32)[:, 0]
        of_joint = np.zeros((position.count, 4), np.int64)
        of_weight = np.zeros((position.count, 4), np.float32)
        # All corners of a vertex have the same joints.
        of_joint[vertex] = library.array(stream.data, stream.count, 4, DTYPES[stream.component])[
            library.array(stream.indices, count, 1, np.uint32)[:, 0]]
        of_weight[vertex] = library.array(partner.data, partner.count, 4, np.float32)[
            library.array(partner.indices, count, 1, np.uint32)[:, 0]]
        row, column = np.nonzero(of_weight)
        rows.append(row)
        groups.append(of_joint[row, column])
        weights.append(of_weight[row, column])
    made = [made_object.vertex_groups.new(name=name) for name in names]
    if not rows:
        return
    row, group, weight = map(np.concatenate, (rows, groups, weights))
    # Add all vertices with the same group and weight in one call.
    order = np.lexsort((weight, group))
    row, group, weight = row[order], group[order], weight[order]
    cuts = np.flatnonzero((group[1:] != group[:-1]) | (weight[1:] != weight[:-1])) + 1
    for first, last in zip([0, *cuts], [*cuts, len(row)]):
        made[group[first]].add(row[first:last].tolist(), float(weight[first]), "ADD")
