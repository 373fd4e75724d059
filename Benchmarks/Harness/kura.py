"""Kura as the harness runs it: always a process of its own, without anybody's settings."""

import json
import os
import re
import subprocess
import tempfile

MARK = "~"


class Kura:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        if not os.access(self.path, os.X_OK):
            raise SystemExit(f"{path} is no program")

    def command(self, *arguments):
        return [self.path, "--no-init", "--format", "jsonl", *arguments]

    def output(self, *arguments):
        return checked(self.command(*arguments)).stdout

    def version(self):
        return self.output("--version").strip()

    def asked(self, store, statements):
        """Asks all in one process; gives each statement's seconds, as `.timer on` says them, and its rows."""
        lines = [".timer on"]
        for statement in statements:
            lines += [statement, f'print "{MARK}"']
        with tempfile.NamedTemporaryFile("w", suffix=".kura", encoding="utf-8") as script:
            script.write("\n".join(lines) + "\n")
            script.flush()
            done = checked(self.command(store, "-f", script.name))
        seconds = [float(x) for x in re.findall(r"^time: ([0-9.]+) s$", done.stderr, re.M)][::2]
        answers = [[]]
        for line in done.stdout.splitlines():
            row = json.loads(line)
            if isinstance(row, dict) and list(row.values()) == [MARK]:
                answers.append([])
            else:
                answers[-1].append(row)
        if len(seconds) != len(statements) or len(answers) != len(statements) + 1:
            raise SystemExit(f"{len(statements)} statements, {len(seconds)} times, {len(answers) - 1} answers")
        return seconds, answers[:-1]


def checked(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
    if done.returncode != 0:
        raise SystemExit(f"{command} left with {done.returncode}: {done.stderr[-1000:]}")
    return done
