import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).parent))
import build_facet  # noqa: E402

setup(version=build_facet.version(), cffi_modules=["build_facet.py:ffi"])
