"""built.py FOLDER: build the program and the library of the Python package in a CMake folder.

Neither is older than the source afterwards. Folders without CMake, such as those of a release, do
not change."""

import subprocess
import sys
from pathlib import Path


def bring_up_to_date(folder):
    if not (Path(folder) / "CMakeCache.txt").exists():
        return
    done = subprocess.run(["cmake", "--build", str(folder), "--target", "facet", "facet_python"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout[-2000:]}\n{folder} does not build facet and facet_python: run "
                 "'make python', or configure it with -DFACET_PYTHON=ON")


if __name__ == "__main__":
    bring_up_to_date(sys.argv[1])
