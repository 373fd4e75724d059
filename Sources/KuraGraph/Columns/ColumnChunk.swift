import Synchronization

/// The values of up to 16,384 rows of one column.
package struct ColumnChunk: Sendable {
  private var keptValues: Values
  private var keptNulls: Bitmap?
  /// In the place of both, where few rows have a value.
  private var sparse: SparseChunk?
  /// In the place of all, where it was not needed at first: what it makes is none of its kind.
  private var deferred: DeferredChunk?
  /// What is made of the values when it is wanted.
  var derived = ChunkDerived()

  package init(_ values: Values, nulls: Bitmap? = nil) {
    keptValues = values
    keptNulls = nulls
  }

  /// A chunk of `count` rows of which some have a value: the packed ones.
  package init(count: Int, rows: [UInt16], packed: ColumnChunk) {
    keptValues = .bytes([])
    sparse = SparseChunk(count: count, rows: rows, packed: packed)
  }

  /// A chunk of `count` rows that is made when somebody asks for one of them.
  package init(count: Int, deferred: Deferred<ColumnChunk>) {
    keptValues = .bytes([])
    self.deferred = DeferredChunk(count: count, deferred)
  }

  package enum Values: Sendable {
    /// integers; dates as microseconds since 1970
    case integers([Int64])
    /// doubles
    case doubles([Double])
    /// booleans as 0 and 1, or dictionary codes below 256
    case bytes([UInt8])
    /// dictionary codes
    case codes([UInt16])
    /// texts
    case text(TextChunk)
    /// row numbers of the destination's table; `noRow` is no object
    case links([UInt32])
    /// lists of row numbers
    case linkLists(LinkLists)
  }

  /// How many rows a full chunk has.
  package static let capacity = 16_384
  package static let shift = 14
  package static let mask = capacity - 1
}

/// A chunk that is made when somebody asks for it; how many rows it has is known.
private final class DeferredChunk: Sendable {
  let count: Int
  let made: Deferred<ColumnChunk>

  init(count: Int, _ made: Deferred<ColumnChunk>) {
    self.count = count
    self.made = made
  }
}

/// The row number that stands for no object.
package let noRow = UInt32.max

