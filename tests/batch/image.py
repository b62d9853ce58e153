"""Check packaging/docker/Dockerfile: image.py FACET.

With a Docker daemon, build the image and convert a model with it. Otherwise report this, and check
only the file: its instructions, the copied files, and that the second stage installs the Debian
package of each library that FACET loads.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

facet, root = Path(sys.argv[1]).resolve(), Path(__file__).resolve().parents[2]
file = root / "packaging/docker/Dockerfile"
text = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", file.read_text()))
lines = [line.split(None, 1) for line in text.splitlines() if line.strip()]
stages = [[]]
for word, rest in lines:
    assert word in {"FROM", "RUN", "COPY", "ENTRYPOINT"}, f"unknown instruction {word}"
    if word == "FROM":
        stages.append([])
    stages[-1].append((word, rest))
assert len(stages) == 3 and not stages[0], "expected two stages"
names = [re.search(r" AS (\w+)$", stage[0][1]) for stage in stages[1:]]
names = [name[1] for name in names if name]
for word, rest in (line for stage in stages[1:] for line in stage):
    if word == "COPY":
        of = re.match(r"--from=(\w+) (\S+) \S+$", rest)
        assert of[1] in names if of else (root / rest.split()[0]).exists(), f"COPY {rest}"
assert stages[2][-1] == ("ENTRYPOINT", '["facet"]')

installed = set(re.search(r"install -y --no-install-recommends ([^&]+)", next(rest for word, rest in stages[2] if word == "RUN"))[1].split())
if shutil.which("dpkg"):
    wanted = set()
    libraries = re.findall(r"=> (/\S+)", subprocess.run(["ldd", facet], capture_output=True, text=True).stdout)
    for name in {Path(library).name for library in libraries}:
        owner = subprocess.run(["dpkg", "-S", f"*/{name}"], capture_output=True, text=True).stdout
        owners = {line.split(":")[0] for line in owner.splitlines()}
        assert owners & (installed | {"libc6", "libstdc++6", "libgcc-s1"}) or "libfacet" in name, \
            f"{name}, of {owners}, is not installed in the image"
        wanted |= owners
    for name in installed - wanted - {"libassimp5"}:
        raise SystemExit(f"the image installs {name}, which the program does not load")

daemon = shutil.which("docker") and subprocess.run(["docker", "info"], capture_output=True).returncode == 0
if not daemon:
    print("image: checked, not built: no Docker daemon")
    raise SystemExit(0)
subprocess.run(["docker", "build", "-q", "-f", file, "-t", "facet-test", root], check=True)
with tempfile.TemporaryDirectory() as work:
    Path(work, "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    subprocess.run(["docker", "run", "--rm", "-v", f"{work}:/data", "-w", "/data", "facet-test", "convert", "a.obj",
                    "a.bsm"], check=True)
    assert Path(work, "a.bsm").read_bytes()[:4], "the image converts nothing"
print("image: built, and it converts")
