"""python3 -m facet: run the program facet, which is in the package."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Replace this process by the program, with the same arguments."""
    program = str(Path(__file__).parent / "_lib" / "facet")
    os.execv(program, ["facet", *sys.argv[1:]])


if __name__ == "__main__":
    main()
