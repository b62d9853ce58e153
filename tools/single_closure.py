"""The parts of the sources that some functions need, used by tools/amalgamate. Each file is split into
items: declarations, definitions, macros and groups of #if ... #endif. An item refers to others by
their names. Those that the functions use, directly or indirectly, are put into an order that
compiles."""

import re
from pathlib import Path

# Strings, characters and comments.
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
# Words that are not members of a struct.
WORD = re.compile(r"->\s*\w+|\.\s*[A-Za-z_]\w*|([A-Za-z_]\w*)")
# Macros that are not defined when a single header is compiled.
ABSENT = re.compile(r"FACET_HAVE_\w+|FACET_MODULES|FACET_COMMIT|FACET_OBJ_HAS_SHAPES")


# A macro that defines what its first argument names.
CALLED_MACRO = re.compile(r"[A-Z][A-Z0-9_]*\((\w+)[^()]*\)")


class Item:
    """A declaration, a definition, a macro, or a group of #if ... #endif, without comments."""

    def __init__(self, file, text):
        self.file, self.text = file, text
        self.defines = set()
        self.is_prototype = False
        self.is_table = False   # data that other files use
        self.is_public = False  # visible outside its file
        self.find_names()
        code = TOKEN.sub(" ", text)
        self.uses = {m[1] for m in WORD.finditer(code) if m[1]}

    def find_names(self):
        text = TOKEN.sub('""', self.text)
        if re.match(r"#\s*if", text):
            self.defines |= set(re.findall(r"^\s*#\s*define (\w+)", text, re.M))
            for first, second in re.findall(r"^typedef [^;{]*?(\w+);|^\} (\w+);", text, re.M):
                self.defines.add(first or second)
            functions = re.findall(r"^(?!typedef|return|else)[A-Za-z_][\w \*]*?\b(\w+)\([^;{]*\)\s*\{", text, re.M)
            tables = re.findall(r"^(?:static )?const [\w ]*?\b(\w+)(?:\[\w*\])* = ", text, re.M)
            self.defines |= {*functions, *tables}
        elif text.startswith("#"):
            self.defines |= set(re.findall(r"^#\s*define (\w+)", text))
        else:
            self.find_declared(text)
        self.is_public = not re.match(r"static|#|typedef|enum|struct|union", text)

    def find_declared(self, text):
        data = re.sub(r"^((?:static )?(?:const )?)(struct|union|enum)(?: \w+)? \{[^{}]*\} (?=\w)", r"\1", text)
        head = re.split(r"[{=]", data, maxsplit=1)[0]
        self.defines |= set(re.findall(r"\b(?:struct|union|enum) (\w+) \{", text))
        for body in re.findall(r"\benum[\w ]*\{(.*?)\}", text, re.S):
            self.defines |= set(re.findall(r"(?:^|,)\s*(\w+)", body))
        if CALLED_MACRO.fullmatch(text):
            self.defines.add(CALLED_MACRO.fullmatch(text)[1])
        elif text.startswith("typedef"):
            # typedef result (*name)(...), result name(...), or struct { ... } name
            found = re.search(r"\(\*(\w+)\)\(|\b(\w+)\(", text) if "{" not in text else None
            found = found or re.search(r"(\w+)(?:\[\w*\])*();$", text)
            self.defines.add(found[1] or found[2])
        elif re.match(r"(struct|union|enum)\b[^(]*\{|(?:struct|union|enum) \w+;$", data):
            pass
        elif "(" in head:
            called = re.search(r"\(?\*?(\w+)\)?\s*\(", head)  # (name)( is not a macro
            if called:
                self.defines.add(called[1])
                self.is_prototype = "{" not in text
        else:
            found = re.search(r"(\w+)(?:\[[^\]]*\])*\s*$", head.rstrip(" ;"))
            if found:
                self.defines.add(found[1])
                self.is_table = "static" not in head


# -- Files to items --------------------------------------------------------------


def without_comments(text):
    text = TOKEN.sub(lambda m: " " if m[0].startswith(("/*", "//")) else m[0], text)
    return "".join(f"{line.rstrip()}\n" for line in text.split("\n") if line.strip())


