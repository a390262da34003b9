"""Sets of every format through the program: --member, --words and --unknown."""

import json
import os

from harness import case, close, equal, read_npy, run_main, true


def data(options, *names):
    return os.path.join(options["source"], "tests", "data", "embeddings", *names)


def refused(cli, code, says, *arguments):
    result = cli.run(*arguments)
    error = result.stderr.decode()
    equal((result.returncode, result.stdout.decode()), (code, ""), f"{arguments}: {error}")
    true(says in error, f"{arguments}: {says!r} is missing in {error}")


@case
def the_same_table_in_every_dress(cli, options):
    with open(data(options, "truth.json"), encoding="utf-8") as file:
        truth = json.load(file)
    picked = [truth["words"].index(word) for word in ("the", "smile", "word")]
    dresses = [(["table-stored.npz"], "vectors_float32"), (["table-deflated.npz"], "vectors_float32"),
               (["gensim.bin"], "vectors_float32"), (["gensim.bin.gz"], "vectors_float32"),
               (["word2vec-original-newlines.bin"], "vectors_float32"), (["projector.bytes"], "vectors_float32"),
               (["projector_config.json"], "vectors_float32"), (["table-f4.npy"], "vectors_float32"),
               (["glove.txt.zst"], "vectors_text_6g"), (["fasttext.vec"], "vectors_text_6g"),
               (["glove-two-members.zip", "--member", "tiny.8d.txt"], "vectors_text_6g"),
               (["f32.safetensors", "--words", data(options, "table-f4.words.txt")], "vectors_float32"),
               (["projector-tensors.tsv", "--words", data(options, "projector-metadata-two-columns.tsv")],
                "vectors_text_6g")]
    for (name, *more), values in dresses:
        cli.text("context", "--set", data(options, name), *more, "--text", "the smile word", "--normalise", "none",
                 "--output", "x.npy")
        shape, found = read_npy(cli.path("x.npy"))
        equal(shape, (3, 8), name)
        for value, expected in zip(found, [value for row in picked for value in truth[values][row]]):
            close(value, expected, 1e-7, 0, name)


@case
def members(cli, options):
    masked, texts, archive = (data(options, name) for name in
                              ("contexts-masked.npz", "context-3d.npy", "glove-two-members.zip"))
    refused(cli, 1, "--member X:1", "info", masked)
    refused(cli, 1, "from 1 on", "info", texts)
    refused(cli, 1, '"tiny.4d.txt" (476 bytes), "tiny.8d.txt"', "info", archive)
    refused(cli, 1, 'no file "tiny.9d.txt"', "info", archive, "--member", "tiny.9d.txt")
    equal(cli.json("info", masked, "--member", "X:2", "--json")["entries"], 4, "rows that the mask keeps")
    equal(cli.json("info", texts, "--member", "2", "--json")["entries"], 6, "rows of a text")
    equal(cli.json("info", archive, "--member", "tiny.4d.txt", "--json")["dims"], 4, "dimensions")
    equal(cli.json("tokens", "--set", masked, "--member", "X:2", "--json")["tokens"], ["the", "of", ",", "word"], "labels")
    refused(cli, 1, "it is a single table", "info", data(options, "glove.txt"), "--member", "x")


@case
def unknown_words(cli, options):
    glove = ["--set", data(options, "glove.txt"), "--text", "the zebra smile", "--json"]
    equal(cli.json("tokens", *glove), {"ids": [0, None, 4], "tokens": ["the", "zebra", "smile"], "unknown": [1]}, "vector")
    equal(cli.json("tokens", *glove, "--unknown", "skip")["ids"], [0, None, 4], "skip")
    for policy, rows in (("skip", 2), ("vector", 2), ("random", 3), ("random:5", 3)):
        cli.text("context", *glove[:-1], "--normalise", "none", "--unknown", policy, "--output", "x.npy")
        equal(read_npy(cli.path("x.npy"))[0], (rows, 8), policy)
    results = {}
    for policy in ("random", "random:1", "random:5"):
        cli.text("context", *glove[:-1], "--normalise", "none", "--unknown", policy, "--output", "x.npy")
        results[policy] = read_npy(cli.path("x.npy"))[1][8:16]
    equal(results["random"], results["random:1"], "the seed is 1 where none is given")
    true(results["random"] != results["random:5"], "another seed, another row")
    for wrong in ("guess", "random:", "random:-1", "random:x", ""):
        refused(cli, 2, "found", "tokens", *glove, "--unknown", wrong)


@case
def recipes_can_be_copied(cli, options):
    for name in ("refuse-dict.pkl", "refuse-gensim.kv", "refuse-table.h5", "refuse-table.parquet", "refuse-torch.pt",
                 "refuse-object.npy", "refuse-object.npz", "refuse-i8.safetensors", "made/gguf/q4_k.gguf"):
        result = cli.run("info", data(options, name))
        lines = result.stderr.decode().splitlines()
        equal((result.returncode, len(lines)), (1, 3), f"{name}: {lines}")
        true(lines[0].startswith("wordsway-cli info: ") and lines[0].endswith(":"), lines[0])
        true(all(line.startswith("  ") and line[2] != " " for line in lines[1:]), name)
        for line in lines[1:]:
            compile(line.strip(), name, "exec")
    spoof = b'{"a\\n  rm b": {"dtype": "I8", "shape": [1, 1], "data_offsets": [0, 1]}}'
    cli.write("x\n  y.safetensors", len(spoof).to_bytes(8, "little") + spoof + b"1")
    lines = cli.run("info", "x\n  y.safetensors").stderr.decode().splitlines()
    equal(len(lines), 3, f"lines that a name cannot add to: {lines}")


@case
def contradictions(cli, options):
    x = data(options, "table-f8.npy")
    for option in ("--member", "--words", "--unknown"):
        refused(cli, 2, option, "features", "--map", "raf", "--context", x, option, "skip", "--output", "f.npy")
        refused(cli, 2, option, "curve", "--synthetic", "--d", "4", "--n", "2", "--maps", "raf", option, "skip",
                "--output", "c.csv")
    refused(cli, 1, "no-such-list", "info", data(options, "f32.safetensors"), "--words", "no-such-list")


run_main()
