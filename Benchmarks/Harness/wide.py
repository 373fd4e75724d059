"""The second table: questions of every kind that the language has, so that none is fast by being the one that is measured.

`count where` and `page` write what many of them share. SQLite is asked DuckDB's text; where it has no such function, or needs longer
than LIMIT, it is left out.
"""

from questions import DATES, Question

# Seconds after which SQLite need not go on.
LIMIT = 3.0
ITEMS = 'select id as "objectID", title, done, due as "dueDate", estimate from Item'
PAIR = "from Item i join Category c on i.category = c.id"
ALONE = "objectID, title, done, dueDate, estimate"


def numbers(*values):
    return [(value,) for value in values]


def counts(kind, *questions):
    """Memo dates are counted: what Kura asks, what SQL asks, what stands for {0}."""
    return [Question(f"{kind}: {kura.replace('{0}', str(values[0])).replace('{{', '{').replace('}}', '}')}",
                     f"count MemoDate where {kura}", f"select count(*) from MemoDate where {sql}", numbers(*values))
            for kura, sql, values in questions]


def whole(kind, *questions):
    """Whole statements; the first text is their name."""
    return [Question(f"{kind}: {name}", kura, sql, numbers(*values)) for name, kura, sql, values in questions]


def listed(words):
    """A list of texts as Kura writes it, and as SQL does."""
    words = list(words)
    return ", ".join(f'"{word}"' for word in words), ", ".join(f"'{word}'" for word in words)


