"""Run the recipes of docs/how-to/batch.md from the text of the page.

    recipes.py FACET [PAGE]

Each recipe runs over 40 items, one of them broken, until all have ended. A recipe whose engine is
not installed is reported and skipped. Files for engines that need several machines (Kubernetes, AWS
Batch) are compared with their references, and their command lines run.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FACET = Path(sys.argv[1]).resolve()
DOCS = Path(__file__).parents[2] / "docs"
PAGE = Path(sys.argv[2] if len(sys.argv) > 2 else DOCS / "how-to/batch.md").read_text()
REFERENCE = (DOCS / "reference/batch.md").read_text()
ITEMS = 40
left_out = []


def section(title, page=PAGE):
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", page, re.M | re.S)
    assert found, f"the page has no section '{title}'"
    return found[1]


def block(title, kind, number=0):
    """Fenced text of a section."""
    blocks = re.findall(r"^```(\w*)[^\n]*\n(.*?)^```$", section(title), re.M | re.S)
    found = [text for of, text in blocks if of == kind]
    assert len(found) > number, f"'{title}' has no block of {kind or 'text'}"
    return found[number]


def run(words, expected=(0,), **variables):
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **variables})
    assert done.returncode in expected, f"{words}: status {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def needs(program):
    """False if an engine is not installed; its name is reported at the end."""
    if shutil.which(program):
        return True
    left_out.append(program)
    return False


def make_items():
    os.makedirs("in")
    with open("items.jsonl", "w") as manifest:
        for k in range(ITEMS):
            Path(f"in/{k}.obj").write_text("v 0 0 0\nf 1 2 9\n" if k == 7 else
                                           f"v 0 0 0\nv {k + 1} 0 0\nv 0 1 0\nf 1 2 3\n")
            manifest.write(json.dumps({"id": f"a{k}", "in": f"in/{k}.obj", "out": f"out/{k}.bsm"}) + "\n")


def is_done(pattern, each=1):
    """Check that one item failed permanently, the others are done, and each has `each` lines."""
    lines = [json.loads(line) for path in Path(".").glob(pattern) for line in open(path)]
    ids = sorted(line["id"] for line in lines)
    assert ids == sorted(f"a{k}" for k in range(ITEMS) for _ in range(each)), ids
    assert [line["id"] for line in lines if line["status"] != "ok"] == ["a7"] * each
    assert sorted(os.listdir("out")) == sorted(f"{k}.bsm" for k in range(ITEMS) if k != 7)


def shard_of(id, count):
    """The formula of docs/reference/batch.md."""
    formula = re.search(r"^```\n(int\(hashlib.*?)^```", section("Shards", REFERENCE), re.M | re.S)[1]
    return eval(formula.strip(), {"hashlib": hashlib, "id": id, "N": count})


# -- Engines ------------------------------------------------------------------


def first_command():
    text = PAGE[:PAGE.index("\n## ")]
    os.rename("in", "models")
    Path("models/wood.png").write_bytes(b"no picture, and no item")
    run(["sh", "-c", re.search(r"^\$ (.*)", text, re.M)[1]], (1,))
    assert len(os.listdir("out")) == ITEMS - 1
    assert len(open("results.jsonl").readlines()) == ITEMS


def slurm():
    text = block("Slurm", "sh")
    array = re.search(r"--array=0-(\d+)", text)[1]
    assert int(array) + 1 == int(re.search(r"auto/(\d+)", text)[1]), "the array and the shards"
    assert "--signal=B:TERM@" in text
    for task in sorted({shard_of(f"a{k}", int(array) + 1) for k in range(ITEMS)}):
        run(["sh", "-c", text], (0, 1), SLURM_ARRAY_TASK_ID=str(task), SLURM_CPUS_PER_TASK="1")
    is_done("results/*.jsonl")


def slurm_that_requeues():
    """Programs of the names facet and scontrol: the script passes on a signal and each status."""
    text = block("Slurm", "sh", 1)
    os.mkdir("programs")
    for name, script in (("facet", 'trap "exit 75" TERM; [ "$FOUND" ] && exit $FOUND; touch began; while :; do sleep 0.1; done'),
                         ("scontrol", 'echo "$@" >>requeued')):
        Path(f"programs/{name}").write_text(f"#!/bin/sh\n{script}\n")
        os.chmod(f"programs/{name}", 0o755)
    where = {"PATH": f"{os.getcwd()}/programs:{os.environ['PATH']}", "SLURM_JOB_ID": "9", "SLURM_CPUS_PER_TASK": "1"}
    again = "requeue 9\n"
    for status, restarts, requeued in ((0, "0", ""), (1, "0", ""), (2, "0", ""), (3, "8", again), (3, "9", ""), (75, "0", again)):
        Path("requeued").write_text("")
        run(["sh", "-c", text], (status,), FOUND=str(status), SLURM_RESTART_COUNT=restarts, **where)
        assert Path("requeued").read_text() == requeued, status
    Path("requeued").write_text("")
    task = subprocess.Popen(["sh", "-c", text], env={**os.environ, **where})
    while not Path("began").exists():
        assert task.poll() is None, "the script ended before facet began"
        time.sleep(0.05)
    task.terminate()
    assert task.wait(60) == 75 and Path("requeued").read_text() == "requeue 9\n"


def gnu_parallel():
    if not needs("parallel"):
        return
    text = block("GNU parallel", "sh")
    for _ in range(2):  # the second time does nothing
        run(["sh", "-c", text.replace("parallel ", "parallel --will-cite ", 1)], range(1, 102))
    is_done("results-*.jsonl")


def snakemake():
    if not needs("snakemake"):
        return
    text = block("Snakemake and Nextflow", "python")
    Path("Snakefile").write_text(
        'rule all:\n    input: expand("done/{shard}", shard=range(64))\n\n' + text)
    # A shard of one broken item exceeds 1 %: its task fails, and its results stay.
    run(["snakemake", "-j2", "--quiet", "--keep-going"], (0, 1), HOME=os.getcwd())
    is_done("results/*.jsonl")


def make():
    if not needs("make"):
        return
    Path("Makefile").write_text(block("make and ninja", "make"))
    rebuild(["make", "-s", "a.bsm"])


def ninja():
    if not needs("ninja"):
        return
    Path("build.ninja").write_text(block("make and ninja", "text") + "build a.bsm: facet a.obj\n")
    rebuild(["ninja", "--quiet"])


def rebuild(words):
    """Check that the output is made again only if the library next to the input changes."""
    Path("a.obj").write_text("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n")
    Path("a.mtl").write_text("newmtl m\nKd 1 0 0\n")
    run(words)
    first = os.stat("a.bsm").st_mtime_ns
    run(words)
    assert os.stat("a.bsm").st_mtime_ns == first, "it was made again"
    later = first + 2_000_000_000
    Path("a.mtl").write_text("newmtl n\nKd 0 1 0\n")
    os.utime("a.mtl", ns=(later, later))
    run(words)
    assert os.stat("a.bsm").st_mtime_ns != first, "it was not made again"
    Path("a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    os.remove("a.mtl")
    run(words)


# -- Files --------------------------------------------------------------------

# Keys and types in the reference of Kubernetes 1.29 (batch/v1 Job and core/v1 Pod), limited to
# those that such a Job needs.
KUBERNETES = {
    "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": str},
    "spec": {
        "completions": int, "parallelism": int, "completionMode": ("Indexed", "NonIndexed"),
        "backoffLimit": int, "backoffLimitPerIndex": int, "maxFailedIndexes": int,
        "podFailurePolicy": {"rules": [{
            "action": ("FailJob", "FailIndex", "Ignore", "Count"),
            "onExitCodes": {"operator": ("In", "NotIn"), "values": [int], "containerName": str},
            "onPodConditions": [{"type": str, "status": str}]}]},
        "template": {"spec": {
            "restartPolicy": ("Never",), "terminationGracePeriodSeconds": int,
            "containers": [{"name": str, "image": str, "command": [str], "args": [str],
                            "volumeMounts": [{"name": str, "mountPath": str}]}],
            "volumes": [{"name": str, "persistentVolumeClaim": {"claimName": str}}]}}}}


def compare(value, allowed, place):
    if isinstance(allowed, dict):
        assert isinstance(value, dict), f"{place}: expected an object"
        for key in value:
            assert key in allowed, f"{place}: '{key}' is not in the reference"
            compare(value[key], allowed[key], f"{place}.{key}")
    elif isinstance(allowed, list):
        assert isinstance(value, list) and value, f"{place}: expected a list"
        for one in value:
            compare(one, allowed[0], place)
    elif isinstance(allowed, type):
        assert isinstance(value, allowed) and not isinstance(value, bool), f"{place}: {value!r}"
    else:
        assert value in (allowed if isinstance(allowed, tuple) else (allowed,)), f"{place}: {value!r}"


def kubernetes():
    try:
        import yaml
    except ImportError:
        left_out.append("python3-yaml (Kubernetes)")
        return
    job = yaml.safe_load(block("Kubernetes", "yaml"))
    compare(job, KUBERNETES, "Job")
    spec = job["spec"]
    # The reference: FailIndex and backoffLimitPerIndex require indexed completions, and a policy
    # requires Never.
    assert spec["completionMode"] == "Indexed" and spec["template"]["spec"]["restartPolicy"] == "Never"
    for rule in spec["podFailurePolicy"]["rules"]:
        assert ("onExitCodes" in rule) != ("onPodConditions" in rule)
        assert 0 not in rule.get("onExitCodes", {}).get("values", [])
    pod = spec["template"]["spec"]
    assert {m["name"] for c in pod["containers"] for m in c["volumeMounts"]} == {v["name"] for v in pod["volumes"]}
    words = pod["containers"][0]["args"]
    assert f"auto/{spec['completions']}" in words
    here = [word.replace("/data", os.getcwd()) for word in words]
    for index in sorted({shard_of(f"a{k}", spec["completions"]) for k in range(ITEMS)}):
        run([str(FACET), *here], (0, 1), JOB_COMPLETION_INDEX=str(index))
    is_done("results/*.jsonl")


def aws():
    text = " ".join(section("AWS Batch").split())
    found = re.search(r'`"retryStrategy": (\{.*?\}\]\})`', text)
    strategy = json.loads(found[1])
    # RetryStrategy and EvaluateOnExit of the AWS Batch API.
    assert set(strategy) <= {"attempts", "evaluateOnExit"} and 1 <= strategy["attempts"] <= 10
    rules = strategy["evaluateOnExit"]
    assert len(rules) <= 5
    for rule in rules:
        assert set(rule) <= {"action", "onExitCode", "onReason", "onStatusReason"} and len(rule) > 1
        assert rule["action"] in ("RETRY", "EXIT")
        assert re.fullmatch(r"[0-9]*\*?", rule.get("onExitCode", "*"))

    def action(status):
        """Action of the first matching rule. A pattern may end with an asterisk."""
        for rule in rules:
            pattern = rule.get("onExitCode", "*")
            if str(status) == pattern or (pattern.endswith("*") and str(status).startswith(pattern[:-1])):
                return rule["action"]
        return "RETRY"
    assert [action(status) for status in (1, 2, 3, 75, 137)] == ["EXIT", "EXIT", "RETRY", "RETRY", "RETRY"]
    for index in range(4):
        run([str(FACET), "batch", "--manifest", "items.jsonl", "--shard", "auto", "--results",
             f"results/{index}.jsonl", "--resume"], (0, 1),
            AWS_BATCH_JOB_ARRAY_INDEX=str(index), AWS_BATCH_JOB_ARRAY_SIZE="4")
    is_done("results/*.jsonl")


def main():
    recipes = [first_command, slurm, slurm_that_requeues, gnu_parallel, snakemake, make, ninja, kubernetes, aws]
    failures = 0
    with tempfile.TemporaryDirectory() as work:
        os.makedirs(f"{work}/bin")
        os.symlink(FACET, f"{work}/bin/facet")
        os.environ["PATH"] = f"{work}/bin:{os.environ['PATH']}"
        for recipe in recipes:
            os.makedirs(f"{work}/{recipe.__name__}")
            os.chdir(f"{work}/{recipe.__name__}")
            make_items()
            before = len(left_out)
            try:
                recipe()
                print(f"{recipe.__name__}: {'not installed' if len(left_out) > before else 'right'}", flush=True)
            except Exception as error:
                failures += 1
                print(f"FAILED: {recipe.__name__}: {error}", flush=True)
        os.chdir("/")
    if left_out:
        print(f"not run: {', '.join(left_out)}")
    sys.exit(failures > 0)


main()
