"""The questions, as Kura and as SQL know them, with variants so that no result cache can answer.

A variant's values stand for {0}, {1} … in each text. SQLite gets DuckDB's text where it is given none of its own.
"""

from dataclasses import dataclass

DATES = 'select id as "objectID", title, category, date, notifiable, priority, cost from MemoDate'


@dataclass
class Question:
    name: str
    kura: str
    duckdb: str
    variants: list
    # None where SQLite cannot ask it.
    sqlite: str | None = "as DuckDB"
    # The file that Kura has open.
    file: str = "store.json"
    # What is asked behind a change, to see what it did: of Kura, and of SQL; the change is taken back then.
    check: tuple[str, str] | None = None
    # Whether the rows are written into a file as CSV, and that is compared.
    is_written: bool = False

    def text(self, program, variant):
        """The question to "kura", "duckdb" or "sqlite"; None if that one cannot be asked."""
        template = getattr(self, program)
        if template == "as DuckDB":
            template = self.duckdb
        return template and template.format(*variant)


QUESTIONS = [
    Question(
        "contains, folded, first five",
        'fetch MemoDate where title CONTAINS[cd] "{0}" sort date desc, objectID limit 5',
        DATES + " where contains(strip_accents(lower(title)), strip_accents(lower('{0}'))) "
        "order by date desc, id limit 5",
        [("誕生",), ("記念",), ("CAFE",), ("resume",), ("期限",)],
        # LIKE folds the case of ASCII alone; that is the nearest it has.
        DATES + " where title like '%{0}%' order by date desc, id limit 5"),
    Question(
        "contains, exact, count", 'count MemoDate where title CONTAINS "{0}"',
        "select count(*) from MemoDate where contains(title, '{0}')",
        [("母の",), ("創立",), ("Résumé",), ("passport",), ("引っ越し",)],
        "select count(*) from MemoDate where instr(title, '{0}') > 0"),
    Question(
        "begins with, any case, count", 'count MemoDate where title BEGINSWITH[c] "{0}"',
        "select count(*) from MemoDate where starts_with(lower(title), lower('{0}'))",
        [("PASS",), ("meeting 1",), ("Dentist",), ("groc",), ("RETRO",)],
        "select count(*) from MemoDate where title like '{0}%'"),
    Question(
        "equal and greater, count", 'count MemoDate where category == "{0}" AND priority > {1}',
        "select count(*) from MemoDate where category = '{0}' and priority > {1}",
        [("Office", 2), ("Travel", 6), ("Sport", 4), ("Finance", 7), ("School", 1)]),
    Question(
        "range of dates, count", 'count MemoDate where date BETWEEN {{"{0}", "{1}"}}',
        "select count(*) from MemoDate where date between date '{0}' and date '{1}'",
        [("1970-01-01", "1979-12-31"), ("1985-04-01", "1986-03-31"), ("2000-01-01", "2025-06-30"),
         ("1931-01-01", "1960-01-01"), ("2010-10-10", "2012-12-12")],
        "select count(*) from MemoDate where date between '{0}' and '{1}'"),
    Question(
        "like, any case, count", 'count MemoDate where title LIKE[c] "{0}"',
        "select count(*) from MemoDate where lower(title) like lower('{1}')",
        [("*pass*3", "%pass%3"), ("meet*ng 1?", "meet%ng 1_"), ("*groc*77", "%groc%77"),
         ("d?ntist*8", "d_ntist%8"), ("*retro*i*5", "%retro%i%5")],
        "select count(*) from MemoDate where title like '{1}'"),
    Question(
        "matches a pattern, count", 'count MemoDate where title MATCHES "{0}"',
        "select count(*) from MemoDate where regexp_full_match(title, '{0}')",
        [(".*記念日 [0-9]+7",), ("passport 2[0-9]*",), (".*(meeting|dentist) .*55",), ("[A-Z].* 8.*",),
         (".*期限 .*",)], None),
    Question(
        "in lists, count", 'count MemoDate where priority IN {{{0}}} AND category IN {{"Family", "{1}"}}',
        "select count(*) from MemoDate where priority in ({0}) and category in ('Family', '{1}')",
        [("2,4,6", "Sport"), ("1,9", "Travel"), ("0,5", "Health"), ("3,7,8", "Office"), ("6,8,9", "School")]),
    Question(
        "sort by two keys, a page",
        "fetch MemoDate where priority == {0} sort category, date desc, objectID offset 500 limit 20",
        DATES + " where priority = {0} order by category, date desc, id limit 20 offset 500",
        [(0,), (2,), (4,), (6,), (8,)]),
    Question(
        "sort by a text, a page",
        "fetch MemoDate where priority != {0} sort title, objectID offset 500 limit 20",
        DATES + " where priority != {0} order by title, id limit 20 offset 500",
        [(1,), (3,), (5,), (7,), (9,)]),
    Question(
        "groups with aggregates",
        "fetch MemoDate where priority >= {0} select category, count(SELF) as n, max(date) as latest, "
        "avg(cost) as mean group by category sort category",
        "select category, count(*) as n, max(date) as latest, avg(cost) as mean from MemoDate "
        "where priority >= {0} group by category order by category",
        [(0,), (1,), (3,), (5,), (7,)]),
    Question(
        "path through a to-one, count", 'count Item where parentCategory.name BEGINSWITH "{0}" AND done == NO',
        "select count(*) from Item i join Category c on i.category = c.id "
        "where starts_with(c.name, '{0}') and not done",
        [("掃除",), ("alpha",), ("会議",), ("review",), ("invoice",)],
        "select count(*) from Item i join Category c on i.category = c.id "
        "where c.name like '{0}%' and not done"),
    Question(
        "any of a to-many, count", 'count Category where ANY items.title CONTAINS "{0}"',
        "select count(*) from Category c where exists "
        "(select 1 from Item i where i.category = c.id and contains(i.title, '{0}'))",
        [("電話 9",), ("deploy 12",), ("見積もり 4",), ("mail 33",), ("報告書 7",)],
        "select count(*) from Category c where exists "
        "(select 1 from Item i where i.category = c.id and instr(i.title, '{0}') > 0)"),
    Question(
        "subquery, count",
        "count Category where SUBQUERY(items, $i, $i.done == NO AND $i.estimate > {0}).@count > {1}",
        "select count(*) from Category c where "
        "(select count(*) from Item i where i.category = c.id and not i.done and i.estimate > {0}) > {1}",
        [(200, 16), (120, 20), (320, 9), (420, 4), (60, 25)]),
    Question(
        "collection operators, count", "count Category where items.@count > {0} AND items.@avg.estimate > {1}",
        "select count(*) from Category c where (select count(*) from Item i where i.category = c.id) > {0} "
        "and (select avg(estimate) from Item i where i.category = c.id) > {1}",
        [(46, 240), (42, 250), (38, 255), (52, 235), (49, 245)]),
    Question(
        "any of a many-to-many, count", 'count Item where ANY tags.name == "{0}" AND done == YES',
        "select count(*) from Item i where done and exists "
        "(select 1 from link l join Tag t on l.tag = t.id where l.item = i.id and t.name = '{0}')",
        [("tag3",), ("tag150",), ("tag64",), ("tag200",), ("tag11",)]),
    Question(
        "one object by its number", "fetch MemoDate where objectID == {0}", DATES + " where id = {0}",
        [(19,), (4321,), (9876,), (1234,), (7777,)]),
]
