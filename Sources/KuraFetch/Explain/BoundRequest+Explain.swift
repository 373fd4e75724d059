import Foundation
import KuraBytes
import KuraChecking
package import KuraDiagnostics
import KuraGraph
import KuraModel
package import KuraPredicates
import KuraSentences

extension BoundRequest {
  /// Returns the plan of the request; runs only nested fetches.
  package func explanation(_ result: FetchTree.Result) -> FetchExplanation {
    let plan = plan
    var steps = [access(plan)]
    if predicate != nil { steps.append(explanation(plan.filter, plan, nil)) }
    if result == .objects { steps += shownSteps }
    return FetchExplanation("\(result.rawValue) \(entity)", "", steps)
  }

  /// Runs the request once, and returns the plan with counts of objects and times.
  ///
  /// Throws if a row makes a node fail.
  package func analysis(_ result: FetchTree.Result) throws(Diagnostic) -> FetchExplanation {
    let meter = FetchMeter()
    var request = self
    request.meter = meter
    let start = ContinuousClock.now
    let answered =
      switch result {
      case .objects: try request.answer().count
      case .count: try request.count()
      case .exists: try request.exists() ? 1 : 0
      }
    let duration = start.duration(to: .now)
    let plan = meter.plan ?? plan
    let tally = meter.tally
    let reached = tally.reached[plan.filter.node] ?? 0
    let found = tally.passed[plan.filter.node] ?? 0
    var steps = [access(plan).measured(nil, reached, nil)]
    if predicate != nil { steps.append(explanation(plan.filter, plan, tally)) }
    if result == .objects {
      steps += request.shownSteps.map {
        $0.measured(found, answered, $0.step.flatMap(meter.duration)).naming(meter.evaluated)
      }
    }
    return FetchExplanation("\(result.rawValue) \(entity)", "", steps)
      .measured(reached, answered, duration)
  }
}

extension BoundRequest {
  private func access(_ plan: Plan) -> FetchExplanation {
    switch plan.access {
    case .object(let row?):
      return FetchExplanation(localized("access"), localized("row of \(table.objectID(row))"))
    case .object(nil): return FetchExplanation(localized("access"), localized("no such objectID"))
    case .scan: break
    }
    if let rows {
      return FetchExplanation(localized("access"), localized("given objects: \(rows.count)"))
    }
    return FetchExplanation(localized("access"), localized("scan of \(table.liveCount) objects"))
  }

  private func explanation(
    _ filter: Filter, _ plan: Plan, _ tally: FilterTally?
  ) -> FetchExplanation {
    let parts = DeepStack.run { filter.parts.map { explanation($0, plan, tally) } }
    var node = FetchExplanation(text(of: filter, plan), method(of: filter), parts)
    guard let tally else { return node }
    node.reached = tally.reached[filter.node] ?? 0
    node.passed = tally.passed[filter.node] ?? 0
    node.seconds = tally.durations[filter.node].map { $0 / .seconds(1) }
    if case .kernel(let kernel) = filter.kind, let left = tally.left[filter.node] {
      node.method +=
        "; " + localized("reference evaluator: rows: \(left), because \(kernel.reasonForFallback)")
    }
    return node
  }

  private func method(of filter: Filter) -> String {
    switch filter.kind {
    case .and, .or, .not: ""
    case .constant, .kernel, .reference: filter.method
    }
  }

  /// Returns the source text of the node, or its new form if a part was computed; for a connective its keyword.
  private func text(of filter: Filter, _ plan: Plan) -> String {
    switch filter.kind {
    case .and: return "AND"
    case .or: return "OR"
    case .not where filter.predicate.isNegation: return "NOT"
    case .constant(let answer): return answer ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not, .kernel, .reference: break
    }
    let span = filter.predicate.span
    let isAsWritten =
      !plan.folded.contains(span) || filter.predicate.first(where: \.hasObjects) != nil
    if isAsWritten, let written = environment.written(span) {
      return filter.predicate.isNegation ? "NOT " + written : written
    }
    return filter.predicate.predicateFormat
      .replacingOccurrences(of: "#\"objectID\\0number\"", with: "objectID")
  }
}

extension PredicateTree {
  fileprivate var isNegation: Bool { if case .not = kind { true } else { false } }
}

extension ExpressionTree {
  /// Whether it is a list of objects, which a nested fetch found.
  fileprivate var hasObjects: Bool {
    guard case .constant(let constant) = kind, case .object? = constant.value.elements?.first else {
      return false
    }
    return true
  }
}

extension BoundRequest {
  /// Returns an aggregate as written.
  func text(of aggregate: CheckedAggregate) -> String {
    environment.written(aggregate.span)
      ?? "\(aggregate.function.names[0])(\(aggregate.argument.expressionFormat))"
  }

