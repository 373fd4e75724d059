"""What ran where: the kind of machine, and the versions. No name of anybody's machine."""

import datetime
import importlib.metadata
import os
import platform
import re
import sqlite3
import subprocess
import shutil

import cold


def said(command):
    """The first line that a program says; None if it is not there."""
    if not command[0] or not shutil.which(command[0]):
        return None
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return (done.stdout or done.stderr).strip().splitlines()[0]


def package(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def memory():
    return f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB"


def number(text):
    """The version number in a sentence."""
    found = text and re.search(r"\d+(\.\d+)+", text)
    return found[0] if found else None


def facts(kura):
    """What the page names; a version is None where the program is not installed."""
    swift = re.search(r"Swift version (\S+)", said(["swift", "--version"]) or "")
    return {
        "date": datetime.date.today().isoformat(),
        "machine": f"{os.cpu_count()} cores, {memory()} of memory, {platform.system()} on {platform.machine()}",
        "versions": {
            "Kura": number(kura.version()), "Swift": swift and swift[1],
            "DuckDB in Python": package("duckdb"), "DuckDB's shell": number(said([cold.duckdb_shell(), "-version"])),
            "SQLite in Python": sqlite3.sqlite_version, "sqlite3": number(said(["sqlite3", "--version"])),
            "jq": number(said(["jq", "--version"])), "valgrind": number(said(["valgrind", "--version"])),
            "Python": platform.python_version(),
        },
    }


HOW_TO_GET = {
    "DuckDB in Python": "pip install duckdb", "DuckDB's shell": "pip install duckdb-cli",
    "sqlite3": "apt-get install sqlite3", "jq": "apt-get install jq", "valgrind": "apt-get install valgrind",
}


def missing(facts):
    """Sentences about what is not there, and how to get it."""
    return [f"without {name}, which is not here: {HOW_TO_GET[name]}"
            for name, version in facts["versions"].items() if version is None and name in HOW_TO_GET]
