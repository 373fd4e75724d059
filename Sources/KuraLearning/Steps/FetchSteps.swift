import KuraChecking
package import KuraDiagnostics
package import KuraFetch
package import KuraGraph
package import KuraPredicates

/// The number of rows after each part of a fetch, in the order of the text.
package struct FetchSteps: Sendable {
  package let entity: String
  /// The number of objects of the source.
  package let objects: Int
  package let predicate: PredicateStep?
  /// The clauses after the predicate that remove rows or group them.
  package var clauses: [ClauseStep] = []
}

/// The number of objects that pass a part of a predicate.
package struct PredicateStep: Sendable {
  package let predicate: PredicateTree
  /// The number of objects that reach it.
  package let asked: Int
  package let yes: Int
  /// The number of removed objects for which it fails because a value is nil.
  package let null: Int
  package var parts: [PredicateStep] = []

  package var no: Int { asked - yes - null }
}

/// `offset 2`, `group by done`
package struct ClauseStep: Sendable {
  package let text: String
  /// The number of objects or rows after it.
  package let left: Int
}

extension BoundRequest {
  /// Evaluates each part of the predicate in the order of the text, for the objects that reach it.
  ///
  /// Throws if a part fails for an object, as the fetch does.
  package func predicateSteps() throws(Diagnostic) -> (objects: Int, step: PredicateStep?) {
    let all = candidates
    guard let predicate else { return (all.popcount, nil) }
    return (all.popcount, try predicate.stepped(of: self, all).step)
  }
}

extension PredicateTree {
  /// Returns the step for some rows, and the rows that pass it.
  fileprivate func stepped(
    of request: BoundRequest, _ asked: [Bitmap]
  ) throws(Diagnostic) -> (step: PredicateStep, yes: [Bitmap]) {
    try descending { () throws(Diagnostic) in
      switch kind {
      case .not(let inner) where !isNone:
        let (part, yes) = try inner.stepped(of: request, asked)
        return step(asked, asked.subtracting(yes), [part])
      case .and(let parts): return try all(parts, request, asked)
      case .or(let parts): return try any(parts, request, asked)
      case .not, .comparison, .constant, .truth:
        let kinds = request.otherKindsCount
        let yes = try request.passing(self, among: asked)
        let hasOtherKinds = kinds == nil || request.otherKindsCount != kinds
        let null = try request.nullRows(
          of: self, among: asked.subtracting(yes), hasOtherKinds: hasOtherKinds)
        return step(asked, yes, null: null.popcount)
      }
    }
  }

  private func all(
    _ parts: [PredicateTree], _ request: BoundRequest, _ asked: [Bitmap]
  ) throws(Diagnostic) -> (step: PredicateStep, yes: [Bitmap]) {
    var left = asked
    var steps: [PredicateStep] = []
    for part in parts {
      let (step, yes) = try part.stepped(of: request, left)
      steps.append(step)
      left = yes
    }
    return step(asked, left, steps)
  }

  private func any(
    _ parts: [PredicateTree], _ request: BoundRequest, _ asked: [Bitmap]
  ) throws(Diagnostic) -> (step: PredicateStep, yes: [Bitmap]) {
    var open = asked
    var steps: [PredicateStep] = []
    for part in parts {
      let (step, yes) = try part.stepped(of: request, open)
      steps.append(step)
      open = open.subtracting(yes)
    }
    return step(asked, asked.subtracting(open), steps)
  }

  private func step(
    _ asked: [Bitmap], _ yes: [Bitmap], _ parts: [PredicateStep] = [], null: Int = 0
  ) -> (step: PredicateStep, yes: [Bitmap]) {
    var step = PredicateStep(
      predicate: self, asked: asked.popcount, yes: yes.popcount, null: null)
    step.parts = parts
    return (step, yes)
  }
}

