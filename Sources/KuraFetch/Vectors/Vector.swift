import KuraGraph
import KuraModel
import KuraPredicates
import KuraSentences
import KuraValues

/// The values of an expression for the rows of a chunk.
struct Vector: Sendable {
  var values: Numbers
  /// The rows without a value. Their entries in `values` are arbitrary.
  var nulls: Bitmap?
  /// The rows that are left to the reference evaluator: it fails there, or is more exact.
  var fallback: Bitmap?
  /// In a vector of kind `mixed` or `exact`, the rows with integers; nil if unknown.
  var integral: Bitmap?

  enum Numbers: Sendable {
    /// Integers; booleans as 0 and 1; dates as microseconds since 1970
    case integers(Lane<Int64>)
    case doubles(Lane<Double>)
    /// Decimals as integers with this number of digits after the decimal point
    case decimals(Lane<Int64>, places: Int)
    /// Decimals of up to 38 digits; others are left to the reference evaluator
    case longDecimals(Lane<Int128>, places: Int)
    case texts(TextLane)
  }

  init(_ values: Numbers, nulls: Bitmap? = nil, fallback: Bitmap? = nil) {
    (self.values, self.nulls, self.fallback) = (values, nulls, fallback)
  }

  /// Creates the results of an operation on each row's values.
  init(_ values: Numbers, of operands: [Vector]) {
    self.init(
      values, nulls: operands.reduce(nil) { $0.union($1.nulls) },
      fallback: operands.reduce(nil) { $0.union($1.fallback) })
  }

  /// Returns the vector with other values in the same rows.
  func with(_ values: Numbers) -> Vector {
    var result = self
    result.values = values
    return result
  }
}

enum VectorKind: Sendable {
  case integer, boolean, double, date, text, decimal
  /// Values as the texts that columns store
  case uuid, uri, binary
  /// Integers in some rows and decimals in others, all as decimals.
  case exact
  /// Integers in some rows and doubles in others, all as doubles. Their values are right, but integers must be divided
  /// as integers
  case mixed

  var isNumber: Bool { self != .date && !hasTexts }
  var hasTexts: Bool { [.text, .uuid, .uri, .binary].contains(self) }
  /// Why loops leave values to the reference evaluator.
  var reasonForFallback: String {
    if hasTexts { return localized("bytes do not decide some characters") }
    return hasDecimals
      ? localized("loops compute with decimals of at most 38 digits")
      : localized("loops compute with numbers of 64 bits")
  }
  /// Whether values have the order of their texts. Binary data has no order.
  var hasOrderOfTexts: Bool { hasTexts && self != .binary }
  /// Whether integers are among the values as numbers of another kind.
  var isMixed: Bool { self == .mixed || self == .exact }
  var isReal: Bool { self == .double || self == .mixed }
  var hasDecimals: Bool { self == .decimal || self == .exact }
}

/// An expression that is computed for whole chunks.
///
/// It gives the reference evaluator's values, or leaves a row to it.
protocol VectorNode: Sendable {
  var kind: VectorKind { get }
  /// The approximate number of nanoseconds that a row takes.
  var cost: Double { get }
  /// The approximate number of nanoseconds before the first row.
  var costForAll: Double { get }
  /// The number of links that the reference evaluator follows to compute all rows.
  var linksForAll: Double { get }
  /// Whether it never leaves a row to the reference evaluator.
  var neverFallsBack: Bool { get }
  /// Why it leaves rows to the reference evaluator, for `explain analyze`.
  var reasonForFallback: String { get }
  /// Its operands.
  var parts: [any VectorNode] { get }
  /// Returns bounds of its integers, if known before they are computed; entries of rows without a value may be outside.
  /// If nothing can overflow, rows need no check.
  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>?
  func vector(_ rows: ChunkRows) -> Vector
  /// Prepares for the first chunk.
  func prepare()
  /// Its monotone dependence on a column; nil if unknown.
  var trend: Trend? { get }
}

/// The direction in which a monotone expression of one column of doubles or dates changes with that column.
struct Trend: Sendable {
  let column: Int
  var isUp = true
  /// For dates, the time that must have a constant offset from UTC.
  var time: TrendTime?

