import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// Writes a fetch with Swift's `#Predicate` and SortDescriptors, as SwiftData takes them.
struct SwiftPredicateWriter {
  let typed: TypedFetch
  let missing = CounterpartList("#Predicate")
  /// The lines before the predicate, which name what has no literal.
  var constants: [String] = []
  /// What the variables of SUBQUERYs are called, and their entities.
  var variables: [String: (name: String, entity: String)] = [:]
  private var elements = 0
  /// How many parts stand before the predicate.
  var parts = 0

  init(_ typed: TypedFetch) { self.typed = typed }

  var model: Model { typed.model }
  /// What the object is called in the predicate.
  var subject: String {
    let name = typed.entity.loweringFirst
    return Self.keywords.contains(name) ? "`\(name)`" : name
  }

  /// Words of Swift that an entity may well be called by.
  private static let keywords: Set = [
    "as", "case", "class", "default", "do", "else", "enum", "extension", "for", "func", "if",
    "import",
    "in", "init", "internal", "is", "let", "operator", "private", "protocol", "public", "repeat",
    "return", "self", "static", "struct", "subscript", "switch", "throw", "try", "var", "where",
    "while",
  ]

  /// `element2`
  mutating func newElement() -> String {
    elements += 1
    return "element\(elements)"
  }
}

extension TypedFetch {
  /// The fetch as SwiftData has it.
  ///
  /// Throws where something has no counterpart there.
  package func swiftPredicate() throws(Untranslatable) -> String {
    var writer = SwiftPredicateWriter(self)
    let text = writer.text()
    try writer.missing.check()
    return text
  }
}

extension SwiftPredicateWriter {
  mutating func text() -> String {
    let fetch = typed.fetch
    checkClauses(fetch)
    let type = typed.entity
    var lines: [String] = []
    if let predicate = fetch.predicate {
      let condition = condition(predicate)
      lines =
        remarks + constants + [
          "let predicate = #Predicate<\(type)> { \(subject) in", "  \(condition)", "}",
        ]
    }
    let test = fetch.predicate == nil ? "" : "predicate: predicate"
    let order =
      fetch.sort.isEmpty ? "" : "sortBy: [\(fetch.sort.map(descriptor).joined(separator: ", "))]"
    let arguments = [test, order].filter { !$0.isEmpty }.joined(separator: ", ")
    let isChanged = fetch.limit != nil || fetch.offset != nil || fetch.result == .exists
    lines.append("\(isChanged ? "var" : "let") descriptor = FetchDescriptor<\(type)>(\(arguments))")
    if let offset = count(fetch.offset) { lines.append("descriptor.fetchOffset = \(offset)") }
    if let limit = count(fetch.limit) { lines.append("descriptor.fetchLimit = \(limit)") }
    if fetch.result == .exists { lines.append("descriptor.fetchLimit = 1") }
    switch fetch.result {
    case .objects: lines.append("let found = try context.fetch(descriptor)")
    case .count: lines.append("let count = try context.fetchCount(descriptor)")
    case .exists: lines.append("let exists = try context.fetchCount(descriptor) > 0")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func checkClauses(_ fetch: FetchTree) {
    if case .entity = fetch.source.kind {
    } else {
      _ = missing.missing(
        localized("\"\(fetch.source.written)\" as its type"), at: fetch.source.span)
    }
    checkNames(fetch)
    for column in fetch.selection ?? [] { _ = missing.missing("columns", at: column.span) }
    for key in fetch.grouping { _ = missing.missing("groups", at: key.span) }
    if let having = fetch.having { _ = missing.missing("groups", at: having.span) }
    if let section = fetch.section { _ = missing.missing("sections", at: section.span) }
    if fetch.isDistinct { _ = missing.missing(localized("distinct rows"), at: fetch.span) }
    if !fetch.includesSubentities {
      _ = missing.missing(localized("way to leave out subentities"), at: fetch.span)
    }
  }

  /// Notes names that Swift cannot have: `#"first name"`.
  private func checkNames(_ fetch: FetchTree) {
    if !typed.entity.isSwiftName {
      _ = missing.missing(
        localized("type called \(typed.entity.writtenName)"), at: fetch.source.span)
    }
    fetch.predicate?.walk { node, _ in
      guard case .expression(let tree) = node, case .keyPath(let path) = tree.kind else {
        return .into
      }
      for key in path.components where !key.name.isSwiftName {
        _ = missing.missing(localized("property called \(key.name.writtenName)"), at: tree.span)
      }
      return .into
    }
  }

  private func count(_ tree: ExpressionTree?) -> String? {
    switch tree?.kind {
    case .constant(let constant)?: typed.texts.text(of: constant.value)
    case .variable(let name)?: name
    default: nil
    }
  }

  private func descriptor(_ sort: SortTree) -> String {
    guard case .keyPath(let path) = sort.expression.kind, path.base == nil,
      let key = key(path, typed.entity, from: "\\\(typed.entity)"), sort.options.isEmpty,
      sort.nullsFirst == nil || sort.putsNullsFirst == sort.isAscending
    else { return missing.missing(localized("SortDescriptor for \(sort)"), at: sort.span) }
    // Of texts the usual comparator is that of a file browser.
    let isText = key.type == .string
    let comparator = isText ? sort.isNatural ? "" : ", comparator: .lexical" : ""
    if sort.isNatural, !isText {
      return missing.missing(localized("natural order of \(path)"), at: sort.span)
    }
    return "SortDescriptor(\(key.text)\(comparator)\(sort.isAscending ? "" : ", order: .reverse"))"
  }
}

// Predicates
extension SwiftPredicateWriter {
  mutating func condition(_ predicate: PredicateTree) -> String {
    switch predicate.kind {
    case .comparison(let comparison): return condition(comparison, predicate)
    case .not(let inner):
      // `!(true)` is no expression that the macro knows.
      if case .constant(let answer) = inner.kind { return answer ? "false" : "true" }
      let text = light(condition(inner), atMost: Self.heaviest - 1)
      if text == "true" || text == "false" { return text == "true" ? "false" : "true" }
      return text.isInBrackets ? "!\(text)" : "!(\(text))"
    case .and(let parts): return joined(parts, " && ", empty: "true")
    case .or(let parts): return joined(parts, " || ", empty: "false")
    case .constant(let answer): return answer ? "true" : "false"
    case .truth(let value):
      let side = side(value)
      return side.isOptional ? "(\(side.text) ?? false)" : side.text
    }
  }

  private mutating func joined(_ parts: [PredicateTree], _ sign: String, empty: String) -> String {
    var texts: [String] = []
    for part in parts {
      let text = condition(part)
      let isCompound =
        switch part.kind {
        case .and, .or: true
        default: false
        }
      texts.append(isCompound ? "(\(text))" : text)
    }
    return texts.isEmpty ? empty : lightened(texts, sign).joined(separator: sign)
  }
}

extension String {
  fileprivate var isSwiftName: Bool {
    guard let first, !first.isNumber else { return false }
    return allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// Whether its first bracket is closed by its last one.
  var isInBrackets: Bool {
    guard first == "(", last == ")", !contains("\"") else { return false }
    var depth = 0
    for (place, character) in enumerated() {
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      if depth == 0 { return place == count - 1 }
    }
    return false
  }
}
