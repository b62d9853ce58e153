"""Conversion from a file's axes and unit to Blender's: +Z up, right-handed, v upward."""

import numpy as np

from . import declarations as d


def directions_of(axes):
    """A matrix for row vectors: v @ matrix converts the scene's axes to Blender's. It combines the
    rotation to +Y up, which all writers of the library use, with a rotation from +Y to +Z up."""
    matrix = {
        d.FACET_AXIS_Y: [[1, 0, 0], [0, 0, 1], [0, -1, 0]],  # x, -z, y
        d.FACET_AXIS_Z: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        d.FACET_AXIS_X: [[0, 0, 1], [-1, 0, 0], [0, -1, 0]],  # -y, -z, x
    }[axes.up]
    matrix = np.array(matrix, np.float32)
    if axes.left_handed:  # mirror from front to back, which is y here
        matrix = matrix @ np.diag([1, -1, 1]).astype(np.float32)
    return matrix


class Turn:
    """Converts numbers of a scene to Blender's axes and units."""

    def __init__(self, axes, scale=1.0):
        self.directions = directions_of(axes)
        self.positions = self.directions * np.float32((axes.unit or 1) * scale)
        self.mirrors = bool(axes.left_handed)
        self.flips_v = bool(axes.uv_origin_top)
        self.whole = np.eye(4)  # for column vectors
        self.whole[:3, :3] = self.positions.T
        self.back = np.linalg.inv(self.whole)

    def matrices(self, found):
        """Convert transforms (..., 4, 4) to Blender's axes. Matrices are for column vectors."""
        return self.whole @ found @ self.back


# -- Matrices ----------------------------------------------------------------

def from_columns(flat):
    """Convert column-major numbers (..., 16) to matrices for column vectors."""
    found = np.asarray(flat, np.float64)
    return np.swapaxes(found.reshape(found.shape[:-1] + (4, 4)), -1, -2)


def to_columns(matrices):
    found = np.swapaxes(np.asarray(matrices, np.float64), -1, -2)
    return np.ascontiguousarray(found.reshape(found.shape[:-2] + (16,)), np.float32)


def rotation_matrix(q):
    x, y, z, w = np.asarray(q, np.float64) / (np.linalg.norm(q) or 1)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def node_matrix(node):
    """The transform of a node relative to its parent, for column vectors."""
    if node.has_matrix:
        return from_columns(list(node.matrix))
    made = np.eye(4)
    made[:3, :3] = rotation_matrix(list(node.transform.rotation)) * list(node.transform.scale)
    made[:3, 3] = list(node.transform.translation)
    return made


def nearest_rotation(matrix):
    """The rotation nearest to a matrix, with the matrix' translation."""
    u, _, v = np.linalg.svd(matrix[:3, :3])
    made = np.eye(4)
    made[:3, :3] = u @ v
    if np.linalg.det(made[:3, :3]) < 0:
        made[:3, 0] *= -1
    made[:3, 3] = matrix[:3, 3]
    return made


def quaternions(matrices):
    """Convert rotations (n, 3, 3) to quaternions (n, 4), w first."""
    m = np.asarray(matrices, np.float64)
    xx, yy, zz = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    # Four times the squares of w, x, y, z. The largest is the divisor.
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz], -1)
    a, b, c = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    e, f, g = m[:, 1, 0] + m[:, 0, 1], m[:, 0, 2] + m[:, 2, 0], m[:, 2, 1] + m[:, 1, 2]
    candidates = np.stack([np.stack(row, -1) for row in (
        (squares[:, 0], a, b, c), (a, squares[:, 1], e, f),
        (b, e, squares[:, 2], g), (c, f, g, squares[:, 3]))], 1)
    found = candidates[np.arange(len(m)), squares.argmax(1)]
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def decomposed(matrices):
    """Decompose matrices (n, 4, 4) into translations, quaternions (w first) and scales. The sign of
    each quaternion follows the previous one. A mirror negates the scale of x; shear is lost."""
    m = np.asarray(matrices, np.float64)
    scales = np.linalg.norm(m[:, :3, :3], axis=1)
    scales[:, 0] *= np.where(np.linalg.det(m[:, :3, :3]) < 0, -1, 1)
    turned = quaternions(m[:, :3, :3] / np.where(scales == 0, 1, scales)[:, None, :])
    signs = np.where((turned[1:] * turned[:-1]).sum(1) < 0, -1, 1)
    turned[1:] *= np.cumprod(signs)[:, None]
    return m[:, :3, 3], turned, scales
