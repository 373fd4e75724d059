"""DuckDB and SQLite in this process, all rows in memory. One that is not installed is None."""

import csv
import os
import sqlite3
import time

TABLES = {
    "MemoDate": "id integer primary key, title varchar, category varchar, date date, notifiable boolean, "
                "priority integer, cost double",
    "Category": "id integer primary key, name varchar",
    "Item": "id integer primary key, title varchar, done boolean, due date, estimate integer, category integer",
    "Tag": "id integer primary key, name varchar",
    "link": "item integer, tag integer",
}


def with_duckdb(folder):
    try:
        # Not earlier: it is large, and cold.py wants this process small.
        import duckdb
    except ImportError:
        return None
    connection = duckdb.connect()
    connection.execute(f"set threads = {os.cpu_count()}")
    for name, columns in TABLES.items():
        connection.execute(f"create table {name} ({columns})")
        connection.execute(f"copy {name} from '{folder}/{name}.csv' (header false, nullstr '')")
    connection.execute(f"create table events as select * from read_json('{folder}/events.json')")
    return connection


def with_sqlite(folder):
    # Kura reads every statement anew; so does SQLite here, without Python's cache of statements.
    connection = sqlite3.connect(":memory:", cached_statements=0)
    for name, columns in TABLES.items():
        connection.execute(f"create table {name} ({columns})")
        holes = ",".join("?" * (columns.count(",") + 1))
        with open(os.path.join(folder, f"{name}.csv"), encoding="utf-8", newline="") as file:
            rows = ([value or None for value in row] for row in csv.reader(file))
            connection.executemany(f"insert into {name} values ({holes})", rows)
    connection.executescript(
        "create index itemCategory on Item(category); create index linkItem on link(item); "
        "create index linkTag on link(tag); create index memoPriority on MemoDate(priority); analyze;")
    return connection


def with_limit(connection, seconds):
    """Ends each statement of SQLite's after so many seconds."""
    end = [0.0]
    connection.set_progress_handler(lambda: time.monotonic() > end[0], 10_000)
    return lambda: end.__setitem__(0, time.monotonic() + seconds)


def asked(connection, text):
    """The seconds from the text to all rows, and the rows."""
    start = time.perf_counter()
    cursor = connection.execute(text)
    rows = cursor.fetchall()
    seconds = time.perf_counter() - start
    names = [column[0] for column in cursor.description or []]
    return seconds, [row[0] if len(row) == 1 else dict(zip(names, row)) for row in rows]


def changed(connection, text, check):
    """The seconds that a change takes, and what is there behind it; it is taken back."""
    connection.execute("begin")
    seconds, _ = asked(connection, text)
    _, rows = asked(connection, check)
    connection.execute("rollback")
    return seconds, rows


def written(connection, text, path):
    """The seconds that writing the rows as CSV takes, and what was written."""
    seconds, _ = asked(connection, f"copy ({text}) to '{path}' (format csv, header)")
    return seconds, contents(path)


def contents(path):
    """The fields of a file of CSV, numbers as numbers, so that 1.0 is 1."""
    with open(path, encoding="utf-8", newline="") as file:
        return [[field_value(field) for field in row] for row in csv.reader(file)]


def field_value(field):
    try:
        return float(field)
    except ValueError:
        return {"true": True, "false": False, "YES": True, "NO": False}.get(field, field)
