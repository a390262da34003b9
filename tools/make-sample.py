#!/usr/bin/python3
"""Make the built-in sample: a small checkpoint cut out of all-MiniLM-L6-v2.

    tools/make-sample.py CHECKPOINT-FOLDER OUTPUT-FOLDER [--texts FOLDER]

CHECKPOINT-FOLDER holds config.json, vocab.txt and model.safetensors of the full model, as its authors
publish it. OUTPUT-FOLDER (data/sample) gets the same three files, smaller, and the licence. The same
input always gives the same bytes.

What stays: the special tokens, every ASCII character with its continuation, the most frequent English
words and word endings, and every word of the texts that come with the program; of the tensors, in
half precision and under their original names, what the embedding layer and the attention weights of
the first block need. No row is changed other than by rounding to half precision.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import numpy as np

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
FREQUENT_WORDS = 5000
FREQUENT_ENDINGS = 500
MAX_BYTES = 6_000_000

# Pasted text comes with typographic quotes, dashes and these signs.
TYPOGRAPHIC = "\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u00ab\u00bb\u20ac\u00a3\u00b0\u00d7"

# Words that people type when they read about the program or about the paper behind it.
TOPIC = """
    absolute attention bound bounds branch branches cat certificate cherry children context contextual
    convex curve curves decay decrease deep delta depth derivative dimension dimensions direction
    dog dot drf duck ducks duckling duration embedding embeddings encoder entropy epsilon exponent
    feature features figure fraction gaussian gradient head heads hidden infinity input inputs
    interaction interactions kernel layer layers learning length linear logarithm love map maps
    matrices matrix maximum mean median model models module much network networks neural neuron
    noise norm nudge nudged nudging optimal output outputs perturb perturbation perturbed pixel
    plot position positions precision probability product projection query quantile random relu
    robust robustness row rows sample samples scalar score scores seed sensitive sensitivity sensitivities
    sentence sentences sequence slope smile softmax sphere spectral stable symmetric temperature
    tensor theorem theory token tokenizer tokens transformer transformers trial trials tuning
    unchanged vector vectors vocabulary weight weights word words
"""

TENSORS = [
    "embeddings.position_embeddings.weight",
    "embeddings.token_type_embeddings.weight",
    "embeddings.LayerNorm.weight",
    "embeddings.LayerNorm.bias",
    "encoder.layer.0.attention.self.query.weight",
    "encoder.layer.0.attention.self.query.bias",
    "encoder.layer.0.attention.self.key.weight",
    "encoder.layer.0.attention.self.key.bias",
]
WORD_TABLE = "embeddings.word_embeddings.weight"

NOTICE = """\
The files config.json, vocab.txt and model.safetensors in this folder are a reduced copy of
all-MiniLM-L6-v2 (https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), which its authors,
the sentence-transformers project, trained from nreimers/MiniLM-L6-H384-uncased and publish under the
Apache License, Version 2.0. The full text of that licence is in the file LICENSE beside this one.

Changes made: the vocabulary is cut to {pieces} word pieces and the word embeddings to their rows; of
the six layers only the query and key projections of the first one are kept; all values are rounded to
half precision (float16); config.json states the new vocab_size and num_hidden_layers. The tool that
makes these files is tools/make-sample.py.
"""


def read_safetensors(path):
    """Every tensor of a file whose tensors are all float32."""
    raw = path.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(raw[begin:end], "<f4").reshape(entry["shape"])
    return tensors


def write_safetensors(path, tensors):
    header, offset = {}, 0
    for name, values in tensors.items():
        size = values.size * 2
        header[name] = {"dtype": "F16", "shape": list(values.shape), "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # so that the values start at a multiple of eight bytes
    with path.open("wb") as out:
        out.write(len(text).to_bytes(8, "little"))
        out.write(text)
        for values in tensors.values():
            half = values.astype("<f2")
            if not np.isfinite(half).all():
                sys.exit("a value does not fit half precision")
            out.write(half.tobytes())


def choose_pieces(vocabulary, texts):
    """Indices into the full vocabulary, ascending, and how many each rule contributed."""
    index = {piece: i for i, piece in enumerate(vocabulary)}
    alphabetic = re.compile(r"[a-z]{2,}\Z")
    kept, report = set(), []

    def keep(reason, pieces):
        before = len(kept)
        kept.update(index[piece] for piece in pieces if piece in index)
        report.append((reason, len(kept) - before))

    printable = [chr(c) for c in range(33, 127)]
    keep("special tokens", SPECIAL)
    keep("ASCII characters and their continuations", printable + ["##" + c for c in printable])
    keep("typographic marks", list(TYPOGRAPHIC) + ["##" + c for c in TYPOGRAPHIC])
    keep("frequent words", [p for p in vocabulary if alphabetic.match(p)][:FREQUENT_WORDS])
    keep("frequent continuations",
         [p for p in vocabulary if p.startswith("##") and alphabetic.match(p[2:])][:FREQUENT_ENDINGS])
    keep("words of the program's own texts", sorted(set(re.findall(r"[a-z]+|[0-9]+", texts.lower()))))
    keep("words of the topic", TOPIC.split())
    return sorted(kept), report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("output", type=Path)
    root = Path(__file__).resolve().parent.parent
    parser.add_argument("--texts", type=Path, default=root / "data" / "texts",
                        help="folder of texts whose words are all kept")
    arguments = parser.parse_args()

    vocabulary = (arguments.checkpoint / "vocab.txt").read_text(encoding="utf-8").split("\n")
    vocabulary = vocabulary[:-1] if vocabulary[-1] == "" else vocabulary
    texts = "\n".join(path.read_text(encoding="utf-8") for path in sorted(arguments.texts.glob("**/*.txt")))
    kept, report = choose_pieces(vocabulary, texts)

    full = read_safetensors(arguments.checkpoint / "model.safetensors")
    tensors = {WORD_TABLE: full[WORD_TABLE][kept]}
    tensors.update((name, full[name]) for name in TENSORS)

    config = json.loads((arguments.checkpoint / "config.json").read_text(encoding="utf-8"))
    config.update(vocab_size=len(kept), num_hidden_layers=1)

    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    (arguments.output / "vocab.txt").write_text("".join(vocabulary[i] + "\n" for i in kept), encoding="utf-8")
    (arguments.output / "NOTICE").write_text(NOTICE.format(pieces=len(kept)))
    write_safetensors(arguments.output / "model.safetensors", tensors)

    total = sum(path.stat().st_size for path in arguments.output.iterdir() if path.is_file())
    for reason, count in report:
        print(f"{count:6} {reason}")
    print(f"{len(kept):6} word pieces of {len(vocabulary)}")
    for name, values in tensors.items():
        print(f"       {name} {' x '.join(map(str, values.shape))}")
    print(f"{total:9,} bytes in {arguments.output}")
    if total > MAX_BYTES:
        sys.exit(f"more than the {MAX_BYTES:,} bytes allowed")


if __name__ == "__main__":
    main()