/// Lists of row numbers, one behind the other.
package struct LinkLists: Sendable {
  /// Where each row's list ends in `rows`.
  package var ends: [UInt32] = []
  package var rows: [UInt32] = []

  package init() {}

  package func range(_ row: Int) -> Range<Int> {
    (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
  }

  package mutating func append(_ list: some Sequence<UInt32>) {
    rows.append(contentsOf: list)
    ends.append(UInt32(truncatingIfNeeded: rows.count))
  }
}

extension ColumnChunk {
  package var values: Values {
    _read {
      if let made = deferred?.made.address {
        if let sparse = made.pointee.sparse {
          yield sparse.values
        } else {
          yield made.pointee.keptValues
        }
      } else if let sparse {
        yield sparse.values
      } else {
        yield keptValues
      }
    }
    _modify {
      keepAll()
      yield &keptValues
      ChunkDerived.forget(&derived)
    }
  }

  /// The rows that have no value; nil if all have one.
  package var nulls: Bitmap? {
    _read {
      if let made = deferred?.made.address {
        if let sparse = made.pointee.sparse {
          yield sparse.nulls
        } else {
          yield made.pointee.keptNulls
        }
      } else if let sparse {
        yield sparse.nulls
      } else {
        yield keptNulls
      }
    }
    _modify {
      keepAll()
      yield &keptNulls
      ChunkDerived.forget(&derived)
    }
  }

  /// Whether nothing has changed since one of the two was a copy of the other.
  func isSame(_ other: ColumnChunk) -> Bool { derived === other.derived }

  /// Before rows change: each has its place.
  private mutating func keepAll() {
    keepMade()
    guard let sparse else { return }
    (keptValues, keptNulls) = (sparse.values, sparse.nulls)
    self.sparse = nil
  }

  private mutating func keepMade() {
    guard let made = deferred?.made.value else { return }
    (keptValues, keptNulls, sparse) = (made.keptValues, made.keptNulls, made.sparse)
    deferred = nil
  }

  /// Adds a row without a value where that costs nothing; false where it does.
  mutating func appendNothing() -> Bool {
    keepMade()
    guard let longer = sparse?.longer else { return false }
    sparse = longer
    ChunkDerived.forget(&derived)
    return true
  }
}

extension ColumnChunk {
  package var count: Int {
    if let deferred { return deferred.count }
    if let sparse { return sparse.count }
    return switch keptValues {
    case .integers(let a): a.count
    case .doubles(let a): a.count
    case .bytes(let a): a.count
    case .codes(let a): a.count
    case .text(let a): a.count
    case .links(let a): a.count
    case .linkLists(let a): a.ends.count
    }
  }

  package func isNull(_ row: Int) -> Bool {
    if let deferred { return deferred.made.address.pointee.isNull(row) }
    if let sparse { return sparse.place(of: row) == nil }
    return keptNulls?[row] ?? false
  }
}

extension ColumnChunk {
  /// Whether rows may have no value; false: each has one.
  var mayHaveNulls: Bool {
    if let deferred { return deferred.made.address.pointee.mayHaveNulls }
    return sparse != nil || keptNulls != nil
  }
}

extension ColumnChunk {
  /// The values that are kept, of few rows or of all; `place` says where one of a row stands.
  package var keptOnly: Values {
    _read {
      if let made = deferred?.made.address {
        if let sparse = made.pointee.sparse {
          yield sparse.packed.keptValues
        } else {
          yield made.pointee.keptValues
        }
      } else if let sparse {
        yield sparse.packed.keptValues
      } else {
        yield keptValues
      }
    }
  }

  /// Where a row's value stands in `keptOnly`; nil if the row has none.
  package func place(of row: Int) -> Int? {
    if let deferred { return deferred.made.address.pointee.place(of: row) }
    if let sparse { return sparse.place(of: row) }
    return keptNulls?[row] == true ? nil : row
  }

  /// Whether each row has a value, which stands in its place.
  package var keepsAllRows: Bool {
    if let deferred { return deferred.made.address.pointee.keepsAllRows }
    return sparse == nil && (keptNulls?.isEmpty ?? true)
  }

  /// The chunk with what it keeps in another form.
  package func mapKept(_ change: (ColumnChunk) -> ColumnChunk) -> ColumnChunk {
    let (rows, packed) = kept
    guard let rows else { return change(packed) }
    return ColumnChunk(count: count, rows: rows, packed: change(packed))
  }

  /// What it keeps: the rows that have a value, where few have one, and the chunk of those rows; else
  /// itself.
  package var kept: (rows: [UInt16]?, packed: ColumnChunk) {
    if let deferred { return deferred.made.value.kept }
    if let sparse { return (sparse.rows, sparse.packed) }
    return (nil, self)
  }
}

extension ColumnChunk {
  /// Adds a row behind the last one; codes have been looked up.
  ///
  /// The array is taken out of the enum while it grows: one that two places hold would be copied.
  mutating func append(_ cell: StoredCell) {
    if cell == .null, appendNothing() { return }
    appendNullBit(cell == .null)
    switch values {
    case .integers(var array):
      values = .bytes([])
      array.append(cell.integer)
      values = .integers(array)
    case .doubles(var array):
      values = .bytes([])
      array.append(cell.double)
      values = .doubles(array)
    case .bytes(var array):
      values = .integers([])
      append(code: cell.integer, to: &array)
    case .codes(var array):
      values = .bytes([])
      array.append(UInt16(truncatingIfNeeded: cell.integer))
      values = .codes(array)
    case .text(var text):
      values = .bytes([])
      text.append(cell.text.utf8, isOdd: cell.isOddText)
      values = .text(text)
    case .links(var array):
      values = .bytes([])
      array.append(cell.link)
      values = .links(array)
    case .linkLists(var lists):
      values = .bytes([])
      lists.append(cell.links)
      values = .linkLists(lists)
    }
  }

  private mutating func append(code: Int64, to array: inout [UInt8]) {
    if let small = UInt8(exactly: code) {
      array.append(small)
      values = .bytes(array)
    } else {
      values = .codes(array.map { UInt16($0) } + [UInt16(truncatingIfNeeded: code)])
    }
  }

  private mutating func appendNullBit(_ isNull: Bool) {
    if isNull, nulls == nil { nulls = Bitmap(count: count) }
    nulls?.append(isNull)
  }
}

/// A value that is made when somebody asks for it first, once for all copies.
///
/// Who asks again pays a load and a comparison. What makes the value is let go then, with all that it
/// holds.
package final class Deferred<Value: Sendable>: Sendable {
  private let make: Mutex<(@Sendable () -> Value)?>
  private let isMade = Atomic<Bool>(false)
  nonisolated(unsafe) private let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  package init(_ make: @escaping @Sendable () -> Value) { self.make = Mutex(make) }

  deinit {
    if isMade.load(ordering: .acquiring) { place.deinitialize(count: 1) }
    place.deallocate()
  }

  package var value: Value { address.pointee }

  /// Where the value is as long as this is: to look at a part of it copies nothing.
  package var address: UnsafePointer<Value> {
    if !isMade.load(ordering: .acquiring) { makeNow() }
    return UnsafePointer(place)
  }

  @inline(never)
  private func makeNow() {
    make.withLock { make in
      guard let body = make else { return }
      place.initialize(to: body())
      make = nil
      isMade.store(true, ordering: .releasing)
    }
  }
}
