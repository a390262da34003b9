"""Checkpoints through the program, as a user would: tokens, layers and trained attention of the seven small ones,
and of a whole one and the vocabulary of GPT-2 where they are on this computer."""

import hashlib
import json
import os
import shutil
import signal
import subprocess

from harness import Skip, case, equal, read_npy, run_main, true

SMALL = ("bert-plain", "bert-prefixed-gamma-beta", "bert-sharded", "distilbert", "gpt2", "roberta",
         "sentence-transformers")
ABSOLUTE = 1e-4


def small(options, name, *more):
    return os.path.join(options["source"], "tests", "data", "embeddings", "checkpoints", name, *more)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def compare(cli, arguments, shape, expected, what):
    cli.text(*arguments, "--output", "out.npy")
    found_shape, found = read_npy(cli.path("out.npy"))
    equal(found_shape, shape, what)
    worst = max(abs(a - b) for a, b in zip(found, expected))
    true(worst <= ABSOLUTE, f"{what}: differs by {worst:g}")


def check_layers(cli, source, hidden):
    (layers, n, d), values = hidden
    for layer in range(layers):
        part = values[layer * n * d:(layer + 1) * n * d]
        compare(cli, ["context", *source, "--layer", str(layer), "--normalise", "none"], (n, d), part, f"layer {layer}")


def check_attention(cli, source, attention, every_head):
    (layers, heads, n, _), values = attention
    for layer in range(1, layers + 1):
        part = values[(layer - 1) * heads * n * n:layer * heads * n * n]
        ask = ["attention", *source, "--layer", str(layer)]
        mean = [sum(part[h * n * n + i] for h in range(heads)) / heads for i in range(n * n)]
        compare(cli, [*ask, "--head", "all"], (heads, n, n), part, f"block {layer}, all heads")
        compare(cli, [*ask, "--head", "mean"], (n, n), mean, f"block {layer}, mean")
        compare(cli, ask, (n, n), mean, f"block {layer}, unsaid")
        for head in range(heads if every_head else 1):
            compare(cli, [*ask, "--head", str(head)], (n, n), part[head * n * n:(head + 1) * n * n],
                    f"block {layer}, head {head}")


@case
def small_models(cli, options):
    for name in SMALL:
        ids = load(small(options, name, "ids.json"))
        source = ["--set", small(options, name), "--ids", ",".join(map(str, ids["ids"]))]
        if "text" in ids:
            source = ["--set", small(options, name), "--text", ids["text"]]
            equal(cli.json("tokens", *source, "--json")["ids"], ids["ids"], name)
        check_layers(cli, source, read_npy(small(options, name, "hidden.npy")))
        check_attention(cli, source, read_npy(small(options, name, "attention.npy")), True)


@case
def whole_model(cli, options):
    reference = os.path.join(options["shared"], "reference", "checkpoint")
    model = os.path.join(options["shared"], "data", "minilm")
    if not os.path.exists(os.path.join(model, "model.safetensors")):
        raise Skip("all-MiniLM-L6-v2 is not on this computer")
    sentences = load(os.path.join(reference, "tokens.json"))["sentences"]
    for name, entry in sentences.items():
        source = ["--set", model, "--text", entry["text"]]
        equal(cli.json("tokens", *source, "--json")["ids"], entry["ids"], name)
        shape, word = read_npy(os.path.join(reference, name + ".word.npy"))
        compare(cli, ["context", *source, "--layer", "word", "--normalise", "none"], shape, word, f"{name}: words")
        check_layers(cli, source, read_npy(os.path.join(reference, name + ".hidden.npy")))
        check_attention(cli, source, read_npy(os.path.join(reference, name + ".attention.npy")), name == "love-much")


def check_tokens(cli, where, entries):
    for entry in entries:
        if "\0" in entry["text"]:
            continue
        found = cli.json("tokens", "--set", where, "--text", entry["text"], "--json")
        equal(found["ids"], entry["ids"], repr(entry["text"]))
        if "tokens" in entry:
            equal(found["tokens"], entry["tokens"], repr(entry["text"]))


