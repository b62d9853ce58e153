"""facet.batch: results of the program as objects."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import facet

TRIANGLE = "v 0 0 0\nv {} 0 0\nv 0 1 0\nf 1 2 3\n"


@pytest.fixture
def models(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m").mkdir()
    for k in range(1, 6):
        (tmp_path / f"m/{k}.obj").write_text(TRIANGLE.format(k))
    (tmp_path / "m/broken.obj").write_text("v 0 0 0\nf 1 2 9\n")
    return tmp_path


def test_results_are_the_lines_of_the_program(models):
    found = {one.id: one for one in facet.batch("m", out="o/{stem}.glb", results="r.jsonl")}
    lines = [json.loads(line) for line in open("r.jsonl")]
    assert {line["id"]: line for line in lines} == {id: one.line for id, one in found.items()}
    assert sorted(found) == [f"m/{k}.obj" for k in range(1, 6)] + ["m/broken.obj"]
    one, broken = found["m/2.obj"], found["m/broken.obj"]
    assert one.ok and (one.path, one.out, one.code, one.retry) == ("m/2.obj", "o/2.glb", None, False)
    assert not broken.ok and broken.status == "failed" and broken.code == "OBJ-INDEX"
    assert [f.rule for f in broken.findings.errors] == ["OBJ-INDEX"] and broken.findings[0].line == 2
    facet.convert("m/2.obj", "alone.glb")
    assert Path("o/2.glb").read_bytes() == Path("alone.glb").read_bytes()


def test_results_pickle(models):
    found = list(facet.batch("m", out="{stem}.glb"))
    assert pickle.loads(pickle.dumps(found)) == found and len(found) == 6


def test_items_of_all_kinds(models):
    items = [Path("m/1.obj"), "m/2.obj", {"id": "x", "in": Path("m/3.obj"), "args": ["--scale", "2"], "tag": 7}]
    found = {one.id: one for one in facet.batch(iter(items), out="{id}.glb")}
    assert sorted(found) == ["m/1.obj", "m/2.obj", "x"]
    assert found["x"].line["columns"] == {"tag": 7}
    assert facet.load("x.glb").bounds().tolist() == [[0, 0, 0], [6, 2, 0]]


def test_resume_leaves_out_what_is_done(models):
    def run(**options):
        return sorted(one.id for one in facet.batch("m", out="o/{stem}.glb", results="r.jsonl", resume=True,
                                                    filter=["errors=0"], **options))
    assert len(run()) == 6 and run() == []
    os.remove("o/4.glb")
    Path("m/5.obj").write_text(TRIANGLE.format(9))
    assert run() == ["m/4.obj", "m/5.obj"]
    assert run(retry_failed=True) == []


def test_other_commands_and_outputs(models):
    found = list(facet.batch("m", ["render", "--size", "16x16"], out="{stem}.png", match="[12].obj",
                             also=["line {stem}.json", "info {stem}.info"]))
    assert len(found) == 2 and Path("1.png").read_bytes()[1:4] == b"PNG"
    assert json.loads(Path("1.json").read_text())["in"] == "m/1.obj"
    found = list(facet.batch("m", ["info"], match=["1.obj", "2.obj"]))
    assert {one.line["result"]["counts"]["triangles"] for one in found} == {1}


@pytest.mark.parametrize("wrong", [
    dict(command=["convert"]), dict(out="{stem"), dict(out="same.glb"), dict(out="o", filter=["x<1"]),
    dict(out="{id}", results="{shard}.jsonl"), dict(out="{id}", output_tar="-"),
    dict(command=["pack"], out="{id}")])
def test_a_wrong_call_does_nothing(models, wrong):
    before = sorted(os.listdir("."))
    with pytest.raises(facet.ArgumentError):
        list(facet.batch("m", **wrong))
    assert sorted(os.listdir(".")) == before


def test_unknown_options(models):
    for name in ("matsh", "manifest", "progress"):
        with pytest.raises(TypeError, match=name):
            facet.batch("m", **{name: "x"})


def test_items_that_raise(models):
    def items():
        yield "m/1.obj"
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        list(facet.batch(items(), out="{id}.glb"))
    with pytest.raises(facet.ArgumentError, match="expected|object|in"):
        list(facet.batch([{"id": 7}], out="{id}.glb"))


def test_a_batch_that_is_left_ends(models):
    os.mkfifo("hang.obj")
    started = time.monotonic()
    found = facet.batch(["m/1.obj", "hang.obj"], out="{id}.glb", jobs=2, grace=0.5, results="r.jsonl")
    assert next(found).id == "m/1.obj"
    found.close()
    assert time.monotonic() - started < 30
    assert not [name for name in os.listdir(".") if name.endswith(".tmp")]
    assert len(open("r.jsonl").readlines()) == 1


def test_what_is_left_is_an_exception(models):
    found = facet.batch(["m/broken.obj", "m/1.obj"], out="{id}.glb", jobs=1, max_failures=1)
    with pytest.raises(facet.BatchStopped, match="1 failed, 1 left"):
        assert [one.status for one in found] == ["failed"]


def test_keyboard_interrupt(models):
    os.mkfifo("hang.obj")
    script = ("import facet\n"
              "for one in facet.batch(['m/1.obj', 'hang.obj'], out='{id}.glb', jobs=2, grace=0.5):\n"
              "    print(one.id, flush=True)\n")
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, env={**os.environ, "PYTHONPATH": str(Path(facet.__file__).parents[1])})
    assert child.stdout.readline() == "m/1.obj\n"
    inner = Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split()
    child.send_signal(signal.SIGINT)
    said = child.communicate(timeout=30)[1]
    assert "KeyboardInterrupt" in said
    assert inner and not [pid for pid in inner if os.path.exists(f"/proc/{pid}")]


def test_equal_inputs_are_copied(models, tmp_path):
    (tmp_path / "a.obj").write_text(TRIANGLE.format(1))
    (tmp_path / "b.obj").write_text(TRIANGLE.format(1))
    found = list(facet.batch([tmp_path / "a.obj", tmp_path / "b.obj"], out=str(tmp_path / "{stem}.bsm"), dedup=True))
    assert [one.line.get("same_as") for one in found] == [None, str(tmp_path / "a.obj")]
    assert (tmp_path / "a.bsm").read_bytes() == (tmp_path / "b.bsm").read_bytes()


def test_hooks_and_claims(models, tmp_path):
    items = [{"id": "a", "in": str(models / "m/1.obj"), "out": str(tmp_path / "a.bsm")}]
    found = list(facet.batch(items, fetch="cp {in} {file}", store="cp {file} {out}"))
    assert [one.status for one in found] == ["ok"] and found[0].path == str(models / "m/1.obj")
    (tmp_path / "q").mkdir()
    for name in "xy":
        (tmp_path / "q" / f"{name}.jsonl").write_text(json.dumps({**items[0], "id": name, "out": str(tmp_path / f"{name}.bsm")}))
    assert sorted(one.id for one in facet.batch(None, claim=tmp_path / "q")) == ["x", "y"]
    assert sorted(path.name for path in (tmp_path / "q" / "done").iterdir()) == ["x.jsonl", "y.jsonl"]
    with pytest.raises(facet.ArgumentError):
        list(facet.batch(None))


def test_dask(models):
    pytest.importorskip("dask")
    example = Path(__file__).resolve().parents[2] / "examples/batch_dask.py"
    if not example.exists():
        pytest.skip("the example is not here")
    Path("items.jsonl").write_text("".join(
        json.dumps({"in": f"m/{name}", "out": f"o/{name}.glb"}) + "\n" for name in sorted(os.listdir("m"))))
    environment = {**os.environ, "PYTHONPATH": str(Path(facet.__file__).parents[1])}
    for expected in ("failed 1\nok 5\n", ""):
        said = subprocess.run([sys.executable, example, "items.jsonl", "results"], capture_output=True, text=True,
                              env=environment, check=True)
        assert said.stdout == expected, said.stderr
    assert len(os.listdir("o")) == 5


def test_a_failed_item_has_a_message(models):
    Path("m/bad.obj").write_text("v 0 0 0\nf 1 2 x\n")
    found = {one.id: one for one in facet.batch(["m/1.obj", "m/bad.obj"], out="{id}.glb")}
    assert found["m/1.obj"].message is None
    assert found["m/bad.obj"].message.startswith("'x' is not a corner of a face")
    assert "in_sha256" not in repr(found["m/bad.obj"])
