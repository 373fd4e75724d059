import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

extension FilterCompiler {
  /// `home == Category/2`, `home != nil`, `home IN {Category/1, Category/2}`
  mutating func linkLeaf(
    _ question: LeafQuestion, _ column: Int, _ destination: Int, _ key: String,
    _ scope: FilterScope
  ) -> Filter? {
    let operation = question.comparison.operation
    guard let objects = question.objects else { return nil }
    var targets: Set<UInt32> = []
    for object in objects {
      guard let id = object else {
        // A nil in a list equals nothing.
        if operation != .in { targets.insert(noRow) }
        continue
      }
      if let place = graph.find(id), place.table == destination {
        targets.insert(UInt32(truncatingIfNeeded: place.row))
      }
    }
    if operation != .notEqual, !targets.contains(noRow), targets.count <= 64,
      let rows = graph.fewRows(source: scope.place.table, column: column, leadingTo: targets)
    {
      let kernel = RowsKernel(
        ranges: SortedRanges(rows: rows), isNegated: false, method: localized("index of \(key)"))
      return node(question.predicate, .kernel(kernel))
    }
    return node(
      question.predicate,
      .kernel(
        LinkKernel(
          column: column, key: key, targets: targets, isNegated: operation == .notEqual)))
  }

  /// `SELF == Item/7`, `objectID IN {Item/7}`
  mutating func selfLeaf(_ question: LeafQuestion, _ scope: FilterScope) -> Filter? {
    guard question.comparison.modifier == .direct, let objects = question.objects else {
      return nil
    }
    let rows = objects.compactMap { id -> Int? in
      guard let id, let place = graph.find(id), place.table == scope.place.table else {
        return nil
      }
      return place.row
    }
    return rowsLeaf(SortedRanges(rows: rows), question)
  }

  /// `objectID > 20`: a range of rows where they stand in the order of their numbers.
  mutating func numberLeaf(_ question: LeafQuestion, _ scope: FilterScope) -> Filter? {
    let table = graph.tables[scope.place.table]
    guard table.identifiers.isAscending, !question.literal.isNull,
      let ranges = question.literal.integerRanges(question.comparison.operation)
    else { return nil }
    let rows = ranges.map { table.identifiers.rows(of: $0) }
    return rowsLeaf(SortedRanges(rows), question)
  }

  private mutating func rowsLeaf(_ ranges: SortedRanges, _ question: LeafQuestion) -> Filter {
    let kernel = RowsKernel(
      ranges: ranges, isNegated: question.comparison.operation == .notEqual)
    return node(question.predicate, .kernel(kernel))
  }

  /// `entity.name == "Task"`: asked once for each entity.
  mutating func entityLeaf(_ question: LeafQuestion, _ scope: FilterScope) -> Filter? {
    var passes: [Bool] = []
    for entity in graph.tables[scope.place.table].layout.entities {
      guard let answer = answer(question, .string(entity)) else { return nil }
      passes.append(answer)
    }
    return node(question.predicate, .kernel(EntityKernel(passes: passes)))
  }
}

extension LeafQuestion {
  /// The objects that something is compared with, nil among them for nil; nil for other literals.
  fileprivate var objects: [ObjectID?]? {
    switch (comparison.operation, literal) {
    case (.equal, .null), (.notEqual, .null): return [nil]
    case (.equal, .object(let object)), (.notEqual, .object(let object)):
      return object.id.map { [$0] }
    case (.in, .list(let elements)):
      var ids: [ObjectID?] = []
      for element in elements {
        switch element {
        case .null: ids.append(nil)
        case .object(let object):
          guard let id = object.id else { return nil }
          ids.append(id)
        default: return nil
        }
      }
      return ids
    default: return nil
    }
  }
}

extension IdentifierColumn {
  /// The rows whose numbers lie in a range; the rows stand in the order of their numbers.
  fileprivate func rows(of range: ClosedRange<Int64>) -> Range<Int> {
    let low = place(of: range.lowerBound)
    let high = range.upperBound == .max ? count : place(of: range.upperBound + 1)
    return low..<max(low, high)
  }

  /// The first row whose number is not below.
  private func place(of number: Int64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
