"""How time grows with the number of objects: a store ten and a hundred times as large, the time for each object."""

import math
import subprocess
import time
from statistics import median

import data

# Caches and noise make for some hundredths of an exponent; what is worse than n log n makes for more.
MARGIN = 0.15

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
    } for name in counts]


def exponents(scales, nanoseconds):
    """The e of n^e that goes best through the times, and that of n log n at the same sizes.

    The smallest size is left out where there are more than two: there the start of a statement is most of its time.
    """
    pairs = list(zip(scales, nanoseconds))[1 if len(scales) > 2 else 0:]
    return (slope([(n, n * each) for n, each in pairs]), slope([(n, n * math.log(n)) for n, _ in pairs]))


def slope(points):
    """Of the straight line through the points' logarithms, by least squares; nothing of a single point."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    x_mean, y_mean = (sum(values) / len(logs) for values in zip(*logs))
    spread = sum((x - x_mean) ** 2 for x, _ in logs)
    return sum((x - x_mean) * (y - y_mean) for x, y in logs) / spread if spread else math.nan


def verdict(rows):
    faster = []
    for row in rows:
        own, allowed = exponents(row["scales"], row["nanoseconds"])
        if own > allowed + MARGIN:
            faster.append(f"“{row['name']}” (n^{own:.2f})")
    allowed = exponents(rows[0]["scales"], rows[0]["nanoseconds"])[1]
    return (f"n log n is n^{allowed:.2f} at these sizes. "
            + (f"{', '.join(faster)} grows" if faster else "Nothing grows")
            + f" faster than that by more than {MARGIN} in the exponent.")