ARITHMETIC = counts(
    "arithmetic",
    ("priority * {0} > cost", "priority * {0} > cost", [9000, 8000, 7000, 6000]),
    ("cost * 2 + priority > {0}", "cost * 2 + priority > {0}", [100000, 90000, 80000, 70000]),
    ("(priority + 1) * (priority - 1) >= {0}", "(priority + 1) * (priority - 1) >= {0}", [15, 24, 35, 48]),
    ("cost / 12 BETWEEN {{{0}, 5000}}", "cost / 12 between {0} and 5000", [1000, 2000, 3000, 4000]),
    ("modulus:by:(priority, 7) == {0}", "priority % 7 = {0}", [1, 2, 3, 4]),
    ("priority & 4 == 4 AND priority != {0}", "priority & 4 = 4 and priority != {0}", [1, 5, 6, 7]),
    ("abs(cost - 50000) < {0}", "abs(cost - 50000) < {0}", [1000, 2000, 3000, 4000]),
    ("sqrt(cost) > {0}", "sqrt(cost) > {0}", [100, 150, 200, 250]),
    ("round(cost / 1000) == {0}", "round(cost / 1000) = {0}", [10, 20, 30, 40]),
    ("floor(cost) == {0}", "floor(cost) = {0}", [5000, 777, 1234, 99000]),
)
DATED = counts(
    "dates",
    ("year(date) == {0}", "year(date) = {0}", [1999, 2000, 2001, 2002]),
    ("month(date) == {0} AND day(date) == 1", "month(date) = {0} and day(date) = 1", [1, 4, 7, 12]),
    ("weekday(date) == {0}", "dayofweek(date) + 1 = {0}", [1, 3, 5, 7]),
    ('daysBetween("2000-01-01", date) BETWEEN {{0, {0}}}', "date - date '2000-01-01' between 0 and {0}", [100, 365, 800, 3000]),
    ('dateByAdding(date, {0}, "day") > "2020-01-01"', "date + {0} > date '2020-01-01'", [7, 30, 90, 365]),
    ('date >= "{0}-05-01" AND date < "2020-05-01"', "date >= date '{0}-05-01' and date < date '2020-05-01'",
     [1960, 1970, 1980, 1990]),
    ('dateByAdding(date, {0}, "month") >= "2025-01-01"', "date + interval {0} month >= date '2025-01-01'", [1, 6, 12, 18]),
)
TEXTS = counts(
    "texts",
    ("length(title) < {0}", "length(title) < {0}", [12, 11, 13, 14]),
    ('lowercase(title) BEGINSWITH "re{0}"', "starts_with(lower(title), 're{0}')", ["t", "s", "x", "tr"]),
    ('uppercase(title) == "DENTIST {0}"', "upper(title) = 'DENTIST {0}'", [9, 19, 29, 39]),
    ('substring(title, 0, 2) == "{0}"', "substr(title, 1, 2) = '{0}'", ["pa", "父の", "Ca", "結婚"]),
    ('substring(title, {0}, 3) == "sum"', "substr(title, {0} + 1, 3) = 'sum'", [2, 3, 1, 4]),
    ('title CONTAINS "{0}"', "contains(title, '{0}')", ["eeting", "ナ", "予約 1", "77"]),
    ('title CONTAINS[c] "{0}"', "contains(lower(title), lower('{0}'))", ["ÜBER", "ånG", "GROCERIES 1", "Naïve 7"]),
    ('title CONTAINS[cd] "{0}"', "contains(strip_accents(lower(title)), '{0}')", ["uber", "angstrom 1", "resume", "cafe 9"]),
    ('title BEGINSWITH[cd] "{0}"', "starts_with(strip_accents(lower(title)), '{0}')", ["uber", "angst", "resume", "cafe 9"]),
    ('title ENDSWITH "{0}"', "suffix(title, '{0}')", ["77", "001", "123", "9"]),
    ('title ENDSWITH[c] "GROCERIES {0}"', "suffix(lower(title), 'groceries {0}')", [4, 44, 777, 1]),
    ("title CONTAINS category AND priority > {0}", "contains(title, category) and priority > {0}", [-1, -2, -3, -4]),
    ('concat(category, "-", priority) == "Office-{0}"', "category || '-' || priority = 'Office-{0}'", [1, 2, 3, 4]),
    ('lowercase(category) == "{0}"', "lower(category) = '{0}'", ["office", "travel", "sport", "family"]),
    ('title LIKE "*e?t*{0}"', "title like '%e_t%{0}'", [1, 22, 333, 4]),
    ('title LIKE[cd] "*resume*{0}"', "strip_accents(lower(title)) like '%resume%{0}'", [1, 22, 333, 4]),
    ('title > "{0}"', "title > '{0}'", ["dentist", "passport 5", "naïve", "結婚"]),
    ('trim(title) == "Café {0}"', "trim(title) = 'Café {0}'", [1, 20, 300, 4000]),
) + counts(
    "patterns",
    ('title MATCHES "[a-z]+ {0}[0-9]*"', "regexp_full_match(title, '[a-z]+ {0}[0-9]*')", [1, 22, 33, 4]),
    ('title MATCHES[c] "PASS.*{0}"', "regexp_full_match(title, 'PASS.*{0}', 'i')", [7, 8, 9, 3]),
    ('title MATCHES[c] "(meet|groc)[a-z]* .*{0}"', "regexp_full_match(title, '(meet|groc)[a-z]* .*{0}', 'i')", [7, 88, 9, 3]),
    ('title MATCHES ".*[0-9]{{5}}{0}"', "regexp_full_match(title, '.*[0-9]{{5}}{0}')", [1, 2, 3, 4]),
)
CHOICES = counts(
    "options",
    ("coalesce(cost, 0) < {0}", "coalesce(cost, 0) < {0}", [1000, 2000, 3000, 4000]),
    ("TERNARY(priority > 5, cost, 0) > {0}", "case when priority > 5 then cost else 0 end > {0}", [100, 1000, 10000, 50000]),
    ('TERNARY(notifiable == YES, category, title) == "{0}"', "case when notifiable then category else title end = '{0}'",
     ["Office", "Travel", "Sport", "School"]),
    ("cost == nil AND priority == {0}", "cost is null and priority = {0}", [1, 2, 3, 4]),
    ("NOT (priority > {0} OR category == \"Office\")", "not (priority > {0} or category = 'Office')", [1, 2, 3, 4]),
    ("(priority > {0} AND notifiable == YES) OR cost < 500", "(priority > {0} and notifiable) or cost < 500", [5, 6, 7, 8]),
) + counts(
    "lists",
    ("priority IN {{1, 3, {0}}}", "priority in (1, 3, {0})", [5, 7, 9, 2]),
    ("cost IN {{1.5, 20.25, 99.99, 5000.01, {0}}}", "cost in (1.5, 20.25, 99.99, 5000.01, {0})", [7.5, 77.25, 9000.5, 1000.0]),
    ('title IN {{"passport 1", "dentist 2", "naïve {0}"}}', "title in ('passport 1', 'dentist 2', 'naïve {0}')", [3, 30, 300, 77]),
    ('category IN[c] {{"OFFICE", "{0}"}}', "lower(category) in ('office', lower('{0}'))", ["TRAVEL", "sport", "HEALTH", "Family"]),
    ('title BETWEEN[c] {{"D", "{0}"}}', "lower(title) between 'd' and lower('{0}')", ["e", "m", "N", "p"]),
    ('title IN[c] {{"PASSPORT 5", "Dentist {0}"}}', "lower(title) in ('passport 5', lower('Dentist {0}'))", [3, 30, 300, 77]),
) + [Question(
    "lists: title IN {1,000 texts}", "count MemoDate where title IN {{{0}}}", "select count(*) from MemoDate where title in ({1})",
    [listed(f"passport {n * 31 + shift}" for n in range(1000)) for shift in (1, 2, 3, 4)])]
