"""context, tokens, info, features, attention and ws: what they write, checked by code of its own."""

import gzip
import json
import math
import os
import pty
import random
import re
import shutil
import signal
import struct
import subprocess

from harness import (Skip, attention, case, close, deep_features, dot, equal, features, flat, make_npy, norm,
                     read_npy, read_rows, relative_change, run_main, true, write_network)

TEXT = "I love her much"
WS_KEYS = ["map", "n", "d", "token", "ws", "upper_bound", "delta_norm", "radius", "evaluations", "seconds", "seed",
           "effort", "version"]
ALL_KEYS = ["per_token", "per_token_search"]
BOUND_KEYS = ["upper_bound_kind", "token_upper_bound"]


def gaussian(rows, columns, scale, seed):
    """A Gaussian matrix as rows, and its .npy."""
    numbers = random.Random(seed)
    values = [[numbers.gauss(0, scale) for _ in range(columns)] for _ in range(rows)]
    return values, make_npy((rows, columns), flat(values))


def small_case(cli, n=5, d=8, seed=4):
    """A context and weights that plain Python evaluates in no time."""
    x, data = gaussian(n, d, 1.0, seed)
    cli.write("X.npy", data)
    w, data = gaussian(d, d, 1 / math.sqrt(d), seed + 1)
    cli.write("W.npy", data)
    v, data = gaussian(20, n * d, 1 / math.sqrt(n * d), seed + 2)
    cli.write("V.npy", data)
    return x, {"raf": ("W.npy", w), "relu-raf": ("W.npy", w), "rf": ("V.npy", v)}


def copy_reference(cli, options, name):
    for folder in (os.path.join(options["source"], "tests", "reference"),
                   os.path.join(options["shared"], "reference")):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            shutil.copy(path, cli.path(name))
            return
    raise Skip(f"{name} is not here")


def without_time(text):
    return re.sub(r'"seconds": [^,]*', '"seconds": 0', text)


def describe_tokens(cli, *arguments, **named):
    found = cli.json("tokens", "--json", *arguments, **named)
    equal(list(found), ["ids", "tokens", "unknown"], "members of tokens --json")
    return found


# ---- tokens and info ----

@case
def tokens_of_a_text(cli, options):
    found = describe_tokens(cli, "--text", TEXT)
    equal(found["tokens"], ["[CLS]", "i", "love", "her", "much", "[SEP]"], "tokens")
    equal(found["unknown"], [], "unknown")
    equal(len(set(found["ids"])), 6, "ids")
    bare = describe_tokens(cli, "--text", TEXT, "--no-special")
    equal(bare["ids"], found["ids"][1:-1], "ids without the special tokens")
    again = describe_tokens(cli, "--ids", ",".join(str(i) for i in found["ids"]))
    equal(again["tokens"], found["tokens"], "tokens of ids")


@case
def unknown_tokens(cli, options):
    found = describe_tokens(cli, "--text", "love \U0001f986 much")
    equal(found["unknown"], [2], "positions of the unknown")
    equal(found["tokens"][2], "[UNK]", "the unknown token")
    table = cli.text("tokens", "--text", "love \U0001f986 much").splitlines()
    equal(len(table), 5, "rows of the table")
    equal(table[2].split()[0], "2", "positions count from 0")
    true("unknown" in table[2] and "special" in table[0], "\n".join(table))
    # All of a text may be unknown, or there may be none: that is an answer, not an error.
    found = describe_tokens(cli, "--text", "\U0001f986 \U0001f986")
    equal([found["tokens"], found["unknown"]], [["[CLS]", "[UNK]", "[UNK]", "[SEP]"], [1, 2]], "nothing known")
    found = describe_tokens(cli, "--text", "")
    equal([found["tokens"], found["unknown"]], [["[CLS]", "[SEP]"], []], "an empty text")


@case
def text_from_everywhere(cli, options):
    expected = describe_tokens(cli, "--text", TEXT)
    cli.write("text.txt", TEXT + "\n")
    cli.write("bom.txt", "\ufeff" + TEXT + "\r\n")
    equal(describe_tokens(cli, "--text-file", "text.txt"), expected, "from a file")
    equal(describe_tokens(cli, "--text-file=bom.txt"), expected, "from a file with a byte order mark")
    equal(describe_tokens(cli, "--text-file", "-", stdin=TEXT), expected, "from standard input")
    equal(describe_tokens(cli, "--set", cli.text("info", "list").split()[0], "--text", TEXT), expected, "by name")


@case
def umlauts_in_any_locale(cli, options):
    expected = describe_tokens(cli, "--text", "Größe über alles")
    for locale in ("C", "C.UTF-8", "POSIX"):
        found = cli.json("tokens", "--json", "--text", "Größe über alles",
                         environment={"LC_ALL": locale, "LANG": locale})
        equal(found, expected, locale)


@case
def info_of_the_sample(cli, options):
    found = cli.json("info", "--json")
    equal(found["kind"], "checkpoint", "kind")
    equal(found["dims"], 384, "dims")
    equal(found["layers"], ["word", "0"], "layers")
    equal((found["attention_layers"], found["attention_heads"]), (1, 12), "trained attention")
    equal(found["details"]["Family"], "BERT", "family")
    true(re.fullmatch("[0-9a-f]{64}", found["sha256"]), "SHA-256")
    text = cli.text("info")
    true(found["sha256"] in text and "384" in text and str(found["entries"]) in text, text)


