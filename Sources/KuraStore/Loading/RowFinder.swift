import KuraJSON

/// Finds the places of objects with problems in a document, by reading it a second time.
///
/// Problems that are found after all rows are read, such as a link to no object, have no place yet:
/// storing places for all rows would slow down the reading of every valid document.
struct RowFinder {
  private(set) var problems: [RowProblem]
  /// The problems without a place, by entity and row.
  private var wanted: [String: [Int: [Int]]] = [:]

  init(_ assembly: StoreAssembly) {
    problems = assembly.problems.first
    for (i, problem) in problems.enumerated() where problem.offset == nil {
      guard let origin = assembly.origin(of: problem) else { continue }
      wanted[origin.entity, default: [:]][origin.row, default: []].append(i)
    }
  }

  var isNeeded: Bool { !wanted.isEmpty }
}

extension RowFinder {
  /// Reads the document's objects up to the last one with a problem.
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
  /// Returns the offset of a problem in its object: the offset of the value, or of the number in its list.
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
  /// The invalid number in a list.
  fileprivate var number: Int64? {
    switch kind {
    case .dangling(let number, _), .twice(let number, _): number
    default: nil
    }
  }
}
