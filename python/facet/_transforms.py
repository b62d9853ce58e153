"""Transforms of nodes: matrices of translation, rotation and scale, and back."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np

from ._arrays import Array

# Largest cosine between two axes that still counts as a right angle. Float32 rounding of a product
# of three rotations stays below it.
_SHEAR = 1e-5


def matrix_of(transform: Any) -> Array:
    """The (4, 4) matrix of a facet_transform, for column vectors."""
    x, y, z, w = transform.rotation
    rotation = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    made = np.eye(4, dtype=np.float32)
    made[:3, :3] = rotation * np.array(list(transform.scale))
    made[:3, 3] = list(transform.translation)
    return made


def decomposed(matrix: Array) -> Tuple[Array, Array, Array]:
    """(translation, rotation as x y z w, scale) of a matrix. ValueError if it has no such parts."""
    linear = np.asarray(matrix[:3, :3], np.float64)
    scale = np.linalg.norm(linear, axis=0)
    if not np.isfinite(matrix).all() or (scale == 0).any() or matrix[3].tolist() != [0, 0, 0, 1]:
        raise ValueError("the node's matrix has no rotation and scale: it is not finite, maps an axis "
                         "to a point, or its last row is not 0 0 0 1")
    axes = linear / scale
    if np.abs(axes.T @ axes - np.eye(3)).max() > _SHEAR:
        raise ValueError("the node's matrix has shear, which translation, rotation and scale cannot "
                         "express; read node.matrix")
    if np.linalg.det(axes) < 0:
        axes[:, 0], scale[0] = -axes[:, 0], -scale[0]
    return np.asarray(matrix[:3, 3], np.float64), _quaternion(axes), scale


def _quaternion(axes: Array) -> Array:
    """The unit quaternion x y z w of a rotation matrix. The largest of its four components is
    computed first, so that no quotient is inaccurate."""
    xx, yy, zz = np.diag(axes)
    squares = np.array([1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz])
    x, y, z = (axes[2, 1] - axes[1, 2], axes[0, 2] - axes[2, 0], axes[1, 0] - axes[0, 1])
    xy, xz, yz = (axes[0, 1] + axes[1, 0], axes[0, 2] + axes[2, 0], axes[1, 2] + axes[2, 1])
    # Each row is the quaternion times four times its largest component.
    products = np.array([[squares[0], xy, xz, x], [xy, squares[1], yz, y], [xz, yz, squares[2], z],
                         [x, y, z, squares[3]]])
    row = products[int(squares.argmax())]
    return np.asarray(row / np.linalg.norm(row))
