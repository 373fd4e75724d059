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
# What is worked out for each row of numbers and dates: no more than MOST instructions a row, none of which counts references.
ROWS = 200_000
MOST = 40
EXPRESSIONS = [
    "priority * 9000 > cost",
    "cost * 2 + priority > 100000",
    "abs(cost - 50000) < 1000",
    "sqrt(cost) > 100",
    "coalesce(cost, 0) < 1000",
    "TERNARY(priority > 5, cost, 0) > 100",
    "cost IN {1.5, 20.25, 99.99, 5000.01, 7.5}",
    "year(date) == 1999",
    "weekday(date) == 1",
    'dateByAdding(date, 7, "day") > "2020-01-01"',
]
THOUSAND = "1,000 rows of "
# The same hashes in every run.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "TZ": "UTC",
               "SWIFT_DETERMINISTIC_HASHING": "1"}


def missing():
    return [tool for tool in ("valgrind", "strip") if not shutil.which(tool)]


def counted(command, environment=ENVIRONMENT):
    """(instructions, mispredicted branches) of a process."""
    options = ["--tool=callgrind", "--branch-sim=yes", "--callgrind-out-file=/dev/null"]
    done = subprocess.run(["valgrind", *options, *command], env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    events, total = (re.search(rf"^==\d+== {word} *: (.*)$", done.stderr, re.M) for word in ("Events", "Collected"))
    if done.returncode != 0 or not total:
        raise SystemExit(f"valgrind exited with status {done.returncode}: {done.stderr[-500:]}")
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
        result |= of_rows(binary, f"{data.folder(base, ROWS)}/store.json", folder)
    return result


def keep_columns(command, environment):
    """Opens a store until its columns are kept, as they are behind a load that took longer than a moment."""
    for _ in range(5):
        counted(command, environment)
        if os.path.isdir(os.path.join(environment["HOME"], ".cache", "kura")):
            return
    raise SystemExit("the columns of a store are not cached, so each process reads the store again")


def of_rows(binary, store, home):
    """The same for a thousand rows: what eleven such statements need more than one, of which the columns are kept."""
    environment = ENVIRONMENT | {"HOME": home}
    result = {}
    keep_columns([binary, "--no-init", store], environment)
    for expression in EXPRESSIONS:
        statement = f"count MemoDate where {expression}"
        once, often = (counted([binary, "--no-init", store] + [statement] * times, environment) for times in (1, 11))
        result[THOUSAND + expression] = tuple(round((b - a) / 10 / ROWS * 1000) for a, b in zip(once, often))
    return result


def too_many(result):
    """The expressions that need more instructions a row than they may."""
    return [f"{figures[0] / 1000:.1f} instructions a row: {name.removeprefix(THOUSAND)}"
            for name, figures in result.items() if name.startswith(THOUSAND) and figures[0] > MOST * 1000]


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
