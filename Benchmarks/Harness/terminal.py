"""What a person waits for at a terminal: keys, pastes, the first rows of an answer, Control-C.

Kura is at a pseudo-terminal of 100 columns, with colours, hints and menu, as it comes; a time is from the keys until the
picture, the row or the prompt is there.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
from statistics import median

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
EXAMPLE = os.path.normpath(os.path.join(ROOT, "Examples", "MemoDates", "MemoDates.json"))
# The editor sends these behind each picture, and where it gives the terminal to a statement.
PICTURE, HANDED_OVER = b"\x1b[?2026l", b"\x1b[?2004l"
PATIENCE = 120
BEGIN_PASTE, END_PASTE = b"\x1b[200~", b"\x1b[201~"
CLEAR = b"\x05\x15"
STOPPED = ["delete MemoDate all", 'update MemoDate set title = concat(title, "!") all',
           "update MemoDate set priority = priority + 1 all", 'alter entity MemoDate add note: string = "x"', ".validate",
           "fetch MemoDate sort title"]


class Sitting:
    """A session at a terminal of its own, in a home that is empty but for a history: who has one has been greeted."""

    def __init__(self, kura, *arguments):
        self.home = tempfile.TemporaryDirectory(prefix="kura-terminal-")
        open(os.path.join(self.home.name, ".kura_history"), "w").close()
        environment = {"HOME": self.home.name, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "EDITRC": "/dev/null",
                       "PATH": "/usr/bin:/bin", "KURA_CACHE": "off"}
        self.shown, start = b"", time.perf_counter()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execve(kura.path, [kura.path, "--no-init", *arguments], environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.sees(PICTURE)
        self.start = time.perf_counter() - start
        self.processor = processor_time(self.process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)
        self.home.cleanup()

    def receive(self, wait):
        if not select.select([self.terminal], [], [], wait)[0]:
            return False
        self.shown += os.read(self.terminal, 1 << 16)
        return True

    def sees(self, mark):
        """Takes all up to a mark."""
        end = time.perf_counter() + PATIENCE
        while (place := self.shown.find(mark)) < 0:
            if time.perf_counter() > end:
                raise SystemExit(f"expected {mark}, found {self.shown[-500:]}")
            self.receive(0.1)
        taken, self.shown = self.shown[:place + len(mark)], self.shown[place + len(mark):]
        return taken

    def settle(self):
        """Forgets what is still to come of what was typed before."""
        while self.receive(0.1):
            pass
        self.shown = b""

    def type(self, keys):
        """Writes keys, and takes what is shown meanwhile: neither end waits for the other."""
        while keys:
            readable, writable, _ = select.select([self.terminal], [self.terminal], [], PATIENCE)
            if readable:
                self.shown += os.read(self.terminal, 1 << 16)
            if writable:
                keys = keys[os.write(self.terminal, keys[:256]):]

    def timed(self, keys, mark):
        """The seconds from keys to a mark."""
        self.settle()
        start = time.perf_counter()
        self.type(keys)
        self.sees(mark)
        return time.perf_counter() - start

    def answer(self, statement):
        """What a statement says, up to the next prompt's picture."""
        self.settle()
        self.type(statement.encode() + b"\r")
        self.sees(HANDED_OVER)
        said = self.sees(PICTURE)
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", said.decode(errors="replace"))

    def stopped(self, statement, behind):
        """The seconds from Control-C, some time behind Enter, to the next prompt; None where the statement was faster."""
        self.settle()
        self.type(statement.encode() + b"\r")
        self.sees(HANDED_OVER)
        if " all" in statement:
            self.sees(b"[y/N]")
            self.type(b"y\r")
            self.sees(HANDED_OVER)
        end = time.perf_counter() + behind
        while time.perf_counter() < end:
            self.receive(max(0, end - time.perf_counter()))
        if PICTURE in self.shown:
            return None
        start = time.perf_counter()
        self.type(b"\x03")
        said = self.sees(PICTURE)
        seconds = time.perf_counter() - start
        # Where the prompt was there already, Control-C was about its line.
        return seconds if b"stopped" in said else None


