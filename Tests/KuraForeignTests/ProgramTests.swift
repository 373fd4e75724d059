import KuraForeign
import Testing

@Suite("A program is")
struct ProgramTests {
  @Test(
    "read in Swift and Objective-C",
    arguments: [
      Row(
        "NSPredicate(format: \"title CONTAINS[cd] %@ AND minutes > %d\", \"誕生\", 3)",
        "fetch Item where title CONTAINS[cd] \"誕生\" AND minutes > 3"),
      Row(
        "NSPredicate(format: \"%K == %@\", #keyPath(Item.title), \"a\")",
        "fetch Item where title == \"a\""),
      Row(
        "[NSPredicate predicateWithFormat:@\"title == %@\", @\"a\"]",
        "fetch Item where title == \"a\""),
      Row("let p = NSPredicate(format: \"done == NO\")", "let $p = predicate done == NO"),
      Row(
        "NSPredicate *p = [NSPredicate predicateWithFormat:@\"title == %@\", @\"a\"];",
        "let $p = predicate title == \"a\""),
      Row(
        "request.predicate = NSPredicate(format: \"done == %@\", NSNumber(value: true))",
        "let $request = fetch Item where done == YES"),
      Row(
        "fetchRequest.sortDescriptors = [NSSortDescriptor(key: \"due\", ascending: false)]",
        "let $fetchRequest = fetch Item sort due desc"),
      Row("let request = Item.fetchRequest()", "let $request = fetch Item"),
      Row(
        """
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.predicate = NSPredicate(format: "done == YES")
        request.sortDescriptors = [NSSortDescriptor(key: "due", ascending: false)]
        request.fetchLimit = 3
        let found = try context.fetch(request)
        """, "let $found = fetch Item where done == YES sort due desc limit 3"),
      Row(
        """
        NSFetchRequest *request = [NSFetchRequest fetchRequestWithEntityName:@"Item"];
        request.sortDescriptors = @[[NSSortDescriptor sortDescriptorWithKey:@"due" ascending:NO]];
        NSArray *found = [context executeFetchRequest:request error:&error];
        """, "let $found = fetch Item sort due desc"),
      Row(
        "FetchDescriptor<Item>(predicate: #Predicate { $0.done && $0.minutes > 3 }, sortBy: [SortDescriptor(\\.due, order: .reverse)])",
        "fetch Item where done == YES AND minutes > 3 sort due desc"),
      Row("#Predicate<Item> { item in !item.title.isEmpty }", "fetch Item where title != \"\""),
      Row("items.filter { !$0.done }.count", "count Item where done == NO"),
      Row(
        "items.filter { $0.done }.sorted { $0.due < $1.due }.prefix(2).map(\\.title)",
        "fetch Item where done == YES sort due limit 2 select title"),
      Row("items.allSatisfy { $0.done }", "print (count Item where NOT done == YES) == 0"),
      Row(
        "categories.filter { $0.items.contains { $0.done } }",
        "fetch Category where ANY items.done == YES"),
      Row(
        "categories.filter { $0.items[done == NO].count > 1 }",
        "fetch Category where SUBQUERY(items, $x, $x.done == NO).@count > 1"),
      Row(
        "categories.filter { $0.items.filter { $0.done && $0.minutes > 3 }.count > 1 }",
        "fetch Category where SUBQUERY(items, $x, $x.done == YES AND $x.minutes > 3).@count > 1"),
      Row("items.max { $0.minutes < $1.minutes }", "fetch Item sort minutes desc limit 1"),
      Row("items.map(\\.minutes).reduce(0, +)", "fetch Item select sum(minutes)"),
      Row(
        "let item = Item(context: context)\nitem.title = \"a\"\ntry context.save()",
        "let $item = insert Item title = \"a\"\nsave"),
      Row("Item/1.title = \"a\"", "update Item/1 set title = \"a\""),
      Row("context.delete(Item/6)", "delete Item/6"),
      Row(
        "for item in items where item.done { print(item.title) }",
        "fetch Item where done == YES select title"),
    ])
  func cocoa(row: Row) { #expect(translation(row.text) == row.ours) }

  @Test(
    "read in jq",
    arguments: [
      Row("map(select(.year > 1910))", "fetch books where year > 1910"),
      Row(".[] | select(.year > 1910) | .title", "fetch books where year > 1910 select title"),
      Row(
        "[.[] | select(.tags | index(\"novel\"))] | length",
        "count books where tags CONTAINS \"novel\""),
      Row(".books[] | select(.title | test(\"夜$\"))", "fetch books where title MATCHES \".*夜\""),
      Row("sort_by(.year) | reverse | .[0:2]", "fetch books sort year desc limit 2"),
      Row(
        "map(select(.year > 1900 and .year < 1910 | not))",
        "fetch books where NOT (year > 1900 AND year < 1910)"),
      Row("map({t: .title, n: .author.name})", "fetch books select title as t, author.name as n"),
      Row("any(.[]; .pages == null)", "exists books where pages == NULL"),
      Row("jq '.[0].title' books.json", "fetch books limit 1 select title"),
    ])
  func jq(row: Row) { #expect(translation(row.text, library) == row.ours) }

  @Test(
    "read in Python and JavaScript",
    arguments: [
      Row(
        "[b.title for b in books if b.year > 1910 and \"novel\" in b.tags]",
        "fetch books where year > 1910 AND \"novel\" IN tags select title"),
      Row(
        "sorted(books, key=lambda b: b.year, reverse=True)[:3]",
        "fetch books sort year desc limit 3"),
      Row("max(books, key=lambda b: b.year)", "fetch books sort year desc limit 1"),
      Row("all(b.year > 1900 for b in books)", "print (count books where NOT year > 1900) == 0"),
      Row("sum(1 for b in books if b.pages is None)", "count books where pages == NULL"),
      Row(
        "df[(df.year > 1900) & (df[\"year\"] < 1910)][[\"title\", \"year\"]]",
        "fetch books where year > 1900 AND year < 1910 select title, year"),
      Row(
        "books.objects.filter(title__startswith=\"a\", year__gte=1900).order_by(\"-year\")[:3]",
        "fetch books where title BEGINSWITH \"a\" AND year >= 1900 sort year desc limit 3"),
      Row(
        "books.filter(b => b.title.length > 3 && b.title.includes(\"夜\")).map(b => b.title)",
        "fetch books where length(title) > 3 AND title CONTAINS \"夜\" select title"),
      Row(
        "books.sort((a, b) => b.year - a.year).slice(1, 3)",
        "fetch books sort year desc offset 1 limit 2"),
      Row(
        "books.filter(function(b) { return [1905, 1906].includes(b.year); }).length",
        "count books where year IN {1905, 1906}"),
      Row(
        "books.Where(b => b.Year > 1910).OrderByDescending(b => b.Year).Take(3).Select(b => b.Title)",
        "fetch books where year > 1910 sort year desc limit 3 select title"),
      Row(
        "from b in books where b.Year > 1910 orderby b.Year descending select b.Title",
        "fetch books where year > 1910 sort year desc select title"),
      Row("books.All(b => b.Year > 1900)", "print (count books where NOT year > 1900) == 0"),
    ])
  func others(row: Row) { #expect(translation(row.text, library) == row.ours) }

  @Test(
    "read in MongoDB",
    arguments: [
      Row(
        "db.books.find({year: {$gte: 1900, $lt: 1910}}, {title: 1, _id: 0}).sort({year: -1}).limit(2)",
        "fetch books where year >= 1900 AND year < 1910 sort year desc limit 2 select title"),
      Row(
        "books.find({$or: [{year: {$lt: 1906}}, {title: /^a/}]}).count()",
        "count books where year < 1906 OR title MATCHES \"a.*\""),
      Row("db.books.find({tags: \"novel\"})", "fetch books where ANY tags == \"novel\""),
      Row(
        "db.books.updateMany({year: 1905}, {$set: {pages: 9}, $inc: {year: 1}})",
        "update books set pages = 9, year += 1 where year == 1905"),
      Row(
        "db.books.aggregate([{$match: {year: {$gt: 1900}}}, {$group: {_id: \"$year\", n: {$sum: 1}}}])",
        "fetch books where year > 1900 select year, count(SELF) as n group by year"),
    ])
  func mongo(row: Row) { #expect(translation(row.text, library) == row.ours) }

  @Test(
    "refused where a step has no counterpart",
    arguments: [
      "items.prefix(3).filter { $0.done }", "items.shuffled()", "items.suffix(3)",
    ])
  func refused(text: String) throws {
    let found = try #require(missing(text))
    #expect(!found.place.isEmpty)
    #expect(translation(text) == "nothing")
  }
}