@case
def words_from_a_table(cli, options):
    cli.write("words.txt", "alpha 3 0 4\nbeta 0 5 0\ngamma 1 1 1\n")
    found = describe_tokens(cli, "--set", "words.txt", "--text", "gamma nothing alpha")
    equal(found["ids"], [2, None, 0], "ids")
    equal(found["unknown"], [1], "unknown")
    cli.text("context", "--set", "words.txt", "--text", "gamma nothing alpha", "--normalise", "none", "--output", "X")
    equal(read_rows(cli.path("X")), [[1, 1, 1], [3, 0, 4]], "rows of the known words")
    equal(cli.json("info", "words.txt", "--json")["kind"], "words", "kind")


# ---- context ----

def context(cli, *arguments):
    cli.text("context", *arguments, "--output", "context.npy")
    return read_rows(cli.path("context.npy"))


@case
def context_of_a_text(cli, options):
    rows = context(cli, "--text", TEXT)
    equal((len(rows), len(rows[0])), (6, 384), "shape")
    for row in rows:
        close(norm(row), math.sqrt(384), what="norm of a row")
    equal(context(cli, "--text", TEXT, "--normalise", "paper"), rows, "the default is paper")
    equal(context(cli, "--text", TEXT, "--layer", "0"), rows, "the default is layer 0")
    true(context(cli, "--text", TEXT, "--layer", "word") != rows, "layers differ")


@case
def normalisations_agree(cli, options):
    raw = context(cli, "--text", TEXT, "--normalise", "none")
    paper = context(cli, "--text", TEXT)
    centred = context(cli, "--text", TEXT, "--normalise", "centre")
    d = len(raw[0])
    means = [math.fsum(column) / len(raw) for column in zip(*raw)]
    for i, row in enumerate(raw):
        scale = math.sqrt(d) / norm(row)
        middle = [value - mean for value, mean in zip(row, means)]
        middle_scale = math.sqrt(d) / norm(middle)
        for j in range(d):
            close(paper[i][j], row[j] * scale, absolute=1e-12, what="paper")
            close(centred[i][j], middle[j] * middle_scale, relative=1e-7, absolute=1e-9, what="centre")


@case
def dims_cut_before_normalising(cli, options):
    raw = context(cli, "--text", TEXT, "--normalise", "none")
    cut = context(cli, "--text", TEXT, "--dims", "16")
    equal(len(cut[0]), 16, "columns")
    for row, full in zip(cut, raw):
        for value, stored in zip(row, full):
            close(value, stored * 4 / norm(full[:16]), absolute=1e-12, what="entry")


@case
def a_ready_context_is_taken_as_it_is(cli, options):
    x, _ = small_case(cli)
    equal(context(cli, "--context", "X.npy"), x, "--context")
    equal(context(cli, "--context", "X.npy", "--normalise", "none", "--dims", "3"), [row[:3] for row in x], "--dims")
    scaled = context(cli, "--context", "X.npy", "--normalise", "paper")
    close(norm(scaled[0]), math.sqrt(8), what="scaled when asked")
    # As a set it is a set: scaled unless told otherwise.
    equal(context(cli, "--set", "X.npy"), scaled, "--set")
    equal(context(cli, "--set=X.npy", "--normalise=none"), x, "--set as stored")


@case
def one_axis_is_one_row(cli, options):
    cli.write("X.npy", make_npy((3,), [3, 0, 4]))
    for name in ("--set", "--context"):
        result = cli.run("context", name, "X.npy", "--normalise", "none", "--output", "row.npy")
        equal(result.returncode, 0, result.stderr.decode())
        true("one axis" in result.stderr.decode(), result.stderr.decode())
        equal(read_npy(cli.path("row.npy")), ((1, 3), [3, 0, 4]), name)


@case
def a_table_with_words_is_called_so(cli, options):
    cli.write("X.npy", make_npy((2, 3), [3, 0, 4, 1, 1, 1]))
    cli.write("words.txt", "alpha\nbeta\n")
    equal(cli.json("info", "X.npy", "--words", "none", "--json")["format"], "NumPy context", "rows alone")
    found = cli.json("info", "X.npy", "--words", "words.txt", "--json")
    equal((found["kind"], found["format"]), ("words", "NumPy table with a word list"), "with words")


def numpy(cli, lines):
    """Runs lines with NumPy in the folder of the program; Skip where there is none."""
    python = next((name for name in ("/usr/bin/python3", "python3") if subprocess.run(
        [name, "-c", "import numpy"], capture_output=True, check=False).returncode == 0), None)
    if python is None:
        raise Skip("no NumPy")
    subprocess.run([python, "-c", "\n".join(lines)], cwd=cli.folder, check=True)


@case
def recipes_of_arrays_work(cli, options):
    rows = "np.array([[1, 0], [2, 4]])"
    makers = {"complex": (f"{rows} + 0j", [1, 0, 2, 4]), "truth values": (f"{rows} > 0", [1, 0, 1, 1]),
              "long double": (f"{rows}.astype(np.longdouble)", [1, 0, 2, 4]),
              "bfloat16": (f"({rows}.astype('float32').view('uint32') >> 16).astype('uint16').view('V2')", [1, 0, 2, 4]),
              "records": ("np.array([(1, 0.0), (2, 4.0)], dtype=[('a', 'i4'), ('b', 'f8')])", [1, 0, 2, 4]),
              "objects": (f"{rows}.astype(object)", [1, 0, 2, 4])}
    for name, (maker, expected) in makers.items():
        numpy(cli, ["import numpy as np", f"np.save('in.npy', {maker}, allow_pickle=True)"])
        for command in (["info", "in.npy"], ["context", "--context", "in.npy", "--output", "x.npy"]):
            result = cli.run(*command)
            message = result.stderr.decode()
            equal(result.returncode, 1, f"{name}: {message}")
            numpy(cli, [line.strip() for line in message.splitlines() if line.startswith("  ")])
        cli.text("context", "--context", "out.npy", "--output", "x.npy")
        equal(flat(read_rows(cli.path("x.npy"))), expected, name)
        os.remove(cli.path("out.npy"))
    numpy(cli, ["import numpy as np", "np.save('in.npy', np.array(['one', 'two']))"])
    message = cli.run("info", "in.npy").stderr.decode()
    true("--words" in message and "astype" not in message, f"text has words, no numbers: {message}")