@case
def hard_texts(cli, options):
    reference = os.path.join(options["shared"], "reference", "checkpoint")
    model = os.path.join(options["shared"], "data", "minilm")
    vocabulary = os.path.join(options["shared"], "data", "gpt2-bpe")
    check_tokens(cli, small(options, "gpt2"), load(os.path.join(options["source"], "tests", "reference",
                                                                "byte-level-bpe.json")))
    if not (os.path.exists(model) and os.path.exists(vocabulary)):
        raise Skip("the large vocabularies are not on this computer; the small one was checked")
    check_tokens(cli, model, load(os.path.join(reference, "tokens.json"))["wordpiece"])
    check_tokens(cli, vocabulary, load(os.path.join(reference, "byte-level-bpe.json")))


@case
def vocabulary_without_weights(cli, options):
    for member in ("vocab.json", "merges.txt"):
        with open(small(options, "gpt2", member), "rb") as file:
            cli.write(member, file.read())
    for where in (".", "merges.txt", "vocab.json"):
        result = cli.run("tokens", "--set", where, "--text", "the the", "--json")
        equal(result.returncode, 0, result.stderr)
        equal(json.loads(result.stdout)["tokens"], ["t", "he", "\u0120the"], where)
        true(b"no vectors" in result.stderr, where)
    facts = cli.json("info", ".", "--json")
    equal((facts["dims"], facts["layers"], facts["attention_layers"]), (0, [], 0), "facts")
    for command in (["context", "--output", "x.npy"], ["attention", "--map", "raf", "--output", "x.npy"],
                    ["attention", "--layer", "1", "--output", "x.npy"], ["ws", "--map", "raf", "--json"]):
        result = cli.run(*command, "--set", ".", "--text", "the the")
        equal(result.returncode, 1, command)
        true(b"a vocabulary without config.json and weights" in result.stderr, f"{command}: {result.stderr}")


@case
def tokens_as_they_are_stored(cli, options):
    sets = (("bert-plain", "ducks", ["duck", "##s"]), ("gpt2", "the duck", ["t", "he", "\u0120d"]))
    for name, text, expected in sets:
        stored = cli.json("tokens", "--set", small(options, name), "--text", text, "--no-special", "--json")["tokens"]
        equal(stored[:len(expected)], expected, name)
        lines = cli.text("tokens", "--set", small(options, name), "--text", text, "--no-special").splitlines()
        equal([line.split()[2] for line in lines], stored, f"{name}: the table")
    marked = cli.json("tokens", "--set", small(options, "bert-plain"), "--text", "love", "--json")["tokens"]
    equal(marked, ["[CLS]", "love", "[SEP]"], "with the special tokens")


@case
def text_without_special_tokens(cli, options):
    for name, layer, said in (("bert-plain", "1", True), ("bert-plain", "0", False), ("bert-plain", "word", False), ("gpt2", "1", False)):
        result = cli.run("context", "--set", small(options, name), "--text", "love love", "--layer", layer, "--no-special", "--output", "x.npy")
        equal(result.returncode, 0, result.stderr)
        equal(b"reads the text without its special tokens" in result.stderr, said, f"{name}, {layer}: {result.stderr}")


@case
def long_texts(cli, options):
    # 16 positions: every subcommand says so in the same words.
    source = ["--set", small(options, "bert-plain"), "--text", "love " * 30]
    for command in (["context", "--output", "x.npy"], ["attention", "--map", "raf", "--output", "x.npy"],
                    ["attention", "--layer", "1", "--output", "x.npy"], ["ws", "--map", "raf", "--effort", "quick", "--json"]):
        result = cli.run(*command, *source)
        true(b"32 tokens" in result.stderr and b"positions for 16" in result.stderr, f"{command}: {result.stderr}")
    cli.text("context", *source, "--layer", "word", "--output", "x.npy")
    equal(read_npy(cli.path("x.npy"))[0], (32, 16), "word vectors have no positions")


