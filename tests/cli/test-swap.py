"""swap: every word of a set in the place of a token, against the plain definition in plain Python."""

import json
import math
import random
import struct

from harness import (case, close, equal, flat, make_npy, norm, read_npy, read_rows, relative_change, run_main, true,
                     write_network)

TEXT = "I love her much"
KEYS = ["token", "word", "swaps", "map", "n", "d", "seed", "left_out", "version"]
WORDS = ["sun", "moon", "star", "sea", "sand", "rain", "wind", "leaf", "stone", "river", "hill"]
SENTENCE = "the moon saw sea and sand with rain"  # four words of the set and four that it lacks


def table(cli, d=5, seed=9):
    """A set of a few words, its vectors (exact in single precision), and weights for a context of four of them."""
    numbers = random.Random(seed)
    vectors = {word: [round(64 * numbers.gauss(0.3, 1)) / 64 for _ in range(d)] for word in WORDS}
    cli.write("words.txt", "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in vectors.items()))
    w = [[numbers.gauss(0, 1 / math.sqrt(d)) for _ in range(d)] for _ in range(d)]
    cli.write("W.npy", make_npy((d, d), flat(w)))
    v = [[numbers.gauss(0, 0.3) for _ in range(4 * d)] for _ in range(30)]
    cli.write("V.npy", make_npy((30, 4 * d), flat(v)))
    layers = [v, [[numbers.gauss(0, 0.3) for _ in range(30)] for _ in range(12)],
              [[numbers.gauss(0, 0.4) for _ in range(12)] for _ in range(25)]]
    write_network(cli, "V.npz", layers)
    return vectors, {"raf": ("W.npy", w), "relu-raf": ("W.npy", w), "rf": ("V.npy", v), "drf": ("V.npz", layers)}


def normalise(rows, how, others):
    """`others` in the way in which `how` treats a context of `rows`."""
    d = len(rows[0])
    means = [math.fsum(column) / len(rows) for column in zip(*rows)] if how == "centre" else [0.0] * d
    moved = [[a - b for a, b in zip(row, means)] for row in others]
    return moved if how == "none" else [[a * math.sqrt(d) / norm(row) for a in row] for row in moved]


def check_swaps(swaps, expected, top, what):
    """`expected`: word to change. Ranked, complete down to `top`, every value right."""
    ranked = sorted(expected.items(), key=lambda pair: -pair[1])
    equal(len(swaps), min(top, len(expected)), f"{what}: length")
    for swap, (word, change) in zip(swaps, ranked):
        equal(swap["word"], word, f"{what}: order")
        close(swap["change"], change, 1e-9, 1e-14, f"{what}: {word}")


@case
def values_of_every_word(cli, options):
    vectors, weights = table(cli)
    words = ["moon", "sea", "sand", "rain"]
    for how in ("paper", "none", "centre"):
        raw = [vectors[word] for word in words]
        x = normalise(raw, how, raw)
        y = dict(zip(WORDS, normalise(raw, how, list(vectors.values()))))
        for name, (file, matrix) in weights.items():
            for token in (0, 3):
                expected = {word: relative_change(name, x, matrix, token, [a - b for a, b in zip(row, x[token])])
                            for word, row in y.items()}
                found = cli.json("swap", "--set", "words.txt", "--text", SENTENCE, "--map", name, "--weights", file,
                                 "--token", str(token), "--normalise", how, "--json")
                equal(list(found), KEYS, "members")
                equal((found["token"], found["word"], found["n"], found["d"]), (token, words[token], 4, 5), "facts")
                check_swaps(found["swaps"], expected, 20, f"{name}, {how}, token {token}")
                equal([WORDS[swap["id"]] for swap in found["swaps"]], [swap["word"] for swap in found["swaps"]], "ids")
                equal(found["swaps"][-1], {"word": words[token], "change": 0, "id": WORDS.index(words[token])},
                      "the word itself")


@case
def all_tokens(cli, options):
    _, weights = table(cli)
    for name, (file, _) in weights.items():
        base = ["swap", "--set", "words.txt", "--text", SENTENCE, "--map", name, "--weights", file, "--top", "3",
                "--json"]
        found = cli.json(*base, "--token", "all")
        equal(list(found), KEYS + ["per_token"], "members")
        equal([entry["token"] for entry in found["per_token"]], [0, 1, 2, 3], "tokens, in the order of the text")
        for entry in found["per_token"]:
            equal(list(entry), ["token", "word", "swaps"], "members of a token")
            changes = [swap["change"] for swap in entry["swaps"]]
            equal(changes, sorted(changes, reverse=True), "the strongest swap of a token comes first")
            alone = cli.json(*base, "--token", str(entry["token"]))
            equal(entry, {key: alone[key] for key in ("token", "word", "swaps")}, f"{name}, token {entry['token']}")
        best = max(found["per_token"], key=lambda entry: entry["swaps"][0]["change"])
        equal({key: found[key] for key in best}, best, f"{name}: the strongest token comes first")


@case
def words_of_the_sample_at_both_layers(cli, options):
    base = ["swap", "--map", "raf", "--text", TEXT, "--token", "2", "--top", "4", "--json"]
    for layer in ("0", "word"):
        found = cli.json(*base, "--layer", layer)
        equal((found["word"], found["n"], found["d"]), ("love", 6, 384), "facts")
        best = found["swaps"][0]
        # The text with the best word in it, made by another command: only one row differs.
        ids = cli.json("tokens", "--text", TEXT, "--json")["ids"]
        cli.text("context", "--ids", ",".join(map(str, ids)), "--layer", layer, "--output", "X.npy")
        ids[2] = best["id"]
        cli.text("context", "--ids", ",".join(map(str, ids)), "--layer", layer, "--output", "Y.npy")
        x, y = read_rows(cli.path("X.npy")), read_rows(cli.path("Y.npy"))
        equal([i for i in range(6) if x[i] != y[i]], [2], "rows that differ")
        before, after = ([value for row in read_rows(cli.path(name)) for value in row] for name in
                         (features(cli, "X.npy"), features(cli, "Y.npy")))
        change = norm([a - b for a, b in zip(after, before)]) / norm(before)
        close(best["change"], change, 1e-9, what=f"layer {layer}")
        equal([swap["change"] for swap in found["swaps"]],
              sorted((swap["change"] for swap in found["swaps"]), reverse=True), "order")


def features(cli, context):
    name = f"phi-{context}"
    cli.text("features", "--map", "raf", "--context", context, "--output", name)
    return name


@case
def candidates_of_the_sample(cli, options):
    entries = cli.json("info", "--json")["entries"]
    found = cli.json("swap", "--map", "relu-raf", "--text", TEXT, "--top", "1000000", "--json", "--layer", "word")
    words = [swap["word"] for swap in found["swaps"]]
    true(entries - 1200 < len(words) < entries, f"{len(words)} of {entries}")
    equal([word for word in words if word in ("[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]") or "[unused" in word], [],
          "special tokens")
    equal(len({swap["id"] for swap in found["swaps"]}), len(words), "ids")


@case
def dimensions_are_cut_before_normalising(cli, options):
    vectors, _ = table(cli)
    found = cli.json("swap", "--set", "words.txt", "--text", SENTENCE, "--map", "raf", "--dims", "3", "--json")
    cli.text("context", "--set", "words.txt", "--text", SENTENCE, "--dims", "3", "--output", "X.npy")
    cli.text("context", "--set", "words.txt", "--text", found["swaps"][0]["word"], "--dims", "3", "--output", "y.npy")
    x = read_rows(cli.path("X.npy"))
    cli.write("Y.npy", make_npy((4, 3), flat([read_rows(cli.path("y.npy"))[0]] + x[1:])))
    before, after = (flat(read_rows(cli.path(features(cli, name)))) for name in ("X.npy", "Y.npy"))
    close(found["swaps"][0]["change"], norm([a - b for a, b in zip(after, before)]) / norm(before), 1e-9, what="change")


@case
def same_seed_same_bytes(cli, options):
    for name in ("raf", "relu-raf", "rf", "drf"):
        base = ["swap", "--map", name, "--text", TEXT, "--json", "--top", "5"]
        first = cli.text(*base, "--seed", "7")
        equal(cli.text(*base, "--seed", "7", environment={"OPENBLAS_NUM_THREADS": "2"}), first, name)
        true(cli.text(*base, "--seed", "8") != first, f"{name}: another seed")


@case
def deep_swaps_of_a_seed_are_of_its_features(cli, options):
    line = ["--map", "drf", "--depth", "3", "--width", "40", "--seed", "4", "--layer", "word"]
    ids = cli.json("tokens", "--text", TEXT, "--json")["ids"]
    values = {}

    def deep(name, ids):
        cli.text("features", *line, "--ids", ",".join(map(str, ids)), "--output", name)
        return read_npy(cli.path(name))[1]

    before = deep("before.npy", ids)
    for token in ("1", "4", "all"):
        found = cli.json("swap", *line, "--text", TEXT, "--token", token, "--top", "3", "--json")
        for entry in found.get("per_token", [found]):
            values.setdefault(entry["token"], []).append(entry["swaps"])
            if entry["token"] in (1, 4):
                swapped = list(ids)
                swapped[entry["token"]] = entry["swaps"][0]["id"]
                change = norm([a - b for a, b in zip(deep("after.npy", swapped), before)]) / norm(before)
                close(entry["swaps"][0]["change"], change, 1e-9, what=f"token {entry['token']} of {token}")
    equal([token for token, found in sorted(values.items()) if len(found) == 2 and found[0] == found[1]], [1, 4],
          "alone and among all tokens")


@case
def tables_for_people(cli, options):
    table(cli)
    lines = cli.text("swap", "--set", "words.txt", "--text", SENTENCE, "--map", "raf", "--top", "2").splitlines()
    equal(lines[:3], ["map       raf", "token     0 moon", ""], "heading")
    equal([line.split()[0] for line in lines[3:]], ["1", "2"], "ranks")
    lines = cli.text("swap", "--set", "words.txt", "--text", SENTENCE, "--map", "raf", "--token", "all").splitlines()
    equal(sum("→" in line for line in lines), 4, "one line a token")


@case
def what_cannot_be_swapped(cli, options):
    vectors, _ = table(cli)
    cli.write("zero.txt", "full 1 2\nempty 0 0\nother 2 1\n")
    found = cli.json("swap", "--set", "zero.txt", "--text", "full other", "--map", "raf", "--json")
    equal(sorted(swap["word"] for swap in found["swaps"]), ["full", "other"], "a zero row has no norm to be scaled to")
    equal(found["left_out"], 1, "how many words have no change")
    noted = cli.run("swap", "--set", "zero.txt", "--text", "full other", "--map", "raf", "--json").stderr.decode()
    true(noted.startswith("Note: 1 of 3 words left out"), noted)
    noted = cli.run("swap", "--set", "words.txt", "--text", SENTENCE, "--map", "raf", "--json").stderr.decode()
    true("left out, whose" not in noted, noted)
    cli.write("X.npy", make_npy((3, 2), [1, 2, 3, 4, 5, 6]))
    for arguments, says in ((["--set", "X.npy"], "no words"), (["--set", "words.txt", "--text", "none of these"], "none"),
                            (["--text", TEXT, "--layer", "99"], "layer 99"),
                            (["--set", "words.txt", "--text", SENTENCE, "--weights", "X.npy"], "3 x 2"),
                            (["--set", "missing.txt", "--text", "a"], "missing.txt")):
        result = cli.run("swap", "--map", "raf", *arguments)
        message = result.stderr.decode()
        equal((result.returncode, result.stdout), (1, b""), f"{arguments}: {message}")
        true(says in message and message.count("\n") == 1, message)


@case
def rows_of_a_bare_table(cli, options):
    """With --ids an array without words is a table, in whatever file: its rows go by their numbers, from 0."""
    rows = [[1.0, 2.0], [0.5, -1.0], [2.0, 0.25], [-1.0, 1.5]]
    values = struct.pack("<8d", *flat(rows))
    header = json.dumps({"x": {"dtype": "F64", "shape": [4, 2], "data_offsets": [0, len(values)]}}).encode()
    cli.write("x.safetensors", struct.pack("<Q", len(header)) + header + values)
    cli.write("x.npy", make_npy((4, 2), flat(rows)))
    cli.write("tensors.tsv", "".join(f"{a}\t{b}\n" for a, b in rows))
    write_network(cli, "x.npz", [rows], names="vectors")
    found = []
    for name in ("x.safetensors", "x.npy", "tensors.tsv", "x.npz"):
        ask = ["--map", "raf", "--set", name, "--ids", "2,0", "--token", "1"]
        found.append(cli.json("swap", *ask, "--json"))
        cli.text("nudge", *ask, "--toward", "3", "--output", "n.csv")
        equal(cli.json("tokens", "--set", name, "--ids", "2,0", "--json")["tokens"], ["2", "0"], name)
        result = cli.run("swap", *ask, "--words", "none")
        true(result.returncode == 1 and b"is a ready context" in result.stderr, result.stderr)
    equal((found[0]["word"], {swap["word"] for swap in found[0]["swaps"]}), ("0", {"0", "1", "2", "3"}), "words")
    true(all(one == found[0] for one in found), found)


run_main()