@case
def float32_context(cli, options):
    copy_reference(cli, options, "gauss-n10-d64.X.npy")
    shape, values = read_npy(cli.path("gauss-n10-d64.X.npy"))
    equal(flat(context(cli, "--context", "gauss-n10-d64.X.npy")), values, "float32 is widened exactly")


# ---- features and attention ----

@case
def features_by_the_definition(cli, options):
    x, weights = small_case(cli)
    for name, (file, values) in weights.items():
        cli.text("features", "--map", name, "--context", "X.npy", "--weights", file, "--output", "phi.npy")
        shape, found = read_npy(cli.path("phi.npy"))
        equal(shape, (20,) if name == "rf" else (5, 8), f"{name}: shape")
        for a, b in zip(found, features(name, x, values)):
            close(a, b, absolute=1e-13, what=name)


@case
def features_of_the_reference(cli, options):
    for name in ("raf", "relu-raf", "rf"):
        stem = "gauss-n10-d64"
        weights = f"{stem}.V.npy" if name == "rf" else f"{stem}.W.npy"
        for file in (f"{stem}.X.npy", weights, f"{stem}.{name}.phi.npy"):
            copy_reference(cli, options, file)
        cli.text("features", "--map", name, "--context", f"{stem}.X.npy", "--weights", weights, "--output", "phi.npy")
        shape, found = read_npy(cli.path("phi.npy"))
        expected_shape, expected = read_npy(cli.path(f"{stem}.{name}.phi.npy"))
        equal(shape, expected_shape, name)
        difference = norm([a - b for a, b in zip(found, expected)])
        true(difference <= 1e-9 * norm(expected), f"{name}: {difference:g}")


@case
def features_of_a_seed(cli, options):
    small_case(cli)
    for name in ("rf", "relu-raf", "raf"):
        first = ["features", "--map", name, "--context", "X.npy"]
        cli.text(*first, "--output", "default.npy")
        cli.text(*first, "--seed", "1", "--output", "one.npy")
        cli.text(*first, "--seed", "2", "--output", "two.npy")
        equal(cli.bytes("default.npy"), cli.bytes("one.npy"), f"{name}: the default seed is 1")
        true(cli.bytes("one.npy") != cli.bytes("two.npy"), f"{name}: seeds differ")
    cli.text("features", "--map", "rf", "--context", "X.npy", "--output", "phi.npy")
    equal(read_npy(cli.path("phi.npy"))[0], (4096,), "the default k")
    cli.text("features", "--map", "rf", "--context", "X.npy", "--features", "nd", "--output", "phi.npy")
    equal(read_npy(cli.path("phi.npy"))[0], (40,), "k = nd")


@case
def attention_by_the_definition(cli, options):
    x, weights = small_case(cli)
    for name in ("raf", "relu-raf"):
        file, w = weights[name]
        cli.text("attention", "--map", name, "--context", "X.npy", "--weights", file, "--output", "A.npy")
        found = read_rows(cli.path("A.npy"))
        for a, b in zip(flat(found), flat(attention(x, w, name == "raf"))):
            close(a, b, absolute=1e-14, what=name)


@case
def attention_makes_the_features(cli, options):
    for name in ("raf", "relu-raf"):
        line = ["--map", name, "--text", TEXT, "--seed", "9"]
        cli.text("attention", *line, "--output", "A.npy")
        cli.text("features", *line, "--output", "phi.npy")
        a, phi = read_rows(cli.path("A.npy")), read_rows(cli.path("phi.npy"))
        x = context(cli, "--text", TEXT)
        for row, expected in zip(a, phi):
            close(math.fsum(row), 1, relative=1e-12, what="a row of weights")
            for j, column in enumerate(zip(*x)):
                close(dot(row, column), expected[j], absolute=1e-10, what=name)


@case
def trained_attention(cli, options):
    heads = []
    for head in range(12):
        cli.text("attention", "--text", TEXT, "--layer", "1", "--head", str(head), "--output", "A.npy")
        heads.append(flat(read_rows(cli.path("A.npy"))))
    cli.text("attention", "--text", TEXT, "--head", "all", "--output", "A.npy")
    equal(read_npy(cli.path("A.npy")), ((12, 6, 6), flat(heads)), "all heads in one array")
    for arguments in (["--layer", "1"], ["--head", "mean"], ["--layer", "1", "--head", "mean"]):
        cli.text("attention", "--text", TEXT, *arguments, "--output", "A.npy")
        rows = read_rows(cli.path("A.npy"))
        for row in rows:
            close(math.fsum(row), 1, relative=1e-6, what="a row of weights")
        for found, values in zip(flat(rows), zip(*heads)):
            close(found, math.fsum(values) / 12, relative=1e-6, absolute=1e-9, what=str(arguments))


