import KuraBytes
import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences

/// `payload.user.age`: the values at the end of keys in a column of JSON.
///
/// The JSON of a chunk is read once. Rows with values of another kind than most are left to the reference evaluator.
struct JSONPathNode: VectorNode {
  let kind: VectorKind
  let neverFallsBack: Bool
  private let column: Column
  private let path: JSONKeys
  var cost: Double { 0.5 }

  /// Returns nil if no row has a number, a text or a Boolean there.
  init?(_ column: Column, _ path: JSONKeys) {
    let count = column.chunks.count
    let chunks = Workers.map(count: count, inParallel: count > 1) {
      column.chunks[$0].keyedJSON(path)
    }
    guard let known = chunks.unwrapped(), let kind = VectorKind(known.map(\.kind)) else {
      return nil
    }
    (self.kind, self.column, self.path) = (kind, column, path)
    neverFallsBack = known.allSatisfy { $0.odd == nil && kind.holds($0.kind) }
  }

  func vector(_ rows: ChunkRows) -> Vector {
    guard let keyed = keyed(rows) else { return .unknown(kind, rows.count) }
    let chunk = keyed.chunk
    if !kind.holds(keyed.kind) { return unknown(but: chunk.nulls, rows.count) }
    switch chunk.values {
    case .integers(let values):
      return vector(.integers(.each(values)), keyed).like(kind, from: .integer, rows.count)
    case .doubles(let values):
      var vector = vector(.doubles(.each(values)), keyed)
      vector.integral = keyed.integral
      return vector.like(kind, from: keyed.integral == nil ? .double : .mixed, rows.count)
    case .bytes(let values):
      return vector(.integers(Lane.each(values).map { Int64($0) }), keyed)
    case .text(let texts) where kind == .text: return vector(.texts(lane(texts, keyed)), keyed)
    case .text, .codes, .links, .linkLists:
      // No row has a value.
      let none = Vector(.integers(.all(0))).like(kind, from: .integer, rows.count)
      return Vector(none.values, nulls: chunk.nulls, fallback: keyed.odd)
    }
  }

  /// Returns the texts of a chunk as a column stores them, with their cached data; nil if the values are not texts.
  func texts(_ rows: ChunkRows) -> (chunk: ColumnChunk, fallback: Bitmap?)? {
    guard let keyed = keyed(rows), keyed.kind == .texts else { return nil }
    return (keyed.chunk, keyed.odd)
  }

  private func lane(_ texts: TextChunk, _ keyed: KeyedJSON) -> TextLane {
    guard let few = keyed.few.value else {
      return TextLane(texts: TextViews(texts), places: .own)
    }
    return TextLane(texts: TextViews(few.texts), places: .numbered(few.numbers))
  }

  private func keyed(_ rows: ChunkRows) -> KeyedJSON? {
    column.chunks[rows.number].keyedJSON(path)
  }

  private func vector(_ values: Vector.Numbers, _ keyed: KeyedJSON) -> Vector {
    Vector(values, nulls: keyed.chunk.nulls, fallback: keyed.odd)
  }

  private func unknown(but nulls: Bitmap?, _ count: Int) -> Vector {
    var result = Vector.unknown(kind, count)
    result.nulls = nulls
    if let nulls { result.fallback?.subtract(nulls) }
    return result
  }
}

extension VectorKind {
  /// The kind of most chunks, or `mixed` for several kinds of numbers; nil if there are no values.
  fileprivate init?(_ kinds: [KeyedJSON.Kind]) {
    let all = Set(kinds)
    var counts: [KeyedJSON.Kind: Int] = [:]
    for kind in kinds where kind != .nothing { counts[kind, default: 0] += 1 }
    guard let most = counts.max(by: { ($0.value, $0.key == .texts ? 1 : 0) < ($1.value, 0) })?.key
    else { return nil }
    switch most {
    case .texts: self = .text
    case .booleans: self = .boolean
    case .integers where all.isDisjoint(with: [.doubles, .numbers]): self = .integer
    case .doubles where all.isDisjoint(with: [.integers, .numbers]): self = .double
    case .integers, .doubles, .numbers: self = .mixed
    case .nothing: return nil
    }
  }

  /// Returns whether a chunk has values of this kind.
  fileprivate func holds(_ kind: KeyedJSON.Kind) -> Bool {
    switch (self, kind) {
    case (_, .nothing), (.text, .texts), (.boolean, .booleans), (.integer, .integers),
      (.double, .doubles):
      true
    case (.mixed, let kind): [.integers, .doubles, .numbers].contains(kind)
    default: false
    }
  }
}