  /// Returns why the reference evaluator computes an aggregate.
  func reasonToEvaluate(_ aggregate: CheckedAggregate) -> String {
    guard let loop = aggregate.function.builtIn?.loop, loop.column != nil || loop.gathered != nil
    else { return localized("the expression has no loop") }
    if let node = vectorNode(aggregate.argument) { return node.reasonForFallback }
    return attribute(aggregate.argument) == nil
      ? localized("the expression has no loop") : VectorKind.integer.reasonForFallback
  }

  /// Returns why the reference evaluator evaluates an expression for this number of rows.
  func reasonToEvaluate(_ tree: ExpressionTree, _ rows: Int) -> String {
    guard let node = vectorNode(tree) else { return localized("the expression has no loop") }
    return rows < Self.manyRows ? localized("the rows are few") : node.reasonForFallback
  }
}

// Steps after the filter
extension BoundRequest {
  private var shownSteps: [FetchExplanation] {
    var steps: [FetchExplanation] = []
    if let grouping = selection?.grouping {
      steps.append(FetchExplanation(groupText(grouping), groupMethod(grouping), step: .group))
    } else if let selection, selection.isDistinct {
      steps.append(
        FetchExplanation(
          "distinct", localized("keeps the first of equal rows"), step: .distinct))
    }
    if !sort.isEmpty || needed != nil { steps.append(sortStep) }
    if let selection {
      steps.append(
        FetchExplanation(
          "select " + selection.columns.map(\.name).joined(separator: ", "), step: .select))
    }
    if !limitKeys.isEmpty {
      let keys = limitKeys.map(\.name).joined(separator: ", ")
      steps.append(FetchExplanation("limit \(limit ?? 0) per \(keys)"))
    }
    if let section { steps.append(FetchExplanation("section by " + section.name, step: .section)) }
    return steps
  }

  private func groupText(_ grouping: CheckedGrouping) -> String {
    if grouping.keys.isEmpty { return localized("aggregates over all objects") }
    let keys = grouping.keys.map { environment.text(of: $0.tree) }
    return "group by " + keys.joined(separator: ", ")
  }

  private func groupMethod(_ grouping: CheckedGrouping) -> String {
    let trees = grouping.keys.map(\.tree)
    let cells = trees.compactMap { GroupColumn(cells: $0, self) }
    let isCoded = cells.count == trees.count && SlotCoder(cells) != nil
    let keys =
      trees.isEmpty
      ? localized("one group")
      : isCoded
        ? localized("column codes")
        : trees.allSatisfy { GroupColumn.canNumber($0, self) }
          ? localized("numbered values") : localized("hashed values")
    let slow = Set(meter?.evaluated.map(\.expression.text) ?? [])
    let fast = grouping.aggregates.count {
      !slow.contains(text(of: $0))
        && ($0.isCountOfObjects || ColumnAggregate.hasLoop($0, self)
          || GatheredAggregate.canGather($0, self) || DistinctValues.canFind($0, self))
    }
    guard !grouping.aggregates.isEmpty else { return keys }
    return localized(
      "\(keys); \(fast) of \(grouping.aggregates.count) aggregates in column loops")
  }

  private var sortMethod: String {
    if let index = indexOfSort?.index.index {
      return localized("by the index of \(index.order), if that is faster")
    }
    let words = WordSort(self, [])
    if words?.isOfNumbers == true { return localized("by normalized keys") }
    let types = sort.map { typeOfColumn($0.expression, forOrder: true) }
    let isWorkedOut = sort.contains { $0.plainKey == nil }
    let hasWords = zip(sort, types).allSatisfy { tree, type in
      let isOwn = tree.isNatural || tree.options.contains(.localeSensitive)
      return tree.plainKey != nil || !isOwn && type != nil
    }
    if isWorkedOut, hasWords {
      let hasTexts = zip(sort, types).contains { tree, type in
        type == .string && !hasCodes(tree.expression)
      }
      return hasTexts
        ? localized("by 64-bit words of keys, computed for whole columns")
        : localized("by normalized keys, computed for whole columns")
    }
    return words == nil ? localized("by values") : localized("by 64-bit words of keys")
  }

  private var sortStep: FetchExplanation {
    let keys = sort.map { environment.written($0.span) ?? $0.description }.joined(separator: ", ")
    let text = sort.isEmpty ? "limit" : "sort " + keys
    let first = needed.map { localized("keeps the first \($0)") }
    guard selection?.grouping == nil else {
      return FetchExplanation(text, first ?? localized("groups"), step: .sort)
    }
    let method = sort.isEmpty ? nil : sortMethod
    return FetchExplanation(
      text, [method, first].compactMap(\.self).list, step: .sort)
  }
}
