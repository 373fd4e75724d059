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
    writer.write(trace, "", "", way.isEmpty ? nil : way[...])
    return writer.lines
  }
}

/// Draws a trace as a tree.
private struct TraceWriter {
  let texts: PartTexts
  var lines: [TraceLine] = []
  /// The number of elements that are listed; more are only counted.
  private static let mostElements = 12

  init(texts: PartTexts) { self.texts = texts }

  /// Writes a node and its parts. `way` is the path from here to the deciding node; nil if that
  /// node is elsewhere.
  mutating func write(
    _ trace: PredicateTrace, _ branch: String, _ below: String, _ way: ArraySlice<Int>?
  ) {
    let values = trace.isLeaf ? TraceValues(texts).text(of: trace) : ""
    lines.append(
      TraceLine(
        branch: branch, text: texts.text(of: trace.predicate), answer: trace.answer,
        values: values, decides: way?.isEmpty ?? false))
    guard !trace.isLeaf else { return write(elements: trace.allElements, below) }
    for (place, part) in trace.parts.enumerated() {
      let isLast = place == trace.parts.count - 1
      let rest = way?.first == place ? way?.dropFirst() : nil
      write(part, below + (isLast ? "└─ " : "├─ "), below + (isLast ? "   " : "│  "), rest)
    }
  }

  private mutating func write(elements: [TracedElement], _ below: String) {
    let shown = elements.prefix(Self.mostElements)
    for (place, element) in shown.enumerated() {
      let isLast = place == elements.count - 1
      write(element, below + (isLast ? "└─ " : "├─ "), below + (isLast ? "   " : "│  "))
    }
    guard elements.count > shown.count else { return }
    lines.append(
      TraceLine(
        branch: below + "└─ ", text: rest(of: elements[shown.count...]), answer: nil, values: "",
        decides: false))
  }

  private mutating func write(_ element: TracedElement, _ branch: String, _ below: String) {
    let (text, value) = (texts.text(of: element.owner ?? element.value), element.value)
    lines.append(
      TraceLine(
        branch: branch, text: text, answer: element.answer,
        values: element.owner == nil ? "" : texts.text(of: value), decides: false))
    guard let trace = element.trace else { return }
    write(trace, below + "└─ ", below + "   ", nil)
  }

  /// Returns `… 40 more: 3 YES, 37 NO`.
  private func rest(of elements: ArraySlice<TracedElement>) -> String {
    let counts = [TracedAnswer.yes, .no, .null, .unasked].compactMap { answer -> String? in
      let count = elements.count { $0.answer == answer }
      return count == 0 ? nil : "\(count) \(answer.words)"
    }
    return localized("… \(elements.count) more")
      + (counts.isEmpty ? "" : ": \(counts.joined(separator: ", "))")
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
