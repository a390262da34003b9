"""nudge and curve: figures and data files, their defaults, and that nothing depends on chance."""

import csv
import json
import math
import os
import re
import signal
import struct
import subprocess
import time
import zlib

from harness import case, close, equal, make_npy, norm, read_rows, run_main, true

TEXT = "I love her much"
LONG_TEXT = " ".join(["The ferry left the harbour in the rain and the children waved from the stern."] * 4)
CSV_HEADER = "map,d,n,k,trial,seed,token,ws,upper_bound,evaluations"
SMALL = ["--synthetic", "--d", "12", "--n", "3,6,12", "--trials", "3", "--features", "64", "--effort", "quick"]


def split_csv(text):
    """Comment lines without "# ", the header, and the rows as lists of fields."""
    lines = text.splitlines()
    comments = [line[2:] for line in lines if line.startswith("# ")]
    rows = lines[len(comments):]
    return comments, rows[0], [row.split(",") for row in rows[1:]]


def read_text(cli, name):
    return cli.bytes(name).decode()


def png_chunks(data):
    equal(data[:8], b"\x89PNG\r\n\x1a\n", "PNG")
    chunks, at = {}, 8
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        kind = data[at + 4:at + 8].decode()
        equal(zlib.crc32(data[at + 4:at + 8 + length]), struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0],
              f"checksum of {kind}")
        chunks.setdefault(kind, []).append(data[at + 8:at + 8 + length])
        at += 12 + length
    return chunks


def svg_size_cm(svg):
    """Width and height of an SVG in cm, whatever its unit."""
    units = {"pt": 2.54 / 72, "cm": 1, "mm": 0.1, "in": 2.54, "px": 2.54 / 96, "": 2.54 / 96}
    return [float(value) * units[unit] for value, unit in
            re.findall(r'\b(?:width|height)="([0-9.]+)([a-z]*)"', svg.split(">", 2)[1] + svg[:600])[:2]]


# ---- curve ----

@case
def curve_csv(cli, options):
    cli.text("curve", *SMALL, "--seed", "7", "--output", "curve.csv")
    comments, header, rows = split_csv(read_text(cli, "curve.csv"))
    equal(header, CSV_HEADER, "header")
    equal([row[:6] for row in rows],
          [[name, "12", n, k, trial, "7"] for name, k in (("rf", "64"), ("relu-raf", "0"), ("raf", "0"))
           for n in ("3", "6", "12") for trial in ("0", "1", "2")], "what each row is about")
    for row in rows:
        equal(len(row), 10, str(row))
        equal(row[6], "0", "the first token")
        true(0 < float(row[7]) < 100, str(row))
        equal(row[8], "", "no upper bound")
        true(int(row[9]) > 0, str(row))
    facts = dict(line.split(": ", 1) for line in comments[1:])
    true(re.fullmatch(r"wordsway \d+\.\d+\.\d+", comments[0]), comments[0])
    equal(facts, {"source": "synthetic", "normalisation": "paper", "maps": "rf, relu-raf, raf", "n": "3, 6, 12",
                  "d": "12", "k": "64", "trials": "3", "seed": "7", "radius": "1", "effort": "quick",
                  "token": "0 (counted from 0)"}, "provenance")


DEEP = ["--synthetic", "--d", "12", "--n", "3,6,12", "--trials", "2", "--effort", "quick", "--features", "64",
        "--depth", "3", "--width", "48"]


@case
def a_fourth_map_changes_no_other(cli, options):
    cli.text("curve", *DEEP, "--maps", "rf,relu-raf,raf,drf", "--output", "four.csv")
    cli.text("curve", *DEEP[:-4], "--output", "three.csv")
    comments, header, rows = split_csv(read_text(cli, "four.csv"))
    equal(header, CSV_HEADER, "header")
    equal([row for row in rows if row[0] != "drf"], split_csv(read_text(cli, "three.csv"))[2], "the other maps")
    equal([row[:5] for row in rows if row[0] == "drf"],
          [["drf", "12", n, "48", trial] for n in ("3", "6", "12") for trial in ("0", "1")], "drf")
    facts = dict(line.split(": ", 1) for line in comments[1:])
    equal((facts["maps"], facts["depth"], facts["width"]), ("rf, relu-raf, raf, drf", "3", "48"), "provenance")


@case
def bounds_beside_the_found(cli, options):
    line = ["curve", *SMALL]
    cli.text(*line, "--output", "plain.csv")
    cli.text(*line, "--bound", "none", "--output", "none.csv")
    equal(cli.bytes("none.csv"), cli.bytes("plain.csv"), "none is the default")
    plain = split_csv(read_text(cli, "plain.csv"))[2]
    bounds = {}
    for kind in ("quick", "tight"):
        cli.text(*line, "--bound", kind, "--output", f"{kind}.csv")
        comments, header, rows = split_csv(read_text(cli, f"{kind}.csv"))
        true(f"upper bound: {kind}" in comments, str(comments))
        equal([row[:8] + row[9:] for row in rows], [row[:8] + row[9:] for row in plain], "the found values")
        equal([row[8] for row in rows if row[0] == "rf"], [""] * 9, "none for rf")
        bounds[kind] = [float(row[8]) for row in rows if row[0] != "rf"]
        for row in rows:
            true(row[0] == "rf" or float(row[7]) <= float(row[8]), f"found above the bound: {row}")
    true(all(tight <= quick for tight, quick in zip(bounds["tight"], bounds["quick"])), str(bounds))
    cli.text(*line, "--bound", "tight", "--threads", "1", "--output", "one.csv")
    equal(cli.bytes("one.csv"), cli.bytes("tight.csv"), "any number of threads")
    cli.text(*line, "--bound", "tight", "--output", "tight.svg")
    true("certified upper bound" in read_text(cli, "tight.svg"), "the figure says what the line is")
    equal(cli.run(*line, "--maps", "rf", "--bound", "tight", "--output", "x.csv").returncode, 2, "not for rf alone")


