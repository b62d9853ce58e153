"""Meshes: faces, corners, and streams of attributes."""

from __future__ import annotations

import difflib
from typing import Any, ClassVar, Dict, Optional, Tuple

import numpy as np

from . import _arrays, _editing
from ._arrays import Array, COMPONENT_OF, COMPONENTS, Memory
from ._call import Call
from ._facet import ffi, lib
from ._records import MeshFields, MorphFields, PartFields
from ._state import equal, state_of
from .errors import ArgumentError, text
from .record import Records, number, words

# Allowed numbers of components, by semantic.
_WIDTHS = {"position": (3,), "normal": (3,), "tangent": (4,), "texcoord": (2, 3), "color": (3, 4),
           "weights": (4,), "morph_position": (3,), "morph_normal": (3,), "morph_tangent": (3,)}


# Streams without a second layer.
_SINGLE = ("position", "normal", "tangent")
# Names of properties are plural; names of streams are singular.
_PLURALS = {"positions": "position", "normals": "normal", "tangents": "tangent",
            "texcoords": "texcoord", "colors": "color"}


def stream_key(name: str) -> Tuple[int, int, str]:
    """(semantic, layer, custom name) of a stream. "texcoord1" and "texcoords1" are the second layer
    of texture coordinates. An unknown name is that of a custom stream."""
    stem = name.rstrip("0123456789")
    known = words("facet_semantic").values()
    if stem in _PLURALS:
        name, stem = _PLURALS[stem] + name[len(stem):], _PLURALS[stem]
    if stem in known and stem != "custom":
        return number("facet_semantic", stem), int(name[len(stem):] or 0), ""
    return int(lib.FACET_CUSTOM), 0, name


def check_new_name(name: str) -> None:
    """Refuse the names of layers that a mesh cannot have, such as "normal1", and names that are
    almost those of streams, such as "weight"."""
    if not name or "\0" in name:
        raise ValueError(f"a stream has a name without NUL, not {name!r}")
    known = [one for one in words("facet_semantic").values() if one != "custom"]
    near = difflib.get_close_matches(name, [*known, *_PLURALS], 1, 0.9)
    if stream_key(name)[2] and near:
        raise ValueError(f"{name!r} is not a stream; did you mean {near[0]!r}?")
    semantic, layer, custom = stream_key(name)
    stem = words("facet_semantic")[semantic]
    if layer and not custom and stem in _SINGLE:
        several = (one for _, one in sorted(words("facet_semantic").items())
                   if one not in (*_SINGLE, "custom"))
        raise ValueError(f"a mesh has one set of {stem}s, so {name!r} is not a stream; streams are "
                         f"{', '.join(_SINGLE)}, {', '.join(several)}, the latter with a number for "
                         "more layers, and other names for custom streams")


def _pair(values: Any, indices: Any, of: str) -> Tuple[Any, Any]:
    """Values and indices, which may be given as one pair. Indices are whole numbers, and their count
    differs from the shape of the values. Otherwise, a tuple of two has rows of values."""
    if indices is None and of == "positions" and isinstance(values, tuple) and len(values) == 2:
        second = np.asarray(values[1])
        if second.dtype.kind in "iu" and second.ndim == 1 and np.shape(values[0]) != second.shape:
            return values[0], values[1]
    return values, indices


def stream_name(stream: Any) -> str:
    if stream.semantic == lib.FACET_CUSTOM:
        return text(stream.name)
    return words("facet_semantic")[stream.semantic] + (str(stream.set) if stream.set else "")


class Part(PartFields):
    """A run of faces with a name: an object or a group."""

    def __init__(self, mesh: "Mesh", index: int) -> None:
        self._mesh, self._index, self._owner = mesh, index, mesh._owner

    def _struct(self) -> Any:
        return self._mesh._struct().parts[self._index]


class Morph(MorphFields):
    """A morph target. Its differences are the streams "morph_position", "morph_position1" ..."""

    def __init__(self, mesh: "Mesh", index: int) -> None:
        self._mesh, self._index, self._owner = mesh, index, mesh._owner

    def _struct(self) -> Any:
        return self._mesh._struct().morphs[self._index]


