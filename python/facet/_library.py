"""The library file in the package, and its version."""

from __future__ import annotations

import os
from pathlib import Path

from ._facet import ffi, lib


def library_path() -> str:
    """The path of the shared library that this package uses."""
    folder = Path(__file__).parent
    # Windows looks for the library of a module next to the module.
    return str(folder / "libfacet-python.dll" if os.name == "nt" else folder / "_lib" / "libfacet-python.so")


def program_path() -> str:
    """The path of the program in this package."""
    return str(Path(__file__).parent / "_lib" / ("facet.exe" if os.name == "nt" else "facet"))


def version() -> str:
    """The version of the library, "major.minor.patch". "+" and the commit follow in a release."""
    return str(ffi.string(lib.facet_version()).decode())


def _compiled_for() -> str:
    return f"{lib.FACET_VERSION_MAJOR}.{lib.FACET_VERSION_MINOR}.{lib.FACET_VERSION_PATCH}"


if version().partition("+")[0] != _compiled_for():
    raise ImportError(f"facet was compiled for {_compiled_for()} of its library, and "
                      f"{library_path()} is {version()}: build the package anew")
