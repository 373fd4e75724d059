"""Kura beside DuckDB and SQLite, all data in memory: each question, and whether the answers are the same."""

import datetime
import math
from statistics import geometric_mean, median

import peers
from questions import QUESTIONS

CAP = 20


def same(one, other):
    """Whether two answers have the same content: names, values, order. A sum may differ in its last digits."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, float) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=1e-9)
    if isinstance(other, datetime.date):
        return one == other.isoformat()
    return one == other


class Results:
    """For each question what one program needed: its first use, the median of the others, and its answers.

    Kura is a new process in each round; a peer's first use is that of the first round alone.
    """

    def __init__(self):
        self.first, self.later, self.answers = {}, {}, {}

    def add(self, question, seconds, answers):
        self.first.setdefault(question.name, []).append(seconds[0])
        self.later.setdefault(question.name, []).append(median(seconds[1:]))
        self.answers[question.name] = answers

    def seconds(self, name, first=False):
        return median((self.first if first else self.later)[name])

    def keep_first_round(self):
        self.first = {name: seconds[:1] for name, seconds in self.first.items()}


def ask_kura(kura, store, results):
    asked = [(question, variant) for question in QUESTIONS for variant in question.variants]
    seconds, answers = kura.asked(store, [question.text("kura", variant) for question, variant in asked])
    start = 0
    for question in QUESTIONS:
        end = start + len(question.variants)
        results.add(question, seconds[start:end], answers[start:end])
        start = end


def ask_peer(program, connection, results):
    for question in QUESTIONS:
        texts = [question.text(program, variant) for variant in question.variants]
        if None not in texts:
            results.add(question, *zip(*(peers.asked(connection, text) for text in texts)))


def run(kura, folder, rounds):
    """Asks everybody in turn, so that what else the machine does falls on all; gives a row for each question."""
    everybody = {"kura": Results()}
    connections = {"duckdb": peers.with_duckdb(folder), "sqlite": peers.with_sqlite(folder)}
    for name in [name for name, connection in connections.items() if connection]:
        everybody[name] = Results()
    for _ in range(rounds):
        ask_kura(kura, f"{folder}/store.json", everybody["kura"])
        for name in list(everybody)[1:]:
            ask_peer(name, connections[name], everybody[name])
            everybody[name].keep_first_round()
    return [row(question.name, everybody) for question in QUESTIONS]


def row(name, everybody):
    kura = everybody["kura"]
    result = {"name": name, "kura": kura.seconds(name), "kura first": kura.seconds(name, first=True)}
    for peer in ("duckdb", "sqlite"):
        results = everybody.get(peer)
        if results and name in results.later:
            result[peer] = results.seconds(name)
            result[f"{peer} first"] = results.seconds(name, first=True)
            result[f"{peer} same"] = same(kura.answers[name], list(results.answers[name]))
    # One with another answer did not answer this question.
    best = [result[peer] for peer in ("duckdb", "sqlite") if result.get(f"{peer} same")]
    result["ratio"] = min(best) / max(kura.seconds(name), 1e-9) if best else None
    return result


def summary(rows):
    ratios = [row["ratio"] for row in rows if row["ratio"]]
    if not ratios:
        return "No peer was there to compare with."
    mean = geometric_mean(min(ratio, CAP) for ratio in ratios)
    slow = [row for row in rows if row["kura first"] > row.get("duckdb first", math.inf)]
    text = (f"Of {len(rows)} questions Kura is ahead on {sum(r > 1 for r in ratios)}, twice ahead on "
            f"{sum(r >= 2 for r in ratios)}; the geometric mean of the ratios, each capped at {CAP}, is {mean:.1f}.")
    if any("duckdb" in row for row in rows):
        text += f" The first use of a question is slower than DuckDB's first on {len(slow)}."
    return text


def behind(rows):
    """Says where Kura is behind; a page that only praises would be of no use."""
    names = [f"“{row['name']}” ({row['ratio']:.2f})" for row in rows if row["ratio"] and row["ratio"] < 1]
    first = [f"“{row['name']}” ({row['kura first'] / row['duckdb first']:.1f} times DuckDB's)" for row in rows
             if row["kura first"] > row.get("duckdb first", math.inf)]
    differ = [f"“{row['name']}” ({peer})" for row in rows for peer in ("duckdb", "sqlite")
              if row.get(f"{peer} same") is False]
    return "\n".join([
        "- Slower than the best peer: " + (", ".join(names) or "on none of the questions") + ".",
        "- Slower than DuckDB on its first use: " + (", ".join(first) or "on none of the questions") + ".",
        "- Answers that differ: " + (", ".join(differ) or "none") + "."])
