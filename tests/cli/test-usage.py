"""Help, versions, exit statuses: what the program says and what it leaves alone when it is misused."""

import os
import re
import shlex

from harness import Skip, case, equal, make_npy, run_main, true

COMMANDS = ["features", "attention", "ws", "nudge", "curve", "swap", "context", "tokens", "info"]
TEXT = ["--text", "I love her much"]
CURVE = ["curve", "--synthetic", "--d", "8", "--n", "2,3", "--trials", "1", "--effort", "quick"]
TOWARD = ["nudge", "--map", "raf", *TEXT, "--token", "2"]

# Everything that is wrong before any file is looked at.
WRONG = [
    [],
    ["nonsense"],
    ["help", "nonsense"],
    ["--nonsense"],
    ["--version", "ws"],
    ["ws", "extra", "--map", "raf", *TEXT],
    ["ws", "--map"],
    ["ws", "--map", "raf", "--text"],
    ["ws", "--map", "raf", "--seed"],
    ["ws", "--map", "raf", *TEXT, "--nonsense"],
    ["ws", "--map", "raf", *TEXT, "--nonsense=3"],
    ["ws", "--map", "raf", *TEXT, "-x"],
    ["ws", "--map", "raf", *TEXT, "--json=yes"],
    ["ws", *TEXT],
    ["swap", *TEXT],
    ["swap", "--map", "raf"],
    ["swap", "--map", "drf", *TEXT, "--depth", "17"],
    ["swap", "--map", "drf", *TEXT, "--width", "0"],
    ["swap", "--map", "drf", *TEXT, "--features", "9"],
    ["swap", "--map", "drf", *TEXT, "--weights", "W.npz", "--depth", "2"],
    ["swap", "--map", "raf", "--context", "X.npy"],
    ["swap", "--map", "raf", *TEXT, "--depth", "3"],
    ["swap", "--map", "raf", *TEXT, "--token", "6"],
    ["swap", "--map", "raf", *TEXT, "--token", "first"],
    ["swap", "--map", "raf", *TEXT, "--top", "0"],
    ["swap", "--map", "raf", *TEXT, "--top", "1000001"],
    ["swap", "--map", "raf", *TEXT, "--top", "many"],
    ["swap", "--map", "raf", *TEXT, "--features", "9"],
    ["swap", "--map", "rf", *TEXT, "--seed", "1", "--weights", "V.npy"],
    ["ws", "--map", "raf"],
    ["ws", "--map", "", *TEXT],
    ["ws", "--map", "softmax", *TEXT],
    ["ws", "--map", "RF", *TEXT],
    ["ws", "--map", "raf", "--depth", "3", *TEXT],
    ["ws", "--map", "rf", "--width", "30", *TEXT],
    ["ws", "--map", "drf", "--features", "30", *TEXT],
    ["ws", "--map", "drf", "--depth", "0", *TEXT],
    ["ws", "--map", "drf", "--depth", "17", *TEXT],
    ["ws", "--map", "drf", "--width", "0", *TEXT],
    ["ws", "--map", "drf", "--width", "16385", *TEXT],
    ["ws", "--map", "drf", "--weights", "W.npz", "--depth", "2", *TEXT],
    ["ws", "--map", "raf", *TEXT, "--token", "-1"],
    ["ws", "--map", "raf", *TEXT, "--token=-1"],
    ["ws", "--map", "raf", *TEXT, "--token", "first"],
    ["ws", "--map", "raf", *TEXT, "--token", "1.5"],
    ["ws", "--map", "raf", *TEXT, "--token", "65536"],
    ["ws", "--map", "raf", *TEXT, "--token", "6"],
    ["ws", "--map", "raf", *TEXT, "--token", ""],
    ["ws", "--map", "raf", *TEXT, "--radius", "0"],
    ["ws", "--map", "raf", *TEXT, "--radius", "-1"],
    ["ws", "--map", "raf", *TEXT, "--radius", "100.5"],
    ["ws", "--map", "raf", *TEXT, "--radius", "nan"],
    ["ws", "--map", "raf", *TEXT, "--radius", "inf"],
    ["ws", "--map", "raf", *TEXT, "--radius", "0x1"],
    ["ws", "--map", "raf", *TEXT, "--radius", "1,5"],
    ["ws", "--map", "raf", *TEXT, "--radius", " 1"],
    ["ws", "--map", "raf", *TEXT, "--radius", "1\n2"],
    ["ws", "--map", "raf", *TEXT, "--seed", "-1"],
    ["ws", "--map", "raf", *TEXT, "--seed", "1.0"],
    ["ws", "--map", "raf", *TEXT, "--seed", "18446744073709551616"],
    ["ws", "--map", "raf", *TEXT, "--seed", "one"],
    ["ws", "--map", "raf", *TEXT, "--effort", "extreme"],
    ["ws", "--map", "raf", *TEXT, "--bound", "loose"],
    ["ws", "--map", "raf", *TEXT, "--features", "100"],
    ["ws", "--map", "rf", *TEXT, "--features", "0"],
    ["ws", "--map", "rf", *TEXT, "--features", "16777217"],
    ["ws", "--map", "rf", *TEXT, "--features", "many"],
    ["ws", "--map", "raf", *TEXT, "--weights", "W.npy", "--seed", "1"],
    ["ws", "--map", "rf", *TEXT, "--weights", "V.npy", "--features", "10"],
    ["ws", "--map", "raf", *TEXT, "--dims", "0"],
    ["ws", "--map", "raf", *TEXT, "--dims", "x"],
    ["ws", "--map", "raf", *TEXT, "--dims", "385"],
    ["ws", "--map", "raf", *TEXT, "--normalise", "yes"],
    ["ws", "--map", "raf", *TEXT, "--layer", "words"],
    ["ws", "--map", "raf", *TEXT, "--layer", "-1"],
    ["ws", "--map", "raf", *TEXT, "--delta", ""],
    ["ws", "--map", "raf", *TEXT, "--text-file", "a.txt"],
    ["ws", "--map", "raf", *TEXT, "--ids", "101"],
    ["ws", "--map", "raf", "--ids", "101", "--text-file", "-"],
    ["ws", "--map", "raf", "--ids", ""],
    ["ws", "--map", "raf", "--ids", "101,"],
    ["ws", "--map", "raf", "--ids", "101,x"],
    ["ws", "--map", "raf", "--ids", "4294967296"],
    ["ws", "--map", "raf", "--ids", "101", "--no-special"],
    ["ws", "--map", "raf", "--context", "X.npy", *TEXT],
    ["ws", "--map", "raf", "--context", "X.npy", "--set", "list", "--nonsense"],
    ["ws", "--map", "raf", "--context", "X.npy", "--ids", "1"],
    ["ws", "--map", "raf", "--context", "X.npy", "--no-special"],
    ["ws", "--map", "raf", "--context", "X.npy", "--layer", "word"],
    ["ws", "--map", "raf", "--context", "ok.npy", "--dims", "4"],
    ["ws", "--map", "raf", "--context", "ok.npy", "--token", "2"],
    ["ws", "--map", "raf", "--set", "ok.npy", *TEXT],
    ["ws", "--map", "raf", "--set", "words.txt"],
    ["features", "--map", "raf", *TEXT],
    ["features", "--map", "raf", *TEXT, "--output"],
    ["features", "--map", "raf", *TEXT, "--output", ""],
    ["features", "--map", "raf", "--output", "out.npy"],
    ["features", *TEXT, "--output", "out.npy"],
    ["features", "--map", "drf", "--depth", "deep", *TEXT, "--output", "out.npy"],
    ["attention", "--map", "drf", *TEXT, "--output", "out.npy"],
    ["nudge", "--map", "drf", *TEXT, "--token", "1", "--output", "out.svg"],
    ["features", "--map", "raf", *TEXT, "--json", "--output", "out.npy"],
    ["attention", "--map", "rf", *TEXT, "--output", "out.npy"],
    ["attention", *TEXT, "--output", "out.npy"],
    ["attention", "--map", "raf", *TEXT],
    ["attention", "--map", "raf", "--head", "1", *TEXT, "--output", "out.npy"],
    ["attention", "--head", "x", *TEXT, "--output", "out.npy"],
    ["attention", "--head", "-1", *TEXT, "--output", "out.npy"],
    ["attention", "--layer", "0", "--head", "1", *TEXT, "--output", "out.npy"],
    ["attention", "--layer", "1", "--seed", "1", *TEXT, "--output", "out.npy"],
    ["attention", "--layer", "1", "--dims", "10", *TEXT, "--output", "out.npy"],
    ["nudge", "--map", "raf", *TEXT, "--output", "out.svg"],
    ["nudge", "--map", "raf", *TEXT, "--token", "1"],
    ["nudge", "--map", "rf", *TEXT, "--token", "1", "--output", "out.svg"],
    ["nudge", "--map", "raf", *TEXT, "--token", "all", "--output", "out.svg"],
    ["nudge", "--map", "raf", *TEXT, "--token", "6", "--output", "out.svg"],
    ["nudge", "--map", "raf", *TEXT, "--token", "1", "--output", "out.npy"],
    ["nudge", "--map", "raf", *TEXT, "--token", "1", "--output", "out"],
    ["nudge", "--map", "raf", *TEXT, "--token", "1", "--length", "-0.5", "--output", "out.svg"],
    ["nudge", "--map", "raf", *TEXT, "--token", "1", "--length", "101", "--output", "out.svg"],
    ["nudge", "--map", "raf", *TEXT, "--token", "1", "--direction", "best", "--output", "out.svg"],
    ["nudge", "--map", "raf", *TEXT, "--token", "1", "--size", "8.9", "--output", "out.svg"],
    *([*TOWARD, *rest, "--output", "out.svg"] for rest in (
        ["--toward", "zzyzxq"], ["--toward", "sensitivities love"], ["--toward", ""], ["--toward", "[PAD]"],
        ["--toward", "hate", "--direction", "random"], ["--toward", "hate", "--direction", "worst"],
        ["--toward", "hate", "--length", "1"], ["--toward", "hate", "--effort", "quick"], ["--amount", "0.5"],
        ["--toward", "hate", "--amount", "1.1"], ["--toward", "hate", "--amount", "-0.1"],
        ["--toward", "hate", "--amount", "half"], ["--toward", "hate", "--amount", "nan"],
        ["--toward", "hate", "--radius", "0"], ["--toward"])),
    ["nudge", "--map", "raf", "--context", "ok.npy", "--token", "0", "--toward", "hate", "--output", "out.svg"],
    ["nudge", "--map", "raf", "--set", "words.txt", "--text", "alpha beta", "--token", "0", "--toward", "delta",
     "--output", "out.svg"],
    [*CURVE],
    [*CURVE, "--output", "out.txt"],
    [*CURVE, "--output", "out.svg", "--size", "0x0"],
    [*CURVE, "--output", "out.svg", "--size", "8.9,6.5"],
    [*CURVE, "--output", "out.svg", "--size", "201x6"],
    [*CURVE, "--output", "out.png", "--dpi", "29"],
    [*CURVE, "--output", "out.png", "--dpi", "2401"],
    [*CURVE, "--output", "out.png", "--dpi", "fine"],
    [*CURVE, "--output", "out.svg", "--style", "loud"],
    [*CURVE, "--output", "out.csv", "--maps", ""],
    [*CURVE, "--output", "out.csv", "--maps", "rf,"],
    [*CURVE, "--output", "out.csv", "--maps", "rf,deep"],
    [*CURVE, "--output", "out.csv", "--maps", "rf,raf", "--depth", "3"],
    [*CURVE, "--output", "out.csv", "--width", "100"],
    [*CURVE, "--output", "out.csv", "--maps", "rf,drf", "--depth", "17"],
    [*CURVE, "--output", "out.csv", "--maps", "raf,relu-raf", "--theory"],
    [*CURVE, "--output", "out.csv", "--maps", "rf;raf"],
    [*CURVE, "--output", "out.csv", "--n", ""],
    [*CURVE, "--output", "out.csv", "--n", "0"],
    [*CURVE, "--output", "out.csv", "--n", "10,x"],
    [*CURVE, "--output", "out.csv", "--n", "65537"],
    [*CURVE, "--output", "out.csv", "--n", "10:5:3"],
    [*CURVE, "--output", "out.csv", "--n", "10:50"],
    [*CURVE, "--output", "out.csv", "--n", "10:50:0"],
    [*CURVE, "--output", "out.csv", "--n", "0:50:3"],
    [*CURVE, "--output", "out.csv", "--n", "10:50:3:4"],
    [*CURVE, "--output", "out.csv", "--n", "10:50:1001"],
    [*CURVE, "--output", "out.csv", "--n", "-5"],
    [*CURVE, "--output", "out.csv", "--d", "0"],
    [*CURVE, "--output", "out.csv", "--d", "8,65537"],
    [*CURVE, "--output", "out.csv", "--trials", "0"],
    [*CURVE, "--output", "out.csv", "--trials", "1000001"],
    [*CURVE, "--output", "out.csv", "--trials", "two"],
    [*CURVE, "--output", "out.csv", "--token", "0"],
    [*CURVE, "--output", "out.csv", "--token", "last"],
    [*CURVE, "--output", "out.csv", "--threads", "0"],
    [*CURVE, "--output", "out.csv", "--threads", "257"],
    [*CURVE, "--output", "out.csv", "--features", "-1"],
    [*CURVE, "--output", "out.csv", "--radius", "0"],
    [*CURVE, "--output", "out.csv", "--dims", "8"],
    [*CURVE, "--output", "out.csv", *TEXT],
    [*CURVE, "--output", "out.csv", "--set", "words.txt"],
    [*CURVE, "--output", "out.csv", "--normalise", "none"],
    [*CURVE, "--output", "out.csv", "--context", "ok.npy"],
    ["curve", *TEXT, "--n", "2,3", "--d", "385", "--output", "out.csv"],
    ["context", *TEXT],
    ["context", "--output", "out.npy"],
    ["context", *TEXT, "--map", "raf", "--output", "out.npy"],
    ["tokens"],
    ["tokens", "--json"],
    ["tokens", *TEXT, "--dims", "4"],
    ["tokens", *TEXT, "--context", "ok.npy"],
    ["info", "one", "two"],
    ["info", "one", "--set", "two"],
]