@case
def lengths_of_other_programs(cli, options):
    """A text is neither cut nor filled up by what the files say for other programs; that they do is said."""
    shutil.copytree(small(options, "bert-plain"), cli.path("ck"))
    cli.write("ck/tokenizer_config.json", '{"do_lower_case": true, "model_max_length": 12}')
    cli.write("ck/sentence_bert_config.json", '{"max_seq_length": 8, "do_lower_case": false}')
    listed = "8 tokens (sentence_bert_config.json)"
    equal(cli.json("info", "ck", "--json")["details"]["Cut elsewhere"],
          f"at 12 tokens (tokenizer_config.json), {listed}; not here", "info")
    text, source = "love " * 8, ["--set", "ck", "--text"]
    kept = f"Note: The tokeniser's own files cut texts at {listed}; Wordsway keeps up to 16 (the positions of the model)\n"
    for command, rows in ((["context", "--output", "x.npy"], 10), (["context", "--output", "x.npy", "--no-special"], 8),
                          (["attention", "--layer", "1", "--output", "x.npy"], 10), (["tokens"], 0)):
        result = cli.run(*command, *source, text)
        equal((result.returncode, result.stderr.decode()), (0, kept), command)
        if rows > 0:
            equal(read_npy(cli.path("x.npy"))[0][0], rows, command)
        result = cli.run(*command, *source, "love her")
        equal((result.returncode, result.stderr), (0, b""), f"{command}, a short text")
    result = cli.run("context", *source, text, "--layer", "word", "--output", "x.npy")
    equal(result.stderr.decode(), f"Note: The tokeniser's own files cut texts at {listed}; Wordsway keeps them whole\n",
          "word vectors")
    result = cli.run("context", "--set", "ck", "--ids", ",".join("7" * 10), "--output", "x.npy")
    equal(result.stderr, b"", "ids are no text")

    if os.path.isdir(os.path.join(options["shared"], "data", "minilm")):
        whole = os.path.join(options["shared"], "data", "minilm")
        equal(cli.json("info", whole, "--json")["details"]["Cut elsewhere"], "at 128 tokens (tokenizer.json); not here",
              "a whole model")
        equal(len(cli.json("tokens", "--set", whole, "--text", "duck", "--json")["ids"]), 3, "padding")


@case
def without_a_vocabulary(cli, options):
    source = small(options, "bert-plain")
    os.makedirs(cli.path("bare"), exist_ok=True)
    for name in ("config.json", "model.safetensors"):
        shutil.copy(os.path.join(source, name), cli.path("bare"))
    for layer in ("word", "0", "2"):
        rows = []
        for where in ("bare", source):
            cli.text("context", "--set", where, "--ids", "2,7,5", "--layer", layer, "--output", "x.npy")
            rows.append(read_npy(cli.path("x.npy")))
        equal(rows[0], rows[1], f"layer {layer}")
    equal(cli.json("tokens", "--set", "bare", "--ids", "2,7", "--json")["tokens"], ["2", "7"], "tokens by number")
    result = cli.run("context", "--set", "bare", "--text", "love", "--output", "x.npy")
    equal(result.returncode, 1, "a text")
    true(b"ids can be given in place of a text" in result.stderr, result.stderr)
    found = cli.json("info", "--set", "bare", "--json")
    whole = cli.json("info", "--set", source, "--json")
    for key in ("kind", "format", "entries", "dims", "layers", "attention_layers", "sha256", "config_sha256"):
        equal(found[key], whole[key], f"{key} without a vocabulary")
    true("no vocabulary (vocab.txt, tokenizer.json" in found["warnings"], found["warnings"])
    true("no vocabulary" not in (whole["warnings"] or ""), whole["warnings"])