@case
def theory_beside_the_measured(cli, options):
    line = ["curve", *DEEP, "--maps", "rf,raf,drf"]
    for ending in ("csv", "json", "svg"):
        cli.text(*line, "--output", f"plain.{ending}")
        cli.text(*line, "--theory", "--output", f"theory.{ending}")
    plain, theory = (json.loads(read_text(cli, name)) for name in ("plain.json", "theory.json"))
    laws = theory.pop("theory")
    equal(theory.pop("theory_note"), "D2 is left out below n = 4, where it does not hold", "what is left out")
    predicted = [point.pop("predicted") for point in theory["points"]]
    equal(theory, plain, "the laws are added, nothing is changed")
    for point, value in zip(plain["points"], predicted):
        true(value is None if point["map"] != "rf" else abs(value / point["ws"] - 1) < 0.25, f"{point}: {value}")
    equal([(law["map"], law["law"], law["formula"], law["d"]) for law in laws],
          [("rf", "infinite", "S_inf", None), ("drf", "infinite", "S_inf", None), ("rf", "edge", "F1", 12),
           ("rf", "finite", "F2", 12), ("drf", "finite", "D2", 12), ("rf", "weights", "F3", 12)], "laws")
    for law in laws:
        equal(law["n"], [3, 6, 12], "n")
        measured = next(c["median"] for c in plain["curves"] if c["map"] == law["map"])
        for n, value, median in zip(law["n"], law["ws"], measured):
            if law["formula"] == "D2" and n == 3:
                equal(value, None, "D2 below n = 4")
                continue
            true(value < median if law["law"] == "infinite" else value < median * 1.3, f"{law['label']}: {law['ws']}")
    for n, value in zip(laws[0]["n"], laws[0]["ws"]):
        root = math.sqrt(n - 1)
        close(value, math.sqrt(1 / n - 2 / math.pi * (root / n - (1 + 1 / n) * math.atan(root / (n + 1)))),
              relative=1e-9, what="the closed form of rf")
    plain_rows, rows = (read_text(cli, name).splitlines() for name in ("plain.csv", "theory.csv"))
    for old, new in zip(plain_rows, rows, strict=True):
        true(new.startswith(old), f"columns are added at the end: {new}")
    header = next(row for row in rows if row.startswith("map,"))
    true(header.endswith(",theory_infinite,theory_edge,theory_finite,theory_weights"), header)
    true(all(row.endswith(",,,,") for row in rows if row.startswith("raf,")), "raf has no laws")
    svg = read_text(cli, "theory.svg")
    for label in ("theory, infinite width", "theory F1, finite width", "theory F2 and D2", "theory F3, the weights",
                  "DRF, depth 3: n"):
        true(label in svg, f"{label} is in the figure")
    true("theory" not in read_text(cli, "plain.svg"), "no theory where none was asked for")
    cli.text(*line, "--theory", "--token", "all", "--output", "all.json")
    equal({law["law"] for law in json.loads(read_text(cli, "all.json"))["theory"]}, {"infinite", "weights"},
          "laws of all tokens")


@case
def a_bound_for_all_trials(cli, options):
    cli.text("curve", "--maps", "raf,relu-raf", "--n", "12,20,30", "--trials", "5", "--effort", "quick", "--bound", "tight",
             "--output", "bounds.json")
    found = json.loads(read_text(cli, "bounds.json"))
    equal(found["upper_bounds"], {"points_with_bound": 30, "points": 30}, "points with a bound")
    for curve in found["curves"]:
        for n, bound, upper in zip(curve["n"], curve["upper_bound"], curve["upper_quartile"]):
            trials = [point for point in found["points"] if (point["map"], point["n"]) == (curve["map"], n)]
            equal(len(trials), 5, "trials")
            equal(bound, max(point["upper_bound"] for point in trials), "the largest of the bounds")
            true(bound >= max(point["ws"] for point in trials) >= upper, f"{curve['map']}, n = {n}: {bound}")


@case
def theory_of_deep_networks(cli, options):
    line = ["curve", "--synthetic", "--d", "12", "--n", "10,12", "--maps", "drf", "--width", "48", "--trials", "1",
            "--effort", "quick", "--theory"]
    for depth, formulas, note in (("8", ["S_inf", "D2"], None),
                                  ("16", ["S_inf"], "D2 is left out: it is known to hold up to 8 layers")):
        cli.text(*line, "--depth", depth, "--output", "deep.json")
        found = json.loads(read_text(cli, "deep.json"))
        equal([law["formula"] for law in found["theory"]], formulas, f"laws at depth {depth}")
        equal([law["approximate"] for law in found["theory"]], [name == "D2" for name in formulas], "approximate")
        equal(found["theory_note"], note, "what is left out")