# The command line is right and the world is not.
BAD = [
    ["ws", "--map", "raf", "--context", "missing.npy"],
    ["ws", "--map", "raf", "--context", "line\nbreak\x1b[31m.npy"],
    ["ws", "--map", "raf", "--context", "folder"],
    ["ws", "--map", "raf", "--context", "fifo"],
    ["ws", "--map", "raf", "--context", "empty"],
    ["ws", "--map", "raf", "--context", "short.npy"],
    ["ws", "--map", "raf", "--context", "nan.npy"],
    ["ws", "--map", "raf", "--context", "words.txt"],
    ["ws", "--map", "raf", "--context", "ok.npy", "--weights", "vector.npy"],
    ["ws", "--map", "raf", "--context", "zero.npy", "--normalise", "paper"],
    ["ws", "--map", "raf", "--context", "ok.npy", "--weights", "missing.npy"],
    ["ws", "--map", "raf", "--context", "ok.npy", "--weights", "ok.npy"],
    ["ws", "--map", "rf", "--context", "ok.npy", "--weights", "ok.npy"],
    ["ws", "--map", "raf", "--context", "ok.npy", "--delta", "missing/out.npy"],
    ["ws", "--map", "raf", "--context", "ok.npy", "--delta", "folder"],
    ["ws", "--map", "raf", "--set", "missing", *TEXT],
    ["ws", "--map", "raf", "--set", "empty", *TEXT],
    ["ws", "--map", "raf", "--set", "fifo", *TEXT],
    ["ws", "--map", "raf", "--set", "folder", *TEXT],
    ["ws", "--map", "raf", "--set", "words.txt", "--text", "nothing known here"],
    ["ws", "--map", "raf", "--set", "words.txt", "--text", "alpha beta", "--layer", "0"],
    ["ws", "--map", "raf", *TEXT, "--layer", "7"],
    ["ws", "--map", "raf", "--ids", "4000000000"],
    ["ws", "--map", "raf", "--text", "", "--no-special"],
    ["ws", "--map", "raf", "--text-file", "missing.txt"],
    ["ws", "--map", "raf", "--text-file", "folder"],
    ["ws", "--map", "raf", "--text-file", "fifo"],
    ["ws", "--map", "raf", "--text-file", "empty"],
    ["ws", "--map", "raf", "--text-file", "latin.txt"],
    ["ws", "--map", "raf", "--text-file", "nul.txt"],
    ["ws", "--map", "raf", "--text-file", "-"],
    ["features", "--map", "raf", "--context", "ok.npy", "--output", "missing/out.npy"],
    ["features", "--map", "raf", "--context", "nan.npy", "--output", "out.npy"],
    ["attention", "--map", "raf", "--context", "ok.npy", "--output", "folder"],
    ["attention", "--head", "1", "--set", "words.txt", "--text", "alpha beta", "--output", "out.npy"],
    ["attention", "--head", "99", *TEXT, "--output", "out.npy"],
    ["attention", "--layer", "99", *TEXT, "--output", "out.npy"],
    ["nudge", "--map", "raf", "--context", "nan.npy", "--token", "0", "--output", "out.svg"],
    ["nudge", "--map", "raf", *TEXT, "--token", "0", "--output", "missing/out.svg"],
    [*TOWARD, "--toward", "hate", "--layer", "1", "--output", "out.svg"],
    [*TOWARD, "--toward", "hate", "--output", "missing/out.svg"],
    ["nudge", "--map", "raf", "--set", "ok.npy", "--token", "0", "--toward", "hate", "--output", "out.svg"],
    ["nudge", "--map", "raf", "--set", "void.txt", "--text", "full", "--token", "0", "--toward", "empty",
     "--output", "out.svg"],
    [*CURVE, "--output", "missing/out.csv"],
    [*CURVE, "--output", "folder.csv"],
    ["curve", *TEXT, "--n", "2,50", "--output", "out.csv"],
    ["curve", "--text", "", "--no-special", "--output", "out.csv"],
    ["context", "--context", "nan.npy", "--output", "out.npy"],
    ["context", "--set", "words.txt", "--text", "nothing known here", "--output", "out.npy"],
    ["info", "missing"],
    ["info", "empty"],
    ["info", "fifo"],
]


