"""Run every block of the pages on Python, in order, in a folder with models."""

import ast
import importlib.util
import inspect
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

import facet

SOURCE = Path(__file__).resolve().parents[2]
PAGE = SOURCE / "docs/reference/python.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the page is not here")
def test_every_block_runs(model, tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    (tmp_path / "models").mkdir()
    house = (tmp_path / "model.obj").read_text().replace("model.mtl", "house.mtl")
    # Add a square, so that the file has a polygon.
    house += "v 0 0 9\nv 1 0 9\nv 1 2 9\nv 0 2 9\nusemtl red\nf 5 6 7 8\n"
    (tmp_path / "models/house.obj").write_text(house)
    (tmp_path / "models/house.mtl").write_text((tmp_path / "model.mtl").read_text())
    (tmp_path / "models/broken.obj").write_text("v x\n")
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text()
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)
    assert len(blocks) >= 12 and {kind for kind, _ in blocks} == {"python"}
    names = {}
    for _, block in blocks:
        line = text[:text.index(block)].count("\n")
        exec(compile("\n" * line + block, str(PAGE), "exec"), names)
    said = capsys.readouterr().out
    assert "broken.obj: line 1" in said
    assert list(names["sizes"]) == ["house.obj"]
    assert (tmp_path / "sizes.png").stat().st_size > 1000
    assert "('grass', 0, 2048)" in said
    # Half of 90, plus 20 frames * 9 / 8 because of the tangent of 9 at the beginning. The units of
    # storage are 360 / 65534 and 720 / 65534 degrees.
    turned = float(re.search(r"\[\[ *0\. +([0-9.]+) +0\. *\]\]", said)[1])
    assert abs(turned - 67.5) < 0.01


def as_shown(shown, printed):
    """Compare as tests/pages.py does, which runs the commands of the pages."""
    about = importlib.util.spec_from_file_location("pages", SOURCE / "tests/pages.py")
    pages = importlib.util.module_from_spec(about)
    about.loader.exec_module(pages)
    return pages.as_shown(shown, printed)


def interact(block, names):
    """Run statements as an interactive Python does, and print values and errors."""
    for statement in ast.parse(block).body:
        try:
            exec(compile(ast.Interactive([statement]), "a block", "single"), names)
        except Exception as error:
            print(f"{type(error).__name__}: {error}")


@pytest.mark.skipif(not PAGE.exists(), reason="the page is not here")
@pytest.mark.parametrize("name", ["tutorial/python.md", "how-to/untrusted-files.md"])
def test_blocks_print_the_output_of_the_page(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, SOURCE / "tools/pictures", "--model", "vase.gltf"], check=True)
    facet.convert("vase.gltf", "vase.glb")
    (tmp_path / "uploads").mkdir()
    for path in ("upload.glb", "uploads/a.glb"):
        Path(path).write_bytes(Path("vase.glb").read_bytes()[:30000])
    capsys.readouterr()
    names, count = {}, 0
    for block, shown in re.findall(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?",
                                   (SOURCE / "docs" / name).read_text(), re.M | re.S):
        interact(block, names)
        printed = capsys.readouterr().out
        assert not shown or as_shown(shown, printed), f"{block}\nprints\n{printed}"
        count += 1
    assert count >= 2


def undocumented():
    """Public members without a docstring."""
    for name in facet.__all__:
        one = getattr(facet, name)
        if not inspect.getdoc(one):
            yield name
        for key in dir(one) if inspect.isclass(one) else ():
            member = inspect.getattr_static(one, key)
            if key.startswith("_") or isinstance(member, types.GetSetDescriptorType):
                continue
            is_ours = any(key in vars(base) for base in one.__mro__
                          if base.__module__.startswith("facet"))
            if is_ours and (inspect.isroutine(member) or hasattr(member, "__get__")) and \
                    not getattr(member, "__doc__", None):
                yield f"{name}.{key}"


def test_every_public_member_has_a_docstring():
    assert list(undocumented()) == []
