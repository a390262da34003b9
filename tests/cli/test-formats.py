"""Sets of every format through the program: --member, --words and --unknown."""

import hashlib
import json
import os
import re
import shutil
import subprocess

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
def formats_have_words(cli, options):
    """Each name of a format that a reader makes is one that the window has in its languages."""
    with open(os.path.join(options["source"], "src", "app", "ww-format-words.c"), encoding="utf-8") as file:
        known = set(re.findall(r'N_ \("([^"]*)"\)', file.read()))
    with open(data(options, "made", "files.tsv"), encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    found = set()
    for name, member, words, reading, result, _ in rows:
        # One of each kind of ending and result shows its format.
        kind = (os.path.splitext(name)[1], result.split(" ")[0], bool(words))
        if result.split(" ")[0] not in ("words", "context") or member or reading or kind in found:
            continue
        found.add(kind)
        more = ["--words", words if words == "none" else data(options, "made", words)] if words else []
        shown = cli.json("info", data(options, "made", name), *more, "--json")["format"]
        true(shown.split(", ")[0] in known, f"{name}: {shown}")
    for name in sorted(os.listdir(data(options, "checkpoints"))):
        shown = cli.json("info", data(options, "checkpoints", name), "--json")["format"]
        true(shown.split(", ")[0] in known, f"{name}: {shown}")
    shown = cli.json("info", data(options, "made", "npy", "too-many-rows.npy"), "--json")["format"]
    true(shown in known, shown)
    true(len(found) > 10, found)


@case
def members(cli, options):
    masked, texts, archive = (data(options, name) for name in
                              ("contexts-masked.npz", "context-3d.npy", "glove-two-members.zip"))
    refused(cli, 1, "--member X:1", "info", masked)
    refused(cli, 1, "from 1 on", "info", texts)
    refused(cli, 1, '"tiny.4d.txt" (476 bytes), "tiny.8d.txt"', "info", archive)
    refused(cli, 1, 'no "tiny.9d.txt"', "info", archive, "--member", "tiny.9d.txt")
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
def recipe_for_a_table_of_pandas(cli, options):
    """Its title line has numbers, which are no row."""
    for name, text in (("commas.csv", ",0,1\nah,1,2\nbe,3,4\n"), ("semicolons.csv", ";0;1\nah;1,5;2\nbe;3;4,5\n")):
        cli.write("in.csv", text)
        message = cli.run("info", "in.csv").stderr.decode()
        recipe = [line for line in message.splitlines() if line.startswith("  ")]
        subprocess.run(recipe[0], shell=True, cwd=cli.folder, check=True)
        found = cli.json("info", "out.txt", "--json")
        equal((found["kind"], found["entries"], found["dims"]), ("words", 2, 2), name)


@case
def lines_of_numbers(cli, options):
    whole = cli.write("whole.txt", "1 2 3\n4 5 6\n")
    refused(cli, 1, "--read-as glove or --read-as tensors", "info", whole)
    equal(cli.json("info", whole, "--read-as", "tensors", "--json")["kind"], "context", "vectors without words")
    found = cli.json("info", whole, "--read-as", "glove", "--json")
    equal((found["kind"], found["entries"], found["dims"], found["warnings"]), ("words", 2, 2, None), "words")
    refused(cli, 2, "--read-as takes glove", "info", whole, "--read-as", "csv")
    cli.text("context", "--set", whole, "--read-as", "tensors", "--normalise", "none", "--output", "x.npy")
    equal(read_npy(cli.path("x.npy")), ((2, 3), [1, 2, 3, 4, 5, 6]), "rows")
    cli.write("tensors.tsv", "1\t0.5\n2\t1.5\n")
    found = cli.json("info", "tensors.tsv", "--json")
    equal((found["kind"], found["dims"]), ("context", 2), "a first column that is whole")
    true("--read-as glove" in found["warnings"], found["warnings"])
    cli.write("metadata.tsv", "ah\nbe\n")
    found = cli.json("info", "tensors.tsv", "--json")
    equal((found["kind"], found["entries"], found["dims"], found["warnings"]), ("words", 2, 2, None), "metadata beside")


@case
def options_without_effect(cli, options):
    glove, checkpoint = data(options, "glove.txt"), data(options, "checkpoints", "bert-plain")
    context = data(options, "table-f8.npy")
    for name in (glove, checkpoint, "sample", data(options, "gensim.bin")):
        refused(cli, 1, "has no effect", "tokens", "--set", name, "--words", glove, "--text", "the")
        refused(cli, 1, "has no effect", "tokens", "--set", name, "--words", "none", "--text", "the")
    for name in (checkpoint, "sample", data(options, "projector.bytes")):
        refused(cli, 1, "nothing to choose from", "info", name, "--member", "x")
    for name in (checkpoint, "sample", context, data(options, "f32.safetensors"), data(options, "table-stored.npz")):
        refused(cli, 1, "has no effect", "info", name, "--read-as", "glove")
    refused(cli, 2, "--unknown has no effect", "tokens", "--set", context, "--unknown", "skip")
    refused(cli, 2, "--unknown", "tokens", "--ids", "1", "--unknown", "skip")
    refused(cli, 2, "SEED a whole number", "tokens", "--set", glove, "--text", "x", "--unknown", "random:x")
    refused(cli, 1, "there is \"vectors\"", "info", data(options, "table-stored.npz"), "--member", "x")


@case
def long_texts_are_cut(cli, options):
    cli.write("long.txt", "word " * 600)
    for command in (["context"], ["attention", "--layer", "1"]):
        result = cli.run(*command, "--text-file", "long.txt", "--output", "x.npy")
        equal(result.returncode, 0, result.stderr.decode())
        true("602 tokens; the set has positions for 512" in result.stderr.decode(), result.stderr.decode())
        equal(read_npy(cli.path("x.npy"))[0][0], 512, f"{command}: rows")
    cli.text("context", "--text-file", "long.txt", "--layer", "word", "--output", "x.npy")
    equal(read_npy(cli.path("x.npy"))[0][0], 602, "word vectors have no positions")


@case
def folders(cli, options):
    checkpoints = data(options, "checkpoints")
    refused(cli, 1, '"bert-plain" (BERT checkpoint)', "info", checkpoints)
    equal(cli.json("info", checkpoints, "--member", "distilbert", "--json")["format"], "DistilBERT checkpoint", "one of several")
    version = cli.path("models--x/snapshots/0123")
    shutil.copytree(data(options, "checkpoints", "bert-plain"), version)
    os.mkdir(cli.path("models--x/blobs"))
    found = cli.json("info", "models--x", "--json")
    equal((found["kind"], found["warnings"]), ("checkpoint", "Of this folder, “snapshots/0123” is opened."), "a cached model")
    refused(cli, 1, "a folder without files", "info", "models--x/blobs")
    one = cli.json("info", data(options, "made", "projector", "one"), "--json")
    equal((one["kind"], one["entries"]), ("words", 3), "tensors.tsv and metadata.tsv")


@case
def nul_in_a_text(cli, options):
    cli.write("nul.txt", b"the\0word")
    refused(cli, 1, "byte 3 is NUL", "tokens", "--text-file", "nul.txt")
    refused(cli, 1, "tr -d", "tokens", "--text-file", "nul.txt")


@case
def pieces_of_a_model_beside_an_array(cli, options):
    """A list of a model's pieces, as for the array of a converted GGUF file: words find the pieces that begin them."""
    shutil.copy(data(options, "made", "npy", "good.npy"), cli.path("pieces.npy"))
    cli.write("pieces.txt", "\u2581the\n\u2581rain\ning\n".encode())
    found = cli.json("tokens", "--set", "pieces.npy", "--text", "the raining rain", "--json")
    equal(found["ids"], [0, 1, 2, 1], "the marked pieces")
    cli.write("pieces.txt", b"the\nrain\ning\n")
    found = cli.json("tokens", "--set", "pieces.npy", "--text", "the rain", "--json")
    equal(found["ids"], [0, 1], "words without marks")


@case
def rows_by_their_numbers(cli, options):
    def rows(*arguments):
        cli.text("context", "--set", *arguments, "--normalise", "none", "--output", "x.npy")
        return read_npy(cli.path("x.npy"))

    table = data(options, "made", "safetensors", "llama.safetensors")
    picked = ((2, 2), [5.0, 6.0, 1.0, 2.0])
    for name in (table, data(options, "made", "npy", "good.npy")):
        equal(rows(name, "--ids", "2,0"), picked, name)
    equal(rows(table, "--text", "2 0"), picked, "numbers in place of words")
    refused(cli, 2, "needs a text: give --text, --text-file or --ids", "context", "--set", table, "--output", "x.npy")
    refused(cli, 2, "--words FILE gives words to its rows, --ids picks some of them", "context", "--set", data(options, "made", "npy", "good.npy"), "--text",
            "ah", "--output", "x.npy")
    refused(cli, 1, "its ids go from 0 to 2", "context", "--set", table, "--ids", "3", "--output", "x.npy")
    # More rows than a context may have.
    shape = b"{'descr': '|i1', 'fortran_order': False, 'shape': (70000, 2), }\n"
    cli.write("large.npy", b"\x93NUMPY\x01\0" + len(shape).to_bytes(2, "little") + shape + bytes(139998) + b"\1\2")
    equal(rows("large.npy", "--ids", "69999,1"), ((2, 2), [1.0, 2.0, 0.0, 0.0]), "a large table")


@case
def columns_of_a_list(cli, options):
    def words(*extra):
        return [t for t in cli.json("tokens", "--set", "col/tensors.tsv", "--text", "ah be 7 8", "--json", *extra)["unknown"]]

    os.makedirs(cli.path("col"), exist_ok=True)
    cli.write("col/tensors.tsv", "1\t0.5\n2\t1.5\n")
    cli.write("col/metadata.tsv", "id\tlemma\n7\tah\n8\tbe\n")
    equal(words(), [2, 3], "an id in front is no word")
    equal(words("--column", "LEMMA"), [2, 3], "by its title")
    equal(words("--column", "1"), [0, 1], "by its number")
    found = cli.json("info", "col/tensors.tsv", "--json")
    true("column “lemma” of metadata.tsv" in found["warnings"], found["warnings"])
    equal(found["details"]["Words from"], "metadata.tsv, column lemma", "where words come from")
    equal(cli.json("info", "col/tensors.tsv", "--column", "2", "--json")["warnings"], None, "what was asked for")
    refused(cli, 1, 'has no column "x"; there is "id", "lemma"', "info", "col/tensors.tsv", "--column", "x")
    cli.write("col/metadata.tsv", "7\tnoun\tah\n8\tverb\tbe\n")
    equal(words(), [0, 1, 2, 3], "without titles, the first column that is not all numbers")
    equal(words("--column", "3"), [2, 3], "the third column")
    cli.write("col/metadata.tsv", "kind\tWord\nnoun\tah\nverb\tbe\n")
    equal(words(), [2, 3], "a column that is titled so")
    cli.write("col/metadata.tsv", "id\tword\n7\tah\n8\n")
    refused(cli, 1, "line 3 has no column “word”", "info", "col/tensors.tsv")
    cli.write("col/metadata.tsv", "ah\nbe\n")
    refused(cli, 1, "has no column", "info", "col/tensors.tsv", "--column", "2")
    refused(cli, 1, "--column", "info", "sample", "--column", "2")


@case
def provenance_of_words(cli, options):
    os.makedirs(cli.path("order"), exist_ok=True)
    cli.write("order/table.tsv", "1\t0.5\n2\t1.5\n")
    files = []
    for order in ("ah\nbe\n", "be\nah\n"):
        cli.write("order/list.txt", order)
        command = ("curve", "--set", "order/table.tsv", "--words", "order/list.txt", "--text", "ah be", "--maps", "raf",
                   "--n", "2", "--effort", "quick")
        files.append(cli.text(*command, "--format", "csv", "--output", "-"))
        digest = hashlib.sha256(order.encode()).hexdigest()
        true(f"# words: list.txt\n# words sha256: {digest}\n" in files[-1], files[-1])
        made = json.loads(cli.text(*command, "--format", "json", "--output", "-"))["provenance"]
        equal((made["words"], made["words_sha256"]), ("list.txt", digest), "provenance")
        equal(cli.json("info", "order/table.tsv", "--words", "order/list.txt", "--json")["words_sha256"], digest, "info")
        found = cli.json("ws", *command[1:7], "--map", "raf", "--effort", "quick", "--unknown", "skip", "--json", "--provenance")
        equal(list(found)[-2:], ["version", "provenance"], "ws: behind everything else")
        made = found["provenance"]
        equal((made["set"], made["words"], made["words_sha256"], made["text"], made["layer"], made["maps"], made["n"]),
              ("table.tsv", "list.txt", digest, "ah be", "word", ["raf"], [2]), "ws")
        swapped = cli.json("swap", *command[1:7], "--map", "raf", "--unknown", "skip", "--json", "--provenance")["provenance"]
        equal([swapped[key] for key in ("set", "words_sha256", "text", "layer", "n")], ["table.tsv", digest, "ah be", "word", [2]], "swap")
        true("unknown words: skip" in made["set_format"], made["set_format"])
    true(files[0] != files[1], "the same rows with other words")
    equal(cli.text(*command, "--unknown", "vector", "--format", "csv", "--output", "-"), files[1], "the default, asked for")
    made = json.loads(cli.text(*command, "--unknown", "random", "--format", "json", "--output", "-"))["provenance"]
    true(made["set_format"].endswith("unknown words: random:1"), made["set_format"])
    refused(cli, 2, "--provenance is for --json", "ws", "--map", "raf", "--text", "a", "--provenance")


@case
def tokens_of_a_context(cli, options):
    found = cli.json("info", data(options, "made", "npz", "tokens-of-table.npz"), "--json")
    equal((found["kind"], found["details"]["Tokens"]), ("context", "ah be see"), "the words that rows stand for")


@case
def warnings_of_info(cli, options):
    cli.write("twice.txt", b"ah 1 2 3\nah 1 2 3\n\xff 4 5 6\n")
    text = cli.text("info", "twice.txt")
    duplicate, invalid = cli.json("info", "twice.txt", "--json")["warnings"].split("\n")
    true(f"\nWarnings            {duplicate}\n                    {invalid}\nSHA-256 " in text, text)
    equal([text.count(line) for line in (duplicate, invalid)], [1, 1], "times that each is said")


@case
def contradictions(cli, options):
    x = data(options, "table-f8.npy")
    for option in ("--member", "--words", "--column", "--read-as", "--unknown"):
        refused(cli, 2, option, "features", "--map", "raf", "--context", x, option, "skip", "--output", "f.npy")
        refused(cli, 2, option, "curve", "--synthetic", "--d", "4", "--n", "2", "--maps", "raf", option, "skip",
                "--output", "c.csv")
    refused(cli, 1, "no-such-list", "info", data(options, "f32.safetensors"), "--words", "no-such-list")


run_main()
