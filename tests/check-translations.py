#!/usr/bin/env python3
"""Translations (TAP): every source with strings is listed, and every language is complete.

Strings are extracted afresh, so that a string added without its translation fails here, and so does an
error or a warning of a library that is a plain English string. (The command line speaks English.)
usage: check-translations.py SOURCE_ROOT"""
import pathlib
import re
import subprocess
import sys
import tempfile

KEYWORDS = ['_', 'N_', 'C_:1c,2', 'NC_:1c,2', 'ngettext:1,2', 'g_dngettext:2,3']
MARK = re.compile(r'(?<![\w"])(?:(?:_|N_|C_|NC_|ngettext) ?\("|g_dngettext ?\()')
SAYS = re.compile(r'\b(?:g_set_error(?:_literal)?|ww_source_set_error|ww_set_add_warning|ww_opening_note\w*) \(')
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
CALL = re.compile(r'(?:_|g_dngettext) ?\($')
LIBRARIES = ['core', 'embeddings', 'engine', 'plot', 'report']


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True,
                          env={'LC_ALL': 'C.UTF-8', 'PATH': '/usr/local/bin:/usr/bin:/bin'})


def with_strings(root):
    found = set()
    for path in root.glob('src/**/*.[ch]'):
        if MARK.search(path.read_text(encoding='utf-8')):
            found.add(str(path.relative_to(root)))
    for path in root.glob('ui/*.ui'):
        if 'translatable="yes"' in path.read_text(encoding='utf-8'):
            found.add(str(path.relative_to(root)))
    return found


def unmarked(text):
    """The strings with a word in them that are said as they are, in the calls that say something."""
    for call in SAYS.finditer(text):
        marked = []
        at = call.end()
        while at < len(text):
            string = STRING.match(text, at)
            if string:
                words = re.sub(r'%[-.*0-9]*[a-z]+', '', string.group(1))
                if not any(marked) and re.search('[a-z]{2}', words):
                    yield text.count('\n', 0, at) + 1, string.group(1)
                at = string.end()
                continue
            if text[at] == '(':
                marked.append(bool(CALL.search(text, call.end(), at + 1)))
            elif text[at] == ')' and marked:
                marked.pop()
            elif text[at] == ')':
                break
            at += 1


def main(argument):
    root = pathlib.Path(argument)
    listed = [line for line in (root / 'po/POTFILES.in').read_text().split('\n')
              if line and not line.startswith('#')]
    languages = (root / 'po/LINGUAS').read_text().split()
    results = []

    missing = sorted(with_strings(root) - set(listed))
    gone = [name for name in listed if not (root / name).is_file()]
    results.append((not missing and not gone, 'POTFILES.in names every source with strings',
                    [f'not listed: {m}' for m in missing] + [f'does not exist: {g}' for g in gone]))

    plain = [f'{path.relative_to(root)}:{line}: "{said}"'
             for room in LIBRARIES for path in sorted(root.glob(f'src/{room}/*.[ch]'))
             for line, said in unmarked(path.read_text(encoding='utf-8'))]
    results.append((not plain, 'what the libraries say is marked', plain))

    with tempfile.TemporaryDirectory() as folder:
        pot = folder + '/all.pot'
        run('xgettext', '--from-code=UTF-8', '-D', str(root), '-o', pot, '--add-comments=Translators',
            *[f'--keyword={k}' for k in KEYWORDS], *[name for name in listed if name not in gone])
        for language in languages:
            po = root / 'po' / f'{language}.po'
            merged = f'{folder}/{language}.po'
            run('msgmerge', '-q', '--no-fuzzy-matching', '-o', merged, str(po), pot)
            left = run('msgattrib', '--untranslated', '--no-obsolete', '--no-wrap', merged).stdout
            strings = [line for line in left.split('\n') if line.startswith('msgid "') and line != 'msgid ""']
            results.append((not strings, f'{language} is complete', strings[:40]))
            fuzzy = run('msgattrib', '--only-fuzzy', '--no-obsolete', '--no-wrap', str(po)).stdout
            results.append((not fuzzy.strip(), f'{language} has no guesses', fuzzy.split('\n')[:10]))
            check = subprocess.run(['msgfmt', '--check', '-o', '/dev/null', str(po)],
                                   capture_output=True, text=True)
            results.append((check.returncode == 0, f'{language} keeps the formats of its strings',
                            check.stderr.split('\n')))

    print(f'1..{len(results)}')
    for number, (good, name, notes) in enumerate(results, 1):
        print(f'{"" if good else "not "}ok {number} - {name}')
        if not good:
            for note in notes:
                print('# ' + note)
    return 0 if all(good for good, _, _ in results) else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
