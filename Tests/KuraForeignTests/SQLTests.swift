import KuraForeign
import Testing

@Suite("SQL is")
struct SQLTests {
  @Test(
    "read as fetches",
    arguments: [
      Row("SELECT * FROM Item", "fetch Item"),
      Row(
        "select title, minutes from items where done = 1 order by minutes desc limit 3",
        "fetch Item where done == YES sort minutes desc limit 3 select title, minutes"),
      Row("SELECT DISTINCT minutes FROM Item", "fetch Item select distinct minutes"),
      Row("SELECT TOP 3 title FROM Item", "fetch Item limit 3 select title"),
      Row("SELECT title FROM Item LIMIT 2 OFFSET 3", "fetch Item offset 3 limit 2 select title"),
      Row("SELECT title FROM Item LIMIT 3, 2", "fetch Item offset 3 limit 2 select title"),
      Row(
        "SELECT title FROM Item OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY",
        "fetch Item offset 2 limit 3 select title"),
      Row("SELECT COUNT(*) FROM Item WHERE NOT done", "count Item where done == NO"),
      Row(
        "SELECT COUNT(DISTINCT minutes) FROM Item",
        "fetch Item select countDistinct(minutes)"),
      Row(
        "SELECT minutes, COUNT(*) AS n FROM Item GROUP BY minutes HAVING COUNT(*) > 1 ORDER BY n DESC",
        "fetch Item sort n desc select minutes, count(SELF) as n group by minutes having count(SELF) > 1"
      ),
      Row(
        "SELECT minutes, STRING_AGG(title, ', ') FROM Item GROUP BY minutes",
        "fetch Item select minutes, joined(title, \", \") group by minutes"),
      Row(
        "SELECT done, COUNT(DISTINCT minutes) FROM Item GROUP BY done",
        "fetch Item select done, countDistinct(minutes) group by done"),
      Row(
        "SELECT REPLACE(title, 'a', 'b'), ROUND(minutes, -1) FROM Item",
        "fetch Item select replace(title, \"a\", \"b\"), round(minutes, -1)"),
      Row("SELECT 1 + 1", "print 1 + 1"),
      Row(
        "WITH x AS (SELECT * FROM Item WHERE done) SELECT title FROM x WHERE minutes > 3",
        "let $x = fetch Item where done == YES\nfetch $x where minutes > 3 select title"),
      Row(
        "SELECT TO_CHAR(due, 'DD.MM.YYYY') FROM Item",
        "fetch Item select format(due, \"dd.MM.yyyy\")"),
      Row(
        "SELECT `title` FROM [Item] WHERE \"title\" = 'x'",
        "fetch Item where title == \"x\" select title"),
    ])
  func fetches(row: Row) { #expect(translation(row.text) == row.ours) }

  @Test(
    "one statement over several lines",
    arguments: [
      ("SELECT title", "FROM Item", true), ("SELECT title\nFROM Item", "WHERE done = 1;", true),
      ("SELECT", "  title,", true), ("SELECT title,", "done", true),
      ("CREATE TABLE t (", "id INT", true), ("UPDATE Item SET done = 1", "WHERE title = 'x'", true),
      ("INSERT INTO Item (title)", "VALUES ('x');", true),
      ("SELECT title FROM Item;", "FROM x", false),
      ("SELECT title FROM Item", "", false), ("SELECT title FROM Item", "fetch Item", false),
      ("SELECT title FROM Item", "SELECT 1", false),
      ("SELECT title FROM Item", ".mode json", false),
      ("fetch Item", "where done == NO", false), ("count Item", "limit 3", false),
    ])
  func isInLines(text: String, next: String, isSingle: Bool) {
    #expect(ForeignTranslator.isOneStatement(ofSQL: text, goingOnWith: next) == isSingle)
  }

  @Test(
    "read with its conditions",
    arguments: [
      Row("title LIKE '%a_b%'", "title LIKE \"*a?b*\""),
      Row("title LIKE '5!%' ESCAPE '!'", "title LIKE \"5%\""),
      Row("title LIKE '*'", "title LIKE \"\\\\*\""),
      Row("title LIKE 'a\\%'", "title LIKE \"a\\\\\\\\*\""),
      Row("title NOT IN ('a', 'b')", "NOT title IN {\"a\", \"b\"}"),
      Row("title ~ 'a'", "title MATCHES \".*a.*\""),
      Row("title !~ '^a'", "NOT title MATCHES \"a.*\""),
      Row("title !~* 'a'", "NOT title MATCHES[c] \".*a.*\""),
      Row("minutes BETWEEN 1 AND 9", "minutes BETWEEN {1, 9}"),
      Row("due IS NOT NULL", "due != NULL"),
      Row("title = 'it''s'", "title == \"it's\""),
      Row("due < CURRENT_DATE", "due < today()"),
      Row("due < NOW() - INTERVAL 50 YEAR", "due < dateByAdding(now(), -50, \"year\")"),
      Row("due < NOW() - INTERVAL '2 months'", "due < dateByAdding(now(), -2, \"month\")"),
      Row("due > DATE '2000-01-01'", "due > \"2000-01-01\""),
      Row("due > date('now', '-1 year')", "due > dateByAdding(today(), -1, \"year\")"),
      Row("strftime('%Y', due) = '2009'", "year(due) == 2009"),
      Row("strftime('%Y-%m', due) = '2009-01'", "format(due, \"yyyy-MM\") == \"2009-01\""),
      Row("EXTRACT(MONTH FROM due) = 1", "month(due) == 1"),
      Row("DATEDIFF(CURRENT_DATE, due) > 7", "daysBetween(due, today()) > 7"),
      Row("SUBSTR(title, 2, 3) = 'abc'", "substring(title, 1, 3) == \"abc\""),
      Row("title || '!' = 'a!'", "concat(title, \"!\") == \"a!\""),
      Row("CASE WHEN done THEN 1 ELSE 0 END = 1", "TERNARY(done == YES, 1, 0) == 1"),
      Row("COALESCE(due, NOW()) > NOW()", "coalesce(due, now()) > now()"),
      Row("INSTR(title, 'x') > 0", "title CONTAINS \"x\""),
      Row("category = 1", "category == Category/1"),
      Row("category_id IN (1, 2)", "category IN {Category/1, Category/2}"),
      Row("id = 3", "objectID == 3"),
      Row("a = 1 OR b = 2 AND c = 3", "a == 1 OR b == 2 AND c == 3"),
      Row("(a = 1 OR b = 2) AND c = 3", "(a == 1 OR b == 2) AND c == 3"),
    ])
  func conditions(row: Row) {
    #expect(translation("SELECT * FROM Item WHERE " + row.text) == "fetch Item where " + row.ours)
  }

  @Test(
    "read with the meaning of its NULLs",
    arguments: [
      Row("due <> '2026-01-01'", "due != \"2026-01-01\" AND due != NULL"),
      Row("NOT due < '2026-01-01'", "due >= \"2026-01-01\""),
      Row("NOT (due > '2026-01-01' AND minutes > 100)", "due <= \"2026-01-01\" OR minutes <= 100"),
      Row("due <= due", "due <= due AND due != NULL"),
      Row("NOT (due IS NULL AND done)", "NOT (due == NULL AND done == YES)"),
      Row("due NOT IN ('2026-01-01', NULL)", "FALSEPREDICATE"),
      Row("category IS NULL OR category = 1", "category == NULL OR category == Category/1"),
      Row(
        "due NOT IN ('2026-01-01') OR done",
        "NOT due IN {\"2026-01-01\"} AND due != NULL OR done == YES"),
      Row("NOT (due IS NULL)", "due != NULL"),
      Row("COALESCE(due, NOW()) <> NOW()", "coalesce(due, now()) != now()"),
      Row("title <> 'a'", "title != \"a\""),
    ])
  func nulls(row: Row) {
    let found = translations("SELECT * FROM Item WHERE " + row.text)
    #expect(found == ["fetch Item where " + row.ours])
  }

  @Test(
    "read with joins as paths",
    arguments: [
      Row(
        "SELECT i.title FROM Item i JOIN Category c ON i.category = c.id WHERE c.name = '家'",
        "fetch Item where category.name == \"家\" select title"),
      Row(
        "SELECT c.name, COUNT(*) FROM Item i JOIN Category c ON c.id = i.category_id GROUP BY c.name",
        "fetch Item where category != NULL select category.name, count(SELF) group by category.name"
      ),
      Row(
        "SELECT c.name, COUNT(i.id) FROM Category c LEFT JOIN Item i ON i.category = c.id GROUP BY c.id",
        "fetch Category select name, items.@count"),
      Row(
        "SELECT c.name, SUM(i.minutes) FROM Category c LEFT JOIN Item i ON i.category = c.id AND i.done = 0 GROUP BY c.id",
        "fetch Category select name, TERNARY(SUBQUERY(items, $x, $x.done == NO).@count == 0, NULL, SUBQUERY(items, $x, $x.done == NO).@sum.minutes)"
      ),
      Row(
        "SELECT c.* FROM Category c, Item i WHERE i.category = c.id AND i.done = 1",
        "fetch Item where category != NULL AND done == YES select category.objectID, category.name"),
      Row(
        "SELECT c.* FROM Category c JOIN Item i ON i.category = c.id WHERE i.done = 1 AND i.minutes > 5",
        "fetch Item where category != NULL AND done == YES AND minutes > 5 select category.objectID, category.name"
      ),
      Row(
        "SELECT * FROM Item WHERE category IN (SELECT id FROM Category WHERE name = '家')",
        "fetch Item where category IN (fetch Category where name == \"家\")"),
      Row(
        "SELECT * FROM Category WHERE id IN (SELECT category FROM Item WHERE done = 1)",
        "fetch Category where SELF IN (fetch Item where done == YES select category)"),
      Row(
        "SELECT * FROM Category c WHERE NOT EXISTS (SELECT 1 FROM Item i WHERE i.category = c.id)",
        "fetch Category where items.@count == 0"),
      Row(
        "SELECT * FROM Category c WHERE EXISTS (SELECT 1 FROM Item WHERE category = c.id AND done = 1 AND minutes > 5)",
        "fetch Category where SUBQUERY(items, $x, $x.done == YES AND $x.minutes > 5).@count > 0"),
      Row(
        "SELECT name FROM Category c WHERE (SELECT MAX(minutes) FROM Item i WHERE i.category = c.id) > 9",
        "fetch Category where items.@max.minutes > 9 select name"),
      Row(
        "SELECT * FROM Item WHERE minutes = (SELECT MAX(minutes) FROM Item)",
        "fetch Item where minutes == (fetch Item select max(minutes))"),
    ])
  func joins(row: Row) { #expect(translation(row.text) == row.ours) }

  @Test("offered only with the same rows")
  func oneReading() {
    #expect(
      translations(
        "SELECT c.name FROM Category c JOIN Item i ON i.category = c.id WHERE i.done = 1") == [
          "fetch Item where category != NULL AND done == YES select category.name"
        ])
  }

  @Test(
    "read as changes",
    arguments: [
      Row(
        "INSERT INTO Item (title, done, category) VALUES ('a', 0, 1), ('b', TRUE, NULL)",
        "insert Item title = \"a\", done = NO, category = Category/1\ninsert Item title = \"b\", done = YES, category = NULL"
      ),
      Row(
        "INSERT INTO Item VALUES ('a', 1, 5, '2026-01-01')",
        "insert Item title = \"a\", done = YES, minutes = 5, due = \"2026-01-01\""),
      Row(
        "UPDATE Item SET done = 1, minutes = minutes + 1 WHERE id = 3",
        "update Item set done = YES, minutes = minutes + 1 where objectID == 3"),
      Row("DELETE FROM Item WHERE done", "delete Item where done == YES"),
      Row("TRUNCATE TABLE Item", "delete Item all"),
      Row("BEGIN TRANSACTION", "begin"), Row("COMMIT WORK", "commit"), Row("ROLLBACK", "cancel"),
      Row(
        "CREATE TABLE Note (id INTEGER PRIMARY KEY, title VARCHAR(80) NOT NULL, done BOOLEAN DEFAULT 0, item_id INT REFERENCES Item(id))",
        "entity Note { title: string max 80; done: boolean = NO; item: Item? }"),
      Row("CREATE INDEX i ON Item(title)", "alter entity Item add index title"),
      Row(
        "CREATE INDEX IF NOT EXISTS i ON items USING btree (done, TITLE DESC);",
        "alter entity Item add index (done, title desc)"),
      Row("ALTER TABLE Item ADD COLUMN note TEXT", "alter entity Item add note: string?"),
      Row("ALTER TABLE Item ADD COLUMN key TEXT", "alter entity Item add key: string?"),
      Row("ALTER TABLE Item RENAME COLUMN title TO name", "alter entity Item rename title to name"),
      Row("DROP TABLE IF EXISTS Item", "drop entity Item all"),
      Row("PRAGMA table_info(Item)", "describe Item"), Row("SHOW TABLES", "model"),
      Row("EXPLAIN SELECT * FROM Item", "explain fetch Item"), Row("USE lists", ".open lists.json"),
    ])
  func changes(row: Row) { #expect(translation(row.text) == row.ours) }

  @Test(
    "refused if something has no counterpart, with its place",
    arguments: [
      ("SELECT a FROM Item UNION SELECT b FROM Item", "UNION", "UNION"),
      (
        "ALTER TABLE Item ADD CONSTRAINT u UNIQUE (title)", "ALTER TABLE … ADD CONSTRAINT", "ADD"
      ),
      ("ALTER TABLE Item DROP CONSTRAINT u", "ALTER TABLE … DROP CONSTRAINT", "DROP"),
      ("WITH x AS (SELECT 1) SELECT * FROM x", "WITH", "WITH"),
      ("WITH x AS (SELECT title FROM Item) SELECT * FROM x", "WITH", "WITH"),
      ("INSERT INTO Item (title) VALUES ('a') ON CONFLICT DO NOTHING", "ON CONFLICT", "ON"),
      ("SELECT SUM(minutes) OVER (ORDER BY due) FROM Item", "OVER", "OVER"),
      ("CREATE UNIQUE INDEX i ON Item(title)", "CREATE UNIQUE INDEX", "INDEX"),
      ("DROP INDEX i", "DROP INDEX", "INDEX"),
      ("SELECT * FROM Item WHERE title = ?", "?", "?"),
      ("SELECT * FROM Item i RIGHT JOIN Category c ON i.category = c.id", "RIGHT JOIN", "RIGHT"),
      ("SELECT * FROM Item LIMIT 0", "LIMIT 0", "0"),
    ])
  func refused(text: String, construct: String, place: String) throws {
    let found = try #require(missing(text))
    #expect(found.construct == construct)
    #expect(found.place == place)
  }
}
