"""What the end-to-end tests share: TAP output, running the program, reading and writing .npy by hand.

Nothing but the standard library, so that the program's files are read by code that shares nothing
with the code that wrote them.
"""

import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import traceback
import zipfile

CASES = []


class Skip(Exception):
    """A case that cannot run here; the message says what is missing."""


def case(function):
    """Registers a function as one test case, named after the function."""
    CASES.append(function)
    return function


def equal(found, expected, what=""):
    if found != expected:
        raise AssertionError(f"{what}: found {found!r}, expected {expected!r}")


def true(condition, what):
    if not condition:
        raise AssertionError(what)


def close(found, expected, relative=1e-9, absolute=0.0, what=""):
    limit = max(relative * abs(expected), absolute)
    if not abs(found - expected) <= limit:
        raise AssertionError(f"{what}: found {found!r}, expected {expected!r} to {limit:g}")


class Cli:
    """The program under test, run inside a folder of its own."""

    def __init__(self, binary, folder):
        self.binary = binary
        self.folder = folder

    def run(self, *arguments, stdin="", environment=None, timeout=300):
        variables = dict(os.environ)
        variables.update(environment or {})
        return subprocess.run([self.binary, *arguments], cwd=self.folder, env=variables, input=stdin.encode(),
                              capture_output=True, timeout=timeout, check=False)

    def text(self, *arguments, **named):
        """Standard output of a run that must succeed."""
        result = self.run(*arguments, **named)
        equal(result.returncode, 0, f"{arguments} said {result.stderr.decode(errors='replace')}")
        return result.stdout.decode()

    def json(self, *arguments, **named):
        text = self.text(*arguments, **named)
        equal(text.count("\n"), 1, "lines of --json")
        true(text.endswith("\n"), "--json ends its line")
        return json.loads(text)

    def path(self, name):
        return os.path.join(self.folder, name)

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return name


def read_npy(path):
    """Shape and values (row by row) of a float32 or float64 array."""
    with open(path, "rb") as file:
        data = file.read()
    equal(data[:6], b"\x93NUMPY", f"{path}: magic")
    size = struct.unpack("<H", data[8:10])[0] if data[6] == 1 else struct.unpack("<I", data[8:12])[0]
    start = (10 if data[6] == 1 else 12) + size
    header = eval(data[start - size:start].decode("latin-1"), {"__builtins__": {}})  # a Python literal
    equal(header["fortran_order"], False, f"{path}: order")
    shape = header["shape"]
    count = math.prod(shape)
    code = {"<f8": "d", "<f4": "f"}[header["descr"]]
    equal(len(data) - start, count * struct.calcsize(code), f"{path}: bytes")
    return shape, list(struct.unpack(f"<{count}{code}", data[start:]))


def make_npy(shape, values):
    header = repr({"descr": "<f8", "fortran_order": False, "shape": tuple(shape)})
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() \
        + struct.pack(f"<{len(values)}d", *values)


def read_rows(path):
    """An n x d array as a list of rows."""
    (rows, columns), values = read_npy(path)
    return [values[i * columns:(i + 1) * columns] for i in range(rows)]


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def norm(values):
    return math.sqrt(math.fsum(x * x for x in values))


def flat(rows):
    return [value for row in rows for value in row]


def attention(x, w, softmax):
    """The n x n weights of an attention map, by the plain definition."""
    d = len(x[0])
    columns = list(zip(*w))
    moved = [[dot(row, column) for column in columns] for row in x]
    weights = []
    for row in moved:
        scores = [dot(row, other) / math.sqrt(d) for other in x]
        if softmax:
            top = max(scores)
            scores = [math.exp(score - top) for score in scores]
        else:
            scores = [max(score, 0.0) for score in scores]
        total = math.fsum(scores)
        weights.append([score / (total if total > 0 else 1.0) for score in scores])
    return weights


def write_network(cli, name, layers, **more):
    """An archive as NumPy writes it, with members V1, V2, ... unless they are named."""
    with zipfile.ZipFile(cli.path(name), "w", zipfile.ZIP_DEFLATED) as archive:
        for number, layer in enumerate(layers, 1):
            archive.writestr(more.get("names", "V1 V2 V3 V4").split()[number - 1] + ".npy",
                             make_npy((len(layer), len(layer[0])), flat(layer)))


def deep_features(x, layers):
    """phi (X) of DRF for its layers, V_1 first."""
    values = flat(x)
    for layer in layers:
        values = [max(dot(row, values), 0.0) for row in layer]
    return values


def features(name, x, weights):
    """phi (X) as a flat list, by the plain definition; `weights` of DRF: its layers."""
    if name in ("rf", "drf"):
        return deep_features(x, weights if name == "drf" else [weights])
    a = attention(x, weights, name == "raf")
    columns = list(zip(*x))
    return [dot(row, column) for row in a for column in columns]


def relative_change(name, x, weights, token, delta):
    """||phi (X + e_token delta^T) - phi (X)|| / ||phi (X)||, by the plain definition."""
    nudged = [list(row) for row in x]
    nudged[token] = [a + b for a, b in zip(nudged[token], delta)]
    before = features(name, x, weights)
    after = features(name, nudged, weights)
    return norm([b - a for a, b in zip(before, after)]) / norm(before)


def main(arguments):
    """Runs every case as `function (cli, options)`; arguments: binary, source folder, shared folder."""
    binary, source, shared = arguments[1:4]
    failed = 0
    print("TAP version 13")
    print(f"1..{len(CASES)}")
    for number, function in enumerate(CASES, 1):
        name = function.__name__.replace("_", "-")
        with tempfile.TemporaryDirectory(prefix="ww-cli-") as folder:
            try:
                function(Cli(os.path.abspath(binary), folder), {"source": source, "shared": shared})
                print(f"ok {number} {name}", flush=True)
            except Skip as reason:
                print(f"ok {number} {name} # SKIP {reason}", flush=True)
            except Exception as problem:  # a broken case must not end the others
                failed += 1
                print(f"not ok {number} {name}", flush=True)
                for line in (str(problem) + "\n" + traceback.format_exc()).splitlines():
                    print(f"# {line}")
    return 1 if failed else 0


def run_main():
    sys.exit(main(sys.argv))
