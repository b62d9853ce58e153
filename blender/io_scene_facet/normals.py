"""Set the normals of an imported mesh: as sharp edges and flat faces where Blender then computes the
normals of the file, and otherwise as custom normals.

Custom normals take most of the time of a large import, and edits of the mesh do not change them.
"""

import numpy as np

from . import compat

# Custom normals have 16 bits per angle. Computed normals within this distance are the same.
CLOSE = 1e-4


def are_close(found, wanted):
    return bool(np.abs(found - wanted).max(initial=0) < CLOSE)


def unit(values):
    """Vectors of length 1, as Blender expects them. Zero vectors stay."""
    squares = np.einsum("ij,ij->i", values, values)
    if np.abs(squares - 1).max(initial=0) < 1e-5:
        return values
    return values / np.where(squares > 0, np.sqrt(squares), 1)[:, None].astype(np.float32)


# -- Triangles without area ----------------------------------------------------

def flat_corners(points, corner, offsets):
    """A mask of the corners of triangles without area, or None if all have area."""
    first = offsets[:-1][np.diff(offsets) == 3].astype(np.int64)
    # One array for each coordinate is several times faster than rows of three.
    x, y, z = np.ascontiguousarray(points.T)
    sides = []
    for i in range(3):
        begin, end = corner[first + i], corner[first + (i + 1) % 3]
        sides.append([one.take(end) - one.take(begin) for one in (x, y, z)])
    longest = np.max([a * a + b * b + c * c for a, b, c in sides], axis=0)
    (a, b, c), (d, e, f) = sides[:2]
    area = (b * f - c * e) ** 2 + (c * d - a * f) ** 2 + (a * e - b * d) ** 2
    flat = area <= 1e-12 * longest * longest
    if not flat.any():
        return None
    mask = np.zeros(len(corner), bool)
    mask[(first[flat][:, None] + np.arange(3)).reshape(-1)] = True
    return mask


# -- One normal per vertex -------------------------------------------------------

def keys_of(values):
    """A number for each row. Equal rows have the same number, others most likely another one:
    whether Blender computes the right normals is compared afterwards."""
    x, y, z = (np.ascontiguousarray(column + 0.0).view(np.uint32).astype(np.uint64)  # no -0
               for column in values.T)
    made = (x << np.uint64(32) | y) * np.uint64(0x9E3779B97F4A7C15)
    return made ^ (made >> np.uint64(29)) ^ z * np.uint64(0xBF58476D1CE4E5B9)


def has_other(keys, corner, count):
    """A mask of the corners that have another normal than the last corner of their vertex."""
    found = np.empty(count, np.uint64)
    found[corner] = keys
    return found.take(corner) != keys


def is_computed(made, normals, used):
    """True if Blender computes the same normals for the vertices of a mask."""
    found = np.empty(normals.size, np.float32)
    made.vertices.foreach_get("normal", found)
    found = found.reshape(-1, 3)
    return are_close(found, normals) if used.all() else are_close(found[used], normals[used])


# -- Sharp edges and flat faces --------------------------------------------------

def sharp_edges(keys, corner, edge, following, count):
    """Two masks of edges: those whose faces have different normals at an end, and those where
    Blender always splits normals. `edge` has the edge from each corner to the corner `following`."""
    uses = np.bincount(edge, minlength=count)
    numbers = np.arange(len(edge), dtype=np.uint32)
    first, last = np.zeros(count, np.uint32), np.zeros(count, np.uint32)
    last[edge] = numbers
    first[edge[::-1]] = numbers[::-1]
    split = (uses != 2) | (corner[first] == corner[last])  # a border, or faces with opposite fronts
    following = keys.take(following)
    differs = (keys.take(first) != following.take(last)) | (following.take(first) != keys.take(last))
    return differs & ~split, split


def set_sharp(made, values, keys, corner, offsets):
    """Mark edges as sharp and faces as flat so that Blender computes these normals of corners.
    Returns False if it does not: then the marks are removed."""
    edge = np.empty(len(corner), compat.INDEX)
    made.loops.foreach_get("edge_index", edge)
    starts, sizes = offsets[:-1].astype(np.int64), np.diff(offsets)
    following = np.arange(1, len(corner) + 1, dtype=np.uint32)
    following[starts + sizes - 1] = starts
    sharp, split = sharp_edges(keys, corner, edge, following, len(made.edges))
    # A face that has only sharp edges is flat. Its edges need no mark.
    flat = np.logical_and.reduceat((sharp | split)[edge], starts)
    smooth_edges = np.zeros(len(sharp), bool)
    smooth_edges[edge[np.repeat(~flat, sizes)]] = True
    sharp &= smooth_edges
    made.polygons.foreach_set("use_smooth", ~flat)
    compat.set_sharp_edges(made, sharp if sharp.any() else None, not flat.all())
    if flat.all():
        found = np.empty(3 * len(flat), np.float32)
        made.polygons.foreach_get("normal", found)
        found = np.repeat(found.reshape(-1, 3), sizes, axis=0)
    else:
        found = compat.corner_normals(made)
    if are_close(found, values):
        return True
    made.polygons.foreach_set("use_smooth", np.ones(len(flat), bool))
    compat.set_sharp_edges(made, np.zeros(len(sharp), bool), False)
    return False


# -- All normals -----------------------------------------------------------------

def set_normals(made, values, corner, offsets, points, of_vertices):
    """Set normals of vertices or corners."""
    values = unit(values)
    used = np.ones(len(points), bool)
    if not of_vertices:
        keys = keys_of(values)
        differ = has_other(keys, corner, len(points))
        used[:] = False
        used[corner] = True
        used[corner[differ]] = False
        vertices = np.zeros((len(points), 3), np.float32)
        vertices[corner] = values
        if not differ.any():
            values, of_vertices = vertices, True
    if of_vertices and is_computed(made, values, used):
        return
    if not of_vertices and is_computed(made, vertices, used) and \
            set_sharp(made, values, keys, corner, offsets):
        return
    compat.set_custom_normals(made, values, of_vertices)
    _separate_flat(made, values, corner, offsets, points, of_vertices)


def _separate_flat(made, values, corner, offsets, points, of_vertices):
    """Make the edges of triangles without area sharp if they spoil normals of their neighbors:
    Blender stores a custom normal as angles to a computed one."""
    flat = flat_corners(points, corner, offsets)
    if flat is None:
        return
    wanted = values[corner] if of_vertices else values
    if ((compat.corner_normals(made) * wanted).sum(1)[~flat] > 0.999).all():
        return
    edge = np.empty(len(corner), compat.INDEX)
    made.loops.foreach_get("edge_index", edge)
    sharp = np.zeros(len(made.edges), bool)
    sharp[edge[flat]] = True
    made.edges.foreach_set("use_edge_sharp", sharp)
    compat.set_custom_normals(made, values, of_vertices)