def processor_time(process):
    """The seconds that a process has computed; None where the system does not say."""
    try:
        with open(f"/proc/{process}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0]) / 1e9
    except OSError:
        return None


def row(name, limit, seconds):
    taken = [value for value in seconds if value is not None]
    return {"name": name, "limit": limit, "times": len(taken), "median": median(taken) if taken else None,
            "worst": max(taken) if taken else None}


def run(kura, folder, rounds):
    """Gives a row for each thing that is waited for."""
    store = f"{folder}/store.json"
    rows = [*starting(kura, 10 * rounds), *scripts(kura, rounds)]
    with Sitting(kura, store) as sitting:
        rows += typing(sitting) + [*long_texts(sitting, rounds)] + showing(sitting, rounds) + stopping(sitting, rounds)
    return rows


def starting(kura, times):
    walls, processors = [], []
    for _ in range(times):
        with Sitting(kura, EXAMPLE) as sitting:
            walls.append(sitting.start)
            processors.append(sitting.processor)
    yield row("start to the prompt, example store", 0.020, walls)
    yield row("its processor time", 0.020, processors)


def scripts(kura, rounds):
    def seconds(statements):
        start = time.perf_counter()
        subprocess.run(kura.command(EXAMPLE), input=statements, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start
    yield row("a count from process start to end, example store", 0.050, [seconds(b"count MemoDate") for _ in range(10 * rounds)])
    yield row("20,000 piped statements", 1, [seconds(b"count MemoDate\n" * 20_000) for _ in range(rounds)])


def typing(sitting):
    """A key to its picture; the statement has a path, a comparison and a value, and Tab looks through a million of these."""
    sitting.answer('count MemoDate where category == "Private"')
    keys = [bytes([key]) for key in b'fetch MemoDate where category == "Private" AND priority > 3 sort date desc, titl']
    first = row("a key, first time", 0.005, [sitting.timed(key, PICTURE) for key in keys])
    sitting.type(CLEAR)
    again = row("a key", 0.005, [sitting.timed(key, PICTURE) for key in keys])
    sitting.type(CLEAR)
    japanese = [key.encode() for key in 'fetch MemoDate where title == "父の誕生日 1" AND category CONTAINS[cd] "旅"']
    third = row("a key of Japanese text", 0.005, [sitting.timed(key, PICTURE) for key in japanese])
    sitting.type(CLEAR)
    for key in (bytes([key]) for key in b'fetch MemoDate where category == "'):
        sitting.timed(key, PICTURE)
    tab = row("Tab behind a quote, first time", 0.050, [sitting.timed(b"\t", PICTURE)])
    keys = [b"\x1b[B"] * 5 + [b"\x1b[A"] * 3 + [bytes([key]) for key in b"Priv"]
    menu = row("a key in the menu", 0.005, [sitting.timed(key, PICTURE) for key in keys])
    sitting.type(b"\x1b\x03")
    sitting.settle()
    return [first, again, third, tab, menu]


def long_texts(sitting, rounds):
    lines = [f'title == "誕生日 {number} of a long statement" OR' for number in range(2200)]
    text = "count MemoDate where\n" + "\n".join(lines)
    sitting.timed(BEGIN_PASTE + text.encode() + END_PASTE, PICTURE)
    sitting.type(b" ")
    sitting.settle()
    keys = [bytes([key]) for key in b'title == "x" AND category == "y" ']
    yield row(f"a key at the end of a text of {len(text.encode()) // 1024} KiB", 0.010, [sitting.timed(key, PICTURE) for key in keys])
    for _ in range(30):
        sitting.timed(b"\x1b[A", PICTURE)
    yield row("a key thirty lines above", 0.010, [sitting.timed(key, PICTURE) for key in keys])
    sitting.type(b"\x03")
    sitting.settle()
    pasted = "print " + " +\n".join(f'length("a\t;{1000 + number}")' for number in range(200))

    def paste():
        seconds = sitting.timed(BEGIN_PASTE + pasted.encode() + END_PASTE, PICTURE)
        sitting.type(b"\x03")
        return seconds
    yield row("200 pasted lines", 0.2, [paste() for _ in range(3 * rounds)])
    typed = "count MemoDate where title IN {\r" + ",\r".join(f'"誕生日 {number}"' for number in range(1998)) + "}\r"

    def typed_on():
        handed_over = sitting.timed(typed.encode(), HANDED_OVER)
        start = time.perf_counter()
        sitting.sees(PICTURE)
        return handed_over + time.perf_counter() - start
    yield row("2,000 lines that are not bracketed, and their answer", 0.3, [typed_on() for _ in range(rounds)])


def showing(sitting, rounds):
    sitting.answer(".pager off")
    rows = []
    for statement in ["fetch MemoDate", "fetch MemoDate sort date", "fetch MemoDate sort title"]:
        begun, ended = [], []
        for _ in range(rounds):
            begun.append(sitting.timed(statement.encode() + b"\r", "┤".encode()))
            start = time.perf_counter()
            sitting.type(b"\x03")
            sitting.sees(b"stopped")
            ended.append(time.perf_counter() - start)
            sitting.sees(PICTURE)
        rows += [row(f"the first rows of a million: {statement}", 0.2, begun), row("Control-C then", 0.3, ended)]
    return rows


def stopping(sitting, rounds):
    """Control-C in the middle of a change: what it took, and a fault where something is left."""
    rows = []
    for statement in STOPPED:
        seconds = []
        for behind in [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8] * rounds:
            taken = sitting.stopped(statement, behind)
            seconds.append(taken)
            if "*" in sitting.answer("print 6 * 7").split("\n")[-1]:
                if taken is not None:
                    raise SystemExit(f"{statement}: something was left behind")
                sitting.answer("rollback")
        rows.append(row(f"Control-C: {statement}", 0.3, seconds))
    return rows
