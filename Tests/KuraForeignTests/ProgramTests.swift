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
        "fetch Item where done == YES"),
      Row(
        "fetchRequest.sortDescriptors = [NSSortDescriptor(key: \"due\", ascending: false)]",
        "fetch Item sort due desc"),
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
    "refused if a step has no counterpart",
    arguments: [
      "items.prefix(3).filter { $0.done }", "items.shuffled()", "items.suffix(3)",
      "items.prefix(3).sorted { $0.due < $1.due }", "items.prefix(3).allSatisfy { $0.done }",
      "items.prefix(3).map(\\.minutes).reduce(0, +)", "items.prefix(0)",
      "items.prefix(while: { $0.done })",
      "items.dropFirst(9223372036854775807).dropFirst(1)",
      "items.filter { $0.title.substring(1, 2) == \"a\" }",
      "items.filter { $0.title.prefix(2, by: 3) == \"a\" }", "items.reduce(1) { $0 + $1.minutes }",
      "items.sorted { $0.minutes < $1.title }", "items.sorted(by: \\.title, order: .reverse)",
      "items.sorted(using: SortDescriptor(\\.title, comparator: .localized))",
      "items.map { $0.tags }", "items.max(by: { $0.minutes < $1.minutes }, 3)",
      "NSPredicate(format: \"title == %@\", \"a\", \"b\")",
      "NSPredicate(format: \"title == %@\")",
      "[NSSortDescriptor(key: \"title\", ascending: true, selector: #selector(x))]",
      "let r = Item.fetchRequest()\nr.shouldRefresh = true\ncontext.fetch(r)",
    ])
  func refused(text: String) throws {
    let found = try #require(missing(text))
    #expect(!found.place.isEmpty)
    #expect(translation(text) == "nothing")
  }
}
