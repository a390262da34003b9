#!/usr/bin/env python3
"""Inputs that fuzzing starts from: make-seeds.py TESTS/DATA/EMBEDDINGS OUTPUT.

One folder per target. Small checkpoints become one file each for "checkpoint" (see fuzz-checkpoint.c), and a
tokenizer.json for "tokeniser"; what lies there as a file of a format is copied to the target of its name.
"""
import json
import os
import shutil
import sys

MEMBERS = ["config.json", "vocab.txt", "tokenizer_config.json", "tokenizer.json", "vocab.json", "merges.txt",
           "model.safetensors.index.json", "modules.json", "model.safetensors"]
# Folders of small files, and the targets that they are for.
READERS = {"bare-safetensors": "safetensors", "gguf": "gguf", "npy": "npy", "npz": "npz",
           "projector-config": "projector", "text-table": "text", "word-list": "words", "word2vec": "word2vec"}
LONGEST = 16384  # longer ones only slow it down
TEXTS = ["I love her much", "don't-stop  3.14 \n\n\u00e9\u4e2d\u6587 ", "[CLS] <|endoftext|> I'll 've", "##s the ducks"]


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def tokenizer(folder):
    """A small tokenizer.json of either kind."""
    path = os.path.join(folder, "vocab.json")
    if os.path.exists(path):
        lines = read(os.path.join(folder, "merges.txt")).decode().split("\n")[1:8]
        vocab = json.loads(read(path))
        kept = {piece: i for i, piece in enumerate(p for p in vocab if len(p) == 1 or vocab[p] < 275 or p[0] == "<")}
        rules = [line for line in lines if line.replace(" ", "") in kept and all(p in kept for p in line.split(" "))]
        return {"added_tokens": [{"id": kept[p], "content": p, "special": True, "lstrip": p == "<unk>"}
                                 for p in kept if p in ("<s>", "</s>", "<unk>")],
                "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": "<s>" in kept},
                "post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0]} if "<s>" in kept else None,
                "model": {"type": "BPE", "vocab": kept, "merges": rules}}
    pieces = read(os.path.join(folder, "vocab.txt")).decode().split()
    return {"added_tokens": [{"id": 1, "content": "[UNK]", "special": True}], "config": {"never_split": ["Love"]},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "normalizer": {"type": "BertNormalizer", "lowercase": True, "strip_accents": None},
            "model": {"type": "WordPiece", "vocab": {piece: i for i, piece in enumerate(pieces)}}}


def byte_level(regex=True):
    return {"type": "ByteLevel", "add_prefix_space": False, "use_regex": regex}


# What other files have in place of the same parts.
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
VARIANTS = {
    "bert-plain": [
        {"normalizer": None, "config": {}}, {"normalizer": {"type": "Lowercase"}, "post_processor": None},
        {"normalizer": {"type": "BertNormalizer", "clean_text": False, "handle_chinese_chars": False}, "config": {},
         "added_tokens": [{"id": 21, "content": " LovE the", "normalized": True, "lstrip": True, "single_word": True},
                          {"id": 22, "content": "<s>", "normalized": False, "rstrip": True}]},
        {"post_processor": {"type": "TemplateProcessing", "special_tokens": {"X": {"id": "X", "ids": [2, 3]}},
                            "single": [{"SpecialToken": {"id": "X"}}, {"Sequence": {"id": "A", "type_id": 0}},
                                       {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]}}],
    "gpt2": [
        {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, byte_level()]}},
        {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": LLAMA3}, "behavior": "Isolated", "invert": False}, byte_level(False)]}}],
}


def main():
    source, output = sys.argv[1:3]
    shutil.rmtree(output, ignore_errors=True)
    checkpoints = os.path.join(source, "checkpoints")
    for name in sorted(os.listdir(checkpoints)):
        folder = os.path.join(checkpoints, name)
        parts = [b"=== " + member.encode() + b"\n" + read(os.path.join(folder, member))
                 for member in MEMBERS if os.path.exists(os.path.join(folder, member))]
        write(os.path.join(output, "checkpoint"), name, b"".join(parts))
        write(os.path.join(output, "config"), name, read(os.path.join(folder, "config.json")))
        for number, more in enumerate([{}, *VARIANTS.get(name, [])]):
            write(os.path.join(output, "tokeniser"), f"{name}-{number}", json.dumps({**tokenizer(folder), **more}).encode())
        for member in os.listdir(folder):
            if member.endswith(".safetensors"):
                write(os.path.join(output, "safetensors"), f"{name}-{member}", read(os.path.join(folder, member)))
    for name in sorted(os.listdir(source)):
        target = name.rsplit(".", 1)[-1]
        if os.path.isfile(os.path.join(source, name)):
            write(os.path.join(output, target), name, read(os.path.join(source, name)))
    for target, folder in READERS.items():
        for path, _, names in os.walk(os.path.join(source, "made", folder)):
            for name in names:
                data = read(os.path.join(path, name))
                if len(data) <= LONGEST:
                    write(os.path.join(output, target), f"{os.path.basename(path)}-{name}", data)
    for number, text in enumerate(TEXTS):
        write(os.path.join(output, "text"), str(number), text.encode())


main()
