"""The data: memo dates, and items in categories with tags, the same on every machine.

From one seed, and by `random()` alone, whose numbers Python promises never to change.

    store.json   everything as a store of Kura
    dates.json   the memo dates as a plain JSON array, for whole processes
    events.json  a plain JSON array of objects with objects in them, a fifth as many
    *.csv        the same rows for the SQL peers
"""

import os
import random
from contextlib import ExitStack

TITLES = (
    "父の誕生日 母の誕生日 姉の誕生日 結婚記念日 創立記念日 "
    "歯医者の予約 夏休みの宿題 年賀状 支払い期限 引っ越し "
    "Café Résumé naïve Ångström Überweisung passport dentist meeting groceries retrospective"
).split()
WORDS = (
    "掃除 買い物 報告書 見積もり 会議 電話 "
    "alpha beta gamma delta Épsilon mail review deploy invoice"
).split()
CATEGORIES = "Private Office Travel Health Family School Finance Sport".split()
TAGS = 200
MODEL = """{"entities":{
"MemoDate":{"attributes":{"title":{"type":"string"},"category":{"type":"string","default":"Private"},
 "date":{"type":"date"},"notifiable":{"type":"boolean","default":false},
 "priority":{"type":"integer","default":0},"cost":{"type":"double","optional":true}}},
"Category":{"attributes":{"name":{"type":"string"}},
 "relationships":{"items":{"destination":"Item","toMany":true,"inverse":"parentCategory"}}},
"Item":{"attributes":{"title":{"type":"string"},"done":{"type":"boolean","default":false},
 "dueDate":{"type":"date","optional":true},"estimate":{"type":"integer","default":0}},
 "relationships":{"parentCategory":{"destination":"Category","optional":true,"inverse":"items"},
 "tags":{"destination":"Tag","toMany":true,"inverse":"items"}}},
"Tag":{"attributes":{"name":{"type":"string"}},
 "relationships":{"items":{"destination":"Item","toMany":true,"inverse":"tags"}}}}}"""


class Dice(random.Random):
    def below(self, n):
        return int(self.random() * n)

    def pick(self, words):
        return words[self.below(len(words))]

    def day(self, first, years):
        return f"{first + self.below(years)}-{1 + self.below(12):02}-{1 + self.below(28):02}"


def rows(scale):
    """Yields (entity, JSON members, the table's values), and links as ("link", None, values)."""
    dice = Dice(20261121)
    for i in range(1, scale + 1):
        title, category, day = f"{dice.pick(TITLES)} {i}", dice.pick(CATEGORIES), dice.day(1930, 101)
        notifiable, priority = dice.random() < 0.3, dice.below(10)
        cost = dice.below(10_000_000) / 100 if dice.random() < 0.9 else None
        yield "MemoDate", (
            f'"title":"{title}","category":"{category}","date":"{day}","notifiable":{boolean(notifiable)},'
            f'"priority":{priority}' + ("" if cost is None else f',"cost":{cost}')
        ), (i, title, category, day, int(notifiable), priority, "" if cost is None else cost)
    categories = max(1, scale // 100)
    for i in range(1, categories + 1):
        name = f"{dice.pick(WORDS)} {i}"
        yield "Category", f'"name":"{name}"', (i, name)
    for i in range(1, scale // 2 + 1):
        title, done, estimate = f"{dice.pick(WORDS)} {dice.pick(WORDS)} {i}", dice.random() < 0.4, dice.below(481)
        due = dice.day(2020, 11) if dice.random() < 0.75 else ""
        category = 1 + dice.below(categories) if dice.random() < 0.95 else ""
        tags = sorted({1 + dice.below(TAGS) for _ in range(dice.below(4))})
        optional = (f',"dueDate":"{due}"' if due else "") + (f',"parentCategory":{category}' if category else "")
        yield "Item", (
            f'"title":"{title}","done":{boolean(done)},"estimate":{estimate}{optional}'
            + (f',"tags":{tags}' if tags else "")
        ), (i, title, int(done), due, estimate, category)
        for tag in tags:
            yield "link", None, (i, tag)
    for i in range(1, TAGS + 1):
        yield "Tag", f'"name":"tag{i}"', (i, f"tag{i}")


def events(scale):
    """Yields the text of each event."""
    dice = Dice(20261123)
    for i in range(1, scale // 5 + 1):
        city = f'"city":"{dice.pick(WORDS)}",' if dice.random() < 0.8 else ""
        yield (
            f'{{"id":{i},"kind":"{dice.pick(CATEGORIES)}","payload":{{"user":{{"name":"{dice.pick(TITLES)} {dice.below(5000)}",'
            f'{city}"age":{dice.below(90)}}},"amount":{dice.below(1_000_000) / 100},"ok":{boolean(dice.random() < 0.7)},'
            f'"tags":["{dice.pick(WORDS)}","{dice.pick(WORDS)}"]}}}}')


def boolean(value):
    return "true" if value else "false"


def count(scale):
    """How many objects the store has."""
    return scale + max(1, scale // 100) + scale // 2 + TAGS


def write(folder, scale):
    with ExitStack() as files:
        def create(name):
            return files.enter_context(open(os.path.join(folder, name), "w", encoding="utf-8"))

        store, plain = create("store.json"), create("dates.json")
        tables = {name: create(f"{name}.csv") for name in ("MemoDate", "Category", "Item", "Tag", "link")}
        store.write('{"format":"kura/1","model":' + MODEL + ',"objects":{')
        last = None
        for entity, members, values in rows(scale):
            tables[entity].write(",".join(map(str, values)) + "\n")
            if members is None:
                continue
            first = entity != last
            store.write(("\n]," if last and first else "") + (f'\n"{entity}":[\n' if first else ",\n"))
            store.write(f'{{"objectID":{values[0]},{members}}}')
            if entity == "MemoDate":
                plain.write(("[\n" if first else ",\n") + f'{{"id":{values[0]},{members}}}')
            last = entity
        store.write("\n]}}\n")
        plain.write("\n]\n")
        create("events.json").write("[\n" + ",\n".join(events(scale)) + "\n]\n")


def folder(base, scale):
    """The folder of the data for this number of memo dates, which are written if they are not there."""
    path = os.path.join(base, str(scale))
    stamp = os.path.join(path, "complete")
    with open(__file__, encoding="utf-8") as source:
        made_by = source.read()
    if not os.path.exists(stamp) or open(stamp, encoding="utf-8").read() != made_by:
        print(f"writing {count(scale):,} objects to {path}", flush=True)
        os.makedirs(path, exist_ok=True)
        write(path, scale)
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(made_by)
    return path
