"""Documentation/performance.svg: each question's seconds by Kura, DuckDB and SQLite, on a logarithmic line."""

import math
import os

from page import ROOT, duration

FILE = os.path.normpath(os.path.join(ROOT, "Documentation", "performance.svg"))
LEFT, RIGHT, TOP, ROW, WIDTH = 215, 30, 62, 24, 860
# Its own ground, so that it reads in a light page and in a dark one whatever the page says of itself.
STYLE = """
  .ground { fill: #ffffff } text { fill: #1f2328; font-family: system-ui, "DejaVu Sans", sans-serif; font-size: 12px } .line { stroke: #d0d7de }
  .kura { fill: #bc4c00 } .duckdb { fill: #0969da } .sqlite { fill: #6e7781 } .between { stroke: #afb8c1 }
  .small { font-size: 11px } .title { font-size: 14px; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } text { fill: #e6edf3 } .line { stroke: #30363d } .kura { fill: #f0883e }
    .duckdb { fill: #58a6ff } .sqlite { fill: #9198a1 } .between { stroke: #484f58 }
  }
"""
NAMES = {"kura": "Kura", "duckdb": "DuckDB", "sqlite": "SQLite"}


def mark(kind, x, y):
    """A shape for each program, so that nobody depends on colours."""
    if kind == "kura":
        return f'<circle class="kura" cx="{x:.1f}" cy="{y:.1f}" r="5.5"/>'
    if kind == "duckdb":
        return f'<rect class="duckdb" x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9"/>'
    return f'<path class="sqlite" d="M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z"/>'


def text(x, y, words, anchor="start", kind=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{words}</text>'


def axis(low, high, place, bottom):
    """A line for each power of ten."""
    for power in range(low, high + 1):
        x = place(10.0**power)
        yield f'<line class="line" x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}"/>'
        yield text(x, bottom + 16, duration(10.0**power), "middle", "small")


def question(row, y, place):
    found = {kind: place(row[kind]) for kind in NAMES if kind in row}
    yield text(LEFT - 14, y + 4, row["name"], "end")
    yield (f'<line class="between" x1="{min(found.values()):.1f}" y1="{y}" x2="{max(found.values()):.1f}" '
           f'y2="{y}" stroke-width="2"/>')
    for kind in reversed(list(found)):
        yield mark(kind, found[kind], y)


def drawing(rows, heading):
    seconds = [row[kind] for row in rows for kind in NAMES if kind in row]
    low, high = math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)))
    bottom = TOP + ROW * len(rows)

    def place(value):
        return LEFT + (math.log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 30}" role="img" '
           f'aria-label="{heading}"><style>{STYLE}</style>')
    yield f'<rect class="ground" width="{WIDTH}" height="{bottom + 30}" rx="6"/>'
    yield text(14, 22, heading, kind="title")
    x = LEFT
    for kind, name in NAMES.items():
        yield mark(kind, x, 38)
        yield text(x + 12, 42, name)
        x += 90
    yield from axis(low, high, place, bottom)
    for i, row in enumerate(rows):
        yield from question(row, TOP + ROW * i + ROW / 2, place)
    yield "</svg>"


def write(rows, scale):
    heading = f"Seconds for a question, {scale:,} memo dates (further left is faster)"
    with open(FILE, "w", encoding="utf-8") as file:
        file.write("\n".join(drawing(rows, heading)) + "\n")
