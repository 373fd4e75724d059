import Foundation
import KuraGraph
import KuraPredicates
import KuraSentences
import KuraValues

/// A kernel that tests values of expressions, and leaves only those rows to the reference evaluator that they leave.
protocol NodeKernel: ChunkKernel {
  var nodes: [any VectorNode] { get }
}

extension NodeKernel {
  var neverFallsBack: Bool { nodes.allSatisfy(\.neverFallsBack) }
  var reasonForFallback: String {
    (nodes.first { !$0.neverFallsBack } ?? nodes[0]).reasonForFallback
  }
  func prepare() { for node in nodes { node.prepare() } }
}

/// `priority * 9000 > cost`: a comparison of two expressions per row, for whole chunks.
struct VectorKernel: NodeKernel {
  let comparisons: [VectorComparison]

  /// Returns the kernel of a comparison of texts or numbers; nil if they are not comparable.
  static func of(
    _ left: any VectorNode, _ operation: ComparisonOperator, _ right: any VectorNode,
    _ options: TextOptions = []
  ) -> (any ChunkKernel)? {
    if let texts = TextComparison(left, operation, right, options) { return texts }
    return VectorComparison(left, operation, right).map { VectorKernel(comparisons: [$0]) }
  }

  var method: String { localized("whole columns") }
  var cost: Double {
    comparisons.reduce(0) { $0 + $1.left.cost + $1.right.cost + 1 }
  }
  var nodes: [any VectorNode] { comparisons.flatMap { [$0.left, $0.right] } }

  /// Combines comparisons with AND: BETWEEN is two.
  func answer(_ rows: ChunkRows) -> KernelAnswer {
    var answer = comparisons[0].answer(rows)
    for comparison in comparisons.dropFirst() {
      let next = comparison.answer(rows)
      answer.passing.formIntersection(next.passing)
      answer.fallback = answer.fallback.union(next.fallback)
    }
    return answer
  }
}

/// `year(date) IN {2009, 2011}`, `cost IN {1.5, 2.5}`: a test whether a number is in a set.
struct VectorSetKernel: NodeKernel {
  let node: any VectorNode
  private let integers: Set<Int64>
  private let doubles: Set<Double>
  private let decimals: [ScaledDecimal]

  var method: String { localized("whole columns, tested against a set") }
  var cost: Double { node.cost + 10 }
  var nodes: [any VectorNode] { [node] }

  /// Returns nil if an element is not a number, or not a date for dates.
  init?(_ node: any VectorNode, _ elements: [Value]) {
    guard !node.kind.hasTexts else { return nil }
    var integers: Set<Int64> = []
    var doubles: Set<Double> = []
    var decimals: [ScaledDecimal] = []
    for element in elements {
      switch (element, node.kind) {
      case (.date(let moment), .date): integers.insert(moment.microseconds)
      case (_, .date): return nil
      // A decimal with more digits equals no number that loops handle.
      case (.decimal(let x), .decimal), (.decimal(let x), .exact):
        if let scaled = ScaledDecimal(x) { decimals.append(scaled) }
      case (.double(let x), .decimal), (.double(let x), .exact):
        if let scaled = Decimal(digitsOf: x).flatMap({ ScaledDecimal($0) }) {
          decimals.append(scaled)
        }
      case (.integer(let x), .decimal), (.integer(let x), .exact):
        decimals.append(ScaledDecimal(Int128(x), places: 0))
      case (.integer(let x), _):
        integers.insert(x)
        if let exact = Double(exactly: x) { doubles.insert(exact) }
      case (.double(let x), _):
        guard !x.isNaN else { return nil }
        doubles.insert(x)
        if let exact = Int64(exactly: x) { integers.insert(exact) }
      case (.null, _): continue
      default: return nil
      }
    }
    (self.node, self.integers, self.doubles) = (node, integers, doubles)
    self.decimals = decimals
  }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let vector = node.vector(rows)
    let passing: Bitmap =
      switch vector.values {
      case .integers(let lane): Self.rows(lane, in: integers, rows.count)
      case .doubles(let lane): Self.rows(lane, in: doubles, rows.count)
      case .decimals(let lane, let places):
        Self.rows(
          lane, in: Set(integers(places: places).compactMap { Int64(exactly: $0) }), rows.count)
      case .longDecimals(let lane, let places):
        Self.rows(lane, in: Set(integers(places: places)), rows.count)
      case .texts: Bitmap(count: rows.count)
      }
    return KernelAnswer(
      passing: passing.settingNulls(vector.nulls, to: false), fallback: vector.fallback)
  }

  /// Returns the decimals of the set on a scale, without those that do not fit.
  private func integers(places: Int) -> [Int128] {
    decimals.compactMap { $0.integer(places: places) }
  }

  /// Returns the rows with a number in a set; a small set is compared one by one.
  private static func rows<Number: Hashable & BitwiseCopyable>(
    _ lane: Lane<Number>, in set: Set<Number>, _ count: Int
  ) -> Bitmap {
    guard set.count <= 8 else { return lane.rows(count, where: set.contains) }
    var result = Bitmap(count: count)
    for element in set { result.formUnion(lane.rows(count) { $0 == element }) }
    return result
  }
}

/// `lowercase(kind) == nil`: a test whether an expression has a value.
struct VectorNullKernel: NodeKernel {
  let node: any VectorNode
  private let test: NullTest

  /// Returns nil for an operator that may fail.
  init?(_ node: any VectorNode, _ operation: ComparisonOperator) {
    guard let test = NullTest(operation) else { return nil }
    (self.node, self.test) = (node, test)
  }

  var method: String { localized("whole columns, nil") }
  var cost: Double { node.cost }
  var nodes: [any VectorNode] { [node] }

  func answer(_ rows: ChunkRows) -> KernelAnswer {
    let vector = node.vector(rows)
    return KernelAnswer(passing: test.passing(vector.nulls, rows.count), fallback: vector.fallback)
  }
}

/// A comparison with nil.
struct NullTest: Sendable {
  private let nullPasses: Bool
  private let valuePasses: Bool

  /// Returns nil for an operator that may fail.
  init?(_ operation: ComparisonOperator) {
    guard let relation = VectorComparison.Relation(operation) else { return nil }
    (nullPasses, valuePasses) = (relation.holdsForNulls, relation == .notEqual)
  }

  func passing(_ nulls: Bitmap?, _ count: Int) -> Bitmap {
    Bitmap(count: count, filledWith: valuePasses).settingNulls(nulls, to: nullPasses)
  }
}