@case
def a_tokeniser_that_is_not_followed(cli, options):
    """The weights are as good as with any other: rows go by their numbers, at every layer."""
    source = small(options, "bert-plain")
    shutil.copytree(source, cli.path("unigram"))
    pieces = [[piece, -1.0] for piece in open(os.path.join(source, "vocab.txt")).read().split()]
    for model, reason in (({"type": "Unigram", "vocab": pieces}, "Unigram"),
                          ({"type": "WordLevel", "vocab": {}}, "WordLevel")):
        cli.write("unigram/tokenizer.json", json.dumps({"model": model}).encode())
        found = cli.json("info", "--set", "unigram", "--json")
        true(reason in found["warnings"] and "rows go by their numbers" in found["warnings"], found["warnings"])
        equal(found["entries"], len(pieces), "rows")
        for layer in ("word", "0", "2"):
            rows = []
            for where, how in (("unigram", ["--text", "2 7 5"]), (source, ["--ids", "2,7,5"])):
                cli.text("context", "--set", where, *how, "--layer", layer, "--output", "x.npy")
                rows.append(read_npy(cli.path("x.npy")))
            equal(rows[0], rows[1], f"layer {layer}")
    found = cli.json("tokens", "--set", "unigram", "--text", "7 love", "--json")
    equal((found["ids"], found["tokens"]), ([7, None], ["7", "love"]), "a number and a word")
    result = cli.run("context", "--set", "unigram", "--text", "2 x 5", "--unknown", "random", "--output", "x.npy")
    true(b"no number of a row is left out" in result.stderr, result.stderr)
    equal(read_npy(cli.path("x.npy"))[0], (2, 16), "rows")
    cli.write("unigram/tokenizer.json", b'{"model": {"type": "Uni')
    result = cli.run("context", "--set", "unigram", "--ids", "2,7", "--output", "x.npy")
    equal(result.returncode, 1, "damage is no other kind of tokeniser")


def read_tensors(path):
    """The header of a .safetensors file and the bytes behind it."""
    with open(path, "rb") as file:
        data = file.read()
    size = int.from_bytes(data[:8], "little")
    return json.loads(data[8:8 + size]), data[8 + size:]


def write_tensors(path, header, rest):
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + rest)


@case
def one_table_for_words_in_and_out(cli, options):
    """save_model of safetensors keeps one of the names of a table that has two, and that may be the other one."""
    for name, prefix, words, output in (
            ("gpt2", "", "wte.weight", "lm_head.weight"),
            ("roberta", "roberta.", "roberta.embeddings.word_embeddings.weight", "lm_head.decoder.weight"),
            ("distilbert", "distilbert.", "distilbert.embeddings.word_embeddings.weight", "vocab_projector.weight"),
            ("bert-plain", "", "embeddings.word_embeddings.weight", "cls.predictions.decoder.weight")):
        shutil.copytree(small(options, name), cli.path(name))
        header, rest = read_tensors(cli.path(f"{name}/model.safetensors"))
        header[output] = header.pop(words)
        header["__metadata__"] = {"format": "pt", words: output}
        write_tensors(cli.path(f"{name}/model.safetensors"), header, rest)
        for layer in ("word", "2"):
            rows = []
            for where in (name, small(options, name)):
                cli.text("context", "--set", where, "--ids", "2,7,5", "--layer", layer, "--output", "x.npy")
                rows.append(read_npy(cli.path("x.npy")))
            equal(rows[0], rows[1], f"{name}, layer {layer}")
        config = load(cli.path(f"{name}/config.json"))
        cli.write(f"{name}/config.json", json.dumps({**config, "tie_word_embeddings": False}))
        result = cli.run("info", name)
        equal(result.returncode, 1, f"{name} with two tables")
        true(f'no tensor "{words[len(prefix):]}"'.encode() in result.stderr, result.stderr)