@case
def theory_by_name(cli, options):
    line = ["curve", *DEEP, "--maps", "rf,drf"]
    for words, expected in (("none", None), ("infinite", {"S_inf"}), ("f2", {"F2", "D2"}), ("edge,weights", {"F1", "F3"}),
                            ("all", {"S_inf", "F1", "F2", "D2", "F3"})):
        cli.text(*line, f"--theory={words}", "--output", "laws.json")
        laws = json.loads(read_text(cli, "laws.json")).get("theory")
        equal(laws if laws is None else {law["formula"] for law in laws}, expected, words)
    for words in ("", "f4", "none,f1", "infinite,", "Infinite"):
        failed = cli.run(*line, f"--theory={words}", "--output", "x.json")
        equal(failed.returncode, 2, words)
        true(b"--theory takes" in failed.stderr, failed.stderr)


@case
def curve_does_not_depend_on_threads(cli, options):
    for ending in ("csv", "json", "svg", "pdf", "png"):
        for threads in ("1", "2", "3"):
            cli.text("curve", *SMALL, "--threads", threads, "--output", f"curve-{threads}.{ending}")
        equal(cli.bytes(f"curve-2.{ending}") == cli.bytes(f"curve-1.{ending}"), True, f"{ending}: 2 threads")
        equal(cli.bytes(f"curve-3.{ending}") == cli.bytes(f"curve-1.{ending}"), True, f"{ending}: 3 threads")


@case
def curve_is_repeatable_in_every_locale(cli, options):
    cli.text("curve", *SMALL, "--output", "one.csv")
    cli.text("curve", *SMALL, "--output", "one.svg")
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", cli.path("de_DE.UTF-8")], capture_output=True,
                          check=False) if os.path.exists("/usr/bin/localedef") else None
    environments = [{"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8", "LANGUAGE": "de"}]
    if made is not None and made.returncode == 0:
        environments.append({"LC_ALL": "de_DE.UTF-8", "LOCPATH": cli.folder, "LANGUAGE": "de"})
    for environment in environments:
        for ending in ("csv", "svg"):
            cli.text("curve", *SMALL, "--output", f"two.{ending}", environment=environment)
            equal(cli.bytes(f"two.{ending}") == cli.bytes(f"one.{ending}"), True, f"{ending} in {environment}")


@case
def curve_json(cli, options):
    cli.text("curve", *SMALL, "--output", "curve.json")
    cli.text("curve", *SMALL, "--output", "curve.csv")
    text = read_text(cli, "curve.json")
    equal(text.count("\n"), 1, "lines")
    found = json.loads(text)
    rows = split_csv(read_text(cli, "curve.csv"))[2]
    equal([[str(p[key]) for key in ("map", "d", "n", "k", "trial", "seed", "token")] for p in found["points"]],
          [row[:7] for row in rows], "points")
    equal([p["ws"] for p in found["points"]], [float(row[7]) for row in rows], "values")
    equal({p["upper_bound"] for p in found["points"]}, {None}, "no upper bound")
    for curve in found["curves"]:
        values = {n: sorted(p["ws"] for p in found["points"] if (p["map"], p["n"]) == (curve["map"], n))
                  for n in curve["n"]}
        equal(curve["median"], [values[n][1] for n in curve["n"]], "medians of three")
        logs = [(math.log(n), math.log(m)) for n, m in zip(curve["n"], curve["median"])]
        mean_x, mean_y = (math.fsum(column) / len(logs) for column in zip(*logs))
        slope = sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
        close(curve["exponent"], slope, relative=1e-9, what="exponent")


@case
def curve_svg(cli, options):
    cli.text("curve", *SMALL, "--output", "curve.json")
    cli.text("curve", *SMALL, "--output", "curve.svg")
    svg = read_text(cli, "curve.svg")
    for name in ("RF", "ReLU-RAF", "softmax-RAF", "context length n", "word sensitivity (token 1)", "source: synthetic"):
        true(name in svg, f"{name} is in the figure")
    for curve in json.loads(read_text(cli, "curve.json"))["curves"]:
        true(f"{abs(curve['exponent']):.2f}" in svg, f"exponent {curve['exponent']} is in the legend")
    width, height = svg_size_cm(svg)
    close(width, 8.9, relative=1e-3, what="width")
    close(height, 6.5, relative=1e-3, what="height")


@case
def curve_sizes_and_styles(cli, options):
    cli.text("curve", *SMALL, "--output", "default.png")
    header = struct.unpack(">II", png_chunks(cli.bytes("default.png"))["IHDR"][0][:8])
    equal([abs(header[0] - 1051) <= 1, abs(header[1] - 768) <= 1], [True, True], f"8.9 x 6.5 cm at 300 dpi: {header}")
    cli.text("curve", *SMALL, "--output", "large.png", "--size=10cmx5cm", "--dpi=127")
    chunks = png_chunks(cli.bytes("large.png"))
    equal(struct.unpack(">II", chunks["IHDR"][0][:8]), (500, 250), "10 x 5 cm at 127 dpi")
    equal(struct.unpack(">IIB", chunks["pHYs"][0]), (5000, 5000, 1), "dots per metre")
    true(any(b"seed: 1" in chunk for kind in ("tEXt", "iTXt") for chunk in chunks.get(kind, [])), "provenance in PNG")
    for style in ("default", "dark", "large"):
        cli.text("curve", *SMALL, "--output", f"{style}.svg", "--style", style)
    true(len({cli.bytes(f"{style}.svg") for style in ("default", "dark", "large")}) == 3, "styles differ")
    cli.text("curve", *SMALL, "--output", "plain.svg")
    equal(cli.bytes("plain.svg") == cli.bytes("default.svg"), True, "the default style is the default")
    cli.text("curve", *SMALL, "--output", "curve.pdf")
    true(cli.bytes("curve.pdf").startswith(b"%PDF"), "PDF")


