"""Scripts/bench: measures Kura beside its peers, how it grows, and counts its instructions."""

import argparse
import os

import again
import cold
import compare
import counts
import data
import growth
import machine
import matrix
import page
import plot
import terminal
import wide
from kura import Kura

PARTS = ["cold", "again", "questions", "wide", "growth", "terminal", "counts"]
MATRIX = "matrix"


def arguments():
    objects = between(1000, 100_000_000)
    parser = argparse.ArgumentParser(
        prog="Scripts/bench",
        description="Compares Kura with DuckDB, SQLite and jq on this machine, as far as they are installed. "
        "Compare the ratios within one run, not the times of two runs.",
        epilog="It requires Python 3.10. To install the peers: pip install duckdb duckdb-cli, apt-get install sqlite3 jq valgrind binutils.")
    parser.add_argument("--scale", type=objects, default=1_000_000, metavar="N", help="the number of memo dates (1000000)")
    parser.add_argument("--rounds", type=between(1, 100), default=3, metavar="N", help="how often each question runs (3)")
    parser.add_argument("--grow", type=objects, nargs="+", metavar="N",
                        default=[10_000, 100_000, 1_000_000, 3_000_000, 10_000_000],
                        help="the sizes for growth (10000 to 10000000; the last requires 4 GB of disk)")
    parser.add_argument("--quick", action="store_true", help="a short run: 50000 memo dates, one round, no counts")
    parser.add_argument("--only", nargs="+", choices=PARTS, metavar="PART", help="only these parts: "
                        + ", ".join(PARTS))
    parser.add_argument("--about", nargs="+", default=[], metavar="TEXT",
                        help="only the questions whose names contain one of these texts")
    parser.add_argument("--counts", action="store_true",
                        help="only the counts, and their changes since they were recorded")
    parser.add_argument("--matrix", action="store_true",
                        help="each operator, function and clause per attribute type, in nanoseconds per row")
    parser.add_argument("--every", action="store_true", help="the matrix with all combinations of its dimensions")
    parser.add_argument("--write", action="store_true",
                        help="refresh Documentation/Performance.md, its plot, and Benchmarks/counts.tsv")
    parser.add_argument("--data", default=os.path.join(page.ROOT, ".build", "bench"), metavar="FOLDER",
                        help="the folder for the data of all runs (.build/bench)")
    parser.add_argument("--kura", default=os.path.join(page.ROOT, ".build", "release", "kura"), metavar="PROGRAM",
                        help="a kura other than that of this clone")
    options = parser.parse_args()
    if options.quick:
        options.scale, options.rounds, options.grow = 50_000, 1, [10_000, 100_000]
    options.grow = sorted(set(options.grow))
    alone = [MATRIX] * (options.matrix or options.every) + ["counts"] * options.counts
    options.parts = options.only or alone or (PARTS[:-1] if options.quick else PARTS)
    writable = [["counts"], ["questions"], ["wide"], ["terminal"], ["growth"], ["cold", "again"]]
    if options.write and (options.parts != PARTS and options.parts not in writable or options.about):
        parser.error("--write requires all parts, so that the page is from one run, or one of these, which show their date: "
                     + ", ".join(" ".join(parts) for parts in writable))
    return options


def between(low, high):
    def number(text):
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f'"{text}" is not a number from {low} to {high}')
        return int(text)
    return number


def show(title, *texts):
    print(f"\n== {title}\n", *texts, sep="\n", flush=True)


def measure(options):
    """Measures the parts asked for, in an order that keeps this process small while it starts others."""
    kura = Kura(options.kura)
    results = {"facts": machine.facts(kura), "load": os.getloadavg()[0], "scale": (options.scale, options.rounds)}
    show("What runs where", page.machine(results["facts"], results["load"]), *machine.missing(results["facts"]))
    folder = data.folder(options.data, options.scale) if {"cold", "again", "questions", "wide", "terminal"} & set(options.parts) else None
    if "cold" in options.parts:
        rows = results["cold"] = cold.run(kura, folder, options.rounds)
        show("Whole processes, from plain JSON to the printed answer", page.cold(rows))
    if "again" in options.parts:
        rows = results["again"] = again.run(kura, folder, options.rounds)
        show("Whole processes, on what is stored", page.again(rows))
    if "growth" in options.parts:
        rows = results["growth"] = growth.run(kura, options.data, options.grow, options.rounds)
        show("How it grows", page.growing(rows), growth.verdict(rows))
    if "terminal" in options.parts:
        rows = results["terminal"] = terminal.run(kura, folder, options.rounds)
        show("At a terminal", page.waiting(rows))
    if "counts" in options.parts and (tools := counts.missing()):
        print(f"\nno counts without {' and '.join(tools)}")
    elif "counts" in options.parts:
        rows = results["counts"] = counts.run(kura, options.data)
        show("Counts, and their change since they were recorded", page.counting(rows, counts.recorded()), *counts.too_many(rows))
    if "questions" in options.parts:
        rows = results["questions"] = compare.run(kura, folder, options.rounds)
        show("Questions, all in memory", page.questions(rows), "", compare.summary(rows), compare.behind(rows))
    if "wide" in options.parts:
        chosen = [question for question in wide.QUESTIONS if not options.about or any(part in question.name for part in options.about)]
        rows = results["wide"] = compare.run(kura, folder, options.rounds, chosen, wide.LIMIT)
        show("Questions of every kind", page.wide(rows), "", compare.summary(rows), compare.behind(rows))
    if MATRIX in options.parts:
        cells = list(matrix.run(kura, options.data, options.scale, options.every, about=options.about))
        show("The matrix", *matrix.report(cells))
    return results


def write(results):
    page.write(results)
    if "questions" in results:
        plot.write(results["questions"], results["scale"][0])
    if "counts" in results:
        versions = results["facts"]["versions"]
        counts.record(results["counts"], f"Swift {versions['Swift']}, valgrind {versions['valgrind']}")


if __name__ == "__main__":
    # What Kura remembers of a document belongs to one table alone.
    os.environ["KURA_CACHE"] = "off"
    chosen = arguments()
    measured = measure(chosen)
    if chosen.write:
        write(measured)