@case
def modules_of_every_age(cli, options):
    """The folder of the model by the type of the module, or, where the type is another one, by what it holds."""
    pooling = {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}
    for index, (path, kind) in enumerate((
            ("0_Transformer", "sentence_transformers.models.Transformer"), ("0_BERT", "sentence_transformers.models.BERT"),
            ("0_Own", "custom_model.OwnModel"))):
        folder = f"set-{index}"
        shutil.copytree(small(options, "bert-plain"), cli.path(f"{folder}/{path}"))
        os.makedirs(cli.path(f"{folder}/1_Pooling"))
        cli.write(f"{folder}/1_Pooling/config.json", '{"word_embedding_dimension": 16}')
        cli.write(f"{folder}/modules.json", json.dumps([pooling, {"idx": 0, "name": "0", "path": path, "type": kind}]))
        equal(cli.json("info", folder, "--json")["layers"], ["word", "0", "1", "2"], kind)
    cli.write("set-0/modules.json", json.dumps([pooling]))
    true(b"no Transformer module" in cli.run("info", "set-0").stderr, "only a module without a model")


@case
def weights_of_other_programs(cli, options):
    """What lies there in place of the weights is said, and what can be done with it."""
    for index, (files, says) in enumerate((
            (["pytorch_model.bin.index.json", "pytorch_model-00001-of-00002.bin"], b"safe_serialization=True"),
            (["tf_model.h5"], b"M.from_pretrained('.', from_tf=True)"),
            (["flax_model.msgpack"], b"M.from_pretrained('.', from_flax=True)"),
            (["model.fp16.safetensors"], b"but with model.fp16.safetensors; if these are the weights"),
            (["a.safetensors", "b.safetensors"], b"but with a.safetensors, b.safetensors; weights in several files need"),
            (["adapter_config.json", "adapter_model.safetensors"], b"an adapter (adapter_config.json) without the weights"),
            ([".model.safetensors"], b"without model.safetensors or model.safetensors.index.json\n"))):
        folder = f"set-{index}"
        os.makedirs(cli.path(folder))
        for name in ("config.json", "vocab.txt"):
            shutil.copy(small(options, "bert-plain", name), cli.path(folder))
        for name in files:
            cli.write(f"{folder}/{name}", b"x")
        result = cli.run("context", "--set", folder, "--text", "love", "--output", "x.npy")
        equal(result.returncode, 1, files)
        true(says in result.stderr, f"{files}: {result.stderr}")


@case
def what_a_layer_cannot_do(cli, options):
    os.makedirs(cli.path("silu"), exist_ok=True)
    for name in ("config.json", "vocab.txt", "model.safetensors"):
        shutil.copy(os.path.join(small(options, "bert-plain"), name), cli.path("silu"))
    with open(cli.path("silu/config.json"), encoding="utf-8") as file:
        config = json.load(file)
    cli.write("silu/config.json", json.dumps({**config, "hidden_act": "silu"}))
    result = cli.run("context", "--set", "silu", "--text", "love", "--layer", "2", "--output", "x.npy")
    equal(result.returncode, 1, "an activation that is not computed")
    true("has no layer 2; it offers: word, 0. Why not more: \"hidden_act\" is \"silu\"".encode() in result.stderr,
         result.stderr)
    true("\"hidden_act\" is \"silu\"" in cli.json("info", "silu", "--json")["warnings"], "info")
    source = ["--set", small(options, "bert-plain"), "--text", "love her"]
    for layer in ("1", "2"):
        result = cli.run("swap", "--map", "raf", *source, "--layer", layer, "--json")
        equal(result.returncode, 1, f"swap at layer {layer}")
        true(f"The rows of layer {layer} depend on the whole text".encode() in result.stderr, result.stderr)
    result = cli.run("tokens", *source, "--unknown", "random", "--json")
    equal(result.returncode, 0, result.stderr)
    true(b"Random rows are for tables of words" in result.stderr, result.stderr)
    result = cli.run("attention", *source, "--head", "foo", "--output", "x.npy")
    equal(result.returncode, 2, result.stderr)
    true(b"--head takes a head, counted from 0, mean or all" in result.stderr, result.stderr)
    for command, says in ((["--layer", "3"], b"offers no trained attention of block 3"),
                          (["--layer", "1", "--head", "4"], b"has no head 4; its heads are 0 to 3")):
        result = cli.run("attention", *source, *command, "--output", "x.npy")
        equal(result.returncode, 1, command)
        true(says in result.stderr, f"{command}: {result.stderr}")