def small_models(options):
    """Folder, ids, states and weights of every small checkpoint that the tests bring along."""
    root = os.path.join(options["source"], "tests", "data", "embeddings", "checkpoints")
    for name in sorted(os.listdir(root)):
        folder = os.path.join(root, name)
        if not os.path.exists(os.path.join(folder, "hidden.npy")):
            continue
        with open(os.path.join(folder, "ids.json"), encoding="utf-8") as file:
            ids = json.load(file)
        ids = ids["ids"] if isinstance(ids, dict) else ids
        yield folder, ",".join(map(str, ids)), read_npy(os.path.join(folder, "hidden.npy")), \
            read_npy(os.path.join(folder, "attention.npy"))


@case
def every_layer_of_the_small_models(cli, options):
    seen = 0
    for folder, ids, ((layers, n, d), hidden), ((blocks, heads, _, _), weights) in small_models(options):
        info = cli.json("info", folder, "--json")
        equal(info["layers"], ["word", *map(str, range(layers))], folder)
        equal((info["attention_layers"], info["attention_heads"]), (blocks, heads), folder)
        for layer in range(layers):
            found = flat(context(cli, "--set", folder, "--ids", ids, "--layer", str(layer), "--normalise", "none"))
            for a, b in zip(found, hidden[layer * n * d:(layer + 1) * n * d], strict=True):
                close(a, b, absolute=1e-4, what=f"{folder}, layer {layer}")
        for block in range(1, blocks + 1):
            cli.text("attention", "--set", folder, "--ids", ids, "--layer", str(block), "--head", "all",
                     "--output", "A.npy")
            shape, found = read_npy(cli.path("A.npy"))
            equal(shape, (heads, n, n), folder)
            for a, b in zip(found, weights[(block - 1) * heads * n * n:block * heads * n * n], strict=True):
                close(a, b, absolute=1e-4, what=f"{folder}, block {block}")
        seen += 1
    equal(seen, 7, "small models")


@case
def every_layer_of_the_reference(cli, options):
    folder = os.path.join(options["shared"], "data", "minilm")
    if not os.path.exists(folder):
        raise Skip("the reference checkpoint is not here")
    reference = os.path.join(options["shared"], "reference", "checkpoint", "love-much.")
    (layers, n, d), hidden = read_npy(reference + "hidden.npy")
    (blocks, heads, _, _), weights = read_npy(reference + "attention.npy")
    for layer in range(layers):
        found = flat(context(cli, "--set", folder, "--text", TEXT, "--layer", str(layer), "--normalise", "none"))
        for a, b in zip(found, hidden[layer * n * d:(layer + 1) * n * d], strict=True):
            close(a, b, absolute=1e-4, what=f"layer {layer}")
    for block in range(1, blocks + 1):
        cli.text("attention", "--set", folder, "--text", TEXT, "--layer", str(block), "--head", "all",
                 "--output", "A.npy")
        for a, b in zip(read_npy(cli.path("A.npy"))[1], weights[(block - 1) * heads * n * n:], strict=False):
            close(a, b, absolute=1e-4, what=f"block {block}")


@case
def trained_attention_of_the_reference(cli, options):
    path = os.path.join(options["shared"], "reference", "checkpoint", "love-much.attention.npy")
    if not os.path.exists(path):
        raise Skip("the reference checkpoint is not here")
    shape, values = read_npy(path)
    equal(shape, (6, 12, 6, 6), "reference")
    for head in (0, 11):
        cli.text("attention", "--text", TEXT, "--layer", "1", "--head", str(head), "--output", "A.npy")
        expected = values[head * 36:(head + 1) * 36]
        for found, value in zip(flat(read_rows(cli.path("A.npy"))), expected):
            close(found, value, absolute=2e-3, what=f"head {head}, to the accuracy of float16")


# ---- ws ----

@case
def ws_is_what_its_nudge_does(cli, options):
    x, weights = small_case(cli)
    for name, (file, values) in weights.items():
        for token, radius in ((0, 1.0), (3, 0.5)):
            found = cli.json("ws", "--map", name, "--context", "X.npy", "--weights", file, "--token", str(token),
                             "--radius", str(radius), "--delta", "delta.npy", "--json")
            equal(list(found), WS_KEYS, "members")
            shape, delta = read_npy(cli.path("delta.npy"))
            equal(shape, (8,), "shape of the nudge")
            what = f"{name}, token {token}"
            close(found["ws"], relative_change(name, x, values, token, delta), what=what)
            close(found["delta_norm"], norm(delta), relative=1e-12, what=what)
            true(norm(delta) <= radius * math.sqrt(8) * (1 + 1e-6), f"{what}: the nudge is too long")
            equal((found["map"], found["n"], found["d"], found["token"]), (name, 5, 8, token), what)
            if name in ("raf", "relu-raf"):
                true(found["upper_bound"] >= found["ws"], what)
            else:
                equal(found["upper_bound"], None, what)
            equal((found["radius"], found["effort"], found["seed"]), (radius, "normal", 1), what)
            true(found["evaluations"] > 0 and found["seconds"] >= 0, what)


@case
def ws_beats_random_nudges(cli, options):
    x, weights = small_case(cli)
    numbers = random.Random(8)
    for name, (file, values) in weights.items():
        found = cli.json("ws", "--map", name, "--context", "X.npy", "--weights", file, "--json")["ws"]
        for _ in range(200):
            delta = [numbers.gauss(0, 1) for _ in range(8)]
            scale = math.sqrt(8) / norm(delta)
            change = relative_change(name, x, values, 0, [value * scale for value in delta])
            true(change <= found * (1 + 1e-9), f"{name}: a random nudge does {change}, the search found {found}")