def furnish(cli):
    """The files that the tables name."""
    cli.write("ok.npy", make_npy((2, 3), [1, 2, 3, 4, 5, 6.5]))
    cli.write("nan.npy", make_npy((2, 3), [1, 2, 3, 4, float("nan"), 6]))
    cli.write("zero.npy", make_npy((2, 3), [1, 2, 3, 0, 0, 0]))
    cli.write("vector.npy", make_npy((3,), [1, 2, 3]))
    cli.write("short.npy", make_npy((2, 3), [1, 2, 3, 4, 5, 6])[:-1])
    cli.write("empty", b"")
    cli.write("words.txt", "alpha 1 0 0\nbeta 0 1 0\ngamma 0 0 1\n")
    cli.write("void.txt", "full 1 2\nempty 0 0\nother 2 1\n")
    cli.write("latin.txt", b"caf\xe9")
    cli.write("nul.txt", b"one\0two")
    os.mkdir(cli.path("folder"))
    os.mkdir(cli.path("folder.csv"))
    os.mkfifo(cli.path("fifo"))


def check_table(cli, table, status):
    furnish(cli)
    before = sorted(os.listdir(cli.folder))
    problems = []
    for line in table:
        result = cli.run(*line, timeout=60)
        message = result.stderr.decode(errors="replace")
        told = message.rstrip("\n").split("\n")
        if result.returncode != status:
            problems.append(f"{shlex.join(line)}: status {result.returncode}, expected {status}: {message.strip()}")
        elif result.stdout:
            problems.append(f"{shlex.join(line)}: wrote to standard output")
        elif line and (len(told) != 1 or not told[0].startswith("wordsway-cli") or len(told[0]) < 20):
            problems.append(f"{shlex.join(line)}: no helpful line: {message!r}")
        elif sorted(os.listdir(cli.folder)) != before:
            problems.append(f"{shlex.join(line)}: left a file")
            break
    equal(problems, [], "rows that went wrong")


