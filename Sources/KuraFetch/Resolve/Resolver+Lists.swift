import KuraChecking
import KuraDiagnostics
import KuraGraph
import KuraModel
import KuraPredicates
import KuraValues

/// What only data shows of a json attribute: that its values are lists, of which none is one value.
extension Resolver {
  /// Warns of `tags == "novel"` where the values are lists; `ANY tags == "novel"` is meant.
  func warnOfLists(in predicate: PredicateTree, _ place: EntityPlace) {
    guard let warnings = environment.warnings else { return }
    let table = snapshot.graph.tables[place.table]
    predicate.walk { node, _ in
      guard case .predicate(let tree) = node, case .comparison(let comparison) = tree.kind,
        comparison.asksForOneValue, case .keyPath(let path) = comparison.left.kind,
        let key = path.onlyKey,
        case .attribute(let column, .json)? = table.layout.slots[place.code][key],
        table.columns[column].holdsLists(table.count)
      else { return .into }
      warnings.note([comparison.warning(of: key)], in: environment.source)
      return .into
    }
  }
}

extension Comparison {
  /// Whether a value that it is true of is one, no list.
  fileprivate var asksForOneValue: Bool {
    guard modifier == .direct else { return false }
    switch operation {
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual:
      if case .constant(let constant) = right.kind {
        return !constant.value.isNull && constant.value.elements == nil
      }
      return false
    case .in:
      guard case .aggregate(let parts) = right.kind else { return false }
      return parts.allSatisfy { part in
        if case .constant(let constant) = part.kind {
          constant.value.elements == nil
        } else {
          false
        }
      }
    // Text operators fail at a list, and say so.
    case .notEqual, .contains, .between, .beginsWith, .endsWith, .like, .matches, .selector,
      .unsupported:
      return false
    }
  }

  fileprivate func warning(of key: String) -> Diagnostic {
    let start = left.span.start
    return Diagnostic(
      NeverTrueFacts.listsAreNotOne(key, operation: operation.text),
      at: left.span.joined(right.span), fixIt: FixIt(SourceSpan(start, start), "ANY "),
      severity: .warning)
  }
}

extension Column {
  /// Whether the first values, of so many rows, are all lists.
  fileprivate func holdsLists(_ rows: Int) -> Bool {
    var lists = 0
    for row in 0..<min(rows, 256) {
      switch value(row) {
      case .null: continue
      case .list: lists += 1
      case .boolean, .integer, .double, .decimal, .string, .date, .uuid, .uri, .binary, .set,
        .dictionary, .object:
        return false
      }
    }
    return lists > 0
  }
}