def of_the_map(name):
    """Small weights for those maps whose size is a choice."""
    return {"rf": ["--features", "300"], "drf": ["--depth", "3", "--width", "200"]}.get(name, [])


@case
def ws_has_the_members_of_its_contract(cli, options):
    small_case(cli)
    for name in ("rf", "relu-raf", "raf", "drf"):
        line = ["ws", "--map", name, "--context", "X.npy", "--effort", "quick", "--json"]
        equal(list(cli.json(*line)), WS_KEYS, name)
        every = cli.json(*line, "--token", "all")
        bounds = BOUND_KEYS if name in ("raf", "relu-raf") else []
        equal(list(every), WS_KEYS + ALL_KEYS + bounds, f"{name}, all tokens")
        equal(len(every["per_token_search"]), 5, f"{name}, a word for each token")
        true(every["per_token_search"].count("full") >= 3, f"{name}: three at least are searched in full")
        true(set(every["per_token_search"]) <= {"full", "screened"}, f"{name}: {every['per_token_search']}")
        if name in ("relu-raf", "raf"):
            equal(every["per_token_search"], 5 * ["full"], f"{name}: a short text")
        table = cli.text(*[word for word in line if word != "--json"], "--token", "all")
        for word in ("full", "screened"):
            equal(table.count(f"  {word}\n"), every["per_token_search"].count(word), f"{name}: {word} in the table")
    line = ["ws", "--context", "X.npy", "--effort", "quick", "--json", "--map"]
    asked = {"features": ["rf", "--features", "9"], "predicted": ["rf", "--theory"]}
    for member, more in asked.items():
        equal(list(cli.json(*line, *more)), WS_KEYS + [member], str(more))
        equal(list(cli.json(*line, *more, "--token", "all")), WS_KEYS + ALL_KEYS + [member], str(more))
    for more in (["--depth", "2"], ["--width", "9"], ["--depth", "2", "--width", "9"]):
        equal(list(cli.json(*line, "drf", *more)), WS_KEYS + ["depth", "width"], str(more))


@case
def one_token_and_all_share_their_weights(cli, options):
    small_case(cli)
    for name in ("rf", "drf", "raf", "relu-raf"):
        line = ["ws", "--map", name, "--context", "X.npy", "--seed", "6", *of_the_map(name), "--json"]
        every = cli.json(*line, "--token", "all")
        for token, value in enumerate(every["per_token"]):
            one = cli.json(*line, "--token", str(token))["ws"]
            # Tokens that are only screened find a little less and never more.
            in_full = every["per_token_search"][token] == "full"
            close(value, one, relative=1e-3 if in_full else 0.05, what=f"{name}, token {token}")
            true(value <= one * (1 + 1e-3), f"{name}, token {token}: {value} of all, {one} alone")


@case
def undefined_is_an_error_of_ws(cli, options):
    """Weights under which every score of ReLU-RAF is negative and no unit of RF and DRF is active."""
    cli.write("X.npy", make_npy((3, 2), [1, 2, 2, 1, 1, 1]))
    cli.write("W.npy", make_npy((2, 2), [-1, 0, 0, -1]))
    cli.write("V.npy", make_npy((4, 6), [-1] * 24))
    write_network(cli, "W.npz", [[[-1] * 6] * 4, [[1] * 4] * 2])
    for name, file, screen in (("relu-raf", "W.npy", "ReLU-RAF"), ("rf", "V.npy", "RF"), ("drf", "W.npz", "DRF")):
        for token in ("0", "2", "all"):
            result = cli.run("ws", "--map", name, "--context", "X.npy", "--weights", file, "--token", token, "--json")
            message = result.stderr.decode()
            equal((result.returncode, result.stdout), (1, b""), f"{name}, token {token}: {message}")
            for word in (screen, "undefined", "n = 3", "d = 2", "zero"):
                true(word in message, f"{word} in {message}")
    cli.write("one.npy", make_npy((1, 2), [1, 2]))
    message = cli.run("ws", "--map", "raf", "--context", "one.npy", "--token", "1").stderr.decode()
    true("the context has 1 token, counted from 0" in message, message)
    found = cli.json("ws", "--map", "raf", "--context", "X.npy", "--weights", "W.npy", "--json")
    true(found["ws"] > 0, "softmax-RAF is always defined")


@case
def ws_of_a_seed_is_of_its_features(cli, options):
    for name in ("raf", "relu-raf", "rf", "drf"):
        line = ["--map", name, "--text", TEXT, "--seed", "5", *of_the_map(name)]
        found = cli.json("ws", *line, "--token", "2", "--effort", "quick", "--delta", "delta.npy", "--json")
        x = context(cli, "--text", TEXT)
        delta = read_npy(cli.path("delta.npy"))[1]
        x[2] = [a + b for a, b in zip(x[2], delta)]
        cli.write("nudged.npy", make_npy((6, 384), flat(x)))
        cli.text("features", *line, "--output", "before.npy")
        cli.text("features", "--map", name, "--context", "nudged.npy", "--seed", "5", *of_the_map(name),
                 "--output", "after.npy")
        before, after = read_npy(cli.path("before.npy"))[1], read_npy(cli.path("after.npy"))[1]
        close(found["ws"], norm([b - a for a, b in zip(before, after)]) / norm(before), what=name)


