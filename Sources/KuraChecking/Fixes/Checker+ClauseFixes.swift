import KuraDiagnostics
import KuraModel
import KuraPredicates

// A predicate that asks of groups, or of columns.
extension Checker {
  /// Adds to what was said of a `where` that groups are asked with `having`, and that the name of a
  /// column stands for its expression.
  func offerClauses(_ found: Range<Int>, of fetch: FetchTree) {
    guard let predicate = fetch.predicate else { return }
    for place in found {
      let problem = state.problems[place]
      guard let span = problem.span else { continue }
      switch problem.facts as? CheckFacts {
      case .unknownKey(let name, _, _, _)?:
        guard let column = fetch.selection?.first(where: { $0.isNamed && $0.name == name }) else {
          continue
        }
        state.problems[place].fixIts =
          column.expression.containsAggregate
          ? having(fetch, predicate) : [FixIt(span, text(column.expression))]
      case .aggregateOfOne? where !fetch.grouping.isEmpty:
        state.problems[place].fixIts = having(fetch, predicate) + problem.fixIts
      default: continue
      }
    }
  }

  /// `category ==[c] "x"` for `category [c]== "x"`, where the letters were read as a key.
  func offerOptions(_ found: Range<Int>, _ comparison: Comparison) {
    guard case .index(let inner, .at(let index)) = comparison.left.kind, comparison.options.isEmpty,
      text(index).lowercased().allSatisfy({ "cdnl".contains($0) }),
      comparison.operationSpan != .none
    else { return }
    let end = comparison.operationSpan.end
    let bracket = comparison.left.span.end - text(index).utf8.count - 2
    let fix = FixIt(edits: [
      TextEdit(SourceSpan(max(inner.span.end, bracket), comparison.left.span.end), ""),
      TextEdit(SourceSpan(end, end), "[\(text(index))]"),
    ])
    for place in found { state.problems[place].fixIts.insert(fix, at: 0) }
  }

  /// `sort -date`: minus is for numbers.
  func checkSign(_ key: ExpressionTree) {
    guard case .function(let call) = key.kind, call.function == .subtract,
      call.arguments.count == 2,
      text(key).hasPrefix("-"), !checked(call.arguments[1]).type.mayBeNumber
    else { return }
    let path = text(call.arguments[1])
    note(.sortSign(path), at: key.span, fixIt: FixIt(key.span, "\(path) desc"))
  }

  private func having(_ fetch: FetchTree, _ predicate: PredicateTree) -> [FixIt] {
    guard fetch.having == nil, let word = word(before: predicate.span.start) else { return [] }
    return [FixIt(word, "having")]
  }

  /// The word that stands before a place, with nothing but blanks between.
  func word(before place: Int) -> SourceSpan? {
    guard let bytes = context.source?.bytes, place <= bytes.count else { return nil }
    let end = bytes[..<place].lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
    let start =
      bytes[..<end].lastIndex { $0 <= 0x20 || $0 == UInt8(ascii: "(") }.map { $0 + 1 } ?? 0
    return start < end ? SourceSpan(start, end) : nil
  }

  /// Leaves out `ANY` before a place.
  func withoutModifier(before place: Int) -> FixIt? {
    guard let word = word(before: place),
      let text = context.source?.text(word).uppercased(),
      ["ANY", "ALL", "NONE", "SOME"].contains(text)
    else { return nil }
    return FixIt(SourceSpan(word.start, place), text == "NONE" ? "NOT " : "")
  }
}

extension CheckedType {
  fileprivate var mayBeNumber: Bool {
    switch self {
    case .attribute(let type): type.isNumeric || type == .boolean || type == .json
    case .number, .boolean, .literal, .any: true
    case .object, .objectID, .collection, .entity, .string, .date: false
    }
  }
}
