"""Remove faces, meshes and materials from a scene, and set corners. New arrays are added to the
scene's memory. Old arrays stay unchanged, because NumPy arrays may use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Tuple

import numpy as np

from . import _arrays
from ._arrays import Array, COMPONENTS, Memory, count_name
from ._facet import ffi, lib
from .errors import warn

if TYPE_CHECKING:
    from .mesh import Mesh

NONE = 2**32 - 1


def chosen(which: Any, count: int, what: str, owner: Any = None) -> Array:
    """A mask of `count` items from a mask, a list of numbers or records, or one of them. `owner` is
    the memory of the scene that has the records."""
    array = np.atleast_1d(_arrays.numbers_of(which, what, owner))
    if array.dtype == bool:
        if array.shape != (count,):
            raise ValueError(f"a mask of {what} has {count} entries, not {array.shape}")
        return np.asarray(array)
    mask = np.zeros(count, bool)
    if array.size == 0:
        return mask
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} are chosen by a mask or by numbers, not by {array.dtype}")
    if array.min() < -count or array.max() >= count:
        raise IndexError(f"there are {count} {what}, and {which!r} is none of them")
    mask[array] = True
    return mask


# -- Faces -----------------------------------------------------------------


def corners_of(faces: Any, face_sizes: Any, count: int) -> Tuple[Array, Array]:
    """(corners of all faces in a row, number of corners of each face)."""
    if faces is None:
        if count % 3:
            raise ValueError(f"{count} positions are not a multiple of 3: give faces, or [] for points")
        return np.arange(count, dtype=np.uint32), np.full(count // 3, 3, np.uint32)
    if face_sizes is not None:
        corners, sizes = _arrays.indices(faces, "faces").reshape(-1), \
            _arrays.indices(face_sizes, "face_sizes").reshape(-1)
        if int(sizes.sum(dtype=np.uint64)) != len(corners):
            raise ValueError(f"the faces have {int(sizes.sum(dtype=np.uint64))} corners, and "
                             f"there are {len(corners)}")
    elif isinstance(faces, (list, tuple)) and all(hasattr(face, "__len__") for face in faces) \
            and len({len(face) for face in faces}) > 1:
        sizes = np.array([len(face) for face in faces], np.uint32)
        corners = _arrays.indices([corner for face in faces for corner in face], "faces")
    else:
        array = _arrays.indices(faces, "faces")
        if array.ndim != 2 and array.size:
            raise ValueError(f"faces has the shape {array.shape}, not (m, k)"
                             + ("; a flat array needs face_sizes" if array.ndim == 1 else ""))
        corners = array.reshape(-1)
        sizes = np.full(len(array), array.shape[1] if array.ndim == 2 else 3, np.uint32)
    check_positions(corners, count, "faces")
    return corners, sizes


def check_positions(indices: Array, count: int, name: str) -> None:
    """Check indices of positions. Each must have one, so -1 is invalid."""
    greatest = int(indices.max()) if indices.size else -1
    if greatest >= count:
        raise ValueError(f"{name} use position {-1 if greatest == NONE else greatest}, and there are "
                         f"{count}")


def set_corners(mesh: "Mesh", sizes: Array, indices: Dict[int, Array]) -> None:
    """Set the faces of a mesh. `indices` maps the address of each old index array to the new
    array."""
    owner, struct = mesh._owner, mesh._struct()
    made = {address: owner.allocate(array, "uint32_t *") for address, array in indices.items()}
    for i in range(struct.stream_count):
        stream = struct.streams[i]
        stream.indices = made[_address(stream.indices)]
    struct.face_count, struct.corner_count = len(sizes), int(sizes.sum(dtype=np.uint64))
    struct.face_offsets = ffi.NULL
    if (sizes != 3).any():
        offsets = np.zeros(len(sizes) + 1, np.uint32)
        np.cumsum(sizes, out=offsets[1:])
        struct.face_offsets = owner.allocate(offsets, "uint32_t *")
    owner.changed()


def keep_uniform(mesh: "Mesh", count: int) -> None:
    """Before the mesh gets `count` other faces: keep material, smoothing group and part if all
    faces have the same one. Otherwise remove them, with a warning."""
    struct = mesh._struct()
    lost = [what for name, what in (("face_materials", "materials"),
                                    ("face_smoothing", "smoothing groups"))
            if not _keep_number(mesh, name, count)]
    if struct.part_count == 1 and struct.parts[0].face_count == struct.face_count:
        struct.parts[0].face_count = count
    else:
        lost += ["parts"] if struct.part_count else []
        struct.part_count = 0
    if lost:
        warn(f"the new faces have no {' and no '.join(lost)}: those of the old faces differed")


def keep_uniform_ends(mesh: "Mesh", name: str, count: int) -> None:
    """The same for the materials of "lines" or "points"."""
    if not _keep_number(mesh, f"{name[:-1]}_materials", count):
        warn(f"the new {name} have no materials: those of the old {name} differed")


def _keep_number(mesh: "Mesh", name: str, count: int) -> bool:
    """Before an array gets `count` items: keep its number if all are the same. False if numbers
    are lost."""
    values, made = getattr(mesh, name), ffi.NULL
    if values is not None and len(values) and (values == values[0]).all():
        made = mesh._owner.allocate(np.full(count, values[0], np.uint32), "uint32_t *")
    setattr(mesh._struct(), name, made)
    return values is None or not len(values) or bool(made)


def keep_faces(mesh: "Mesh", kept: Array) -> None:
    """Remove all other faces, and elements that only they used."""
    struct, sizes = mesh._struct(), mesh.face_sizes
    corners = np.repeat(kept, sizes)
    indices = {address: array[corners] for address, array in _indices(mesh).items()}
    by_face = {name: getattr(mesh, name) for name in ("face_materials", "face_smoothing")}
    parts = [(part.first_face, part.face_count) for part in mesh.parts]
    set_corners(mesh, sizes[kept], indices)
    for name, values in by_face.items():
        if values is not None:
            mesh._set_numbers(name, values[kept])
    _keep_parts(struct, parts, np.concatenate([[0], np.cumsum(kept)]))
    drop_unused(mesh)


def _keep_parts(struct: Any, parts: List[Any], before: Array) -> None:
    """Update the parts for the remaining faces. Remove parts without faces."""
    count = 0
    for i, (first, faces) in enumerate(parts):
        left = int(before[first + faces] - before[first])
        if left:
            struct.parts[count] = struct.parts[i]
            struct.parts[count].first_face, struct.parts[count].face_count = before[first], left
            count += 1
    struct.part_count = count


def drop_unused(mesh: "Mesh") -> None:
    """Remove elements that no corner, line or point uses."""
    struct = mesh._struct()
    loose = [array.reshape(-1) for array in (mesh.lines, mesh.points)]
    indexed = mesh.is_welded
    used = {address: np.unique(np.concatenate([array[array != NONE], *loose]))
            if indexed or (struct.stream_count and address == _address(struct.streams[0].indices))
            else np.unique(array[array != NONE]) for address, array in _indices(mesh).items()}
    renumbered = {address: _renumbered(array, used[address])
                  for address, array in _indices(mesh).items()}
    lines, points = (_renumbered(array, used[_address(struct.streams[0].indices)])
                     if struct.stream_count and array.size else None
                     for array in (mesh.lines, mesh.points))
    for i in range(struct.stream_count):
        stream = struct.streams[i]
        kept = used[_address(stream.indices)]
        data = _elements(mesh._owner, stream)[kept[kept < stream.count]]
        stream.data, stream.count = mesh._owner.allocate(data, "void *"), len(data)
    set_corners(mesh, mesh.face_sizes, renumbered)
    for name, array in (("lines", lines), ("points", points)):
        if array is not None:
            setattr(struct, name, mesh._owner.allocate(array, "uint32_t *"))


def _renumbered(array: Array, used: Array) -> Array:
    found = np.searchsorted(used, array).astype(np.uint32)
    return np.where(array == NONE, np.uint32(NONE), found)


def _elements(owner: Memory, stream: Any) -> Array:
    return owner.view(stream.data, (stream.count, stream.components), COMPONENTS[stream.component])


def _address(pointer: Any) -> int:
    return int(ffi.cast("uintptr_t", pointer))


def _indices(mesh: "Mesh") -> Dict[int, Array]:
    """The index arrays of a mesh by address. Shared arrays appear once."""
    struct = mesh._struct()
    pointers = (struct.streams[i].indices for i in range(struct.stream_count))
    return {_address(one): mesh._owner.view(one, (struct.corner_count,), np.uint32)
            for one in pointers}


# -- Transforms ------------------------------------------------------------


def transform(mesh: "Mesh", matrix: Any) -> None:
    """Transform positions by the matrix, normals by its inverse transpose, tangents by its upper 3
    x 3 part. If the matrix mirrors, reverse the faces."""
    array = np.asarray(matrix, np.float64)
    if array.shape != (4, 4) or not np.isfinite(array).all() or \
            not np.allclose(array[3], [0, 0, 0, 1]):
        raise ValueError("a transform is a (4, 4) matrix for columns, with the last row 0 0 0 1")
    linear, moved = array[:3, :3], array[:3, 3]
    determinant = np.linalg.det(linear)
    if determinant == 0:
        raise ValueError("a transform has an inverse")
    normal = np.linalg.inv(linear).T
    struct = mesh._struct()
    if any(struct.streams[i].semantic in (lib.FACET_MORPH_NORMAL, lib.FACET_MORPH_TANGENT)
           for i in range(struct.stream_count)):
        raise ValueError("differences of normals of morph targets are not transformed: "
                         "remove_stream takes them out")
    for i in range(struct.stream_count):
        stream = struct.streams[i]
        if stream.component != lib.FACET_FLOAT32:
            continue
        values = _elements(mesh._owner, stream).astype(np.float64)
        if stream.semantic == lib.FACET_POSITION:
            values = values @ linear.T + moved
        elif stream.semantic == lib.FACET_MORPH_POSITION:
            values = values @ linear.T
        elif stream.semantic == lib.FACET_NORMAL:
            values = _unit(values @ normal.T)
        elif stream.semantic == lib.FACET_TANGENT:
            values[:, :3] = _unit(values[:, :3] @ linear.T)
            values[:, 3] *= np.sign(determinant)
        else:
            continue
        stream.data = mesh._owner.allocate(np.ascontiguousarray(values, np.float32), "void *")
    if determinant < 0:
        _turn_around(mesh)
    mesh._owner.changed()


def _unit(values: Array) -> Array:
    return np.asarray(values / np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-30))


def _turn_around(mesh: "Mesh") -> None:
    """Reverse the corners of each face. The first corner stays first."""
    offsets, sizes = mesh.face_offsets.astype(np.int64), mesh.face_sizes.astype(np.int64)
    first, size = np.repeat(offsets[:-1], sizes), np.repeat(sizes, sizes)
    place = np.arange(len(first)) - first
    order = first + (size - place) % np.maximum(size, 1)
    set_corners(mesh, mesh.face_sizes,
                {address: array[order] for address, array in _indices(mesh).items()})


# -- Scenes ----------------------------------------------------------------


def _numbers(kept: Array) -> Array:
    """The new number of each item, or NONE for removed items."""
    return np.where(kept, np.cumsum(kept) - 1, NONE).astype(np.uint32)


def _keep(scene: Any, name: str, kept: Array) -> None:
    """Move the pointers of kept items to the front of an array."""
    array = getattr(scene, name)
    for place, i in enumerate(np.flatnonzero(kept)):
        array[place] = array[int(i)]
    setattr(scene, count_name(name), int(kept.sum()))


def keep_meshes(owner: Memory, kept: Array) -> None:
    """Remove all other meshes. Their nodes stay, without mesh, skin, and animated morph weights."""
    scene, numbers = owner.scene, _numbers(kept)
    bare = set()
    for i in range(scene.node_count):
        node = scene.nodes[i]
        if node.mesh == NONE:
            continue
        node.mesh = int(numbers[node.mesh])
        if node.mesh == NONE:
            node.skin, node.weights = NONE, ffi.NULL
            bare.add(i)
    _keep_channels(scene, lambda channel: not (channel.target == lib.FACET_TARGET_WEIGHTS
                                               and channel.node in bare))
    _keep(scene, "meshes", kept)
    owner.changed()


def replace_materials(owner: Memory, meshes: Iterable["Mesh"], kept: Array, numbers: Array) -> None:
    """Remove materials. Faces, lines, points and animations get the new numbers from `numbers`."""
    for mesh in meshes:
        for kind in ("face", "line", "point"):
            found = getattr(mesh, f"{kind}_materials")
            if found is not None:
                there = found != NONE
                changed = found.copy()
                changed[there] = numbers[found[there]]
                mesh._set_numbers(f"{kind}_materials",
                                  changed if (changed != NONE).any() else None, f"{kind}_count")
    _drop_channels(owner.scene, numbers)
    _renumber_variants(owner.scene, numbers)
    _keep(owner.scene, "materials", kept)
    owner.changed()


def _renumber_variants(scene: Any, numbers: Array) -> None:
    """Renumber the materials of variants. Remove entries whose material is removed."""
    for i in range(scene.material_count):
        material, count = scene.materials[i], 0
        for k in range(material.variant_count):
            number = int(numbers[material.variants[k].material])
            if number != NONE:
                material.variants[count] = material.variants[k]
                material.variants[count].material = number
                count += 1
        material.variant_count = count


def _keep_channels(scene: Any, is_kept: Callable[[Any], bool]) -> None:
    """Remove all other channels of animations."""
    for i in range(scene.animation_count):
        animation, count = scene.animations[i], 0
        for k in range(animation.channel_count):
            channel = animation.channels[k]
            if is_kept(channel):
                animation.channels[count] = channel
                count += 1
        animation.channel_count = count


def _drop_channels(scene: Any, numbers: Array) -> None:
    """Renumber the materials of channels. Remove channels whose material is removed."""
    def renumbered(channel: Any) -> bool:
        if channel.target < lib.FACET_TARGET_BASE_COLOR:
            return True
        channel.material = int(numbers[channel.material])
        return bool(channel.material != NONE)
    _keep_channels(scene, renumbered)


def equal_materials(states: List[Any], is_equal: Any) -> Array:
    """For each material, the first one that is equal to it. Only materials with the same name are
    compared."""
    first = np.arange(len(states), dtype=np.uint32)
    distinct: Dict[Any, List[int]] = {}
    for i, state in enumerate(states):
        named = distinct.setdefault(state["name"], [])
        found = next((k for k in named if is_equal(states[k], state)), None)
        if found is None:
            named.append(i)
        else:
            first[i] = found
    return first


def floats_of_colors(array: Array, name: str) -> Array:
    """uint8 and uint16 divided by the maximum of their type, as graphics chips read them. Other
    integers are refused: their maximum is not the one of a color."""
    if array.dtype in (np.uint8, np.uint16):
        return np.asarray(array / np.float32(np.iinfo(array.dtype).max), np.float32)
    if array.dtype.kind in "iu":
        raise TypeError(f"{name} is of {array.dtype}: give floats from 0 to 1, or uint8 or uint16, "
                        "which become fractions of their maximum")
    return array


def custom_values(array: Array, name: str) -> Array:
    """Values of a custom stream in a type that the library supports. 64-bit integers become 32-bit
    integers, and bool becomes uint8."""
    if array.ndim != 2:
        raise ValueError(f"{name} has the shape {array.shape}, not (n, k)")
    if array.dtype == bool:
        return array.astype(np.uint8)
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        kind = np.uint32 if array.dtype.kind == "u" else np.int32
        limits = np.iinfo(kind)
        if array.size and (array.min() < limits.min or array.max() > limits.max):
            raise ValueError(f"{name} has numbers beyond 32 bits: give floats of 64 bits")
        return array.astype(kind)
    native = array.dtype.newbyteorder("=")
    if native not in _arrays.COMPONENT_OF:
        raise TypeError(f"a stream of {array.dtype}: known are "
                        f"{', '.join(str(one) for one in _arrays.COMPONENT_OF)}, int64 and bool")
    return np.ascontiguousarray(array, native)
