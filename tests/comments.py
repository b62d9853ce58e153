#!/usr/bin/env python3
"""comments.py SOURCE [--list] [FILE...]: check that the comments of the code are in plain words.

The rules are those of prose.py. They apply to comments of C, C++, JavaScript, shell and CMake, and
to comments and docstrings of Python. The first word of a comment must not begin a free clause. A
comment on a function is an imperative, or a noun phrase for the function's result.

--list prints every comment with the line of code that follows it.
"""

import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import prose

FREE_CLAUSES = re.compile(r"(What|Who|Whoever|Whatever|Whether|Where|How|Whose|Of|That which|Which|"
                          r"As|By whom|In what|To whom|For whom|With what)\b(?!.*\?$)")
# Comments and strings of C, C++ and JavaScript. Matching strings skips slashes inside them.
C_TOKENS = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(?P<block>/\*.*?\*/)|(?P<line>//[^\n]*)',
                      re.S)
C_NAMES = (".c", ".h", ".cpp", ".hpp", ".def", ".js", ".mjs", ".ts")
HASH_NAMES = (".sh", ".cmake", "CMakeLists.txt")
# Not prose: examples of docstrings with their output, and types of JSDoc tags (three levels of braces).
EXAMPLES = re.compile(r"^[ \t]*>>>.*(?:\n[ \t]*\S.*)*", re.M)
TYPES = re.compile(r"(@\w+) \{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}")
# Rows that are items of a list: a tag of JSDoc, and NAME  TEXT in docstrings.
ITEMS = re.compile(r"^[ \t]*(?=@\w|\w+(?:, \w+)* {2,}\S)", re.M)


def joined(parts):
    """Yield (line, text) of comments. Line comments of consecutive lines are one comment."""
    begin, last, column, rows = 0, 0, 0, []
    for line, at, text in [*parts, (0, 0, "")]:
        if rows and (line != last + 1 or at != column):
            yield begin, "\n".join(rows)
            rows = []
        if not rows:
            begin = line
        rows.append(text)
        last, column = line, at


def c_comments(text):
    lines, line, counted = [], 1, 0
    for found in C_TOKENS.finditer(text):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        if found["block"]:
            body = re.sub(r"^\s*\*+ ?", "", found["block"][2:-2].lstrip("*!<"), flags=re.M)
            yield line, body
        elif found["line"]:
            at = found.start() - text.rfind("\n", 0, found.start())
            lines.append((line, at, found["line"].lstrip("/!<")))
    yield from joined(lines)


def hash_comments(text):
    yield from joined([(line, row.index("#"), row.lstrip().lstrip("#"))
                       for line, row in enumerate(text.split("\n"), 1)
                       if row.lstrip().startswith("#") and not row.startswith("#!")])


def python_comments(text):
    comments, docstring_may_follow = [], True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            comments.append((token.start[0], token.start[1], token.string.lstrip("#")))
        elif token.type == tokenize.STRING and docstring_may_follow:
            yield token.start[0], token.string.strip("rbf\"'")
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            docstring_may_follow = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.ENCODING)
    yield from joined(comments)


def comments_of(name, text):
    if name.endswith(C_NAMES):
        return c_comments(text)
    return python_comments(text) if name.endswith(".py") else hash_comments(text)


def prose_of(comment):
    """The comment with examples and types removed, and items marked as those of a list."""
    return ITEMS.sub("- ", TYPES.sub(r"\1", EXAMPLES.sub("", comment)))


def check(name, text):
    faults, lengths = [], []
    for line, comment in comments_of(name, text):
        first = True
        for _, block in prose.blocks_of(prose_of(comment)):
            for sentence in prose.sentences_of(block):
                plain = sentence.strip("*_ ")
                words = prose.words_of(plain)
                lengths.append(words)
                where = f"{name}:{line}"
                if words > prose.MAX_WORDS:
                    faults.append(f"{where}: {words} words: {plain[:60]}...")
                if (FREE_CLAUSES if first else prose.BEGINNINGS).match(plain):
                    faults.append(f"{where}: begin with subject and verb: {plain[:60]}...")
                faults += prose.find_words(where, plain)
                first = False
    mean = sum(lengths) / max(len(lengths), 1)
    if mean > prose.MAX_MEAN:
        faults.append(f"{name}: {mean:.1f} words a sentence, at most {prose.MAX_MEAN}")
    return faults


def list_comments(name, text):
    rows = text.split("\n")
    for line, comment in comments_of(name, text):
        after = line + comment.rstrip("\n").count("\n")
        code = next((row.strip() for row in rows[after:] if row.strip()), "")
        print(f"{name}:{line}: {' '.join(comment.split())}\n    | {code}")


def files_of(source):
    listed = subprocess.run(["git", "ls-files", "src", "include", "tests", "fuzz", "tools", "python",
                             "blender", "web", "editors", "examples", "bench", "cmake", "CMakeLists.txt"],
                            cwd=source, capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in listed if name.endswith((*C_NAMES, *HASH_NAMES, ".py"))]


def main():
    source, listing = Path(sys.argv[1]), "--list" in sys.argv
    names = [name for name in sys.argv[2:] if name != "--list"] or files_of(source)
    if listing:
        for name in names:
            list_comments(name, (source / name).read_text(encoding="utf-8"))
        return 0
    return prose.report(source, names, check)


if __name__ == "__main__":
    sys.exit(main())