@case
def curve_points_agree_with_ws(cli, options):
    """Trial 0 of a curve is what `ws` finds for the same rows and seed (rf is drawn in another way there)."""
    cli.text("curve", "--text", LONG_TEXT, "--n", "5,9", "--trials", "1", "--seed", "3", "--maps", "raf,relu-raf",
             "--effort", "quick", "--output", "curve.csv")
    cli.text("context", "--text", LONG_TEXT, "--normalise", "none", "--output", "X.npy")
    rows = read_rows(cli.path("X.npy"))
    for name, d, n, _, _, _, token, ws, _, _ in split_csv(read_text(cli, "curve.csv"))[2]:
        cut = [value for row in rows[:int(n)] for value in row]
        cli.write("cut.npy", make_npy((int(n), int(d)), cut))
        found = cli.json("ws", "--map", name, "--context", "cut.npy", "--normalise", "paper", "--seed", "3",
                         "--effort", "quick", "--token", token, "--json")
        close(found["ws"], float(ws), what=f"{name}, n = {n}")


@case
def a_curve_goes_on_past_undefined_trials(cli, options):
    line = ["curve", "--synthetic", "--d", "1,2", "--n", "1,2", "--features", "1", "--width", "1", "--depth", "1",
            "--maps", "rf,relu-raf,raf,drf", "--trials", "6", "--effort", "quick"]
    for token in ("first", "all"):
        result = cli.run(*line, "--token", token, "--output", "a.csv")
        message = result.stderr.decode()
        equal(result.returncode, 0, message)
        rows = split_csv(read_text(cli, "a.csv"))[2]
        equal(len(rows), 4 * 2 * 2 * 6, "every trial has its row")
        points = []
        cli.text(*line, "--token", token, "--output", "a.json")
        data = json.loads(read_text(cli, "a.json"))
        for name, screen in (("rf", "RF"), ("relu-raf", "ReLU-RAF"), ("raf", "softmax-RAF"), ("drf", "DRF, depth 1")):
            empty = [row for row in rows if row[0] == name and row[7] == ""]
            equal(len(empty) > 0, name != "raf", f"{name} has undefined trials")
            equal(f"{len(empty)} of 24 trials undefined for {screen}: all features zero" in message, name != "raf", message)
            points = [point for point in data["points"] if point["map"] == name]
            equal(len([point for point in points if point["ws"] is None]), len(empty), f"{name}: nulls")
            counts = sum(sum(curve["trials"]) for curve in data["curves"] if curve["map"] == name)
            equal(counts, 24 - len(empty), f"{name}: trials behind the medians")
    cli.text(*line, "--output", "a.svg")
    true("undefined" in read_text(cli, "a.svg"), "the figure says so")


@case
def a_nudge_of_an_undefined_map(cli, options):
    cli.write("X.npy", make_npy((1, 1), [2]))
    seen = set()
    for seed in range(8):
        line = ["nudge", "--context", "X.npy", "--token", "0", "--seed", str(seed), "--output", "a.json", "--map"]
        cli.text(*line, "raf")
        worst = cli.run(*line, "relu-raf")
        cli.text(*line, "relu-raf", "--direction", "random")
        change = json.loads(read_text(cli, "a.json"))["maps"][0]["change"]
        equal(worst.returncode, 1 if change is None else 0, worst.stderr.decode())
        equal("ReLU-RAF is undefined" in worst.stderr.decode(), change is None, worst.stderr.decode())
        seen.add(change is None)
    equal(seen, {True, False}, "both signs of the weight")


@case
def standard_output(cli, options):
    """What - gets are the bytes of the file, and no file of that name."""
    cli.write("X.npy", make_npy((3, 2), [1, 2, 2, 1, 1, 1]))
    curve = ["curve", "--synthetic", "--d", "8", "--n", "4", "--trials", "1", "--effort", "quick"]
    nudge = ["nudge", "--map", "raf", "--context", "X.npy", "--token", "0"]
    rows = [(["features", "--map", "rf", "--context", "X.npy"], "npy", []),
            (["features", "--map", "drf", "--context", "X.npy"], "npy", []),
            (["features", "--map", "raf", "--context", "X.npy"], "npy", []),
            (["attention", "--map", "raf", "--context", "X.npy"], "npy", []),
            (["attention", "--head", "all", "--text", "so it is"], "npy", []),
            (["context", "--text", "so it is"], "npy", []), (curve, "csv", []), (nudge, "csv", [])]
    rows += [(line, name, ["--format", name]) for line in (curve, nudge) for name in ("csv", "json", "svg", "pdf", "png")]
    os.mkdir(cli.path("temporary"))
    for line, ending, more in rows:
        cli.text(*line, "--output", f"file.{ending}")
        result = cli.run(*line, "--output", "-", *more, environment={"TMPDIR": cli.path("temporary")})
        equal(result.returncode, 0, result.stderr.decode())
        true(result.stdout == cli.bytes(f"file.{ending}"), f"{line[0]} {more}: other bytes than those of a file")
        equal(os.listdir(cli.path("temporary")), [], "temporary files")
        true(not os.path.exists(cli.path("-")), "a file named -")
    found = cli.run("ws", "--map", "raf", "--context", "X.npy", "--delta", "-")
    cli.text("ws", "--map", "raf", "--context", "X.npy", "--delta", "delta.npy")
    equal(found.stdout, cli.bytes("delta.npy"), "ws --delta")
    cli.text("context", "--context", "X.npy", "--output", "./-")
    equal(cli.bytes("-"), cli.run("context", "--context", "X.npy", "--output", "-").stdout, "./- is a file")


