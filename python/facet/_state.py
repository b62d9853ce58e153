"""The content of C structs as plain Python values, and back, for pickle and ==. cffi lists the
members of each struct; the tables here give the length of each array."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple, Union

import numpy as np

from ._arrays import COMPONENTS, Array, Memory, dtype_of
from ._facet import ffi, lib

Count = Union[str, int, Callable[[Any, Any], Any]]

# Length of the array that a pointer refers to: the name of a member, a number, or a function of the
# struct and its scene. A pointer that is missing in all tables is an error, so that no new member
# is lost.
COUNTS: Dict[Tuple[str, str], Count] = {
    **{("facet_scene", name): f"{name[:-1]}_count" for name in (
        "meshes", "materials", "hulls", "images", "nodes", "roots", "skins", "animations",
        "cameras", "lights")},
    ("facet_scene", "meshes"): "mesh_count", ("facet_scene", "occluder"): 1,
    ("facet_scene", "variants"): "variant_count", ("facet_material", "variants"): "variant_count",
    ("facet_mesh", "face_offsets"): lambda mesh, scene: mesh.face_count + 1,
    ("facet_mesh", "face_materials"): "face_count", ("facet_mesh", "face_smoothing"): "face_count",
    ("facet_mesh", "streams"): "stream_count", ("facet_mesh", "parts"): "part_count",
    ("facet_mesh", "lines"): lambda mesh, scene: 2 * mesh.line_count,
    ("facet_mesh", "line_materials"): "line_count",
    ("facet_mesh", "points"): "point_count", ("facet_mesh", "point_materials"): "point_count",
    ("facet_mesh", "morphs"): "morph_count",
    ("facet_material", "classic"): 1, ("facet_material", "gx"): 1,
    ("facet_image", "data"): "size",
    ("facet_image", "smaller"): lambda image, scene: sum(
        4 * max(image.width >> level, 1) * max(image.height >> level, 1)
        for level in range(1, image.smaller_count + 1)),
    ("facet_node", "weights"): lambda node, scene: scene.meshes[node.mesh].morph_count,
    ("facet_node", "lods"): "lod_count",
    ("facet_skin", "joints"): "joint_count",
    ("facet_skin", "inverse_bind"): lambda skin, scene: 16 * skin.joint_count,
    ("facet_animation", "channels"): "channel_count",
    ("facet_channel", "times"): "key_count",
    ("facet_channel", "values"): lambda channel, scene: channel.key_count * channel.width * (
        3 if channel.interpolation == lib.FACET_INTERPOLATION_CUBIC else 1),
    ("facet_hull", "points"): lambda hull, scene: 3 * hull.point_count,
}
# Arrays whose length or type depends on another struct: (count, type).
UNTYPED: Dict[Tuple[str, str], Callable[[Any, Any], Tuple[Any, Any]]] = {
    ("facet_stream", "data"): lambda stream, mesh: (
        stream.count * stream.components, COMPONENTS[stream.component]),
    ("facet_stream", "indices"): lambda stream, mesh: (mesh.corner_count, np.dtype(np.uint32)),
    ("facet_image", "pixels"): lambda image, scene: (
        image.width * image.height * image.channels,
        np.dtype(np.float32 if image.is_float else np.uint8)),
}
_OWN = {"arena", "growth", "stream_growth", "gx_file"}
"""Private members of the library. The extras contain `gx_file` as text."""


def _name(kind: Any) -> str:
    return str(kind.cname).replace("struct ", "")


# -- Reading structs -------------------------------------------------------


def state_of(struct: Any, above: Any = None, seen: Optional[Dict[Any, Array]] = None
             ) -> Dict[str, Any]:
    """Members by name. `above` is the mesh of a stream, and the scene for all other structs.
    Pointers to the same memory give the same object."""
    kind = ffi.typeof(struct)
    kind = kind.item if kind.kind == "pointer" else kind
    seen = {} if seen is None else seen
    below = struct if _name(kind) in ("facet_scene", "facet_mesh") else above
    return {name: _value(kind, struct, name, field.type, above, below, seen)
            for name, field in kind.fields if name not in _OWN}


def _value(kind: Any, struct: Any, name: str, type_: Any, above: Any, below: Any,
           seen: Dict[Any, Array]) -> Any:
    value = getattr(struct, name)
    if type_.kind in ("primitive", "enum"):
        return int(value) if type_.kind == "enum" else value
    if type_.kind == "struct":
        return state_of(value, below, seen)
    if type_.kind == "array":
        if type_.item.kind not in ("struct", "pointer"):
            return list(value)
        return [state_of(one, below, seen) if one else None for one in value]
    if not value:
        return None
    if _is_string(type_):
        return bytes(ffi.string(value))
    count, dtype = _extent(kind, struct, name, type_, above)
    if dtype is not None:
        key = (int(ffi.cast("uintptr_t", value)), count, dtype.str)
        if key not in seen:
            buffer = ffi.buffer(value, count * dtype.itemsize) if count else b""
            seen[key] = np.frombuffer(buffer, dtype).copy()
        return seen[key]
    if _is_string(type_.item):
        return [bytes(ffi.string(value[i])) for i in range(count)]
    return [state_of(value[i], below, seen) for i in range(count)]


def _is_string(kind: Any) -> bool:
    return bool(kind.kind == "pointer" and kind.item.cname == "char")


def _extent(kind: Any, struct: Any, name: str, type_: Any, above: Any) -> Tuple[int, Any]:
    """(number of items, NumPy type). The type is None for structs."""
    key = (_name(kind), name)
    if key in UNTYPED:
        return UNTYPED[key](struct, above)
    count = COUNTS[key]
    number = getattr(struct, count) if isinstance(count, str) else \
        count if isinstance(count, int) else count(struct, above)
    flat = type_.item.kind == "primitive" or _name(type_.item) == "facet_gx_material"
    return int(number), dtype_of(type_.item) if flat else None


# -- Filling structs -------------------------------------------------------


class Filler:
    """Fills the structs of a new scene."""

    def __init__(self, owner: Memory) -> None:
        self.owner = owner
        self.made: Dict[int, Any] = {}  # library memory, by id() of the array with its values

    def fill(self, struct: Any, state: Dict[str, Any]) -> None:
        kind = ffi.typeof(struct)
        kind = kind.item if kind.kind == "pointer" else kind
        members = dict(kind.fields)
        for name, value in state.items():
            if name in members:
                self._set(struct, name, members[name].type, value)
        if "arena" in members:
            struct.arena = self.owner.scene.arena

    def _set(self, struct: Any, name: str, type_: Any, value: Any) -> None:
        if type_.kind in ("primitive", "enum"):
            setattr(struct, name, value)
        elif type_.kind == "struct":
            self.fill(getattr(struct, name), value)
        elif type_.kind == "array":
            array = getattr(struct, name)
            for i, one in enumerate(value):
                if isinstance(one, dict) and type_.item.kind == "pointer":
                    array[i] = self._zeroed(1, type_.item.item)
                if isinstance(one, dict):
                    self.fill(array[i], one)
                elif one is not None:
                    array[i] = one
        else:
            setattr(struct, name, self._pointer(type_, value))

    def _pointer(self, type_: Any, value: Any) -> Any:
        if value is None:
            return ffi.NULL
        if isinstance(value, bytes):
            return self._string(value)
        if isinstance(value, np.ndarray):
            if id(value) not in self.made:
                self.made[id(value)] = self.owner.allocate(value, "void *")
            return ffi.cast(type_, self.made[id(value)])
        if type_.item.kind != "pointer":
            made = self._zeroed(len(value), type_.item)
            for i, one in enumerate(value):
                self.fill(made[i], one)
            return made
        made = self._zeroed(len(value), type_.item)
        for i, one in enumerate(value):
            if isinstance(one, bytes):
                made[i] = self._string(one)
            else:
                made[i] = self._zeroed(1, type_.item.item)
                self.fill(made[i], one)
        return made

    def _string(self, value: bytes) -> Any:
        return self.owner.string(value.decode("utf-8", "surrogateescape"))

    def _zeroed(self, count: int, kind: Any) -> Any:
        empty = np.zeros(max(count, 1) * ffi.sizeof(kind), np.uint8)
        return ffi.cast(f"{kind.cname} *", self.owner.allocate(empty, "void *"))


# -- Equality --------------------------------------------------------------


def equal(a: Any, b: Any) -> bool:
    """True if two states hold the same values. NaN equals NaN."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(equal(one, other) for one, other in zip(a, b))
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if a.dtype != b.dtype:
            return False
        if a.dtype.fields:  # ignore padding between members
            return all(equal(a[name], b[name]) for name in a.dtype.fields)
        return bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))
    return type(a) is type(b) and bool(a == b)
