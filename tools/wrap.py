#!/usr/bin/env python3
"""wrap.py FILE...: fill paragraphs and list items of Markdown with a line above 100 characters.

Code, tables, headings, HTML and paragraphs of short lines stay as they are. A word, `a code span`
and a link are not broken. Tools that generate pages call fill().
"""

import re
import sys
from pathlib import Path

WIDTH = 100
ITEM = re.compile(r"( *)((?:[-*+]|\d+[.)]) +)")
VERBATIM = re.compile(r"\s*$| *(?:#|>|\||<|\[[^\]]+\]: )|!\[|---$")
# A code span or a link with its neighbors, or a word.
PIECE = re.compile(r"(?:``.*?``|`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+")
# At the start of a line, these would begin a list, a heading, a quotation or a table.
MARK = re.compile(r"(?:[-+*]|\d+[.)]|#+|=+)$|[>|]")


def is_long(line):
    return len(line) > WIDTH


def fill_block(rows):
    """Return the lines of a paragraph or of an item of a list."""
    first = ITEM.match(rows[0])
    indent = re.match(" *", rows[0])[0]
    start, rest = (first[0], " " * len(first[0])) if first else (indent, indent)
    text = " ".join([rows[0][len(start):].strip(), *(row.strip() for row in rows[1:])])
    pieces = []
    for piece in PIECE.findall(text):
        if MARK.match(piece) and pieces:
            pieces[-1] += f" {piece}"
        else:
            pieces.append(piece)
    lines, line = [], start
    for piece in pieces:
        if line not in (start, rest) and is_long(f"{line} {piece}"):
            lines.append(line)
            line = rest
        line += piece if line in (start, rest) else f" {piece}"
    return [*lines, line]


def fill(text):
    """Fill the blocks of a page that have long lines."""
    lines, block, fence = [], [], ""

    def end():
        if any(map(is_long, block)) and not any(row.endswith(("  ", "\\")) for row in block):
            block[:] = fill_block(block)
        lines.extend(block)
        block.clear()

    for row in text.split("\n"):
        mark = re.match(r"\s*(```+|~~~+)", row)
        if mark and not fence or fence and row.strip() == fence:
            fence = "" if fence else mark[1]
            verbatim = True
        else:
            verbatim = fence or VERBATIM.match(row)
        if verbatim or ITEM.match(row):
            end()
        if verbatim:
            lines.append(row)
        else:
            block.append(row)
    end()
    return "\n".join(lines)


def main():
    for name in sys.argv[1:]:
        path = Path(name)
        before = path.read_text(encoding="utf-8")
        after = fill(before)
        if after != before:
            path.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