@case
def ws_of_all_tokens(cli, options):
    x, weights = small_case(cli)
    for name, (file, values) in weights.items():
        found = cli.json("ws", "--map", name, "--context", "X.npy", "--weights", file, "--token", "all",
                         "--delta", "delta.npy", "--json")
        each = found["per_token"]
        equal(len(each), 5, f"{name}: values")
        equal(list(found)[:13], WS_KEYS, f"{name}: members")
        equal(found["ws"], max(each), f"{name}: the largest")
        equal(found["token"], each.index(max(each)), f"{name}: its token")
        delta = read_npy(cli.path("delta.npy"))[1]
        close(found["ws"], relative_change(name, x, values, found["token"], delta), what=name)


@case
def rf_of_all_tokens_shares_its_weights(cli, options):
    small_case(cli)
    line = ["--map", "rf", "--context", "X.npy", "--seed", "6", "--features", "50"]
    found = cli.json("ws", *line, "--token", "all", "--delta", "delta.npy", "--json")
    equal(found["features"], 50, "features")
    x = read_rows(cli.path("X.npy"))
    token, delta = found["token"], read_npy(cli.path("delta.npy"))[1]
    cli.text("features", *line, "--output", "before.npy")
    x[token] = [a + b for a, b in zip(x[token], delta)]
    cli.write("X.npy", make_npy((5, 8), flat(x)))
    cli.text("features", *line, "--output", "after.npy")
    before, after = read_npy(cli.path("before.npy"))[1], read_npy(cli.path("after.npy"))[1]
    close(found["ws"], norm([b - a for a, b in zip(before, after)]) / norm(before), what="rf")


def deep_change(cli, before, x, token, delta, *line):
    """The relative change of the features that a nudge makes, by the features command."""
    moved = [list(row) for row in x]
    moved[token] = [a + b for a, b in zip(moved[token], delta)]
    cli.write("moved.npy", make_npy((len(x), len(x[0])), flat(moved)))
    cli.text("features", *line, "--context", "moved.npy", "--output", "after.npy")
    after = read_npy(cli.path("after.npy"))[1]
    return norm([b - a for a, b in zip(before, after)]) / norm(before)


@case
def one_layer_is_rf(cli, options):
    small_case(cli)
    line = ["--context", "X.npy", "--seed", "6"]
    cli.text("features", "--map", "rf", *line, "--features", "50", "--output", "rf.npy")
    cli.text("features", "--map", "drf", *line, "--depth", "1", "--width", "50", "--output", "drf.npy")
    flat_one, deep_one = read_npy(cli.path("rf.npy")), read_npy(cli.path("drf.npy"))
    equal(deep_one[0], (50,), "shape")
    for a, b in zip(flat_one[1], deep_one[1]):
        close(b, math.sqrt(2) * a, relative=1e-12, what="one layer is rf with weights sqrt(2) times as large")


@case
def drf_of_all_tokens_shares_its_weights(cli, options):
    small_case(cli)
    x = read_rows(cli.path("X.npy"))
    for depth in ("1", "3", "16"):
        line = ["--map", "drf", "--seed", "6", "--depth", depth, "--width", "40"]
        found = cli.json("ws", *line, "--context", "X.npy", "--token", "all", "--delta", "delta.npy", "--json")
        equal(list(found), WS_KEYS + ALL_KEYS + ["depth", "width"], "members")
        equal((found["map"], found["depth"], found["width"]), ("drf", int(depth), 40), "network")
        delta = read_npy(cli.path("delta.npy"))[1]
        cli.text("features", *line, "--context", "X.npy", "--output", "before.npy")
        before = read_npy(cli.path("before.npy"))[1]
        equal(len(before), 40, "features")
        close(found["ws"], deep_change(cli, before, x, found["token"], delta, *line), what=f"depth {depth}")
        numbers = random.Random(8)
        for _ in range(10):
            delta = [numbers.gauss(0, 1) for _ in range(8)]
            scale = math.sqrt(8) / norm(delta)
            change = deep_change(cli, before, x, 2, [value * scale for value in delta], *line)
            true(change <= found["ws"], f"a random nudge does {change}, the search found {found['ws']}")


@case
def drf_of_a_given_network(cli, options):
    x, _ = small_case(cli)
    layers = [gaussian(rows, columns, math.sqrt(2 / columns), 40 + rows)[0]
              for rows, columns in ((20, 40), (31, 20), (15, 31))]
    write_network(cli, "W.npz", layers)
    cli.text("features", "--map", "drf", "--context", "X.npy", "--weights", "W.npz", "--output", "phi.npy")
    before = deep_features(x, layers)
    shape, found = read_npy(cli.path("phi.npy"))
    equal(shape, (15,), "shape")
    for a, b in zip(found, before):
        close(a, b, relative=1e-12, absolute=1e-14, what="features")
    table = cli.text("ws", "--map", "drf", "--context", "X.npy", "--weights", "W.npz", "--effort", "quick")
    true("3 layers of 15" in table, table)
    write_network(cli, "one.npz", layers[:1])
    table = cli.text("ws", "--map", "drf", "--context", "X.npy", "--weights", "one.npz", "--effort", "quick")
    true("1 layer of 20" in table, table)
    for token in ("2", "all"):
        found = cli.json("ws", "--map", "drf", "--context", "X.npy", "--weights", "W.npz", "--token", token,
                         "--delta", "delta.npy", "--json")
        moved = [list(row) for row in x]
        delta = read_npy(cli.path("delta.npy"))[1]
        moved[found["token"]] = [a + b for a, b in zip(moved[found["token"]], delta)]
        after = deep_features(moved, layers)
        close(found["ws"], norm([a - b for a, b in zip(after, before)]) / norm(before), what=f"token {token}")