@case
def wrong_usage(cli, options):
    check_table(cli, WRONG, 2)


@case
def bad_files(cli, options):
    check_table(cli, BAD, 1)


@case
def messages_name_what_is_wrong(cli, options):
    furnish(cli)
    rows = [
        (["ws", "--map", "drf", *TEXT, "--features", "9"], ["--features", "drf"]),
        (["curve", *TEXT, "--depth", "3", "--output", "a.csv"], ["--depth", "drf", "--maps"]),
        (["ws", "--map", "raf", *TEXT, "--radius", "abc"], ["--radius", "abc", "above 0", "at most 100"]),
        (["ws", "--map", "raf", *TEXT, "--radius", "-1"], ["--radius", "-1", "above 0", "at most 100"]),
        (["ws", "--map", "raf", *TEXT, "--radius", "0"], ["--radius", "0", "above 0", "at most 100"]),
        (["curve", "--radius", "101", "--output", "a.csv"], ["--radius", "101", "above 0", "at most 100"]),
        (["ws", "--map", "raf", *TEXT, "--theory"], ["--theory", "rf"]),
        (["ws", "--map", "raf", *TEXT, "--delta", "-", "--json"], ["--delta -", "--json"]),
        (["curve", "--output", "a.svg", "--format", "csv"], ["--format", "csv", "a.svg"]),
        (["curve", "--output", "a", "--format", "a.svg"], ["--format", "a.svg", "png"]),
        (["nudge", "--map", "raf", *TEXT, "--token", "0", "--output", "-", "--format", ""], ["--format"]),
        (["ws", "--map", "raf", *TEXT, "--weights", "W", "--seed", "1"], ["--weights", "--seed", "contradict"]),
        (["ws", "--map", "raf", *TEXT, "--token", "6"], ["6", "--token"]),
        (["ws", "--map", "raf", "--context", "ok.npy", "--dims", "4"], ["--dims", "4", "3"]),
        (["ws", "--map", "raf", "--context", "missing.npy"], ["missing.npy"]),
        (["ws", "--map", "raf", "--context", "nan.npy"], ["nan.npy"]),
        (["ws", "--map", "raf", *TEXT, "--layer", "7"], ["layer 7", "word, 0"]),
        ([*TOWARD, "--toward", "zzyzxq", "--output", "a.svg"], ["“zzyzxq” is"]),
        ([*TOWARD, "--toward", "love hate", "--output", "a.svg"], ["“love hate” is 2 tokens in this set; one was expected"]),
        ([*TOWARD, "--toward", "[MASK]", "--output", "a.svg"], ["“[MASK]” is not in the set"]),
        (["nudge", "--map", "raf", "--set", "words.txt", "--text", "alpha", "--token", "0", "--toward", "delta",
          "--output", "a.svg"], ["“delta” is not in the set"]),
        ([*TOWARD, "--toward", "hate", "--direction", "random", "--output", "a.svg"], ["--toward", "--direction", "contradict"]),
        ([*TOWARD, "--toward", "hate", "--amount", "2", "--output", "a.svg"], ["--amount", "from 0 to 1", "2"]),
        ([*TOWARD, "--amount", "0.5", "--output", "a.svg"], ["--amount", "--toward"]),
        (["curve", *TEXT, "--n", "2,50", "--output", "a.csv"], ["6 tokens", "50"]),
        (["curve", "--output", "a.gif"], ["a.gif", ".svg"]),
        (["ws", "--map", "raf", "--text-file", "latin.txt"], ["latin.txt", "byte 3", "UTF-8"]),
        (["ws", "--map", "raf", "--text-file", "fifo"], ["fifo", "--text-file -"]),
        (["ws", "--map", "raf"], ["--text", "--context"]),
        # Options that take words beside numbers name them.
        (["attention", *TEXT, "--layer", "foo", "--output", "a.npy"], ["--layer", "block", "“word”", "foo"]),
        (["attention", *TEXT, "--head", "1", "--layer", "word", "--output", "a.npy"], ["--layer", "block", "--map"]),
        (["attention", *TEXT, "--head", "foo", "--output", "a.npy"], ["--head", "mean", "all", "foo"]),
        (["attention", *TEXT, "--map", "foo", "--output", "a.npy"], ["--map takes raf or relu-raf", "foo"]),
        (["context", *TEXT, "--layer", "foo", "--output", "a.npy"], ["--layer", "“word”", "foo"]),
        (["ws", "--map", "raf", *TEXT, "--token", "foo"], ["--token", "“all”", "foo"]),
        (["ws", "--map", "rf", *TEXT, "--features", "foo"], ["--features", "“nd”", "foo"]),
        (["ws", "--map", "rf", *TEXT, "--unknown", "foo"], ["--unknown", "skip", "random:SEED", "foo"]),
        (["curve", "--token", "foo", "--output", "a.csv"], ["--token", "first", "all", "foo"]),
        (["curve", "--n", "foo", "--output", "a.csv"], ["--n", "10,20,50", "FIRST:LAST:COUNT", "foo"]),
        (["curve", "--theory=foo", "--output", "a.csv"], ["--theory", "all, none", "infinite", "foo"]),
    ]
    for line, words in rows:
        message = cli.run(*line).stderr.decode()
        for word in words:
            true(word in message, f"{shlex.join(line)}: {word!r} is not in {message!r}")