PATHS = whole(
    "to one",
    ("parentCategory.name == title", "count Item where parentCategory.name == title AND estimate >= {0}",
     f"select count(*) {PAIR} where c.name = i.title and estimate >= {{0}}", [0, 1, 2, 3]),
    ("length(parentCategory.name) * 20 > estimate", "count Item where length(parentCategory.name) * {0} > estimate",
     f"select count(*) {PAIR} where length(c.name) * {{0}} > estimate", [20, 30, 40, 10]),
    ("parentCategory.name CONTAINS[c] \"MAIL\"", 'count Item where parentCategory.name CONTAINS[c] "{0}"',
     f"select count(*) {PAIR} where contains(lower(c.name), lower('{{0}}'))", ["MAIL", "Review", "DEP", "épsi"]),
    ("parentCategory == nil", "count Item where parentCategory == nil AND estimate > {0}",
     "select count(*) from Item where category is null and estimate > {0}", [10, 20, 30, 40]),
    ("sort parentCategory.name", "fetch Item sort parentCategory.name, objectID limit {0} select " + ALONE,
     ITEMS.replace("from Item", "from Item i").replace("select id", "select i.id").replace(" title", " i.title")
     + " left join Category c on i.category = c.id order by c.name nulls first, i.id limit {0}", [10, 11, 12, 13]),
) + whole(
    "to many",
    ("ANY items.estimate > length(name) * 50", "count Category where ANY items.estimate > length(name) * {0}",
     f"select count(distinct c.id) {PAIR} where i.estimate > length(c.name) * {{0}}", [50, 51, 52, 53]),
    ("ALL items.estimate > 5", "count Category where ALL items.estimate > {0}",
     "select count(*) from Category c where not exists (select 1 from Item i where i.category = c.id and i.estimate <= {0})",
     [5, 6, 7, 8]),
    ("NONE items.done == YES", 'count Category where NONE items.title BEGINSWITH "{0}"',
     "select count(*) from Category c where not exists (select 1 from Item i where i.category = c.id and "
     "starts_with(i.title, '{0}'))", ["掃除", "mail", "会議", "alpha"]),
    ("items.@max.dueDate > a date", 'count Category where items.@max.dueDate > "2030-{0}-01"',
     "select count(*) from (select category from Item where category is not null group by category having max(due) > "
     "date '2030-{0}-01')", [10, 11, 12, "09"]),
    ("items.@sum.estimate / items.@count", "count Category where items.@sum.estimate > items.@count * {0}",
     "select count(*) from (select category from Item where category is not null group by category having "
     "sum(estimate) > count(*) * {0})", [240, 250, 230, 260]),
    ("estimate > parentCategory.items.@avg.estimate", "count Item where estimate > parentCategory.items.@avg.estimate + {0}",
     "select count(*) from Item i join (select category, avg(estimate) a from Item group by 1) c on i.category = c.category "
     "where i.estimate > c.a + {0}", [0, 1, 2, 3]),
    ("tags.@count == 2", "count Item where tags.@count == {0}",
     "select count(*) from (select item from link group by item having count(*) = {0})", [2, 1, 3, 2]),
    ("ANY tags.name IN {…}", 'count Item where ANY tags.name IN {{"tag1", "tag{0}"}}',
     "select count(distinct item) from link l join Tag t on l.tag = t.id where t.name in ('tag1', 'tag{0}')", [5, 50, 150, 77]),
    ("@max as a column, sorted", "fetch Category select name, items.@max.dueDate as d sort d desc, name limit {0}",
     "select c.name, max(due) d from Category c left join Item i on i.category = c.id group by c.id, c.name "
     "order by d desc nulls last, c.name limit {0}", [10, 11, 12, 13]),
    ("SUBQUERY with the owner's key", "count Category where SUBQUERY(items, $i, $i.title BEGINSWITH name).@count > {0}",
     f"select count(*) from (select c.id {PAIR} where starts_with(i.title, c.name) group by c.id having count(*) > {{0}})",
     [0, 1, 2, 3]),
    ("SUBQUERY with two sides", "count Category where SUBQUERY(items, $i, $i.estimate > length(name) * {0} AND $i.done == NO)"
     ".@count > 20",
     f"select count(*) from (select c.id {PAIR} where i.estimate > length(c.name) * {{0}} and not done group by c.id "
     "having count(*) > 20)", [10, 12, 14, 16]),
    ("SUBQUERY in a SUBQUERY", "count Category where SUBQUERY(items, $i, SUBQUERY($i.tags, $t, $t.name == \"tag{0}\").@count > 0)"
     ".@count > 1",
     "select count(*) from (select i.category from Item i join link l on l.item = i.id join Tag t on l.tag = t.id "
     "where t.name = 'tag{0}' and i.category is not null group by i.category having count(distinct i.id) > 1)", [5, 50, 150, 77]),
) + whole(
    "nested",
    ("above the mean", "count MemoDate where cost > (fetch MemoDate where priority == {0} select avg(cost))",
     "select count(*) from MemoDate where cost > (select avg(cost) from MemoDate where priority = {0})", [1, 2, 3, 4]),
    ("IN a fetch of objects", "count Item where parentCategory IN (fetch Category where name BEGINSWITH \"{0}\")",
     "select count(*) from Item where category in (select id from Category where starts_with(name, '{0}'))",
     ["mail", "alpha", "会議", "review"]),
    ("IN a fetch of texts", "count MemoDate where title IN (fetch MemoDate where priority == {0} select title)",
     "select count(*) from MemoDate where title in (select title from MemoDate where priority = {0})", [1, 2, 3, 4]),
    ("IN a fetch of numbers", "count Item where estimate IN (fetch MemoDate where cost < 1000 select priority + {0})",
     "select count(*) from Item where estimate in (select priority + {0} from MemoDate where cost < 1000)", [100, 200, 300, 7]),
)
GROUPS = whole(
    "groups",
    ("by year", "fetch MemoDate select year(date) as y, count(SELF) as n, avg(cost) as m group by y sort y limit {0}",
     "select year(date) y, count(*) n, avg(cost) m from MemoDate group by 1 order by 1 limit {0}", [10, 20, 30, 40]),
    ("by year and month", "fetch MemoDate select year(date) as y, month(date) as m, sum(cost) as s group by y, m sort y, m limit {0}",
     "select year(date) y, month(date) m, sum(cost) s from MemoDate group by 1, 2 order by 1, 2 limit {0}", [10, 20, 30, 40]),
    ("by date", "fetch MemoDate select date, count(SELF) as n group by date sort n desc, date limit {0}",
     "select date, count(*) n from MemoDate group by 1 order by n desc, date limit {0}", [10, 11, 12, 13]),
    ("by a part of a text", "fetch MemoDate select substring(title, 0, 2) as s, count(SELF) as n group by s sort n desc, s limit {0}",
     "select substr(title, 1, 2) s, count(*) n from MemoDate group by 1 order by n desc, s limit {0}", [10, 11, 12, 13]),
    ("by a choice", "fetch MemoDate where priority > {0} select TERNARY(priority > 7, \"high\", \"low\") as p, count(SELF) as n "
     "group by p sort p", "select case when priority > 7 then 'high' else 'low' end p, count(*) n from MemoDate "
     "where priority > {0} group by 1 order by 1", [1, 2, 3, 4]),
    ("by two keys, having", "fetch MemoDate select category, priority, count(SELF) as n group by category, priority "
     "having count(SELF) > {0} sort n desc, category, priority limit 10",
     "select category, priority, count(*) n from MemoDate group by 1, 2 having count(*) > {0} "
     "order by n desc, category, priority limit 10", [10, 20, 30, 40]),
    ("by a path's text", "fetch Item select parentCategory.name as n, count(SELF) as k group by n sort k desc, n limit {0}",
     "select c.name n, count(*) k from Item i left join Category c on i.category = c.id group by 1 "
     "order by k desc, n nulls first limit {0}", [10, 11, 12, 13]),
    ("by a to-one", "fetch Item select parentCategory.objectID as c, sum(estimate) as s group by c sort s desc, c limit {0}",
     "select category c, sum(estimate) s from Item group by 1 order by s desc, c nulls first limit {0}", [10, 11, 12, 13]),
    ("sum of a product", "fetch MemoDate where priority >= {0} select category, sum(cost * priority) as s group by category "
     "sort category", "select category, sum(cost * priority) s from MemoDate where priority >= {0} group by 1 order by 1",
     [0, 1, 2, 3]),
    ("median", "fetch MemoDate where priority >= {0} select category, median(cost) as m group by category sort category",
     "select category, median(cost) m from MemoDate where priority >= {0} group by 1 order by 1", [0, 1, 2, 3]),
    ("stddev", "fetch MemoDate where priority >= {0} select category, stddev(cost) as m group by category sort category",
     "select category, stddev_pop(cost) m from MemoDate where priority >= {0} group by 1 order by 1", [0, 1, 2, 3]),
    ("least and greatest text", "fetch MemoDate where priority >= {0} select category, min(title) as a, max(title) as z "
     "group by category sort category",
     "select category, min(title) a, max(title) z from MemoDate where priority >= {0} group by 1 order by 1", [0, 1, 2, 3]),
    ("by a text with many values", "fetch MemoDate select title, count(SELF) as n group by title sort n desc, title limit {0}",
     "select title, count(*) n from MemoDate group by 1 order by n desc, title limit {0}", [10, 11, 12, 13]),
    ("distinct texts of each", "fetch MemoDate where priority >= {0} select category, countDistinct(title) as n group by category "
     "sort category",
     "select category, count(distinct title) n from MemoDate where priority >= {0} group by 1 order by 1", [0, 1, 2, 3]),
    ("texts of each, joined", "fetch MemoDate where priority == {0} select category, joined(title, \", \") as t group by category "
     "sort category limit 1",
     "select category, string_agg(title, ', ' order by id) t from MemoDate where priority = {0} group by 1 order by 1 limit 1",
     [1, 2, 3, 4]),
    ("first three of each", "fetch MemoDate where priority != {0} sort date desc, objectID limit 3 per category "
     "select category, title, date",
     "select category, title, date from MemoDate where priority != {0} "
     "qualify row_number() over (partition by category order by date desc, id) <= 3 order by date desc, id", [10, 11, 12, 13]),
    ("one group of all rows", "fetch MemoDate where priority >= {0} select count(SELF) as n, min(cost) as a, max(cost) as z, avg(priority) as p",
     "select count(*) n, min(cost) a, max(cost) z, avg(priority) p from MemoDate where priority >= {0}", [0, 1, 2, 3]),
) + whole(
    "distinct",
    ("dates", "fetch MemoDate where priority >= {0} select distinct date sort date limit 10",
     "select distinct date from MemoDate where priority >= {0} order by 1 limit 10", [0, 1, 2, 3]),
    ("texts", "fetch MemoDate where priority >= {0} select distinct title sort title limit 10",
     "select distinct title from MemoDate where priority >= {0} order by 1 limit 10", [0, 1, 2, 3]),
    ("two columns", "fetch MemoDate where priority >= {0} select distinct category, year(date) as y sort category, y limit 10",
     "select distinct category, year(date) y from MemoDate where priority >= {0} order by 1, 2 limit 10", [0, 1, 2, 3]),
)
ORDERS = whole(
    "order",
    ("cost * priority", "fetch MemoDate where notifiable == YES sort cost * priority desc, objectID limit {0}",
     DATES + " where notifiable order by cost * priority desc nulls last, id limit {0}", [10, 11, 12, 13]),
    ("length(title)", "fetch MemoDate sort length(title) desc, objectID limit {0}",
     DATES + " order by length(title) desc, id limit {0}", [10, 11, 12, 13]),
    ("lowercase(title)", "fetch MemoDate sort lowercase(title), objectID limit {0}",
     DATES + " order by lower(title), id limit {0}", [10, 11, 12, 13]),
    ("title[cd]", "fetch MemoDate where priority > {0} sort title[cd], objectID limit 10",
     DATES + " where priority > {0} order by strip_accents(lower(title)), id limit 10", [0, 1, 2, 3]),
    ("two texts", "fetch MemoDate where priority == {0} sort category, title desc, objectID limit 10",
     DATES + " where priority = {0} order by category, title desc, id limit 10", [1, 2, 3, 4]),
    ("month(date), day(date)", "fetch MemoDate sort month(date), day(date), objectID limit {0}",
     DATES + " order by month(date), day(date), id limit {0}", [10, 11, 12, 13]),
    ("cost, offset 900,000", "fetch MemoDate sort cost, objectID offset 900000 limit {0}",
     DATES + " order by cost nulls first, id offset 900000 limit {0}", [5, 6, 7, 8]),
    ("title, offset 900,000", "fetch MemoDate sort title, objectID offset 900000 limit {0}",
     DATES + " order by title, id offset 900000 limit {0}", [5, 6, 7, 8]),
)
COLUMNS = whole(
    "columns",
    ("uppercase(title)", "fetch MemoDate where priority == {0} AND notifiable == YES select uppercase(title) as u",
     "select upper(title) u from MemoDate where priority = {0} and notifiable order by id", [1, 2, 3, 4]),
    ("four computed columns", "fetch MemoDate where category == \"Office\" AND priority == {0} "
     "select title, cost * 2 as twice, year(date) as y, priority + 1 as p",
     "select title, cost * 2 twice, year(date) y, priority + 1 p from MemoDate where category = 'Office' and priority = {0} "
     "order by id", [1, 2, 3, 4]),
    ("one object", "fetch MemoDate/{0}", DATES + " where id = {0}", [17, 4711, 9999, 31]),
    ("ten objects by number", "fetch MemoDate where objectID IN {{1, 50, 700, 8000, {0}}}",
     DATES + " where id in (1, 50, 700, 8000, {0}) order by id", [17, 4711, 9999, 31]),
    ("an equal text", 'fetch MemoDate where title == "passport {0}"', DATES + " where title = 'passport {0}'",
     [17, 4711, 9999, 31]),
    ("objects of a to-one", "fetch Item where parentCategory == Category/{0} select title, estimate sort estimate, objectID",
     "select title, estimate from Item where category = {0} order by estimate, id", [17, 47, 99, 31]),
)
NESTED = [Question(f"nested JSON: {name}", kura, sql, numbers(*values), None, file="events.json") for name, kura, sql, values in (
    ("payload.user.age > 50", "count events where payload.user.age > {0}", "select count(*) from events where payload.user.age > {0}",
     [50, 60, 70, 80]),
    ("payload.user.name BEGINSWITH \"pass\"", 'count events where payload.user.name BEGINSWITH "{0}"',
     "select count(*) from events where starts_with(payload.user.name, '{0}')", ["pass", "Caf", "meet", "歯"]),
    ("payload.ok == YES AND payload.amount < 5", "count events where payload.ok == YES AND payload.amount < {0}",
     "select count(*) from events where payload.ok and payload.amount < {0}", [5, 50, 500, 5000]),
    ("payload.user.city == nil", "count events where payload.user.city == nil AND id > {0}",
     "select count(*) from events where payload.user.city is null and id > {0}", [5, 50, 500, 5000]),
    ("ANY payload.tags == \"mail\"", 'count events where ANY payload.tags == "{0}"',
     "select count(*) from events where list_contains(payload.tags, '{0}')", ["mail", "電話", "gamma", "掃除"]),
    ("elements, count", 'count events.payload.tags where value == "{0}"',
     "select count(*) from (select unnest(payload.tags) as value from events) where value = '{0}'", ["mail", "電話", "gamma", "掃除"]),
    ("elements, group by value", "fetch events.payload.tags where owner.id > {0} select value, count(SELF) as n group by value sort value",
     "select value, count(*) n from (select id, unnest(payload.tags) as value from events) where id > {0} group by 1 order by 1",
     [5, 50, 500, 5000]),
    ("sort payload.amount", "fetch events sort payload.amount desc, id limit {0} select id, payload.amount as a",
     "select id, payload.amount a from events order by a desc, id limit {0}", [10, 11, 12, 13]),
    ("group by payload.user.city", "fetch events where id > {0} select payload.user.city as c, count(SELF) as n, avg(payload.amount) as m "
     "group by c sort c", "select payload.user.city c, count(*) n, avg(payload.amount) m from events where id > {0} "
     "group by 1 order by 1 nulls first", [0, 10, 100, 1000]))]
