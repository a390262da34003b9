"""Man pages and completions know every option that --help offers, and no other."""

import os
import re
import shutil
import subprocess

from harness import Skip, case, equal, run_main, true

COMMANDS = ["features", "attention", "ws", "nudge", "curve", "swap", "context", "tokens", "info"]
COMMON = {"help", "version"}
CONTEXT = {"context", "set", "member", "words", "column", "read-as", "unknown", "text", "text-file", "ids", "no-special", "layer", "normalise", "dims"}


def help_options(cli, command):
    return set(re.findall(r"^ +(?:-\w, )?--([a-z][a-z-]*)", cli.text(command, "--help"), re.M))


def data_file(options, *names):
    with open(os.path.join(options["source"], "data", *names), encoding="utf-8") as file:
        return file.read()


def man_options(section):
    """Options that a part of the page explains: those at the head of a paragraph."""
    section = section.replace("\\-", "-")
    return set(re.findall(r"^\.TP\n\.BI? --([a-z][a-z-]*)", section, re.M))


@case
def man_page_has_every_option(cli, options):
    page = data_file(options, "man", "wordsway-cli.1")
    general = man_options(page.split(".SH CONTEXTS")[1].split(".SH COMMANDS")[0])
    equal(general, CONTEXT, "options of a context")
    sections = dict(re.findall(r"^\.SS (\w+)\n(.*?)(?=^\.S[SH] )", page.split(".SH COMMANDS")[1], re.M | re.S))
    equal(sorted(sections), sorted(COMMANDS), "sections")
    for command in COMMANDS:
        offered = help_options(cli, command)
        explained = man_options(sections[command])
        if "Takes the options of a context" in sections[command]:
            explained |= general
        explained |= set(re.findall(r"^\.BR? --([a-z-]+)", sections[command].replace("\\-", "-"), re.M))
        equal(offered - explained - COMMON, set(), f"{command}: options the page lacks")


@case
def man_pages_are_well_formed(cli, options):
    if shutil.which("man") is None or shutil.which("groff") is None:
        raise Skip("no man or no groff")
    for page in ("wordsway.1", "wordsway-cli.1"):
        path = os.path.join(options["source"], "data", "man", page)
        result = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path], capture_output=True,
                                check=False, env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        equal((result.returncode, result.stderr.decode()), (0, ""), page)
        true(len(result.stdout) > 500, f"{page} has text")


@case
def bash_completion_has_every_option(cli, options):
    if shutil.which("bash") is None:
        raise Skip("no bash")
    path = os.path.join(options["source"], "data", "completions", "wordsway-cli.bash")
    for command in COMMANDS:
        result = subprocess.run(["bash", "-c", '. "$1"; _wordsway_cli_options "$2"', "bash", path, command],
                                capture_output=True, check=True)
        completed = {word[2:] for word in result.stdout.decode().split()}
        equal(completed, help_options(cli, command), command)


@case
def bash_completion_completes(cli, options):
    if shutil.which("bash") is None:
        raise Skip("no bash")
    path = os.path.join(options["source"], "data", "completions", "wordsway-cli.bash")
    script = '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wordsway_cli; echo "${COMPREPLY[@]}"'
    folder = {**os.environ, "PATH": os.path.dirname(cli.binary) + ":" + os.environ["PATH"]}
    rows = [
        (["cu"], "curve"), (["help", "no"], ""), (["help", "nu"], "nudge"), (["ws", "--ma"], "--map"),
        (["ws", "--map", "r"], "rf raf relu-raf"), (["nudge", "--map", ""], "raf relu-raf"),
        (["curve", "--effort", "t"], "thorough"), (["curve", "--token", ""], "first all"),
        (["ws", "--set", "lis"], "list"), (["ws", "--seed", ""], ""),
        (["ws", "--member", ""], ""), (["info", "--column", ""], ""),
    ]
    for words, expected in rows:
        result = subprocess.run(["bash", "-c", script, "bash", path, "wordsway-cli", *words], capture_output=True,
                                check=True, env=folder, cwd=cli.folder)
        equal(result.stdout.decode().split(), expected.split(), str(words))


@case
def zsh_completion_has_every_option(cli, options):
    text = data_file(options, "completions", "_wordsway-cli")
    lists = {name: set(re.findall(r"--([a-z][a-z-]*)", body)) for name, body in
             re.findall(r"^  (\w+)=\((.*?)\)\n(?=  \w+=|\n)", text, re.M | re.S)}
    lists["context"] = lists["text"] | lists["rows"] | lists["dims"]
    for command in COMMANDS:
        body = re.search(rf"^    {command}\)\n(.*?);;", text, re.M | re.S).group(1)
        completed = set()
        for name in re.findall(r"\$(\w+)", body):
            completed |= lists[name]
        completed |= set(re.findall(r"--([a-z][a-z-]*)[=\[]", body))
        equal(completed, help_options(cli, command), command)


@case
def fish_completion_has_every_option(cli, options):
    text = data_file(options, "completions", "wordsway-cli.fish")
    variables = {name: words.split() for name, words in re.findall(r"^set -l (\w+) (.*)$", text, re.M)}
    completed = {command: set(COMMON) for command in COMMANDS}
    for where, name in re.findall(r"^complete .*?-n ['\"]__fish_seen_subcommand_from ([^'\"]*)['\"] -l ([a-z-]+)", text,
                                  re.M):
        for word in where.split():
            for command in variables[word[1:]] if word.startswith("$") else [word]:
                completed[command].add(name)
    for command in COMMANDS:
        equal(completed[command], help_options(cli, command), command)


@case
def completions_are_well_formed(cli, options):
    checked = 0
    for shell, name in (("bash", "wordsway-cli.bash"), ("zsh", "_wordsway-cli"), ("fish", "wordsway-cli.fish")):
        if shutil.which(shell) is None:
            continue
        path = os.path.join(options["source"], "data", "completions", name)
        result = subprocess.run([shell, "-n", path], capture_output=True, check=False)
        equal((result.returncode, result.stderr.decode()), (0, ""), name)
        checked += 1
    if checked == 0:
        raise Skip("none of the shells is here")


run_main()
