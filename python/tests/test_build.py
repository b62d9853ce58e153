"""The build of the package: it never copies a library that is older than its source."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools/built.py"
pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="only in the source tree")

PROJECT = """cmake_minimum_required(VERSION 3.13)
project(p NONE)
foreach(name IN ITEMS {targets})
  add_custom_command(OUTPUT ${{name}}.so COMMAND ${{CMAKE_COMMAND}} -E copy
    ${{PROJECT_SOURCE_DIR}}/source ${{name}}.so DEPENDS ${{PROJECT_SOURCE_DIR}}/source)
  add_custom_target(${{name}} DEPENDS ${{name}}.so)
endforeach()
"""


def run(folder):
    return subprocess.run([sys.executable, str(TOOL), str(folder)], capture_output=True, text=True)


def configured(tmp_path, targets):
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(targets=targets))
    (tmp_path / "source").write_text("old")
    folder = tmp_path / "build"
    subprocess.run(["cmake", "-S", str(tmp_path), "-B", str(folder)], check=True,
                   capture_output=True)
    return folder


def test_targets_outside_of_all_are_brought_up_to_date(tmp_path):
    folder = configured(tmp_path, "facet facet_python")
    for content in ("old", "new"):
        (tmp_path / "source").write_text(content)
        later = time.time() + (2 if content == "new" else 0)
        os.utime(tmp_path / "source", (later, later))
        done = run(folder)
        assert done.returncode == 0, done.stderr
        assert (folder / "facet_python.so").read_text() == content


def test_a_folder_without_the_library_is_refused(tmp_path):
    done = run(configured(tmp_path, "facet"))
    assert done.returncode == 1 and "-DFACET_PYTHON=ON" in done.stderr


def test_a_folder_that_cmake_did_not_make_stays(tmp_path):
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "libfacet-python.so").write_text("release")
    assert run(folder).returncode == 0
    assert [one.name for one in folder.iterdir()] == ["libfacet-python.so"]
