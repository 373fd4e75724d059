"""Whole processes, from the file of plain JSON to the printed answer: wall time, processor time, peak memory.

To be run before much is in this process's memory: Linux counts what a child had before it became the program.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from statistics import median

WORD = "誕生"


def duckdb_shell():
    """The program itself; what pip puts on the path is a script in Python that starts it."""
    spec = importlib.util.find_spec("duckdb_cli")
    bundled = spec and os.path.join(os.path.dirname(spec.origin), "duckdb")
    return bundled if bundled and os.path.exists(bundled) else shutil.which("duckdb")


def programs(kura, folder):
    """For each program its command; None if it is not installed."""
    file = f"{folder}/dates.json"
    duckdb, sqlite, jq = duckdb_shell(), shutil.which("sqlite3"), shutil.which("jq")
    return {
        "Kura": kura.command(
            file, f'fetch dates where title CONTAINS[cd] "{WORD}" select id, title, date sort date desc, id limit 5'),
        "DuckDB": duckdb and [
            duckdb, "-json", "-c", f"select id, title, date from '{file}' where "
            f"contains(strip_accents(lower(title)), '{WORD}') order by date desc, id limit 5"],
        "sqlite3": sqlite and [
            sqlite, "-json", ":memory:", "select value ->> 'id' id, value ->> 'title' title, value ->> 'date' date "
            f"from json_each(readfile('{file}')) where title like '%{WORD}%' order by date desc, id limit 5"],
        "jq": jq and [
            jq, "-c", f'[.[]|select(.title|contains("{WORD}"))]|sort_by(-.id)|sort_by(.date)|reverse|.[:5]'
            "|map({id,title,date})", file],
        "Kura, its store": kura.command(f"{folder}/store.json", "count MemoDate"),
    }


def measured(command):
    """One run: its output, and (wall seconds, processor seconds, peak bytes)."""
    start = time.perf_counter()
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **quiet) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return process.returncode, output, (wall, usage.ru_utime + usage.ru_stime, peak)


def rows_of(output):
    """The objects of an array or of JSON Lines."""
    try:
        return json.loads(output)
    except ValueError:
        return [json.loads(line) for line in output.splitlines()]


def run(kura, folder, rounds):
    """Gives a row for each program that answers; round 0 warms the file's pages up."""
    commands = programs(kura, folder)
    taken, answers = {}, {}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            # jq and sqlite3 need many seconds; once is enough to see that.
            if not command or (turn > 1 and name in ("jq", "sqlite3")) or answers.get(name, True) is None:
                continue
            status, output, figures = measured(command)
            answers[name] = rows_of(output) if status == 0 else None
            taken.setdefault(name, []).append(figures)
    rows = []
    for name, command in commands.items():
        if not command or answers[name] is None:
            rows.append({"name": name, "missing": "failed" if command else "not installed"})
            continue
        figures = taken[name][1:]
        file = "store.json" if name == "Kura, its store" else "dates.json"
        rows.append({
            "name": name, "wall": median(f[0] for f in figures), "processor": median(f[1] for f in figures),
            "peak": max(f[2] for f in figures) / os.path.getsize(f"{folder}/{file}"),
            "same": answers[name] == answers["Kura"] if file == "dates.json" else None})
    for row in rows:
        row["ratio"] = row["wall"] / rows[0]["wall"] if "wall" in row else None
    return rows
