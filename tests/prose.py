#!/usr/bin/env python3
"""prose.py SOURCE [PAGE...]: check that the Markdown pages of the tree are in plain words.

It prints these errors with file and line:
- a sentence of more than 30 words;
- a beginning that makes readers wait for the verb;
- a word that has a plainer alternative;
- a page whose sentences are longer than 16 words on average;
- a paragraph with a line above 100 characters, except in the changelog, which has a line per change.

Code, headings and addresses are ignored. In tables only the words are checked, and a cell has at
most 40.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from wrap import fill

MAX_WORDS, MAX_MEAN, MAX_CELL = 30, 16, 40
BEGINNINGS = re.compile(r"(What|Who|Whoever|Whatever|Whichever|Of|Whose)\b(?!.*\?$)")
# Patterns, and better words. Words in `code` do not count.
PLAINER = {
    r"\b(tell|tells|told|speaks?|spoke)\b": "report, print, show",
    r"\bsa(y|ys|id) (so|of|what|which|where)\b": "report, print, describe",
    r"\b(stands?|stood|lies|lie|lay) (in|on|at|there|beside|behind|before|below|above|as|so)\b":
        "is, is stored, is located",
    r"\b(is|are|was|were) (no|none)\b(?! (longer|more)\b)": "is not a, invalid, missing",
    r"\b(is|are) to be\b": "must, or the imperative",
    r"\b(but for|all but)\b": "except",
    r"\bwant of\b|\bmemory is used up\b": "out of memory",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\banew\b": "again",
    r"\bbeside\b": "next to; compared with",
    r"\bwithout a word\b|\bin silence\b|\bcounts? for nothing\b": "silently; is ignored",
    r"\b[Ww]hoever\b|\b[Hh]e who\b": "you, the caller",
    r"\bof (our|its|their) own\b|\bours\b": "built-in, Facet's, separate",
    r"\bthe house\b|\ba door\b|\bthe doors?\b": "the tree, the entry point",
    r"\bas large as life\b|\bby hand\b|\ball the same\b": "manually; still",
    r",? too[.;,:]": "also",
    r"\bdear(er|est)?\b": "expensive",
    r"\b(is|are|was) gone\b|\bgoes away\b": "is removed, is dropped",
    r"\bfaults?\b(?! plan)": "error (stops), finding (report)",
    r"\btame(d|s)?\b|\bhostile\b": "escape; untrusted",
    r"\bcome(s)? (to|out as)\b": "is, becomes",
    r"\bmade of\b": "created from, computed from",
    r"\bso (many|much|large|long|small|often) (times )?(as|that)\b": "a number, or 'by FACTOR'",
}
MARKS = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")


def pages_of(source):
    return subprocess.run(["git", "ls-files", "*.md"], cwd=source, capture_output=True, text=True,
                          check=True).stdout.split()


def blocks_of(text):
    """Yield (line, words) of each paragraph and each item of a list."""
    line, begin, block, fence = 0, 0, [], False
    for line, row in enumerate(text.split("\n") + [""], 1):
        if row.lstrip().startswith(("```", "~~~")):
            fence = not fence
        skipped = fence or not row.strip() or row.startswith(("#", "|", "```", "~~~", "<", "!["))
        item = MARKS.match(row)
        if (skipped or item) and block:
            yield begin, " ".join(block)
            block = []
        if not skipped:
            if not block:
                begin = line
            block.append(MARKS.sub("", row).strip())


def sentences_of(block):
    block = re.sub(r"\b(e\.g|i\.e|vs|etc|approx)\.", r"\1", without_marks(block))
    return [each for each in re.split(r"(?<=[.!?])[)\"*_]*\s+(?=[\"(*_]*[A-Z0-9])", block) if each.strip()]


def without_marks(text):
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`[^`]*`", "CODE", text)


def words_of(text):
    return len(re.findall(r"[\w'-]*\w", text))


# One search for all words: most sentences have none of them.
ANY_WORD = re.compile("|".join(PLAINER))


def find_words(where, text):
    if not ANY_WORD.search(text):
        return []
    return [f"{where}: '{found[0]}': {better}" for pattern, better in PLAINER.items()
            if (found := re.search(pattern, text))]


def check_tables(name, text):
    faults = []
    for line, row in enumerate(text.split("\n"), 1):
        cells = re.split(r"(?<!\\)\|", without_marks(row)) if row.startswith("|") else []
        for cell in cells:
            faults += find_words(f"{name}:{line}", cell)
            if words_of(cell) > MAX_CELL:
                faults.append(f"{name}:{line}: {words_of(cell)} words in a cell: {cell[:60]}...")
    return faults


def check(name, text):
    faults, lengths = check_tables(name, text), []
    for line, block in blocks_of(text):
        for sentence in sentences_of(block):
            plain = sentence.strip("*_ ")
            words = words_of(plain)
            lengths.append(words)
            where = f"{name}:{line}"
            if words > MAX_WORDS:
                faults.append(f"{where}: {words} words: {plain[:60]}...")
            if BEGINNINGS.match(plain):
                faults.append(f"{where}: begin with subject and verb: {plain[:60]}...")
            faults += find_words(where, plain)
    if name != "CHANGELOG.md" and fill(text) != text:
        faults.append(f"{name}: lines above 100 characters: run 'make format'")
    mean = sum(lengths) / max(len(lengths), 1)
    if mean > MAX_MEAN:
        faults.append(f"{name}: {mean:.1f} words a sentence, at most {MAX_MEAN}")
    return faults


def report(source, names, check_one):
    """Check files and print the errors. Returns the exit status."""
    faults = [fault for name in names for fault in check_one(name, (source / name).read_text(encoding="utf-8"))]
    print("\n".join([*faults, f"{len(names)} files, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    root = Path(sys.argv[1])
    sys.exit(report(root, sys.argv[2:] or pages_of(root), check))
