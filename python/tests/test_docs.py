"""docs/reference/python.md: every block, one after the other, in a folder with two models."""

import inspect
import re
import types
from pathlib import Path

import pytest

import facet

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/python.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the page is not here")
def test_every_block_runs(model, tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    (tmp_path / "models").mkdir()
    house = (tmp_path / "model.obj").read_text().replace("model.mtl", "house.mtl")
    # A square below, so that there is a polygon.
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
    # Half of 90 and, of a tangent of 9 at the beginning, 20 frames * 9 / 8: in steps of 360 / 65534
    # and 720 / 65534 degrees.
    turned = float(re.search(r"\[\[ *0\. +([0-9.]+) +0\. *\]\]", said)[1])
    assert abs(turned - 67.5) < 0.01


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
