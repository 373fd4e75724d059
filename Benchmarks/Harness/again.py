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
TEN = "count of ten objects"
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
    files = {"kura": f"{folder}/store.json", **native_files(folder)}
    with tempfile.TemporaryDirectory() as home:
        quietly(kura.command(files["kura"], "count MemoDate"), **with_columns(home))
        rows = [row(kura, name, files, home, *question, 5 * rounds) for name, question in QUESTIONS.items()]
        return rows + [row(kura, TEN, ten_objects(kura, home), home, *QUESTIONS["count"], 20 * rounds)]


def with_columns(home):
    return {"env": {**os.environ, "KURA_CACHE": "on", "XDG_CACHE_HOME": home}}


def row(kura, name, files, home, statement, query, times):
    """The medians of whole processes, each program in turn; the first of each is not counted."""
    duckdb, sqlite = cold.duckdb_shell(), shutil.which("sqlite3")
    command = kura.command(files["kura"], statement)
    programs = {
        "kura": (command, with_columns(home)), "uncached": (command, {"env": {**os.environ, "KURA_CACHE": "off"}}),
        "duckdb": duckdb and ([duckdb, "-readonly", files["duckdb"], "-c", query], {}),
        # SQLite folds no accents: what it answers is less, and found faster.
        "sqlite": sqlite and ([sqlite, files["sqlite"], query.replace(
            f"contains(strip_accents(lower(title)), '{cold.WORD}')", f"title like '%{cold.WORD}%'")], {})}
    seconds = {}
    for _ in range(times + 1):
        for program, started in programs.items():
            if started:
                seconds.setdefault(program, []).append(timed(started[0], **started[1]))
    return {"name": name, **{program: median(all[1:]) for program, all in seconds.items()}}


def ten_objects(kura, folder):
    """Ten memo dates as a store and as native files: what is left is the start of a process."""
    files = {"kura": f"{folder}/ten.json", "duckdb": f"{folder}/ten.duckdb", "sqlite": f"{folder}/ten.sqlite"}
    insert = "".join(
        f"insert into MemoDate values ({n}, 'title {n}', 'Private', '2024-01-{n:02}', 0, {n}, {n}.5);"
        for n in range(1, 11))
    duckdb, sqlite = cold.duckdb_shell(), shutil.which("sqlite3")
    for program, path in ((duckdb, files["duckdb"]), (sqlite, files["sqlite"])):
        if program:
            quietly([program, path, f"create table MemoDate({COLUMNS}); {insert}"])
    quietly(kura.command(
        "--create", files["kura"], "entity MemoDate { title: string; category: string; date: date; "
        "notifiable: boolean; priority: integer; cost: double }",
        *(f'insert MemoDate title = "title {n}", category = "Private", date = "2024-01-{n:02}", notifiable = NO, '
          f"priority = {n}, cost = {n}.5" for n in range(1, 11)), "save"))
    return files
