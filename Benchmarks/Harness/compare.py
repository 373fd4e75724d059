"""Kura beside DuckDB and SQLite, all data in memory: each question, and whether the answers are the same."""

import datetime
import math
import sqlite3
import tempfile
from statistics import geometric_mean, median

import peers
from questions import QUESTIONS

CAP = 20


def same(one, other):
    """Whether two answers have the same content: names, values, order. A sum may differ in its last digits."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and len(one) == 1 and not isinstance(other, dict):
        # A row of one column is its value.
        return same(*one.values(), other)
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


def script(question, variant, path):
    """What Kura runs: the statement, and what is asked or taken back behind it."""
    text = question.text("kura", variant)
    if question.check:
        return [], text, [question.check[0], "undo"]
    return ([".mode csv", f".output {path}"], text, [".output", ".mode jsonl"]) if question.is_written else text


def ask_kura(kura, folder, questions, results):
    for file in sorted({question.file for question in questions}):
        those = [question for question in questions if question.file == file]
        with tempfile.TemporaryDirectory() as place:
            scripts = [(question, script(question, variant, f"{place}/{len(question.name)}-{i}.csv"))
                       for question in those for i, variant in enumerate(question.variants)]
            seconds, answers = kura.asked(f"{folder}/{file}", [text for _, text in scripts])
            answers = [peers.contents(text[0][1].split(" ", 1)[1]) if question.is_written else rows
                       for (question, text), rows in zip(scripts, answers)]
        start = 0
        for question in those:
            end = start + len(question.variants)
            results.add(question, seconds[start:end], answers[start:end])
            start = end


def ask_peer(program, connection, questions, results, begin=lambda: None):
    for question in questions:
        texts = [question.text(program, variant) for variant in question.variants]
        if None not in texts and not (program == "sqlite" and (question.is_written or question.file != "store.json")):
            try:
                results.add(question, *zip(*(ask(connection, question, text, begin) for text in texts)))
            except sqlite3.OperationalError:
                # It has no such function, or needs too long.
                if connection.in_transaction:
                    connection.execute("rollback")


def ask(connection, question, text, begin):
    begin()
    if question.check:
        return peers.changed(connection, text, question.check[1])
    if question.is_written:
        with tempfile.TemporaryDirectory() as place:
            return peers.written(connection, text, f"{place}/rows.csv")
    return peers.asked(connection, text)


def run(kura, folder, rounds, questions=QUESTIONS, limit=None):
    """Asks everybody in turn, so that what else the machine does falls on all; gives a row for each question."""
    everybody = {"kura": Results()}
    connections = {"duckdb": peers.with_duckdb(folder), "sqlite": peers.with_sqlite(folder)}
    begin = peers.with_limit(connections["sqlite"], limit) if limit else lambda: None
    for name in [name for name, connection in connections.items() if connection]:
        everybody[name] = Results()
    for _ in range(rounds):
        ask_kura(kura, folder, questions, everybody["kura"])
        for name in list(everybody)[1:]:
            ask_peer(name, connections[name], questions, everybody[name], begin)
            everybody[name].keep_first_round()
    return [row(question.name, everybody) for question in questions]


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
