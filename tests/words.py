#!/usr/bin/env python3
"""words.py SOURCE: check the vocabulary of docs/explanation/architecture.md.

Each of these is an error:
- a word has a better alternative (British spelling, "room", or unclear words in comments);
- a function is named after a step that its folder does not do. The step read converts bytes to a
document, and write a document to bytes. The steps to_scene and from_scene convert between document
and scene.
"""

import re
import subprocess
import sys
from pathlib import Path

# Patterns of wrong words, and advice.
WORDS = {
    r"\brooms?\b": "folder, part or family; space for storage",
    r"(?<!squish::k)colour|grey\b|behaviour|neighbour|favour|honour": "American spelling",
    r"(optim|quant|normal|initial|recogn|organ|serial|synchron|summar|minim|maxim|util|vector)is"
    r"(e|ed|es|ing|ation|ations|er)\b": "American spelling",
    r"\bcent(re|red|res)\b|\b(centi|milli|kilo)?metres?\b|\blicence\b|\bcancell(ed|ing)\b":
        "American spelling",
    r"\b(can|could|may|can ?not) ?(not )?be had\b": "say what is missing",
    r"\bdone without\b": "say what is left out",
    r"\bno patience\b": "say what the limit is",
}
# Names are exempt if somebody else chose them.
EXEMPT = {
    "tests/cli/cli_usage.sh": "it tests that other spellings are refused",
    "tests/gx/test_gx_vectors.c": "keys of a file of vectors",
    "blender/io_scene_facet/operators.py": "words of Blender's that operators return",
    "tests/words.py": "the list itself",
}

# For each pattern of folders: names of functions that it must not define.
STEPS = [
    (r"^src/\w+/(\w+/)?to_scene", r"facet_\w+_(write|from_scene)(_|$)"),
    (r"^src/\w+/(\w+/)?from_scene", r"facet_\w+_(read|to_scene)(_|$)"),
    (r"^src/formats/j3d/file/", r"facet_\w+_(to|from)_scene(_|$)"),
    (r"^src/\w+/read\.c$", r"facet_\w+_(write|from_scene)(_|$)"),
    (r"^src/\w+/write\.c$", r"facet_\w+_(read|to_scene)(_|$)"),
]
DEFINITION = re.compile(r"^(?!static|typedef|return|extern)[a-z][\w \*]*?\b(facet_\w+)\([^;]*$", re.M)


NAMES = (".c", ".h", ".cpp", ".hpp", ".py", ".sh", ".md", ".txt", ".cmake", ".def")


def git(source, *words):
    """Lines that git prints. git grep has status 1 if nothing was found."""
    done = subprocess.run(["git", *words], cwd=source, capture_output=True, text=True)
    if done.returncode > 1 or done.stderr:
        sys.exit(f"words.py needs the files that git knows: {done.stderr}")
    return done.stdout.splitlines()


def wrong_words(source):
    """Search with git, which reads all files in a tenth of the time that Python takes."""
    for pattern, better in WORDS.items():
        for row in git(source, "grep", "-noiIP", "-e", pattern, "--", *("*" + each for each in NAMES)):
            name, line, word = row.split(":", 2)
            if name not in EXEMPT:
                yield f"{name}:{line}: '{word}': {better}"


def wrong_steps(source, name):
    forbidden = [functions for folders, functions in STEPS if re.match(folders, name)]
    if forbidden and (source / name).exists():
        for function in DEFINITION.findall((source / name).read_text()):
            if any(re.match(each, function) for each in forbidden):
                yield f"{name}: {function} is named after a step of another file"


def main():
    source = Path(sys.argv[1])
    names = [name for name in git(source, "ls-files") if name.endswith(NAMES) and name not in EXEMPT]
    faults = [*wrong_words(source), *(fault for name in names for fault in wrong_steps(source, name))]
    print("\n".join([*faults, f"{len(names)} files, {len(faults)} faults"]))
    sys.exit(1 if faults or len(names) < 300 else 0)


main()
