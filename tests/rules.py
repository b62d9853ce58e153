#!/usr/bin/env python3
"""rules.py SOURCE: check the tables of rules (the files *.def in src).

Each of these is an error:
- src raises an id that no table has, or with another severity than in its line;
- a table has an id that src does not raise, or twice, or with a constant of another name;
- a sentence has more than 20 words, or a text does not end with a period;
- an id is in no test and not in UNTESTED, or in both;
- a page of docs names an id of a family that does not have it;
- docs/reference/rules differs from the tables.
"""

import importlib.machinery
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

ID = r"(?:[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+|(?:JA|AR)\d\d)"
SUFFIXES = {".c", ".h", ".cpp", ".sh", ".py", ".js"}
# Words of this form that are not ids.
OTHER = {"NAME-1", "J3D-TEX1"}

# Ids that no test raises yet, with the reason. The lists may only become shorter.
UNTESTED = {
    "takes a mesh of about 2^32 corners or normals, which is whole and fits in no test's memory":
        """MESH-NORMALS MESH-SIZE SCENE-OCCLUDER""",
    "takes a large model, and quadratic time to make it":
        """J3D-LIMIT-DESCRIPTORS J3D-LIMIT-MATERIALS J3D-LIMIT-PACKETS J3D-LIMIT-TEXTURES""",
    "depends on what assimp and qhull return":
        """ASSIMP-EXPORT ASSIMP-RANGE HULLS-QHULL""",
}
faults = []


def load_tool(source):
    loader = importlib.machinery.SourceFileLoader("rules_tool", str(source / "tools/rules"))
    spec = importlib.util.spec_from_loader("rules_tool", loader)
    tool = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    loader.exec_module(tool)
    return tool


# -- Code --------------------------------------------------------------------

def statement_around(text, begin, end):
    """The statement that contains a literal: the text before it, and the text after it."""
    first = max(text.rfind(mark, 0, begin) for mark in ";{}") + 1
    last = text.find(";", end)
    return text[first:begin], text[end:last if last >= 0 else len(text)]


def severity_of(before, after):
    """The severity that a call gives next to an id. None if it gives none."""
    next_to = re.match(r",\s*FACET_SEVERITY_(\w+)", after)
    if not next_to:
        next_to = re.search(r"FACET_SEVERITY_(\w+),\s*(?:kind,\s*)?(?:[^\",]+,\s*){0,2}$", before)
    if next_to:
        return next_to[1].lower()
    return "error" if re.search(r"FACET_ERROR_\w+,\s*$", before) else None


def raised(source):
    """Return for each id a list of (location, severity or None)."""
    found = {}
    for path in sorted((source / "src").rglob("*.[ch]*")):
        text = path.read_text(encoding="utf-8")
        for literal in re.finditer(f'"({ID})"', text):
            line = text.count("\n", 0, literal.start()) + 1
            severity = severity_of(*statement_around(text, literal.start(), literal.end()))
            found.setdefault(literal[1], []).append(
                (f"{path.relative_to(source)}:{line}", severity))
    return {rule: places for rule, places in found.items() if rule not in OTHER}


def check_code(listed, used):
    for rule, places in sorted(used.items()):
        if rule not in listed:
            faults.append(f"{places[0][0]}: {rule} is in no table of rules")
            continue
        for place, severity in places:
            if severity and severity not in listed[rule]:
                faults.append(f"{place}: {rule} is raised as {severity}, its line has "
                              + ", ".join(listed[rule]))
    for rule in sorted(listed.keys() - used.keys()):
        faults.append(f"{rule} is in a table, and src does not raise it")


# -- Tables ------------------------------------------------------------------

def check_tables(tables):
    listed = {}
    for path, _, rules in tables.values():
        for name, rule, severities, sentence, cause, remedy in rules:
            if rule in listed:
                faults.append(f"src/{path}: {rule} is there twice")
            if name != rule.replace("-", "_"):
                faults.append(f"src/{path}: the constant of {rule} is {name}")
            if len(sentence.split()) > 20:
                faults.append(f"src/{path}: the sentence of {rule} has more than 20 words")
            if not all(re.fullmatch(r"[^A-Z]*[A-Za-z'].*\.", text)
                       for text in (sentence, cause, remedy)):
                faults.append(f"src/{path}: a text of {rule} does not end with a point")
            listed[rule] = severities
    return listed


# -- Tests and pages ---------------------------------------------------------

def words_in(paths):
    found = set()
    for path in paths:
        text = path.read_text(encoding="utf-8", errors="replace")
        found |= set(re.findall(f"(?<![\\w-]){ID}(?![\\w-])", text))
    return found


def check_tests(source, listed):
    me = Path(__file__).resolve()
    tested = words_in(path for path in (source / "tests").rglob("*")
                      if path.suffix in SUFFIXES and path.resolve() != me)
    exempt = {rule for rules in UNTESTED.values() for rule in rules.split()}
    for rule in sorted(listed.keys() - tested - exempt):
        faults.append(f"{rule} is in no test")
    for rule in sorted(exempt & tested):
        faults.append(f"{rule} is in a test: remove it from UNTESTED")
    for rule in sorted(exempt - listed.keys()):
        faults.append(f"{rule} of UNTESTED is in no table")


def check_pages(source, listed):
    families = {rule.split("-")[0] for rule in listed}
    pages = [path for path in (source / "docs").rglob("*.md")] + [source / "README.md"]
    for path in pages:
        for rule in sorted(words_in([path]) - listed.keys() - OTHER):
            if rule.split("-")[0] in families:
                faults.append(f"{path.relative_to(source)}: there is no rule {rule}")
    check = subprocess.run([source / "tools/rules", "--check"], capture_output=True, text=True)
    if check.returncode != 0:
        faults.append(check.stdout.strip() or check.stderr)


def main():
    source = Path(sys.argv[1]).resolve()
    tables = load_tool(source).read_tables(source)
    listed = check_tables(tables)
    check_code(listed, raised(source))
    check_tests(source, listed)
    check_pages(source, listed)
    for fault in faults:
        print(fault)
    print(f"{len(listed)} rules, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