def without_frame(lines):
    """Remove the include guard of a header, and extern "C"."""
    guard = next((m[1] for m in map(re.compile(r"#ifndef (FACET_\w+_H)$").match, lines) if m), None)
    kept, i = [], 0
    while i < len(lines):
        if guard and lines[i] in (f"#ifndef {guard}", f"#define {guard}"):
            i += 1
        elif lines[i] == "#ifdef __cplusplus" and lines[i + 2] == "#endif":
            i += 3
        else:
            kept.append(lines[i])
            i += 1
    if guard:
        del kept[max(i for i, line in enumerate(kept) if line.startswith("#endif"))]
    return kept


def without_libraries(lines):
    """Remove the branches of #if for libraries by others."""
    kept, stack = [], []  # of the open conditions: None (unknown), or True if the branch is kept
    for line in lines:
        start = re.match(r"#\s*(ifdef|ifndef|if)\s+(.*)", line)
        if start:
            what, rest = start[1], start[2].strip()
            name = re.fullmatch(r"(!?)\s*defined\s*\(?\s*(\w+)\s*\)?", rest) if what == "if" else None
            if name:
                what, rest = ("ifndef" if name[1] else "ifdef"), name[2]
            known = what != "if" and ABSENT.fullmatch(rest)
            stack.append(what == "ifndef" if known else None)
            if known:
                continue
        elif re.match(r"#\s*else", line) and stack and stack[-1] is not None:
            stack[-1] = not stack[-1]
            continue
        elif re.match(r"#\s*endif", line) and stack and stack.pop() is not None:
            continue
        if all(each is not False for each in stack):
            kept.append(line)
    return kept


def directive_end(text, at):
    while True:
        end = text.find("\n", at)
        if end < 0:
            return len(text)
        if text[end - 1] != "\\":
            return end + 1
        at = end + 1


def group_end(text, at):
    """The end of #if ... #endif."""
    level = 0
    while True:
        end = directive_end(text, at)
        line = text[at:end].lstrip()
        level += bool(re.match(r"#\s*if", line)) - bool(re.match(r"#\s*endif", line))
        at = end
        if level == 0 or at >= len(text):
            return at


def ends_function(text):
    head = text[:text.index("{")]
    return "(" in head and "=" not in head and not re.match(r"\s*(typedef|enum|union)", head)


def split(text):
    """The items of a text without comments."""
    at, start, depth, items = 0, 0, 0, []
    while at < len(text):
        c = text[at]
        is_new = not text[start:at].strip()
        if c == "#" and is_new:
            at = (group_end if re.match(r"#\s*if", text[at:at + 9]) else directive_end)(text, at)
        elif c in "\"'":
            at = TOKEN.match(text, at).end()
            continue
        else:
            depth += (c in "{(") - (c in "})")
            at += 1
            ends = c == ";" or (c == "}" and ends_function(text[start:at])) or (
                c == ")" and CALLED_MACRO.fullmatch(text[start:at].strip()) and text[at:at + 1] == "\n")
            if depth or not ends:
                continue
        items.append(text[start:at].strip("\n"))
        start = at
    if text[start:].strip():  # macros that stand for definitions
        items.append(text[start:].strip("\n"))
    return items


