"""The matrix: each attribute type under each operator, function and clause that it can have, in nanoseconds per row.

A store for each type has a million rows. Each row belongs to one of its owners, ten rows to an owner, and both have the
same keys: values that repeat and values that do not, without nil and with it. By default each operator is asked of each
type once, with the other dimensions in turn, so that all pairs of them occur; the long form asks all combinations.
A row is an element if a to-many relationship is crossed. Of what a fetch selects, values are counted and not written.
"""

import base64
import hashlib
import inspect
import itertools
import json
import os
import re
import uuid

import data

LIMIT = 60
TYPES = ["integer", "float", "double", "decimal", "boolean", "ascii", "japanese", "emoji", "date", "uuid", "uri", "data", "json"]
ATTRIBUTES = {"ascii": "string", "japanese": "string", "emoji": "string", "data": "binary"}
NUMBERS, TEXTS = {"integer", "float", "double", "decimal"}, {"ascii", "japanese", "emoji"}
# Values that repeat or not, with nil or without, and where the key is.
KEYS = list(itertools.product(["few", "many"], ["Full", "Nil"]))
PLACES = ["direct", "to-one", "to-many"]
FEW = 40
WORDS = {
    "ascii": "passport dentist meeting groceries retrospective invoice deploy review Alpha Beta Gamma".split(),
    "japanese": "誕生日 記念日 歯医者 夏休み 年賀状 支払い 引っ越し 掃除 買い物 報告書 ガス料金".split(),
    "emoji": "🎂 🎉 👨‍👩‍👧 🦷 🏖 ✉️ 💴 📦 🧹 🛒 📄".split(),
}


class Type:
    """One attribute type: its values, and how one is written as a literal of the language."""

    def __init__(self, name):
        self.name = name
        self.attribute = ATTRIBUTES.get(name, name)
        dice = data.Dice(20261127)
        self.few = [self.value(dice, i) for i in range(2 if name == "boolean" else FEW)]

    def value(self, dice, i):
        """A value as JSON writes it in a store."""
        match self.name:
            case "integer": return i * 7 % 1_000_003
            case "float": return dice.below(1 << 20) / 16
            case "double": return dice.below(100_000_000) / 1000
            case "decimal": return f"{dice.below(10_000_000)}.{dice.below(100):02}"
            case "boolean": return i % 2 == 0
            case "date": return f"{dice.day(1990, 40)}T{dice.below(24):02}:{dice.below(60):02}:00Z"
            case "uuid": return str(uuid.UUID(int=int(dice.random() * 2**60) << 64 | i)).upper()
            case "uri": return f"https://example.com/{dice.below(50)}/{i}?q={dice.below(1000)}"
            case "data": return base64.b64encode(f"{i:08}{dice.below(1 << 30)}".encode()).decode()
            case "json": return {"a": dice.below(1000), "b": f"{dice.pick(WORDS['ascii'])} {i}", "c": [dice.below(9), dice.below(9)]}
            case text: return f"{dice.pick(WORDS[text])} {dice.pick(WORDS[text])} {i}"

    def literal(self, value):
        if self.name in {"boolean"}:
            return "YES" if value else "NO"
        if self.name == "decimal":
            return value
        return json.dumps(value, ensure_ascii=False)


