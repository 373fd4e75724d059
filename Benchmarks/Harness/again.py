"""Whole processes on what is stored already: Kura's columns beside native files of DuckDB and SQLite."""

import os
import shutil
import subprocess
import tempfile
import time
from statistics import median

import cold

NUMBER = 777
QUESTIONS = {
    "count": ("count MemoDate", "select count(*) from MemoDate"),
    "contains, folded, the latest five": (
        f'fetch MemoDate where title CONTAINS[cd] "{cold.WORD}" sort date desc, objectID limit 5',
        f"select * from MemoDate where contains(strip_accents(lower(title)), '{cold.WORD}') "
        "order by date desc, id limit 5"),
    "groups with aggregates": (
        "fetch MemoDate select category, count(SELF) as n, max(date) as latest, avg(cost) as mean group by category",
        "select category, count(*), max(date), avg(cost) from MemoDate group by category"),
    "one object by its number": (f"fetch MemoDate/{NUMBER}", f"select * from MemoDate where id = {NUMBER}"),
}
COLUMNS = "id integer primary key, title text, category text, date date, notifiable int, priority int, cost double"


def native_files(folder):
    """The memo dates in native files, as far as the programs are there."""
    files = {"duckdb": f"{folder}/dates.duckdb", "sqlite": f"{folder}/dates.sqlite"}
    rows = f"{folder}/MemoDate.csv"
    if (duckdb := cold.duckdb_shell()) and not os.path.exists(files["duckdb"]):
        quietly([duckdb, files["duckdb"], f"create table MemoDate({COLUMNS}); copy MemoDate from '{rows}' (header false)"])
    if (sqlite := shutil.which("sqlite3")) and not os.path.exists(files["sqlite"]):
        quietly([sqlite, files["sqlite"], f"create table MemoDate({COLUMNS});", ".mode csv",
                 f".import {rows} MemoDate"])
    return files


def quietly(command, **options):
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=True, **options)


def timed(command, **options):
    start = time.perf_counter()
    quietly(command, **options)
    return time.perf_counter() - start


def run(kura, folder, rounds):
    """Gives a row for each question: seconds of each program, and Kura's without its columns."""
    files = native_files(folder)
    duckdb, sqlite = cold.duckdb_shell(), shutil.which("sqlite3")
    store, rows = f"{folder}/store.json", []
    with tempfile.TemporaryDirectory() as home:
        cached = {"env": {**os.environ, "KURA_CACHE": "on", "XDG_CACHE_HOME": home}}
        uncached = {"env": {**os.environ, "KURA_CACHE": "off"}}
        quietly(kura.command(store, "count MemoDate"), **cached)
        for name, (statement, query) in QUESTIONS.items():
            command = kura.command(store, statement)
            programs = {
                "kura": (command, cached), "uncached": (command, uncached),
                "duckdb": duckdb and ([duckdb, "-readonly", files["duckdb"], "-c", query], {}),
                # SQLite folds no accents: what it answers is less, and found faster.
                "sqlite": sqlite and ([sqlite, files["sqlite"], query.replace(
                    f"contains(strip_accents(lower(title)), '{cold.WORD}')", f"title like '%{cold.WORD}%'")], {})}
            seconds = {}
            for _ in range(5 * rounds + 1):
                for program, started in programs.items():
                    if started:
                        seconds.setdefault(program, []).append(timed(started[0], **started[1]))
            rows.append({"name": name, **{program: median(all[1:]) for program, all in seconds.items()}})
    return rows
