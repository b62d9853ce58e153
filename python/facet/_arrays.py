"""Memory of the library as NumPy arrays without a copy, and NumPy arrays for the library."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from ._call import Call
from ._facet import ffi, lib
from .errors import text
from .record import Owner, Record, index_of

Array = npt.NDArray[Any]

COMPONENTS = {
    lib.FACET_FLOAT32: np.dtype(np.float32), lib.FACET_FLOAT64: np.dtype(np.float64),
    lib.FACET_INT8: np.dtype(np.int8), lib.FACET_UINT8: np.dtype(np.uint8),
    lib.FACET_INT16: np.dtype(np.int16), lib.FACET_UINT16: np.dtype(np.uint16),
    lib.FACET_INT32: np.dtype(np.int32), lib.FACET_UINT32: np.dtype(np.uint32),
}
COMPONENT_OF = {dtype: component for component, dtype in COMPONENTS.items()}


# -- Views -----------------------------------------------------------------


class Handle:
    """An object of the library. It is freed when no Python object and no array refers to it."""

    __slots__ = ("pointer", "views", "kept", "__weakref__")

    def __init__(self, pointer: Any, *kept: Any) -> None:
        self.pointer: Any = pointer
        self.views: List[None] = []  # one item per living array
        self.kept: Tuple[Any, ...] = kept


class View:
    """The base of an array. It keeps the handle alive and counts the arrays of the handle."""

    __slots__ = ("__array_interface__", "_handle")

    def __init__(self, handle: Handle, interface: Any) -> None:
        self._handle = handle
        handle.views.append(None)
        self.__array_interface__ = interface

    def __del__(self) -> None:
        self._handle.views.pop()


def view(handle: Handle, pointer: Any, shape: Sequence[int], dtype: Any, *,
         writable: bool = False, strides: Optional[Sequence[int]] = None) -> Array:
    """An array that is a view of the library's memory and keeps it alive."""
    dtype = np.dtype(dtype)
    if not pointer or 0 in shape:
        empty = np.empty(shape, dtype)
        empty.flags.writeable = writable
        return empty
    array = np.asarray(View(handle, {
        "version": 3, "shape": tuple(shape), "typestr": dtype.str,
        "data": (int(ffi.cast("uintptr_t", pointer)), not writable),
        "strides": None if strides is None else tuple(strides)}))
    return array if dtype.fields is None else array.view(dtype)


def matrices(numbers: Array) -> Array:
    """Column-major matrices as (..., 4, 4) with the translation in the last column."""
    return numbers.reshape(*numbers.shape[:-1], 4, 4).swapaxes(-1, -2)


# -- Structs ---------------------------------------------------------------

_PRIMITIVES = {
    "_Bool": "?", "char": "S1", "int8_t": "i1", "uint8_t": "u1", "int16_t": "i2", "uint16_t": "u2",
    "int32_t": "i4", "uint32_t": "u4", "int64_t": "i8", "uint64_t": "u8", "size_t": "u8",
    "float": "f4", "double": "f8", "int": "i4", "unsigned int": "u4", "unsigned char": "u1",
}
_DTYPES: Dict[str, Any] = {}


def dtype_of(kind: Any) -> Any:
    """The NumPy type of a C type, or None if the C type has pointers."""
    if kind.kind == "primitive":
        return np.dtype(_PRIMITIVES[kind.cname]) if kind.cname in _PRIMITIVES else None
    if kind.kind == "enum":
        return np.dtype("u4" if ffi.sizeof(kind) == 4 and min(kind.elements) >= 0 else "i4")
    if kind.kind == "array":
        if kind.item.cname == "char":
            return np.dtype(f"S{kind.length}")
        item = dtype_of(kind.item)
        return None if item is None else np.dtype((item, (kind.length,)))
    if kind.kind != "struct" or kind.fields is None:
        return None
    if kind.cname not in _DTYPES:
        fields = [(name, dtype_of(field.type), field.offset) for name, field in kind.fields]
        _DTYPES[kind.cname] = None if any(one is None for _, one, _ in fields) else np.dtype({
            "names": [one[0] for one in fields], "formats": [one[1] for one in fields],
            "offsets": [one[2] for one in fields], "itemsize": ffi.sizeof(kind)})
    return _DTYPES[kind.cname]


# -- Arrays for the library ------------------------------------------------


def floats(values: Any, width: Optional[Sequence[int]], name: str) -> Array:
    """Check the shape of an array, and convert its numbers to float32."""
    array = np.asarray(values)
    if array.ndim != 2 or (width is not None and array.shape[1] not in width):
        wanted = " or ".join(f"(n, {one})" for one in width or ())
        raise ValueError(f"{name} has the shape {array.shape}, not {wanted or '(n, k)'}")
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} is of {array.dtype}, not of numbers")
    return np.ascontiguousarray(array, np.float32)