  /// Returns the opposite direction if `isReversed`.
  func reversed(_ isReversed: Bool = true) -> Trend {
    var result = self
    result.isUp = isUp != isReversed
    return result
  }
}

/// The time in which an expression of dates is monotone if the clocks do not change.
struct TrendTime: Sendable {
  let zone: ZoneRules
  /// A moment that the expression uses.
  var moment: Int64?
  /// The time before and after the dates that the expression may use, in microseconds.
  var margin: Int64 = 2 * .day
}

extension VectorNode {
  var reasonForFallback: String {
    let part = parts.first { $0.kind.hasDecimals || !$0.neverFallsBack }
    return part?.reasonForFallback ?? kind.reasonForFallback
  }
  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? { nil }
  var trend: Trend? { nil }
  func prepare() { for part in parts { part.prepare() } }
  var neverFallsBack: Bool { parts.allSatisfy(\.neverFallsBack) }
  var parts: [any VectorNode] { [] }
  var costForAll: Double { parts.reduce(0) { $0 + $1.costForAll } }
  var linksForAll: Double { parts.reduce(0) { $0 + $1.linksForAll } }
}

extension Bitmap? {
  func union(_ other: Bitmap?) -> Bitmap? { map { $0.union(other) } ?? other }
}

extension Vector {
  var integers: Lane<Int64> {
    switch values {
    case .integers(let lane), .decimals(let lane, _): lane
    // Only for integers.
    case .doubles, .longDecimals, .texts: .all(0)
    }
  }

  var texts: TextLane {
    switch values {
    case .texts(let lane): lane
    // Only for texts.
    case .integers, .doubles, .decimals, .longDecimals: .empty
    }
  }

  var doubles: Lane<Double> {
    switch values {
    case .integers(let lane): lane.map { Double($0) }
    case .doubles(let lane): lane
    // Only for numbers; decimals have `reals`.
    case .decimals, .longDecimals, .texts: .all(0)
    }
  }

  /// Returns a vector in which every row must be evaluated by the reference evaluator.
  static func unknown(_ kind: VectorKind, _ count: Int) -> Vector {
    Vector(
      kind.hasTexts ? .texts(.empty) : .integers(.all(0)),
      fallback: Bitmap(count: count, filledWith: true))
  }

  /// Returns the vector with more rows left to the reference evaluator, except nulls.
  func leaving(_ rows: Bitmap) -> Vector {
    guard let left = rows.subtracting(nulls).nonEmpty else { return self }
    var result = self
    result.fallback = fallback.union(left)
    return result
  }

  /// Returns whether one of some rows is left to the reference evaluator.
  func isOpen(in rows: Bitmap) -> Bool { fallback.map { !$0.intersection(rows).isEmpty } ?? false }
}

/// `priority`, `date`, `done`: an attribute's own column, or a column of numbers that is not in a table.
struct ColumnNode: VectorNode {
  let column: Int
  let kind: VectorKind
  /// The column, if it is not in a table.
  private let given: Column?
  var cost: Double { 0.3 }

  init?(_ column: Int, _ type: AttributeType, given: Column? = nil) {
    guard let kind = VectorKind(type), !kind.hasTexts else { return nil }
    (self.column, self.kind, self.given) = (column, kind, given)
  }

  /// Decimals may have more digits than loops can handle.
  var neverFallsBack: Bool { kind != .decimal || given?.scale != nil }

  var trend: Trend? { kind == .double && given == nil ? Trend(column: column) : nil }

  /// The column, if it is a table's column of dates.
  var columnOfDates: Int? { kind == .date && given == nil ? column : nil }

  func vector(_ rows: ChunkRows) -> Vector {
    var vector = chunk(rows).vector(kind)
    if let scale = given?.scale { vector.values = scale.numbers(vector.integers) }
    return vector
  }

  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? {
    kind == .decimal ? nil : chunk(rows).vectorBounds
  }

  private func chunk(_ rows: ChunkRows) -> ColumnChunk {
    given?.chunks[rows.number] ?? rows.chunk(column)
  }
}