def write(path, kind, rows):
    """A store with the rows of one type and their owners, ten rows to an owner."""
    dice, owners = data.Dice(20261128), max(1, rows // 10)
    key = json.dumps({"type": kind.attribute, "optional": True})
    keys = ",".join(f'"{many}{full}":{key}' for many, full in KEYS)
    model = (f'{{"entities":{{"Row":{{"attributes":{{{keys},"other":{key},"amount":{{"type":"integer"}}}},'
             '"relationships":{"owner":{"destination":"Owner","optional":true,"inverse":"rows"}}},'
             f'"Owner":{{"attributes":{{{keys}}},"relationships":'
             '{"rows":{"destination":"Row","toMany":true,"inverse":"owner"}}}}}')

    def members(i, more=""):
        few, many = kind.few[dice.below(len(kind.few))], kind.value(dice, i)
        kept = [("fewFull", few), ("manyFull", many)] + ([("fewNil", few), ("manyNil", many)] if dice.random() < 0.8 else [])
        return ",".join(f'"{name}":{json.dumps(value, ensure_ascii=False)}' for name, value in kept) + more

    with open(path, "w", encoding="utf-8") as file:
        file.write('{"format":"kura/1","timezone":"UTC","model":' + model + ',"objects":{"Owner":[\n')
        file.write(",\n".join(f'{{"objectID":{i},{members(i)}}}' for i in range(1, owners + 1)))
        file.write('],\n"Row":[\n')
        for i in range(1, rows + 1):
            other = json.dumps(kind.few[dice.below(len(kind.few))], ensure_ascii=False)
            more = f',"other":{other},"amount":{dice.below(1000)},"owner":{1 + dice.below(owners)}'
            file.write((",\n" if i > 1 else "") + f'{{"objectID":{i},{members(i, more)}}}')
        file.write("\n]}}\n")


def tests(kind):
    """The conditions of a type: a key is {k}, a key of the same row beside it {o}."""
    values = [kind.literal(value) for value in kind.few]
    first, last = values[0], values[-1]
    if kind.name == "json":
        yield from ["{k}.a == 5", "{k}.a > 500", "{k}.a IN {1, 2, 3, 500}", '{k}.b CONTAINS "dent"', '{k}.b BEGINSWITH[cd] "PASS"',
                    "{k}.a * 2 > 900", "({k}.c)[0] == 3", "{k}.x == nil", "{k} == nil", "{k}.a == {o}.a"]
        return
    yield from [f"{{k}} == {first}", f"{{k}} != {first}", f"{{k}} IN {{{', '.join(values[:5])}}}", f"NOT {{k}} IN {{{', '.join(values)}}}",
                "{k} == {o}", "{k} == nil", "{k} != nil", f"coalesce({{k}}, {last}) == {first}",
                f"TERNARY({{k}} == {first}, {{o}}, {{k}}) == {last}"]
    if kind.name == "boolean":
        yield from ["{k} == YES AND {o} == NO"]
    if kind.name in NUMBERS | TEXTS | {"date"}:
        low, high = sorted(kind.few, key=(lambda value: float(value)) if kind.name == "decimal" else None)[10::19][:2]
        low, high = kind.literal(low), kind.literal(high)
        yield from [f"{{k}} < {high}", f"{{k}} >= {low}", f"{{k}} BETWEEN {{{low}, {high}}}", "{k} < {o}"]
    if kind.name in NUMBERS:
        yield from ["{k} * 2 + 1 > 9000", "{k} / 3 < 4000", "{k} + {o} > 9000", "abs({k} - 500) < 400", "floor({k}) > 500", "round({k}) > 500",
                    "sqrt({k}) < 50", "-{k} < -500", 'CAST({k}, "NSString") == "7"']
    if kind.name == "integer":
        yield from ["modulus:by:({k}, 7) == 3", "bitwiseAnd:with:({k}, 6) == 2"]
    if kind.name in TEXTS:
        word, part = WORDS[kind.name][0], WORDS[kind.name][1]
        yield from [f'{{k}} CONTAINS "{word}"', f'{{k}} CONTAINS[cd] "{part.upper()}"', f'{{k}} BEGINSWITH "{word}"', f'{{k}} BEGINSWITH[cd] "{word.upper()}"',
                    f'{{k}} ENDSWITH "7"', f'{{k}} ENDSWITH[c] "{part} 7"', f'{{k}} LIKE "*{word}*1?"', f'{{k}} LIKE[cd] "{word}*"',
                    f'{{k}} MATCHES ".*{word} [0-9]+"', f'{{k}} MATCHES[c] "{word}.*"', f"{{k}} ==[cd] {first}", f"{{k}} IN[c] {{{first}, {last}}}",
                    f"{{k}} <[cd] {first}", "{k} CONTAINS {o}", "{k} BEGINSWITH[cd] {o}", "length({k}) > 12", f'uppercase({{k}}) == "{word.upper()} 1"',
                    f'substring({{k}}, 0, 2) == "{word[:2]}"', 'concat({k}, "x") ENDSWITH "7x"', f'trim({{k}}) BEGINSWITH "{word}"',
                    f'canonical({{k}}) == "{word}"']
    if kind.name == "date":
        yield from ["year({k}) == 1999", "month({k}) == 6", "weekday({k}) == 1", "hour({k}) < 8", 'startOfDay({k}) == "1999-01-01"',
                    'dateByAdding({k}, 1, "month") > "2010-01-01"', 'daysBetween({k}, "2020-01-01") > 3000', 'timeBetween({k}, "2020-01-01", "hours") > 90000',
                    "daysBetween({k}, {o}) > 100", 'format({k}, "yyyy-MM") == "1999-06"']
    if kind.name == "uri":
        yield from ['CAST({k}, "NSString") CONTAINS "/7/"']


def expressions(kind):
    """What can be selected, sorted and grouped by."""
    if kind.name == "json":
        return ["{k}.a", "{k}.b", "{k}.a + 1"]
    more = {"date": ["year({k})", "startOfDay({k})", 'format({k}, "yyyy-MM")', 'dateByAdding({k}, 7, "day")']}
    if kind.name in NUMBERS:
        return ["{k}", "{k} * 2", "coalesce({k}, 0)", "{k} + {o}", "floor({k})"]
    if kind.name in TEXTS:
        return ["{k}", "uppercase({k})", "length({k})", "concat({k}, {o})", "substring({k}, 0, 3)", "coalesce({k}, {o})"]
    return ["{k}"] + more.get(kind.name, ["coalesce({k}, {o})"])


def questions(kind):
    """Yields (clause, what, text of the direct or to-one question, text of the to-many one or None)."""
    for test in tests(kind):
        many = None if "{o}" in test or test.startswith("NOT") or test.startswith("TERNARY") else f"count Owner where ANY {test}"
        # A collection alone may be compared, or stand in a SUBQUERY under any operator.
        if many and not re.match(r"\{k\}(\.[ab])? ([=!<>]|IN|BETWEEN|CONTAINS|BEGINSWITH|ENDSWITH|LIKE|MATCHES)", test):
            many = None
        many = many or "count Owner where SUBQUERY(rows, $r, " + test + ").@count > 3"
        yield "where", test, f"count Row where {test}", many
    for expression in expressions(kind):
        yield "select", expression, f"fetch Row select count({expression}) as n", None
        yield "sort", expression, f"fetch Row sort {expression}, objectID offset {{half}} limit 1", None
        yield "group", expression, f"fetch Row select {expression} as g, count(SELF) as n group by g limit 1", None
        yield "distinct", expression, f"fetch Row select distinct {expression} as g limit 1", None
    if kind.name in TEXTS:
        yield "sort", "{k} [c]", "fetch Row sort {k}[c], objectID offset {half} limit 1", None
        yield "sort", "{k} [cd]", "fetch Row sort {k}[cd], objectID offset {half} limit 1", None
    if kind.name == "json":
        aggregates, key = ["count", "min", "max", "sum", "avg"], "{k}.a"
    else:
        numeric = kind.name in NUMBERS
        ordered = numeric or kind.name in TEXTS | {"date"}
        aggregates, key = ["count"] + ["min", "max"] * ordered + ["sum", "avg"] * numeric, "{k}"
    for name in aggregates:
        link = f"fetch Owner select sum(rows.@{name}.{{k}}) as n" if name in {"sum", "avg", "min", "max"} and kind.name in NUMBERS else None
        yield "aggregate", name, f"fetch Row select {name}({key}) as n", link
        yield "grouped", name, f"fetch Row select amount, {name}({key}) as n group by amount limit 1", None
    if kind.name in NUMBERS:
        yield "aggregate", "sum of TERNARY", "fetch Row select sum(TERNARY(amount > 500, {k}, 0)) as n", None
        yield "aggregate", "max of coalesce", "fetch Row select max(coalesce({k}, 0)) as n", None
        yield "grouped", "sum of TERNARY", "fetch Row select amount, sum(TERNARY(amount > 500, {k}, 0)) as n group by amount limit 1", None
    yield "set", "constant", f"update Row set other = {kind.literal(kind.few[1]) if kind.name != 'json' else 'nil'} all", None
    yield "set", "key", "update Row set other = {k} all", None
    if kind.name in NUMBERS:
        yield "set", "arithmetic", "update Row set other = {k} + 1 all", None


def cells(kind, rows, every=False):
    """Yields (name, statement, rows that it goes through): all combinations, or a covering part of them."""
    turn = 0
    for clause, what, near, far in questions(kind):
        places = PLACES if far else PLACES[:2]
        if clause == "set":
            places = PLACES[:2]
        combinations = list(itertools.product(places, KEYS))
        chosen = combinations if every else [combinations[turn * 5 % len(combinations)]]
        turn += 1
        for place, (many, full) in chosen:
            key = many + full
            text = far if place == "to-many" else near
            path = {"direct": key, "to-one": f"owner.{key}", "to-many": f"rows.{key}"}[place]
            if place == "to-many" and "SUBQUERY" in text:
                path = f"$r.{key}"
            if place == "to-many" and clause == "aggregate":
                path = key
            other = "$r.other" if place == "to-many" else "other"
            statement = text.replace("{k}", path).replace("{o}", other).replace("{half}", str(rows // 2))
            yield f"{kind.name} {full.lower()} {many} {place}: {clause} {what.replace('{k}', key).replace('{o}', 'other')}", statement, rows


def store(base, kind, rows):
    """The path of the store of a type, which is written if it is not there."""
    folder = os.path.join(base, f"matrix-{rows}")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{kind.name}-{fingerprint()}.json")
    if not os.path.exists(path):
        write(path + ".part", kind, rows)
        os.replace(path + ".part", path)
    return path


def fingerprint():
    """What changes with the code that writes the stores."""
    source = "".join(inspect.getsource(part) for part in (Type, write, data.Dice)) + repr((WORDS, FEW, ATTRIBUTES))
    return hashlib.sha256(source.encode()).hexdigest()[:8]


def run(kura, base, rows, every=False, types=TYPES, about=()):
    """Gives (name, statement, nanoseconds per row) of each cell; each statement runs twice in one process, and the second is timed."""
    for name in types:
        kind = Type(name)
        chosen = [cell for cell in cells(kind, rows, every) if all(text in cell[0] for text in about)]
        if not chosen:
            continue
        scripts = [([".timeout 60", statement] + ["undo"] * (statement.startswith("update")), statement,
                    ["undo"] * statement.startswith("update")) for _, statement, _ in chosen]
        seconds, _ = kura.asked(store(base, kind, rows), scripts)
        for (cell, statement, count), time in zip(chosen, seconds):
            yield cell, statement, time / count * 1e9


def report(cells):
    """Lines: how many cells are within the limit, and those that are not, the slowest first."""
    slow = sorted((cell for cell in cells if cell[2] > LIMIT), key=lambda cell: -cell[2])
    yield f"{len(cells) - len(slow)} of {len(cells)} cells take at most {LIMIT} ns per row"
    for name, statement, time in slow:
        yield f"{time:8,.0f} ns  {name}\n             {statement}"