@case
def info_of_damaged_weights(cli, options):
    """Weights that are there must be readable; texts become tokens all the same."""
    shutil.copytree(small(options, "bert-sharded"), cli.path("ck"))
    for shard in ("model-00002-of-00002.safetensors", "model.safetensors.index.json"):
        cli.write("ck/" + shard, b"{}")
        for more in ([], ["--json"]):
            result = cli.run("info", "ck", *more)
            equal((result.returncode, result.stdout), (1, b""), result.stderr)
            true(shard.encode() in result.stderr, result.stderr)
        result = cli.run("tokens", "--set", "ck", "--text", "love", "--json")
        equal(result.returncode, 0, result.stderr)
        true(b"no vectors. " in result.stderr and shard.encode() in result.stderr, result.stderr)
    os.remove(cli.path("ck/model.safetensors.index.json"))
    facts = cli.json("info", "ck", "--json")
    equal((facts["format"], facts["layers"]), ("vocabulary without weights", []), "no weights that could be damaged")


@case
def recipe_of_weights_that_are_not_read(cli, options):
    """Whole wherever it is said, and each of its lines by itself, to be copied."""
    os.makedirs(cli.path("old"))
    for name in ("config.json", "vocab.txt"):
        shutil.copy(small(options, "bert-plain", name), cli.path("old"))
    cli.write("old/pytorch_model.bin", b"x")
    message = cli.run("context", "--set", "old", "--text", "love", "--output", "x.npy").stderr.decode()
    recipe = [line for line in message.splitlines() if line.startswith("  ")]
    true(len(recipe) >= 2, message)
    said = cli.run("tokens", "--set", "old", "--text", "love").stderr.decode().splitlines()
    equal([line for line in said if not line.startswith("Note: ")], recipe, "tokens")
    shown = cli.text("info", "old").splitlines()
    true(all(" " * 20 + line in shown for line in recipe), shown)


@case
def provenance_of_a_tokeniser(cli, options):
    """The same weights with other files of a tokeniser are another set, and what is written says so."""
    for name, files in (("bert-plain", "vocab.txt, tokenizer_config.json"), ("gpt2", "vocab.json, merges.txt")):
        shutil.copytree(small(options, name), cli.path(name))
        digest = hashlib.sha256(b"".join(cli.bytes(f"{name}/{file}") for file in files.split(", "))).hexdigest()
        ask = ["--set", name, "--ids", "1,2,3", "--map", "raf", "--effort", "quick", "--json", "--provenance"]
        made = cli.json("ws", *ask)["provenance"]
        equal((made["words"], made["words_sha256"]), (files, digest), name)
        equal(made["config_sha256"], hashlib.sha256(cli.bytes(f"{name}/config.json")).hexdigest(), "config.json")
        equal(cli.json("info", name, "--json")["config_sha256"], made["config_sha256"], "info")
        equal(cli.json("info", name, "--json")["words_sha256"], digest, "info")
        cli.write(f"{name}/tokenizer_config.json", '{"do_lower_case": false}')
        again = cli.json("ws", *ask)["provenance"]
        equal(again["set_sha256"], made["set_sha256"], "the weights")
        true(again["words_sha256"] != digest, "another tokeniser")


def interrupt(cli, *arguments):
    """Sends a signal before the text has ended: more than a pipe holds is read only by a program that runs."""
    line = [cli.binary, *arguments, "--text-file", "-", "--output", "out.npy"]
    with subprocess.Popen(line, cwd=cli.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(b" " * (1 << 20))
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        try:
            _, message = process.communicate(b"the duck", timeout=30)
        finally:
            process.kill()
    return process.returncode, message.decode()


@case
def work_on_a_checkpoint_is_cancelled(cli, options):
    for asked in (["context", "--layer", "2"], ["attention", "--layer", "1"]):
        status, message = interrupt(cli, *asked, "--set", small(options, "gpt2"))
        equal((status, os.listdir(cli.folder)), (1, []), message)
        true("cancelled" in message.lower(), message)


run_main()
