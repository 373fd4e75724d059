package import KuraDiagnostics
package import KuraFetch
package import KuraGraph
import KuraModel
package import KuraPredicates
import KuraSentences
package import KuraValues

/// The reasons why an object matches or not: the predicate's trace as lines, from the top.
package struct ObjectTrace: Sendable {
  package let object: Value
  /// The first text of the object, to identify it.
  package let name: String?
  package let trace: PredicateTrace
}

extension BoundRequest {
  /// Returns the trace of the predicate for the object at a row; without a predicate it matches.
  package func objectTrace(_ row: Int) throws(Diagnostic) -> ObjectTrace {
    let object = object(atRow: row)
    let trace = try trace(predicate ?? PredicateTree(.constant(true)), row)
    return ObjectTrace(
      object: .object(ObjectReference(object)), name: object.firstText, trace: trace)
  }
}

extension GraphObject {
  /// The value of its first text attribute that has one.
  package var firstText: String? {
    let texts = snapshot.graph.model.allAttributes(of: entityName).lazy
      .filter { $0.type == .string }
      .compactMap { attribute -> String? in
        guard case .string(let text)? = try? value(forKey: attribute.name) else { return nil }
        return text
      }
    return texts.first { !$0.isEmpty }
  }
}

/// A line of a trace: a node, or an element of a leaf's collection.
package struct TraceLine: Sendable {
  /// The drawn branch before it: `│  └─ `
  package let branch: String
  package let text: String
  package let answer: TracedAnswer?
  /// The values of its keys: `Category/1 "家"`, `done is YES`
  package let values: String
  /// Whether it alone decided the answer.
  package let decides: Bool
}

extension ObjectTrace {
  /// Returns the lines below the object's line.
  package func lines(_ texts: PartTexts) -> [TraceLine] {
    var writer = TraceWriter(texts: texts)
    let way = trace.decisionPath
    // If every part counts, or there is only one, no part is marked.
    writer.write(trace, .root, way.isEmpty ? nil : way[...])
    return writer.lines
  }
}

/// The signs before a node of a drawn tree.
package struct TreeBranch: Sendable {
  package let text: String
  /// The signs before its parts.
  private let below: String

  package static let root = TreeBranch(text: "", below: "")

  /// Returns the branch of one of several parts.
  package func part(_ place: Int, of count: Int) -> TreeBranch {
    let isLast = place == count - 1
    return TreeBranch(
      text: below + (isLast ? "└─ " : "├─ "), below: below + (isLast ? "   " : "│  "))
  }
}

/// Draws a trace as a tree.
private struct TraceWriter {
  let texts: PartTexts
  var lines: [TraceLine] = []
  /// The number of elements that are listed; more are only counted.
  private static let mostElements = 12

  /// Writes a node and its parts. `way` is the path from here to the deciding node; nil if that
  /// node is elsewhere.
  mutating func write(
    _ trace: PredicateTrace, _ branch: TreeBranch, _ way: ArraySlice<Int>?
  ) {
    let values = trace.isLeaf ? TraceValues(texts: texts).text(of: trace) : ""
    lines.append(
      TraceLine(
        branch: branch.text, text: texts.text(of: trace.predicate), answer: trace.answer,
        values: values, decides: way?.isEmpty ?? false))
    guard !trace.isLeaf else { return write(elements: trace.allElements, branch) }
    for (place, part) in trace.parts.enumerated() {
      let rest = way?.first == place ? way?.dropFirst() : nil
      write(part, branch.part(place, of: trace.parts.count), rest)
    }
  }

  private mutating func write(elements: [TracedElement], _ branch: TreeBranch) {
    let shown = elements.prefix(Self.mostElements)
    for (place, element) in shown.enumerated() {
      write(element, branch.part(place, of: elements.count))
    }
    guard elements.count > shown.count else { return }
    lines.append(
      TraceLine(
        branch: branch.part(0, of: 1).text, text: rest(of: elements[shown.count...]), answer: nil,
        values: "", decides: false))
  }

  private mutating func write(_ element: TracedElement, _ branch: TreeBranch) {
    let (text, value) = (texts.text(of: element.owner ?? element.value), element.value)
    lines.append(
      TraceLine(
        branch: branch.text, text: text, answer: element.answer,
        values: element.owner == nil ? "" : texts.text(of: value), decides: false))
    guard let trace = element.trace else { return }
    write(trace, branch.part(0, of: 1), nil)
  }

  /// Returns `… 40 more: 3 YES, 37 NO`.
  private func rest(of elements: ArraySlice<TracedElement>) -> String {
    let counts = [TracedAnswer.yes, .no, .null, .unasked].compactMap { answer -> String? in
      let count = elements.count { $0.answer == answer }
      return count == 0 ? nil : "\(count) \(answer.words)"
    }
    return localized("… \(elements.count) more")
      + (counts.isEmpty ? "" : ": \(counts.list)")
  }
}

extension TracedAnswer {
  /// `YES`, `not evaluated`
  package var words: String { self == .unasked ? localized("not evaluated") : rawValue }
}

extension PredicateTrace {
  /// Whether no part of it is shown as a node.
  package var isLeaf: Bool { parts.isEmpty || predicate.isNone }

