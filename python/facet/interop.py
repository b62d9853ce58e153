"""Conversion to and from other libraries, which are imported at first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Tuple

import numpy as np

from ._arrays import Array

if TYPE_CHECKING:
    from .mesh import Mesh
    from .scene import Scene

_CELLS = {3: "triangle", 4: "quad"}


def to_trimesh(mesh: "Mesh") -> Any:
    """Convert the triangles of a mesh to a trimesh.Trimesh; see Mesh.to_trimesh."""
    import trimesh
    values: Dict[str, Any] = {"vertices": np.array(mesh.positions), "process": False,
                              "faces": mesh.triangles.astype(np.int64)}
    welded = mesh.is_welded
    if welded and mesh.normals is not None:
        values["vertex_normals"] = np.array(mesh.normals)
    if welded and mesh.texcoords is not None:
        values["visual"] = trimesh.visual.TextureVisuals(uv=mesh.texcoords[:, :2].astype(float))
    elif welded and mesh.colors is not None:
        values["vertex_colors"] = _srgb(mesh.colors)
    made = trimesh.Trimesh(**values)
    made.metadata["name"] = mesh.name
    return made


def from_trimesh(scene: "Scene", given: Any, name: str = "") -> "Mesh":
    """Add a trimesh.Trimesh, or any object with `vertices` and `faces`; see Scene.add_trimesh."""
    metadata = getattr(given, "metadata", None) or {}
    made = scene.add_mesh(given.vertices, given.faces, name=name or str(metadata.get("name") or ""))
    cached = getattr(given, "_cache", {})  # without this key, trimesh would compute normals
    if "vertex_normals" in cached:
        made.add_stream("normal", given.vertex_normals)
    visual: Any = getattr(given, "visual", None)
    uv = getattr(visual, "uv", None)
    if uv is not None:
        made.add_stream("texcoord", uv)
    elif getattr(visual, "kind", None) == "vertex":
        made.add_stream("color", _linear(np.asarray(visual.vertex_colors)))
    return made


def to_meshio(mesh: "Mesh") -> Any:
    """Convert to a meshio.Mesh; see Mesh.to_meshio."""
    import meshio
    cells, order = _cells(mesh)
    data: Dict[str, List[Array]] = {}
    found = [mesh.face_materials, mesh.line_materials]
    if any(numbers is not None for numbers in found):
        of_faces, of_lines = (np.full(count, -1) if numbers is None else
                              numbers.view(np.int32).astype(np.int64)  # -1: no material
                              for numbers, count in zip(found, (mesh.face_count, len(mesh.lines))))
        data["material"] = [of_faces[faces] for faces in order]
        if len(mesh.lines):
            data["material"].append(of_lines)
    shared = mesh.is_welded
    point_data = {name: np.array(mesh.stream(name)) for name in mesh.streams
                  if name != "position" and shared}
    return meshio.Mesh(np.array(mesh.positions), cells, point_data=point_data, cell_data=data)


def _cells(mesh: "Mesh") -> Tuple[List[Tuple[str, Array]], List[Array]]:
    """(faces grouped by number of corners, as in meshio; indices of the faces of each group)."""
    sizes, offsets, indices = mesh.face_sizes, mesh.face_offsets.astype(np.int64), mesh.indices
    cells, order = [], []
    for size in np.unique(sizes):
        faces = np.flatnonzero(sizes == size)
        corners = indices[offsets[faces][:, None] + np.arange(size)].astype(np.int64)
        cells.append((_CELLS.get(int(size), "polygon"), corners))
        order.append(faces)
    if len(mesh.lines):
        cells.append(("line", mesh.lines.astype(np.int64)))
    return cells, order


# -- Colors ----------------------------------------------------------------


def _srgb(linear: Array) -> Array:
    """Linear floats as sRGB bytes; alpha stays linear. Source: IEC 61966-2-1."""
    colors = np.clip(linear[:, :3], 0, 1)
    shown = np.where(colors <= 0.0031308, 12.92 * colors, 1.055 * colors ** (1 / 2.4) - 0.055)
    alpha = linear[:, 3:] if linear.shape[1] == 4 else np.ones((len(linear), 1), np.float32)
    return np.asarray(np.rint(np.concatenate([shown, np.clip(alpha, 0, 1)], 1) * 255), np.uint8)


def _linear(shown: Array) -> Array:
    """Inverse of _srgb."""
    values = shown.astype(np.float64) / 255
    colors = values[:, :3]
    values[:, :3] = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    return values
