"""Fixtures for tests, and names for the examples in docstrings and on pages."""

import os
from pathlib import Path

import numpy as np
import pytest

import facet

# A tetrahedron, 1 x 2 x 3, with two materials.
OBJ = """mtllib model.mtl
o body
v 0 0 0
v 1 0 0
v 0 2 0
v 0 0 3
vt 0 0
vt 1 0
vt 0 1
usemtl red
f 1/1 3/2 2/3
f 1/1 2/2 4/3
usemtl blue
f 2/1 3/2 4/3
f 1/1 4/2 3/3
"""
MTL = "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n"


@pytest.fixture
def model(tmp_path):
    (tmp_path / "model.obj").write_text(OBJ)
    (tmp_path / "model.mtl").write_text(MTL)
    return tmp_path / "model.obj"


@pytest.fixture
def corpus():
    """The folder of real files, from the variable FACET_CORPUS."""
    if "FACET_CORPUS" not in os.environ:
        pytest.skip("FACET_CORPUS is not set")
    return Path(os.environ["FACET_CORPUS"])


@pytest.fixture(autouse=True)
def writable(request):
    """Skip a test for a format that this build cannot write. A wheel has no assimp."""
    parameters = getattr(request.node, "callspec", None)
    given = {parameters.params.get("to"), parameters.params.get("format_")} if parameters else set()
    lacks = given & {one.name for one in facet.formats() if not one.can_write} & {"fbx", "dae"}
    if lacks:
        pytest.skip(f"this build cannot write {lacks.pop()}")


@pytest.fixture(autouse=True)
def names(doctest_namespace, model, bck, tmp_path):
    doctest_namespace.update(facet=facet, np=np, model=model, folder=tmp_path, bck=bck)


@pytest.fixture
def bck():
    """A BCK: one joint at (1, 10, 0) that turns about y, 20 frames. Keys are [frame, value, tangent
    in, tangent out]."""
    joint = {"scale": [1, 1, 1], "rotation": [0, [[0, 0, 0, 9], [20, 90, 0, 0]], 0],
             "translation": [1, 10, 0]}
    return facet.Animation.from_json({
        "format": "facet-j3d-animation", "version": 1, "kind": "bck", "name": "turn",
        "frames": 20, "loop": "repeat", "rotation_shift": 1, "joints": [joint]}).write_bytes()