extension ColumnChunk {
  /// Returns its numbers.
  fileprivate func vector(_ kind: VectorKind) -> Vector {
    switch values {
    case .integers(let values): Vector(.integers(.each(values)), nulls: nulls)
    case .doubles(let values): Vector(.doubles(.each(values)), nulls: nulls)
    case .bytes(let values):
      Vector(.integers(Lane.each(values).map { Int64($0) }), nulls: nulls)
    case .text where kind == .decimal: scaledIntegers?.vector ?? .unknown(kind, count)
    case .codes, .text, .links, .linkLists: .unknown(kind, count)
    }
  }
}

extension ScaledIntegers {
  fileprivate var vector: Vector {
    let values: Vector.Numbers =
      switch integers {
      case .short(let integers): .decimals(.each(integers), places: places)
      case .long(let integers): .longDecimals(.each(integers), places: places)
      }
    return Vector(values, nulls: nulls, fallback: unfit)
  }
}

/// `9000`, `2.5`, `"2009-01-01"` compared with a date, `"Office"`
struct ConstantNode: VectorNode {
  let kind: VectorKind
  private let values: Vector.Numbers
  var cost: Double { 0 }

  init?(_ value: Value) {
    switch value {
    case .integer(let x): (kind, values) = (.integer, .integers(.all(x)))
    case .boolean(let x): (kind, values) = (.boolean, .integers(.all(x ? 1 : 0)))
    case .double(let x): (kind, values) = (.double, .doubles(.all(x)))
    case .date(let x): (kind, values) = (.date, .integers(.all(x.microseconds)))
    case .string(let x): (kind, values) = (.text, .texts(TextLane(x)))
    case .decimal(let x):
      guard let scaled = ScaledDecimal(x) else { return nil }
      kind = .decimal
      values =
        if let short = scaled.short {
          .decimals(.all(short), places: scaled.places)
        } else {
          .longDecimals(.all(scaled.integer), places: scaled.places)
        }
    case .uuid, .uri, .binary:
      guard let (kind, text) = value.storedText else { return nil }
      (self.kind, values) = (kind, .texts(TextLane(text)))
    case .null, .list, .set, .dictionary, .object: return nil
    }
  }

  /// Its value for any rows.
  var vector: Vector { Vector(values) }
  func vector(_ rows: ChunkRows) -> Vector { vector }

  func bounds(_ rows: ChunkRows) -> ClosedRange<Int64>? {
    if case .integers(.all(let x)) = values { x...x } else { nil }
  }
}

// Vectors with more rows than a chunk
extension Vector {
  static func none(_ kind: VectorKind) -> Vector {
    switch kind {
    case .integer, .boolean, .date: Vector(.integers(.each([])))
    case .double, .mixed: Vector(.doubles(.each([])))
    case .decimal, .exact: Vector(.decimals(.each([]), places: 0))
    case .text, .uuid, .uri, .binary:
      Vector(
        .texts(
          TextLane(texts: TextViews(bytes: [], starts: [], ends: []), places: .own)))
    }
  }

  var count: Int {
    switch values {
    case .integers(.each(let x)), .decimals(.each(let x), _): x.count
    case .doubles(.each(let x)): x.count
    case .longDecimals(.each(let x), _): x.count
    case .texts(let lane): lane.texts.count
    case .integers(.all), .doubles(.all), .decimals(.all, _), .longDecimals(.all, _): 1
    }
  }

  /// Appends the rows of another vector; both must have a value per row.
  mutating func append(_ next: Vector, _ count: Int) {
    let size = self.count
    let other: Vector
    (self, other) = Vector.aligned((self, size), (next, count))
    switch (values, other.values) {
    case (.decimals(.each(var mine), let places), .decimals(let lane, _)):
      values = .integers(.all(0))
      mine += lane.spread(count)
      values = .decimals(.each(mine), places: places)
    case (.longDecimals(.each(var mine), let places), .longDecimals(let lane, _)):
      values = .integers(.all(0))
      mine += lane.spread(count)
      values = .longDecimals(.each(mine), places: places)
    case (.integers(.each(var mine)), .integers(let lane)):
      values = .integers(.all(0))
      mine += lane.spread(count)
      values = .integers(.each(mine))
    case (.doubles(.each(var mine)), _):
      values = .integers(.all(0))
      mine += other.doubles.spread(count)
      values = .doubles(.each(mine))
    case (.texts(var lane), .texts(let others)):
      values = .integers(.all(0))
      lane.texts.append(others.ownForEach(count).compact)
      values = .texts(lane)
    default: return
    }
    nulls = Bitmap.joined(nulls, size, other.nulls, count)
    fallback = Bitmap.joined(fallback, size, other.fallback, count)
    integral =
      if let mine = integral, let others = other.integral {
        Bitmap.joined(mine, size, others, count)
      } else if size == 0 {
        other.integral
      } else {
        nil
      }
  }

