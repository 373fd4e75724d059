import Foundation
import KuraDiagnostics
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// Writes a fetch with Swift's `#Predicate` and SortDescriptors, for SwiftData.
final class SwiftPredicateWriter {
  let typed: AnnotatedFetch
  let missing = CounterpartList("#Predicate")
  /// The lines before the predicate, with constants for values without a literal.
  var constants: [String] = []
  /// The names of the variables of SUBQUERYs, and their entities.
  var variables: [String: (name: String, entity: String)] = [:]
  private var elements = 0
  /// The number of parts before the predicate.
  var parts = 0

  init(_ typed: AnnotatedFetch) { self.typed = typed }

  var model: Model { typed.model }
  /// The name of the object in the predicate.
  var subject: String {
    let name = typed.entity.loweringFirst
    return Self.keywords.contains(name) ? "`\(name)`" : name
  }

  /// Keywords of Swift that may be the name of an entity.
  private static let keywords: Set = [
    "as", "case", "class", "default", "do", "else", "enum", "extension", "for", "func", "if",
    "import",
    "in", "init", "internal", "is", "let", "operator", "private", "protocol", "public", "repeat",
    "return", "self", "static", "struct", "subscript", "switch", "throw", "try", "var", "where",
    "while",
  ]

  /// Returns an unused name: `element2`
  func newElement() -> String {
    elements += 1
    return "element\(elements)"
  }
}

extension AnnotatedFetch {
  /// Returns the fetch for SwiftData.
  ///
  /// Throws if something has no counterpart there.
  package func swiftPredicate() throws(Untranslatable) -> String {
    let writer = SwiftPredicateWriter(self)
    let text = writer.text()
    try writer.missing.check()
    return text
  }
}