@case
def networks_that_are_none(cli, options):
    small_case(cli)
    good = [gaussian(rows, columns, 1.0, rows)[0] for rows, columns in ((20, 40), (31, 20), (15, 31))]
    write_network(cli, "gap.npz", good, names="V1 V3 V4")
    write_network(cli, "no-first.npz", good, names="V2 V3 V4")
    write_network(cli, "order.npz", [good[0], good[2], good[1]])
    write_network(cli, "other-context.npz", good[1:])
    write_network(cli, "deep.npz", [good[0]] + [gaussian(20, 20, 0.3, 5)[0]] * 16,
                  names=" ".join(f"V{number}" for number in range(1, 18)))
    cli.write("broken.npz", b"PK\x03\x04 and no more")
    for file, word in (("gap.npz", "V2"), ("no-first.npz", "V1"), ("order.npz", "layer"), ("broken.npz", "broken.npz"),
                       ("other-context.npz", "columns"), ("deep.npz", "17"), ("missing.npz", "missing.npz")):
        result = cli.run("ws", "--map", "drf", "--context", "X.npy", "--weights", file)
        equal(result.returncode, 1, file)
        true(word in result.stderr.decode(), f"{file}: {result.stderr.decode()}")


@case
def deep_defaults(cli, options):
    small_case(cli)
    line = ["ws", "--map", "drf", "--context", "X.npy", "--effort", "quick", "--json"]
    explicit = without_time(cli.text(*line, "--depth", "4", "--width", "1024"))
    equal(explicit.replace(', "depth": 4, "width": 1024', ""), without_time(cli.text(*line)), "drf")


@case
def rf_is_near_its_prediction(cli, options):
    _, data = gaussian(20, 32, 1.0, 3)
    cli.write("X.npy", data)
    line = ["ws", "--map", "rf", "--context", "X.npy", "--normalise", "paper", "--seed", "6", "--theory"]
    found = cli.json(*line, "--json")
    close(found["predicted"], found["ws"], relative=0.03, what="prediction")
    best = cli.json(*line, "--token", "all", "--json")
    true(abs(best["predicted"] / best["ws"] - 1) < 0.25, f"the prediction for the best of all: {best}")


@case
def ws_has_a_certified_bound(cli, options):
    _, data = gaussian(12, 16, 1.0, 5)
    cli.write("X.npy", data)
    for name in ("raf", "relu-raf"):
        line = ["ws", "--map", name, "--context", "X.npy", "--normalise", "paper", "--seed", "2", "--json"]
        none, quick, tight = (cli.json(*line, "--bound", bound) for bound in ("none", "quick", "tight"))
        equal(none["upper_bound"], None, name)
        true(tight["ws"] <= tight["upper_bound"] <= quick["upper_bound"], f"{name}: {tight}, {quick}")
        equal([result["ws"] for result in (none, quick)], [tight["ws"]] * 2, name)
        equal(cli.json(*line)["upper_bound"], tight["upper_bound"], f"{name}: tight is the default")
        every = [cli.json(*line, "--token", str(i))["upper_bound"] for i in range(12)]
        found = cli.json(*line, "--token", "all", "--bound", "tight")
        close(found["upper_bound"], max(every), relative=1e-6, what=f"{name}: the largest of all tokens")
        equal(cli.json(*line, "--token", "all")["upper_bound"],
              cli.json(*line, "--token", "all", "--bound", "quick")["upper_bound"], f"{name}: quick for all")
        found = cli.json(*line, "--token", "all")
        equal(found["upper_bound_kind"], "quick", name)
        close(found["token_upper_bound"], every[found["token"]], relative=1e-2, what=f"{name}: tight for the largest")
        true(found["ws"] <= found["token_upper_bound"] <= found["upper_bound"], f"{name}: {found}")
        true("token_upper_bound" not in cli.json(*line, "--token", "all", "--bound", "none"), name)
    for name in ("rf", "drf"):
        line = ["ws", "--map", name, "--context", "X.npy", "--effort", "quick"]
        equal(cli.json(*line, "--json")["upper_bound"], None, name)
        result = cli.run(*line, "--bound", "quick")
        equal(result.returncode, 2, name)
        true("raf and relu-raf" in result.stderr.decode(), result.stderr.decode())


@case
def ws_defaults(cli, options):
    small_case(cli)
    for name in ("rf", "relu-raf", "raf"):
        line = ["ws", "--map", name, "--context", "X.npy", "--json"]
        explicit = ["--token", "0", "--radius", "1", "--effort", "normal", "--seed", "1"]
        if name == "rf":
            explicit += ["--features", "4096"]
        found = without_time(cli.text(*line, *explicit)).replace(', "features": 4096', "")
        equal(found, without_time(cli.text(*line)), name)


@case
def ws_is_repeatable(cli, options):
    small_case(cli)
    for name in ("rf", "relu-raf", "raf"):
        line = ["ws", "--map", name, "--context", "X.npy", "--seed", "3", "--effort", "quick", "--json"]
        one = without_time(cli.text(*line, "--delta", "one.npy", environment={"OPENBLAS_NUM_THREADS": "1"}))
        two = without_time(cli.text(*line, "--delta", "two.npy", environment={"OPENBLAS_NUM_THREADS": "2"}))
        equal(one, two, name)
        equal(cli.bytes("one.npy"), cli.bytes("two.npy"), name)
        true(cli.json(*line, "--seed=4")["ws"] != cli.json(*line)["ws"], "seeds differ")


