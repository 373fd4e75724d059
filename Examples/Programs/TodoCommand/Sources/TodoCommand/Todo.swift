import ArgumentParser
import Foundation
import Kura

/// `todo add 掃除 --list 家 --due 2026-12-31`, `todo list --where 'due < $today'`, `todo done 3`
@main struct Todo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo", abstract: "A to-do list in a JSON file.",
    subcommands: [Add.self, List.self, Done.self, Remove.self], defaultSubcommand: List.self)
}

struct StoreOption: ParsableArguments {
  @Option(name: .customLong("store"), help: "The file of the list.") var path = "todo.json"

  /// Opens the list, or creates it.
  func open() throws -> Store { try .openOrCreate(path, todoModel(), storing: [Item.self]) }

  /// Changes the list and saves it. Tries again if another process inserted the same category at
  /// the same time.
  func change<Result>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
    do { return try changeOnce(body) } catch StoreError.invalidTogether {
      return try changeOnce(body)
    }
  }

  private func changeOnce<Result>(
    _ body: (ManagedObjectContext) throws -> Result
  ) throws -> Result {
    let store = try open()
    defer { store.close() }
    let result = try body(store.context)
    try store.context.save()
    return result
  }
}

struct Add: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Adds an item.")
  @OptionGroup var store: StoreOption
  @Argument(help: "The title of the item.") var title: String
  @Option(help: "The name of its category.") var list: String?
  @Option(help: "The due date, such as 2026-12-31 or tomorrow.") var due: String?

  func run() throws {
    let item = try store.change { context in
      let category = try list.map { name in
        try context.first(FetchRequest("Category", where: "name == %@", name))
          ?? context.insert("Category", ["name": name])
      }
      return try context.insert("Item", ["title": title, "due": due, "category": category])
    }
    try say("\(item.id.number): \(title)")
  }
}

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Lists the open items.")
  @OptionGroup var store: StoreOption
  @Option(name: .customLong("where"), help: "Lists only matching items.") var predicate: String?
  @Flag(help: "Lists items that are done too.") var all = false

  func run() throws {
    var request = try FetchRequest("Item").sorted(by: "due nulls last, title")
      .with(["today": Calendar.current.startOfDay(for: .now)])
    if !all { request = try request.filtered(by: "done == NO") }
    if let predicate { request = try request.filtered(by: predicate) }
    for item in try store.open().context.fetch(request, as: Item.self) { try say(item.line) }
  }
}

struct Done: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Marks items as done.")
  @OptionGroup var store: StoreOption
  @Argument(help: "The numbers of the items.") var numbers: [Int64]

  func run() throws { try store.change { try $0.update($0.items(numbers), ["done": true]) } }
}

struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Removes items.")
  @OptionGroup var store: StoreOption
  @Argument(help: "The numbers of the items.") var numbers: [Int64]

  func run() throws { try store.change { try $0.delete($0.items(numbers)) } }
}

extension ManagedObjectContext {
  func items(_ numbers: [Int64]) throws -> [ManagedObject] {
    try numbers.map { number in
      guard let item = object("Item", number) else {
        throw ValidationError("there is no item \(number)")
      }
      return item
    }
  }
}

/// Writes a line to standard output. Throws if that fails, for example because the disk is full.
func say(_ line: String) throws {
  // A title may contain anything, so line breaks and control characters are replaced.
  let harmless = line.map { $0.isNewline || $0.unicodeScalars.contains(where: \.speaks) ? "�" : $0 }
  try FileHandle.standardOutput.write(contentsOf: Data((String(harmless) + "\n").utf8))
}

extension Unicode.Scalar {
  var speaks: Bool { properties.generalCategory == .control || properties.isBidiControl }
}
