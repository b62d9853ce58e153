"""Convert meshes of Blender to meshes of the library. Coordinates keep Blender's axes: the scene
records the axes, and writers of the library convert them."""

import ctypes
import json

import numpy as np

from . import compat
from . import declarations as d
from .normals import flat_corners

NONE = 2**32 - 1
DTYPES = {d.FACET_FLOAT32: np.float32, d.FACET_FLOAT64: np.float64, d.FACET_INT8: np.int8,
          d.FACET_UINT8: np.uint8, d.FACET_INT16: np.int16, d.FACET_UINT16: np.uint16,
          d.FACET_INT32: np.int32, d.FACET_UINT32: np.uint32}


def numbers(items, member, count, width=1, dtype=np.float32):
    found = np.empty(count * width, dtype)
    items.foreach_get(member, found)
    return found.reshape(count, width) if width > 1 else found


def first_uses(place):
    """For each element, the index of the first one with the same number in `place`."""
    first = np.empty(int(place.max(initial=-1)) + 1, np.int64)
    first[place[::-1]] = np.arange(len(place) - 1, -1, -1)
    return first[place]


def distinct(values, vertices=None):
    """The distinct rows in order of first use, and for each row its index among these. `vertices`
    has the vertex of each row: rows that repeat the first one of their vertex are not sorted, which
    is faster."""
    words = np.ascontiguousarray(values, np.float32).view(np.uint32)
    if vertices is None:
        found, index = distinct_words(words)
        return values[found], index
    first = first_uses(vertices)
    repeats = (words == words[first]).all(1) & (first != np.arange(len(first)))
    sorted_ = np.flatnonzero(~repeats)
    found, index = distinct_words(words[sorted_])
    whole = np.empty(len(values), np.uint32)
    whole[sorted_] = index
    whole[repeats] = whole[first[repeats]]
    return values[sorted_[found]], whole


def distinct_words(words):
    """The first uses of distinct rows, and for each row its index among these."""
    mixed = np.zeros(len(words), np.uint64)
    for column in words.T:
        mixed = (mixed ^ column) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    _, first, index = np.unique(mixed, return_index=True, return_inverse=True)
    if not np.array_equal(words[first][index], words):  # two different rows have the same hash
        return np.arange(len(words)), np.arange(len(words), dtype=np.uint32)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    return first[order], rank[index]


def joined_normals(values, place):
    """Merge normals within 0.26 degrees at the same position. Blender stores custom normals per
    corner, as two angles with 16 bits, so that equal normals differ slightly after reading."""
    values = values.copy()
    left = np.arange(len(values))
    while len(left):
        first = first_uses(place[left])
        model = values[left[first]]
        near = (values[left] * model).sum(1) > 0.99999
        near |= first == np.arange(len(left))
        values[left[near]] = model[near]
        left = left[~near]
    return values


