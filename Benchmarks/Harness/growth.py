"""How time grows with the number of objects: a store ten and a hundred times as large, the time for each object."""

import math
import subprocess
import time
from statistics import median

import data

# Neighbouring sizes differ in cache and pages too: what grows faster than this many times n log n is reported.
TOLERANCE = 1.5

# Name, statement (it varies by {0}, so that no result cache answers), and how many objects it looks at.
STATEMENTS = [
    ("scan: title CONTAINS", 'count MemoDate where title CONTAINS "{0}7"', lambda n: n),
    ("scan: two comparisons", 'count MemoDate where priority > {0} AND category == "Office"', lambda n: n),
    ("sort: three keys, whole", "let $a = fetch MemoDate where priority != {0} sort category, date desc, objectID",
     lambda n: n),
    ("sort: by title, whole", "let $a = fetch MemoDate where priority != {0} sort title", lambda n: n),
    ("group: eight categories", "fetch MemoDate where priority != {0} select category, count(SELF) as n, "
     "avg(cost) as mean group by category", lambda n: n),
    ("semi-join: ANY of a to-many", 'count Category where ANY items.title CONTAINS " {0}9"', lambda n: n // 2),
]
VARIANTS = range(1, 5)


def load_seconds(kura, store, rounds):
    """From the start of the process to the first answer, without what an empty process takes."""
    def taken(command):
        start = time.perf_counter()
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start

    pairs = [(taken(kura.command(store, "count Tag")), taken(kura.command("", "print 1"))) for _ in range(rounds)]
    return median(full for full, _ in pairs) - median(empty for _, empty in pairs)


def seconds(kura, folder, rounds):
    """The seconds of loading and of each statement, of its later uses."""
    store = f"{folder}/store.json"
    taken = {"load the store": [load_seconds(kura, store, rounds + 2)]}
    statements = [(name, text.format(k)) for name, text, _ in STATEMENTS for k in VARIANTS]
    for _ in range(rounds):
        times, _ = kura.asked(store, [text for _, text in statements])
        for start in range(0, len(times), len(VARIANTS)):
            taken.setdefault(statements[start][0], []).append(median(times[start + 1:start + len(VARIANTS)]))
    return {name: median(values) for name, values in taken.items()}


def run(kura, base, scales, rounds):
    """Gives a row for each statement: nanoseconds for an object at each size, and how fast that grows."""
    # Small sizes take no time, and need rounds to be told from noise.
    taken = [seconds(kura, data.folder(base, n), 3 * rounds if n <= 100_000 else 1) for n in scales]
    counts = {"load the store": data.count, **{name: looked for name, _, looked in STATEMENTS}}
    return [{
        "name": name, "scales": scales,
        "nanoseconds": [times[name] / counts[name](n) * 1e9 for times, n in zip(taken, scales)],
        "steps": [step(one[name], other[name], n, m) for one, other, n, m in zip(taken, taken[1:], scales, scales[1:])],
    } for name in counts]


def step(seconds, next_seconds, n, next_n):
    """How the time grew from one size to the next, as a part of what n log n would have grown."""
    return next_seconds / seconds / (next_n * math.log(next_n) / (n * math.log(n)))


def verdict(rows):
    faster = [f"“{row['name']}” ({row['scales'][i]:,} to {row['scales'][i + 1]:,}: {value:.1f} times)"
              for row in rows for i, value in enumerate(row["steps"]) if value > TOLERANCE]
    if not faster:
        return f"Nothing grows faster than n log n (by more than {TOLERANCE} times between neighbouring sizes)."
    return f"Faster than n log n by more than {TOLERANCE} times between neighbouring sizes: " + ", ".join(faster) + "."