@case
def standard_output_stays_empty_on_failure(cli, options):
    cli.write("nan.npy", make_npy((1, 2), [1, float("nan")]))
    for line in (["context", "--context", "nan.npy"], ["features", "--map", "raf", "--context", "nan.npy"],
                 ["curve", "--context", "nan.npy", "--n", "1"], ["nudge", "--map", "raf", "--context", "nan.npy", "--token", "0"]):
        result = cli.run(*line, "--output", "-")
        equal((result.returncode, result.stdout), (1, b""), str(line))


@case
def format_in_place_of_an_ending(cli, options):
    line = ["curve", "--synthetic", "--d", "8", "--n", "4", "--trials", "1", "--effort", "quick"]
    cli.text(*line, "--format", "svg", "--output", "figure")
    cli.text(*line, "--output", "figure.svg")
    equal(cli.bytes("figure"), cli.bytes("figure.svg"), "svg")
    cli.text(*line, "--format", "svg", "--output", "figure.svg")
    cli.text(*line, "--format", "csv", "--output", "figure.v1")
    true(cli.bytes("figure.v1").startswith(b"# "), "csv")


@case
def curve_defaults(cli, options):
    short = ["--text", LONG_TEXT, "--n", "4,8"]
    explicit = ["--maps", "raf,rf,relu-raf", "--trials", "5", "--seed", "1", "--token", "first", "--effort", "normal",
                "--radius", "1", "--features", "4096", "--normalise", "paper", "--d", "384", "--layer", "0"]
    cli.text("curve", *short, "--output", "default.csv")
    cli.text("curve", *short, *explicit, "--output", "explicit.csv")
    equal(read_text(cli, "explicit.csv"), read_text(cli, "default.csv"), "defaults")
    comments = split_csv(read_text(cli, "default.csv"))[0]
    true("text: " + LONG_TEXT in comments, "the text is in the file")
    sha256 = cli.json("info", "--json")["sha256"]
    true("set sha256: " + sha256 in comments, "so is the set's checksum")
    cli.text("curve", "--synthetic", "--n", "4", "--trials", "1", "--effort", "quick", "--maps", "rf", "--output", "a.csv")
    equal({row[1] for row in split_csv(read_text(cli, "a.csv"))[2]}, {"384"}, "d of synthetic rows")


@case
def curve_default_lengths(cli, options):
    fast = ["--trials", "1", "--effort", "quick", "--maps", "rf", "--features", "16", "--output", "a.csv"]
    lengths = {}
    for name, arguments in (("example", []), ("long", ["--text", LONG_TEXT]), ("short", ["--text", TEXT])):
        result = cli.run("curve", *arguments, *fast)
        equal(result.returncode, 0, result.stderr.decode())
        lengths[name] = [int(row[2]) for row in split_csv(read_text(cli, "a.csv"))[2]]
        equal(b"Note:" in result.stderr, name != "example", f"{name}: a shorter curve is said to be one")
    equal(lengths["example"], [10, 16, 25, 40, 63, 100, 158, 250], "the example text")
    count = len(cli.json("tokens", "--text", LONG_TEXT, "--json")["ids"])
    equal((lengths["long"][0], lengths["long"][-1]), (10, count), "a text shorter than 250 tokens")
    equal(lengths["short"], [2, 3, 4, 5, 6], "a short text")


@case
def curve_lists(cli, options):
    fast = ["--synthetic", "--trials", "1", "--effort", "quick", "--features", "8", "--output", "a.csv"]
    cli.text("curve", *fast, "--d", "8,4,8", "--n", "5,3,5", "--maps", "raf,rf,raf")
    rows = [row[:3] for row in split_csv(read_text(cli, "a.csv"))[2]]
    equal(rows, [[name, d, n] for name in ("rf", "raf") for d in ("4", "8") for n in ("3", "5")], "lists without repeats")
    cli.text("curve", *fast, "--d", "4", "--n", "2:4:9", "--maps", "rf")
    equal([row[2] for row in split_csv(read_text(cli, "a.csv"))[2]], ["2", "3", "4"], "rounded without repeats")
    cli.text("curve", *fast, "--d", "4", "--n", "3", "--maps", "rf", "--features", "nd")
    equal(split_csv(read_text(cli, "a.csv"))[2][0][3], "12", "k = nd")


