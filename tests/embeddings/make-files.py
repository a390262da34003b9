#!/usr/bin/env python3
"""Writes the small good and damaged files of tests/data/embeddings/made, and files.tsv beside them: what must come
out of each, or which error with which words (and so which position) in its message. Run it after a change here:

    python3 tests/embeddings/make-files.py tests/data/embeddings/made

The same files come out every time; nothing outside of Python's own library is needed."""

import bz2
import gzip
import io
import json
import lzma
import os
import struct
import sys
import zipfile
import zlib

FOLDER = sys.argv[1]
LIST = []


def write(name, content):
    path = os.path.join(FOLDER, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def case(name, content, result, says="", member="", words="", reading=""):
    """`result`: an error code, or "words 2 3" (kind, rows, dimensions); `says`: part of the error or warning."""
    if content is not None:
        write(name, content)
    LIST.append((name, member, words, reading, result, says))


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


SIX = floats(1, 2, 3, 4, 5, 6)
TWELVE = floats(*range(1, 13))

# --- .npy ----------------------------------------------------------------------------------------------------------


def npy(header, data=b"", version=(1, 0), length=None):
    text = header.encode("latin-1")
    size = len(text) if length is None else length
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H" if version[0] == 1 else "<I", size) + text + data


def head(descr="'<f4'", shape="(3, 2)", fortran="False"):
    return f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n"


GOOD = npy(head(), SIX)
case("npy/good.npy", GOOD, "context 3 2")
case("npy/magic-only.npy", GOOD[:6], "TRUNCATED", "ends at byte 6")
case("npy/cut-in-version.npy", GOOD[:7], "TRUNCATED", "ends at byte 7")
case("npy/cut-in-length.npy", GOOD[:9], "TRUNCATED", "ends at byte 9")
case("npy/cut-in-header.npy", GOOD[:40], "TRUNCATED", "ends at byte 40")
case("npy/cut-in-values.npy", GOOD[:-4], "TRUNCATED", "20 bytes of values from byte 70")
case("npy/longer.npy", GOOD + b"xx", "SHAPE", "26 bytes of values from byte 70")
case("npy/version-0.npy", npy(head(), SIX, (0, 0)), "UNSUPPORTED", "version 0.0 of the .npy format at byte 6")
case("npy/version-4.npy", npy(head(), SIX, (4, 0)), "UNSUPPORTED", "version 4.0 of the .npy format at byte 6")
case("npy/version-1.7.npy", npy(head(), SIX, (1, 7)), "UNSUPPORTED", "version 1.7 of the .npy format at byte 6")
case("npy/version-2.npy", npy(head(), SIX, (2, 0)), "context 3 2")
case("npy/version-3.npy", npy(head(), SIX, (3, 0)), "context 3 2")
case("npy/header-length-zero.npy", npy("", SIX), "MALFORMED", "ends at byte 10")
case("npy/header-length-lies.npy", npy(head(), SIX, length=60000), "TRUNCATED", "byte 94; 60000 bytes were expected")
case("npy/header-length-huge.npy", npy(head(), SIX, (2, 0), length=1 << 30), "TOO_LARGE", "byte 8")
case("npy/no-descr.npy", npy("{'fortran_order': False, 'shape': (3, 2)}", SIX), "MALFORMED", "byte 51 where all of the keys")
case("npy/no-shape.npy", npy("{'descr': '<f4', 'fortran_order': False}", SIX), "MALFORMED", "byte 50 where all of the keys")
case("npy/no-order.npy", npy("{'descr': '<f4', 'shape': (3, 2)}", SIX), "MALFORMED", "byte 43 where all of the keys")
case("npy/key-twice.npy", npy("{'descr': '<f4', 'descr': '<f4'}", SIX), "MALFORMED", "byte 27 where one each of the keys")
case("npy/key-unknown.npy", npy("{'colour': 1}", SIX), "MALFORMED", "at byte 11")
case("npy/quote-missing.npy", npy("{'descr: 1}", SIX), "MALFORMED", "byte 21 where a closing quote")
case("npy/escape.npy", npy(r"{'de\x73cr': 1}", SIX), "MALFORMED", "byte 14 where a plain character")
case("npy/list-in-place.npy", npy("['descr', '<f4']", SIX), "MALFORMED", "'[' at byte 10")
case("npy/code-in-place.npy", npy("__import__('os').system('true')", SIX), "MALFORMED", "at byte 10")
case("npy/behind-the-end.npy", npy(head().strip() + " 1\n", SIX), "MALFORMED", "byte 70 where nothing more")
case("npy/shape-negative.npy", npy(head(shape="(-3, 2)"), SIX), "MALFORMED", "byte 61 where a non-negative integer")
case("npy/shape-fraction.npy", npy(head(shape="(3.0, 2)"), SIX), "MALFORMED", "byte 62 where ',' or ')'")
case("npy/shape-number.npy", npy(head(shape="6"), SIX), "MALFORMED", "byte 60 where '('")
case("npy/shape-open.npy", npy("{'descr': '<f4', 'shape': (3, 2", SIX), "MALFORMED", "byte 41 where ',' or ')'")
case("npy/shape-nine-axes.npy", npy(head(shape="(1,1,1,1,1,1,1,1,1)"), SIX), "MALFORMED", "byte 77 where ')': more than 8 axes")
case("npy/shape-overflow.npy", npy(head(shape="(99999999999999999999999, 2)"), SIX), "TOO_LARGE", "byte 80 of the .npy header is beyond any memory")
case("npy/product-overflow.npy", npy(head(shape="(4294967296, 4294967296)"), SIX), "TOO_LARGE", "beyond any memory")
case("npy/bytes-overflow.npy", npy(head(shape="(4611686018427387904, 1)"), SIX), "TOO_LARGE", "beyond any memory")
case("npy/shape-long.npy", npy(head(shape="(3L, 2L)"), SIX), "context 3 2")
case("npy/order-unclear.npy", npy(head(fortran="Maybe"), SIX), "MALFORMED", "byte 44 where True or False")
case("npy/fortran.npy", npy(head(fortran="True"), SIX), "context 3 2")
case("npy/no-trailing-comma.npy", npy("{'descr':'<f4','fortran_order':False,'shape':(3,2)}", SIX), "context 3 2")
case("npy/double-quotes.npy", npy('{"descr":"<f4","fortran_order":False,"shape":(3,2)}', SIX), "context 3 2")
case("npy/native.npy", npy(head("'=f4'"), SIX), "context 3 2")
case("npy/big-endian-i2.npy", npy(head("'>i2'"), struct.pack(">6h", *range(6))), "context 3 2")
case("npy/u8.npy", npy(head("'<u8'"), struct.pack("<6Q", *range(6))), "context 3 2")
case("npy/i1.npy", npy(head("'|i1'"), bytes(6)), "context 3 2")
case("npy/f16-of-16-bytes.npy", npy(head("'<f16'"), bytes(96)), "REFUSED", "numbers of type '<f16'")
case("npy/complex.npy", npy(head("'<c8'"), bytes(48)), "REFUSED", "complex")
case("npy/bytes.npy", npy(head("'|S3'"), b"abc" * 6), "REFUSED", "text")
case("npy/dates.npy", npy(head("'<M8[s]'"), bytes(48)), "REFUSED", "dates")
case("npy/void.npy", npy(head("'|V4'"), bytes(24)), "REFUSED", "raw bytes")
case("npy/records.npy", npy(head("[('a', '<f4')]"), SIX), "REFUSED", "structured")
case("npy/records-with-words.npy", npy(head("[('w', '<U1'), ('v', '<f4', (2,))]"), SIX), "REFUSED", "np.column_stack([a[n] for n in f])")
case("npy/nan.npy", npy(head(), floats(1, 2, 3, float("nan"), 5, 6)), "NON_FINITE", "row 1, column 1")
case("npy/infinite.npy", npy(head(), floats(1, 2, 3, 4, float("inf"), 6)), "NON_FINITE", "row 2, column 0")
case("npy/minus-infinite.npy", npy(head(), floats(float("-inf"), 2, 3, 4, 5, 6)), "NON_FINITE", "row 0, column 0")
case("npy/nan-fortran.npy", npy(head(fortran="True"), floats(1, 2, 3, 4, float("nan"), 6)), "NON_FINITE", "row 1, column 1")
case("npy/no-rows.npy", npy(head(shape="(0, 2)")), "EMPTY", "0 x 2")
case("npy/no-columns.npy", npy(head(shape="(2, 0)")), "EMPTY", "2 x 0")
case("npy/one-axis.npy", npy(head(shape="(6,)"), SIX), "context 1 6", "one axis only")
case("npy/no-axes.npy", npy(head(shape="()"), floats(1)), "SHAPE", "0 axes")
case("npy/four-axes.npy", npy(head(shape="(1, 1, 3, 2)"), SIX), "SHAPE", "4 axes")
case("npy/too-many-columns.npy", npy(head("'|i1'", "(1, 70000)"), bytes(70000)), "TOO_LARGE", "65536 dimensions")
case("npy/too-many-rows.npy", npy(head("'|i1'", "(70000, 1)"), bytes([1]) * 70000), "words 70000 1", "rows go by their numbers")
THREE = npy(head(shape="(2, 3, 2)"), TWELVE)
case("npy/texts.npy", THREE, "AMBIGUOUS", "2 contexts. Choose one, from 1 on")
case("npy/texts.npy", None, "context 3 2", member="2")
case("npy/texts.npy", None, "MISSING", "text 3 was asked for; there are 2", member="3")
case("npy/texts.npy", None, "MISSING", "no member \"first\"", member="first")
case("npy/good.npy", None, "context 3 2", member="1")
case("npy/good.npy", None, "MISSING", "text 2 was asked for; there is 1", member="2")
case("npy/texts-fortran.npy", npy(head(shape="(2, 3, 2)", fortran="True"), TWELVE), "context 3 2", member="2")
case("npy/one-text.npy", npy(head(shape="(1, 3, 2)"), SIX), "context 3 2")
case("npy/texts-nan.npy", npy(head(shape="(2, 3, 2)"), TWELVE[:-4] + floats(float("nan"))), "NON_FINITE",
     "row 2, column 1", member="2")
case("npy/texts-nan.npy", None, "context 3 2", member="1")

# A mask beside an array of texts.
def truths(*values, shape="(2, 3)", fortran="False"):
    return npy(head("'|b1'", shape, fortran), bytes(values))


TEXTS = npy(head(shape="(2, 3, 2)"), TWELVE)
case("masks/a/X.npy", TEXTS, "context 2 2", "The mask in X.mask.npy keeps 2 of 3 rows", member="1")
write("masks/a/X.mask.npy", truths(1, 1, 0, 1, 0, 0))
case("masks/a/X.npy", None, "context 1 2", "The mask in X.mask.npy keeps 1 of 3 rows", member="2")
case("masks/a", None, "context 1 2", "“X.npy” is opened", member="2")
case("masks/b/X.npy", npy(head(shape="(2, 3, 2)", fortran="True"), TWELVE), "context 2 2", "X_attention_mask.npy keeps 2 of 3", member="1")
write("masks/b/X_attention_mask.npy", truths(1, 1, 1, 0, 0, 0, fortran="True"))
case("masks/c/X.npy", TEXTS, "context 3 2", "mask.npy keeps 3 of 3", member="1")
write("masks/c/mask.npy", npy(head("'<f4'", "(2, 3)"), floats(1, 1, 1, 0, 0, 0)))
case("masks/c/X.npy", None, "EMPTY", "the mask leaves no row of text 2", member="2")
case("masks/c/Y.npy", npy(head(shape="(1, 3, 2)"), SIX), "context 3 2", "mask.npy beside it has not one value")
# A mask of an array with two axes; the table keeps the words of the rows that are left.
case("masks/j/X.npy", TEXTS, "context 2 2", "The mask in mask.npy keeps 2 of 3 rows", member="2")
write("masks/j/mask.npy", truths(1, 0, 1, shape="(3,)"))
case("masks/f/X.npy", GOOD, "context 2 2", "The mask in X.mask.npy keeps 2 of 3 rows")
write("masks/f/X.mask.npy", truths(1, 0, 1, shape="(3,)"))
case("masks/g/X.npy", GOOD, "words 2 2", "The mask in mask.npy keeps 2 of 3 rows", words="words/three.txt")
write("masks/g/mask.npy", truths(0, 1, 1, shape="(1, 3)", fortran="True"))
case("masks/g/X.npy", None, "SHAPE", "has 3 rows, but the list of words two.txt has 2", words="words/two.txt")
case("masks/h/X.npy", GOOD, "context 3 2", "mask.npy beside it has not one value for each row")
write("masks/h/mask.npy", truths(0, 1, shape="(2,)"))
case("masks/i/X.npy", GOOD, "SHAPE", "it is 2; 3 values were expected, one for each row")
write("masks/i/X_mask.npy", truths(0, 1, shape="(2,)"))
case("masks/d/X.npy", TEXTS, "NUMBER", "the mask has the value 0.5 for token 1", member="1")
write("masks/d/X_mask.npy", npy(head("'<f4'", "(2, 3)"), floats(1, 0.5, 1, 1, float("nan"), 7)))
case("masks/d/X.npy", None, "NUMBER", "the mask has the value nan for token 1", member="2")
case("masks/e/X.npy", TEXTS, "SHAPE", "it is 2 x 2; 2 texts x 3 tokens were expected", member="1")
write("masks/e/X.mask.npy", truths(1, 1, 1, 1, shape="(2, 2)"))

# Words of an array, in another file.
case("words/two.txt", "ah\nbe\n", "UNKNOWN", "Line 1 is \"ah\"")
case("npy/good.npy", None, "SHAPE", "3 rows, but the list of words two.txt has 2", words="words/two.txt")
case("words/three.txt", "ah\nbe\nsee\n", "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "words 3 2", words="words/three.txt")
case("words/three-crlf.txt", "ah\r\nbe\r\nsee\r\n", "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "words 3 2", words="words/three-crlf.txt")
case("words/three-bom.txt", "\ufeffah\nbe\nsee", "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "words 3 2", words="words/three-bom.txt")
case("words/twice.txt", "ah\nbe\nah\n", "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "words 3 2", "1 word is in the list more than once", words="words/twice.txt")
case("words/empty-line.txt", "ah\n\nsee\n", "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "MALFORMED", "word 2 is empty", words="words/empty-line.txt")
case("words/latin-1.txt", b"ah\nb\xe9\nsee\n", "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "MALFORMED", "word 2 is no UTF-8", words="words/latin-1.txt")
case("words/nul.txt", b"ah\nb\0\nsee\n", "UNKNOWN", "binary")
case("npy/good.npy", None, "MALFORMED", "byte 4 is a NUL", words="words/nul.txt")
case("words/utf-16.txt", "ah\nb\u00e9\nsee\n".encode("utf-16"), "REFUSED", "text in UTF-16")
case("npy/good.npy", None, "REFUSED", "iconv -f UTF-16", words="words/utf-16.txt")
case("words/packed.txt", gzip.compress(b"ah\nbe\nsee\n", mtime=0), "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "REFUSED", "a list of words that is packed", words="words/packed.txt")
case("words/columns.tsv", "word\tcount\nah\t1\nbe\t2\nsee\t3\n", "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "words 3 2", words="words/columns.tsv")
case("words/columns-without-header.tsv", "ah\t1\nbe\t2\nsee\t3\n", "UNKNOWN", "line 1 is \"ah 1\"")
case("npy/good.npy", None, "words 3 2", words="words/columns-without-header.tsv")
case("words/list.json", '["ah", "be", "see"]', "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "words 3 2", words="words/list.json")
case("words/numbered.json", '{"see": 2, "ah": 0, "be": 1}', "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "words 3 2", words="words/numbered.json")
case("words/tokenizer.json", '{"model": {"type": "BPE", "vocab": {"see": 2, "ah": 0, "be": 1}}}', "MISSING", "a vocabulary without config.json")
case("npy/good.npy", None, "words 3 2", words="words/tokenizer.json")
case("words/number-twice.json", '{"see": 1, "ah": 0, "be": 1}', "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "MALFORMED", "\"be\" has no number of its own", words="words/number-twice.json")
case("words/not-text.json", '["ah", 2, "see"]', "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "MALFORMED", "entry 2 of the list", words="words/not-text.json")
case("words/cut.json", '["ah", "be",', "UNKNOWN", "Line 1 is")
case("npy/good.npy", None, "MALFORMED", "line 1, column", words="words/cut.json")
case("words/array.npy", npy(head("'<U3'", "(3,)"), "".join(w.ljust(3, "\0") for w in ("ah", "be", "see")).encode("utf-32-le")),
     "REFUSED", "choose this as its list of words")
case("npy/good.npy", None, "words 3 2", words="words/array.npy")
case("words/numbers.npy", npy(head(shape="(3,)"), floats(1, 2, 3)), "context 1 3", "one axis only")
case("npy/good.npy", None, "SHAPE", "words of at most", words="words/numbers.npy")
case("npy/good.npy", None, "SHAPE", "a list of words has one", words="npy/good.npy")
case("npy/good.npy", None, "NOT_FOUND", "no-such-file", words="words/no-such-file")

# --- zip and .npz --------------------------------------------------------------------------------------------------


def zipped(members, deflated=False, comment=b""):
    """Members are pairs of name and bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED) as archive:
        archive.comment = comment
        for name, content in members:
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
            archive.writestr(info, content)
    return buffer.getvalue()


def patched(content, at, new):
    return content[:at] + new + content[at + len(new):]


def unicode_words(*words, length=4, shape=None):
    data = b"".join(word.encode("utf-32-le").ljust(4 * length, b"\0") for word in words)
    return npy(head(f"'<U{length}'", shape or f"({len(words)},)"), data)


STORED = zipped([("X.npy", GOOD)])
DEFLATED = zipped([("X.npy", GOOD)], True)
END = STORED.rindex(b"PK\5\6")
ENTRY = STORED.rindex(b"PK\1\2")
case("npz/good.npz", STORED, "context 3 2")
case("npz/deflated.npz", DEFLATED, "context 3 2")
for kind, names in (("csr", ("indices", "indptr", "format", "shape", "data")), ("coo", ("row", "col", "format", "shape", "data"))):
    case(f"npz/sparse-{kind}.npz",
         zipped([(name + ".npy", npy(head("'|S3'", "()"), kind.encode()) if name == "format" else npy(head(shape="(2,)"), SIX[:8]))
                 for name in names]), "REFUSED", "a sparse matrix of SciPy")
case("npz/comment.npz", zipped([("X.npy", GOOD)], comment=b"hello"), "context 3 2")
case("npz/in-a-folder.npz", zipped([("some/vectors.npy", GOOD)]), "context 3 2")
case("npz/no-members.npz", zipped([]), "EMPTY", "a zip archive without files")
case("npz/no-arrays.npz", zipped([("readme.npy.txt", b"hello")]), "EMPTY", "without any array")
case("npz/cut.npz", STORED[:END], "TRUNCATED", "directory, which stands at the end")
case("npz/cut-in-end.npz", STORED[:-5], "TRUNCATED", "directory, which stands at the end")
case("npz/directory-too-long.npz", patched(STORED, END + 12, struct.pack("<I", 1 << 30)), "MALFORMED", "byte 180: the directory is said to have")
case("npz/directory-elsewhere.npz", patched(STORED, END + 16, struct.pack("<I", 1 << 30)), "MALFORMED", "byte 180: the directory is said to have")
case("npz/more-members-announced.npz", patched(STORED, END + 10, struct.pack("<H", 9)), "MALFORMED", "entry 2 of 9")
case("npz/entry-damaged.npz", patched(STORED, ENTRY, b"XX"), "MALFORMED", "entry 1 of 1")
case("npz/name-too-long.npz", patched(STORED, ENTRY + 28, struct.pack("<H", 60000)), "MALFORMED", "entry 1 of 1")
case("npz/several-parts.npz", patched(STORED, END + 4, struct.pack("<HH", 2, 0)), "UNSUPPORTED", "in several parts")
case("npz/local-header-missing.npz", patched(STORED, ENTRY + 42, struct.pack("<I", 4)), "MALFORMED", "has no header at byte 4")
case("npz/local-header-behind.npz", patched(STORED, ENTRY + 42, struct.pack("<I", 1 << 20)), "MALFORMED", "byte 1048576, behind the end")
case("npz/longer-than-file.npz", patched(STORED, ENTRY + 20, struct.pack("<II", 1 << 20, 1 << 20)), "TRUNCATED", "byte 35 on; the file ends at byte")
case("npz/sizes-differ.npz", patched(STORED, ENTRY + 24, struct.pack("<I", 7)), "MALFORMED", "is stored, yet has")
case("npz/bomb.npz", patched(DEFLATED, DEFLATED.rindex(b"PK\1\2") + 24, struct.pack("<I", 1 << 31)), "TOO_LARGE", "is said to unpack")
case("npz/checksum.npz", patched(STORED, ENTRY + 16, b"\0\0\0\0"), "MALFORMED", "its checksum is")
case("npz/checksum-deflated.npz", patched(DEFLATED, DEFLATED.rindex(b"PK\1\2") + 16, b"\0\0\0\0"), "MALFORMED", "its checksum is")
case("npz/not-deflated.npz", patched(DEFLATED, 30 + len("X.npy"), b"\xff\xff\xff\xff"), "MALFORMED", "cannot be unpacked, near byte 35")
case("npz/unpacks-to-less.npz", patched(DEFLATED, DEFLATED.rindex(b"PK\1\2") + 24, struct.pack("<I", len(GOOD) + 9)), "MALFORMED", "unpacks to less")
case("npz/unpacks-to-more.npz", patched(DEFLATED, DEFLATED.rindex(b"PK\1\2") + 24, struct.pack("<I", len(GOOD) - 9)), "MALFORMED", "unpacks to more")
case("npz/method-12.npz", patched(STORED, ENTRY + 10, struct.pack("<H", 12)), "UNSUPPORTED", "packed by method 12")
case("npz/encrypted.npz", patched(STORED, ENTRY + 8, struct.pack("<H", 1)), "UNSUPPORTED", "is encrypted")
case("npz/values-cut.npz", zipped([("X.npy", GOOD[:-4])]), "TRUNCATED", "20 bytes of values from byte 70")
case("npz/nan.npz", zipped([("X.npy", npy(head(), floats(1, 2, float("nan"), 4, 5, 6)))]), "NON_FINITE", "row 1, column 0")
case("npz/large-deflated.npz", zipped([("X.npy", npy(head(shape="(50000, 100)"), bytes(20000000)))], True), "context 50000 100")
case("npz/two-arrays.npz", zipped([("a.npy", GOOD), ("b.npy", GOOD)]), "AMBIGUOUS", "\"a\" (3 x 2, float32), \"b\" (3 x 2, float32)")
case("npz/two-arrays.npz", None, "context 3 2", member="b")
case("npz/two-arrays.npz", None, "MISSING", "has no \"c\"; there is \"a\"", member="c")
case("npz/two-arrays.npz", None, "MISSING", "text 2 was asked for", member="b:2")
case("npz/usual-name.npz", zipped([("a.npy", GOOD), ("vectors.npy", GOOD)]), "context 3 2")
case("npz/words.npz", zipped([("vectors.npy", GOOD), ("words.npy", unicode_words("ah", "be", "see"))]), "words 3 2")
case("npz/words.npz", None, "context 3 2", words="none")
case("npz/words.npz", None, "REFUSED", "an array of text", member="words")
case("npz/words-without-a-name.npz", zipped([("arr_0.npy", GOOD), ("arr_1.npy", unicode_words("ah", "be", "see"))]), "words 3 2")
case("npz/two-texts.npz", zipped([("arr_0.npy", GOOD), ("arr_1.npy", unicode_words("ah", "be", "see")), ("arr_2.npy", unicode_words("ah", "be", "see"))]), "context 3 2")
case("npz/words-in-bytes.npz", zipped([("vectors.npy", GOOD), ("words.npy", npy(head("'|S3'", "(3,)"), b"ah\0be\0see"))]), "words 3 2")
case("npz/words-big-endian.npz", zipped([("vectors.npy", GOOD), ("words.npy", npy(head("'>U1'", "(3,)"), "abc".encode("utf-32-be")))]), "words 3 2")
case("npz/words-too-few.npz", zipped([("vectors.npy", GOOD), ("words.npy", unicode_words("ah", "be"))]), "SHAPE", "\"words\" has 2 values")
case("npz/words-empty.npz", zipped([("vectors.npy", GOOD), ("words.npy", unicode_words("ah", "", "see"))]), "MALFORMED", "word 2 is empty")
case("npz/words-no-character.npz", zipped([("vectors.npy", GOOD), ("words.npy", npy(head("'<U1'", "(3,)"), b"a\0\0\0\xff\xff\xff\xffc\0\0\0"))]), "MALFORMED", "word 2 holds a number that is no character")
case("npz/words-latin-1.npz", zipped([("vectors.npy", GOOD), ("words.npy", npy(head("'|S1'", "(3,)"), b"a\xe9c"))]), "MALFORMED", "word 2 is no UTF-8")
case("npz/words-numbers.npz", zipped([("vectors.npy", GOOD), ("words.npy", npy(head("'|i1'", "(3,)"), bytes(3)))]), "SHAPE", "words of at most")
case("npz/labels-numbers.npz", zipped([("X.npy", GOOD), ("labels.npy", npy(head("'<i4'", "(3,)"), bytes(12)))]), "context 3 2")
case("npz/tokens-of-table.npz", zipped([("X.npy", GOOD), ("tokens.npy", unicode_words("ah", "be", "see"))]), "context 3 2")
case("npz/token-ids.npz", zipped([("X.npy", GOOD), ("tokens.npy", npy(head("'<i4'", "(3,)"), bytes(12)))]), "context 3 2")
case("npz/words-twice.npz", zipped([("vectors.npy", GOOD), ("words.npy", unicode_words("ah", "be", "ah"))]), "words 3 2", "1 word is in the list more than once")
case("npz/texts.npz", zipped([("X.npy", THREE)]), "AMBIGUOUS", "2 contexts. Choose one, from 1 on")
case("npz/texts.npz", None, "context 3 2", member="2")
case("npz/texts.npz", None, "context 3 2", member="X:2")
MASK = npy(head("'|b1'", "(2, 3)"), b"\1\1\1\0\1\0")
LABELS = unicode_words("a", "b", "c", "d", "e", "f", shape="(2, 3)")
# A list of words in a file of its own, and whatever else there is besides the arrays.
GLOVE = "ah 1 2 3\nbe 4 5 6\nsee 7 8 9\n"
case("npz/list.zip", zipped([("a.npy", GOOD), ("a.txt", "ah\nbe\nsee\n")]), "words 3 2")
case("npz/list-plain.zip", zipped([("d/a.npy", GOOD), ("d/vocab.txt", "ah\nbe\nsee\n")]), "words 3 2")
case("npz/list-and-table.zip", zipped([("a.npy", GOOD), ("a.tsv", "ah\nbe\nsee\n"), ("g.txt", GLOVE)]), "words 3 2", "Not used of the archive: \"g.txt\"")
case("npz/list-and-table.zip", None, "words 3 3", member="g.txt")
case("npz/list-and-table.zip", None, "MISSING", "has no \"h.txt\"", member="h.txt")
case("npz/list-unfit.zip", zipped([("a.npy", GOOD), ("vocab.txt", "ah\nbe\n")]), "context 3 2", "Not used of the archive: \"vocab.txt\"")
case("npz/list-own-unfit.zip", zipped([("a.npy", GOOD), ("a.words.txt", "ah\nbe\n")]), "SHAPE", "the list of words a.words.txt has 2 words")
case("npz/list-own-unfit.zip", None, "context 3 2", "Not used of the archive", words="none")
case("npz/masked.npz", zipped([("X.npy", THREE), ("mask.npy", MASK), ("tokens.npy", LABELS)]), "AMBIGUOUS", "Choose one, from X:1 on")
case("npz/masked.npz", None, "context 3 2", "The mask of the archive keeps 3 of 3 rows", member="X:1")
case("npz/masked.npz", None, "context 1 2", "keeps 1 of 3 rows", member="2")
case("npz/masked-fortran.npz", zipped([("X.npy", THREE), ("mask.npy", truths(1, 0, 1, 1, 1, 0, fortran="True"))]), "context 3 2", "keeps 3 of 3 rows", member="X:1")
case("npz/masked-fortran.npz", None, "context 1 2", "keeps 1 of 3 rows", member="X:2")
case("npz/masked-alike.npz", zipped([("X.npy", THREE), ("mask.npy", truths(1, 0, 1, shape="(3,)"))]), "context 2 2", "keeps 2 of 3 rows", member="X:2")
case("npz/mask-of-table.npz", zipped([("X.npy", GOOD), ("mask.npy", npy(head("'|i1'", "(3,)"), b"\1\0\1"))]), "context 2 2", "keeps 2 of 3")
write("words/four.txt", "ah\nbe\nsee\ndo\n")
case("npz/mask-of-table.npz", None, "words 2 2", "keeps 2 of 3", words="words/three.txt")
case("npz/mask-of-table.npz", None, "SHAPE", "has 3 rows, but the list of words two.txt has 2", words="words/two.txt")
case("npz/mask-of-table.npz", None, "SHAPE", "has 3 rows, but the list of words four.txt has 4", words="words/four.txt")
case("npz/mask-fortran.npz", zipped([("X.npy", npy(head(fortran="True"), SIX)), ("mask.npy", npy(head("'|i1'", "(3,)"), b"\1\0\1"))]), "context 2 2", "keeps 2 of 3")
case("npz/mask-of-nothing.npz", zipped([("X.npy", GOOD), ("mask.npy", npy(head("'|i1'", "(3,)"), b"\0\0\0"))]), "EMPTY", "the mask leaves no row")
case("npz/mask-of-other-shape.npz", zipped([("X.npy", GOOD), ("mask.npy", npy(head("'|i1'", "(2,)"), b"\1\1"))]), "SHAPE", "\"mask\" has 2 values")
case("npz/objects.npz", zipped([("vectors.npy", npy(head("'|O'"), bytes(48)))]), "REFUSED", "z['vectors'] = np.array(z['vectors'].tolist(), dtype='float32'); np.savez('out.npz', **z)")
case("npz/words-objects.npz", zipped([("vectors.npy", GOOD), ("words.npy", npy(head("'|O'", "(3,)"), bytes(24)))]), "REFUSED", "z['words'] = np.array(sorted(w, key=w.get) if isinstance(w, dict) else w).astype(str); np.savez('out.npz', **z)")
case("npz/words-dictionary.npz", zipped([("vectors.npy", GOOD), ("vocab.npy", npy(head("'|O'", "()"), bytes(24)))]), "REFUSED", "sorted(w, key=w.get) if isinstance(w, dict)")
case("npz/last-hidden-state.npz", zipped([("attention_mask.npy", npy(head("'<i2'", "(1, 3)"), struct.pack("<3h", 1, 1, 0))), ("input_ids.npy", npy(head("'<i2'", "(1, 3)"), bytes(6))), ("last_hidden_state.npy", npy(head(shape="(1, 3, 2)"), SIX))]), "context 2 2", "keeps 2 of 3 rows")
case("text/checkpoint.zip", zipped([("model/config.json", b"{}"), ("model/model.safetensors", bytes(16)), ("model/vocab.txt", b"[UNK]\n")]), "REFUSED", "a zip archive with a checkpoint in it (model/model.safetensors)")
case("text/checkpoint-config-elsewhere.zip", zipped([("other/config.json", b"{}"), ("ah.txt", b"ah 1 2\nbe 3 4\n")]), "words 2 2")

# --- safetensors ---------------------------------------------------------------------------------------------------


def safetensors(header, data=b"", length=None):
    text = (header if isinstance(header, str) else json.dumps(header)).encode("utf-8", "surrogateescape")
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def tensor(shape, begin=0, kind="F32", width=4):
    size = width
    for axis in shape:
        size *= axis
    return {"dtype": kind, "shape": shape, "data_offsets": [begin, begin + size]}


case("safetensors/good.safetensors", safetensors({"t": tensor([3, 2])}, SIX), "context 3 2")
case("safetensors/other-name", safetensors({"t": tensor([3, 2])}, SIX), "context 3 2")
TWO = safetensors({"a": tensor([3, 2]), "b": tensor([2, 3], 24)}, SIX + SIX)
case("safetensors/two.safetensors", TWO, "AMBIGUOUS", "\"a\" (3 x 2, F32), \"b\" (2 x 3, F32)")
case("safetensors/two.safetensors", None, "context 2 3", member="b")
case("safetensors/two.safetensors", None, "MISSING", "has no \"c\"", member="c")
case("safetensors/gpt-2.safetensors", safetensors({"h.0.w": tensor([2, 3]), "wte.weight": tensor([3, 2], 24)}, SIX + SIX), "words 3 2", "rows go by their numbers, from 0 on")
case("safetensors/llama.safetensors", safetensors({"model.embed_tokens.weight": tensor([3, 2]), "z": tensor([2, 3], 24)}, SIX + SIX), "words 3 2", "rows go by their numbers, from 0 on")
case("safetensors/bert.safetensors", safetensors({"bert.embeddings.word_embeddings.weight": tensor([3, 2]), "z": tensor([2, 3], 24)}, SIX + SIX), "words 3 2", "rows go by their numbers, from 0 on")
case("safetensors/llama.safetensors", None, "words 3 2", words="words/three.txt")
case("safetensors/llama.safetensors", None, "words 3 2", "1 word is in the list more than once", words="words/twice.txt")
case("safetensors/llama.safetensors", None, "context 3 2", words="none")
case("safetensors/positions.safetensors", safetensors({"position_embeddings.weight": tensor([3, 2])}, SIX), "context 3 2")
case("safetensors/usual-i8.safetensors", safetensors({"model.embed.weight": tensor([3, 2], 0, "I8", 1), "other": tensor([3, 2], 6)}, bytes(6) + SIX), "REFUSED", "tensor \"model.embed.weight\" holds values of type I8")
case("safetensors/usual-i8.safetensors", None, "context 3 2", member="other")
case("safetensors/other-i8.safetensors", safetensors({"q": tensor([3, 2], 0, "I8", 1), "other": tensor([3, 2], 6)}, bytes(6) + SIX), "context 3 2", "Tensor \"q\" is left aside, because values of type I8 are not read")
case("safetensors/no-columns.safetensors", safetensors({"q": {"dtype": "X9", "shape": [3, 0], "data_offsets": [0, 24]}, "other": tensor([3, 2], 24)}, SIX + SIX), "context 3 2")
case("safetensors/gpt-2.safetensors", None, "words 2 2", "1 row at the end has no word", words="words/two.txt")
case("safetensors/good.safetensors", None, "SHAPE", "3 rows, but two.txt has 2 words", words="words/two.txt")
case("safetensors/one-useful.safetensors", safetensors({"a": tensor([6]), "b": tensor([2, 3], 24)}, SIX + SIX), "context 2 3")
case("safetensors/vector-only.safetensors", safetensors({"a": tensor([6])}, SIX), "UNSUPPORTED", "two axes are needed")
case("safetensors/vector-only.safetensors", None, "context 1 6", member="a")
case("safetensors/three-axes.safetensors", safetensors({"a": tensor([1, 3, 2])}, SIX), "context 3 2")
case("safetensors/three-axes.safetensors", None, "MISSING", "text 2 was asked for; there is 1", member="2")
case("safetensors/texts.safetensors", safetensors({"a": tensor([2, 3, 2])}, TWELVE), "AMBIGUOUS", "2 contexts. Choose one, from 1 on")
case("safetensors/texts.safetensors", None, "context 3 2", member="2")
case("safetensors/texts.safetensors", None, "context 3 2", member="a:2")
case("safetensors/texts.safetensors", None, "AMBIGUOUS", "2 contexts. Choose one, from 1 on", member="a")
case("safetensors/texts.safetensors", None, "MISSING", "text 3 was asked for; there are 2", member="3")
case("safetensors/texts.safetensors", None, "UNSUPPORTED", "the tokens of a text", member="1", words="words/three.txt")
case("safetensors/texts-f16.safetensors", safetensors({"a": tensor([2, 3, 2], 0, "F16", 2)}, struct.pack("<12e", *range(12))), "context 3 2", member="2")
case("safetensors/texts-bf16.safetensors", safetensors({"a": tensor([2, 3, 2], 0, "BF16", 2)}, b"".join(TWELVE[i + 2:i + 4] for i in range(0, 48, 4))), "context 3 2", member="1")
case("safetensors/texts-i8.safetensors", safetensors({"a": tensor([2, 3, 2], 0, "I8", 1)}, bytes(12)), "REFUSED", "values of type I8")
case("safetensors/texts-nan.safetensors", safetensors({"a": tensor([2, 3, 2])}, TWELVE[:-4] + floats(float("nan"))), "NON_FINITE", "row 2, column 1", member="2")
case("safetensors/texts-nan.safetensors", None, "context 3 2", member="1")
case("safetensors/two-stacks.safetensors", safetensors({"a": tensor([2, 3, 2]), "b": tensor([1, 3, 2], 48)}, TWELVE + SIX), "AMBIGUOUS", "\"a\" (2 x 3 x 2, F32), \"b\" (1 x 3 x 2, F32)")
case("safetensors/two-stacks.safetensors", None, "AMBIGUOUS", "Choose one, from a:1 on", member="a")
case("safetensors/two-stacks.safetensors", None, "context 3 2", member="a:2")
case("safetensors/two-stacks.safetensors", None, "context 3 2", member="b")
case("safetensors/masked.safetensors", safetensors({"X": tensor([2, 3, 2]), "mask": tensor([2, 3], 48, "I64", 8)}, TWELVE + struct.pack("<6q", 1, 1, 0, 1, 0, 0)), "context 2 2", "The mask \"mask\" keeps 2 of 3 rows", member="1")
case("safetensors/masked.safetensors", None, "context 1 2", "keeps 1 of 3 rows", member="X:2")
case("safetensors/mask-of-nothing.safetensors", safetensors({"X": tensor([1, 3, 2]), "attention_mask": tensor([1, 3], 24, "BOOL", 1)}, SIX + bytes(3)), "EMPTY", "the mask leaves no row of text 1")
TWO_AXES = {"X": tensor([3, 2]), "mask": tensor([3], 24, "BOOL", 1)}
case("safetensors/mask-of-rows.safetensors", safetensors(TWO_AXES, SIX + bytes([1, 0, 1])), "context 2 2", "The mask \"mask\" keeps 2 of 3 rows")
case("safetensors/mask-of-rows.safetensors", None, "words 2 2", "keeps 2 of 3 rows", words="words/three.txt")
case("safetensors/mask-unfit.safetensors", safetensors({"X": tensor([3, 2]), "mask": tensor([2], 24, "BOOL", 1)}, SIX + bytes(2)), "context 3 2", "Tensor \"mask\" (2) is no mask of these rows")
case("safetensors/mask-half.safetensors", safetensors({"X": tensor([1, 3, 2]), "mask": tensor([1, 3], 24)}, SIX + floats(1, 0.5, 0)), "NUMBER", "the mask has the value 0.5 for token 1")
case("safetensors/metadata-only.safetensors", safetensors({"__metadata__": {"format": "pt"}}), "EMPTY", "without tensors")
case("safetensors/nothing.safetensors", safetensors({}), "EMPTY", "without tensors")
case("safetensors/list.safetensors", safetensors("[1, 2]"), "MALFORMED", "byte 8: the header is no JSON object")
case("safetensors/no-json.safetensors", safetensors("{\"a\": }"), "MALFORMED", "byte 15")
case("safetensors/nul-in-json.safetensors", safetensors("{\"a\\u0000\": 1}"), "MALFORMED", "byte 18")
case("safetensors/entry-is-text.safetensors", safetensors({"a": "b"}, SIX), "MALFORMED", "\"dtype\" is missing")
case("safetensors/no-dtype.safetensors", safetensors({"a": {"shape": [1], "data_offsets": [0, 24]}}, SIX), "MALFORMED", "\"dtype\" is missing")
case("safetensors/no-shape.safetensors", safetensors({"a": {"dtype": "F32", "data_offsets": [0, 24]}}, SIX), "MALFORMED", "\"shape\" is missing")
case("safetensors/no-offsets.safetensors", safetensors({"a": {"dtype": "F32", "shape": [3, 2]}}, SIX), "MALFORMED", "\"data_offsets\" must be")
case("safetensors/offsets-turned.safetensors", safetensors({"a": {"dtype": "F32", "shape": [3, 2], "data_offsets": [24, 0]}}, SIX), "MALFORMED", "the first not above the second")
case("safetensors/nine-axes.safetensors", safetensors({"a": tensor([1] * 9)}, SIX[:4]), "TOO_LARGE", "more than 8 axes")
case("safetensors/new-type.safetensors", safetensors({"a": tensor([3, 2], kind="F4_X")}, SIX), "REFUSED", "values of type F4_X")
case("safetensors/f8.safetensors", safetensors({"a": tensor([3, 2], kind="F8_E4M3", width=1)}, bytes(6)), "REFUSED", "values of type F8_E4M3")
case("safetensors/whole-numbers-beside.safetensors", safetensors({"a": tensor([3, 2]), "ids": tensor([2, 3], 24, "I64", 8)}, SIX + bytes(48)), "context 3 2")
case("safetensors/nan.safetensors", safetensors({"a": tensor([3, 2])}, floats(1, 2, 3, 4, 5, float("nan"))), "NON_FINITE", "row 2, column 1")
case("safetensors/nan-f16.safetensors", safetensors({"a": tensor([2, 1], kind="F16", width=2)}, b"\0\0\0\x7e"), "NON_FINITE", "row 1, column 0")
case("safetensors/infinite-bf16.safetensors", safetensors({"a": tensor([2, 1], kind="BF16", width=2)}, b"\0\0\x80\x7f"), "NON_FINITE", "row 1, column 0")
case("safetensors/no-rows.safetensors", safetensors({"a": tensor([0, 2])}), "UNSUPPORTED", "no values")
case("safetensors/behind.safetensors", safetensors({"a": tensor([3, 2])}, SIX + b"x"), "MALFORMED", "byte 97, the file at byte")
case("safetensors/cut.safetensors", safetensors({"a": tensor([3, 2])}, SIX[:-1]), "TRUNCATED", "byte 24 of the values; the file has 23 of them")
case("safetensors/name-long.safetensors", safetensors({"x" + "\u00e9" * 150: tensor([9, 2])}, SIX), "TRUNCATED", "ends at byte 72 of the values; the file has 24 of them")
case("safetensors/length-only.safetensors", struct.pack("<Q", 5), "TRUNCATED", "a header of 5 bytes (byte 0")

# --- GGUF ----------------------------------------------------------------------------------------------------------


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<Q", len(value)) + value


def pair(key, kind, value):
    return text(key) + struct.pack("<I", kind) + value


def tokens(*words):
    return pair("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, len(words)) + b"".join(text(word) for word in words))


def info(name="token_embd.weight", shape=(2, 3), kind=0, offset=0):
    return text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape) + struct.pack("<IQ", kind, offset)


def gguf(pairs=(), infos=(), data=SIX, version=3, counts=None, alignment=32):
    n_infos, n_pairs = counts or (len(infos), len(pairs))
    content = b"GGUF" + struct.pack("<IQQ", version, n_infos, n_pairs) + b"".join(pairs) + b"".join(infos)
    return content + bytes(-len(content) % alignment) + data


ABC = tokens("ah", "be", "see")
FINE = gguf([ABC], [info()])
case("gguf/good.gguf", FINE, "words 3 2")
case("gguf/version-2.gguf", gguf([ABC], [info()], version=2), "words 3 2")
case("gguf/no-tokens.gguf", gguf([], [info()]), "words 3 2", "rows go by their numbers, from 0 on")
case("gguf/no-tokens.gguf", None, "words 3 2", words="words/three.txt")
case("gguf/good.gguf", None, "context 3 2", words="none")
case("gguf/pieces.gguf", gguf([tokens("\u2581ah", "\u2581be", "see")], [info()]), "words 3 2")
case("gguf/byte-pieces.gguf", gguf([tokens("\u0120ah", "\u0120be", "see")], [info()]), "words 3 2")
case("gguf/architecture.gguf", gguf([pair("general.architecture", 8, text("llama")), ABC], [info()]), "words 3 2")
case("gguf/alignment-64.gguf", gguf([pair("general.alignment", 4, struct.pack("<I", 64)), ABC], [info()], alignment=64), "words 3 2")
case("gguf/all-kinds.gguf", gguf([pair("a", 0, b"1"), pair("b", 2, b"12"), pair("c", 6, b"1234"), pair("d", 7, b"1"), pair("e", 10, bytes(8)),
     pair("f", 12, bytes(8)), pair("g", 9, struct.pack("<IQ", 4, 2) + bytes(8)), pair("h", 9, struct.pack("<IQ", 8, 2) + text("x") + text("y")),
     pair("i", 9, struct.pack("<IQ", 9, 1) + struct.pack("<IQ", 0, 3) + b"abc"), ABC], [info()]), "words 3 2")
case("gguf/fewer-tokens.gguf", gguf([tokens("ah", "be")], [info()]), "words 2 2", "1 row at the end has no word")
case("gguf/more-tokens.gguf", gguf([tokens("a", "b", "c", "d")], [info()]), "SHAPE", "has 4 words")
case("gguf/token-twice.gguf", gguf([tokens("ah", "be", "ah")], [info()]), "words 3 2", "more than once")
case("gguf/token-no-utf-8.gguf", gguf([tokens(b"\xff", "be", "see")], [info()]), "words 3 2")
def numbers(key, kind, values):
    return pair("tokenizer.ggml." + key, 9, struct.pack("<IQ", kind, len(values))
                + struct.pack(f"<{len(values)}{'f' if kind == 6 else 'i'}", *values))


def setting(key, value):
    if isinstance(value, str):
        return pair("tokenizer.ggml." + key, 8, text(value))
    if isinstance(value, bool):
        return pair("tokenizer.ggml." + key, 7, bytes([value]))
    return pair("tokenizer.ggml." + key, 4, struct.pack("<I", value))


def with_tokeniser(words, *pairs):
    """A file whose table has a row of two numbers for each token."""
    return gguf([tokens(*words), *pairs], [info(shape=(2, len(words)))], floats(*range(2 * len(words))))


# A character for each byte, as byte-level pieces are written.
PRINTABLE = [*range(0x21, 0x7f), *range(0xa1, 0xad), *range(0xae, 0x100)]
BYTES = [chr(byte) for byte in PRINTABLE] + [chr(0x100 + i) for i in range(256 - len(PRINTABLE))]
PAIRED = [*BYTES, "th", "the", "\u0120the", "<|end|>"]
MERGES = pair("tokenizer.ggml.merges", 9, struct.pack("<IQ", 8, 3) + text("t h") + text("th e") + text("\u0120 the"))
case("gguf/model-gpt2.gguf", with_tokeniser(PAIRED, setting("model", "gpt2"), setting("pre", "gpt-2"), MERGES,
                                            numbers("token_type", 5, [1] * 259 + [3]), setting("bos_token_id", 259),
                                            setting("add_bos_token", True)), "words 260 2")
case("gguf/model-llama3.gguf", with_tokeniser(PAIRED, setting("model", "gpt2"), setting("pre", "llama-bpe"), MERGES,
                                              numbers("token_type", 5, [1] * 259 + [3]), setting("bos_token_id", 259)),
     "words 260 2")
SCORED = ["<unk>", "<s>", "</s>", "<0x0A>", "\u2581", "a", "h", "\u2581ah", "ah"]
case("gguf/model-llama.gguf", with_tokeniser(SCORED, setting("model", "llama"), numbers("scores", 6, [0, 0, 0, 0, -4, -3, -3, -1, -2]),
                                             numbers("token_type", 5, [2, 3, 3, 6, 1, 1, 1, 1, 4]), setting("bos_token_id", 1),
                                             setting("eos_token_id", 2), setting("unknown_token_id", 0)), "words 9 2")
case("gguf/model-bert.gguf", with_tokeniser(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "\u2581ah", "be"], setting("model", "bert"),
                                            setting("unknown_token_id", 1), setting("cls_token_id", 2), setting("seperator_token_id", 3)),
     "words 6 2")
case("gguf/model-without-merges.gguf", with_tokeniser(["ah", "be"], setting("model", "gpt2")), "words 2 2", "there are no merges")
case("gguf/merge-of-nothing.gguf", with_tokeniser(PAIRED, setting("model", "gpt2"), setting("pre", "gpt-2"),
                                                  pair("tokenizer.ggml.merges", 9, struct.pack("<IQ", 8, 1) + text("q z"))),
     "words 260 2", "merge 1 does not fit its tokens")
case("gguf/score-nan.gguf", with_tokeniser(["ah", "be"], setting("model", "llama"), numbers("scores", 6, [0, float("nan")])), "words 2 2",
     "score 1 is not finite")
case("gguf/scores-twice.gguf", with_tokeniser(["ah"], numbers("scores", 6, [0]), numbers("scores", 6, [0])), "MALFORMED",
     "byte 173: tokenizer.ggml.scores is 1 values of type 6")
case("gguf/types-are-texts.gguf", with_tokeniser(["ah"], pair("tokenizer.ggml.token_type", 9, struct.pack("<IQ", 8, 1) + text("x"))),
     "MALFORMED", "byte 128: tokenizer.ggml.token_type is 1 values of type 8")
case("gguf/model-of-no-kind.gguf", with_tokeniser(["ah", "be"], setting("model", "t5")), "words 2 2", 'tokenizer.ggml.model is "t5"')
case("gguf/merges-cut.gguf", gguf([ABC, pair("tokenizer.ggml.merges", 9, struct.pack("<IQ", 8, 1 << 20))], [info()]), "TOO_LARGE",
     "byte 178: a text of 8589934594 bytes")
case("gguf/magic-only.gguf", b"GGUF", "TRUNCATED", "byte 4")
case("gguf/cut-in-counts.gguf", FINE[:20], "TRUNCATED", "byte 16")
case("gguf/cut-in-tokens.gguf", FINE[:80], "TRUNCATED", "byte 79: 1 byte is left where 8 were expected; the file is incomplete")
case("gguf/cut-in-tensors.gguf", FINE[:24 + len(ABC) + 10], "TRUNCATED", "byte 108: 2 bytes are left where 17 were expected; the file is incomplete")
case("gguf/cut-in-values.gguf", FINE[:-4], "TRUNCATED", "needs 24 bytes from byte 160")
case("gguf/version-1.gguf", gguf([ABC], [info()], version=1), "UNSUPPORTED", "byte 8: version 1 of GGUF")
case("gguf/version-4.gguf", gguf([ABC], [info()], version=4), "UNSUPPORTED", "byte 8: version 4 of GGUF")
case("gguf/big-endian.gguf", gguf([ABC], [info()], version=3 << 24), "UNSUPPORTED", "byte 8: a GGUF file in big-endian")
case("gguf/tensors-lie.gguf", gguf([ABC], [info()], counts=(1 << 40, 1)), "TOO_LARGE", "byte 24: 1099511627776 tensors")
case("gguf/pairs-lie.gguf", gguf([ABC], [info()], counts=(1, 9)), "TOO_LARGE", "byte 139")
case("gguf/value-type-13.gguf", gguf([pair("a", 13, b"")], [info()]), "MALFORMED", "byte 37: a value of type 13")
case("gguf/array-too-long.gguf", gguf([pair("a", 9, struct.pack("<IQ", 10, 1 << 62))], [info()]), "TOO_LARGE", "byte 49: an array of")
case("gguf/array-of-texts-lies.gguf", gguf([pair("a", 9, struct.pack("<IQ", 8, 1 << 62))], [info()]), "TRUNCATED", "byte 82: 70 bytes are left where 8589934594 were expected; the file is incomplete")
case("gguf/arrays-in-arrays.gguf", gguf([pair("a", 9, struct.pack("<IQ", 9, 1) * 6)], [info()]), "TOO_LARGE", "byte 85: arrays in arrays, more than 4 deep")
case("gguf/key-too-long.gguf", gguf([struct.pack("<Q", 1 << 40)], [info()]), "TOO_LARGE", "byte 32")
case("gguf/tokens-are-numbers.gguf", gguf([pair("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 4, 1) + bytes(4))], [info()]), "MALFORMED", "byte 69: tokenizer.ggml.tokens is 1 values of type 4")
case("gguf/no-token-in-list.gguf", gguf([tokens()], [info()]), "MALFORMED", "byte 69: tokenizer.ggml.tokens is 0 values")
case("gguf/tokens-twice.gguf", gguf([ABC, ABC], [info()]), "MALFORMED", "byte 145: tokenizer.ggml.tokens is 3 values of type 8; one list of")
case("gguf/alignment-0.gguf", gguf([pair("general.alignment", 4, bytes(4))], [info()]), "MALFORMED", "byte 57: general.alignment is 0")
case("gguf/alignment-3.gguf", gguf([pair("general.alignment", 4, struct.pack("<I", 3))], [info()]), "MALFORMED", "byte 57: general.alignment is 3")
case("gguf/no-axes.gguf", gguf([ABC], [info(shape=())]), "MALFORMED", "byte 129: tensor \"token_embd.weight\" has 0 axes")
case("gguf/five-axes.gguf", gguf([ABC], [info(shape=(1, 1, 1, 2, 3))]), "MALFORMED", "byte 129: tensor \"token_embd.weight\" has 5 axes")
case("gguf/three-axes.gguf", gguf([ABC], [info(shape=(1, 2, 3))]), "UNSUPPORTED", "two axes are needed")
case("gguf/no-rows.gguf", gguf([ABC], [info(shape=(2, 0))]), "EMPTY", "holds no values")
case("gguf/shape-overflow.gguf", gguf([ABC], [info(shape=(65536, 1 << 60))]), "TOO_LARGE", "at most 65536 dimensions")
case("gguf/rows-too-long.gguf", gguf([ABC], [info(shape=(1 << 40, 3))]), "TOO_LARGE", "at most 65536 dimensions")
case("gguf/offset-odd.gguf", gguf([ABC], [info(offset=3)]), "MALFORMED", "byte 157: tensor \"token_embd.weight\" is said to begin at byte 3 of the values, which is no multiple of 32")
# Found by fuzzing: the name is cut in the middle of a character.
case("gguf/name-long.gguf", gguf([ABC], [info("x" + "\u00e9" * 150, offset=3)]), "MALFORMED", "byte 441")
case("gguf/offset-overflow.gguf", gguf([ABC], [info(offset=(1 << 64) - 32)]), "MALFORMED", "byte 157: tensor \"token_embd.weight\" is said to begin")
case("gguf/offset-behind.gguf", gguf([ABC], [info(offset=1 << 20)]), "TRUNCATED", "byte 1048736 on; the file ends at byte")
case("gguf/q4_k.gguf", gguf([ABC], [info(kind=12)]), "REFUSED", "values of type Q4_K (12)")
case("gguf/q6_k.gguf", gguf([ABC], [info(kind=14)]), "REFUSED", "np.savez('out.npz', words=[str(bytes(w.parts[i]), 'utf-8') for i in w.data], vectors=")
case("gguf/type-99.gguf", gguf([ABC], [info(kind=99)]), "REFUSED", "an unknown type (99)")
case("gguf/q8_0-odd.gguf", gguf([ABC], [info(kind=8)]), "SHAPE", "multiples of 32")
case("gguf/nan.gguf", gguf([ABC], [info()], floats(1, 2, 3, float("nan"), 5, 6)), "NON_FINITE", "row 1, column 1")
case("gguf/no-tensors.gguf", gguf([ABC]), "EMPTY", "without tensors")
case("gguf/other-tensors.gguf", gguf([ABC], [info("a"), info("b", offset=32)], SIX + bytes(8) + SIX), "AMBIGUOUS", "\"a\" (3 x 2, F32), \"b\" (3 x 2, F32)")
case("gguf/other-tensors.gguf", None, "context 3 2", member="b")
case("gguf/other-tensors.gguf", None, "MISSING", "has no \"c\"", member="c")

# --- word2vec in binary --------------------------------------------------------------------------------------------


def entry(word, *values, end=b""):
    return (word if isinstance(word, bytes) else word.encode()) + b" " + floats(*values) + end


BINARY = b"2 3\n" + entry("ah", 1, 2, 3) + entry("be", 4, 5, 6)
case("word2vec/good.bin", BINARY, "words 2 3")
case("word2vec/newlines.bin", b"2 3\n" + entry("ah", 1, 2, 3, end=b"\n") + entry("be", 4, 5, 6, end=b"\n"), "words 2 3")
case("word2vec/crlf-header.bin", b"2 3\r\n" + entry("ah", 1, 2, 3) + entry("be", 4, 5, 6), "words 2 3")
case("word2vec/good.bin.gz", gzip.compress(BINARY, mtime=0), "words 2 3")
case("word2vec/good.bin.xz", lzma.compress(BINARY), "words 2 3")
case("word2vec/good.zip", zipped([("vectors.bin", BINARY)], True), "words 2 3")
case("word2vec/more-announced.bin", b"9" + BINARY[1:], "words 2 3", "announces 9 words, the file ends after 2")
case("word2vec/fewer-announced.bin", b"1" + BINARY[1:], "words 1 3", "goes on after the 1 word that")
case("word2vec/cut-in-values.bin", BINARY[:-3], "words 1 3", "announces 2 words, the file ends after 1")
case("word2vec/cut-in-word.bin", BINARY[:4 + 15 + 1], "words 1 3", "ends after 1")
case("word2vec/cut-in-first.bin", BINARY[:12], "TRUNCATED", "byte 12, before the first word with its 3 numbers is complete")
case("word2vec/no-dimensions.bin", b"2 0\n" + bytes(20), "EMPTY", "line 1 announces 2 words of 0 numbers")
case("word2vec/no-words.bin", b"0 3\n" + bytes(20), "EMPTY", "line 1 announces 0 words of 3 numbers")
case("word2vec/too-many-dimensions.bin", b"2 70000\n" + bytes(20), "TOO_LARGE", "line 1 announces 70000 numbers a word")
case("word2vec/negative.bin", b"-2 3\n" + bytes(20), "MALFORMED", "line 1 is \"-2 3\"")
case("word2vec/overflow.bin", b"9223372036854775807 9223372036854775807\n" + bytes(20), "MALFORMED", "line 1 is \"9223372036854775807 922337")
case("word2vec/no-space.bin", b"2 3\n" + b"\1" * 5000, "MALFORMED", "byte 4: no space within 4096 bytes")
case("word2vec/long-word.bin", b"2 3\n" + entry("x" * 5000, 1, 2, 3) + entry("be", 4, 5, 6), "MALFORMED", "line 1 is \"2 3\", as in a binary word2vec file, but no space follows within 4096 bytes")
case("word2vec/nul-late.txt", b"2 3\n" + b"a" * 3000 + b" 1 2 3\n" + b"b" * 3000 + b" 4\0 5 6\n", "UNKNOWN", "binary content of no kind")
case("word2vec/nul-in-word.bin", b"2 3\n" + entry(b"a\0h", 1, 2, 3), "MALFORMED", "byte 4: a NUL byte in word 1")
case("word2vec/word-empty.bin", b"2 3\n" + entry("", 1, 2, 3) + entry("be", 4, 5, 6), "words 1 3", "1 entry has numbers but no word")
case("word2vec/word-twice.bin", b"2 3\n" + entry("ah", 1, 2, 3) + entry("ah", 4, 5, 6), "words 1 3", "1 duplicate word (\"ah\")")
case("word2vec/word-latin-1.bin", b"2 3\n" + entry(b"\xe9", 1, 2, 3) + entry("be", 4, 5, 6), "words 2 3", "1 word is not in UTF-8")
# Values of another width, and words with spaces, shift all that follows.
HALVES = [(0.31 + i, -0.57 * i, 0.123 / (i + 1), -0.0377, 1.7 * i - 3, 0.777, -0.031 * i, 2.19) for i in range(20)]
case("word2vec/half-precision.bin", b"20 8\n" + b"".join(
    f"w{i} ".encode() + struct.pack("<8e", *row) for i, row in enumerate(HALVES)), "MALFORMED", "byte 40: what should be a word is no text")
case("word2vec/space-in-word.bin", b"4 3\n" + entry("New York", 1, 2, 3) + b"".join(entry(f"w{i}", 1, 2, i + 1) for i in range(3)), "MALFORMED", "byte 20: a NUL byte in word 2; the dimensions in line 1 may be wrong, the values of another kind than float32, or a word")
case("word2vec/control-in-word.bin", b"2 3\n" + entry("a\1", 1, 2, 3) + entry("be", 4, 5, 6), "words 2 3", "1 word has control characters in it")
case("word2vec/latin-1-and-cut.bin", b"9 3\n" + entry(b"\xe9", 1, 2, 3) + b"".join(entry(f"w{i}", 1, 2, i + 1) for i in range(5)), "words 6 3", "1 word is not in UTF-8")
case("word2vec/latin-1-all.bin", b"3 3\n" + b"".join(entry(b"\xe9" + bytes([0x61 + i]), 1, 2, i + 1) for i in range(3)), "words 3 3", "3 words are not in UTF-8")
case("word2vec/nan.bin", b"2 3\n" + entry("ah", 1, 2, 3) + entry("be", 4, float("nan"), 6), "NON_FINITE", "row 1, column 1")
case("word2vec/nan.bin.gz", gzip.compress(b"2 3\n" + entry("ah", 1, 2, 3) + entry("be", 4, float("nan"), 6), mtime=0), "NON_FINITE", "row 1, column 1")
case("word2vec/cut.bin.gz", gzip.compress(BINARY, mtime=0)[:-12], "MALFORMED", "cannot be unpacked (gzip), near byte 35")
case("word2vec/good.bin", None, "MISSING", "has no member \"x\"", member="x")

# --- text ----------------------------------------------------------------------------------------------------------

TABLE = "ah 1 2\nbe 3 4\n"
case("text/good.txt", TABLE, "words 2 2")
case("text/good.zip", zipped([("good.txt", TABLE)]), "words 2 2")
case("text/folder.zip", zipped([("glove/", b""), ("glove/good.txt", TABLE)], True), "words 2 2")
case("text/macos.zip", zipped([("good.txt", TABLE), ("__MACOSX/._good.txt", b"x"), (".DS_Store", b"x")]), "words 2 2")
case("text/two.zip", zipped([("a.txt", TABLE), ("b.txt", "see 1 2 3\nde 4 5 6\n")], True), "AMBIGUOUS", "\"a.txt\" (14 bytes), \"b.txt\" (19 bytes)")
case("text/two.zip", None, "words 2 3", member="b.txt")
case("text/two.zip", None, "MISSING", "has no \"c.txt\"", member="c.txt")
case("text/no-files.zip", zipped([("a/", b"")]), "EMPTY", "without files")
# A line ends with a number: what trails is no part of anything, whichever separates.
case("text/space-and-tab-trail.txt", "ah 1 2 3 \t\nbe 4 5 6 \t\nsee 7 8 9\t\t\r\n", "words 3 3")
case("text/space-trails-tabs.txt", "ah\t1\t2\t3 \nbe\t4\t5\t6\t \n", "words 2 3")
case("text/tab-trails-header.txt", "2 3 \t\nah 1 2 3\t\nbe 4 5 6\t\n", "words 2 3")
case("text/tab-trails-late.txt", "".join(f"w{i} 1 2 3\n" for i in range(100)) + "z 1 2 3 \t\n \t\n", "words 101 3")
case("text/numbers-tab-trails.txt", "1.5 2 3 \t\n4.5 5 6 \t\n", "context 2 3")
case("text/quoted.txt", '"ah" 1 2 3\n"be" 4 5 6\n', "words 2 3", "All words stand in double quotation marks")
case("text/quoted-one.txt", '"ah" 1 2 3\nbe 4 5 6\n" 7 8 9\n', "words 3 3")
case("text/good.txt", None, "MISSING", "has no member \"x\": it is a single table", member="x")
case("text/cut.txt.gz", gzip.compress(TABLE.encode() * 50, mtime=0)[:-20], "MALFORMED", "cannot be unpacked (gzip), near byte 21")
case("text/damaged.txt.gz", patched(gzip.compress(TABLE.encode(), mtime=0), 10, b"\x07"), "MALFORMED", "(gzip): between byte 0 and byte 34 of 34 something is damaged")
case("text/checksum.txt.gz", gzip.compress(TABLE.encode(), mtime=0)[:-8] + bytes(4) + b"\x0e\0\0\0", "MALFORMED", "(gzip): between byte 0 and byte 34 of 34 something is damaged")
case("text/twice.txt.gz", gzip.compress(TABLE.encode(), mtime=0) + gzip.compress(b"see 5 6\n", mtime=0), "words 3 2")
case("text/padded.txt.gz", gzip.compress(TABLE.encode(), mtime=0) + bytes(512), "words 2 2")
case("text/junk-behind.txt.gz", gzip.compress(TABLE.encode(), mtime=0) + b"junk", "MALFORMED", "cannot be unpacked (gzip), near byte 34")
case("text/cut.txt.xz", lzma.compress(TABLE.encode() * 50)[:-20], "MALFORMED", "cannot be unpacked (xz), near byte 72 of 72: it is cut off")
case("text/damaged.txt.xz", patched(lzma.compress(TABLE.encode() * 50), 30, b"\xff\xff"), "MALFORMED", "cannot be unpacked (xz), near byte 92 of 92: it is damaged")
case("text/cut.zip", zipped([("good.txt", TABLE)])[:-30], "TRUNCATED", "directory, which stands at the end")
case("text/gzip-of-nothing.txt.gz", gzip.compress(b"", mtime=0), "EMPTY", "empty lines")
case("text/gzip-of-prose.txt.gz", gzip.compress(b"Once upon a time\nthere was a king.\n", mtime=0), "UNKNOWN", "Line 1 is")
case("text/utf-16.txt", TABLE.encode("utf-16"), "REFUSED", "iconv -f UTF-16 -t UTF-8 in.txt > out.txt")
case("text/utf-16-no-mark.txt", TABLE.encode("utf-16-le"), "REFUSED", "iconv -f UTF-16LE -t UTF-8 in.txt > out.txt")
case("text/utf-16-big-endian.txt", TABLE.encode("utf-16-be"), "REFUSED", "iconv -f UTF-16BE -t UTF-8 in.txt > out.txt")
case("text/cr-only.txt", TABLE.replace("\n", "\r"), "REFUSED", "tr '\\r' '\\n' < in.txt > out.txt")
case("text/cr-only.txt.gz", gzip.compress(TABLE.replace("\n", "\r").encode(), mtime=0), "REFUSED", "a carriage return alone")
case("text/gzip-of-gzip.txt.gz", gzip.compress(gzip.compress(TABLE.encode(), mtime=0), mtime=0), "REFUSED", "packed once more (gzip)")
case("text/xz-of-gzip.txt.xz", lzma.compress(gzip.compress(TABLE.encode(), mtime=0)), "words 2 2")
case("text/gzip-of-xz.txt.gz", gzip.compress(lzma.compress(TABLE.encode()), mtime=0), "REFUSED", "packed once more (xz)")
case("text/zip-of-gzip.zip", zipped([("good.txt.gz", gzip.compress(TABLE.encode(), mtime=0))]), "REFUSED", "packed once more (gzip)")
case("text/gzip-of-zip.gz", gzip.compress(zipped([("good.txt", TABLE)]), mtime=0), "REFUSED", "an archive (zip)")
case("text/gzip-of-array.npy.gz", gzip.compress(GOOD, mtime=0), "REFUSED", "a NumPy array that is packed")
TAR = b"good.txt".ljust(257, b"\0") + b"ustar\x0000".ljust(255, b"\0") + TABLE.encode().ljust(512, b"\0") + bytes(1024)
case("text/archive.tar", TAR, "REFUSED", "an archive (tar)")
case("text/archive.tar.gz", gzip.compress(TAR, mtime=0), "REFUSED", "an archive (tar)")
case("text/old.lzma", lzma.compress(TABLE.encode(), lzma.FORMAT_ALONE), "REFUSED", "unlzma FILE")
case("text/archive.7z", b"7z\xbc\xaf\x27\x1c" + bytes(26), "REFUSED", "an archive of 7-Zip")
case("text/named-gguf.txt.gz", gzip.compress(b"GGUF 1 2\nBZh 3 4\n", mtime=0), "words 2 2")
case("text/read-me.zip", zipped([("README", "Two files.\n"), ("good.txt", TABLE), ("empty.txt", b"")]), "words 2 2")
case("text/read-me-two.zip", zipped([("README", "Three files.\n"), ("a.txt", TABLE), ("b.txt", TABLE)]), "AMBIGUOUS", "(command line: --member \"a.txt\")")
case("text/read-me-only.zip", zipped([("README", "Two files.\n"), ("empty.txt", b"")]), "UNSUPPORTED", "none of the 2 in it can be used")

# Bytes behind the end: zeros are padding, anything else is said to be there, whatever packs.


def zstd_frame(content):
    """One frame with one block, stored as it is."""
    return b"\x28\xb5\x2f\xfd\x20" + bytes([len(content)]) + (len(content) << 3 | 1).to_bytes(3, "little") + content


PACKED = {"gz": gzip.compress(TABLE.encode(), mtime=0), "xz": lzma.compress(TABLE.encode()), "zst": zstd_frame(TABLE.encode()),
          "bz2": bz2.compress(TABLE.encode())}
for ending, packed in PACKED.items():
    packing = {"gz": "gzip", "zst": "zstd", "bz2": "bzip2"}.get(ending, ending)

    def follows(n, zeros=0):
        at = len(packed) + (zeros if ending == "gz" else 0)
        return f"cannot be unpacked ({packing}), near byte {at} of {len(packed) + n}: something else follows behind its end"

    case(f"behind/zeros.txt.{ending}", packed + bytes(7), "words 2 2")
    case(f"behind/newline.txt.{ending}", packed + b"\n", "MALFORMED", follows(1))
    case(f"behind/junk.txt.{ending}", packed + b"junk, and more of it", "MALFORMED", follows(20))
    case(f"behind/zeros-and-junk.txt.{ending}", packed + bytes(9) + b"junk", "MALFORMED", follows(13, 9))
    case(f"behind/twice.txt.{ending}", packed + packed, "words 2 2", "2 duplicate words")
    case(f"behind/twice-zeros.txt.{ending}", packed + packed + bytes(8), "words 2 2", "2 duplicate words")
    case(f"behind/cut-in-second.txt.{ending}", packed + packed[:-7], "MALFORMED", f"near byte {2 * len(packed) - 7} of {2 * len(packed) - 7}: it is cut off")
case("behind/skipped.txt.zst", PACKED["zst"] + b"\x50\x2a\x4d\x18\3\0\0\0abc", "words 2 2")
case("behind/newline.zip", zipped([("good.txt", TABLE)]) + b"\r\n", "words 2 2")
case("behind/junk.zip", zipped([("good.txt", TABLE)], comment=b"hello") + b"junk" * 5000, "words 2 2")
case("behind/newline.npz", STORED + b"\n", "context 3 2")
case("behind/cut-with-zip-inside.zip", zipped([("in.zip", zipped([("good.txt", TABLE)])), ("good.txt", TABLE)])[:-90], "TRUNCATED", "directory, which stands at the end")


def backslashes(archive):
    """As some programs on Windows write the names."""
    return archive.replace(b"v/", b"v\\")


case("text/backslash.zip", backslashes(zipped([("v/good.txt", TABLE)], True)), "words 2 2")
case("text/backslash-two.zip", backslashes(zipped([("v/", b""), ("v/a.txt", TABLE), ("v/b.txt", "see 1 2 3\nde 4 5 6\n")])), "AMBIGUOUS", "has 2 to choose from, and none is surely the one meant: \"v/a.txt\"")
case("text/backslash-two.zip", None, "words 2 3", member="v/b.txt")
case("npz/backslash.zip", backslashes(zipped([("v/a.npy", GOOD), ("v/vocab.txt", "ah\nbe\nsee\n")])), "words 3 2")
NAMED_TWICE = zipped([("a.txt", TABLE), ("b.txt", "see 1 2 3\nde 4 5 6\n")]).replace(b"b.txt", b"a.txt")
case("text/named-twice.zip", NAMED_TWICE, "AMBIGUOUS", "\"a.txt\" (14 bytes), \"a.txt#2\" (19 bytes)")
case("text/named-twice.zip", None, "words 2 2", member="a.txt")
case("text/named-twice.zip", None, "words 2 3", member="a.txt#2")
case("text/named-twice.zip", None, "MISSING", "has no \"a.txt#3\"", member="a.txt#3")
case("npz/named-twice.npz", zipped([("a.npy", GOOD), ("b.npy", npy(head(shape="(2, 3)"), SIX))]).replace(b"b.npy", b"a.npy"), "AMBIGUOUS", "\"a\" (3 x 2, float32), \"a#2\" (2 x 3, float32)")
case("npz/named-twice.npz", None, "context 2 3", member="a#2")
case("npz/named-twice.zip", zipped([("a.npy", GOOD), ("g.txt", TABLE), ("h.txt", GLOVE)]).replace(b"h.txt", b"g.txt"), "words 3 3", member="g.txt#2")
case("text/control.zip", zipped([("a\nb.txt", TABLE), ("c\x1b.txt", "see 1 2 3\nde 4 5 6\n")]), "AMBIGUOUS", "\"a b.txt\" (14 bytes), \"c .txt\" (19 bytes). Choose one (command line: --member \"a b.txt\")")
case("text/control.zip", None, "words 2 2", member="a b.txt")
case("text/control.zip", None, "words 2 3", member="c .txt")

# What is read or refused by its kind is named when it is packed.
PACKED_KINDS = {
    "safetensors": (struct.pack("<Q", 60) + b'{"E":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]}}'.ljust(60) + SIX, "is a safetensors file. Unpack it first"),
    "npz": (STORED, "is an archive of NumPy arrays (.npz). Unpack it once"),
    "gguf": (b"GGUF" + struct.pack("<IQQ", 3, 0, 0), "a GGUF file that is packed. Unpack it first"),
    "pickle": (b"\x80\4}q\0.", "is a Python pickle. Unpack it first. A pickle can run any code"),
    "pickle-text": (b"(dp0\nVah\np1\n.", "is a Python pickle. Unpack it first. A pickle can run any code"),
    "torch": (zipped([("weights/data.pkl", b"x")]), "is a PyTorch file. Unpack it first. It holds a pickle"),
    "hdf5": (b"\x89HDF\r\n\x1a\n" + bytes(16), "is an HDF5 file. Unpack it first. To convert"),
    "parquet": (b"PAR1" + bytes(16), "is a Parquet file. Unpack it first. To convert"),
}
for kind, (content, says) in PACKED_KINDS.items():
    case(f"packed/{kind}.gz", gzip.compress(content, mtime=0), "REFUSED", says)
    case(f"packed/{kind}.xz", lzma.compress(content), "REFUSED", says)
    case(f"packed/{kind}.bz2", bz2.compress(content), "REFUSED", says)
    if len(content) < 256:
        case(f"packed/{kind}.zst", zstd_frame(content), "REFUSED", says)
    case(f"packed/{kind}.zip", zipped([("README", "One file.\n"), ("table", content)], True), "REFUSED", says)
    case(f"packed/{kind}.zip", None, "REFUSED", says, member="table")

case("text/html.html", "<!doctype html>\n<title>404</title>\n", "UNKNOWN", "Line 1 is")
case("text/commas.csv", "ah,1,2\nbe,3,4\n", "REFUSED", "line 1 is \"ah,1,2\": the numbers stand between commas")
case("text/commas-titles.csv", "word,x,y\nah,1,2\nbe,3,4\n", "REFUSED", "line 2 is \"ah,1,2\": the numbers stand between commas")
case("text/commas-pandas.csv", ",0,1\nah,1,2\nbe,3,4\n", "REFUSED", "line 1 is \",0,1\": the numbers stand between commas")
case("text/semicolons.csv", "ah;0,1;2\nbe;3;4,5\n", "REFUSED", "line 1 is \"ah;0,1;2\": the numbers stand between semicolons")
case("text/commas-of-prose.txt", "ah, well\nbe, so\n", "UNKNOWN", "Line 1 is")
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 17\n"
for name in ("text/pointer.txt", "npy/pointer.npy", "safetensors/pointer.safetensors"):
    case(name, POINTER, "REFUSED", "a Git LFS pointer")
case("text/vectors-only.txt", "0.5 1.5\n2.5 3.5\n4.5 5.5\n", "context 3 2")
case("text/vectors-only.txt", None, "words 3 2", words="words/three.txt")
case("text/vectors-only.txt", None, "SHAPE", "3 lines of numbers, but two.txt has 2 words", words="words/two.txt")
case("text/vectors-only.txt", None, "SHAPE", "this is no list of words but a table of vectors: 3 numbers", words="text/vectors-of-words.txt")
write("text/vectors-of-words.txt", "ah 1 2 3\nbe 3 4 5\nsee 5 6 7\n")
case("text/vectors-only.txt", None, "MALFORMED", "this is no list of words: byte 5 is a NUL", words="npz/tokens-of-table.npz")
case("text/vectors-only.txt", None, "words 3 2", words="words/names.txt")
write("words/names.txt", "Windows 3.1 95\nWindows 98 2000\nsee\n")
case("folders/both/t.npy", npy(head(shape="(2, 3)"), SIX), "context 2 3")
write("folders/both/t.txt", "ah 1 2 3\nbe 4 5 6\n")
case("safetensors/cut-without-ending", safetensors({"x": tensor([3, 2])}, SIX)[:40], "TRUNCATED", "a header of 65 bytes (byte 0) in a file of 40")
case("text/vectors-ragged.txt", "0.5 1.5\n2.5\n4.5 5.5\n", "SHAPE", "line 2: 1 fields; 2 numbers")
case("text/vectors-nan.txt", "0.5 1.5\n2.5 nan\n4.5 5.5\n", "NON_FINITE", "line 2, column 5")
case("text/vectors-cut.txt", "0.5 1.5\n2.5 3.5\n4.5", "context 2 2", "Line 3 is cut off")
case("text/one-word.txt", "ah 1 2 3\n", "words 1 3")
case("text/blank.txt", " \n\n", "EMPTY", "empty lines")
case("text/empty.txt", "", "EMPTY", "the file is empty")

# --- the Embedding Projector ---------------------------------------------------------------------------------------


def config(**entries):
    return json.dumps({"embeddings": [entries]})


case("projector/one/tensors.tsv", "0.5\t1.5\n2.5\t3.5\n4.5\t5.5\n", "words 3 2")
write("projector/one/metadata.tsv", "ah\nbe\nsee\n")
case("projector/two/tensors.tsv", "0.5\t1.5\n2.5\t3.5\n4.5\t5.5\n", "words 3 2")
write("projector/two/metadata.tsv", "word\tn\nah\t1\nbe\t2\nsee\t3\n")
case("projector/two/tensors.tsv", None, "words 3 2", "1 word is in the list more than once", words="words/twice.txt")
case("projector/short/tensors.tsv", "0.5\t1.5\n2.5\t3.5\n4.5\t5.5\n", "SHAPE", "but metadata.tsv has 2 words")
write("projector/short/metadata.tsv", "ah\nbe\n")
case("projector/none/tensors.tsv", "0.5\t1.5\n2.5\t3.5\n4.5\t5.5\n", "context 3 2")
case("projector/none/t.bytes", SIX, "MISSING", "without their shape")
case("projector/raw/t.bytes", SIX, "words 3 2")
write("projector/raw/metadata.tsv", "ah\nbe\nsee\n")
case("projector/raw-two/t.bytes", SIX + SIX, "words 3 4")
write("projector/raw-two/metadata.tsv", "word\tn\nah\t1\nbe\t2\nsee\t3\n")
case("projector/config/t.bytes", SIX, "words 3 2")
case("projector/config/config.json", config(tensorName="t", tensorShape=[3, 2], tensorPath="t.bytes", metadataPath="m.tsv"), "words 3 2")
write("projector/config/m.tsv", "ah\nbe\nsee\n")
case("projector/config/config.json", None, "context 3 2", words="none")
case("projector/config/config.json", None, "MISSING", "has no \"u\"", member="u")
case("projector/bad/shape-lies.json", config(tensorName="t", tensorShape=[3, 2], tensorPath="gone.bytes"), "NOT_FOUND", "gone.bytes")
case("projector/bad/outside.json", config(tensorName="t", tensorPath="../none/t.bytes"), "UNSUPPORTED", "outside of this folder")
case("projector/bad/absolute.json", config(tensorName="t", tensorPath="/etc/passwd"), "UNSUPPORTED", "outside of this folder")
case("projector/bad/from-the-web.json", config(tensorName="t", tensorPath="https://example.org/t.bytes"), "UNSUPPORTED", "outside of this folder")
case("projector/bad/words-outside.json", config(tensorName="t", tensorPath="x.tsv", metadataPath="../m.tsv"), "UNSUPPORTED", "outside of this folder")
case("projector/config-of-nothing/config.json", config(tensorName="t", tensorShape=[3, 2], tensorPath="gone.bytes"), "NOT_FOUND", "gone.bytes")
case("projector/config-of-nothing", None, "NOT_A_FILE", "(its config.json is one of the Embedding Projector, not of a model). In it: config.json. What")
case("projector/bad/itself.json", config(tensorName="t", tensorPath="itself.json"), "UNSUPPORTED", "outside of this folder")
case("projector/bad/another-config.json", config(tensorName="t", tensorPath="itself.json"), "UNKNOWN", "Line 1 is")
case("projector/bad/two.json", json.dumps({"embeddings": [{"tensorName": "a", "tensorPath": "a.tsv"}, {"tensorName": "b", "tensorPath": "b.tsv"}]}), "AMBIGUOUS", "\"a\", \"b\"")
case("projector/bad/no-path.json", json.dumps({"embeddings": [{"tensorName": "a"}], "tensorPath": 1}), "UNSUPPORTED", "no tensorPath")
case("projector/bad/no-list.json", json.dumps({"embeddings": {}, "tensorPath": 1}), "EMPTY", "names no embeddings")
case("projector/bad/cut.json", '{"embeddings": [{"tensorPath": "a', "MALFORMED", "line 1, column")
case("projector/shape/short.bytes", SIX, "TRUNCATED", "24 bytes; 4 rows of 2 float32 values have 32")
case("projector/shape/long.bytes", SIX, "SHAPE", "24 bytes; 2 rows of 2 float32 values have 16")
case("projector/shape/huge.bytes", SIX, "TOO_LARGE", "at most 65536 dimensions")
case("projector/shape/nan.bytes", floats(1, 2, 3, float("nan"), 5, 6), "NON_FINITE", "row 1, column 1")
write("projector/shape/config.json", json.dumps({"embeddings": [
    {"tensorPath": "short.bytes", "tensorShape": [4, 2]}, {"tensorPath": "long.bytes", "tensorShape": [2, 2]},
    {"tensorPath": "huge.bytes", "tensorShape": [4611686018427387904, 70000]}, {"tensorPath": "nan.bytes", "tensorShape": [3, 2]}]}))
case("projector/many/tensors.tsv", "0.5\t1.5\n2.5\t3.5\n4.5\t5.5\n", "AMBIGUOUS", "a-metadata.tsv, b-metadata.tsv")
write("projector/many/a-metadata.tsv", "ah\nbe\nsee\n")
write("projector/many/b-metadata.tsv", "ah\nbe\nsee\n")
case("projector/many/tensors.tsv", None, "words 3 2", words="projector/many/a-metadata.tsv")

# --- files that may be read in several ways --------------------------------------------------------------------------

WHOLE, FIRST_WHOLE = "1\t2\t3\n4\t5\t6\n7\t8\t9\n", "1\t0.5\t1\n2\t1.5\t1\n3\t2.5\t1\n"
FIRST = "taken for the first dimension"
LINES = "".join(f"{i}{{0}}{i}.5{{0}}1\n" for i in range(100))


def spaces(text):
    return text.replace("\t", " ")


# The Embedding Projector's tensors, in tabs.
case("ambiguous/whole/tensors.tsv", WHOLE, "context 3 3")
case("ambiguous/whole/tensors.tsv", None, "words 3 2", reading="glove")
case("ambiguous/whole/tensors.tsv", None, "context 3 3", reading="tensors")
case("ambiguous/whole/tensors.tsv", None, "SHAPE", "line 1 is no pair of counts", reading="word2vec")
case("ambiguous/whole/tensors.tsv", None, "words 3 3", words="words/three.txt")
case("ambiguous/whole/tensors.tsv", None, "UNSUPPORTED", "begins with its word", words="words/three.txt", reading="glove")
case("ambiguous/whole/tensors.tsv", None, "SHAPE", "3 lines of numbers, but two.txt has 2 words", words="words/two.txt")
case("ambiguous/whole-metadata/tensors.tsv", WHOLE, "words 3 3")
write("ambiguous/whole-metadata/metadata.tsv", "ah\nbe\nsee\n")
case("ambiguous/whole-metadata/tensors.tsv", None, "context 3 3", words="none")
case("ambiguous/whole-header/tensors.tsv", WHOLE, "words 3 3")
write("ambiguous/whole-header/metadata.tsv", "word\tn\nah\t1\nbe\t2\nsee\t3\n")
case("ambiguous/first/tensors.tsv", FIRST_WHOLE, "context 3 3", FIRST)
case("ambiguous/first/tensors.tsv", None, "context 3 3", reading="tensors")
case("ambiguous/first/tensors.tsv", None, "words 3 2", reading="glove")
case("ambiguous/first-metadata/tensors.tsv", FIRST_WHOLE, "words 3 3")
write("ambiguous/first-metadata/metadata.tsv", "ah\nbe\nsee\n")
case("ambiguous/first-metadata/tensors.tsv", None, "words 3 2", reading="glove")
case("ambiguous/first-short/tensors.tsv", FIRST_WHOLE, "SHAPE", "3 lines of numbers, but metadata.tsv has 2 words")
write("ambiguous/first-short/metadata.tsv", "ah\nbe\n")
case("ambiguous/first-config/t.tsv", FIRST_WHOLE, "words 3 3")
case("ambiguous/first-config/config.json", config(tensorName="t", tensorPath="t.tsv", metadataPath="m.tsv"), "words 3 3")
write("ambiguous/first-config/m.tsv", "ah\nbe\nsee\n")
case("ambiguous/list-short/t.npy", GOOD, "SHAPE", "3 rows, but the list of words t.txt has 2 words; they must be as many. Choose another list, or none (")
write("ambiguous/list-short/t.txt", "ah\nbe\n")
case("ambiguous/list-short/t.npy", None, "context 3 2", words="none")
case("ambiguous/list-other/t.npy", GOOD, "MALFORMED", "\"a\" has no number of its own from 0 to 0; a list of words was expected, or an object that gives each word its number – it was taken for the words because of its name")
write("ambiguous/list-other/t.json", '{"a": "b"}')
case("ambiguous/list-other/t.npy", None, "context 3 2", words="none")
case("ambiguous/first-other/numbers.txt", FIRST_WHOLE, "words 3 3", FIRST)
write("ambiguous/first-other/metadata.tsv", "ah\nbe\nsee\n")
case("ambiguous/twice/tensors.tsv", "1\t0.5\n1\t1.5\n0\t2.5\n", "context 3 2")
case("ambiguous/half/tensors.tsv", "0.5\t1\n1\t2\n2\t0.5\n3\t1\n", "context 4 2")
case("ambiguous/negative/tensors.tsv", "-1\t0.5\n2\t1.5\n3\t2.5\n", "context 3 2")
case("ambiguous/letters-late.tsv", LINES.format("\t") + "ah\t0.5\t1\n", "words 101 2")
case("ambiguous/letters-last.tsv", LINES.format("\t") + "ah\t0.5\t1", "NUMBER", "line 101, column 1: \"ah\" is no number – the lines before it are")
case("ambiguous/letters-last.tsv", None, "words 101 2", reading="glove")
case("ambiguous/letters.tsv", "ah\t0.5\nbe\t1.5\n", "UNKNOWN", "line 1 is \"ah 0.5\", with one number at its end")
case("ambiguous/letters.tsv", None, "words 2 1", reading="glove")
case("ambiguous/letters.tsv", None, "NUMBER", "line 1, column 1: \"ah\" is no number", reading="tensors")
case("ambiguous/header.tsv", "x\ty\n0.5\t1.5\n2.5\t3.5\n", "UNKNOWN", "Line 1 is \"x y\"")
case("ambiguous/header.tsv", None, "NUMBER", "line 1, column 3: \"y\" is no number", reading="tensors")
case("ambiguous/ragged.tsv", "1\t0.5\t1\n2\t1.5\n3\t2.5\t1\n", "SHAPE", "line 2: 2 fields; 3 numbers were expected")

# The same in spaces, as GloVe and numpy.savetxt write.
case("ambiguous/whole.txt", spaces(WHOLE), "AMBIGUOUS", "--read-as glove or --read-as tensors")
case("ambiguous/whole.txt", None, "words 3 2", reading="glove")
case("ambiguous/whole.txt", None, "context 3 3", reading="tensors")
case("ambiguous/whole.txt", None, "words 3 3", words="words/three.txt")
case("ambiguous/whole.txt", None, "context 3 3", words="none")
case("ambiguous/first.txt", spaces(FIRST_WHOLE), "words 3 2", "All words are whole numbers")
case("ambiguous/first.txt", None, "words 3 2", reading="glove")
case("ambiguous/first.txt", None, "context 3 3", reading="tensors")
case("ambiguous/first.txt.gz", gzip.compress(spaces(FIRST_WHOLE).encode(), mtime=0), "words 3 2", "All words are whole numbers")
case("ambiguous/first.txt.gz", None, "context 3 3", reading="tensors")
case("ambiguous/twice.txt", "1 0.5\n1 1.5\n0 2.5\n", "context 3 2")
case("ambiguous/negative.txt", "-1 0.5\n2 1.5\n", "context 2 2")
case("ambiguous/exponents.txt", "1.000e+00 5.000e-01\n2.000e+00 1.500e+00\n", "context 2 2")
case("ambiguous/letters-late.txt", LINES.format(" ") + "ah 0.5 1\n", "words 101 2")
case("ambiguous/letters-after-fractions.txt", "".join(f"{i}.5 1 2\n" for i in range(100)) + "ah 1 2\n", "words 101 2")
case("ambiguous/one-number.txt", "1\n2\n3\n", "UNKNOWN", "Line 1 is \"1\"")
case("ambiguous/one-number.txt", None, "context 3 1", reading="tensors")

# One number behind words: lists of counts, headings, sentences.
case("ambiguous/counts-of-words.txt", "the 23135851162\nof 13151942776\n", "UNKNOWN", "line 1 is \"the 23135851162\", with one number at its end")
case("ambiguous/counts-of-words.txt", None, "words 2 1", reading="glove")
case("ambiguous/headings.txt", "Chapter 1\nChapter 2\nChapter 3\n", "UNKNOWN", "line 1 is \"Chapter 1\"")
case("ambiguous/sentence.txt", "It was a bright cold day in April 1984\n", "UNKNOWN", "line 1 is")
case("ambiguous/plane.txt", "1 0.5\n2 1.5\n3 2.5\n", "context 3 2", FIRST)
case("ambiguous/plane.txt", None, "words 3 1", reading="glove")

# Counts above that may be a line like the others.
case("ambiguous/counts.txt", "3 2\n1 0.5 1\n2 1.5 1\n3 2.5 1\n", "words 3 2")
case("ambiguous/counts.txt", None, "words 3 2", reading="word2vec")
case("ambiguous/counts.txt", None, "SHAPE", "line 1: 2 fields; a word and 2 numbers", reading="glove")
case("ambiguous/counts-of-vectors.txt", "3 3\n1 0.5 1\n2 1.5 1\n3 2.5 1\n", "context 3 3")
case("ambiguous/counts-of-vectors.txt", None, "SHAPE", "line 1 says 3 numbers a line, line 2 has 2", reading="word2vec")
case("ambiguous/counts-of-two.txt", "3 2\n0.5 1\n1.5 1\n2.5 1\n", "AMBIGUOUS", "--read-as glove or --read-as tensors")
case("ambiguous/counts-of-two.txt", None, "context 4 2", reading="tensors")
case("ambiguous/counts-of-one.txt", "3 1\n5 0.5\n6 1.5\n7 2.5\n", "AMBIGUOUS", "--read-as glove or --read-as tensors")
case("ambiguous/counts-of-one.txt", None, "words 4 1", reading="glove")
case("ambiguous/counts-of-one.txt", None, "words 3 1", reading="word2vec")
case("ambiguous/counts-of-one-letters.txt", "2 1\nah 0.5\nbe 1.5\n", "words 2 1")
case("ambiguous/counts-alone.txt", "2 3\n", "TRUNCATED", "line 1 announces 2 words of 3 numbers")
case("ambiguous/counts-alone.txt", None, "words 1 1", reading="glove")
case("ambiguous/counts-alone.txt", None, "context 1 2", reading="tensors")
case("ambiguous/counts-wrong.txt", "3 4\nah 0.5 1\nbe 1.5 1\n", "SHAPE", "line 1 says 4 numbers a line, line 2 has 2")

# Options that would have no effect.
case("text/good.txt", None, "UNSUPPORTED", "begins with its word", words="words/two.txt")
case("text/good.txt", None, "UNSUPPORTED", "begins with its word", words="none")
case("word2vec/good.bin", None, "UNSUPPORTED", "brings its own words", words="words/two.txt")
case("word2vec/good.bin", None, "UNSUPPORTED", "no table in text", reading="glove")
case("npy/good.npy", None, "UNSUPPORTED", "no table in text", reading="tensors")
case("npy/texts.npy", None, "UNSUPPORTED", "the tokens of a text", member="1", words="words/three.txt")
case("npy/one-axis.npy", None, "UNSUPPORTED", "the tokens of a text", words="words/three.txt")
case("npz/good.npz", None, "UNSUPPORTED", "no table in text", reading="tensors")
case("gguf/good.gguf", None, "UNSUPPORTED", "no table in text", reading="glove")
case("safetensors/good.safetensors", None, "UNSUPPORTED", "no table in text", reading="glove")
case("projector/raw/t.bytes", None, "UNSUPPORTED", "nothing to choose from", member="t")
case("projector/raw/t.bytes", None, "UNSUPPORTED", "no table in text", reading="tensors")

# Folders that are no checkpoints.
case("projector/one", None, "words 3 2", "“tensors.tsv” is opened")
case("projector/one", None, "context 3 2", "“tensors.tsv” is opened", words="none")
case("projector/config", None, "words 3 2", "“config.json” is opened")
case("projector/none", None, "context 3 2", "“tensors.tsv” is opened")
case("projector/many", None, "AMBIGUOUS", "a-metadata.tsv, b-metadata.tsv")
case("projector/many", None, "words 3 2", "“tensors.tsv” is opened", words="projector/many/a-metadata.tsv")
case("folders/two/a.txt", "ah 1 2\nbe 3 4\n", "words 2 2")
case("folders/two/b.npy", GOOD, "context 3 2")
write("folders/two/read-me.txt", "Two tables.\n")
write("folders/of-folders/one/t.txt", "ah 1 2 3\nbe 4 5 6\n")
write("folders/of-folders/two/t.txt", "ah 1 2 3\nbe 4 5 6\n")
case("folders/of-folders", None, "NOT_A_FILE", "without files of its own: one, two. Open one of them")
case("folders/two", None, "AMBIGUOUS", "has 2 to choose from, and none is surely the one meant: \"a.txt\" (GloVe text), \"b.npy\" (NumPy context)")
case("folders/two", None, "words 2 2", "“a.txt” is opened", member="a.txt")
case("folders/two", None, "context 3 2", "“b.npy” is opened", member="b.npy")
case("folders/two", None, "MISSING", "has no \"c.npy\"; there is \"a.txt\"", member="c.npy")
case("folders/two", None, "UNSUPPORTED", "no table in text", member="b.npy", reading="glove")
case("folders/listed/t.npy", GOOD, "words 3 2")
write("folders/listed/t.words.txt", "ah\nbe\nsee\n")
case("folders/listed", None, "words 3 2", "“t.npy” is opened")
case("folders/vocabulary/vectors.npy", GOOD, "words 3 2")
write("folders/vocabulary/vocab.txt", "ah\nbe\nsee\n")
case("folders/vocabulary", None, "words 3 2", "“vectors.npy” is opened")
case("folders/vocabulary", None, "words 3 2", "“vectors.npy” is opened", words="folders/vocabulary/vocab.txt")
case("folders/vocabulary/vectors.npy", None, "words 3 2", words="folders/vocabulary/vocab.txt")
case("folders/vocabulary/vectors.npy", None, "context 3 2", words="none")
case("folders/vocabulary-of-tensor/model.safetensors", safetensors({"x": tensor([3, 2])}, SIX), "words 3 2")
write("folders/vocabulary-of-tensor/vocab.txt", "ah\nbe\nsee\n")
case("folders/vocabulary-of-tensor", None, "words 3 2", "“model.safetensors” is opened")
case("folders/vocabulary-of-archive/vectors.npz", zipped([("vectors.npy", GOOD)]), "words 3 2")
write("folders/vocabulary-of-archive/vocab.txt", "ah\nbe\nsee\n")
case("folders/pieces/emb.npy", GOOD, "words 3 2")
write("folders/pieces/vocab.json", '{"be": 1, "ah": 0, "see": 2}')
case("folders/pieces", None, "words 3 2", "“emb.npy” is opened")
case("folders/half-a-tokeniser", None, "MISSING", "a vocabulary without config.json and weights")
write("folders/half-a-tokeniser/vocab.json", '{"be": 1, "ah": 0, "see": 2}')
case("folders/vocabulary-of-others/vectors.npy", GOOD, "context 3 2")
write("folders/vocabulary-of-others/vocab.txt", "ah\nbe\n")
case("folders/vocabulary-of-others", None, "context 3 2", "“vectors.npy” is opened")
case("folders/vocabulary-of-others", None, "SHAPE", "the list of words vocab.txt has 2 words", words="folders/vocabulary-of-others/vocab.txt")
case("folders/usual/vectors.npy", GOOD, "words 3 2")
write("folders/usual/words.txt", "ah\nbe\nsee\n")
case("folders/usual", None, "words 3 2", "“vectors.npy” is opened")
case("folders/usual/vectors.npy", None, "context 3 2", words="none")
case("folders/usual-array/vectors.npy", GOOD, "words 3 2")
write("folders/usual-array/labels.npy", unicode_words("ah", "be", "see"))
case("folders/usual-behind-name/a.npy", GOOD, "words 3 2")
write("folders/usual-behind-name/a_words.txt", "ah\nbe\nsee\n\n")
write("folders/usual-behind-name/Vocab.json", '["x", "y"]')
case("folders/usual-of-others/a.npy", GOOD, "context 3 2")
write("folders/usual-of-others/b_words.txt", "ah\nbe\nsee\n")
write("folders/usual-of-others/keywords.txt", "ah\nbe\nsee\n")
write("folders/usual-of-others/words.txt", "ah\nbe\n")
case("npy/good.npy", None, "words 3 2", words="words/blank-end.txt")
write("words/blank-end.txt", "ah\r\nbe\r\nsee\r\n\r\n\r\n")
case("folders/archive", None, "AMBIGUOUS", "\"a\" (3 x 2, float32), \"b\" (3 x 2, float32)")
write("folders/archive/two.npz", zipped([("a.npy", GOOD), ("b.npy", GOOD)]))
case("folders/archive", None, "context 3 2", "“two.npz” is opened", member="b")
case("npy", None, "AMBIGUOUS", "too many to look into all of them")
case("folders/list-too-short", None, "SHAPE", "t.npy: the array has 3 rows, but the list of words t.txt has 2 words")
write("folders/list-too-short/t.npy", GOOD)
write("folders/list-too-short/t.txt", "ah\nbe\n")
case("projector/short", None, "SHAPE", "tensors.tsv: 3 lines of numbers, but metadata.tsv has 2 words")
case("folders/nothing", None, "NOT_A_FILE", "In it: read-me.txt")
write("folders/nothing/read-me.txt", "No table.\n")
case("folders", None, "NOT_A_FILE", "a folder of folders")

# --- kinds that are known, but not read ----------------------------------------------------------------------------

for protocol in (2, 3, 4, 5):
    case(f"refused/protocol-{protocol}.pkl", bytes([0x80, protocol]) + b"}q\0.", "REFUSED", "a Python pickle")
for name, start in (("dictionary", b"(dp0\nVah\np1\n"), ("list", b"(lp0\nVah\np1\n"), ("array", b"cnumpy.core.multiarray\n_reconstruct\np0\n")):
    case(f"refused/protocol-0-{name}.txt", start + b".", "REFUSED", "a Python pickle")
case("refused/fasttext.bin", b"\xba\x16\x4f\x2f\x0c" + bytes(40), "REFUSED", "a model of fastText")
case("refused/model.kv", b"\x80\x04\x95\0\0\0\0\0\0\0\0\x8c\x1bgensim.models.keyedvectors", "REFUSED", "gensim")
case("refused/weights.pt", zipped([("weights/data.pkl", b"x")]), "REFUSED", "a PyTorch file")
case("refused/old.pt", b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", "REFUSED", "PyTorch file of the old kind")
case("refused/table.h5", b"\x89HDF\r\n\x1a\n" + bytes(16), "REFUSED", "HDF5")
case("refused/table.parquet", b"PAR1" + bytes(16), "REFUSED", "Parquet")

with open(os.path.join(FOLDER, "files.tsv"), "w", encoding="utf-8") as output:
    output.write("file\tmember\twords\treading\tresult\tsays\n")
    for row in LIST:
        assert not any("\t" in field or "\n" in field for field in row), row
        output.write("\t".join(row) + "\n")
print(len({row[0] for row in LIST}), "files,", len(LIST), "cases")