@case
def overview(cli, options):
    alone = cli.run()
    equal(alone.returncode, 2, "status of no command")
    overview_text = cli.text("--help")
    equal(alone.stderr.decode(), overview_text, "what no command prints")
    for arguments in (["help"], ["-h"]):
        equal(cli.text(*arguments), overview_text, str(arguments))
    for command in COMMANDS:
        true(re.search(rf"^  {command} ", overview_text, re.M), f"{command} is in the overview")


@case
def version(cli, options):
    text = cli.text("--version")
    true(re.fullmatch(r"wordsway-cli \d+\.\d+\.\d+\n", text), text)
    for command in COMMANDS:
        equal(cli.text(command, "--version"), text, command)


@case
def help_of_each(cli, options):
    for command in COMMANDS:
        text = cli.text(command, "--help")
        equal(cli.text("help", command), text, f"help {command}")
        equal(cli.text(command, "-h"), text, f"{command} -h")
        true(text.startswith("Usage:\n  wordsway-cli " + command), text[:60])
        true("Example" in text and "--version" in text, f"{command}: example and --version")
        equal("--depth" in text, command in ("features", "ws", "curve", "swap"), f"{command}: --depth")
        equal([line for line in text.splitlines() if len(line) > 140], [], f"{command}: long lines")