class Stream:
    """One attribute of a mesh: elements, and the index of an element for each corner."""

    __slots__ = ("_mesh", "_name")

    def __init__(self, mesh: "Mesh", name: str) -> None:
        self._mesh, self._name = mesh, name

    def _struct(self) -> Any:
        return self._mesh._find(self._name)

    @property
    def name(self) -> str:
        """ "position", "texcoord1", or the name of a custom stream."""
        return self._name

    @property
    def semantic(self) -> str:
        """ "position", "normal", ... or "custom"."""
        return words("facet_semantic")[self._struct().semantic]

    @property
    def set(self) -> int:
        """The layer, from 0."""
        return int(self._struct().set)

    @property
    def data(self) -> Array:
        """The elements as rows: a read-only view."""
        return self.view()

    def view(self, writable: bool = False) -> Array:
        """The elements as rows: a view. With writable=True, changes of the array change the
        scene."""
        with self._mesh._owner.lock:
            struct = self._struct()
            return self._mesh._owner.view(struct.data, (struct.count, struct.components),
                                          COMPONENTS[struct.component], writable)

    @property
    def indices(self) -> Array:
        """Index of the element of each corner: a view. 2**32 - 1 means none."""
        with self._mesh._owner.lock:
            return self._mesh._owner.view(self._struct().indices, (self._mesh.corner_count,),
                                          np.uint32)

    @property
    def corners(self) -> Array:
        """The element of each corner: a copy. Corners without an element have zeros."""
        data, index = self.data, self.indices
        there = index != 2**32 - 1
        if there.all():
            return np.asarray(data[index])
        found = np.zeros((len(index), data.shape[1]), data.dtype)
        found[there] = data[index[there]]
        return found

    def __repr__(self) -> str:
        struct = self._struct()
        return f"<Stream {self.name!r} {struct.count} x {struct.components} " \
               f"{COMPONENTS[struct.component]}>"


