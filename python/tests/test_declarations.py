"""Compare the declarations of cffi, which the compiler checked, with those of ctypes: each struct
and each constant."""

import ctypes
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import facet
from facet._facet import ffi, lib

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def declarations(tmp_path_factory):
    path = tmp_path_factory.mktemp("declarations") / "declarations.py"
    path.write_bytes(subprocess.run([sys.executable, str(ROOT / "tools/bindings"), "ctypes"],
                                    check=True, capture_output=True).stdout)
    spec = importlib.util.spec_from_file_location("declarations", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_structs_are_laid_out_as_the_compiler_does(declarations):
    compared = 0
    for name, struct in declarations.STRUCTS.items():
        if not hasattr(struct, "_fields_") or not struct._fields_:
            continue
        try:
            kind = ffi.typeof(f"struct {name}")
        except ffi.error:
            kind = None  # a nested struct without a name
        if kind is None:
            continue
        assert ffi.sizeof(kind) == ctypes.sizeof(struct), name
        assert [member for member, _ in kind.fields] == [one[0] for one in struct._fields_], name
        for member, field in kind.fields:
            assert field.offset == getattr(struct, member).offset, f"{name}.{member}"
        compared += 1
    assert compared > 140


def test_constants_have_the_values_of_the_compiler(declarations):
    assert len(declarations.CONSTANTS) > 300
    for name, value in declarations.CONSTANTS.items():
        assert getattr(lib, name) == value, name


def test_every_function_of_the_headers_is_in_the_library(declarations):
    library = declarations.bind(ctypes.CDLL(facet.library_path()))
    assert library.facet_version().decode() == facet.version()
    assert len(declarations.FUNCTIONS) > 250
    text = "".join(path.read_text() for path in (ROOT / "include/facet").glob("*.h"))
    for name in declarations.FUNCTIONS:
        assert f"{name}(" in text and hasattr(lib, name), name


def test_ctypes_calls_what_cffi_does(declarations):
    library = declarations.bind(ctypes.CDLL(facet.library_path()))
    names = [library.facet_format_name(library.facet_format_get(i)).decode()
             for i in range(library.facet_format_count())]
    assert names == [one.name for one in facet.formats()]