def examples(cli, command):
    """The commands under "Example" in a command's help."""
    text = cli.text(command, "--help").replace("\\\n", " ")
    return [shlex.split(line)[1:] for line in text.splitlines() if line.startswith("  wordsway-cli ")
            and "OPTION" not in line]


@case
def every_example_works(cli, options):
    shape = (3, 4)
    cli.write("X.npy", make_npy(shape, [float(i * i % 7) for i in range(12)]))
    for command in COMMANDS:
        lines = examples(cli, command)
        true(lines, f"{command} has an example")
        for line in lines:
            # The whole figure is measured elsewhere; here its example has to be right, not long.
            quick = ["--n", "4,6", "--trials", "1", "--effort", "quick"] if command == "curve" else []
            result = cli.run(*line, *quick)
            equal(result.returncode, 0, f"{shlex.join(line)}: {result.stderr.decode()}")
            for output in (line[i + 1] for i, word in enumerate(line) if word == "--output"):
                true(os.path.getsize(cli.path(output)) > 0, f"{shlex.join(line)} wrote {output}")


@case
def set_list(cli, options):
    names = cli.text("info", "list").splitlines()
    true(names and all(names), "there is a built-in sample")
    for command in COMMANDS:
        equal(cli.text(command, "--set", "list").splitlines(), names, command)
        if "--json" in cli.text(command, "--help"):
            equal(cli.json(command, "--set", "list", "--json"), {"sets": names}, f"{command} --json")
    equal(cli.text("info", names[0]), cli.text("info"), "the first sample is the default")


@case
def full_disk(cli, options):
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full")
    for arguments in (["--help"], ["tokens", *TEXT, "--json"], ["ws", "--help"], ["--version"]):
        status = os.system(f"{shlex.quote(cli.binary)} {shlex.join(arguments)} >/dev/full 2>/dev/null")
        equal(os.waitstatus_to_exitcode(status), 1, shlex.join(arguments))


run_main()