  /// Returns the vector with another row; if its value is nil, the row is left to the reference evaluator.
  func adding(_ value: Value?, _ kind: VectorKind) -> Vector {
    var result = self
    var row = Vector.unknown(kind, 1)
    if kind.isMixed { row.integral = Bitmap(count: 1) }
    if value?.isNull == true {
      swap(&row.nulls, &row.fallback)
    } else if let constant = value.flatMap({ ConstantNode($0) }),
      VectorKind.together([constant.kind, kind]) == kind
    {
      row = constant.vector.like(kind, from: constant.kind, 1)
    }
    result.append(row, 1)
    return result
  }

  var knowingOddTexts: Vector {
    guard case .texts(var lane) = values else { return self }
    lane.texts.oddness = .known(lane.texts.oddTexts)
    return with(.texts(lane))
  }

  func chunk(_ rows: ChunkRows) -> Vector {
    let first = rows.number << ColumnChunk.shift
    let range = first..<first + rows.count
    let part: Numbers =
      switch values {
      case .integers(.each(let x)): .integers(.each(Array(x[range])))
      case .doubles(.each(let x)): .doubles(.each(Array(x[range])))
      case .decimals(.each(let x), let places): .decimals(.each(Array(x[range])), places: places)
      case .longDecimals(.each(let x), let places):
        .longDecimals(.each(Array(x[range])), places: places)
      case .texts(let lane):
        .texts(lane.gathered(range.map { UInt32(truncatingIfNeeded: $0) }))
      case .integers(.all), .doubles(.all), .decimals(.all, _), .longDecimals(.all, _): values
      }
    var chunk = Vector(
      part, nulls: nulls?.chunk(rows.number, count: rows.count),
      fallback: fallback?.chunk(rows.number, count: rows.count))
    chunk.integral = integral?.chunk(rows.number, count: rows.count)
    return chunk
  }
}

extension TextLane {
  func gathered(_ numbers: [UInt32]) -> TextLane {
    switch places {
    case .own: TextLane(texts: texts, places: .numbered(numbers))
    case .same: self
    case .numbered(let known):
      TextLane(texts: texts, places: .numbered(numbers.map { known[Int($0)] }))
    }
  }
}

extension Bitmap {
  /// Returns `count` bits followed by `more` bits.
  fileprivate static func joined(
    _ first: Bitmap?, _ count: Int, _ second: Bitmap?, _ more: Int
  ) -> Bitmap? {
    guard first != nil || second != nil else { return nil }
    var words = (first ?? Bitmap(count: count)).words
    words += Array(repeating: 0, count: (count + more + 63) >> 6 - words.count)
    var result = Bitmap(words: words, count: count + more)
    second?.eachRow { if $0 < more { result.insert(count + $0) } }
    return result
  }
}

extension TextViews {
  /// Appends other texts, which have no starts; these texts have starts.
  fileprivate mutating func append(_ other: TextViews) {
    let offset = UInt32(truncatingIfNeeded: bytes.count)
    bytes += other.bytes
    for place in 0..<other.count {
      starts?.append(other.start(of: place) + offset)
      ends.append(other.ends[place] + offset)
    }
    oddness = .unknown
  }
}

extension ColumnChunk {
  /// The bounds of its integers or booleans.
  var vectorBounds: ClosedRange<Int64>? {
    switch values {
    case .integers: integerBounds ?? 0...0
    case .bytes: 0...255
    case .doubles, .codes, .text, .links, .linkLists: nil
    }
  }
}

extension ClosedRange<Int64> {
  /// Whether all of them are exact as doubles.
  var areExactDoubles: Bool { lowerBound >= -(1 << 53) && upperBound <= 1 << 53 }
}

extension ExpressionTree {
  /// A literal double without a declared type, or one that is computed from literals; otherwise nil.
  var double: Constant? {
    guard let constant = numberLiteral, case .double = constant.value else { return nil }
    return constant
  }
}