def numbers_of(values: Any, kind: str = "", owner: Any = None) -> Array:
    """An array of numbers. Records of the list `kind` of a scene, such as "materials", and their
    names become their indices. Other records are an error."""
    array = np.asarray(values)
    if array.dtype == object or (owner is not None and array.dtype.kind == "U"):
        named: Tuple[type, ...] = (Record,) if owner is None else (Record, str)
        found = [index_of(one, kind or "numbers", owner) if isinstance(one, named) else one
                 for one in array.flat]
        array = np.array(found).reshape(array.shape)
    return array


def equal_members(a: Any, b: Any) -> bool:
    """True if two objects of one class have equal members, arrays by content."""
    return type(a) is type(b) and all(
        np.array_equal(one, other)
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray) else
        not isinstance(one, np.ndarray) and not isinstance(other, np.ndarray) and bool(one == other)
        for one, other in zip(vars(a).values(), vars(b).values()))


def indices(values: Any, name: str = "indices", kind: str = "", owner: Any = None) -> Array:
    """Whole numbers as uint32. -1 and None become 2**32 - 1, which means "none". `kind` and `owner`
    are those of numbers_of()."""
    array = np.asarray(values)
    if array.dtype == object:
        array = np.array([-1 if one is None else one for one in array.flat],
                         object).reshape(array.shape)
    array = numbers_of(array, kind, owner)
    if array.size == 0:
        return np.empty(array.shape, np.uint32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} is of {array.dtype}, not of whole numbers")
    if array.dtype.kind == "i" and array.min() < -1:
        raise ValueError(f"{name} has {array.min()}, which is no index")
    if array.max() > 2**32 - 1:
        raise ValueError(f"{name} has {array.max()}, which is no index")
    return np.ascontiguousarray(array.astype(np.uint32))


def address(array: Array, kind: str) -> Any:
    return ffi.cast(kind, array.ctypes.data)


# -- A scene's memory ------------------------------------------------------


def count_name(kind: str) -> str:
    """The member of a scene with the number of its "meshes", "materials" and so on."""
    return "mesh_count" if kind == "meshes" else f"{kind[:-1]}_count"


class Memory(Owner):
    """The C scene that the Python objects use, with one lock. The lock is necessary because the
    interpreter is free during a call: two threads could work on one scene."""

    release = lib.facet_scene_free

    def __init__(self, pointer: Any) -> None:
        self.handle: Optional[Handle] = Handle(ffi.gc(pointer, self.release))
        self.lock: threading.RLock = threading.RLock()
        self.dirty: bool = False

    @property
    def scene(self) -> Any:
        if self.handle is None:
            raise ValueError("the scene is closed")
        return self.handle.pointer

    def close(self) -> None:
        self.handle = None

    def view(self, pointer: Any, shape: Sequence[int], dtype: Any,
             writable: bool = False) -> Array:
        assert self.handle is not None
        self.dirty |= writable
        return view(self.handle, pointer, shape, dtype, writable=writable)

    def string(self, value: str) -> Any:
        if not isinstance(value, str):
            raise TypeError(f"expected a str, not {value!r}")
        encoded = value.encode("utf-8", "surrogateescape")
        if b"\0" in encoded:
            raise ValueError("a string of the library has no NUL in it")
        made = lib.facet_scene_string(self.scene, encoded)
        if not made:
            raise MemoryError
        return made

    def names(self, kind: str) -> List[str]:
        array = getattr(self.scene, kind)
        return [text(array[i].name) for i in range(self.count(kind))]

    def count(self, kind: str) -> int:
        return int(getattr(self.scene, count_name(kind)))

    def changed(self) -> None:
        self.dirty = True

    def allocate(self, array: Array, kind: str) -> Any:
        """A copy of an array that lives as long as the scene."""
        made = lib.facet_scene_allocate(self.scene, max(array.size, 1), array.itemsize)
        if not made:
            raise MemoryError
        ffi.memmove(made, ffi.cast("char *", array.ctypes.data), array.nbytes)
        return ffi.cast(kind, made)

    def check(self, call: Call) -> None:
        """Check what the caller changed, before the library relies on it."""
        if self.dirty:
            call.check(lib.facet_scene_check(self.scene, call.options, call.error))
            # A writable array may still exist; its owner can change the scene again.
            assert self.handle is not None
            self.dirty = bool(self.handle.views)

    def copy(self, call: Call) -> Any:
        """A separate facet_scene, which the caller must free."""
        self.check(call)
        made = ffi.new("facet_scene **")
        call.check(lib.facet_scene_copy(self.scene, call.options, made, call.error))
        return made[0]

    @contextmanager
    def replacing(self) -> Iterator[Any]:
        """The scene for work that replaces and frees arrays. If NumPy arrays use its memory, this
        object switches to a copy, and the arrays keep the old memory."""
        with self.lock:
            with Call() as call:
                if self.handle is not None and self.handle.views:
                    self.handle = Handle(ffi.gc(self.copy(call), self.release))
                    self.dirty = False
                self.check(call)
            yield self.scene


def rows(count: int, components: int) -> Tuple[int, ...]:
    return (count, components)
