"""The library file in the package, and its version."""

from __future__ import annotations

from pathlib import Path

from ._facet import ffi, lib


def library_path() -> str:
    """The path of the shared library that this package uses."""
    return str(Path(__file__).parent / "_lib" / "libfacet-python.so")


def version() -> str:
    """The version of the library, "major.minor.patch"."""
    return str(ffi.string(lib.facet_version()).decode())


def _compiled_for() -> str:
    return f"{lib.FACET_VERSION_MAJOR}.{lib.FACET_VERSION_MINOR}.{lib.FACET_VERSION_PATCH}"


if version() != _compiled_for():
    raise ImportError(f"facet was compiled for {_compiled_for()} of its library, and "
                      f"{library_path()} is {version()}: build the package anew")
