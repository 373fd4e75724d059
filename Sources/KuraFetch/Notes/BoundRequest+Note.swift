import Foundation
import KuraBytes
import KuraChecking
package import KuraDiagnostics
import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

extension BoundRequest {
  /// Returns why the request finds nothing, or excludes objects that it seems to include; otherwise nil.
  ///
  ///     fetch Book where year < 1900 AND year > 1950
  ///     // no object fulfills both year < 1900 and year > 1950
  ///
  /// `isEmpty` returns whether it found nothing, and is called last. Searches up to 50,000 objects for a similar text.
  package func note(isEmpty: () throws -> Bool) rethrows -> Diagnostic? {
    if let note = noteOfSort { return note }
    guard let predicate else { return nil }
    if let note = Contradictions(self).first(in: predicate) { return note }
    if let note = noteOfDays(in: predicate, where: { $0 != .equal }) { return note }
    if let note = predicate.required.lazy.compactMap({ noteOfAll($0, in: predicate) }).first {
      return note
    }
    guard try isEmpty() else { return nil }
    if let note = noteOfDays(in: predicate, where: { $0 == .equal }) { return note }
    let required = predicate.required.lazy
    return required.compactMap { EmptyComparison($0, of: self)?.note }.first
      ?? required.compactMap(noteOfJSON).first
  }

  /// Returns the note for `ANY labels == "bug"` if the elements are objects with that name, and for `ANY grid == 3` if
  /// they are lists with that number.
  private func noteOfJSON(_ comparison: Comparison) -> Diagnostic? {
    let isIn = comparison.operation == .in && comparison.left.literal != nil
    let side: WritableKeyPath<Comparison, ExpressionTree> = isIn ? \.right : \.left
    let (tree, literal) = (comparison[keyPath: side], isIn ? comparison.left : comparison.right)
    guard let source = environment.source, let value = literal.literal, !value.isNull,
      tree.span != .none,
      case .keyPath(let path) = tree.kind, path.base == nil,
      let reached = JSONPathReader(graph: snapshot.graph, entity: entity).reached(tree, [:]),
      !finds(PredicateTree(.comparison(comparison)))
    else { return nil }
    let keys = reached.shape.keys.filter { reached.shape[$0]?.canHave(value) == true }
    var rests = keys.prefix(Self.mostKeys).map { ([KeyComponent($0)], $0.writtenName) }
    if reached.isList, comparison.modifier != .direct {
      let flat = [KeyComponent("unionOfArrays", .collectionOperator), KeyComponent("self")]
      rests.append((flat, "@unionOfArrays.self"))
    }
    for (rest, text) in rests {
      var other = comparison
      other[keyPath: side] = ExpressionTree(.keyPath(KeyPathTree(path.components + rest)))
      guard finds(PredicateTree(.comparison(other))) else { continue }
      let whole = comparison.left.span.joined(comparison.right.span)
      let end = tree.span.end
      let found =
        source.text(SourceSpan(whole.start, end)) + "." + text
        + source.text(SourceSpan(end, whole.end))
      return Diagnostic(
        FetchNote.otherPath(source.text(whole), found: found), at: whole,
        fixIt: FixIt(SourceSpan(end, end), "." + text), severity: .note)
    }
    return nil
  }

  /// The maximum number of keys that are tried. Each trial reads the values of the key in all rows.
  private static let mostKeys = 8

  /// `sort 2 desc`
  private var noteOfSort: Diagnostic? {
    for key in sort {
      guard case .constant = key.expression.kind, key.expression.span != .none else { continue }
      let text = environment.source?.text(key.expression.span) ?? key.expression.expressionFormat
      return Diagnostic(
        FetchNote.sortsNothing(text), at: key.expression.span, severity: .note)
    }
    return nil
  }

  /// Returns the note for `ALL tags.name == "x"`, if the answer has objects without tags.
  private func noteOfAll(_ comparison: Comparison, in predicate: PredicateTree) -> Diagnostic? {
    guard comparison.modifier == .all, let source = environment.source,
      case .keyPath(let path) = comparison.left.kind, path.base == nil, path.components.count > 1,
      path.components.allSatisfy({ $0.kind == .key })
    else { return nil }
    let keys = path.components.dropLast()
    let count = KeyPathTree(Array(keys) + [KeyComponent("count", .collectionOperator)])
    let isNone = Comparison(
      ExpressionTree(.keyPath(count)), .equal, ExpressionTree(.constant(Constant(.integer(0)))))
    guard finds(PredicateTree(.and([predicate, PredicateTree(.comparison(isNone))]))) else {
      return nil
    }
    let start = source.text(SourceSpan(0, comparison.left.span.start))
      .range(of: "ALL", options: [.backwards, .caseInsensitive])
    let collection = keys.map(\.name).joined(separator: ".")
    let whole = comparison.left.span.joined(comparison.right.span)
    let fix = start.map { range in
      let place = source.text(SourceSpan(0, comparison.left.span.start))[..<range.lowerBound].utf8
        .count
      return FixIt(SourceSpan(place, place), "\(collection).@count > 0 AND ")
    }
    return Diagnostic(FetchNote.allOfNone(collection), at: whole, fixIt: fix, severity: .note)
  }

  /// Returns the note for `added <= "2026-01-06"`, if there are values later on that day.
  private func noteOfDays(
    in predicate: PredicateTree, where isAsked: (ComparisonOperator) -> Bool
  ) -> Diagnostic? {
    predicate.required.filter { isAsked($0.operation) }.lazy.compactMap(noteOfDay).first
  }