class Mesh(MeshFields):
    """One mesh of a scene. Arrays are read-only views: nothing is copied, and they keep the scene's
    memory alive.

    >>> mesh = facet.load(model).meshes[0]
    >>> mesh.positions.shape, mesh.triangles.shape
    ((4, 3), (4, 3))
    >>> sorted(mesh.streams)
    ['position', 'texcoord']
    """

    _owner: Memory
    _array = "meshes"

    def __init__(self, owner: Memory, index: int) -> None:
        self._owner, self._index = owner, index  # -1: the occluder

    def _struct(self) -> Any:
        scene = self._owner.scene
        if self._index < 0:
            if not scene.occluder:
                raise ReferenceError("the occluder is not in the scene any more")
            return scene.occluder
        if self._index >= scene.mesh_count:
            raise ReferenceError("the mesh is not in the scene any more")
        return scene.meshes[self._index]

    def __repr__(self) -> str:
        name = f"{self.name!r} " if self.name else ""
        return f"<Mesh {name}{self.face_count} faces, {', '.join(self.streams)}>"

    # -- Streams

    def _find(self, name: str) -> Any:
        mesh = self._struct()
        semantic, layer, custom = stream_key(name)
        named = None
        for i in range(mesh.stream_count):
            stream = mesh.streams[i]
            if stream.semantic == lib.FACET_CUSTOM:
                if text(stream.name) == name:
                    return stream
            elif not custom and stream.semantic == semantic and stream.set == layer:
                named = stream
        if named is None:
            raise KeyError(name)
        return named

    @property
    def streams(self) -> Dict[str, Stream]:
        """All streams by name: "position", "normal", "texcoord", "texcoord1", ..., and the names of
        custom streams."""
        mesh = self._struct()
        names = [stream_name(mesh.streams[i]) for i in range(mesh.stream_count)]
        return {name: Stream(self, name) for name in names}

    def stream(self, name: str, *, writable: bool = False) -> Array:
        """The elements of a stream as rows. KeyError if no stream has this name."""
        return Stream(self, name).view(writable)

    def __contains__(self, name: str) -> bool:
        return self._optional(name) is not None

    def _optional(self, name: str) -> Optional[Array]:
        try:
            return self.stream(name)
        except KeyError:
            return None

    @property
    def positions(self) -> Array:
        """(n, 3) float32. Without positions, n is 0."""
        found = self._optional("position")
        return np.empty((0, 3), np.float32) if found is None else found

    @property
    def normals(self) -> Optional[Array]:
        """(n, 3) float32 unit vectors, or None."""
        return self._optional("normal")

    @property
    def tangents(self) -> Optional[Array]:
        """(n, 4) float32, or None. The last component is +1 or -1."""
        return self._optional("tangent")

    @property
    def texcoords(self) -> Optional[Array]:
        """(n, 2) float32 of the first layer, or None."""
        return self._optional("texcoord")

    @property
    def colors(self) -> Optional[Array]:
        """(n, 3) or (n, 4) float32 of the first layer, or None. Colors are linear."""
        return self._optional("color")

    @property
    def joints(self) -> Optional[Array]:
        """(n, 4) uint16 of the first layer, or None: indices into the joints of the skin."""
        return self._optional("joints")

    @property
    def weights(self) -> Optional[Array]:
        """(n, 4) float32 of the first layer, or None."""
        return self._optional("weights")

    def add_stream(self, name: str, values: Any, indices: Any = None, *,
                   of: str = "positions") -> None:
        """Add a stream with a copy of `values`, a row per element. `of` names what the rows belong
        to: "positions", "corners" or "faces". Alternatively, `indices` has the index of an element
        for each corner. `values` can also be the pair of both, as in add_mesh().

        Values of known streams are converted to float32, and joints to uint16. Colors of uint8 and
        uint16 become fractions of their maximum; other integers are a TypeError. Custom streams
        keep their type, except that int64 becomes int32 and bool becomes uint8.

        >>> scene = facet.load(model)
        >>> scene.meshes[0].add_stream("temperature", np.arange(4.0).reshape(4, 1))
        >>> scene.meshes[0].stream("temperature").dtype
        dtype('float64')
        """
        values, indices = _pair(values, indices, of)
        array, key = self._values(name, values)
        with self._owner.lock:
            if indices is None:
                indices = self._indices_of(of, len(array), name)
            self._add(*key, name, array, indices)

    def _values(self, name: str, values: Any) -> Tuple[Array, Tuple[int, int, str]]:
        """Convert values to the type of the stream with this name."""
        semantic, layer, custom = stream_key(name)
        if name not in self:
            check_new_name(name)
        stem = words("facet_semantic")[semantic]
        array = np.asarray(values)
        if array.ndim == 1:
            array = array.reshape(-1, 1)
        if stem == "joints":
            if array.ndim != 2 or array.shape[1] != 4:
                raise ValueError(f"{name} has the shape {array.shape}, not (n, 4)")
            if array.dtype.kind not in "iuf":
                raise TypeError(f"{name} is of {array.dtype}, not of whole numbers")
            whole = array.dtype.kind != "f" or (array == np.rint(array)).all()
            if array.size and not (whole and array.min() >= 0 and array.max() <= 65535):
                raise ValueError(f"{name} has a value that is not a whole number from 0 to 65535")
            array = np.ascontiguousarray(array, np.uint16)
        elif custom:
            array = _editing.custom_values(array, name)
        else:
            if stem == "color":
                array = _editing.floats_of_colors(array, name)
            array = _arrays.floats(array, _WIDTHS.get(stem), name)
        return array, (semantic, layer, custom)

    def _indices_of(self, of: str, rows: int, name: str) -> Any:
        """The index array for rows that belong to corners or faces. None: the index of
        positions."""
        counts = {"corners": self.corner_count, "faces": self.face_count}
        if of == "positions":
            return None
        if of not in counts:
            raise ValueError(f"a stream is of positions, corners or faces, not of {of!r}")
        if rows != counts[of]:
            raise ValueError(f"{name} has {rows} elements, and the mesh {counts[of]} {of}")
        numbers = np.arange(rows, dtype=np.uint32)
        return numbers if of == "corners" else np.repeat(numbers, self.face_sizes)

    def set_stream(self, name: str, values: Any, indices: Any = None, *,
                   of: str = "positions") -> None:
        """Replace a stream, or add it. Without `indices`, the number of elements must stay the
        same, and the index is kept.

        >>> mesh = facet.load(model).meshes[0]
        >>> mesh.set_stream("position", mesh.positions + [1, 0, 0])
        >>> mesh.bounds()[0].tolist()
        [1.0, 0.0, 0.0]
        """
        values, indices = _pair(values, indices, of)
        if name not in self:
            return self.add_stream(name, values, indices, of=of)
        array, _ = self._values(name, values)
        with self._owner.lock:
            stream = self._find(name)
            if indices is None and of == "positions":
                if len(array) != stream.count:
                    raise ValueError(f"{name} has {stream.count} elements, not {len(array)}: give "
                                     "indices as well")
            else:
                given = self._indices_of(of, len(array), name) if indices is None else \
                    _arrays.indices(indices).reshape(-1)
                self._check_indices(given, len(array), name)
                stream.indices = self._owner.allocate(given, "uint32_t *")
            stream.data, stream.count = self._owner.allocate(array, "void *"), len(array)
            stream.component, stream.components = COMPONENT_OF[array.dtype], array.shape[1]
            self._owner.changed()

    def _check_indices(self, index: Array, count: int, name: str) -> None:
        if len(index) != self.corner_count:
            raise ValueError(f"{len(index)} indices for {self.corner_count} corners")
        used = index[index != 2**32 - 1]
        if used.size and int(used.max()) >= count:
            raise ValueError(f"the indices of {name} count {int(used.max()) + 1} elements, and "
                             f"there are {count}")

    def _add(self, semantic: int, layer: int, custom: str, name: str, array: Array,
             indices: Any) -> None:
        mesh = self._struct()
        if name in self:
            there = stream_name(self._find(name))
            raise ValueError(f"the mesh has a stream '{there}' already; set_stream replaces it")
        index = None
        if indices is not None:
            index = _arrays.indices(indices).reshape(-1)
            self._check_indices(index, len(array), name)
        elif mesh.stream_count and len(array) != mesh.streams[0].count:
            raise ValueError(
                f"{name} has {len(array)} elements, and the mesh {mesh.streams[0].count} positions: "
                "give indices, or say what the rows are of (of=\"corners\", of=\"faces\")")
        call = Call()
        made = ffi.new("facet_stream **")
        call.check(lib.facet_mesh_add_stream_copy(
            mesh, semantic, layer, custom.encode() if custom else ffi.NULL,
            COMPONENT_OF[array.dtype], array.shape[1], len(array),
            _arrays.address(array, "void *"),
            ffi.NULL if index is None else _arrays.address(index, "uint32_t *"), made, call.error))
        self._owner.changed()

    def remove_stream(self, name: str) -> None:
        """Remove a stream. Positions cannot be removed; set_stream replaces them."""
        if stream_key(name)[0] == lib.FACET_POSITION and name in self:
            raise ValueError("a mesh has positions; set_stream replaces them")
        with self._owner.replacing():
            lib.facet_mesh_remove_stream(self._struct(), ffi.addressof(self._find(name)))
            self._owner.changed()

    def __eq__(self, other: object) -> bool:
        """True if all content is equal, bit for bit. Materials are compared by index."""
        if not isinstance(other, Mesh):
            return NotImplemented
        return equal(self._state(), other._state())

    __hash__: ClassVar[None]  # type: ignore[assignment]

    def _state(self) -> Any:
        with self._owner.lock:
            return state_of(self._struct(), self._owner.scene)

    # -- Faces

    @property
    def faces(self) -> Any:
        """The positions of the corners of each face: (m, k) if all faces have k corners, otherwise
        a list of arrays. You can assign other faces, in any form that add_mesh accepts. All streams
        must then share one index; `index()` ensures it.

        If the number of faces changes, material, smoothing group and part stay if they are the same
        for all faces. Otherwise they are removed, with a Python warning.

        >>> scene = facet.Scene()
        >>> mesh = scene.add_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2, 3]])
        >>> mesh.faces = [[0, 1, 2], [0, 2, 3]]
        >>> mesh.faces.tolist()
        [[0, 1, 2], [0, 2, 3]]
        """
        indices, sizes = self.indices, self.face_sizes
        if len(sizes) and (sizes == sizes[0]).all():
            return indices.reshape(-1, int(sizes[0]))
        return np.split(indices, self.face_offsets[1:-1]) if len(sizes) else indices.reshape(0, 3)

    @faces.setter
    def faces(self, value: Any) -> None:
        with self._owner.lock:
            mesh = self._struct()
            addresses = {int(ffi.cast("uintptr_t", mesh.streams[i].indices))
                         for i in range(mesh.stream_count)}
            if len(addresses) != 1:
                raise ValueError("the streams of the mesh have several indices; index() makes them "
                                 "share one")
            count = min(mesh.streams[i].count for i in range(mesh.stream_count))
            corners, sizes = _editing.corners_of(value, None, count)
            if len(sizes) != mesh.face_count:
                _editing.keep_uniform(self, len(sizes))
            _editing.set_corners(self, sizes, {addresses.pop(): corners})

    def keep_faces(self, which: Any) -> None:
        """Remove all other faces, and elements that only they used. `which` is a mask, an index or
        a list of indices."""
        with self._owner.lock:
            _editing.keep_faces(self, _editing.chosen(which, self.face_count, "faces"))

    def delete_faces(self, which: Any) -> None:
        """Remove faces, and elements that only they used. `which` is a mask, an index or a list of
        indices.

        >>> mesh = facet.load(model).meshes[0]
        >>> mesh.delete_faces(mesh.face_materials == 1)
        >>> mesh.face_count
        2
        """
        with self._owner.lock:
            _editing.keep_faces(self, ~_editing.chosen(which, self.face_count, "faces"))

    def transform(self, matrix: Any) -> None:
        """Transform positions, normals and tangents by a (4, 4) matrix for column vectors. If the
        matrix mirrors, faces are reversed."""
        with self._owner.lock:
            _editing.transform(self, matrix)

    @property
    def is_triangles(self) -> bool:
        """True if every face is a triangle."""
        return bool(lib.facet_mesh_is_triangles(self._struct()))

    @property
    def is_welded(self) -> bool:
        """True if all streams share one index, as a GPU needs it."""
        return bool(lib.facet_mesh_is_indexed(self._struct()))

    @property
    def indices(self) -> Array:
        """Index of the position of each corner: a view. If is_welded, these are vertices."""
        return self.streams["position"].indices if "position" in self else np.empty(0, np.uint32)

    @property
    def triangles(self) -> Array:
        """(m, 3): indices of the positions of each triangle, a view. ValueError if the mesh has
        polygons; triangulate() splits them."""
        if not self.is_triangles:
            raise ValueError("the mesh has polygons; scene.prepare() or mesh.triangulate() cuts them")
        return self.indices.reshape(-1, 3)

    def _numbers(self, member: str, counter: str = "face_count", more: int = 0) -> Optional[Array]:
        """The array of a member with one number per face, line or point."""
        with self._owner.lock:
            mesh = self._struct()
            pointer = getattr(mesh, member)
            if not pointer:
                return None
            return self._owner.view(pointer, (getattr(mesh, counter) + more,), np.uint32)

    @property
    def face_offsets(self) -> Array:
        """First corner of each face. The last entry is the number of corners."""
        found = self._numbers("face_offsets", more=1)
        return np.arange(0, 3 * self.face_count + 1, 3, np.uint32) if found is None else found

    @property
    def face_sizes(self) -> Array:
        """Number of corners of each face."""
        return np.diff(self.face_offsets)

    @property
    def face_materials(self) -> Optional[Array]:
        """Index of the material of each face, 2**32 - 1 for none. None if no face has a
        material."""
        return self._numbers("face_materials")

    @face_materials.setter
    def face_materials(self, value: Any) -> None:
        self._set_numbers("face_materials", value)

    @property
    def face_smoothing(self) -> Optional[Array]:
        """Smoothing group of each face, 0 for off. None if the mesh has no groups."""
        return self._numbers("face_smoothing")

    @face_smoothing.setter
    def face_smoothing(self, value: Any) -> None:
        self._set_numbers("face_smoothing", value)

    def _set_numbers(self, member: str, value: Any, counter: str = "face_count") -> None:
        with self._owner.lock:
            mesh, made = self._struct(), ffi.NULL
            count = getattr(mesh, counter)
            if value is not None:
                array = _arrays.indices(
                    value, member, "materials" if member.endswith("_materials") else "",
                    self._owner)
                if array.shape not in ((), (1,), (count,)):
                    raise ValueError(f"{member} has the shape {array.shape}, and the mesh "
                                     f"{count} {counter.split('_')[0]}s")
                array = np.ascontiguousarray(np.broadcast_to(array, (count,)))
                made = self._owner.allocate(array, "uint32_t *")
            setattr(mesh, member, made)
            self._owner.changed()

    @property
    def lines(self) -> Array:
        """(n, 2): the two vertices of each line, a view."""
        with self._owner.lock:
            mesh = self._struct()
            return self._owner.view(mesh.lines, (mesh.line_count, 2), np.uint32)

    @lines.setter
    def lines(self, value: Any) -> None:
        array = _arrays.indices(value, "lines")
        if array.size and (array.ndim != 2 or array.shape[1] != 2):
            raise ValueError(f"lines has the shape {array.shape}, not (n, 2)")
        self._set_loose("lines", "line_count", array, array.size // 2)

    @property
    def line_materials(self) -> Optional[Array]:
        """Index of the material of each line, 2**32 - 1 for none. None if no line has a
        material."""
        return self._numbers("line_materials", "line_count")

    @line_materials.setter
    def line_materials(self, value: Any) -> None:
        self._set_numbers("line_materials", value, "line_count")

    @property
    def points(self) -> Array:
        """(n,): vertices that are drawn as points, a view."""
        with self._owner.lock:
            mesh = self._struct()
            return self._owner.view(mesh.points, (mesh.point_count,), np.uint32)

    @points.setter
    def points(self, value: Any) -> None:
        array = _arrays.indices(value, "points").reshape(-1)
        self._set_loose("points", "point_count", array, len(array))

    @property
    def point_materials(self) -> Optional[Array]:
        """Index of the material of each point, 2**32 - 1 for none. None if no point has a
        material."""
        return self._numbers("point_materials", "point_count")

    @point_materials.setter
    def point_materials(self, value: Any) -> None:
        self._set_numbers("point_materials", value, "point_count")

    def _set_loose(self, member: str, counter: str, array: Array, count: int) -> None:
        """Set the vertices of lines or points."""
        vertices = len(self.positions)
        _editing.check_positions(array, vertices, member)
        with self._owner.lock:
            mesh = self._struct()
            if count != getattr(mesh, counter):
                _editing.keep_uniform_ends(self, member, count)
            setattr(mesh, member, self._owner.allocate(array, "uint32_t *") if count else ffi.NULL)
            setattr(mesh, counter, count)
            self._owner.changed()

    @property
    def parts(self) -> Records[Part]:
        """Runs of faces with names: objects and groups."""
        return Records(lambda: self.part_count, lambda i: Part(self, i))

    @property
    def morphs(self) -> Records[Morph]:
        """The morph targets."""
        return Records(lambda: self.morph_count, lambda i: Morph(self, i))

    # -- Notebooks and other libraries

    def _repr_html_(self) -> str:
        """Counts and a picture, for notebooks."""
        from .pictures import html_of
        counts: Dict[str, Any] = {
            "faces": self.face_count, "corners": self.corner_count, "lines": self.line_count,
            "points": self.point_count, **{name: " x ".join(str(side) for side in stream.data.shape)
                                           for name, stream in self.streams.items()}}
        return html_of(self.name or "mesh", counts, self._repr_png_())

    def _repr_png_(self) -> Optional[bytes]:
        """A picture for notebooks, or None if nothing is visible."""
        from .pictures import picture_of_mesh
        return picture_of_mesh(self)

    def to_trimesh(self) -> Any:
        """Convert the triangles to a trimesh.Trimesh; needs the trimesh package. If is_welded,
        normals are included, and texture coordinates or colors."""
        from .interop import to_trimesh
        return to_trimesh(self)

    def to_meshio(self) -> Any:
        """Convert to a meshio.Mesh: lines, and faces grouped by their number of corners. Needs the
        meshio package. If is_welded, all streams are included."""
        from .interop import to_meshio
        return to_meshio(self)

    # -- Passes

    def _pass(self, function: Any, *arguments: Any) -> bool:
        """Run a pass. True if it changed the mesh."""
        with self._owner.replacing(), Call() as call:
            changed = ffi.new("bool *")
            call.check(function(self._struct(), *arguments, call.options, changed, call.error))
            return bool(changed[0])

    def triangulate(self) -> bool:
        """Split polygons into triangles. True if it changed the mesh; this holds for all passes."""
        return self._pass(lib.facet_mesh_triangulate)

    def compute_normals(self, *, crease: float = 0, flat: bool = False,
                        replace: bool = False) -> bool:
        """Compute a normal for every corner. Existing normals are kept, unless replace=True.
        `crease` is in degrees."""
        how = normals_options(crease, flat, replace)
        return self._pass(lib.facet_mesh_normals, how)

    def index(self) -> bool:
        """Make all streams share one index."""
        return self._pass(lib.facet_mesh_index)

    def compute_tangents(self) -> bool:
        """Compute MikkTSpace tangents, if the mesh has none."""
        return self._pass(lib.facet_mesh_tangents)

    def _check_form(self, name: str, triangles: bool) -> None:
        """Refuse a mesh that a pass cannot change, and name the passes to run before."""
        before = [] if not triangles or (self.face_sizes == 3).all() else ["triangulate()"]
        before += [] if self.is_welded else ["index()"]
        if before:
            raise ArgumentError(
                f"{name}() needs " + ("triangles and " if triangles else "")
                + f"one index for all streams: call {' and '.join(before)} before, or scene.prepare()",
                status="wrong argument")

    def weld(self) -> bool:
        """Merge vertices that are equal in every stream. The streams must share one index."""
        self._check_form("weld", False)
        return self._pass(lib.facet_mesh_weld)

    def optimize(self) -> bool:
        """Order triangles and vertices for the GPU."""
        self._check_form("optimize", True)
        return self._pass(lib.facet_mesh_optimize)

    def simplify(self, ratio: float = 0, *, max_triangles: int = 0, max_vertices: int = 0,
                 max_error: float = 0) -> bool:
        """Reduce a GPU-ready triangle mesh. `ratio` is the share of triangles to keep. `max_error`
        limits how far the surface moves, as a share of the box's diagonal. 0: no such limit."""
        self._check_form("simplify", True)
        how = ffi.new("facet_reduce_options *")
        how.struct_size, how.ratio = ffi.sizeof("facet_reduce_options"), ratio
        how.max_triangles, how.max_vertices, how.max_error = max_triangles, max_vertices, max_error
        with self._owner.replacing(), Call() as call:
            changed = ffi.new("bool *")
            call.check(lib.facet_mesh_reduce(self._struct(), how, call.options, changed, ffi.NULL,
                                             call.error))
            return bool(changed[0])

    def bounds(self) -> Array:
        """(2, 3): minimum and maximum of the positions, in the coordinates of the mesh."""
        positions = self.positions
        if not len(positions):
            return np.zeros((2, 3), np.float32)
        return np.stack([positions.min(0), positions.max(0)])

    def sphere(self) -> Tuple[Array, float]:
        """Center and radius of the smallest sphere around the positions."""
        with self._owner.lock:
            call, found, positions = Call(), ffi.new("facet_bounds *"), self.positions
            call.check(lib.facet_bounds_compute(_arrays.address(positions, "float *"),
                                                len(positions), 0, ffi.NULL, found, call.error))
            return np.array(list(found.center), np.float32), float(found.radius)


def normals_options(crease: float, flat: bool, replace: bool) -> Any:
    how = ffi.new("facet_normals_options *")
    how.struct_size = ffi.sizeof("facet_normals_options")
    how.crease_degrees, how.flat, how.replace = crease, flat, replace
    return how


