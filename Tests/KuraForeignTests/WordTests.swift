import KuraForeign
import Testing

@Suite("Words of other languages")
struct WordTests {
  @Test(
    "in a statement of Kura leave the rest unchanged",
    arguments: [
      Row(
        "fetch Item where title.isEmpty AND done = YES",
        "fetch Item where title == \"\" AND done = YES"),
      Row("fetch Item where !tags.isEmpty", "fetch Item where tags.@count > 0"),
      Row(
        "fetch Item i join Category c on i.category = c.objectID where c.name = '家'",
        "fetch Item where category.name == '家'"),
      Row("fetch Item where #keyPath(Item.title) == \"a\"", "fetch Item where title == \"a\""),
      Row("fetch Item where $0.title.hasPrefix(\"a\")", "fetch Item where title BEGINSWITH \"a\""),
      Row(
        "fetch Item where title CONTAINS[cd] %@, \"a\"", "fetch Item where title CONTAINS[cd] \"a\""
      ),
      Row("fetch Item where Tag.name = 'a'", "fetch Item where ANY tags.name == 'a'"),
      Row("fetch Item where [1, 2].contains(minutes)", "fetch Item where minutes IN {1, 2}"),
      Row("fetch Item where (1...5).contains(minutes)", "fetch Item where minutes BETWEEN {1, 5}"),
      Row(
        "fetch Item where tags.contains { $0.name == \"a\" && $0.items.count > 1 }",
        "fetch Item where SUBQUERY(tags, $x, $x.name == \"a\" AND $x.items.@count > 1).@count > 0"),
      Row(
        "fetch Item select title, count(SELF) n group by title",
        "fetch Item select title, count(SELF) as n group by title"),
      Row(
        "update Item set title = title || '！' where id = 1",
        "update Item set title = concat(title, '！') where objectID == 1"),
      Row(
        "update Item set minutes + 1 where done == YES",
        "update Item set minutes = minutes + 1 where done == YES"),
      Row("update Item/1 set minutes++", "update Item/1 set minutes = minutes + 1"),
      Row("fetch Item where every tags.name == \"a\"", "fetch Item where ALL tags.name == \"a\""),
      Row("fetch Item where no tags.name == \"a\"", "fetch Item where NONE tags.name == \"a\""),
      Row(
        "fetch Item where title || '!' = 'a!'", "fetch Item where concat(title, \"!\") == 'a!'"),
      Row("fetch Item select title minutes", "fetch Item select title, minutes"),
      Row("fetch Item select title m", "fetch Item select title as m"),
      Row("fetch Item sort minutes 降順", "fetch Item sort minutes desc"),
      Row("fetch Item where done == YES OR 2", "nothing"),
      Row("insert Item(title: \"a\", done: false)", "insert Item title = \"a\", done = false"),
    ])
  func kura(row: Row) { #expect(translation(row.text) == row.ours) }

  @Test(
    "are not found in plain statements",
    arguments: [
      "fetch Item where title == \"a\" AND done == YES", "fetch Item select title where done == NO",
      "print 1 / 0", "count Item", "update Item/1 set title = \"a\"", "model",
    ])
  func none(text: String) { #expect(translation(text) == "nothing") }

  @Test(
    "in everyday sentences name only an entity",
    arguments: [
      Row("show me all items", "fetch Item"), Row("which items are there?", "fetch Item"),
      Row("I want to see all items", "fetch Item"), Row("the number of items", "count Item"),
      Row("すべてのItemを見せて", "fetch Item"), Row("Itemの件数を教えて", "count Item"),
      Row("how many items are there?", "count Item"),
      Row("Item を全部見せて", "fetch Item"), Row("Itemは何件ありますか？", "count Item"),
      Row("Itemの一覧", "fetch Item"), Row("show me all the categories", "fetch Category"),
      Row("show me all items that are done", "nothing"), Row("Itemを全部消して", "nothing"),
      Row("items and categories", "nothing"), Row("全部見せて", "nothing"),
    ])
  func plain(row: Row) { #expect(translation(row.text) == row.ours) }

  @Test(
    "without an end, or in deep brackets, are not read",
    arguments: [
      "", " ", "'", "\"", "(", "{", "[", "`", "/*", "SELECT 'a", "items.filter { $0",
      "items.filter({", ".[", "map(",
      String(repeating: "(", count: 5_000), String(repeating: "[a ", count: 2_000),
      "SELECT " + String(repeating: "(", count: 3_000), String(repeating: "{a:", count: 3_000),
      "fetch Item where " + String(repeating: "!", count: 5_000),
      "SELECT * FROM Item WHERE a = " + String(repeating: "-", count: 99),
      "\u{0}", "🎂",
    ])
  func strange(text: String) { #expect(translation(text) == "nothing") }
}
