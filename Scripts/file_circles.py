"""Finds circles of files: files of a target that use each other's types, directly or over others.

A file uses another if it names a type, function or variable that the other declares at top level, or a type that the
other declares within a type: `Outer.Inner`, or `Inner` where the code of `Outer` is. Members that are not types do not
count. The code must have no comments and no contents of strings.
"""

import collections
import functools
import re

TOKEN = re.compile(r"import[ \t][^\n]*|[A-Za-z_]\w*|\.\.[.<]|->|[{}().,<>:]")
TYPES = {"struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype"}
VALUES = {"func", "let", "var"}
HIDDEN = {"private", "fileprivate"}
MODIFIERS = HIDDEN | {
    "public", "package", "internal", "open", "final", "indirect", "static", "class", "nonisolated", "mutating",
    "lazy", "weak", "unowned", "isolated", "override", "required", "convenience", "unsafe", "set"}


class Source:
    """What a file declares and which names it uses, each with the types around them."""

    def __init__(self, code):
        # Paths of names, such as ("Outer", "Inner").
        self.declared = set()
        self.hidden = set()
        # (types around the name, path as written)
        self.uses = set()
        # Names that mean something of the file itself: generic parameters, parameters and values of any scope.
        self.local = set()
        # The end lets the reader look ahead.
        self.tokens = TOKEN.findall(code) + [";"]
        self.read()

    def read(self):
        # One entry for each open brace: the names of the type that it opens, or () for other code.
        scopes = []
        opening = ()
        position = 0
        while position < len(self.tokens):
            token = self.tokens[position]
            if token == "{":
                scopes.append(opening)
                opening = ()
            elif token == "}":
                if scopes:
                    scopes.pop()
                opening = ()
            elif token in TYPES and self.is_declaration(position):
                around = self.path(scopes)
                name = self.tokens[position + 1]
                if token == "associatedtype":
                    self.local.add(name)
                else:
                    self.declare(around + (name,), self.is_hidden(position))
                if token not in ("typealias", "associatedtype"):
                    opening = (name,)
                self.read_generics(position + 2)
                position += 1
            elif token == "extension" and self.is_name(position + 1):
                chain, end = self.chain(position + 1)
                self.uses.add((self.path(scopes), chain))
                opening = chain
                position = end - 1
            elif token in VALUES and self.is_name(position + 1):
                name = self.tokens[position + 1]
                if scopes:
                    self.local.add(name)
                else:
                    self.declare((name,), self.is_hidden(position))
                if token == "func":
                    self.read_generics(position + 2)
                position += 1
            elif token == "case":
                self.read_cases(position + 1)
            elif token == "init":
                self.read_generics(position + 1)
            elif self.is_name(position):
                chain, end = self.chain(position)
                before = self.tokens[position - 1] if position else ""
                if self.tokens[end] == ":" and chain[0][0].islower():
                    self.local.add(chain[0])
                elif before != ".":
                    self.uses.add((self.path(scopes), chain))
                position = end - 1
            position += 1

    def declare(self, path, is_hidden):
        is_hidden = is_hidden or any(path[:length] in self.hidden for length in range(1, len(path)))
        (self.hidden if is_hidden else self.declared).add(path)

    def is_name(self, position):
        return position < len(self.tokens) and (self.tokens[position][0].isalpha() or self.tokens[position][0] == "_")

    def is_declaration(self, position):
        """Not `class func`, nor `: class`."""
        return self.is_name(position + 1) and self.tokens[position + 1] not in VALUES | MODIFIERS

    def is_hidden(self, position):
        position -= 1
        while position >= 0 and (self.tokens[position] in MODIFIERS or self.tokens[position] in "()"):
            if self.tokens[position] in HIDDEN and self.tokens[position + 1] != "(":
                return True
            position -= 1
        return False

    def chain(self, position):
        """A name with the names of members behind it, and the position after them."""
        names = [self.tokens[position]]
        position += 1
        while position + 1 < len(self.tokens) and self.tokens[position] == "." and self.is_name(position + 1):
            names.append(self.tokens[position + 1])
            position += 2
        return tuple(names), position

    def read_generics(self, position):
        if position < len(self.tokens) and self.tokens[position] == "<":
            depth = 0
            while position < len(self.tokens):
                token = self.tokens[position]
                depth += {"<": 1, ">": -1}.get(token, 0)
                if depth == 0:
                    return
                if depth == 1 and self.tokens[position - 1] in "<," and self.is_name(position):
                    self.local.add(token)
                position += 1

    def read_cases(self, position):
        """The names of the cases of an enum; `.other` and `let other` in a pattern are none."""
        while self.is_name(position) and self.tokens[position] not in VALUES and self.tokens[position + 1] != ".":
            self.local.add(self.tokens[position])
            position += 1
            depth = 0
            while position + 1 < len(self.tokens) and (self.tokens[position] == "(" or depth):
                depth += {"(": 1, ")": -1}.get(self.tokens[position], 0)
                position += 1
            if self.tokens[position] != ",":
                return
            position += 1

    @staticmethod
    def path(scopes):
        return tuple(name for scope in scopes for name in scope)


@functools.cache
def read_source(code):
    return Source(code)


def uses(codes):
    """For each file the files that it uses, with the names that connect them. `codes` has the code of each file."""
    sources = {file: read_source(code) for file, code in codes.items()}
    owners = collections.defaultdict(set)
    for file, source in sources.items():
        for path in source.declared:
            owners[path].add(file)
    result = {file: collections.defaultdict(set) for file in codes}
    for file, source in sources.items():
        own = source.declared | source.hidden
        for around, chain in source.uses:
            if chain[0] in source.local:
                continue
            for path in resolve(chain, around, owners, own):
                if path not in own:
                    for owner in owners[path] - {file}:
                        result[file][owner].add(".".join(path))
    return result


def resolve(chain, around, owners, own):
    """The declarations that a name with members means: the first name by the innermost type around it that has one."""
    if chain[0] == "Self" and around:
        chain, around = around + chain[1:], ()
    for length in range(len(around), -1, -1):
        start = around[:length] + chain[:1]
        if start in owners or start in own:
            found = [start]
            for name in chain[1:]:
                if found[-1] + (name,) not in owners and found[-1] + (name,) not in own:
                    break
                found.append(found[-1] + (name,))
            return found
    return []


def circles(codes):
    """The circles, each as a list of its files; with what `uses` says about all files."""
    edges = uses(codes)
    indices, lows, stack, found = {}, {}, [], []

    # Tarjan's algorithm: strongly connected files.
    def visit(file):
        indices[file] = lows[file] = len(indices)
        stack.append(file)
        for other in sorted(edges[file]):
            if other not in indices:
                visit(other)
                lows[file] = min(lows[file], lows[other])
            elif other in stack:
                lows[file] = min(lows[file], indices[other])
        if lows[file] == indices[file]:
            start = stack.index(file)
            if len(stack) - start > 1:
                found.append(sorted(stack[start:]))
            del stack[start:]

    for file in sorted(codes):
        if file not in indices:
            visit(file)
    return sorted(found), edges
