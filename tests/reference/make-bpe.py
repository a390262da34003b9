#!/usr/bin/env python3
"""Writes byte-level-bpe.json: hard strings and their ids by the vocabulary of a small checkpoint.

    make-bpe.py STRINGS.json FOLDER OUTPUT.json
    make-bpe.py --check STRINGS.json FOLDER

STRINGS.json is a list of {"text": ..., "ids": ...}; FOLDER has vocab.json and merges.txt. With --check the
ids are held against those of STRINGS.json, which belong to the vocabulary of GPT-2. The plainest algorithm
there is: Python's own table of Unicode categories, and all pairs looked at again after every merge.
"""
import json
import sys
import unicodedata

SPACES = set(map(chr, [*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F,
                       0x205F, 0x3000]))


def byte_characters():
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [b for b in range(256) if b not in printable]
    return {**{b: chr(b) for b in printable}, **{b: chr(256 + i) for i, b in enumerate(others)}}


def kind(c):
    if c in SPACES:
        return "space"
    return {"L": "letter", "N": "number"}.get(unicodedata.category(c)[0], "other")


def run(text, at):
    end = at
    while end < len(text) and kind(text[end]) == kind(text[at]):
        end += 1
    return end


def cut(text):
    at, parts = 0, []
    while at < len(text):
        end = next((at + len(c) for c in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d")
                    if text.startswith(c, at)), None)
        if end is None:
            word = at + (text[at] == " ")
            if word < len(text) and kind(text[word]) != "space":
                end = run(text, word)
            else:
                end = run(text, at)
                if end < len(text) and end - at > 1:
                    end -= 1
        parts.append(text[at:end])
        at = end
    return parts


def join(pieces, ranks):
    while True:
        ranked = [(ranks[pair], i) for i, pair in enumerate(zip(pieces, pieces[1:])) if pair in ranks]
        if not ranked:
            return pieces
        i = min(ranked)[1]
        pieces = pieces[:i] + [pieces[i] + pieces[i + 1]] + pieces[i + 2:]


def encode(text, vocab, ranks, special="<|endoftext|>"):
    characters = byte_characters()
    ids = []
    for number, stretch in enumerate(text.split(special)):
        if number:
            ids.append(vocab[special])
        for part in cut(stretch):
            ids += [vocab[p] for p in join([characters[b] for b in part.encode()], ranks)]
    return ids


def main():
    check = sys.argv[1] == "--check"
    strings, folder = sys.argv[2:4] if check else sys.argv[1:3]
    cases = json.load(open(strings, encoding="utf-8"))
    vocab = json.load(open(folder + "/vocab.json", encoding="utf-8"))
    lines = open(folder + "/merges.txt", encoding="utf-8").read().split("\n")
    rules = [tuple(line.split(" ")) for line in lines if line and not line.startswith("#version")]
    ranks = {pair: i for i, pair in reversed(list(enumerate(rules)))}
    found = [encode(case["text"], vocab, ranks) for case in cases]
    if check:
        wrong = [case["text"] for case, ids in zip(cases, found) if ids != case["ids"]]
        print(len(cases) - len(wrong), "agree; differ:", wrong)
        sys.exit(bool(wrong))
    with open(sys.argv[3], "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(
            json.dumps({"text": case["text"], "ids": ids}) for case, ids in zip(cases, found)) + "\n]\n")


main()