/// `payload.user == nil`: a test whether there is a value of any kind.
struct JSONNullKernel: ChunkKernel {
  private let column: Column
  private let path: JSONKeys
  private let test: NullTest
  let neverFallsBack: Bool

  /// Returns nil for an operator that may fail.
  init?(_ column: Column, _ path: JSONKeys, _ operation: ComparisonOperator) {
    guard let test = NullTest(operation) else { return nil }
    let count = column.chunks.count
    let chunks = Workers.map(count: count, inParallel: count > 1) {
      column.chunks[$0].keyedJSON(path)?.unknown == nil
    }
    (self.column, self.path, self.test) = (column, path, test)
    neverFallsBack = chunks.allSatisfy(\.self)
  }

  var method: String { localized("whole columns, nil") }
  var cost: Double { 0.5 }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    guard let keyed = column.chunks[rows.number].keyedJSON(path) else {
      return .undecided(rows.count)
    }
    return KernelAnswer(
      passing: test.passing(keyed.chunk.nulls, rows.count), fallback: keyed.unknown)
  }
}

/// `payload.temperature != 0`, where some values are texts, or `payload.zip == "1"`, where some are numbers.
struct JSONLiteralKernel: ChunkKernel {
  /// The comparison for chunks in which most values are of the literal's kind; nil if there are no such chunks.
  let kernel: (any ChunkKernel)?
  let column: Column
  let path: JSONKeys
  /// Whether the literal is a text, and not a number.
  let isText: Bool
  let isNotEqual: Bool

  var method: String { kernel?.method ?? localized("whole columns") }
  var cost: Double { kernel?.cost ?? 0.5 }

  var neverFallsBack: Bool {
    column.chunks.allSatisfy { chunk in
      chunk.keyedJSON(path).map { compares($0) == false && $0.odd == nil } ?? false
    } || kernel?.neverFallsBack == true
  }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    guard let keyed = column.chunks[rows.number].keyedJSON(path),
      let compares = compares(keyed)
    else { return .undecided(rows.count) }
    if !compares {
      let passing = Bitmap(count: rows.count, filledWith: isNotEqual).subtracting(keyed.odd)
      return KernelAnswer(passing: passing, fallback: keyed.odd)
    }
    guard var answer = kernel?.answer(rows) else { return .undecided(rows.count) }
    if let mismatched = keyed.mismatched {
      answer.fallback?.subtract(mismatched)
      answer.passing = answer.passing.settingNulls(mismatched, to: isNotEqual)
    }
    return answer
  }

  /// Whether most values of a chunk are of the literal's kind; nil for Booleans, which equal numbers.
  private func compares(_ keyed: KeyedJSON) -> Bool? {
    switch keyed.kind {
    case .booleans: isText ? false : nil
    case .nothing: false
    case .texts: isText
    case .integers, .doubles, .numbers: !isText
    }
  }
}

/// `ANY payload.tags == "mail"`: tests elements of lists in JSON, and maps those that pass to their rows.
struct JSONElementsKernel: ChunkKernel {
  /// The test of the elements.
  let kernel: any ChunkKernel
  let column: Column
  let path: JSONKeys
  /// Whether all elements must pass.
  let isAll: Bool
  let neverFallsBack: Bool

  init(_ kernel: any ChunkKernel, _ column: Column, _ path: JSONKeys, isAll: Bool) {
    (self.kernel, self.column, self.path, self.isAll) = (kernel, column, path, isAll)
    neverFallsBack =
      kernel.neverFallsBack && column.chunks.allSatisfy { $0.keyedJSON(path)?.unlisted == nil }
  }

  var method: String { kernel.method }
  var cost: Double { kernel.cost * 3 }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    guard let keyed = column.chunks[rows.number].keyedJSON(path), let ends = keyed.ends else {
      return .undecided(rows.count)
    }
    let elements = Bitmap(count: keyed.chunk.count, filledWith: true)
    let inner = kernel.answer(
      ChunkRows(table: rows.table, number: rows.number, candidates: elements))
    let found = self.rows(of: inner.passing.negated(isAll), ends, rows.count).negated(isAll)
    let open = inner.fallback.map { self.rows(of: $0, ends, rows.count) }
    return KernelAnswer(passing: found, fallback: open.union(keyed.unlisted))
  }

  /// Returns the rows that contain one of some elements.
  private func rows(of elements: Bitmap, _ ends: [UInt32], _ count: Int) -> Bitmap {
    var result = Bitmap(count: count)
    var row = 0
    elements.eachRow { element in
      while Int(ends[row]) <= element { row += 1 }
      result.insert(row)
    }
    return result
  }
}
