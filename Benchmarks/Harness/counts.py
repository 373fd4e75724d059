"""Instructions and mispredicted branches of a small fixed set, counted by valgrind: no stopwatch, no noise.

Each statement is a process of its own, less a process that only opens the store. The figures are those of one compiler
and one Foundation: after an update of either, record them anew.
"""

import os
import re
import shutil
import subprocess
import tempfile

import data

SCALE = 20_000
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "counts.tsv")
OPEN = "open the store"
STATEMENTS = [
    'count MemoDate where title CONTAINS "誕生"',
    'count MemoDate where title CONTAINS[cd] "cafe"',
    'count MemoDate where title MATCHES "[a-z]+ 1[0-9]*5"',
    'count MemoDate where category == "Office" AND priority > 3',
    "fetch MemoDate sort category, date desc, objectID limit 20",
    "fetch MemoDate select category, count(SELF) as n, avg(cost) as mean group by category",
    'count Category where ANY items.title CONTAINS "電話 9"',
    "count Category where SUBQUERY(items, $i, $i.done == NO AND $i.estimate > 200).@count > 16",
]
# The same hashes in every run.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "TZ": "UTC",
               "SWIFT_DETERMINISTIC_HASHING": "1"}


def missing():
    return [tool for tool in ("valgrind", "strip") if not shutil.which(tool)]


def counted(command):
    """(instructions, mispredicted branches) of a process."""
    options = ["--tool=callgrind", "--branch-sim=yes", "--callgrind-out-file=/dev/null"]
    done = subprocess.run(["valgrind", *options, *command], env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    events, total = (re.search(rf"^==\d+== {word} *: (.*)$", done.stderr, re.M) for word in ("Events", "Collected"))
    if done.returncode != 0 or not total:
        raise SystemExit(f"valgrind left with {done.returncode}: {done.stderr[-500:]}")
    count = dict(zip(events[1].split(), map(int, total[1].split())))
    return count["Ir"], count["Bcm"] + count["Bim"]


def run(kura, base):
    """Gives {statement: (instructions, mispredicted branches)}."""
    store = f"{data.folder(base, SCALE)}/store.json"
    with tempfile.TemporaryDirectory() as folder:
        # valgrind stops at the debug information that Swift writes.
        binary = os.path.join(folder, "kura")
        subprocess.run(["strip", "-g", "-o", binary, kura.path], check=True)
        opening = counted([binary, "--no-init", store])
        result = {OPEN: opening}
        for statement in STATEMENTS:
            whole = counted([binary, "--no-init", store, statement])
            result[statement] = tuple(a - b for a, b in zip(whole, opening))
    return result


def recorded():
    if not os.path.exists(FILE):
        return {}
    with open(FILE, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]
    return {name: (int(instructions), int(missed)) for name, instructions, missed in lines}


def record(result, versions):
    with open(FILE, "w", encoding="utf-8") as file:
        file.write(f"# {SCALE} memo dates; statement, instructions, mispredicted branches; {versions}\n")
        for name, figures in result.items():
            file.write("\t".join([name, *map(str, figures)]) + "\n")


def change(new, old):
    """In percent; a dash where there is nothing to compare with."""
    return f"{(new - old) / old * 100:+.1f} %" if old else "-"


def compared(result, before):
    """Rows of text: the statement, its figures, and how they changed."""
    for name, figures in result.items():
        old = before.get(name, (0, 0))
        yield [name, *(text for new, was in zip(figures, old) for text in (f"{new:,}", change(new, was)))]
