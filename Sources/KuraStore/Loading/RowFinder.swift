import KuraJSON

/// Finds where objects with problems stand in a document, by going over it a second time.
///
/// What is found out once all rows are there, as a link to no object, has no place yet: to keep
/// places for all rows would make the reading of every good document slower.
struct RowFinder {
  private(set) var problems: [RowProblem]
  /// The problems without a place, by entity and row.
  private var wanted: [String: [Int: [Int]]] = [:]

  init(_ assembly: StoreAssembly) {
    problems = Array(assembly.problems.prefix(RowProblem.limit))
    for (i, problem) in problems.enumerated() where problem.offset == nil {
      guard let origin = assembly.origin(of: problem) else { continue }
      wanted[origin.entity, default: [:]][origin.row, default: []].append(i)
    }
  }

  var isNeeded: Bool { !wanted.isEmpty }
}

extension RowFinder {
  /// Reads the document's objects up to the last that is wanted.
  mutating func read(_ loader: inout Loader) throws(LoadFailure) {
    try loader.object { loader, key, _ throws(LoadFailure) in
      guard key == "objects" else { return try loader.skip() }
      try loader.object { loader, entity, _ throws(LoadFailure) in
        try rows(of: entity, &loader)
      }
    }
  }

  private mutating func rows(of entity: String, _ loader: inout Loader) throws(LoadFailure) {
    guard let rows = wanted[entity] else { return try loader.skip() }
    var row = 0
    try loader.array { loader throws(LoadFailure) in
      if let found = rows[row] { try locate(found, &loader) } else { try loader.skip() }
      row += 1
    }
  }

  private mutating func locate(_ found: [Int], _ loader: inout Loader) throws(LoadFailure) {
    let (bytes, start) = try loader.tree()
    let object = try? JSONNode(reading: bytes)
    for i in found { problems[i].offset = start + (object?.offset(of: problems[i]) ?? 0) }
  }
}

extension JSONNode {
  /// Where a problem stands in the object that has it: at the value, or at the number in its list.
  fileprivate func offset(of problem: RowProblem) -> Int {
    guard case .object(let members) = kind,
      let member = members.first(where: { $0.key == problem.key ?? "objectID" })
    else { return 0 }
    let value = member.value
    guard case .array(let elements) = value.kind, let number = problem.number else {
      return value.span.lowerBound
    }
    let place = elements.last {
      if case .number(let digits) = $0.kind { digits == String(number) } else { false }
    }
    return (place ?? value).span.lowerBound
  }
}

extension RowProblem {
  /// The number in a list that is wrong.
  fileprivate var number: Int64? {
    switch kind {
    case .dangling(let number, _), .twice(let number, _): number
    case .unknownKey, .mismatch, .notAnObject, .missing, .duplicateObjectID, .contradiction,
      .abstract:
      nil
    }
  }
}
