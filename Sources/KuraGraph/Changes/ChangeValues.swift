/// Concatenated sequences of values.
private struct JoinedValues: Sendable {
  private var parts: [ChangeValues] = []
  /// The start index of each part.
  private var starts: [Int] = []
  private(set) var count = 0

  /// Appends values. Two short lists are merged.
  mutating func append(_ values: ChangeValues) {
    if values.isEmpty { return }
    if let last = parts.last, last.isListed, values.isListed {
      parts[parts.count - 1].append(contentsOf: values)
    } else {
      starts.append(count)
      parts.append(values)
    }
    count += values.count
  }

  /// Returns the value at an index; logarithmic in the parts.
  subscript(place: Int) -> StoredCell {
    let part = starts.indices.partitioningIndex { starts[$0] > place } - 1
    return parts[part][place - starts[part]]
  }
}

/// The values of one key in a change set, one per object.
///
///     let values: ChangeValues = [.text("Office"), .null]
///     values[0]       // .text("Office")
///
/// A single value needs no array. Values of many objects are cells of a column, or texts that were
/// gathered from it; they are materialized on access.
package struct ChangeValues: Sendable {
  private enum Storage: Sendable {
    case one(StoredCell)
    case listed([StoredCell])
    case cells(ColumnCells)
    case texts(GatheredTexts)
    case joined(JoinedValues)
  }

  private var storage: Storage

  package init(_ values: [StoredCell]) {
    storage = values.count == 1 ? .one(values[0]) : .listed(values)
  }

  package init(_ value: StoredCell) { storage = .one(value) }

  /// Creates values from cells of a column, in the order of their rows.
  init(_ cells: ColumnCells) { storage = .cells(cells) }

  init(_ texts: GatheredTexts) { storage = .texts(texts) }

  /// Whether the values are stored individually.
  fileprivate var isListed: Bool {
    switch storage {
    case .one, .listed: true
    case .cells, .texts, .joined: false
    }
  }

  /// The cells, if the values are stored as such; otherwise nil.
  var cells: ColumnCells? { if case .cells(let cells) = storage { cells } else { nil } }
}

extension ChangeValues: RandomAccessCollection {
  package var startIndex: Int { 0 }

  package var endIndex: Int {
    switch storage {
    case .one: 1
    case .listed(let values): values.count
    case .cells(let cells): cells.rows.count
    case .texts(let texts): texts.count
    case .joined(let parts): parts.count
    }
  }

  package subscript(place: Int) -> StoredCell {
    switch storage {
    case .one(let value): value
    case .listed(let values): values[place]
    case .cells(let cells): cells[place]
    case .texts(let texts): texts[place]
    case .joined(let parts): parts[place]
    }
  }

  /// The minimum number of values that are appended as one part.
  private static let fewest = 256

  /// Appends values. Long sequences keep their representation.
  mutating func append(contentsOf other: ChangeValues) {
    switch storage {
    case .one, .listed:
      guard other.isListed || other.count < Self.fewest else { return join(other) }
      for value in other { append(value) }
    case .joined(var parts):
      // Moved out while it grows, as in `append`.
      storage = .listed([])
      parts.append(other)
      storage = .joined(parts)
    case .cells, .texts: join(other)
    }
  }

  private mutating func join(_ other: ChangeValues) {
    var parts = JoinedValues()
    parts.append(self)
    parts.append(other)
    storage = .joined(parts)
  }

  /// Appends a value. Constant time.
  mutating func append(_ value: StoredCell) {
    switch storage {
    case .one(let first): storage = .listed([first, value])
    case .cells, .texts, .joined: append(contentsOf: ChangeValues(value))
    case .listed(var values):
      // Moved out while it grows, because a shared array would be copied.
      storage = .listed([])
      values.append(value)
      storage = .listed(values)
    }
  }
}

extension ChangeValues: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: StoredCell...) { self.init(elements) }
}

extension ChangeValues: Equatable {
  package static func == (a: ChangeValues, b: ChangeValues) -> Bool { a.elementsEqual(b) }
}
