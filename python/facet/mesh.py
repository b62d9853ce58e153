"""Meshes: faces of corners, and streams of attributes."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import _arrays
from ._arrays import Array, COMPONENT_OF, COMPONENTS, Memory
from ._call import Call
from ._facet import ffi, lib
from ._records import MeshFields, MorphFields, PartFields
from .errors import text
from .record import Records, number, words

# What a semantic asks of its arrays: numbers per element.
_WIDTHS = {"position": (3,), "normal": (3,), "tangent": (4,), "texcoord": (2, 3), "color": (3, 4),
           "weights": (4,), "morph_position": (3,), "morph_normal": (3,), "morph_tangent": (3,)}


def stream_key(name: str) -> Tuple[int, int, str]:
    """ "texcoord1" is the second layer of texture coordinates; a name that is none of the
    known is that of a custom stream."""
    stem = name.rstrip("0123456789")
    known = words("facet_semantic").values()
    if stem in known and stem != "custom":
        return number("facet_semantic", stem), int(name[len(stem):] or 0), ""
    return int(lib.FACET_CUSTOM), 0, name


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
    """A morph target; its differences are the streams "morph_position", "morph_position1" ..."""

    def __init__(self, mesh: "Mesh", index: int) -> None:
        self._mesh, self._index, self._owner = mesh, index, mesh._owner

    def _struct(self) -> Any:
        return self._mesh._struct().morphs[self._index]


class Stream:
    """One attribute: elements, and which of them each corner uses."""

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
        """The elements, a row each: a view that cannot be written to."""
        return self.view()

    def view(self, writable: bool = False) -> Array:
        """The elements, a row each. With writable=True what is written is in the scene."""
        with self._mesh._owner.lock:
            struct = self._struct()
            return self._mesh._owner.view(struct.data, (struct.count, struct.components),
                                          COMPONENTS[struct.component], writable)

    @property
    def indices(self) -> Array:
        """The element that each corner uses, a view. 2**32 - 1 is none."""
        with self._mesh._owner.lock:
            return self._mesh._owner.view(self._struct().indices, (self._mesh.corner_count,),
                                          np.uint32)

    @property
    def corners(self) -> Array:
        """The elements corner by corner: a copy. Corners without one have zeros."""
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
    """One mesh of a scene. Arrays are views: nothing is copied, they cannot be written to, and
    they keep the scene's memory alive.

    >>> mesh = facet.load(model).meshes[0]
    >>> mesh.positions.shape, mesh.triangles.shape
    ((4, 3), (4, 3))
    >>> sorted(mesh.streams)
    ['position', 'texcoord']
    """

    _owner: Memory

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
        for i in range(mesh.stream_count):
            stream = mesh.streams[i]
            if stream.semantic == semantic and stream.set == layer and \
                    (not custom or text(stream.name) == custom):
                return stream
        raise KeyError(name)

    @property
    def streams(self) -> Dict[str, Stream]:
        """All streams by name: "position", "normal", "texcoord", "texcoord1", ..., and custom
        ones by their own."""
        mesh = self._struct()
        names = [stream_name(mesh.streams[i]) for i in range(mesh.stream_count)]
        return {name: Stream(self, name) for name in names}

    def stream(self, name: str, *, writable: bool = False) -> Array:
        """The elements of a stream, a row each; KeyError when there is none of this name."""
        return Stream(self, name).view(writable)

    def __contains__(self, name: str) -> bool:
        return name in self.streams

    def _optional(self, name: str) -> Optional[Array]:
        try:
            return self.stream(name)
        except KeyError:
            return None

    @property
    def positions(self) -> Array:
        """(n, 3) floats. Without positions, none."""
        found = self._optional("position")
        return np.empty((0, 3), np.float32) if found is None else found

    @property
    def normals(self) -> Optional[Array]:
        """(n, 3) floats of unit length, or None."""
        return self._optional("normal")

    @property
    def tangents(self) -> Optional[Array]:
        """(n, 4) floats, the last +1 or -1, or None."""
        return self._optional("tangent")

    @property
    def texcoords(self) -> Optional[Array]:
        """(n, 2) floats of the first layer, or None."""
        return self._optional("texcoord")

    @property
    def colors(self) -> Optional[Array]:
        """(n, 3) or (n, 4) floats of the first layer, or None."""
        return self._optional("color")

    @property
    def joints(self) -> Optional[Array]:
        """(n, 4) uint16 of the first layer, or None."""
        return self._optional("joints")

    @property
    def weights(self) -> Optional[Array]:
        """(n, 4) floats of the first layer, or None."""
        return self._optional("weights")

    def add_stream(self, name: str, values: Any, indices: Any = None) -> None:
        """Add a stream, a copy of `values`, a row for each element. `indices` has an element
        for each corner; None shares the index of the positions. Known names are converted to
        what they ask for: floats, of joints uint16, of bytes as colors the 255th part; custom
        streams keep their type.

        >>> scene = facet.load(model)
        >>> scene.meshes[0].add_stream("temperature", np.arange(4.0).reshape(4, 1))
        >>> scene.meshes[0].stream("temperature").dtype
        dtype('float64')
        """
        semantic, layer, custom = stream_key(name)
        stem = words("facet_semantic")[semantic]
        array = np.asarray(values)
        if array.ndim == 1:
            array = array.reshape(-1, 1)
        if stem == "joints":
            if array.ndim != 2 or array.shape[1] != 4:
                raise ValueError(f"{name} has the shape {array.shape}, not (n, 4)")
            if array.size and (array.min() < 0 or array.max() > 65535):
                raise ValueError("a joint is 0 to 65535")
            array = np.ascontiguousarray(array, np.uint16)
        elif custom:
            if array.dtype.newbyteorder("=") not in COMPONENT_OF:
                raise TypeError(f"a stream of {array.dtype}: known are "
                                f"{', '.join(str(one) for one in COMPONENT_OF)}")
            array = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
        else:
            if stem == "color" and array.dtype == np.uint8:
                array = array / np.float32(255)
            array = _arrays.floats(array, _WIDTHS.get(stem), name)
        with self._owner.lock:
            self._add(semantic, layer, custom, name, array, indices)

    def _add(self, semantic: int, layer: int, custom: str, name: str, array: Array,
             indices: Any) -> None:
        mesh = self._struct()
        if name in self.streams:
            raise ValueError(f"the mesh has a stream '{name}' already; remove_stream takes it out")
        index = None
        if indices is not None:
            index = _arrays.indices(indices).reshape(-1)
            if len(index) != mesh.corner_count:
                raise ValueError(f"{len(index)} indices for {mesh.corner_count} corners")
        elif mesh.stream_count and mesh.corner_count:
            shared = self.streams[stream_name(mesh.streams[0])].indices
            used = shared[shared != 2**32 - 1]
            if used.size and int(used.max()) >= len(array):
                raise ValueError(f"{name} has {len(array)} elements, and the index that it would "
                                 f"share counts {int(used.max()) + 1}: give it indices of its own")
        call = Call()
        made = ffi.new("facet_stream **")
        call.check(lib.facet_mesh_add_stream_copy(
            mesh, semantic, layer, custom.encode() if custom else ffi.NULL,
            COMPONENT_OF[array.dtype], array.shape[1], len(array),
            _arrays.address(array, "void *"),
            ffi.NULL if index is None else _arrays.address(index, "uint32_t *"), made, call.error))
        self._owner.changed()

    def remove_stream(self, name: str) -> None:
        """Take a stream out."""
        with self._owner.replacing():
            lib.facet_mesh_remove_stream(self._struct(), ffi.addressof(self._find(name)))
            self._owner.changed()

    # -- Faces

    @property
    def is_triangles(self) -> bool:
        """Every face is a triangle."""
        return bool(lib.facet_mesh_is_triangles(self._struct()))

    @property
    def is_welded(self) -> bool:
        """All streams share one index, as a GPU wants it."""
        return bool(lib.facet_mesh_is_indexed(self._struct()))

    @property
    def indices(self) -> Array:
        """The position of each corner: a view. On an indexed mesh, the vertex."""
        return self.streams["position"].indices if "position" in self else np.empty(0, np.uint32)

    @property
    def triangles(self) -> Array:
        """(m, 3): the positions of the corners of each triangle, a view. ValueError when there
        are polygons: triangulate() cuts them."""
        if not self.is_triangles:
            raise ValueError("the mesh has polygons; scene.prepare() or mesh.triangulate() cuts them")
        return self.indices.reshape(-1, 3)

    def _faces(self, member: str, count: Optional[int] = None) -> Optional[Array]:
        with self._owner.lock:
            mesh = self._struct()
            pointer = getattr(mesh, member)
            if not pointer:
                return None
            return self._owner.view(pointer, (mesh.face_count if count is None else count,),
                                    np.uint32)

    @property
    def face_offsets(self) -> Array:
        """The first corner of each face, and the number of corners as last entry."""
        found = self._faces("face_offsets", self.face_count + 1)
        return np.arange(0, 3 * self.face_count + 1, 3, np.uint32) if found is None else found

    @property
    def face_sizes(self) -> Array:
        """How many corners each face has."""
        return np.diff(self.face_offsets)

    @property
    def face_materials(self) -> Optional[Array]:
        """The material of each face, 2**32 - 1 is none; None when no face has one."""
        return self._faces("face_materials")

    @face_materials.setter
    def face_materials(self, value: Any) -> None:
        self._set_faces("face_materials", value)

    @property
    def face_smoothing(self) -> Optional[Array]:
        """The smoothing group of each face, 0 is off; None when there are none."""
        return self._faces("face_smoothing")

    @face_smoothing.setter
    def face_smoothing(self, value: Any) -> None:
        self._set_faces("face_smoothing", value)

    def _set_faces(self, member: str, value: Any) -> None:
        with self._owner.lock:
            mesh, made = self._struct(), ffi.NULL
            if value is not None:
                array = np.ascontiguousarray(np.broadcast_to(_arrays.indices(value, member),
                                                             (mesh.face_count,)))
                made = self._owner.allocate(array, "uint32_t *")
            setattr(mesh, member, made)
            self._owner.changed()

    @property
    def lines(self) -> Array:
        """(n, 2): vertices that lines run between, a view."""
        with self._owner.lock:
            mesh = self._struct()
            return self._owner.view(mesh.lines, (mesh.line_count, 2), np.uint32)

    @property
    def points(self) -> Array:
        """(n,): vertices that are drawn as points, a view."""
        with self._owner.lock:
            mesh = self._struct()
            return self._owner.view(mesh.points, (mesh.point_count,), np.uint32)

    @property
    def parts(self) -> Records[Part]:
        """Runs of faces with names: objects and groups."""
        return Records(lambda: self.part_count, lambda i: Part(self, i))

    @property
    def morphs(self) -> Records[Morph]:
        """The morph targets."""
        return Records(lambda: self.morph_count, lambda i: Morph(self, i))

    # -- Passes

    def _pass(self, name: str, *arguments: Any) -> bool:
        """Run one; True when it changed the mesh."""
        with self._owner.replacing(), Call() as call:
            changed = ffi.new("bool *")
            function = getattr(lib, f"facet_mesh_{name}")
            call.check(function(self._struct(), *arguments, call.options, changed, call.error))
            return bool(changed[0])

    def triangulate(self) -> bool:
        """Cut every polygon into triangles. True when anything changed, as of all passes."""
        return self._pass("triangulate")

    def weld_distance(self, distance: float) -> bool:
        """Make one position of those within this share of the diagonal of the mesh's box."""
        return self._pass("weld_distance", distance)

    def compute_normals(self, *, crease: float = 0, flat: bool = False,
                        replace: bool = False) -> bool:
        """Give every corner a normal; those that are there are kept unless replace=True."""
        how = normals_options(crease, flat, replace)
        return self._pass("normals", how)

    def facing(self) -> bool:
        """Mend normals that point to the far side of their triangle."""
        return self._pass("facing")

    def index(self) -> bool:
        """Make all streams share one index."""
        return self._pass("index")

    def compute_tangents(self) -> bool:
        """MikkTSpace's tangents, if there are none."""
        return self._pass("tangents")

    def split(self) -> bool:
        """Give corners that share a vertex and differ in tangent vertices of their own."""
        return self._pass("split")

    def weld(self) -> bool:
        """Make one vertex of those that are equal in every stream."""
        return self._pass("weld")

    def sort(self) -> bool:
        """Order the faces by material."""
        return self._pass("sort")

    def optimize(self) -> bool:
        """Order triangles and vertices for the GPU."""
        return self._pass("optimize")

    def bounds(self) -> Array:
        """(2, 3): the box around the positions, as they stand in the mesh."""
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