@case
def curve_of_all_tokens(cli, options):
    line = ["curve", "--synthetic", "--d", "6", "--n", "4", "--trials", "2", "--effort", "quick", "--features", "32"]
    cli.text(*line, "--token", "all", "--output", "all.csv")
    cli.text(*line, "--maps", "relu-raf,raf", "--output", "first.csv")
    comments, _, rows = split_csv(read_text(cli, "all.csv"))
    true("token: all" in comments, "provenance")
    best = {(row[0], row[4]): float(row[7]) for row in rows}
    true(all(int(row[6]) < 4 for row in rows), "tokens")
    for row in split_csv(read_text(cli, "first.csv"))[2]:
        true(best[row[0], row[4]] >= float(row[7]) * 0.98, f"{row[0]}: the largest is not below the first")
    cli.text(*line, "--token", "all", "--output", "all.svg")
    true("largest over" in read_text(cli, "all.svg"), "the axis says so")


@case
def curve_of_a_ready_context(cli, options):
    cli.write("X.npy", make_npy((6, 3), [math.sin(i * i) for i in range(18)]))
    fast = ["--maps", "rf,raf", "--n", "2,6", "--trials", "1", "--effort", "quick", "--features", "16"]
    cli.text("curve", "--context", "X.npy", *fast, "--output", "a.csv")
    comments = split_csv(read_text(cli, "a.csv"))[0]
    true("source: X.npy" in comments and "normalisation: none" in comments, str(comments))
    true(any(re.fullmatch("source sha256: [0-9a-f]{64}", line) for line in comments), str(comments))
    found = cli.json("ws", "--map", "raf", "--context", "X.npy", "--effort", "quick", "--json")["ws"]
    close(float(split_csv(read_text(cli, "a.csv"))[2][-1][7]), found, what="the same as ws")


