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
            raise SystemExit(f"{path} is not a program")

    def command(self, *arguments):
        return [self.path, "--no-init", "--format", "jsonl", *arguments]

    def output(self, *arguments):
        return checked(self.command(*arguments)).stdout

    def version(self):
        return self.output("--version").strip()

    def asked(self, store, scripts):
        """Runs scripts in one process; gives the seconds of each one's statement, as `.timer on` says them, and its rows.

        A script is a statement, or (lines before it, the statement, lines behind it), of which the others are not timed.
        """
        lines = []
        for script in scripts:
            before, statement, behind = ([], script, []) if isinstance(script, str) else script
            lines += [*before, ".timer on", statement, ".timer off", *behind, f'print "{MARK}"']
        with tempfile.NamedTemporaryFile("w", suffix=".kura", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
            file.flush()
            done = checked(self.command(store, "-f", file.name))
        seconds = [float(x) for x in re.findall(r"^time: ([0-9.]+) s$", done.stderr, re.M)]
        answers = [[]]
        for line in done.stdout.splitlines():
            row = json.loads(line)
            if isinstance(row, dict) and list(row.values()) == [MARK]:
                answers.append([])
            else:
                answers[-1].append(row)
        if len(seconds) != len(scripts) or len(answers) != len(scripts) + 1:
            raise SystemExit(f"{len(scripts)} statements, {len(seconds)} times, {len(answers) - 1} answers: {done.stderr[-1000:]}")
        return seconds, answers[:-1]


def checked(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
    if done.returncode != 0:
        raise SystemExit(f"{command} exited with status {done.returncode}: {done.stderr[-1000:]}")
    return done
