#!/usr/bin/env python3
"""The dependency rule between the rooms of src/, read off the #include lines (TAP).

What the compiler cannot see: a system header that a room must not use, and a path that
climbs out of a room. usage: check-layers.py SOURCE_ROOT"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')

# room: the rooms whose headers it may include, and the system headers it may not.
ROOMS = {
    'core': ((), r'^(gio/|glib-object|gtk/|adwaita|cairo|pango|jansson|archive|stdio\.h|time\.h|fcntl|unistd)'),
    'embeddings': (('core',), r'^(gtk/|gdk/|adwaita|cairo|pango)'),
    'plot': ((), r'^(gtk/|gdk/|adwaita|jansson|archive|cblas)'),
    'report': (('core', 'embeddings', 'plot'), r'^(gtk/|gdk/|adwaita|archive|cblas)'),
    'engine': (('core', 'embeddings'), r'^(gtk/|gdk/|adwaita|cairo|pango|jansson|archive|cblas)'),
    'cli': (('core', 'embeddings', 'plot', 'report'), r'^(gtk/|gdk/|adwaita|cblas)'),
    'app': (('core', 'embeddings', 'plot', 'report', 'engine'), r'^(cblas|jansson|archive)'),
}


def main(root):
    src = pathlib.Path(root) / 'src'
    home = {h.name: room for room in ROOMS for h in (src / room).rglob('*.h')}
    number = failed = 0
    found = {p.name for p in src.iterdir() if p.is_dir()}
    lines = []
    for room, (allowed, forbidden) in ROOMS.items():
        problems = []
        files = sorted((src / room).rglob('*.[ch]'))
        if not files:
            problems.append(f'src/{room} has no sources')
        for path in files:
            for at, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                kind, name = match.groups()
                where = f'{path.relative_to(root)}:{at}'
                if kind == '"' and '..' in name:
                    problems.append(f'{where}: climbs out of its room: {name}')
                elif kind == '"':
                    owner = home.get(name.split('/')[-1])
                    if owner and owner != room and owner not in allowed:
                        problems.append(f'{where}: {room} may not use {owner}: {name}')
                elif re.match(forbidden, name):
                    problems.append(f'{where}: {room} may not include <{name}>')
        number += 1
        failed += bool(problems)
        lines.append(f'{"not " if problems else ""}ok {number} - includes of src/{room}')
        lines += ['# ' + p for p in problems]
    number += 1
    extra = found - set(ROOMS)
    failed += bool(extra)
    lines.append(f'{"not " if extra else ""}ok {number} - every folder of src is a known room')
    lines += [f'# src/{name}' for name in sorted(extra)]
    # Names: ws_ is the quantity, never a prefix.
    bad = []
    for path in sorted(src.rglob('*.[ch]')):
        for at, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
            if re.match(r'^ws_\w+\s*\(', line):
                bad.append(f'# {path.relative_to(root)}:{at}')
    number += 1
    failed += bool(bad)
    lines.append(f'{"not " if bad else ""}ok {number} - no function begins with ws_')
    lines += bad
    print(f'1..{number}')
    print('\n'.join(lines))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
