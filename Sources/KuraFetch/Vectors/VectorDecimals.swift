import KuraGraph
import KuraPredicates
import KuraValues

// Decimals on one scale, and decimals together with other numbers
extension Vector {
  /// How many digits stand after the point, of integers none; nil of other values.
  var places: Int? {
    switch values {
    case .integers: 0
    case .decimals(_, let places): places
    case .doubles, .texts: nil
    }
  }

  private var hasDecimals: Bool { if case .decimals = values { true } else { false } }

  /// Brings two vectors, each with its number of rows, to one type: decimals on one scale, or doubles if one has
  /// doubles.
  static func aligned(
    _ a: (vector: Vector, count: Int), _ b: (vector: Vector, count: Int)
  ) -> (Vector, Vector) {
    guard a.vector.hasDecimals || b.vector.hasDecimals else { return (a.vector, b.vector) }
    guard let first = a.vector.places, let second = b.vector.places else {
      return (a.vector.reals(a.count), b.vector.reals(b.count))
    }
    let places = max(first, second)
    return (a.vector.decimals(places, a.count), b.vector.decimals(places, b.count))
  }

  /// The vectors of a table's chunks with decimals on one scale; nil if a row that is wanted does not fit.
  static func aligned(_ vectors: [Vector], _ rows: [Bitmap]) -> [Vector]? {
    guard vectors.contains(where: \.hasDecimals), let places = vectors.compactMap(\.places).max()
    else { return vectors }
    var aligned: [Vector] = []
    for (vector, rows) in zip(vectors, rows) {
      let vector = vector.decimals(places, rows.count)
      if var unsure = vector.unsure {
        unsure.formIntersection(rows)
        guard unsure.isEmpty else { return nil }
      }
      aligned.append(vector)
    }
    return aligned
  }

  /// Integers or decimals with at least as many places; the rows that do not fit then are left to the
  /// reference evaluator.
  func decimals(_ wanted: Int, _ count: Int) -> Vector {
    guard let places else { return self }
    var result = self
    guard wanted > places else {
      result.values = .decimals(integers, places: places)
      return result
    }
    let (lane, factor) = (integers, ScaledDecimal.power(wanted - places))
    result.values = .decimals(lane.map { $0 &* factor }, places: wanted)
    return result.leaving(
      lane.rows(count) { $0.multipliedReportingOverflow(by: factor).overflow })
  }

  /// Decimals as the nearest doubles; those of more digits than doubles tell apart are left to the
  /// reference evaluator.
  func reals(_ count: Int) -> Vector {
    guard case .decimals(let lane, let places) = values else { return self }
    let unit = Double(ScaledDecimal.power(places))
    var result = self
    result.values = .doubles(lane.map { Double($0) / unit })
    return result.leaving(lane.rows(count) { $0.magnitude >= 1_000_000_000_000_000 })
  }
}

extension ExpressionTree {
  /// A literal that is a double without a type to read it by; nil of anything else.
  var double: Constant? {
    guard case .constant(let constant) = kind, case .double = constant.value else { return nil }
    return constant
  }
}

extension Constant {
  /// The decimal value of a literal next to decimals: the digits that were typed.
  var besideDecimals: Value {
    guard case .double(let double) = value else { return value }
    return NumberText.decimal(digits ?? NumberText.text(double)).map { .decimal($0) } ?? value
  }
}
