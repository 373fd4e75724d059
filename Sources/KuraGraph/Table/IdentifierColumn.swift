/// The objectIDs of a table's rows.
package enum IdentifierColumn: Sendable {
  /// `first`, `first + 1`, …: computed directly
  case dense(first: Int64, count: Int)
  /// Ascending: found by binary search
  case ascending([Int64])
  /// In any order, with the row of each
  case scattered([Int64], rows: [Int64: Int])
  /// An ascending column of this size, loaded on access
  case deferred(count: Int, Deferred<IdentifierColumn>)

  /// Creates a column of distinct numbers.
  package init(_ numbers: [Int64]) {
    if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) {
      let isDense = numbers.isEmpty || numbers[numbers.count - 1] - numbers[0] == numbers.count - 1
      self = isDense ? .dense(first: numbers.first ?? 1, count: numbers.count) : .ascending(numbers)
    } else {
      let rows = Dictionary(
        numbers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      self = .scattered(numbers, rows: rows)
    }
  }
}

extension IdentifierColumn {
  package var count: Int {
    switch self {
    case .dense(_, let count), .deferred(let count, _): count
    case .ascending(let numbers), .scattered(let numbers, _): numbers.count
    }
  }

  /// Whether the rows are sorted by objectID.
  package var isAscending: Bool { if case .scattered = self { false } else { true } }

  package subscript(row: Int) -> Int64 {
    switch self {
    case .dense(let first, _): first + Int64(row)
    case .ascending(let numbers), .scattered(let numbers, _): numbers[row]
    case .deferred(_, let numbers): numbers.address.pointee[row]
    }
  }

  /// Returns the row of an objectID; nil if there is none.
  package func row(of number: Int64) -> Int? {
    switch self {
    case .dense(let first, let count):
      let (row, overflow) = number.subtractingReportingOverflow(first)
      return !overflow && row >= 0 && row < count ? Int(row) : nil
    case .ascending(let numbers):
      let next = numbers.indices.partitioningIndex { numbers[$0] >= number }
      return next < numbers.count && numbers[next] == number ? next : nil
    case .scattered(_, let rows): return rows[number]
    case .deferred(_, let numbers): return numbers.address.pointee.row(of: number)
    }
  }

  /// Returns whether no row has one of `count` numbers from `number` on; in constant time if the numbers ascend.
  func are(allBelow number: Int64, orNoneIn count: Int) -> Bool {
    if self.count == 0 || isAscending && self[self.count - 1] < number { return true }
    return !(0..<count).contains { row(of: number + Int64($0)) != nil }
  }

  /// Appends a row with a number that does not exist yet.
  package mutating func append(_ number: Int64) {
    if case .deferred(_, let numbers) = self { self = numbers.value }
    switch self {
    case .dense(let first, let count) where count == 0 || number &- first == Int64(count):
      self = .dense(first: count == 0 ? number : first, count: count + 1)
    case .dense: self = IdentifierColumn((0..<count).map { self[$0] } + [number])
    case .ascending(var numbers):
      self = .dense(first: 1, count: 0)
      guard let last = numbers.last, last > number else {
        numbers.append(number)
        self = .ascending(numbers)
        return
      }
      self = IdentifierColumn(numbers + [number])
    case .scattered(var numbers, var rows):
      self = .dense(first: 1, count: 0)
      rows[number] = numbers.count
      numbers.append(number)
      self = .scattered(numbers, rows: rows)
    case .deferred: return
    }
  }
}