extension FetchTree {
  /// Returns the number of rows of a snapshot after each part, in the order of the text.
  ///
  /// Throws if the fetch does.
  package func steps(
    in snapshot: GraphSnapshot, _ environment: FetchEnvironment, _ texts: PartTexts
  ) throws(Diagnostic) -> FetchSteps {
    let request = try bound(to: snapshot, environment)
    let (objects, step) = try request.predicateSteps()
    var steps = FetchSteps(entity: request.entity, objects: objects, predicate: step)
    let left = step?.yes ?? objects
    if result == .objects {
      let grouped = try groupSteps(request, snapshot, environment, texts)
      steps.clauses = grouped + (try extentSteps(request, after: grouped.last?.left ?? left))
    }
    return steps
  }

  /// Returns the steps of `group by`, `distinct` and `having`, which group objects and remove
  /// groups.
  private func groupSteps(
    _ request: BoundRequest, _ snapshot: GraphSnapshot, _ environment: FetchEnvironment,
    _ texts: PartTexts
  ) throws(Diagnostic) -> [ClauseStep] {
    guard let shown = request.selection, shown.grouping != nil || shown.isDistinct else {
      return []
    }
    var plain = self
    (plain.sort, plain.section, plain.offset, plain.limit, plain.having) = ([], nil, nil, nil, nil)
    plain.limitKeys = []
    let rows = try plain.bound(to: snapshot, environment).answer().count
    var steps = [ClauseStep(text: groupText(texts), left: rows)]
    if let having {
      plain.having = having
      let left = try plain.bound(to: snapshot, environment).answer().count
      steps.append(ClauseStep(text: "having \(texts.whole(having))", left: left))
    }
    return steps
  }

  private func groupText(_ texts: PartTexts) -> String {
    if !grouping.isEmpty {
      return "group by \(grouping.map { texts.text(of: $0) }.joined(separator: ", "))"
    }
    let columns = (selection ?? []).map { texts.text(of: $0.expression) }
    return "select \(isDistinct ? "distinct " : "")\(columns.joined(separator: ", "))"
  }

  private func extentSteps(
    _ request: BoundRequest, after count: Int
  ) throws(Diagnostic) -> [ClauseStep] {
    var steps: [ClauseStep] = []
    var left = count
    if !request.limitKeys.isEmpty {
      let keys = request.limitKeys.map(\.name).joined(separator: ", ")
      let text = "limit \(request.limit ?? 0) per \(keys)"
      return [ClauseStep(text: text, left: try request.answer().count)]
    }
    if request.offset > 0 {
      left = max(0, left - request.offset)
      steps.append(ClauseStep(text: "offset \(request.offset)", left: left))
    }
    if let limit = request.limit {
      left = min(left, limit)
      steps.append(ClauseStep(text: "limit \(limit)", left: left))
    }
    return steps
  }
}

// Rows of a complete table: a bitmap for each of its chunks.
extension [Bitmap] {
  package var popcount: Int { reduce(0) { $0 + $1.popcount } }

  package var isVoid: Bool { allSatisfy(\.isEmpty) }

  /// Returns the rows in both.
  package func intersection(_ other: [Bitmap]) -> [Bitmap] {
    combined(other) { $0.formIntersection($1) }
  }

  /// Returns the rows in either.
  package func union(_ other: [Bitmap]) -> [Bitmap] { combined(other) { $0.formUnion($1) } }

  /// Returns the rows that are not in the other.
  package func subtracting(_ other: [Bitmap]) -> [Bitmap] { combined(other) { $0.subtract($1) } }

  private func combined(_ other: [Bitmap], _ body: (inout Bitmap, Bitmap) -> Void) -> [Bitmap] {
    zip(self, other).map { mine, theirs in
      var result = mine
      body(&result, theirs)
      return result
    }
  }

  /// Whether it contains a row.
  package subscript(row row: Int) -> Bool {
    get { self[row >> ColumnChunk.shift][row & ColumnChunk.mask] }
    set { self[row >> ColumnChunk.shift][row & ColumnChunk.mask] = newValue }
  }

  /// Returns the numbers of the first rows, ascending.
  package func firstRows(_ count: Int = .max) -> [Int] {
    var rows: [Int] = []
    for (chunk, bits) in enumerated() where !bits.isEmpty {
      bits.forEachSet { if rows.count < count { rows.append(chunk << ColumnChunk.shift + $0) } }
      if rows.count >= count { break }
    }
    return rows
  }
}