CHANGES = [Question(f"changes: {name}", kura, sql, numbers(*values), check=check) for name, kura, sql, values, check in (
    ("priority + 1", 'update MemoDate set priority = priority + {0} where category == "Office"',
     "update MemoDate set priority = priority + {0} where category = 'Office'", [1, 2, 3, 4],
     ("fetch MemoDate select sum(priority) as s", "select sum(priority) s from MemoDate")),
    ("lowercase(title)", 'update MemoDate set title = lowercase(title) where category == "{0}"',
     "update MemoDate set title = lower(title) where category = '{0}'", ["Office", "Travel", "Sport", "Family"],
     ("count MemoDate where title == lowercase(title)", "select count(*) from MemoDate where title = lower(title)")),
    ("one object", "update MemoDate/{0} set priority = 77", "update MemoDate set priority = 77 where id = {0}", [5, 500, 5000, 77],
     ("count MemoDate where priority == 77", "select count(*) from MemoDate where priority = 77")),
    ("delete 100,000 objects", "delete MemoDate where priority == {0}", "delete from MemoDate where priority = {0}", [1, 2, 3, 4],
     ("count MemoDate", "select count(*) from MemoDate")))]
WRITTEN = [Question(f"as CSV: {name}", kura, sql, numbers(*values), is_written=True) for name, kura, sql, values in (
    ("four columns", "fetch MemoDate where priority != {0} select title, category, priority, cost",
     "select title, category, priority, cost from MemoDate where priority != {0} order by id", [10, 11]),
    ("sorted by a text", "fetch MemoDate where priority != {0} sort title, objectID select title, date, cost",
     "select title, date, cost from MemoDate where priority != {0} order by title, id", [10, 11]),
    ("computed", "fetch MemoDate where priority != {0} select uppercase(title) as u, year(date) as y, cost * 2 as c",
     "select upper(title) u, year(date) y, cost * 2 c from MemoDate where priority != {0} order by id", [10, 11]))]
QUESTIONS = ARITHMETIC + DATED + TEXTS + CHOICES + PATHS + GROUPS + ORDERS + COLUMNS + NESTED + CHANGES + WRITTEN
