/// A row that breaks its model, or has a key twice: the kind of problem, and its place.
package struct RowProblem: Sendable {
  package enum Kind: Sendable {
    case unknownKey(known: [String] = [])
    case mismatch(type: String = "", found: String)
    case notAnObject
    case missing
    case duplicateObjectID
    case dangling(Int64, destination: String)
    case contradiction(other: String)
    case abstract
    case twice(Int64, destination: String)
    /// In plain JSON, an object has a key twice; the last value counts. `others` counts further such objects.
    case repeatedKey(others: Int = 0)
  }

  package var kind: Kind
  package var entity: String
  /// The row's index in the array.
  package var row: Int
  package var objectID: Int64?
  package var key: String?
  /// The offset in the document, if known.
  var offset: Int?
}

/// The first problems of rows, up to a limit, and the number of all.
struct RowProblems {
  private(set) var first: [RowProblem] = []
  private(set) var count = 0

  /// The number of problems that are listed; further ones are only counted.
  static let limit = 20
}

extension RowProblems {
  mutating func note(_ problem: RowProblem) {
    count += 1
    if first.count < Self.limit { first.append(problem) }
  }

  mutating func append(_ other: RowProblems) {
    count += other.count
    first += other.first.prefix(Self.limit - first.count)
  }

  /// Removes the last problems.
  @inline(never)
  mutating func truncate(to count: Int) {
    self.count = count
    first.removeLast(first.count - min(count, Self.limit))
  }
}
