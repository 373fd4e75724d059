import ArgumentParser
import Foundation
import Kura

/// `todo add 掃除 --list 家 --due 2026-12-31`, `todo list --where 'due < $today'`, `todo done 3`
@main
struct Todo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo", abstract: "A to-do list in a file of JSON.",
    subcommands: [Add.self, List.self, Done.self, Remove.self], defaultSubcommand: List.self)

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      end(with: error)
    }
  }
}

struct StoreOption: ParsableArguments {
  @Option(name: .customLong("store"), help: "The file of the list.") var path = "todo.json"

  /// Opens the list, or makes it.
  func open() throws -> Store {
    try Store.openOrCreate(path, todoModel(), storing: [Item.self])
  }
}

struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Adds an item.")
  @OptionGroup var store: StoreOption
  @Argument(help: "What is to be done.") var title: String
  @Option(help: "The list it belongs to.") var list: String?
  @Option(help: "When it is due: 2026-12-31, tomorrow.") var due: String?

  func run() throws {
    // Who makes the same list at the same moment has made it: then it is there.
    do { try add() } catch StoreError.invalidTogether { try add() }
  }

  private func add() throws {
    let store = try store.open()
    let context = store.context
    let item = try context.perform("add \(title)") {
      try context.insert(
        "Item", ["title": title, "due": due, "category": try category(in: context)])
    }
    try context.save()
    store.close()
    try say("\(item.id.number): \(title)")
  }

  /// The list of a name, which comes into being where there is none.
  private func category(in context: ManagedObjectContext) throws -> ManagedObject? {
    guard let list else { return nil }
    return try context.first(FetchRequest("Category", where: "name == %@", list))
      ?? context.insert("Category", ["name": list])
  }
}

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Shows what is open.")
  @OptionGroup var store: StoreOption
  @Option(name: .customLong("where"), help: "Which, as a predicate.") var predicate: String?
  @Flag(help: "What is done too.") var all = false

  func run() throws {
    var request = try FetchRequest("Item").sorted(by: "due nulls last, title")
    if !all { request = try request.filtered(by: "done == NO") }
    if let predicate { request = try request.filtered(by: predicate) }
    request = request.with(["today": Calendar.current.startOfDay(for: .now)])
    for item in try store.open().context.fetch(request, as: Item.self) { try say(line(item)) }
  }

  private func line(_ item: Item) -> String {
    let due = item.due.map { " until \($0.formatted(.iso8601.year().month().day()))" } ?? ""
    let list = item.category.map { " (\($0.name))" } ?? ""
    return "\(item.objectID?.number ?? 0): \(item.done ? "✓ " : "")\(item.title)\(list)\(due)"
  }
}

struct Done: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Ticks items off.")
  @OptionGroup var store: StoreOption
  @Argument(help: "Their numbers.") var numbers: [Int64]

  func run() throws {
    let store = try store.open()
    let items = try numbers.map { try item($0, in: store.context) }
    try store.context.update(items, ["done": true])
    try store.context.save()
    store.close()
  }
}

struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Removes items.")
  @OptionGroup var store: StoreOption
  @Argument(help: "Their numbers.") var numbers: [Int64]

  func run() throws {
    let store = try store.open()
    try store.context.delete(numbers.map { try item($0, in: store.context) })
    try store.context.save()
    store.close()
  }
}

private func item(_ number: Int64, in context: ManagedObjectContext) throws -> ManagedObject {
  guard let item = context.object("Item", number) else {
    throw ValidationError("there is no item \(number)")
  }
  return item
}
