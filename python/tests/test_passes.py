"""Passes of a mesh, and the names of the library that the package uses."""

import ast
import inspect
from pathlib import Path

import numpy as np

import facet
from facet._facet import ffi, lib

PACKAGE = Path(facet.__file__).parent
# Functions of _facet's ffi whose first argument is the name of a C type.
OF_TYPES = {"new", "cast", "sizeof", "typeof", "from_buffer"}


def nodes_of_the_package():
    for path in sorted(PACKAGE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(), str(path))):
            yield f"{path.name}:{getattr(node, 'lineno', 0)}", node


def attributes_of(name):
    for place, node in nodes_of_the_package():
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
            yield place, node.attr


def test_every_name_of_the_library_exists():
    used = list(attributes_of("lib"))
    assert len(used) > 200
    assert [(place, name) for place, name in used if not hasattr(lib, name)] == []


def test_every_type_exists():
    used = [(place, node.args[0].value) for place, node in nodes_of_the_package()
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name) and node.func.value.id == "ffi"
            and node.func.attr in OF_TYPES and node.args and isinstance(node.args[0], ast.Constant)]
    assert len(used) > 80
    wrong = []
    for place, name in used:
        try:
            ffi.typeof(name)
        except ffi.error:
            wrong.append((place, name))
    assert wrong == []


def square(**streams):
    scene = facet.Scene()
    return scene.add_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2, 3]], **streams)


def test_every_pass_of_a_mesh_runs_and_reports_a_change_once():
    mesh = square(texcoord=([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]], [0, 1, 2, 3]))
    assert mesh.triangulate() and not mesh.triangulate()
    assert mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert mesh.compute_normals() and not mesh.compute_normals()
    assert mesh.normals.tolist() == [[0, 0, 1]] * len(mesh.normals)
    assert mesh.index() and not mesh.index() and mesh.is_welded
    assert mesh.compute_tangents() and not mesh.compute_tangents()
    assert mesh.streams["tangent"].corners.tolist() == [[1, 0, 0, 1]] * 6
    mesh.index()
    assert not mesh.weld()  # no two corners are equal
    mesh.optimize()
    assert mesh.simplify(max_triangles=1) in (True, False) and mesh.face_count <= 2


def test_weld_merges_equal_vertices():
    scene = facet.Scene()
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    mesh = scene.add_mesh(corners)
    assert mesh.weld() and len(mesh.positions) == 4 and not mesh.weld()


def test_every_method_that_reports_a_change_runs():
    names = [name for name, one in vars(facet.Mesh).items() if inspect.isfunction(one)
             and not name.startswith("_") and inspect.signature(one).return_annotation == "bool"]
    assert {"triangulate", "index", "weld", "optimize", "simplify"} <= set(names)
    for name in names:
        mesh = square(texcoord=[[0, 0], [1, 0], [1, 1], [0, 1]])
        mesh.triangulate()
        mesh.compute_normals()
        mesh.index()
        assert getattr(mesh, name)() in (True, False), name