def interrupt(cli, number):
    """Starts a curve that would take very long, waits until it works, and sends it a signal."""
    line = [cli.binary, "curve", "--synthetic", "--d", "256", "--n", "100", "--trials", "100000", "--effort",
            "thorough", "--threads", "2", "--progress", "--output", "curve.svg"]
    with subprocess.Popen(line, cwd=cli.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stderr.readline()
        start = time.monotonic()
        process.send_signal(number)
        try:
            _, message = process.communicate(timeout=30)
        finally:
            process.kill()
        return process.returncode, message.decode(), time.monotonic() - start


@case
def curve_is_cancelled_cleanly(cli, options):
    for number in (signal.SIGINT, signal.SIGTERM):
        status, message, seconds = interrupt(cli, number)
        equal(status, 1, f"status after {number!r}: {message}")
        equal(os.listdir(cli.folder), [], "files left behind")
        true("cancelled" in message.lower(), message)
        true(seconds < 5, f"it took {seconds:.1f} s to end")


@case
def old_file_stays_on_failure(cli, options):
    cli.write("curve.csv", "precious")
    equal(cli.run("curve", "--text", TEXT, "--n", "500", "--output", "curve.csv").returncode, 1, "status")
    equal(cli.bytes("curve.csv"), b"precious", "the old file")
    cli.text("curve", *SMALL, "--output", "curve.csv")
    true(cli.bytes("curve.csv").startswith(b"# wordsway"), "replaced on success")
    equal(sorted(os.listdir(cli.folder)), ["curve.csv"], "no temporary file")


# ---- nudge ----

def nudge(cli, *arguments):
    cli.text("nudge", *arguments, "--output", "nudge.json")
    text = read_text(cli, "nudge.json")
    equal(text.count("\n"), 1, "lines")
    return json.loads(text)


@case
def nudge_by_the_definition(cli, options):
    """The nudge in the file, applied by plain Python, does what the file says."""
    for name in ("raf", "relu-raf"):
        for direction in ("worst", "random"):
            line = ["--map", name, "--text", TEXT, "--seed", "4"]
            found = nudge(cli, *line, "--token", "2", "--direction", direction, "--length", "0.75")
            cli.text("context", "--text", TEXT, "--output", "X.npy")
            x = read_rows(cli.path("X.npy"))
            equal(found["tokens"], ["[CLS]", "i", "love", "her", "much", "[SEP]"], "tokens")
            equal((found["n"], found["d"], found["token"], found["direction"]), (6, 384, 2, direction), "facts")
            close(found["delta_norm"], 0.75 * math.sqrt(384), what="length")
            close(norm(found["delta"]), found["delta_norm"], what="length of what is written")
            x[2] = [a + b for a, b in zip(x[2], found["delta"])]
            cli.write("nudged.npy", make_npy((6, 384), [value for row in x for value in row]))
            cli.text("attention", *line, "--output", "before.npy")
            cli.text("features", *line, "--output", "phi.npy")
            new = ["--map", name, "--context", "nudged.npy", "--seed", "4"]
            cli.text("attention", *new, "--output", "after.npy")
            cli.text("features", *new, "--output", "new.npy")
            (result,) = found["maps"]
            equal(result["map"], name, "map")
            for key in ("before", "after"):
                for a, b in zip(result[key], read_rows(cli.path(f"{key}.npy"))):
                    for one, other in zip(a, b):
                        close(one, other, absolute=1e-12, what=f"{name}, {key}")
            old, moved = read_rows(cli.path("phi.npy")), read_rows(cli.path("new.npy"))
            for j, change in enumerate(result["feature_change"]):
                expected = norm([b - a for a, b in zip(old[j], moved[j])]) / norm(old[j])
                close(change, expected, relative=1e-8, absolute=1e-12, what=f"{name}, token {j}")
            total = norm([b - a for a, b in zip(sum(old, []), sum(moved, []))]) / norm(sum(old, []))
            close(result["change"], total, what=f"{name}: change")


@case
def nudge_defaults_and_scaling(cli, options):
    line = ["--map", "raf", "--text", TEXT, "--token", "1"]
    full = nudge(cli, *line)
    equal(nudge(cli, *line, "--direction", "worst", "--length", "1", "--seed", "1", "--effort", "normal"), full,
          "defaults")
    ws = cli.json("ws", "--map", "raf", "--text", TEXT, "--token", "1", "--json")
    close(full["maps"][0]["change"], ws["ws"], relative=1e-6, what="the worst is what ws finds")
    half = nudge(cli, *line, "--length", "0.5")
    for a, b in zip(half["delta"], full["delta"]):
        close(a, b / 2, relative=1e-12, what="half the length")
    none = nudge(cli, *line, "--length", "0")
    equal(none["delta_norm"], 0, "no nudge")
    close(none["maps"][0]["change"], 0, absolute=1e-12, what="no change")
    longer = nudge(cli, *line, "--length", "2", "--effort", "quick")
    close(longer["delta_norm"], 2 * math.sqrt(384), what="twice the length")
    equal(longer["provenance"]["radius"], 2, "radius of the search")


@case
def nudge_first_rows_and_radius(cli, options):
    """What the window shows of a long text: the first rows, the worst of a smaller radius, scaled."""
    words = TEXT.split()
    line = ["--map", "raf", "--no-special", "--token", "0", "--effort", "quick"]
    short = nudge(cli, *line, "--text", " ".join(words[:3]), "--radius", "0.5", "--length", "0.25")
    first = nudge(cli, *line, "--text", " ".join(words), "--n", "3", "--radius", "0.5", "--length", "0.25")
    equal(first["n"], 3, "rows")
    equal(first["delta"], short["delta"], "the rows behind do not count")
    equal(first["maps"], short["maps"], "weights")
    equal(first["provenance"]["radius"], 0.5, "radius")
    full = nudge(cli, *line, "--text", " ".join(words), "--n", "3", "--radius", "0.5", "--length", "0.5")
    for a, b in zip(first["delta"], full["delta"]):
        close(a, b / 2, relative=1e-12, what="half the length of one search")


@case
def nudge_csv(cli, options):
    line = ["--map", "relu-raf", "--text", 'He said "no", twice', "--token", "1"]
    found = nudge(cli, *line)
    cli.text("nudge", *line, "--output", "nudge.csv")
    lines = read_text(cli, "nudge.csv").splitlines()
    rows = list(csv.reader(line for line in lines if not line.startswith("# ")))
    equal(rows[0], "map,row,row_token,feature_change,column,column_token,before,after,difference".split(","), "header")
    n = found["n"]
    equal(len(rows) - 1, n * n, "rows")
    for number, row in enumerate(rows[1:]):
        i, j = divmod(number, n)
        result = found["maps"][0]
        change = result["feature_change"][i]
        equal(row, ["relu-raf", str(i), found["tokens"][i], row[3], str(j), found["tokens"][j], *row[6:]], "labels")
        equal([float(value) for value in row[6:]],
              [result[key][i][j] for key in ("before", "after", "difference")], "weights")
        equal(float(row[3]) if row[3] else None, change, "feature change")
    true("# direction: worst" in lines and "# nudged token: 1 (counted from 0)" in lines, "facts")


@case
def nudge_figures(cli, options):
    line = ["nudge", "--map", "raf", "--text", TEXT, "--token", "4"]
    for ending, start in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG"), ("csv", b"# wordsway"),
                          ("json", b'{"provenance"')):
        cli.text(*line, "--output", f"one.{ending}")
        cli.text(*line, "--output", f"two.{ending}")
        true(cli.bytes(f"one.{ending}").startswith(start), ending)
        equal(cli.bytes(f"one.{ending}") == cli.bytes(f"two.{ending}"), True, f"{ending}: the same bytes")
    svg = read_text(cli, "one.svg")
    for words in ("softmax-RAF, before", "softmax-RAF, after", "softmax-RAF, difference", "Feature change per token",
                  ">love<", "direction: worst", "set sha256: "):
        true(words in svg, f"{words} is in the figure")
    true("ReLU-RAF" not in svg, "one map was asked for")
    width, height = svg_size_cm(svg)
    close(width, 18, relative=1e-3, what="width")
    close(height, 11, relative=1e-3, what="height")


def change_by_features(cli, name, before, after):
    """The relative change from one context to another, by the features command."""
    for number, rows in enumerate((before, after)):
        cli.write(f"{number}.npy", make_npy((len(rows), len(rows[0])), sum(rows, [])))
        cli.text("features", "--map", name, "--context", f"{number}.npy", "--output", f"phi{number}.npy")
    old, new = (sum(read_rows(cli.path(f"phi{number}.npy")), []) for number in (0, 1))
    return norm([b - a for a, b in zip(old, new)]) / norm(old)