  private func noteOfDay(_ comparison: Comparison) -> Diagnostic? {
    guard comparison.modifier == .direct, let (isLater, end) = comparison.lastDay,
      let next = end.nextDay(in: environment), let source = environment.source
    else { return nil }
    let isInside = PredicateTree(
      .and([
        PredicateTree(.comparison(Comparison(comparison.left, .greater, end))),
        PredicateTree(.comparison(Comparison(comparison.left, .less, next.tree))),
      ]))
    guard finds(isInside) else { return nil }
    let day = source.text(end.span)
    let whole = comparison.left.span.joined(comparison.right.span)
    let operation = TextEdit(comparison.operationSpan, isLater ? ">=" : "<")
    var edits = [operation, TextEdit(end.span, next.text.writtenText)]
    if let start = comparison.firstDay, start.span != .none {
      let (key, low) = (source.text(comparison.left.span), source.text(start.span))
      let range = "\(key) >= \(low) AND \(key) < \(next.text.writtenText)"
      edits = [TextEdit(whole, range)]
    }
    return Diagnostic(
      FetchNote.firstMoment(source.text(whole), day: day, isLater: isLater), at: whole,
      fixIt: FixIt(edits: edits), severity: .note)
  }

  /// Returns whether an object of the entity matches another predicate.
  func finds(_ predicate: PredicateTree) -> Bool {
    (try? plain(predicate, limit: 1).exists()) ?? false
  }

  /// Returns the distinct texts of an expression, alone or in collections, for the first 50,000 objects.
  func texts(of expression: ExpressionTree) -> Set<String> {
    guard let objects = try? plain(nil, limit: Self.mostTexts).run() else { return [] }
    let context = environment.evaluation
    var texts: Set<String> = []
    for i in 0..<objects.count {
      if i & 255 == 0, context.cancel.isRequested { break }
      let object = Value.object(ObjectReference(objects.object(i)))
      if let value = try? expression.evaluate(on: object, in: context) {
        texts.formUnion(value.texts)
      }
    }
    return texts
  }

  /// Returns a request for objects with another predicate, unsorted.
  private func plain(_ predicate: PredicateTree?, limit: Int) -> BoundRequest {
    // Trials warn of nothing.
    var environment = environment
    environment.warnings = nil
    var request = asking(predicate)
    request.limit = limit
    request.shared = SharedEnvironment(environment, snapshot.graph.model)
    return request
  }

  private static var mostTexts: Int { 50_000 }
}

extension JSONShape {
  /// Returns whether the values may have a single value like another.
  fileprivate func canHave(_ value: Value) -> Bool {
    switch value {
    case .string: !isNumbers
    case .integer, .double, .decimal: !isTexts
    case .list(let values): values.contains(where: canHave)
    default: true
    }
  }
}

extension Value {
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .list(let values): values.flatMap(\.texts)
    case .set(let values): values.elements.flatMap(\.texts)
    default: []
    }
  }
}

extension PredicateTree {
  /// The comparisons that every object of the answer satisfies: those joined by AND.
  fileprivate var required: [Comparison] {
    switch kind {
    case .comparison(let comparison): [comparison]
    case .and(let parts): descending { parts.flatMap(\.required) }
    case .not, .or, .constant, .truth: []
    }
  }
}

extension Comparison {
  /// The day in `key <= day`, `key > day` and `key BETWEEN {…, day}`, and whether the comparison is for later values.
  fileprivate var lastDay: (isLater: Bool, day: ExpressionTree)? {
    switch operation {
    case .lessOrEqual, .equal: return (false, right)
    case .greater: return (true, right)
    case .between:
      guard case .aggregate(let parts) = right.kind, let last = parts.last else { return nil }
      return (false, last)
    default: return nil
    }
  }
}

extension Comparison {
  /// The first day of `key == day` and `key BETWEEN {day, …}`.
  fileprivate var firstDay: ExpressionTree? {
    switch (operation, right.kind) {
    case (.equal, _): right
    case (.between, .aggregate(let bounds)): bounds.first
    default: nil
    }
  }
}

extension ExpressionTree {
  /// Returns the day after a date written without a time of day, as a value and as a text.
  fileprivate func nextDay(
    in environment: FetchEnvironment
  ) -> (tree: ExpressionTree, text: String)? {
    guard case .constant(let constant) = kind else { return nil }
    let zone = environment.rules
    func day(after moment: Timestamp) -> Timestamp? {
      let call = ExpressionTree(
        .function(
          FunctionCall(
            .dateByAdding,
            [
              ExpressionTree(.constant(Constant(.date(moment)))),
              ExpressionTree(.constant(Constant(.integer(1)))),
              ExpressionTree(.constant(Constant(.string("day")))),
            ])))
      guard case .date(let next)? = try? call.evaluate(on: .null, in: environment.evaluation) else {
        return nil
      }
      return next
    }
    switch constant.value {
    case .date(let moment):
      guard isDay(in: environment), let next = day(after: moment) else { return nil }
      return (ExpressionTree(.constant(Constant(.date(next)))), next.text(.day, in: zone))
    case .string(let text):
      guard span != .none, text.utf8.count == 10, let moment = try? Timestamp(text, in: zone),
        moment.text(.day, in: zone) == text, let next = day(after: moment)
      else { return nil }
      let nextText = next.text(.day, in: zone)
      return (ExpressionTree(.constant(Constant(.string(nextText)))), nextText)
    default: return nil
    }
  }
}