class Export:
    """The conversion of one mesh. `saved` is a library.Saved."""

    def __init__(self, saved, mesh, name, transform=None, is_occluder=False):
        self.saved, self.mesh = saved, mesh
        self.made = ctypes.POINTER(d.facet_mesh)()
        add = saved.library.facet_scene_add_occluder if is_occluder \
            else saved.library.facet_scene_add_mesh
        saved.check(add(saved.scene, self.made, saved.error))
        self._fill(name, transform)

    def _fill(self, name, transform):
        made, mesh = self.made.contents, self.mesh
        made.name = self.saved.string(name)
        points = numbers(mesh.vertices, "co", len(mesh.vertices), 3)
        self.turn = None
        if transform is not None and not np.allclose(transform, np.eye(4), atol=1e-7):
            points = points @ transform[:3, :3].T + transform[:3, 3]
            self.turn = np.linalg.inv(transform[:3, :3])
        count, faces = len(mesh.loops), len(mesh.polygons)
        corner = numbers(mesh.loops, "vertex_index", count, 1, compat.INDEX)
        starts = numbers(mesh.polygons, "loop_start", faces, 1, compat.INDEX)
        sizes = numbers(mesh.polygons, "loop_total", faces, 1, compat.INDEX)
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)
        self.order = slice(None)
        if not np.array_equal(starts, offsets[:-1]):
            self.order = np.repeat(starts - offsets[:-1], sizes) + np.arange(count)
        if transform is not None and np.linalg.det(transform[:3, :3]) < 0:
            # A mirror turns faces inside out. Reverse the corners of each face.
            mirrored = np.repeat(offsets[:-1] + offsets[1:] - 1, sizes) - np.arange(count)
            self.order = np.arange(count)[self.order][mirrored]
        self.corner, self.offsets = corner[self.order].astype(np.uint32), offsets
        made.face_count, made.corner_count = faces, count
        if faces and (sizes != 3).any():
            made.face_offsets = self.saved.keep(offsets, ctypes.c_uint32)
        self.points = points
        self.add(d.FACET_POSITION, 0, points, self.corner)

    def add(self, semantic, layer, values, indices, name=None, component=d.FACET_FLOAT32):
        values = np.ascontiguousarray(values, DTYPES[component])
        indices = np.ascontiguousarray(indices, np.uint32)
        saved = self.saved
        saved.check(saved.library.facet_mesh_add_stream_copy(
            self.made, semantic, layer, name.encode() if name else None, component,
            values.shape[1], len(values), values.ctypes.data_as(ctypes.c_void_p),
            indices.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32)), None, saved.error))

    # -- Attributes

    def normals(self):
        values = compat.corner_normals(self.mesh)[self.order]
        if self.mesh.has_custom_normals:
            self._fill_flat(values)
        if self.turn is not None:
            values = values @ self.turn
            values /= np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-30)
        if self.mesh.has_custom_normals:
            values = joined_normals(values, distinct(self.points)[1][self.corner])
        values, index = distinct(values, self.corner)
        self.add(d.FACET_NORMAL, 0, values, index)

    def _fill_flat(self, values):
        """Copy normals of neighbors to triangles without area: Blender's normals there are
        arbitrary."""
        flat = flat_corners(self.points, self.corner, self.offsets)
        if flat is None:
            return
        model = np.full(len(self.points), -1, np.int64)
        model[self.corner[~flat]] = np.flatnonzero(~flat)
        found = model[self.corner[flat]]
        values[np.flatnonzero(flat)[found >= 0]] = values[found[found >= 0]]

    def texcoords(self):
        for number, layer in enumerate(self.mesh.uv_layers):
            values, index = distinct(
                numbers(layer.data, "uv", len(self.mesh.loops), 2)[self.order], self.corner)
            self.add(d.FACET_TEXCOORD, number, values, index)

    def _colors_of(self, layer):
        """Linear colors of the corners."""
        values = numbers(layer.data, "color", len(layer.data), 4)
        return values[self.corner if layer.domain == "POINT" else self.order]

    def _color_layers(self):
        kept = self.kept()
        return {layer.name: layer for layer in self.mesh.color_attributes
                if layer.name not in kept}

    def colors(self, used):
        """Write all colors: first those that materials show. `used`: see shown_colors()."""
        layers = self._color_layers()
        first = [self._named(name, layers) for names in used for name in names or ()]
        for number, (name, layer) in enumerate(sorted(layers.items(),
                                                      key=lambda one: one[0] not in first)):
            if layer.domain == "POINT":
                self.add(d.FACET_COLOR, number, numbers(layer.data, "color", len(layer.data), 4),
                         self.corner)
            else:
                values, index = distinct(self._colors_of(layer), self.corner)
                self.add(d.FACET_COLOR, number, values, index)

    def _named(self, name, layers):
        """The name of a color attribute. "" is the one that Blender renders."""
        if name == "":
            number = self.mesh.color_attributes.render_color_index
            name = self.mesh.color_attributes[number].name if layers and number >= 0 else ""
        return name

    def shown_colors(self, used, say):
        """Write the color that the materials show, for formats that multiply it with the material.
        `used` has the names of the attributes of color and alpha by slot, or None for a material
        that does not state them."""
        layers, sizes = self._color_layers(), np.diff(self.offsets)
        slot = numbers(self.mesh.polygons, "material_index", len(sizes), 1, np.int32)
        slot = np.clip(slot, 0, len(used) - 1)
        used = {i: used[i] for i in np.unique(slot)} if used else {}
        for name in sorted({self._named(name, layers) for names in used.values()
                            for name in names or () if name is not None} - {"", *layers}):
            say("WARNING", f"{self.mesh.name}: it has no color attribute {name}, which its materials "
                           "show")
        if not layers or all(names is None for names in used.values()):
            self.colors(())
            return
        values, taken = np.ones((len(self.corner), 4), np.float32), set()
        for i, names in used.items():
            here = np.repeat(slot == i, sizes)
            names = names or (next(iter(layers)),) * 2
            for name, part in zip(names, (slice(0, 3), slice(3, 4))):
                name = self._named(name, layers)
                if name in layers:
                    taken.add(name)
                    values[here, part] = self._colors_of(layers[name])[here, part]
        for name in layers:
            if name not in taken:
                say("WARNING", f"{self.mesh.name}: the color attribute {name} is left out: the "
                               "materials do not show it")
        if taken:
            self.add(d.FACET_COLOR, 0, *distinct(values, self.corner))

    def kept(self):
        """Attributes that an import created from streams: the original stream by attribute name."""
        try:
            found = json.loads(self.mesh.get("facet_streams", "{}"))
        except ValueError:
            found = {}
        pieces = {piece: None for one in found.values() if one for piece in one["pieces"]}
        return {**pieces, **found}

    MEMBERS = {"FLOAT": ("value", 1), "INT": ("value", 1), "FLOAT2": ("vector", 2),
               "FLOAT_VECTOR": ("vector", 3), "FLOAT_COLOR": ("color", 4)}

    def attributes(self, say):
        """Write attributes of vertices and corners as streams with their names."""
        kept = self.kept()
        known = {layer.name for layer in self.mesh.uv_layers}
        known |= {layer.name for layer in self.mesh.color_attributes if layer.name not in kept}
        for layer in self.mesh.attributes:
            if layer.name in known or layer.name.startswith(".") or layer.is_internal or \
                    layer.name in ("position", "material_index", "sharp_face", "sharp_edge",
                                   "custom_normal") or kept.get(layer.name, "") is None:
                continue
            if layer.domain not in ("POINT", "CORNER") or layer.data_type not in self.MEMBERS:
                say("WARNING", f"{self.mesh.name}: the attribute {layer.name} is left out: Facet "
                               "has numbers of vertices and corners")
                continue
            of = kept.get(layer.name)
            pieces = [self.mesh.attributes.get(name) for name in of["pieces"]] if of else [layer]
            if None in pieces:
                continue
            values = np.concatenate([self._values(one) for one in pieces], 1)
            component = of["component"] if of else \
                d.FACET_INT32 if layer.data_type == "INT" else d.FACET_FLOAT32
            dtype = DTYPES[component]
            if np.issubdtype(dtype, np.integer):
                limits = np.iinfo(dtype)
                values = np.clip(np.rint(values), limits.min, limits.max)
            name = of["name"] if of else layer.name
            if layer.domain == "POINT":
                self.add(d.FACET_CUSTOM, 0, values.astype(dtype), self.corner, name, component)
            else:
                self.add(d.FACET_CUSTOM, 0, values[self.order].astype(dtype),
                         np.arange(len(values)), name, component)

    def _values(self, layer):
        member, width = self.MEMBERS[layer.data_type]
        whole = layer.data_type == "INT"
        return numbers(layer.data, member, len(layer.data), width,
                       np.int32 if whole else np.float32).reshape(-1, width).astype(np.float64)

    # -- Faces

    def materials(self, numbers_of_slots):
        if not numbers_of_slots or not len(self.mesh.polygons):
            return
        slots = numbers(self.mesh.polygons, "material_index", len(self.mesh.polygons), 1, np.int32)
        found = np.array(numbers_of_slots, np.uint32)[np.clip(slots, 0, len(numbers_of_slots) - 1)]
        if (found != NONE).any():
            self.made.contents.face_materials = self.saved.keep(found, ctypes.c_uint32)

    def lone_points(self):
        """Write vertices without an edge as points."""
        used = np.zeros(len(self.mesh.vertices), bool)
        used[self.corner] = True
        if len(self.mesh.edges):
            used[numbers(self.mesh.edges, "vertices", len(self.mesh.edges), 2,
                         compat.INDEX).reshape(-1)] = True
        alone = np.flatnonzero(~used).astype(np.uint32)
        if len(alone):
            made = self.made.contents
            made.point_count = len(alone)
            made.points = self.saved.keep(alone, ctypes.c_uint32)

    def lines(self):
        """Write edges without a face as lines."""
        count = len(self.mesh.edges)
        loose = numbers(self.mesh.edges, "is_loose", count, 1, bool) if count else np.zeros(0, bool)
        if loose.any():
            pairs = numbers(self.mesh.edges, "vertices", count, 2, compat.INDEX)[loose]
            made = self.made.contents
            made.line_count = len(pairs)
            made.lines = self.saved.keep(pairs.astype(np.uint32).reshape(-1), ctypes.c_uint32)

    # -- Weights

    def group(self, index, is_inverted):
        """Weights of all vertices in a vertex group: what an armature modifier with it deforms."""
        found = np.zeros(len(self.mesh.vertices))
        for i, vertex in enumerate(self.mesh.vertices):
            for one in vertex.groups:
                if one.group == index:
                    found[i] = one.weight
        return 1 - found if is_inverted else found

    def _limited(self, rows, joints, weights, share):
        """The weights if bones move each vertex only by a share. The first joint has the rest: it
        is right if it does not move."""
        row, joint, weight = np.array(rows, np.int64), np.array(joints, np.int64), np.array(weights)
        total = np.bincount(row, weight, len(share))
        rest = np.flatnonzero((share < 1) & (total > 0))
        row = np.concatenate([row, rest])
        joint = np.concatenate([joint, np.zeros(len(rest), np.int64)])
        weight = np.concatenate([weight * share[row[:len(weight)]] / total[row[:len(weight)]],
                                 1 - share[rest]])
        count = joint.max(initial=0) + 1
        pairs, index = np.unique(row * count + joint, return_inverse=True)
        weight = np.bincount(index, weight, len(pairs))
        kept = weight > 0
        return (pairs // count)[kept], (pairs % count)[kept], weight[kept]

    def weights(self, joint_of_group, share=None):
        """Write vertex groups of bones as weights, normalized to a sum of 1. `share` is the part of
        the motion that each vertex follows. Returns the number of vertices without weights."""
        rows, groups, weights = [], [], []
        for i, vertex in enumerate(self.mesh.vertices):
            for one in vertex.groups:
                if one.weight > 0 and one.group in joint_of_group:
                    rows.append(i)
                    groups.append(joint_of_group[one.group])
                    weights.append(one.weight)
        if share is not None:
            rows, groups, weights = self._limited(rows, groups, weights, share)
        count = len(self.mesh.vertices)
        row = np.array(rows, np.int64)
        amount = np.bincount(row, minlength=count) if len(row) else np.zeros(count, np.int64)
        # Rank of each weight at its vertex; the largest is first.
        weight, group = np.array(weights, np.float32), np.array(groups, np.uint16)
        order = np.lexsort((-weight, row))
        row, weight, group = row[order], weight[order], group[order]
        place = np.arange(len(row)) - np.repeat(np.cumsum(amount) - amount, amount)
        most = max(4, -(-int(amount.max(initial=0)) // 4) * 4)
        joints, shares = np.zeros((count, most), np.uint16), np.zeros((count, most), np.float32)
        joints[row, place], shares[row, place] = group, weight
        shares[amount == 0, 0] = 1  # to the first joint
        total = shares.sum(1, dtype=np.float64)
        odd = np.abs(total - 1) > 1e-5
        shares[odd] /= total[odd, None]
        for layer in range(most // 4):
            part = slice(4 * layer, 4 * layer + 4)
            self.add(d.FACET_JOINTS, layer, joints[:, part], self.corner,
                     component=d.FACET_UINT16)
            self.add(d.FACET_WEIGHTS, layer, shares[:, part], self.corner)
        return int((amount == 0).sum())
