"""python3 -m facet: the program facet, which the package holds."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Become the program: its options, its output, its exit status."""
    program = str(Path(__file__).parent / "_lib" / "facet")
    os.execv(program, ["facet", *sys.argv[1:]])


if __name__ == "__main__":
    main()