def check_toward(cli, line, word, x, y, amount, radius=1.0):
    """What a nudge of token 2 of `x` toward the row `y` says, against `y` itself."""
    name = line[line.index("--map") + 1]
    result = cli.run("nudge", *line, "--token", "2", "--toward", word, "--amount", str(amount), "--radius", str(radius),
                     "--output", "nudge.json")
    equal((result.returncode, result.stdout), (0, b""), result.stderr.decode())
    found = json.loads(read_text(cli, "nudge.json"))
    delta = [amount * (b - a) for a, b in zip(x[2], y)]
    length = norm(delta) / math.sqrt(len(y))
    equal((found["direction"], found["toward"], found["amount"]), (f"toward “{word}”", word, amount), "facts")
    equal(found["provenance"]["radius"], radius, "radius")
    for a, b in zip(found["delta"], delta):
        close(a, b, relative=1e-12, absolute=1e-13, what="delta")
    close(found["length"], length, relative=1e-12, what="length")
    equal(found["leaves_ball"], length > radius, "leaves the ball")
    note = result.stderr.decode()
    equal(note.count("leaves the ball"), int(length > radius), f"length {length}: {note!r}")
    moved = [list(row) for row in x]
    moved[2] = list(y) if amount == 1 else [a + b for a, b in zip(x[2], delta)]
    close(found["maps"][0]["change"], change_by_features(cli, name, x, moved), what=f"{name}, {amount}")
    return found


@case
def nudge_toward_a_word_of_the_sample(cli, options):
    """All the way there, the context is that of the text with the other word in it."""
    ids = cli.json("tokens", "--text", TEXT, "--json")["ids"]
    hate = cli.json("tokens", "--text", "hate", "--no-special", "--json")["ids"]
    swapped = [*ids[:2], *hate, *ids[3:]]
    for layer in ("0", "word"):
        x, new = [], []
        for rows, numbers in ((x, ids), (new, swapped)):
            cli.text("context", "--ids", ",".join(map(str, numbers)), "--layer", layer, "--output", "rows.npy")
            rows.extend(read_rows(cli.path("rows.npy")))
        equal([i for i in range(6) if x[i] != new[i]], [2], "rows that differ")
        for name in ("raf", "relu-raf"):
            line = ["--map", name, "--text", TEXT, "--layer", layer]
            full = check_toward(cli, line, "hate", x, new[2], 1)
            check_toward(cli, line, "hate", x, new[2], 0.25)
            check_toward(cli, line, "hate", x, new[2], 1, radius=2.0)
            swaps = cli.json("swap", *line, "--token", "2", "--top", "1000000", "--json")["swaps"]
            (change,) = (swap["change"] for swap in swaps if swap["word"] == "hate")
            close(full["maps"][0]["change"], change, what="the change that swap says")


@case
def nudge_toward_a_word_of_a_table(cli, options):
    """Every normalisation, fewer dimensions and the first rows, by plain Python."""
    vectors = {"sun": [1, -2, 3, 0.5], "sea": [2, 2, -1, 4], "moon": [0.5, -1, -2, 1], "sand": [-3, 0.25, 1, 2],
               "far": [30, -40, 25, -60]}
    cli.write("words.txt", "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in vectors.items()))
    for how in ("paper", "none", "centre"):
        for d, n in ((4, 4), (3, 3)):
            raw = [vectors[word][:d] for word in ("sun", "sea", "moon", "sand")[:n]]
            means = [math.fsum(column) / n for column in zip(*raw)] if how == "centre" else [0] * d
            moved = [[a - b for a, b in zip(row, means)] for row in [*raw, vectors["far"][:d]]]
            rows = moved if how == "none" else [[a * math.sqrt(d) / norm(row) for a in row] for row in moved]
            for name in ("raf", "relu-raf"):
                line = ["--map", name, "--set", "words.txt", "--text", "sun sea moon sand", "--normalise", how,
                        "--dims", str(d), "--n", str(n)]
                for amount in (1, 0.125):
                    check_toward(cli, line, "far", rows[:n], rows[n], amount)


@case
def nudge_toward_no_way_at_all(cli, options):
    line = ["--map", "raf", "--text", TEXT, "--token", "2", "--toward"]
    for rest in (["love"], ["hate", "--amount", "0"], [" love "], ["LOVE"]):
        found = nudge(cli, *line, *rest)
        equal((found["length"], found["leaves_ball"], set(found["delta"])), (0, False, {0}), str(rest))
        close(found["maps"][0]["change"], 0, absolute=1e-12, what="no change")


@case
def nudge_files_say_the_word(cli, options):
    line = ["nudge", "--map", "raf", "--text", TEXT, "--token", "2"]
    for ending in ("svg", "csv"):
        cli.text(*line, "--toward", "hate", "--amount", "0.5", "--output", f"out.{ending}")
        text = read_text(cli, f"out.{ending}")
        for words in ("direction: toward “hate”", "part of the way: 0.5", "leaves the ball: no"):
            true(words in text, f"{words} is in the .{ending}")
    cli.text(*line, "--toward", "hate", "--output", "far.csv")
    true("\n# leaves the ball: yes\n" in read_text(cli, "far.csv"), "a swap leaves the ball")
    cli.text(*line, "--output", "worst.csv")
    worst = read_text(cli, "worst.csv")
    true("\n# leaves the ball: no\n" in worst and "part of the way" not in worst, "the worst nudge keeps it")
    for ending in ("pdf", "png"):
        cli.text(*line, "--toward", "hate", "--output", f"out.{ending}")
        true(len(cli.bytes(f"out.{ending}")) > 5000, ending)


run_main()
