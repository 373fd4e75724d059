"""The tables, as they are printed and as they stand between marks in Documentation/Performance.md."""

import os
import re
import unicodedata

import compare
import counts
import data
import growth

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGE = os.path.normpath(os.path.join(ROOT, "Documentation", "Performance.md"))


def table(head, rows):
    """A table of Markdown whose columns stand below each other; all but the first to the right."""
    cells = [list(map(str, row)) for row in [head, *rows]]
    widths = [max(map(width, column)) for column in zip(*cells)]
    lines = ["| " + " | ".join(padded(cell, widths[i], i > 0) for i, cell in enumerate(row)) + " |" for row in cells]
    rule = "| " + " | ".join("-" * (w - 1) + ":" if i else "-" * w for i, w in enumerate(widths)) + " |"
    return "\n".join([lines[0], rule, *lines[1:]])


def width(text):
    return sum(2 if unicodedata.east_asian_width(scalar) in "WF" else 1 for scalar in text)


def padded(text, size, right):
    blanks = " " * (size - width(text))
    return blanks + text if right else text + blanks


def duration(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}" if seconds < 100 * size else f"{seconds / size:.0f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def time_of(row, key):
    """A dash where the program is missing or cannot ask; a star where its answer is another."""
    if key not in row:
        return "-"
    return duration(row[key]) + (" *" if row.get(f"{key} same") is False else "")


def ratio(row):
    if not row["ratio"]:
        return "-"
    return f"{row['ratio']:.1f}" if row["ratio"] >= 1 else f"{row['ratio']:.2f}"


def machine(facts, load):
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items() if version)
    others = f"At the start, {load:.1f} other processes were ready to run"
    if load > 0.5:
        others += ", so the times are longer than on a quiet machine"
    return f"Measured on {facts['date']}: {facts['machine']}. {others}.\n\n{versions}."


def questions(rows):
    heads = ["question", "Kura", "DuckDB", "SQLite", "best / Kura", "first: Kura", "first: DuckDB"]
    return table(heads, [[
        row["name"], time_of(row, "kura"), time_of(row, "duckdb"), time_of(row, "sqlite"),
        ratio(row), time_of(row, "kura first"), time_of(row, "duckdb first"),
    ] for row in rows])


def wide(rows):
    """From the question that is furthest behind to the one furthest ahead."""
    ordered = sorted(rows, key=lambda row: row["ratio"] or 0)
    return table(["question", "Kura", "DuckDB", "SQLite", "best / Kura", "first: Kura", "first: DuckDB"], [[
        row["name"].replace("|", "\\|"), time_of(row, "kura"), time_of(row, "duckdb"), time_of(row, "sqlite"), ratio(row),
        time_of(row, "kura first"), time_of(row, "duckdb first")] for row in ordered])


def cold(rows):
    agrees = {True: "the same", False: "another", None: "-"}
    return table(["program", "wall", "processor", "/ Kura's wall", "peak / file", "answer"], [
        [row["name"], row["missing"], "-", "-", "-", "-"] if "missing" in row else
        [row["name"], duration(row["wall"]), duration(row["processor"]), f"{row['ratio']:.2f}", f"{row['peak']:.2f}",
         agrees[row["same"]]] for row in rows])


def again(rows):
    def beside(row, peer):
        return f"{row['kura'] / row[peer]:.2f}" if peer in row else "-"
    return table(
        ["question", "Kura", "without its columns", "DuckDB", "SQLite", "Kura / DuckDB", "Kura / SQLite"], [[
            row["name"], time_of(row, "kura"), time_of(row, "uncached"), time_of(row, "duckdb"),
            time_of(row, "sqlite"), beside(row, "duckdb"), beside(row, "sqlite"),
        ] for row in rows])


def waiting(rows):
    return table(["what is waited for", "wanted", "median", "worst", "times"], [[
        row["name"].replace("|", "\\|"), duration(row["limit"]), *(duration(row[key]) if row[key] else "-" for key in ("median", "worst")),
        row["times"]] for row in rows])


def growing(rows):
    scales = rows[0]["scales"]
    heads = ["nanoseconds for an object", *(f"{n:,}" for n in scales), "grows like"]
    return table(heads, [[
        row["name"], *(f"{value:.3g}" if value < 100 else f"{value:.0f}" for value in row["nanoseconds"]),
        f"n^{growth.exponents(scales, row['nanoseconds'])[0]:.2f}",
    ] for row in rows])


def counting(result, before):
    heads = ["statement", "instructions", "change", "mispredicted", "change"]
    return table(heads, counts.compared(result, before))


def counted(result):
    """The same for the page, where a change would say nothing."""
    return table(["statement", "instructions", "mispredicted branches"],
                 [[name if name == counts.OPEN or name.startswith(counts.THOUSAND) else f"`{name}`", *(f"{figure:,}" for figure in figures)]
                  for name, figures in result.items()])


def scale(value, rounds):
    return f"{value:,} memo dates, {data.count(value):,} objects in all; {rounds} rounds, of which the median counts."


def parts(results):
    """What was measured, by the names of the marks."""
    made = {}
    if "questions" in results:
        rows = results["questions"]
        made |= {
            "machine": machine(results["facts"], results["load"]), "scale": scale(*results["scale"]),
            "questions": questions(rows), "summary": compare.summary(rows), "behind": compare.behind(rows)}
    if "wide" in results:
        rows = results["wide"]
        made |= {"wide machine": machine(results["facts"], results["load"]), "wide": wide(rows), "wide summary": compare.summary(rows), "wide behind": compare.behind(rows)}
    if "terminal" in results:
        made |= {"terminal machine": machine(results["facts"], results["load"]), "terminal": waiting(results["terminal"])}
    if "cold" in results:
        made |= {"cold machine": machine(results["facts"], results["load"]), "cold": cold(results["cold"])}
    if "again" in results:
        made["again"] = again(results["again"])
    if "growth" in results:
        made |= {"growth machine": machine(results["facts"], results["load"]), "growth": growing(results["growth"]), "verdict": growth.verdict(results["growth"])}
    if "counts" in results:
        made["counts"] = counted(results["counts"])
    return made


def write(results):
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    for name, part in parts(results).items():
        between = re.compile(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", re.S)
        if not between.search(text):
            raise SystemExit(f"{PAGE} has no place for {name}")
        text = between.sub(lambda found: f"{found[1]}\n{part}\n\n{found[2]}", text)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)