class Sources:
    """The items of all files below some folders, by name."""

    def __init__(self, root, folders):
        self.root, self.files, self.names, self.includes = Path(root), {}, {}, {}
        for folder in folders:
            for path in sorted((self.root / folder).rglob("*.[ch]")):
                if not path.name.endswith("_win32.c"):
                    self.read(str(path.relative_to(root)))

    def read(self, file):
        lines = without_frame((self.root / file).read_text().splitlines())
        lines = without_libraries(without_comments("\n".join(lines)).split("\n"))
        parts = split("\n".join(lines))
        included = [re.match(r'#include (["<].+[">])', part) for part in parts]
        self.includes[file] = [found[1] for found in included if found]
        self.files[file] = [Item(file, part) for part, found in zip(parts, included) if not found]
        for item in self.files[file]:
            self.publish(item)

    def publish(self, item):
        for name in item.defines:
            if item.file.endswith(".h") or (item.is_public and name.startswith("facet_")):
                self.names.setdefault(name, []).append(item)

    def replace(self, function, text):
        """Replace a function by a text, which can use and define other names of its file."""
        file = next((file for file, items in self.files.items() if file.endswith(".c") and
                     any(function in item.defines and not item.is_prototype for item in items)), None)
        if not file:
            return
        made = [Item(file, part) for part in split(without_comments(text))]
        defined = set().union(*(item.defines for item in made))
        old = [item for item in self.files[file] if item.defines & defined]
        for item in old:
            for name in item.defines & self.names.keys():
                self.names[name] = [each for each in self.names[name] if each is not item]
        first = self.files[file].index(old[0])
        kept = [item for item in self.files[file] if item not in old]
        self.files[file] = kept[:first] + made + kept[first:]
        for item in made:
            self.publish(item)

    def closure(self, roots, opaque):
        """The items that the functions `roots` need. Types in `opaque` stay undefined."""
        local, marked, todo = {}, {}, []

        def mark(items):
            for item in items:
                if id(item) not in marked:
                    marked[id(item)] = item
                    todo.append(item)

        for name in roots:
            if not self.names.get(name):
                raise SystemExit(f"amalgamate: no file defines '{name}'")
            mark(self.names[name])
        while todo:
            item = todo.pop()
            if item.file not in local:
                own = local[item.file] = {}
                # Groups that only include a header, such as that of SSE2.
                mark([each for each in self.files[item.file] if not each.defines and
                      re.match(r"#\s*if[^\n]*\n\s*#\s*include <\w*intrin", each.text)])
                for each in self.files[item.file]:
                    for name in each.defines:
                        own.setdefault(name, []).append(each)
            for name in item.uses | item.defines:
                if name in opaque:
                    continue
                own = local[item.file].get(name, [])
                mark(own)
                if not own or name.startswith(("facet_", "FACET_")):
                    mark(self.names.get(name, []))
        return marked

    def ordered(self, marked):
        """The marked items of src: headers before sources, each after the files that it needs."""
        done, order = set(), []  # files visited
        tables = {name: item.file for item in marked.values() if item.is_table for name in item.defines
                  if item.file.endswith(".c")}

        def visit(file):
            if file in done or not file.startswith("src/"):
                return
            done.add(file)
            for include in self.includes[file]:
                if include[0] == '"' and f"src/{include[1:-1]}" in self.files:
                    visit(f"src/{include[1:-1]}")
            items = [item for item in self.files[file] if id(item) in marked]
            if file.endswith(".c"):
                for name in sorted(set().union(*(item.uses for item in items))):
                    if name in tables:
                        visit(tables[name])
            for item in items:
                for name in sorted(item.uses & tables.keys() if file.endswith(".h") and
                                   not item.text.startswith("extern") else ()):
                    order.extend(each for each in marked.values()
                                 if name in each.defines and each.is_table and each not in order)
                if item not in order:
                    order.append(item)

        files = sorted({item.file for item in marked.values()})
        for file in [file for file in files if file.endswith(".h")] + files:
            visit(file)
        return order


# -- Names of a file -------------------------------------------------------------


def own_names(items):
    """Names that only their file uses."""
    return {name for item in items for name in item.defines if not name.startswith(("facet_", "FACET_"))}


def with_prefix(text, names, prefix):
    """Add a prefix to these names, except to members of structs."""
    if not names:
        return text
    pattern = re.compile(r"(->\s*|\.\s*)?\b(" + "|".join(sorted(names)) + r")\b(?=(\s*[;,\[)]|\s:)?)")
    done, at, bodies = [], 0, struct_bodies(text)

    def renamed(match):
        is_member = match[1] or (match[3] and any(first < match.start() < last for first, last in bodies))
        return match[0] if is_member else f"{prefix}_{match[2]}"

    skipped = [token.span() for token in TOKEN.finditer(text)]
    for match in pattern.finditer(text):
        if any(first <= match.start() < last for first, last in skipped):
            continue
        done += [text[at:match.start()], renamed(match)]
        at = match.end()
    return "".join(done) + text[at:]


def struct_bodies(text):
    """Ranges of the members of structs and unions, without enumerations in them."""
    bodies = []
    for start in re.finditer(r"\b(?:struct|union)(?: \w+)? \{", text):
        depth, at = 1, start.end()
        first = at
        while depth and at < len(text):
            enum = re.compile(r"enum(?: \w+)? \{[^}]*\}").match(text, at)
            if enum:
                bodies.append((first, at))
                at = first = enum.end()
                continue
            depth += (text[at] == "{") - (text[at] == "}")
            at += 1
        bodies.append((first, at))
    return bodies