extension SwiftPredicateWriter {
  func text() -> String {
    let fetch = typed.fetch
    checkClauses(fetch)
    let type = typed.entity
    var lines: [String] = []
    if let predicate = fetch.predicate {
      let condition = clause(predicate)
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
    if let offset = typed.count(fetch.offset) { lines.append("descriptor.fetchOffset = \(offset)") }
    if let limit = typed.count(fetch.limit) { lines.append("descriptor.fetchLimit = \(limit)") }
    if fetch.result == .exists { lines.append("descriptor.fetchLimit = 1") }
    switch fetch.result {
    case .objects: lines.append("let found = try context.fetch(descriptor)")
    case .count: lines.append("let count = try context.fetchCount(descriptor)")
    case .exists: lines.append("let exists = try context.fetchCount(descriptor) > 0")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func checkClauses(_ fetch: FetchTree) {
    if fetch.source.entity == nil {
      _ = missing.missing(
        localized("type for \"\(fetch.source.written)\""), at: fetch.source.span)
    }
    checkNames(fetch)
    for column in fetch.selection ?? [] { _ = missing.missing("columns", at: column.span) }
    for key in fetch.grouping { _ = missing.missing("groups", at: key.span) }
    if let having = fetch.having { _ = missing.missing("groups", at: having.span) }
    if let section = fetch.section { _ = missing.missing("sections", at: section.span) }
    missing.noteLimitKeys(of: fetch)
    if fetch.isDistinct { _ = missing.missing(localized("distinct rows"), at: fetch.span) }
    if !fetch.includesSubentities {
      _ = missing.missing(localized("way to exclude subentities"), at: fetch.span)
    }
  }

  /// Records names that Swift cannot have: `#"first name"`.
  private func checkNames(_ fetch: FetchTree) {
    if !typed.entity.isSwiftName {
      _ = missing.missing(
        localized("type called \(typed.entity.writtenName)"), at: fetch.source.span)
    }
    for tree in fetch.predicate?.allNodes.expressions ?? [] {
      guard case .keyPath(let path) = tree.kind else { continue }
      for key in path.components where !key.name.isSwiftName {
        _ = missing.missing(localized("property called \(key.name.writtenName)"), at: tree.span)
      }
    }
  }

  private func descriptor(_ sort: SortTree) -> String {
    guard case .keyPath(let path) = sort.expression.kind, path.base == nil,
      let key = chain(path, from: "\\\(typed.entity)"), key.rest.isEmpty, sort.options.isEmpty,
      sort.nullsFirst == nil || sort.putsNullsFirst == sort.isAscending
    else { return missing.missing(localized("SortDescriptor for \(sort)"), at: sort.span) }
    // The default comparator for texts sorts like a file browser.
    let isText = key.attribute?.type == .string
    let comparator = isText ? sort.isNatural ? "" : ", comparator: .lexical" : ""
    if sort.isNatural, !isText {
      return missing.missing(localized("natural order of \(path)"), at: sort.span)
    }
    return
      "SortDescriptor(\(key.side.text)\(comparator)\(sort.isAscending ? "" : ", order: .reverse"))"
  }
}

// Predicates
extension SwiftPredicateWriter: PredicateWriter {
  func negation(of inside: PredicateTree) -> String {
    // The macro does not accept `!(true)`.
    if case .constant(let answer) = inside.kind { return constant(!answer) }
    let text = light(clause(inside), atMost: Self.heaviest - 1)
    if text == "true" || text == "false" { return constant(text == "false") }
    return text.isInBrackets ? "!\(text)" : "!(\(text))"
  }

  func conjunction(of parts: [String]) -> String {
    parts.isEmpty ? "true" : lightened(parts, " && ").joined(separator: " && ")
  }

  func choice(of parts: [String]) -> String {
    parts.isEmpty ? "false" : lightened(parts, " || ").joined(separator: " || ")
  }

  func constant(_ answer: Bool) -> String { answer ? "true" : "false" }

  func truth(of value: ExpressionTree) -> String {
    let side = side(value)
    return side.isOptional ? "(\(side.text) ?? false)" : side.text
  }

  /// Returns a comparison; for ANY and ALL with a closure about each element.
  func clause(_ comparison: Comparison, in whole: PredicateTree) -> String {
    if comparison.modifier == .direct {
      return condition(comparison, side(comparison.left))
    }
    guard case .keyPath(let path) = comparison.left.kind, let chain = chain(path),
      chain.side.isCollection
    else {
      return missing.missing(
        localized("collection in \(typed.texts.text(of: comparison.left))"),
        at: comparison.left.span)
    }
    let name = newElement()
    var inner = comparison
    let isNested = KeyPathTree(Array(chain.rest)).properties.contains(where: \.isToMany)
    variables["\u{1}\(name)"] = (name, chain.entity)
    inner.left = ExpressionTree(
      .keyPath(KeyPathTree(base: ExpressionTree(.variable("\u{1}\(name)")), Array(chain.rest))),
      span: comparison.left.span)
    if !isNested { inner.modifier = .direct }
    let test =
      chain.rest.isEmpty
      ? missing.missing(localized("comparison of objects"), at: whole.span)
      : light(clause(inner, in: whole), atMost: Self.heaviestInside)
    let method = comparison.modifier == .any ? "contains" : "allSatisfy"
    let text = "\(chain.side.text).\(method) { \(name) in \(test) }"
    return chain.side.isOptional ? "(\(text) ?? \(comparison.modifier == .all))" : text
  }

  private func condition(_ comparison: Comparison, _ left: Side) -> String {
    let right =
      comparison.operation == .in || comparison.operation == .between
      ? Side("") : side(comparison.right)
    switch comparison.operation {
    case .equal, .notEqual: return equality(comparison, left, right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return order(comparison, left, right)
    case .contains: return search(comparison, left, right)
    case .beginsWith where comparison.options.isEmpty:
      // Cocoa's is false for the empty text, Swift's is true.
      if right.text == "\"\"" { return "false" }
      return called(left, "starts(with: \(right.text))", comparison, right)
    case .in: return isIn(comparison, left)
    case .between: return between(comparison, left)
    case .beginsWith, .endsWith, .like, .matches, .selector, .unsupported:
      let letters = comparison.options.letters
      let options = letters.isEmpty ? "" : "[\(letters)]"
      return missing.missing(comparison.operation.text + options, at: comparison.operationSpan)
    }
  }

  private func equality(_ comparison: Comparison, _ left: Side, _ right: Side) -> String {
    if left.isObject || right.isObject, left.text != "nil", right.text != "nil" {
      return missing.missing(localized("comparison of objects"), at: comparison.operationSpan)
    }
    let sign = comparison.operation == .equal ? "==" : "!="
    // A value that is not optional in Swift is never nil.
    if left.text == "nil" || right.text == "nil", !left.isOptional, !right.isOptional {
      return "\(left.text == right.text ? sign == "==" : sign == "!=")"
    }
    switch comparison.options {
    case []: return "\(left.text) \(sign) \(right.text)"
    case [.caseInsensitive] where !left.isOptional && !right.isOptional:
      return "\(left.text).caseInsensitiveCompare(\(right.text)) \(sign) .orderedSame"
    default:
      return missing.missing(
        localized("\(sign)[\(comparison.options.letters)] with these operands"),
        at: comparison.operationSpan)
    }
  }

  private func order(_ comparison: Comparison, _ left: Side, _ right: Side) -> String {
    guard comparison.options.isEmpty else {
      return missing.missing("[\(comparison.options.letters)] with <", at: comparison.operationSpan)
    }
    let sign = comparison.operation.text
    if left.text == "nil" || right.text == "nil" {
      // Nothing is less than nil, and only nil is less than or equal to nil.
      let other = left.text == "nil" ? right : left
      return sign.hasSuffix("=") && other.isOptional ? "\(other.text) == nil" : "false"
    }
    if left.isOptional, right.isOptional {
      return missing.missing(
        localized("\(sign) between two values that may be nil"), at: comparison.operationSpan)
    }
    return left.ifPresent { left in right.ifPresent { right in "\(left) \(sign) \(right)" } }
  }

  private func search(_ comparison: Comparison, _ left: Side, _ right: Side) -> String {
    switch comparison.options {
    case []: return called(left, "contains(\(right.text))", comparison, right)
    case [.caseInsensitive, .diacriticInsensitive]:
      return called(left, "localizedStandardContains(\(right.text))", comparison, right)
    default:
      return missing.missing(
        "CONTAINS[\(comparison.options.letters)]", at: comparison.operationSpan,
        localized("use [cd], which becomes localizedStandardContains"))
    }
  }

  private func called(
    _ left: Side, _ call: String, _ comparison: Comparison, _ right: Side
  ) -> String {
    if right.isOptional || left.isCollection {
      return missing.missing(
        localized("\(comparison.operation.text) with these operands"), at: comparison.operationSpan)
    }
    let chain = left.tail.isEmpty ? "?." : "."
    return left.isOptional ? "(\(left.text)\(chain)\(call) ?? false)" : "\(left.text).\(call)"
  }

  private func isIn(_ comparison: Comparison, _ left: Side) -> String {
    guard comparison.options.isEmpty, let values = comparison.right.elementsOfList else {
      return missing.missing(
        localized("IN with options or without a list of values"), at: comparison.operationSpan)
    }
    let texts = values.filter { !$0.isLiteralNull }.map { side($0).text }
    let list = "[\(texts.joined(separator: ", "))]"
    return left.ifPresent { "\(list).contains(\($0))" }
  }

  private func between(_ comparison: Comparison, _ left: Side) -> String {
    guard let bounds = comparison.right.elementsOfList, bounds.count == 2 else {
      return missing.missing(localized("BETWEEN without two bounds"), at: comparison.right.span)
    }
    let (low, high) = (side(bounds[0]), side(bounds[1]))
    if low.text == "nil" || high.text == "nil" { return "false" }
    if low.isOptional || high.isOptional {
      return missing.missing(localized("BETWEEN bounds that may be nil"), at: comparison.right.span)
    }
    return left.isOptional
      ? left.ifPresent { "\($0) >= \(low.text) && \($0) <= \(high.text)" }
      : "(\(left.text) >= \(low.text) && \(left.text) <= \(high.text))"
  }
}

// A predicate of many comparisons is split into named parts: the macro makes one expression of
// each, and the compiler cannot type-check a large one.
extension SwiftPredicateWriter {
  /// The greatest number of signs and calls in one expression.
  static let heaviest = 7
  /// The greatest number in a nested closure.
  static let heaviestInside = 5

  /// A remark about how the parts are joined.
  var remarks: [String] {
    parts == 0 ? [] : ["// evaluate in #Predicate: macOS 14.4, iOS 17.4"]
  }

  /// Returns the text, or the name of a part with it if it is too complex.
  func light(_ text: String, atMost weight: Int) -> String {
    text.weight > weight ? part(text) : text
  }

  /// Returns the parts of an AND or OR, as many of them named as necessary.
  func lightened(_ texts: [String], _ sign: String) -> [String] {
    var texts = texts
    while texts.count > 1, texts.joined(separator: sign).weight > Self.heaviest {
      let heavy = texts.indices.filter { !inputs(of: texts[$0]).isEmpty }
        .max { texts[$0].weight < texts[$1].weight }
      if let heavy, texts[heavy].weight > 1 {
        texts[heavy] = part(texts[heavy])
      } else {
        let first = texts.prefix(3).joined(separator: sign)
        texts.replaceSubrange(0..<min(3, texts.count), with: [part(first)])
      }
    }
    return texts
  }

  /// Returns the objects that a condition reads. A closure in it declares its own element.
  private func inputs(of text: String) -> [(name: String, entity: String)] {
    let known =
      [(name: subject, entity: typed.entity)] + variables.values.sorted { $0.name < $1.name }
    return known.filter { text.mentions($0.name) && !text.contains("{ \($0.name) in ") }
  }

  /// Names a condition, and returns its use: `part1.evaluate(task)`. A condition that reads no object remains.
  private func part(_ text: String) -> String {
    let inputs = inputs(of: text)
    guard !inputs.isEmpty else { return text }
    parts += 1
    let types = inputs.map(\.entity).joined(separator: ", ")
    let names = inputs.map(\.name).joined(separator: ", ")
    constants.append(
      "let part\(parts) = #Predicate<\(types)> { \(names) in\n  \(text.withoutOuterBrackets)\n}")
    return "part\(parts).evaluate(\(names))"
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

  /// The number of signs and calls in it, except in its texts.
  fileprivate var weight: Int {
    let code = withoutTexts
    let signs = [
      "&&", "||", "==", "!=", "<", ">", "??", " + ", " - ", " * ", "!(", ".contains", ".flatMap",
      ".filter", ".starts", ".allSatisfy", ".localized", ".caseInsensitive", ".evaluate", "[",
      " ? ",
    ]
    return signs.reduce(0) { $0 + code.ranges(of: $1).count }
  }

  /// The code without the content of its texts.
  private var withoutTexts: String {
    var (result, isInText, isEscaped) = ("", false, false)
    for character in self {
      if !isInText || character == "\"", !isEscaped { result.append(character) }
      if character == "\"", !isEscaped { isInText.toggle() }
      isEscaped = isInText && character == "\\" && !isEscaped
    }
    return result
  }

  /// Returns whether its code contains a name.
  fileprivate func mentions(_ name: String) -> Bool {
    let code = withoutTexts
    return code.ranges(of: name).contains { range in
      let before =
        range.lowerBound == code.startIndex ? " " : code[code.index(before: range.lowerBound)]
      let after = range.upperBound == code.endIndex ? " " : code[range.upperBound]
      return !before.isPartOfName && before != "." && !after.isPartOfName
    }
  }

  /// Returns `a || b` for `(a || b)`.
  fileprivate var withoutOuterBrackets: String {
    isInBrackets ? String(dropFirst().dropLast()) : self
  }
}

extension Character {
  fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" || self == "`" }
}
