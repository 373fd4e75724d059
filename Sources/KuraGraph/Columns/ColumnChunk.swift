import Synchronization

/// The values of up to 16,384 rows of one column.
package struct ColumnChunk: Sendable {
  private var loadedValues: Values
  private var loadedNulls: Bitmap?
  /// Replaces the values and nulls if few rows have a value.
  private var sparse: SparseChunk?
  /// Replaces the values, nulls and sparse chunk until the first access. The chunk that it creates
  /// is never deferred itself.
  private var deferred: DeferredChunk?
  /// Data derived from the values on demand.
  var derived = ChunkDerived()

  package init(_ values: Values, nulls: Bitmap? = nil) {
    loadedValues = values
    loadedNulls = nulls
  }

  /// Creates a chunk of `count` rows, of which only `rows` have a value, in `packed`.
  package init(count: Int, rows: [UInt16], packed: ColumnChunk) {
    loadedValues = .bytes([])
    sparse = SparseChunk(count: count, rows: rows, packed: packed)
  }

  /// Creates a chunk of `count` rows that is loaded when a row is accessed.
  package init(count: Int, deferred: Deferred<ColumnChunk>) {
    loadedValues = .bytes([])
    self.deferred = DeferredChunk(count: count, deferred)
  }

  package enum Values: Sendable {
    /// Integers, or dates as microseconds since 1970
    case integers([Int64])
    case doubles([Double])
    /// Booleans as 0 and 1, or dictionary codes below 256
    case bytes([UInt8])
    /// dictionary codes
    case codes([UInt16])
    case text(TextChunk)
    /// Row numbers of the destination table; `noRow` means null
    case links([UInt32])
    /// lists of row numbers
    case linkLists(LinkLists)
  }

  /// The number of rows of a full chunk.
  package static let capacity = 16_384
  package static let shift = 14
  package static let mask = capacity - 1
}

/// A chunk that is created on access, with a known number of rows.
private final class DeferredChunk: Sendable {
  let count: Int
  let chunk: Deferred<ColumnChunk>

  init(count: Int, _ chunk: Deferred<ColumnChunk>) {
    self.count = count
    self.chunk = chunk
  }
}

/// The row number that means no object.
package let noRow = UInt32.max

/// Concatenated lists of row numbers.
package struct LinkLists: Sendable {
  /// The end of each row's list in `rows`.
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
      if let loaded = deferred?.chunk.address {
        if let sparse = loaded.pointee.sparse {
          yield sparse.values
        } else {
          yield loaded.pointee.loadedValues
        }
      } else if let sparse {
        yield sparse.values
      } else {
        yield loadedValues
      }
    }
    _modify {
      keepAll()
      yield &loadedValues
      ChunkDerived.forget(&derived)
    }
  }

  /// The rows that are null; nil if all have a value.
  package var nulls: Bitmap? {
    _read {
      if let loaded = deferred?.chunk.address {
        if let sparse = loaded.pointee.sparse {
          yield sparse.nulls
        } else {
          yield loaded.pointee.loadedNulls
        }
      } else if let sparse {
        yield sparse.nulls
      } else {
        yield loadedNulls
      }
    }
    _modify {
      keepAll()
      yield &loadedNulls
      ChunkDerived.forget(&derived)
    }
  }

  /// Returns whether one of the two is an unmodified copy of the other.
  func isSame(_ other: ColumnChunk) -> Bool { derived === other.derived }

  /// Expands the chunk before rows change, so that each row has its place.
  private mutating func keepAll() {
    keepMade()
    guard let sparse else { return }
    (loadedValues, loadedNulls) = (sparse.values, sparse.nulls)
    self.sparse = nil
  }

  private mutating func keepMade() {
    guard let loaded = deferred?.chunk.value else { return }
    (loadedValues, loadedNulls, sparse) = (loaded.loadedValues, loaded.loadedNulls, loaded.sparse)
    deferred = nil
  }

  /// Appends a null row if that is cheap; otherwise returns false.
  mutating func appendNothing() -> Bool {
    keepMade()
    guard let longer = sparse?.longer else { return false }
    sparse = longer
    ChunkDerived.forget(&derived)
    return true
  }

  package var count: Int {
    if let deferred { return deferred.count }
    if let sparse { return sparse.count }
    return switch loadedValues {
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
    if let deferred { return deferred.chunk.address.pointee.isNull(row) }
    if let sparse { return sparse.place(of: row) == nil }
    return loadedNulls?[row] ?? false
  }

  /// Whether rows can be null; false if each has a value.
  var mayHaveNulls: Bool {
    if let deferred { return deferred.chunk.address.pointee.mayHaveNulls }
    return sparse != nil || loadedNulls != nil
  }

  /// The stored values, of all rows or only of those that have one; `place(of:)` gives the index of a row.
  package var compactValues: Values {
    _read {
      if let loaded = deferred?.chunk.address {
        if let sparse = loaded.pointee.sparse {
          yield sparse.packed.loadedValues
        } else {
          yield loaded.pointee.loadedValues
        }
      } else if let sparse {
        yield sparse.packed.loadedValues
      } else {
        yield loadedValues
      }
    }
  }

  /// The texts of the rows that have one; nil for other values.
  package var compactTexts: TextChunk? {
    if case .text(let texts) = compactValues { texts } else { nil }
  }

  /// The destination row of each row of a to-one relationship; nil for other values.
  package var links: [UInt32]? { if case .links(let links) = values { links } else { nil } }

  /// The destination rows of a to-many relationship; nil for other values.
  package var linkLists: LinkLists? {
    if case .linkLists(let lists) = values { lists } else { nil }
  }

  /// Returns the index of a row's value in `compactValues`; nil if the row is null.
  package func place(of row: Int) -> Int? {
    if let deferred { return deferred.chunk.address.pointee.place(of: row) }
    if let sparse { return sparse.place(of: row) }
    return loadedNulls?[row] == true ? nil : row
  }

  /// Whether each row has a value, at its own index.
  package var keepsAllRows: Bool {
    if let deferred { return deferred.chunk.address.pointee.keepsAllRows }
    return sparse == nil && (loadedNulls?.isEmpty ?? true)
  }

  /// Returns the chunk with its stored values in another form.
  package func mapCompactValues(_ change: (ColumnChunk) -> ColumnChunk) -> ColumnChunk {
    let (rows, packed) = stored
    guard let rows else { return change(packed) }
    return ColumnChunk(count: count, rows: rows, packed: change(packed))
  }

  /// The stored values: the chunk itself or, if it is sparse, the rows with a value and a chunk of their values.
  package var stored: (rows: [UInt16]?, packed: ColumnChunk) {
    if let deferred { return deferred.chunk.value.stored }
    if let sparse { return (sparse.rows, sparse.packed) }
    return (nil, self)
  }

  /// Appends a row; codes have been looked up.
  ///
  /// The array is moved out of the enum while it grows, because a shared array would be copied.
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
      array.append(cell.rows.first ?? noRow)
      values = .links(array)
    case .linkLists(var lists):
      values = .bytes([])
      lists.append(cell.rows)
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

/// A value that is created on first access, once for all copies.
///
/// Later accesses cost a load and a comparison. The closure that creates the value is then released with its captures.
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

  /// The address of the value, valid as long as this object. Reading a part of the value copies nothing.
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