  /// The elements of the leaf; for NONE, the elements of its ANY.
  package var allElements: [TracedElement] {
    predicate.isNone ? parts.first?.elements ?? [] : elements
  }

  /// The operands of the leaf; for NONE, the operands of its ANY.
  package var allSides: TracedSides? { predicate.isNone ? parts.first?.sides : sides }

  /// The comparison of the leaf; for NONE, its ANY.
  package var comparison: Comparison? {
    switch predicate.kind {
    case .comparison(let comparison): comparison
    case .not(let inner) where predicate.isNone:
      if case .comparison(let comparison) = inner.kind { comparison } else { nil }
    case .not, .and, .or, .constant, .truth: nil
    }
  }
}

/// Formats parts of a predicate as they were written, and values as statements write them.
package struct PartTexts: Sendable {
  private let source: SourceText?
  private let zone: ZoneRules

  package init(_ source: SourceText?, _ zone: ZoneRules) {
    self.source = source
    self.zone = zone
  }
}

extension PartTexts {
  /// Returns a leaf as written in the text; for AND, OR and NOT, the word.
  package func text(of part: PredicateTree) -> String {
    switch part.kind {
    case .and: return "AND"
    case .or: return "OR"
    case .not where !part.isNone: return "NOT"
    case .not, .comparison, .constant, .truth: return whole(part)
    }
  }

  /// Returns a complete predicate as written in the text.
  package func whole(_ part: PredicateTree) -> String {
    written(part.span) ?? part.predicateFormat
  }

  /// Returns an expression as written in the text.
  package func text(of part: ExpressionTree) -> String {
    written(part.span) ?? part.expressionFormat
  }

  private func written(_ span: SourceSpan) -> String? {
    guard span != .none, let text = source?.text(span), !text.isEmpty else { return nil }
    return text.withPlainBlanks
  }

  /// Returns `"誕生"`, `YES`, `"2026-02-01"`, `Item/3`, `{1, 2, …}`; only the beginning of a long
  /// text.
  package func text(of value: Value) -> String {
    switch value {
    case .null: return "nil"
    case .list(let elements): return list(elements)
    case .set(let set): return list(set.elements)
    case .string(let text) where text.count > Self.mostLetters:
      return StatementText.string(String(text.prefix(Self.mostLetters)) + "…")
    default: return AttributeType.json.literal(value, in: zone)
    }
  }

  private func list(_ elements: [Value]) -> String {
    let shown = elements.prefix(Self.mostElements).map(text(of:))
    let rest =
      elements.count > shown.count ? [localized("… \(elements.count - shown.count) more")] : []
    return "{\((shown + rest).joined(separator: ", "))}"
  }

  private static let mostLetters = 60
  private static let mostElements = 5
}

extension String {
  /// The text on one line, with single spaces except in quotes.
  fileprivate var withPlainBlanks: String {
    var result = ""
    var quote: Character?
    var isEscaped = false
    for character in self {
      if let open = quote {
        result.append(character)
        if character == open, !isEscaped { quote = nil }
        isEscaped = character == "\\" && !isEscaped
      } else if character.isWhitespace {
        if result.last != " " { result.append(" ") }
      } else {
        if character == "\"" || character == "'" { quote = character }
        result.append(character)
      }
    }
    return result
  }
}

/// Formats the values of a leaf's keys: `"部屋の掃除"`, `Category/1 "家"`, `a is 3, b is nil`.
struct TraceValues {
  let texts: PartTexts
  /// Whether elements have lines of their own, and are only counted here.
  var listsElements = true
}

extension TraceValues {
  func text(of leaf: PredicateTrace) -> String {
    guard leaf.answer != .unasked, let sides = leaf.allSides else { return "" }
    guard let comparison = leaf.comparison else { return alone(leaf, sides.left) }
    if comparison.left.isFixed, comparison.right.isFixed { return "" }
    if comparison.right.isFixed { return said(comparison.left, sides.left, leaf) }
    if comparison.left.isFixed { return said(comparison.right, sides.right, leaf) }
    return [(comparison.left, sides.left), (comparison.right, sides.right)].map {
      localized("\(texts.text(of: $0)) is \(texts.text(of: $1))")
    }.list
  }

  private func alone(_ leaf: PredicateTrace, _ value: Value) -> String {
    guard case .truth(let expression) = leaf.predicate.kind else { return "" }
    return localized("\(texts.text(of: expression)) is \(texts.text(of: value))")
  }

  /// Returns the value of the operand that is not constant; if elements are listed below, only
  /// their number.
  private func said(_ side: ExpressionTree, _ value: Value, _ leaf: PredicateTrace) -> String {
    if listsElements, let elements = value.elements, !leaf.allElements.isEmpty {
      return counted(elements.count, "element", "elements")
    }
    if value.elements?.isEmpty ?? false { return localized("no elements") }
    guard case .keyPath(let path) = side.kind, path.base.map(\.isVariable) ?? true else {
      return texts.text(of: value)
    }
    return localized("\(texts.text(of: side)) is \(texts.text(of: value))")
  }
}

extension ExpressionTree {
  fileprivate var isVariable: Bool { if case .variable = kind { true } else { false } }
}
