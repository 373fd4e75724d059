import Foundation
import KuraDiagnostics
import KuraPredicates
import KuraSentences
import KuraValues

extension AnnotatedFetch {
  /// Returns the fetch as a program would write it with this library for a sequence of objects.
  ///
  /// Throws if something has no counterpart there.
  package func library() throws(Untranslatable) -> String {
    let writer = LibraryWriter(self)
    let text = writer.text()
    try writer.missing.check()
    return text
  }
}

/// Writes a fetch with the library's predicates and collections.
private struct LibraryWriter {
  let typed: AnnotatedFetch
  let missing = CounterpartList("the library")

  init(_ typed: AnnotatedFetch) { self.typed = typed }

  func text() -> String {
    let fetch = typed.fetch
    checkClauses(fetch)
    let objects = typed.entity.plural.loweringFirst
    var lines = ["import Foundation", "import Kura", ""]
    if let predicate = fetch.predicate { lines.append("let predicate = try \(format(predicate))") }
    switch fetch.result {
    case .objects:
      lines.append("let found = try \(objects)\(test(fetch, "filter"))\(order)\(extent)")
    case .count:
      lines.append(
        "let count = \(fetch.predicate == nil ? "\(objects).count" : "try \(objects)\(test(fetch, "count"))")"
      )
    case .exists:
      lines.append(
        "let exists = \(fetch.predicate == nil ? "!\(objects).isEmpty" : "try \(objects)\(test(fetch, "contains"))")"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func test(_ fetch: FetchTree, _ method: String) -> String {
    fetch.predicate == nil ? "" : ".\(method)(by: predicate)"
  }

  private var order: String {
    let keys = typed.fetch.sort.map(\.description).joined(separator: ", ")
    return keys.isEmpty ? "" : ".sorted(by: \(LiteralSyntax.swift.text(keys)))"
  }

  private var extent: String {
    let offset = typed.count(typed.fetch.offset).map { ".dropFirst(\($0))" } ?? ""
    let limit = typed.count(typed.fetch.limit).map { $0 == "0" ? "" : ".prefix(\($0))" } ?? ""
    return offset + limit
  }

  private func checkClauses(_ fetch: FetchTree) {
    if fetch.source.entity == nil {
      _ = missing.missing("\"\(fetch.source.written)\"", at: fetch.source.span)
    }
    for column in fetch.selection ?? [] {
      _ = missing.missing(
        "columns", at: column.span, localized("map the result: .map { $0.title }"))
    }
    for key in fetch.grouping { _ = missing.missing("groups", at: key.span) }
    if let section = fetch.section { _ = missing.missing("sections", at: section.span) }
    missing.noteLimitKeys(of: fetch)
    for tree in fetch.predicate?.allNodes.expressions ?? [] {
      if case .fetch = tree.kind {
        _ = missing.missing(localized("nested fetches"), at: tree.span)
      }
    }
  }

  /// Returns `PredicateTree(format: "title CONTAINS[cd] %@", "誕生")`.
  private func format(_ predicate: PredicateTree) -> String {
    let format = PredicateFormat(predicate)
    let arguments = format.arguments.map { argument in
      switch argument {
      case .variable(let name): name
      case .value(let value): text(of: value)
      }
    }
    let parts = [LiteralSyntax.swift.text(format.text)] + arguments
    return "PredicateTree(format: \(parts.joined(separator: ", ")))"
  }

  private func text(of value: Value) -> String {
    if case .object(let object) = value {
      return missing.missing(
        localized("literal for the object \(object.id?.description ?? "")"), at: .none)
    }
    return LiteralSyntax.swift.text(value)
      ?? missing.missing(localized("literal for this value"), at: .none)
  }
}