@case
def radius_widens(cli, options):
    small_case(cli)
    line = ["ws", "--map", "rf", "--context", "X.npy", "--weights", "V.npy", "--json"]
    found = [cli.json(*line, "--radius", radius)["ws"] for radius in ("0.25", "1", "4e0")]
    equal(found, sorted(found), "a larger ball has a larger supremum")
    true(found[0] < found[1] < found[2], str(found))


@case
def ws_table(cli, options):
    text = cli.text("ws", "--map", "rf", "--text", TEXT, "--effort", "quick", "--features", "64", "--token", "all")
    rows = dict(re.findall(r"^(\S+(?: \S+)?)  +(\S.*)$", text, re.M))
    equal(rows["map"], "rf", "map")
    equal(rows["context"], "6 x 384", "context")
    true(0 < float(rows["ws found"]) < 10, text)
    equal(len(re.findall(r"^ +\d  \S+ +\d\.\d+  (?:full|screened)$", text, re.M)), 6, text)


@case
def stdout_is_pure(cli, options):
    result = cli.run("ws", "--map", "rf", "--text", TEXT, "--token", "all", "--effort", "quick", "--features", "64",
                     "--json", "--progress")
    equal(result.returncode, 0, "status")
    equal(result.stdout.count(b"\n"), 1, "lines on standard output")
    true(b"6 of 6" in result.stderr, "progress on standard error")


@case
def ws_is_cancelled_cleanly(cli, options):
    _, data = gaussian(300, 128, 1.0, 2)
    cli.write("X.npy", data)
    line = [cli.binary, "ws", "--map", "relu-raf", "--context", "X.npy", "--token", "all", "--effort", "thorough",
            "--delta", "delta.npy", "--json", "--progress"]
    with subprocess.Popen(line, cwd=cli.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        try:
            output, message = process.communicate(timeout=30)
        finally:
            process.kill()
    equal((process.returncode, output), (1, b""), f"status and output: {message!r}")
    true(b"cancelled" in message.lower(), message)
    equal(os.listdir(cli.folder), ["X.npy"], "files")


def interrupt_on_terminal(cli, number, shown, *arguments):
    """Waits until a terminal is shown that the work goes on, and sends a signal. What came out, and what was shown."""
    terminal, end = pty.openpty()
    with subprocess.Popen([cli.binary, *arguments], cwd=cli.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=end) as process:
        os.close(end)
        message, output = b"", None
        try:
            while shown not in message:
                message += os.read(terminal, 4096)
            process.send_signal(number)
            output, _ = process.communicate(timeout=60)
            while part := os.read(terminal, 4096):
                message += part
        except OSError:  # nobody writes to the terminal any more
            pass
        finally:
            process.kill()
            os.close(terminal)
    return process.returncode, output, message.decode()


@case
def loading_and_hashing_are_cancelled(cli, options):
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        print(f"# skipped: progress is shown on a terminal, and there is none to be had here ({error})")
        return
    header = json.dumps({"E": {"dtype": "F32", "shape": [1 << 24, 1024], "data_offsets": [0, 1 << 36]}}).encode()
    with open(cli.path("large.safetensors"), "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.truncate(8 + len(header) + (1 << 36))
    part = gzip.compress(b"ah 1 2 3 4 5 6 7 8\n" * 1000000)
    with open(cli.path("large.txt.gz"), "wb") as file:
        for _ in range(1000):
            file.write(part)
    cases = [(b"SHA-256", "info", "large.safetensors"), (b"Loading", "info", "large.txt.gz"),
             (b"Loading", "tokens", "--set", "large.txt.gz", "--text", "ah"),
             (b"Loading", "ws", "--map", "rf", "--set", "large.txt.gz", "--text", "ah ah"),
             (b"SHA-256", "curve", "--set", "large.safetensors", "--ids", "1,2", "--n", "2", "--output", "curve.csv")]
    for shown, *arguments in cases:
        for number in (signal.SIGINT, signal.SIGTERM):
            status, output, message = interrupt_on_terminal(cli, number, shown, *arguments)
            equal((status, output), (1, b""), f"{arguments}: {message}")
            true(re.search(f"wordsway-cli {arguments[0]}: Cancelled", message), message)
            true(re.search(r"(SHA-256|Loading): \d+ %", message), message)


@case
def no_progress_without_terminal(cli, options):
    with open(cli.path("table.txt"), "w", encoding="utf-8") as file:
        for i in range(300000):
            file.write(f"w{i} 1 2 3 4 5 6 7 8\n")
    result = cli.run("info", "table.txt")
    equal((result.returncode, result.stderr), (0, b""), "status and standard error")


@case
def one_token_and_one_dimension(cli, options):
    cli.write("one.npy", make_npy((1, 1), [2.0]))
    cli.write("row.npy", make_npy((1, 3), [2.0, 1.0, -1.0]))
    for name in ("rf", "relu-raf", "raf"):
        for file in ("one.npy", "row.npy"):
            result = cli.run("ws", "--map", name, "--context", file, "--json")
            true(result.returncode in (0, 1), f"{name} of {file}: status {result.returncode}")
            true(result.returncode == 0 or len(result.stderr) > 20, f"{name} of {file} says why")
    # Softmax over one token is 1, so the features are the row itself: the change is ||delta|| / ||x||.
    found = cli.json("ws", "--map", "raf", "--context", "row.npy", "--json")
    close(found["ws"], math.sqrt(3) / math.sqrt(6), relative=1e-6, what="one token")


run_main()
