"""python3 -m facet: run the program facet, which is in the package."""

import os
import subprocess
import sys

from ._library import program_path


def main() -> None:
    """Replace this process by the program, with the same arguments."""
    words = [program_path(), *sys.argv[1:]]
    if os.name == "nt":  # a process cannot be replaced
        sys.exit(subprocess.call(words))
    os.execv(words[0], ["facet", *words[1:]])


if __name__ == "__main__":
    main()
